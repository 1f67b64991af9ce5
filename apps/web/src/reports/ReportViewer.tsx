import type { ReportData } from '@evenkeel/contract/reports';
import { formatAmount, ZERO } from '@evenkeel/core/money';
import { columnCount, pageRows } from '@evenkeel/core/reports/page';
import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconRefresh } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useNarrow } from '../ui/hooks/media.ts';
import { usePrinting } from '../ui/hooks/printing.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { EmptyState } from '../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { useRoom } from '../ui/table/useRoom.ts';
import { type ChosenFigure, figureAt, type PageCell, type PageRow, splitLabel } from './reportRows.ts';

export interface ReportViewerProps {
  report: ReportData | undefined;
  error: string | undefined;
  onRetry: () => void;
  /** The last answer is shown while the next is read. */
  isBusy: boolean;
  chosen: string | undefined;
  /** Absent: figures are only read. */
  onFigure: ((figure: ChosenFigure) => void) | undefined;
}

/** A report as a printed page (Specification part 2 §2 "Report viewer"). */
export function ReportViewer(props: ReportViewerProps) {
  // Known while the report is still read, so that thousands of rows are laid out once.
  const place = useRef<HTMLDivElement>(null);
  const room = useRoom(place);
  return (
    <>
      <div className="rp-room" ref={place} />
      <Viewed {...props} room={room} />
    </>
  );
}

/** px that the page has across; 0 where it is not known. */
interface Room {
  room: number;
}

function Viewed({ room, ...props }: ReportViewerProps & Room) {
  const { report, error, onRetry, isBusy } = props;
  if (error !== undefined) return <LoadError message={error} onRetry={onRetry} />;
  if (report === undefined) {
    return (
      <p className="rp-loading" role="status">
        Loading data...
      </p>
    );
  }
  return (
    <article
      className="rp-page"
      data-wide={isWide(report) ? '' : undefined}
      aria-label={report.title}
      aria-busy={isBusy}
      data-busy={isBusy ? '' : undefined}
    >
      <PageHead report={report} />
      <PageTable {...props} report={report} room={room} />
    </article>
  );
}

/** More than words and three figures a row. */
const WIDE = 4;
const isWide = (report: ReportData): boolean => columnCount(pageRows(report)) > WIDE;

function LoadError({ message, onRetry }: { message: string; onRetry: () => void }) {
  const retry = (
    <Button variant="default" leftSection={<IconRefresh {...ICON_SMALL} />} onClick={onRetry}>
      Retry
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState title="Error loading data..." hint={message} action={retry} />
    </div>
  );
}

/** Company and title at the left, the other header lines at the right. */
function PageHead({ report }: { report: ReportData }) {
  const [company, title, ...rest] = report.reportHeaderItems.map((item) => item.headerText);
  return (
    <header className="rp-head">
      <div>
        <div className="ek-semi">{company}</div>
        <h2>{title ?? report.title}</h2>
      </div>
      <div className="rp-head-more">
        {rest.map((text) => (
          <div key={text}>{text}</div>
        ))}
      </div>
    </header>
  );
}

function PageTable({ report, chosen, onFigure, room }: ReportViewerProps & Room & { report: ReportData }) {
  const rows = useMemo(() => pageRows(report), [report]);
  const columns = columnCount(rows);
  const narrow = useNarrow();
  const isPrinting = usePrinting();
  const isStatement = useMemo(() => isOfFigures(rows, columns), [rows, columns]);
  const least = useMemo(() => leastWidth(rows, columns), [rows, columns]);
  const hasChange = rows.some(({ cells }) => cells.some((cell) => 'text' in cell && cell.made !== undefined));
  const last = columns - AT_ONCE;
  const [start, setStart] = useState<number>();
  // Of many the last ones, which are the latest and the whole; what is set against each other begins with both.
  const from = Math.min(start ?? (hasChange ? 1 : last), last);
  const isPart = narrow && isStatement && last > 1 && !isPrinting;
  const all = Array.from({ length: columns - 1 }, (_, index) => index + 1);
  const parts = isPart
    ? [[from, from + 1]]
    : isPrinting && isStatement
      ? Array.from({ length: Math.ceil(all.length / ON_PAPER) }, (_, at) =>
          all.slice(at * ON_PAPER, (at + 1) * ON_PAPER),
        )
      : [all];
  const figure = (index: number, column: number) => figureAt(rows, index, column);
  // Of a list every column is wanted with every other: where they have no room beside each other words stand above.
  const isStacked = !isStatement && !isPrinting && room > 0 && room < least;
  const common = { rows, figureAt: figure, title: report.title, chosen, onFigure };
  return (
    <>
      {isPart && <ColumnStepper from={from} last={last} onStart={setStart} />}
      {isStacked ? (
        <StackedTable {...common} columns={columns} />
      ) : (
        parts.map((shown) => <ColumnsTable key={shown[0]} {...common} shown={shown} isStatement={isStatement} />)
      )}
    </>
  );
}

interface TableProps extends Pick<ReportViewerProps, 'chosen' | 'onFigure'> {
  rows: readonly PageRow[];
  figureAt: (index: number, column: number) => ChosenFigure | undefined;
  title: string;
}

interface ColumnsTableProps extends TableProps {
  /** The columns besides the first. */
  shown: readonly number[];
  isStatement: boolean;
}

function ColumnsTable({ rows, shown, figureAt: behind, title, isStatement, chosen, onFigure }: ColumnsTableProps) {
  const drawn = rows.map((row, index) => (
    <Row
      key={row.key}
      row={row}
      figureAt={(column) => behind(index, column)}
      columns={shown.length + 1}
      isShown={(column) => shown.includes(column)}
      isStatement={isStatement}
      chosen={chosen}
      onFigure={onFigure}
    />
  ));
  // Paper repeats the head of a table on every page: right only where it is the one of all rows.
  const heads = rows[0]?.look === 'heads' && rows.findLast(({ look }) => look === 'heads') === rows[0] ? 1 : 0;
  return (
    <table className="rp-table" aria-label={title} data-statement={isStatement ? '' : undefined}>
      <colgroup>
        <col />
        {shown.map((column) => (
          <col key={column} className={isFigures(rows, column) ? 'rp-figures' : undefined} />
        ))}
      </colgroup>
      {heads > 0 && <thead>{drawn.slice(0, heads)}</thead>}
      <tbody>
        {drawn.slice(heads)}
        <EmptyRow rows={rows} columns={shown.length + 1} />
      </tbody>
    </table>
  );
}

function EmptyRow({ rows, columns }: { rows: readonly PageRow[]; columns: number }) {
  if (rows.some((row) => row.look === 'line')) return null;
  return (
    <tr data-look="note">
      <td colSpan={columns}>Nothing is posted for these dates.</td>
    </tr>
  );
}

/** So many figures stand in columns beneath the words that have a line of their own; of more each says what it is. */
const IN_COLUMNS = 3;

/** A list where its columns have no room beside each other: a row's words, and its figures after or beneath them. */
function StackedTable({ rows, columns, title, ...row }: TableProps & { columns: number }) {
  return (
    <table className="rp-table" aria-label={title} data-stacked="">
      <tbody>
        {sectionsOf(rows).map(({ first, own }) => {
          const heads = own[0]?.look === 'heads' ? own[0].cells : [];
          const all = Array.from({ length: columns }, (_, column) => column);
          const figures = all.filter((column) => isFigures(own, column));
          return own.map((each, at) => (
            <StackedRow key={each.key} {...row} row={each} index={first + at} heads={heads} figures={figures} />
          ));
        })}
        <EmptyRow rows={rows} columns={1} />
      </tbody>
    </table>
  );
}

/** The rows below each row of heads, with the place of the first of them: another section has other columns. */
function sectionsOf(rows: readonly PageRow[]): { first: number; own: PageRow[] }[] {
  const sections: { first: number; own: PageRow[] }[] = [];
  rows.forEach((row, index) => {
    const last = sections.at(-1);
    if (last === undefined || row.look === 'heads') sections.push({ first: index, own: [row] });
    else last.own.push(row);
  });
  return sections;
}

interface StackedRowProps extends Omit<TableProps, 'rows' | 'title'> {
  row: PageRow;
  /** Its place among all rows. */
  index: number;
  heads: readonly PageCell[];
  /** The columns of figures. */
  figures: readonly number[];
}

function StackedRow({ row, index, heads, figures, figureAt: behind, chosen, onFigure }: StackedRowProps) {
  const { cells, look, isTied } = row;
  const isNamed = figures.length > IN_COLUMNS;
  const isHead = look === 'heads';
  const isNothing = (cell: PageCell | undefined) => cell === undefined || ('amount' in cell && cell.amount === null);
  const shown = figures.filter((column) => cells.length > 1 && !(isNamed && (isHead || isNothing(cells[column]))));
  const words = cells.flatMap((cell, column) => (figures.includes(column) ? [] : [{ column, text: wordsOf(cell) }]));
  return (
    <tr data-look={look} data-tied={isTied === true ? '' : undefined}>
      <th scope={isHead ? 'col' : cells.length === 1 ? 'rowgroup' : 'row'}>
        {words.map(({ column, text }) => text !== '' && <span key={column}>{text} </span>)}
      </th>
      {shown.map((column) => {
        const [cell, key] = [cells[column], `${row.key}/${column}`];
        if (isHead) {
          return (
            <th key={key} scope="col" data-right="">
              {wordsOf(cell)}
            </th>
          );
        }
        return (
          <td key={key} data-right="" data-on={chosen === key ? '' : undefined}>
            {isNamed && <span className="rp-name">{wordsOf(heads[column])} </span>}
            {cell !== undefined && (
              <Figure
                cell={cell}
                hasSign={look === 'summary' || isTied === true}
                behind={onFigure === undefined ? undefined : behind(index, column)}
                onFigure={onFigure}
              />
            )}
          </td>
        );
      })}
    </tr>
  );
}

const wordsOf = (cell: PageCell | undefined): string => (cell !== undefined && 'text' in cell ? cell.text : '');

/** px of a letter or digit, of what stands between columns, and letters at which words may wrap. */
const LETTER = 8;
const BETWEEN = 22;
const WRAPS_AT = 16;

/** px across that a report's columns need beside each other: amounts are never cut, words wrap where they are long. */
function leastWidth(rows: readonly PageRow[], columns: number): number {
  const letters = Array.from({ length: columns }, () => 0);
  for (const { cells, look } of rows) {
    // Titles and the words of totals run over the columns beside them.
    if (cells.length === 1) continue;
    cells.forEach((cell, column) => {
      if (column === 0 && look !== 'line') return;
      const need = 'text' in cell ? Math.min(cell.text.length, WRAPS_AT) : formatAmount(cell.amount ?? ZERO).length;
      letters[column] = Math.max(letters[column] ?? 0, need);
    });
  }
  return letters.reduce((all, most) => all + most * LETTER + BETWEEN, 0);
}

/** Columns of figures that upright paper has room for; those left over follow with the words again. */
const ON_PAPER = 6;

/** Columns of figures that a phone has room for. */
const AT_ONCE = 2;

/** Words first and nothing but figures after them. */
function isOfFigures(rows: readonly PageRow[], columns: number): boolean {
  return Array.from({ length: columns - 1 }, (_, index) => index + 1).every((column) =>
    rows.every(({ look, cells }) => look !== 'line' || cells[column] === undefined || isRight(cells[column])),
  );
}

interface ColumnStepperProps {
  from: number;
  last: number;
  onStart: (start: number) => void;
}

/** On a phone: which columns are shown, and the way to the others. */
function ColumnStepper({ from, last, onStart }: ColumnStepperProps) {
  return (
    <div className="rp-stepper" role="group" aria-label="Columns">
      <ActionIcon
        aria-label="Earlier columns"
        disabled={from <= 1}
        onClick={() => onStart(Math.max(1, from - AT_ONCE))}
      >
        <IconChevronLeft {...ICON_SMALL} />
      </ActionIcon>
      <span className="ek-num" role="status">
        Columns {from} and {from + 1} of {last + 1}
      </span>
      <ActionIcon
        aria-label="Later columns"
        disabled={from >= last}
        onClick={() => onStart(Math.min(last, from + AT_ONCE))}
      >
        <IconChevronRight {...ICON_SMALL} />
      </ActionIcon>
    </div>
  );
}

/** Whether a column holds amounts; words take what room they need. */
function isFigures(rows: readonly PageRow[], column: number): boolean {
  return rows.some(({ cells }) => {
    const cell = cells[column];
    return cell !== undefined && 'amount' in cell;
  });
}

/** Words that may wrap where others stay on their line. */
const isLong = (cell: PageCell | undefined): boolean => wordsOf(cell).length > WRAPS_AT;

const isRight = (cell: PageCell): boolean => 'amount' in cell || cell.isRight === true;

interface RowProps extends Pick<ReportViewerProps, 'chosen' | 'onFigure'> {
  row: PageRow;
  /** What is behind the row's figure in a column. */
  figureAt: (column: number) => ChosenFigure | undefined;
  columns: number;
  isShown: (column: number) => boolean;
  isStatement: boolean;
}

function Row({ row, figureAt: behind, columns, isShown, isStatement, chosen, onFigure }: RowProps) {
  const [first, ...rest] = row.cells;
  const label = first !== undefined && 'text' in first ? first.text : '';
  const isTitle = rest.length === 0;
  const isHead = row.look === 'heads';
  // The words of a total run over empty cells beside them.
  const isTotal = row.look !== 'line' && !isHead;
  const filled = rest.findIndex((cell) => !('text' in cell) || cell.text !== '');
  const empty = isTotal && filled > 0 ? filled : 0;
  // A title stays in view beside figures that scroll away, so it does not run over them.
  const isWideRow = isStatement && columns > WIDE;
  return (
    <tr data-look={row.look} data-depth={row.depth} data-tied={row.isTied === true ? '' : undefined}>
      <th
        scope={isHead ? 'col' : isTitle ? 'rowgroup' : 'row'}
        colSpan={isTitle && !isWideRow ? columns : 1 + empty}
        data-long={isLong(first) ? '' : undefined}
      >
        <Label text={label} hasNumber={row.look === 'line'} />
      </th>
      {rest.map((cell, index) => {
        if (index < empty || !isShown(index + 1)) return null;
        const key = `${row.key}/${index + 1}`;
        return isHead ? (
          <th key={key} scope="col" data-right={isRight(cell) ? '' : undefined}>
            {'text' in cell ? cell.text : null}
          </th>
        ) : (
          <td
            key={key}
            data-long={isLong(cell) ? '' : undefined}
            data-on={chosen === key ? '' : undefined}
            data-right={isRight(cell) ? '' : undefined}
          >
            <Figure
              cell={cell}
              hasSign={row.look === 'summary' || row.isTied === true}
              behind={onFigure === undefined ? undefined : behind(index + 1)}
              onFigure={onFigure}
            />
          </td>
        );
      })}
      {(!isTitle || isWideRow) && rest.length < columns - 1 && <td colSpan={columns - 1 - rest.length} />}
    </tr>
  );
}

/** An account's number can be left out where there is no room for it. */
function Label({ text, hasNumber }: { text: string; hasNumber: boolean }) {
  const { number, name } = splitLabel(text);
  if (!hasNumber || number === '') return text;
  return (
    <>
      <span className="rp-number ek-num">{number} </span>
      {name}
    </>
  );
}

interface FigureProps extends Pick<ReportViewerProps, 'onFigure'> {
  cell: PageCell;
  /** The currency sign stands on the totals of the whole report only. */
  hasSign: boolean;
  behind: ChosenFigure | undefined;
}

function Figure({ cell, hasSign, behind, onFigure }: FigureProps) {
  const figure = 'text' in cell ? <Words cell={cell} /> : <Amount value={cell.amount} zero="dash" sign={hasSign} />;
  if (behind === undefined || onFigure === undefined) return figure;
  return (
    <button
      type="button"
      className="rp-figure"
      title="Show the entries behind this number"
      onClick={() => onFigure(behind)}
    >
      {figure}
    </button>
  );
}

/** The closing parenthesis of a percentage hangs out of its column like that of an amount. */
function Words({ cell }: { cell: Extract<PageCell, { text: string }> }) {
  if (cell.isRight !== true || !cell.text.endsWith(')')) return cell.text;
  return (
    <>
      {cell.text.slice(0, -1)}
      <span className="ek-hang">)</span>
    </>
  );
}
