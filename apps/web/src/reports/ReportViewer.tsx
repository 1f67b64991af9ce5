import type { ReportData } from '@evenkeel/contract/reports';
import { columnCount, pageRows } from '@evenkeel/core/reports/page';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Amount } from '../ui/show/Amount.tsx';
import { EmptyState } from '../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { linesAbove, type PageCell, type PageRow, type Source, sourceOf, splitLabel, totalOf } from './reportRows.ts';

/** A figure that was chosen, and the words of its row. */
export interface ChosenFigure {
  key: string;
  label: string;
  amount: PageCell;
  source: Source;
  /** A total: behind it are lines of the report, and behind them the entries. */
  isTotal: boolean;
  /** Its column on the page. */
  column: number;
  /** Of a total that is the sum of the lines above it: these, with its column alone. */
  lines?: readonly PageRow[] | undefined;
}

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
      <PageTable {...props} report={report} />
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

function PageTable({ report, chosen, onFigure }: ReportViewerProps & { report: ReportData }) {
  const rows = useMemo(() => pageRows(report), [report]);
  const columns = columnCount(rows);
  const isEmpty = !rows.some((row) => row.look === 'line');
  return (
    <table className="rp-table" aria-label={report.title}>
      <colgroup>
        <col />
        {Array.from({ length: columns - 1 }, (_, index) => (
          <col key={index} className={isFigures(rows, index + 1) ? 'rp-figures' : undefined} />
        ))}
      </colgroup>
      <tbody>
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            linesAbove={(column) => linesAbove(rows, index, column)}
            columns={columns}
            chosen={chosen}
            onFigure={onFigure}
          />
        ))}
        {isEmpty && (
          <tr data-look="note">
            <td colSpan={columns}>Nothing is posted for these dates.</td>
          </tr>
        )}
      </tbody>
    </table>
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
const LONG = 36;
const isLong = (cell: PageCell): boolean => 'text' in cell && cell.text.length > LONG;

const isRight = (cell: PageCell): boolean => 'amount' in cell || cell.isRight === true;

interface RowProps extends Pick<ReportViewerProps, 'chosen' | 'onFigure'> {
  row: PageRow;
  /** The lines that a total of a column stands below. */
  linesAbove: (column: number) => readonly PageRow[];
  columns: number;
}

function Row({ row, linesAbove: above, columns, chosen, onFigure }: RowProps) {
  const [first, ...rest] = row.cells;
  const label = first !== undefined && 'text' in first ? first.text : '';
  const isTitle = rest.length === 0;
  const isHead = row.look === 'heads';
  // The words of a total run over empty cells beside them.
  const isTotal = row.look !== 'line' && !isHead;
  const filled = rest.findIndex((cell) => !('text' in cell) || cell.text !== '');
  const empty = isTotal && filled > 0 ? filled : 0;
  return (
    <tr data-look={row.look} data-depth={row.depth} data-tied={row.isTied === true ? '' : undefined}>
      <th scope={isHead ? 'col' : isTitle ? 'rowgroup' : 'row'} colSpan={isTitle ? columns : 1 + empty}>
        <Label text={label} hasNumber={row.look === 'line'} />
      </th>
      {rest.map((cell, index) => {
        if (index < empty) return null;
        const key = `${row.key}/${index}`;
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
              label={label}
              figureKey={key}
              hasSign={row.look === 'summary' || row.isTied === true}
              lines={row.look === 'line' ? undefined : () => above(index + 1)}
              column={index + 1}
              onFigure={onFigure}
            />
          </td>
        );
      })}
      {!isTitle && rest.length < columns - 1 && <td colSpan={columns - 1 - rest.length} />}
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
  label: string;
  figureKey: string;
  /** The currency sign stands on the totals of the whole report only. */
  hasSign: boolean;
  /** Of a total. */
  lines: (() => readonly PageRow[]) | undefined;
  column: number;
}

function Figure({ cell, label, figureKey, hasSign, lines, column, onFigure }: FigureProps) {
  if ('text' in cell) return cell.text;
  const figure = <Amount value={cell.amount} zero="dash" sign={hasSign} />;
  const { amount } = cell;
  const above = amount === null ? [] : (lines?.() ?? []);
  const added = totalOf(above) === amount ? above : undefined;
  const source = cell.source ?? sourceOf(added ?? []);
  if (source === undefined || amount === null || onFigure === undefined) return figure;
  const isTotal = lines !== undefined;
  return (
    <button
      type="button"
      className="rp-figure"
      title="Show the entries behind this number"
      onClick={() => onFigure({ key: figureKey, label, amount: cell, source, isTotal, column, lines: added })}
    >
      {figure}
    </button>
  );
}
