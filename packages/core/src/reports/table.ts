import { type Cents, sum, toPlain, ZERO } from '../money.ts';
import type { Steps } from '../steps.ts';
import { grouped, moneyCell, reportHeader, section, textCell, together } from './report.ts';
import type { ColumnSummaryItem, ColumnSummaryLine, ReportBlock, ReportCell, ReportLine } from './report.ts';
import type { Report, ReportContext, ReportSection, ReportSource } from './report.ts';

/**
 * A column of text, or a column of amounts that are added up. If the amount is undefined, the cell is empty. A
 * `running` balance is not added up: the last balance is shown at the end of the block, and the report has no total for
 * it.
 */
export type TableColumn<R> = { title: string } & (
  | { text: (row: R) => string }
  | {
      amount: (row: R) => Cents | undefined;
      running?: true;
      /** Whether several rows share the amount, so that it must not be added up. */
      isShared?: boolean;
      /** The source of this column's amount, if it differs from the row's source. */
      source?: (row: R) => ReportSource | undefined;
    }
);

/** Rows that are not included in the total. The total of these rows is shown below it, so that no amount is missing. */
export interface Apart<R> {
  title: string;
  isOf: (row: R) => boolean;
  source: ReportSource;
}

/** A list report: its columns from left to right, and the source of each row. */
export interface TableSpec<R> {
  columns: readonly TableColumn<R>[];
  /**
   * Returns the title of the block that a row belongs to. Blocks are in the order of their first rows. If omitted,
   * there is one block without a title.
   */
  groupBy?: (row: R) => string;
  source: (row: R) => ReportSource | undefined;
  apart?: Apart<R> | undefined;
  /**
   * Returns the grand total, which is calculated from the totals of the amount columns. Defaults to the total of the
   * last column.
   */
  total?: (sums: readonly Cents[]) => Cents;
}

/** Returns a report that consists of a list with totals below the columns. Yields after each row. */
export function* tableReport<R>(spec: TableSpec<R>, rows: readonly R[], context: ReportContext): Steps<Report> {
  const { title } = context;
  const list = yield* tableSection(spec, rows, title);
  return { title, reportHeaderItems: reportHeader(context), reportSections: [list], reportSummaries: [] };
}

/** Returns only the list, for a report that has other sections. */
export function* tableSection<R>(spec: TableSpec<R>, rows: readonly R[], title: string): Steps<ReportSection> {
  const { columns, groupBy, apart } = spec;
  const counted = apart === undefined ? rows : rows.filter((row) => !apart.isOf(row));
  const groups = groupBy === undefined ? [['', counted] as const] : [...grouped(counted, groupBy)];
  const hasAmounts = columns.some((column) => 'amount' in column);
  const whole = new Totals(spec);
  const reportBlocks: ReportBlock[] = [];
  for (const [blockTitle, own] of groups) reportBlocks.push(yield* blockOf(spec, { blockTitle, own, whole }));
  return section({
    title,
    totalTitle: 'Total',
    total: whole.total(),
    hasColumnHeaders: true,
    columnHeaders: columns.map((column) => ({ headerText: column.title, isCurrency: 'amount' in column })),
    displayHeader: false,
    displayFooter: hasAmounts,
    hasColumnSummary: hasAmounts,
    columnSummaryLines: [
      ...(hasAmounts ? [{ columnSummaryItems: whole.cells('Total', { isBlock: false }) }] : []),
      ...(apart === undefined ? [] : apartLines(spec, apart, rows)),
    ],
    reportBlocks,
  });
}

function apartLines<R>(spec: TableSpec<R>, { title, isOf, source }: Apart<R>, rows: readonly R[]): ColumnSummaryLine[] {
  const others = rows.filter(isOf);
  if (others.length === 0) return [];
  const sums = new Totals(spec);
  for (const row of others) sums.add(amountsOf(spec, row), undefined);
  const items = sums.cells(title, { isBlock: false });
  return [{ columnSummaryItems: items.map((item) => (item.isCurrency ? { ...item, source } : item)) }];
}

/** Returns a block's rows and adds them to the report's totals. */
function* blockOf<R>(
  spec: TableSpec<R>,
  { blockTitle, own, whole }: { blockTitle: string; own: readonly R[]; whole: Totals<R> },
): Steps<ReportBlock> {
  const isGrouped = spec.groupBy !== undefined;
  // If a total is not in the second cell of its row, its column must be given.
  const hasColumns = spec.columns.length > 2;
  const block = new Totals(spec);
  const reportLines: ReportLine[] = [];
  for (const row of own) {
    const amounts = amountsOf(spec, row);
    const source = spec.source(row);
    block.add(amounts, source);
    whole.add(amounts, source);
    reportLines.push({ lineItems: cellsOf(spec, row, amounts), source });
    yield;
  }
  return {
    blockTitle,
    displayHeader: isGrouped,
    displayFooter: isGrouped,
    total: block.total(),
    ...(isGrouped && hasColumns ? { columnTotals: block.cells(`Total ${blockTitle}`, { isBlock: true }) } : {}),
    reportLines,
  };
}

type Amounts = readonly (Cents | undefined)[];

const amountsOf = <R>({ columns }: TableSpec<R>, row: R): Amounts =>
  columns.map((column) => ('amount' in column ? column.amount(row) : undefined));

function cellsOf<R>({ columns }: TableSpec<R>, row: R, amounts: Amounts): ReportCell[] {
  return columns.map((column, at) => {
    if (!('amount' in column)) return textCell(column.text(row));
    const cell = moneyCell(amounts[at]);
    return column.source === undefined ? cell : { ...cell, source: column.source(row) };
  });
}

/** Column totals, which are updated as rows are added. */
class Totals<R> {
  readonly #spec: TableSpec<R>;
  readonly #columns: ColumnTotal[];

  constructor(spec: TableSpec<R>) {
    this.#spec = spec;
    this.#columns = spec.columns.map(() => ({ amounts: [], sources: [] }));
  }

  add(amounts: Amounts, source: ReportSource | undefined): void {
    for (const [at, column] of this.#columns.entries()) {
      const amount = amounts[at];
      if (amount === undefined) continue;
      column.amounts.push(amount);
      column.sources.push(source);
    }
  }

  total(): Cents {
    const sums = this.#spec.columns.flatMap((column, at) => {
      if (!('amount' in column)) return [];
      return isSum(column) ? sum(this.#columns[at]?.amounts ?? []) : ZERO;
    });
    return this.#spec.total?.(sums) ?? sums.at(-1) ?? ZERO;
  }

  /** Returns the text for the first column and the totals for the others. */
  cells(words: string, { isBlock }: { isBlock: boolean }): ColumnSummaryItem[] {
    return this.#spec.columns.map((column, at) => {
      const total = this.#columns[at];
      if (!('amount' in column) || total === undefined) {
        return { headerText: at === 0 ? words : '', isCurrency: false, rightAlign: false };
      }
      const { amounts, sources } = total;
      const amount = (headerText: string) => ({ headerText, isCurrency: true, rightAlign: true });
      if (isSum(column)) return { ...amount(toPlain(sum(amounts))), source: together(sources) };
      const last = column.running === true && isBlock ? amounts.at(-1) : undefined;
      return amount(last === undefined ? '' : toPlain(last));
    });
  }
}

/** The total of an amount column and the sources of its amounts. */
interface ColumnTotal {
  amounts: Cents[];
  sources: (ReportSource | undefined)[];
}

/** A running balance and shared amounts are not added up. */
const isSum = ({ running, isShared }: { running?: true; isShared?: boolean }): boolean =>
  running !== true && isShared !== true;
