import type { IsoDate } from '../dates.ts';
import { formatLongDate } from '../dates.ts';
import type { ReportBasis } from '../books/ledger.ts';
import { toPlain, ZERO } from '../money.ts';
import type { Cents } from '../money.ts';
import type { AgeBy } from './kinds.ts';

/** The source of a figure, so that a click can open the entries. Dates are inclusive. */
export interface ReportSource {
  accountIds: number[];
  /** Null begins with the books. */
  from: IsoDate | null;
  to: IsoDate;
  /** 0 accrual, 1 cash. */
  basis: number;
  /** Null is all of them. */
  profitCenterId: number | null;
  locationId: number | null;
  /** The lines of one customer or vendor alone. */
  entityId?: number | undefined;
  /** Retained earnings only: besides the account's lines, all income and expense lines before this date. */
  earningsBefore?: IsoDate | undefined;
  /** One transaction alone. */
  transactionId?: number | undefined;
  /** Lines of documents that buy or sell an asset in the range alone, or without these. */
  ofAssets?: 'only' | 'without' | undefined;
  /** Lines of journal entries alone, or without these. */
  journals?: 'only' | 'without' | undefined;
  /** Lines of another report, for a figure that no account holds by itself. */
  detail?: Detail | undefined;
}

/** The lines of a report about one of its subjects alone. */
export interface Detail {
  reportId: number;
  only: Subject;
  /** The columns that are added up; all of them when nothing is said. */
  columns?: readonly string[] | undefined;
  /** The date from which its amounts age; the due date when nothing is said. */
  ageBy?: AgeBy | undefined;
}

export const SUBJECTS = ['customer', 'vendor', 'product', 'category', 'month', 'tax', 'discounts', 'other'] as const;

/**
 * Whom or what a list is of; a month as 202603. Among products and categories discounts are one of their own, and so is
 * what names none (0). For sales, `other` stands for amounts invoiced on accounts that are no income.
 */
export interface Subject {
  by: (typeof SUBJECTS)[number];
  id: number;
}

export interface ReportCell {
  /** Text of the cell; for currency a plain decimal such as "-1234.50", or "" for no amount. */
  itemText: string;
  isCurrency: boolean;
  /** Words that stand among figures, such as a percentage. */
  rightAlign?: boolean | undefined;
  source?: ReportSource | undefined;
}

export interface ReportLine {
  lineItems: ReportCell[];
  source?: ReportSource | undefined;
}

export interface ReportBlock {
  blockTitle: string;
  displayHeader: boolean;
  displayFooter: boolean;
  total: Cents;
  /** The block's total where it has several columns, with its words. */
  columnTotals?: ColumnSummaryItem[] | undefined;
  reportLines: ReportLine[];
  source?: ReportSource | undefined;
}

/** The way a column's figures are made from other columns, counted from the words, which are 0. */
export interface MadeOf {
  /** One column less another; one in percent of another; one in percent of a single amount. */
  as: 'difference' | 'percent' | 'share';
  of: number;
  /** The other column. */
  by?: number | undefined;
  /** The amount that a share is taken of. */
  whole?: Cents | undefined;
}

export interface ReportColumn {
  headerText: string;
  isCurrency: boolean;
  made?: MadeOf | undefined;
}

export interface ColumnSummaryItem {
  headerText: string;
  isCurrency: boolean;
  rightAlign: boolean;
  source?: ReportSource | undefined;
}

export interface ColumnSummaryLine {
  columnSummaryItems: ColumnSummaryItem[];
}

/** A section whose total another total adds, or takes away. */
export interface AddedSection {
  title: string;
  sign: 1 | -1;
}

export interface ReportSection {
  title: string;
  totalTitle: string;
  total: Cents;
  /** The sections that a total between sections adds up: for workbooks, not on the wire. */
  adds?: readonly AddedSection[] | undefined;
  hasColumnHeaders: boolean;
  columnHeaders: ReportColumn[];
  displayHeader: boolean;
  displayFooter: boolean;
  hasColumnSummary: boolean;
  columnSummaryLines: ColumnSummaryLine[];
  reportBlocks: ReportBlock[];
  /** Behind the section's total. */
  source?: ReportSource | undefined;
}

export interface ReportSummary {
  description: string;
  amount: Cents;
  /** Totals by column, for a report with several columns. */
  columnTotals?: ColumnSummaryItem[] | undefined;
  /** As of a section. */
  adds?: readonly AddedSection[] | undefined;
  source?: ReportSource | undefined;
}

/** Every report is this one shape, in the books, on the wire and on paper; totals are cents. */
export interface Report {
  title: string;
  reportHeaderItems: { headerText: string }[];
  reportSections: ReportSection[];
  reportSummaries: ReportSummary[];
}

/** A dimension filter with the name it is shown by. */
export interface DimensionFilter {
  id: number;
  name: string;
}

/** The context in which a report runs: its name and the facts of its head. */
export interface ReportContext {
  /** The title of its kind (kinds.ts). */
  title: string;
  companyName: string;
  basis: ReportBasis;
  /** The last day that counts. */
  asOf: IsoDate;
  /** First day of the range; reports as of a date have none. */
  from?: IsoDate | undefined;
  /** First day of the fiscal year that `asOf` lies in (see fiscalYearStart in dates). */
  fiscalYearStart: IsoDate;
  retainedEarningsAccountId: number;
  profitCenter?: DimensionFilter | undefined;
  location?: DimensionFilter | undefined;
  /** The date from which open amounts age; the due date when nothing is said. */
  ageBy?: AgeBy | undefined;
}

/** Whether only the lines of a profit center or location count, which need not balance. */
export function isFiltered({ profitCenter, location }: ReportContext): boolean {
  return profitCenter !== undefined || location !== undefined;
}

/** The days of a report, in words. */
export function daysOf({ from, asOf }: Pick<ReportContext, 'from' | 'asOf'>): string {
  const to = formatLongDate(asOf);
  return from === undefined ? `As of ${to}` : `${formatLongDate(from)} – ${to}`;
}

/** Company, title, dates, basis, filters and an age that is not from the due date: the head of every report. */
export function reportHeader(context: ReportContext): Report['reportHeaderItems'] {
  const { title, companyName, basis, profitCenter, location, ageBy } = context;
  const lines = [companyName, title, daysOf(context), basis === 'accrual' ? 'Accrual basis' : 'Cash basis'];
  if (profitCenter !== undefined) lines.push(`Profit center: ${profitCenter.name}`);
  if (location !== undefined) lines.push(`Location: ${location.name}`);
  if (ageBy === 'invoicedate') lines.push('Aged by invoice date');
  return lines.map((headerText) => ({ headerText }));
}

/** The source of a figure under this report's basis and filters. */
export function sourceOf(
  context: ReportContext,
  { accountIds, from = null, to }: { accountIds: number[]; from?: IsoDate | null | undefined; to: IsoDate },
): ReportSource {
  const { basis, profitCenter, location } = context;
  return {
    accountIds,
    from,
    to,
    basis: basis === 'cash' ? 1 : 0,
    profitCenterId: profitCenter?.id ?? null,
    locationId: location?.id ?? null,
  };
}

/**
 * The source of a total: the accounts of the figures that it adds up. `from` stands only where all of them share it; a
 * viewer shows the lines that a total is made of, each with its own source. Nothing where these are transactions.
 */
export function together(sources: readonly (ReportSource | undefined)[]): ReportSource | undefined {
  // Asked first: most of the long lists are of transactions.
  if (sources.some((source) => source?.transactionId !== undefined)) return undefined;
  const known = sources.filter((source) => source !== undefined);
  const [first] = known;
  if (first === undefined) return undefined;
  const { basis, to, profitCenterId, locationId } = first;
  const accountIds = [...new Set(known.flatMap((source) => source.accountIds))];
  const from = known.every((source) => source.from === first.from) ? first.from : null;
  return { accountIds, from, to, basis, profitCenterId, locationId };
}

/** A cell of plain text. */
export function textCell(itemText: string): ReportCell {
  return { itemText, isCurrency: false };
}

/** A currency cell; undefined leaves it empty. */
export function moneyCell(amount: Cents | undefined): ReportCell {
  return { itemText: amount === undefined ? '' : toPlain(amount), isCurrency: true };
}

/** A section with its defaults; a section without blocks and header is a total line such as Gross Profit. */
export function section(given: Partial<ReportSection> & { title: string }): ReportSection {
  const lines = (given.reportBlocks ?? []).flatMap((block) => block.reportLines);
  return {
    source: together(lines.map((line) => line.source)),
    totalTitle: `Total ${given.title}`,
    total: ZERO,
    hasColumnHeaders: false,
    columnHeaders: [],
    displayHeader: true,
    displayFooter: true,
    hasColumnSummary: false,
    columnSummaryLines: [],
    reportBlocks: [],
    ...given,
  };
}

/** Rows by their key, in the order of each key's first row. */
export function grouped<R, K>(rows: readonly R[], keyOf: (row: R) => K): Map<K, R[]> {
  const groups = new Map<K, R[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
