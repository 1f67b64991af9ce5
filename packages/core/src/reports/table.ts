import { type Cents, sum, toPlain } from '../money.ts';
import { grouped, moneyCell, reportHeader, section, textCell, together } from './report.ts';
import type { Report, ReportContext, ReportLine, ReportSource } from './report.ts';

/** A column of words, or one of amounts, which are added up; an amount of undefined leaves its cell empty. */
export type TableColumn<R> =
  { title: string; text: (row: R) => string } | { title: string; amount: (row: R) => Cents | undefined };

/** What a list report is: its head, its columns from left to right, and what is behind a row. */
export interface TableSpec<R> {
  title: string;
  columns: readonly TableColumn<R>[];
  /** A block for each title, in the order of their first rows; without, one block without a title. */
  groupBy?: (row: R) => string;
  source: (row: R) => ReportSource | undefined;
  /** What the whole comes to, from the sums of the amount columns; the last of them when nothing is said. */
  total?: (sums: readonly Cents[]) => Cents;
}

/** A report that is a list with totals below its columns (Specification part 2 §3 "Report data"). */
export function tableReport<R>(spec: TableSpec<R>, rows: readonly R[], context: ReportContext): Report {
  const { title, columns } = spec;
  const total = (of: readonly R[]): Cents => {
    const sums = columns.flatMap((column) => ('amount' in column ? [sumOf(column, of)] : []));
    return spec.total?.(sums) ?? sums.at(-1) ?? sum([]);
  };
  const isGrouped = spec.groupBy !== undefined;
  const groups = spec.groupBy === undefined ? [['', rows] as const] : [...grouped(rows, spec.groupBy)];
  const table = section({
    title,
    totalTitle: 'Total',
    total: total(rows),
    hasColumnHeaders: true,
    columnHeaders: columns.map((column) => ({ headerText: column.title, isCurrency: 'amount' in column })),
    displayHeader: false,
    hasColumnSummary: true,
    columnSummaryLines: [{ columnSummaryItems: columns.map((column, at) => totalCell(spec, rows, { column, at })) }],
    reportBlocks: groups.map(([blockTitle, own]) => ({
      blockTitle,
      displayHeader: isGrouped,
      displayFooter: isGrouped,
      total: total(own),
      reportLines: own.map((row) => lineOf(spec, row)),
    })),
  });
  return { title, reportHeaderItems: reportHeader(title, context), reportSections: [table], reportSummaries: [] };
}

function sumOf<R>({ amount }: { amount: (row: R) => Cents | undefined }, rows: readonly R[]): Cents {
  return sum(rows.flatMap((row) => amount(row) ?? []));
}

function lineOf<R>({ columns, source }: TableSpec<R>, row: R): ReportLine {
  const lineItems = columns.map((column) =>
    'amount' in column ? moneyCell(column.amount(row)) : textCell(column.text(row)),
  );
  return { lineItems, source: source(row) };
}

/** "Total" below the first column, the sum below one of amounts with what is behind the rows that it adds up. */
function totalCell<R>(spec: TableSpec<R>, rows: readonly R[], { column, at }: { column: TableColumn<R>; at: number }) {
  if (!('amount' in column)) return { headerText: at === 0 ? 'Total' : '', isCurrency: false, rightAlign: false };
  const own = rows.filter((row) => column.amount(row) !== undefined);
  const source = together(own.map((row) => spec.source(row)));
  return { headerText: toPlain(sumOf(column, own)), isCurrency: true, rightAlign: true, source };
}
