import { columnCount, pageRows } from '@evenkeel/core/reports/page';
import type { ReportData } from '@evenkeel/contract/reports';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useNarrow } from '../../ui/hooks/media.ts';
import { usePrinting } from '../../ui/hooks/printing.ts';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { ColumnsTable } from './ColumnsTable.tsx';
import { type DenseColumns, isOfFigures, leastWidth, type PageTableProps } from './pageColumns.ts';
import { figureAt, type PageRow } from './reportRows.ts';
import { StackedTable } from './StackedTable.tsx';

/**
 * The number of amount columns that fit on a portrait page. The remaining columns are printed below, with the labels
 * repeated.
 */
const ON_PAPER = 6;

/** The number of amount columns that fit on a phone. */
const AT_ONCE = 2;

interface ReportTableProps extends Pick<PageTableProps, 'chosen' | 'onFigure'> {
  report: ReportData;
  /** The width of the page in px, or 0 if unknown. */
  room: number;
  /** The columns of a statement with many amounts. */
  dense: DenseColumns | undefined;
}

/**
 * A report's rows in columns, with two amount columns at a time on a phone. If the columns of a list don't fit, the
 * rows are stacked lines.
 */
export function PageTable({ report, chosen, onFigure, room, dense }: ReportTableProps) {
  const rows = useMemo(() => pageRows(report), [report]);
  const columns = useMemo(() => columnCount(rows), [rows]);
  const narrow = useNarrow();
  const isPrinting = usePrinting();
  const isStatement = useMemo(() => isOfFigures(rows, columns), [rows, columns]);
  const least = useMemo(() => leastWidth(rows, columns), [rows, columns]);
  const hasChange = useMemo(() => hasMadeColumns(rows), [rows]);
  const last = columns - AT_ONCE;
  const [start, setStart] = useState<number>();
  // A table with many columns is initially scrolled to its last columns, which are the latest period and the total. A
  // comparison starts at its first two columns.
  const from = Math.min(start ?? (hasChange ? 1 : last), last);
  const isPart = narrow && isStatement && last > 1 && !isPrinting;
  const all = Array.from({ length: columns - 1 }, (_, index) => index + 1);
  const parts = isPart ? [[from, from + 1]] : isPrinting && isStatement ? onPaper(all) : [all];
  const figure = (index: number, column: number) => figureAt(rows, index, column);
  // A list needs to show all its columns together. If they don't fit, its text appears above its amounts.
  const isStacked = !isStatement && !isPrinting && room > 0 && room < least;
  const common = { rows, figureAt: figure, title: report.title, chosen, onFigure, isPrinting };
  // Keeps the selected row visible when the entries panel narrows the table, and after a reload, which starts at the
  // top.
  useEffect(() => {
    if (chosen === undefined) return;
    document.querySelector('.rp-table [data-on]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  return (
    <>
      {isPart && <ColumnStepper from={from} last={last} onStart={setStart} />}
      {isStacked ? (
        <StackedTable {...common} columns={columns} />
      ) : (
        parts.map((shown) => (
          <ColumnsTable key={shown[0]} {...common} shown={shown} isStatement={isStatement} dense={dense} />
        ))
      )}
    </>
  );
}

/** Returns whether the table has calculated columns, such as a difference. */
const hasMadeColumns = (rows: readonly PageRow[]): boolean =>
  rows.some(({ cells }) => cells.some((cell) => 'text' in cell && cell.made !== undefined));

function onPaper(columns: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(columns.length / ON_PAPER) }, (_, at) =>
    columns.slice(at * ON_PAPER, (at + 1) * ON_PAPER),
  );
}

interface ColumnStepperProps {
  from: number;
  last: number;
  onStart: (start: number) => void;
}

/** On a phone, shows which columns are visible and buttons for the other columns. */
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
