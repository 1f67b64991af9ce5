import { useMemo, useRef } from 'react';
import { PartTable } from '../../ui/table/PartTable.tsx';
import { FigureCell } from './FigureCell.tsx';
import { isFigures, type PageTableProps, wordsOfCell } from './pageColumns.ts';
import { type ChosenFigure, isLoss, type PageCell, type PageRow } from './reportRows.ts';
import { type RowWindowProps, useReportWindow } from './useReportWindow.ts';
import { EmptyRow, WindowRows } from './WindowRows.tsx';

/**
 * The maximum number of amounts that appear in columns below the text. If there are more, each amount has its own
 * label.
 */
const IN_COLUMNS = 3;

/** The height in px of a line with text and amounts before it is measured. */
const LINE = 58;

/**
 * A list whose columns don't fit next to each other. It shows the text of each row, with the row's amounts after or
 * below it.
 */
export function StackedTable({
  rows,
  columns,
  title,
  figureAt,
  isPrinting,
  ...row
}: PageTableProps & { columns: number }) {
  const table = useRef<HTMLTableElement>(null);
  const lines = useReportWindow({ rows, table, head: 0, height: LINE, chosen: row.chosen, isPrinting });
  const sections = useMemo(() => sectionsOf(rows, columns), [rows, columns]);
  const draw = (each: PageRow, index: number) => (
    <StackedRow
      {...row}
      row={each}
      place={lines.rowProps(index)}
      figureAt={(column) => figureAt(index, column)}
      heads={sections[index]?.heads ?? []}
      figures={sections[index]?.figures ?? []}
    />
  );
  return (
    <PartTable
      className="rp-table"
      ref={table}
      label={title}
      rowCount={lines.isVirtual ? rows.length : undefined}
      data-stacked=""
      onFocus={lines.onFocus}
    >
      <tbody>
        <WindowRows rows={rows} span={1} window={lines} draw={draw} />
        <EmptyRow rows={rows} columns={1} />
      </tbody>
    </PartTable>
  );
}

interface Section {
  heads: readonly PageCell[];
  /** The columns with amounts. */
  figures: readonly number[];
}

/**
 * Returns the headings above each row and the amount columns below them, because each section can have different
 * columns.
 */
function sectionsOf(rows: readonly PageRow[], columns: number): Section[] {
  const starts = rows.flatMap(({ look }, index) => (index === 0 || look === 'heads' ? [index] : []));
  const all = Array.from({ length: columns }, (_, column) => column);
  return starts.flatMap((start, at) => {
    const own = rows.slice(start, starts[at + 1]);
    const heads = own[0]?.look === 'heads' ? own[0].cells : [];
    const section = { heads, figures: all.filter((column) => isFigures(own, column)) };
    return own.map(() => section);
  });
}

interface StackedRowProps extends Pick<PageTableProps, 'chosen' | 'onFigure'> {
  row: PageRow;
  place: RowWindowProps;
  figureAt: (column: number) => ChosenFigure | undefined;
  heads: readonly PageCell[];
  /** The columns with amounts. */
  figures: readonly number[];
}

function StackedRow({ row, place, heads, figures, figureAt: behind, chosen, onFigure }: StackedRowProps) {
  const { cells, look, isTied } = row;
  const isNamed = figures.length > IN_COLUMNS;
  const isHead = look === 'heads';
  const isNothing = (cell: PageCell | undefined) => cell === undefined || ('amount' in cell && cell.amount === null);
  const shown = figures.filter((column) => cells.length > 1 && !(isNamed && (isHead || isNothing(cells[column]))));
  const words = cells.flatMap((cell, column) =>
    figures.includes(column) ? [] : [{ column, text: wordsOfCell(cell) }],
  );
  return (
    <tr {...place} data-look={look} data-tied={isTied === true ? '' : undefined}>
      <th scope={isHead ? 'col' : cells.length === 1 ? 'rowgroup' : 'row'}>
        {words.map(({ column, text }) => text !== '' && <span key={column}>{text} </span>)}
      </th>
      {shown.map((column) => {
        const [cell, key] = [cells[column], `${row.key}/${column}`];
        if (isHead) {
          return (
            <th key={key} scope="col" data-right="">
              {wordsOfCell(cell)}
            </th>
          );
        }
        return (
          <td
            key={key}
            data-right=""
            data-on={chosen === key ? '' : undefined}
            data-loss={isLoss(cell, heads[column]) ? '' : undefined}
          >
            {isNamed && <span className="rp-name">{wordsOfCell(heads[column])} </span>}
            {cell !== undefined && (
              <FigureCell
                cell={cell}
                hasSign={look === 'summary' || isTied === true}
                behind={onFigure === undefined ? undefined : behind(column)}
                onFigure={onFigure}
              />
            )}
          </td>
        );
      })}
    </tr>
  );
}
