import { type Cents, sum, toPlain, ZERO } from '../money.ts';
import { grouped, moneyCell, reportHeader, section, textCell, together } from './report.ts';
import type { Report, ReportContext, ReportLine, ReportSection, ReportSource } from './report.ts';

/**
 * A column of words, or one of amounts, which are added up; an amount of undefined leaves its cell empty. A `running`
 * balance is not: a block ends with its last one, and the report with none.
 */
export type TableColumn<R> = { title: string } & (
  | { text: (row: R) => string }
  | {
      amount: (row: R) => Cents | undefined;
      running?: true;
      /** Rows have it in common, so that it is not added up. */
      isShared?: boolean;
      /** What is behind this column's figure, where it is not what is behind the row. */
      source?: (row: R) => ReportSource | undefined;
    }
);

/** What a list report is: its columns from left to right, and what is behind a row. */
export interface TableSpec<R> {
  columns: readonly TableColumn<R>[];
  /** A block for each title, in the order of their first rows; without, one block without a title. */
  groupBy?: (row: R) => string;
  source: (row: R) => ReportSource | undefined;
  /** What the whole comes to, from the sums of the amount columns; the last of them when nothing is said. */
  total?: (sums: readonly Cents[]) => Cents;
}

/** A report that is a list with totals below its columns (Specification part 2 §3 "Report data"). */
export function tableReport<R>(spec: TableSpec<R>, rows: readonly R[], context: ReportContext): Report {
  const { title } = context;
  const section = tableSection(spec, rows, title);
  return { title, reportHeaderItems: reportHeader(context), reportSections: [section], reportSummaries: [] };
}

/** The list alone, for a report that has something besides. */
export function tableSection<R>(spec: TableSpec<R>, rows: readonly R[], title: string): ReportSection {
  const { columns } = spec;
  const total = (of: readonly R[]): Cents => {
    const sums = columns.flatMap((column) => ('amount' in column ? [sumOf(column, of) ?? ZERO] : []));
    return spec.total?.(sums) ?? sums.at(-1) ?? ZERO;
  };
  const isGrouped = spec.groupBy !== undefined;
  // A total that is not the second cell of its row has to say where it stands.
  const hasColumns = columns.length > 2;
  const groups = spec.groupBy === undefined ? [['', rows] as const] : [...grouped(rows, spec.groupBy)];
  const totals = (words: string, of: readonly R[], isBlock: boolean) =>
    columns.map((column, at) => totalCell(spec, of, { column, words: at === 0 ? words : '', isBlock }));
  return section({
    title,
    totalTitle: 'Total',
    total: total(rows),
    hasColumnHeaders: true,
    columnHeaders: columns.map((column) => ({ headerText: column.title, isCurrency: 'amount' in column })),
    displayHeader: false,
    hasColumnSummary: true,
    columnSummaryLines: [{ columnSummaryItems: totals('Total', rows, false) }],
    reportBlocks: groups.map(([blockTitle, own]) => ({
      blockTitle,
      displayHeader: isGrouped,
      displayFooter: isGrouped,
      total: total(own),
      ...(isGrouped && hasColumns ? { columnTotals: totals(`Total ${blockTitle}`, own, true) } : {}),
      reportLines: own.map((row) => lineOf(spec, row)),
    })),
  });
}

type AmountColumn<R> = Extract<TableColumn<R>, { amount: unknown }>;

/** Undefined for a running balance and for what rows have in common, which are no sums. */
function sumOf<R>({ amount, running, isShared }: AmountColumn<R>, rows: readonly R[]): Cents | undefined {
  return running === true || isShared === true ? undefined : sum(rows.flatMap((row) => amount(row) ?? []));
}

function lineOf<R>({ columns, source }: TableSpec<R>, row: R): ReportLine {
  const lineItems = columns.map((column) =>
    'amount' in column
      ? { ...moneyCell(column.amount(row)), ...(column.source && { source: column.source(row) }) }
      : textCell(column.text(row)),
  );
  return { lineItems, source: source(row) };
}

interface Totalled<R> {
  column: TableColumn<R>;
  words: string;
  isBlock: boolean;
}

/** Words below the first column, the sum below one of amounts with what is behind the rows that it adds up. */
function totalCell<R>(spec: TableSpec<R>, rows: readonly R[], { column, words, isBlock }: Totalled<R>) {
  if (!('amount' in column)) return { headerText: words, isCurrency: false, rightAlign: false };
  const own = rows.filter((row) => column.amount(row) !== undefined);
  if (column.running === true) {
    const last = isBlock ? own.map(column.amount).at(-1) : undefined;
    return { headerText: last === undefined ? '' : toPlain(last), isCurrency: true, rightAlign: true };
  }
  if (column.isShared === true) return { headerText: '', isCurrency: true, rightAlign: true };
  // Transactions have nothing behind their total: where the first lines are some, thousands of others are not asked.
  const isOfEntries = own.some((row) => spec.source(row)?.transactionId !== undefined);
  const source = isOfEntries ? undefined : together(own.map((row) => spec.source(row)));
  return { headerText: toPlain(sumOf(column, own) ?? ZERO), isCurrency: true, rightAlign: true, source };
}
