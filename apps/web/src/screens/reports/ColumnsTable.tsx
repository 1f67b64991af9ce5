import { useMemo, useRef } from 'react';
import { PartTable } from '../../ui/table/PartTable.tsx';
import { FigureCell } from './FigureCell.tsx';
import {
  type DenseColumns,
  isFigures,
  isLong,
  isRight,
  type PageTableProps,
  widestCells,
  WIDE,
  wordsOfCell,
} from './pageColumns.ts';
import { type ChosenFigure, isLoss, type PageCell, type PageRow, splitLabel } from './reportRows.ts';
import { type RowWindowProps, useReportWindow } from './useReportWindow.ts';
import { EmptyRow, WindowRows } from './WindowRows.tsx';

export interface ColumnsTableProps extends PageTableProps {
  /** The visible columns after the first column. */
  shown: readonly number[];
  isStatement: boolean;
  dense: DenseColumns | undefined;
}

/** The height of a line in px. */
const LINE = 24;

/** A report, or some of its columns, as a table. */
export function ColumnsTable(props: ColumnsTableProps) {
  const { rows, shown, figureAt, title, isStatement, dense, chosen, onFigure, isPrinting } = props;
  const table = useRef<HTMLTableElement>(null);
  // Browsers print the table header on every page, which is correct only if it applies to all rows.
  const head = hasOneHead(rows) ? 1 : 0;
  const lines = useReportWindow({ rows, table, head, height: LINE, chosen, isPrinting });
  const columns = shown.length + 1;
  const heads = head > 0 ? rows[0]?.cells : undefined;
  const figures = useMemo(() => shown.map((column) => isFigures(rows, column)), [rows, shown]);
  const draw = (row: PageRow, index: number) => (
    <Row
      row={row}
      heads={heads}
      place={lines.rowProps(index)}
      figureAt={(column) => figureAt(index, column)}
      columns={columns}
      isShown={(column) => shown.includes(column)}
      isStatement={isStatement}
      isDense={dense !== undefined}
      isWhole={dense?.isWhole === true}
      chosen={chosen}
      onFigure={onFigure}
    />
  );
  const [first] = rows;
  return (
    <PartTable
      className="rp-table"
      ref={table}
      label={title}
      rowCount={lines.isVirtual ? rows.length : undefined}
      data-statement={isStatement ? '' : undefined}
      onFocus={lines.onFocus}
    >
      <colgroup>
        <col style={{ width: dense?.widths[0] }} />
        {shown.map((column, at) => (
          <col
            key={column}
            className={dense === undefined && figures[at] === true ? 'rp-figures' : undefined}
            style={{ width: dense?.widths[column] }}
          />
        ))}
      </colgroup>
      {head > 0 && first !== undefined && <thead>{draw(first, 0)}</thead>}
      <tbody>
        {lines.isVirtual && <Ruler rows={rows} shown={shown} />}
        <WindowRows rows={rows} span={columns} window={lines} draw={draw} />
        <EmptyRow rows={rows} columns={columns} />
      </tbody>
    </PartTable>
  );
}

const hasOneHead = (rows: readonly PageRow[]): boolean =>
  rows[0]?.look === 'heads' && rows.findLast(({ look }) => look === 'heads') === rows[0];

/**
 * A row without height that contains the widest cell of each column, so that rendering other rows doesn't change the
 * widths.
 */
function Ruler({ rows, shown }: Pick<ColumnsTableProps, 'rows' | 'shown'>) {
  const widest = useMemo(() => widestCells(rows, Math.max(...shown) + 1), [rows, shown]);
  const deepest = useMemo(() => rows.reduce((most, { depth = 0 }) => Math.max(most, depth), 0), [rows]);
  return (
    <tr className="rp-ruler" aria-hidden="true" data-depth={deepest}>
      <th data-long={isLong(widest[0]) ? '' : undefined}>
        <Label text={wordsOfCell(widest[0])} hasNumber />
      </th>
      {shown.map((column) => {
        const cell = widest[column];
        return (
          <td
            key={column}
            data-long={isLong(cell) ? '' : undefined}
            data-right={cell !== undefined && isRight(cell) ? '' : undefined}
          >
            {cell !== undefined && <FigureCell cell={cell} hasSign={false} behind={undefined} onFigure={undefined} />}
          </td>
        );
      })}
    </tr>
  );
}

interface RowProps extends Pick<PageTableProps, 'chosen' | 'onFigure'> {
  row: PageRow;
  /** The headings, if they apply to all rows. */
  heads: readonly PageCell[] | undefined;
  place: RowWindowProps;
  /** Returns the source of the row's amount in a column. */
  figureAt: (column: number) => ChosenFigure | undefined;
  columns: number;
  isShown: (column: number) => boolean;
  isStatement: boolean;
  isDense: boolean;
  isWhole: boolean;
}

function Row({
  row,
  heads,
  place,
  figureAt: behind,
  columns,
  isShown,
  isStatement,
  isDense,
  isWhole,
  chosen,
  onFigure,
}: RowProps) {
  const [first, ...rest] = row.cells;
  const label = first !== undefined && 'text' in first ? first.text : '';
  const isTitle = rest.length === 0;
  const isHead = row.look === 'heads';
  // The label of a total extends over the empty cells next to it.
  const isTotal = row.look !== 'line' && !isHead;
  const filled = rest.findIndex((cell) => !('text' in cell) || cell.text !== '');
  const empty = isTotal && filled > 0 ? filled : 0;
  // A sticky title must not extend over the columns that scroll out of view.
  const isWideRow = isStatement && columns > WIDE;
  return (
    <tr {...place} data-look={row.look} data-depth={row.depth} data-tied={row.isTied === true ? '' : undefined}>
      <th
        scope={isHead ? 'col' : isTitle ? 'rowgroup' : 'row'}
        colSpan={isTitle && !isWideRow ? columns : 1 + empty}
        data-long={isLong(first) ? '' : undefined}
        title={isLong(first) ? label : undefined}
      >
        <Label text={label} hasNumber={row.look === 'line'} />
      </th>
      {rest.map((cell, index) => {
        if (index < empty || !isShown(index + 1)) return null;
        const key = `${row.key}/${index + 1}`;
        return isHead ? (
          <th key={key} scope="col" data-right={isRight(cell) ? '' : undefined}>
            {'text' in cell ? (isDense ? shortMonth(cell.text) : cell.text) : null}
          </th>
        ) : (
          <td
            key={key}
            data-long={isLong(cell) ? '' : undefined}
            data-on={chosen === key ? '' : undefined}
            data-loss={isLoss(cell, heads?.[index + 1]) ? '' : undefined}
            data-right={isRight(cell) ? '' : undefined}
          >
            <FigureCell
              cell={cell}
              hasSign={row.look === 'summary' || row.isTied === true}
              isWhole={isWhole}
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

/** Shortens a month, for example `Nov 2025` to `Nov 25`, to fit its column. */
const shortMonth = (text: string): string => text.replace(/^([A-Z][a-z]{2}) \d{2}(\d{2})$/, '$1 $2');

/** A row label. Narrow screens can omit the account number. */
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
