import type { IsoDate } from '../dates.ts';
import { formatLongDate } from '../dates.ts';
import type { ReportBasis } from '../books/ledger.ts';
import { toPlain, ZERO } from '../money.ts';
import type { Cents } from '../money.ts';
import type { AgeBy } from './kinds.ts';

/** The source of an amount, so that clicking the amount can open its entries. Dates are inclusive. */
export interface ReportSource {
  accountIds: number[];
  /** The first posting date. Null means the first entry. */
  from: IsoDate | null;
  to: IsoDate;
  /** The basis: 0 for accrual, 1 for cash. */
  basis: number;
  /** The profit center. Null means all profit centers. */
  profitCenterId: number | null;
  locationId: number | null;
  /** Limits the source to the lines of one customer or vendor. */
  entityId?: number | undefined;
  /** For retained earnings only: also includes all income and expense lines before this date. */
  earningsBefore?: IsoDate | undefined;
  /** Limits the source to one transaction. */
  transactionId?: number | undefined;
  /** Limits the source to documents that buy or sell an asset in the date range, or excludes these documents. */
  ofAssets?: 'only' | 'without' | undefined;
  /** Limits the source to journal entries, or excludes them. */
  journals?: 'only' | 'without' | undefined;
  /** The last transaction that had been posted by the report's `knownat` time. Later transactions are excluded. */
  through?: number | undefined;
  /** The last transaction before a change. Limits the source to later transactions, which make up the change. */
  since?: number | undefined;
  /** The lines in another report, for an amount that does not belong to a single account. */
  detail?: Detail | undefined;
}

/** The lines of a report that are about one subject, such as a customer. */
export interface Detail {
  reportId: number;
  only: Subject;
  /** The columns to add up. Defaults to all columns. */
  columns?: readonly string[] | undefined;
  /** The date from which the amounts are aged. Defaults to the due date. */
  ageBy?: AgeBy | undefined;
  /** The time after which entries are excluded, as given to the report. */
  knownAt?: string | undefined;
}

export const SUBJECTS = ['customer', 'vendor', 'product', 'category', 'month', 'tax', 'discounts', 'other'] as const;

/**
 * The subject of a list. A month has the form 202603. Among products and categories, discounts are a separate subject,
 * and so are lines without a product or category (0). In sales reports, `other` means amounts invoiced to accounts
 * other than income accounts.
 */
export interface Subject {
  by: (typeof SUBJECTS)[number];
  id: number;
}

export interface ReportCell {
  /** The cell's text. For currency, a plain decimal such as "-1234.50", or "" for no amount. */
  itemText: string;
  isCurrency: boolean;
  /** Whether the text is aligned with amounts, for example a percentage. */
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
  /** The block's total with its label, if the block has several columns. */
  columnTotals?: ColumnSummaryItem[] | undefined;
  reportLines: ReportLine[];
  source?: ReportSource | undefined;
}

/** The calculation of a column from other columns. Columns are counted from the text column, which is 0. */
export interface MadeOf {
  /**
   * The difference between two columns, one column as a percentage of another, one column as a percentage of a fixed
   * amount, or the effect on net income of the difference between an actual amount and a budget.
   */
  as: 'difference' | 'percent' | 'share' | 'effect';
  of: number;
  /** The column that is subtracted, or the column that the percentage is based on. */
  by?: number | undefined;
  /** The fixed amount that a percentage is based on. */
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

/** A section whose total is added to or subtracted from another total. */
export interface AddedSection {
  title: string;
  sign: 1 | -1;
}

export interface ReportSection {
  title: string;
  totalTitle: string;
  total: Cents;
  /** The sections that a total between sections adds up. Used only for workbooks and not part of the API. */
  adds?: readonly AddedSection[] | undefined;
  hasColumnHeaders: boolean;
  columnHeaders: ReportColumn[];
  displayHeader: boolean;
  displayFooter: boolean;
  hasColumnSummary: boolean;
  columnSummaryLines: ColumnSummaryLine[];
  reportBlocks: ReportBlock[];
  /** The source of the section's total. */
  source?: ReportSource | undefined;
}

export interface ReportSummary {
  description: string;
  amount: Cents;
  /** Totals by column, for a report with several columns. */
  columnTotals?: ColumnSummaryItem[] | undefined;
  /** The sections that the summary adds up. See `ReportSection`. */
  adds?: readonly AddedSection[] | undefined;
  source?: ReportSource | undefined;
}

/** The format of every report in the code, in the API, and in documents. Totals are in cents. */
export interface Report {
  title: string;
  reportHeaderItems: { headerText: string }[];
  reportSections: ReportSection[];
  reportSummaries: ReportSummary[];
}

/** A dimension filter with its display name. */
export interface DimensionFilter {
  id: number;
  name: string;
}

/** The context of a report: its title, dates, basis, and filters. */
export interface ReportContext {
  /** The title of the report's kind (kinds.ts). */
  title: string;
  companyName: string;
  basis: ReportBasis;
  /** The last day that the report includes. */
  asOf: IsoDate;
  /** The first day of the range. Undefined for as-of reports. */
  from?: IsoDate | undefined;
  /** The first day of the fiscal year that contains `asOf` (see fiscalYearStart in dates). */
  fiscalYearStart: IsoDate;
  retainedEarningsAccountId: number;
  profitCenter?: DimensionFilter | undefined;
  location?: DimensionFilter | undefined;
  /** The date from which open amounts are aged. Defaults to the due date. */
  ageBy?: AgeBy | undefined;
  /** The time up to which entries are included, based on when they were posted. */
  known?: KnownMoment | undefined;
}

/** A time as text, with the last transaction that had been posted by then, or the last transaction before a change. */
export interface KnownMoment {
  words: string;
  /** The time as given to the report. Undefined for the changes since a time. */
  at?: string | undefined;
  through?: number | undefined;
  since?: number | undefined;
}

/** Returns whether the report is limited to a profit center or location. If so, the lines don't have to balance. */
export function isFiltered({ profitCenter, location }: ReportContext): boolean {
  return profitCenter !== undefined || location !== undefined;
}

/** Returns the report's dates as text. */
export function daysOf({ from, asOf }: Pick<ReportContext, 'from' | 'asOf'>): string {
  const to = formatLongDate(asOf);
  return from === undefined ? `As of ${to}` : `${formatLongDate(from)} – ${to}`;
}

/**
 * Returns the heading of every report: the company, title, dates, basis, filters, and the aging date unless it is the
 * due date.
 */
export function reportHeader(context: ReportContext): Report['reportHeaderItems'] {
  const { title, companyName, basis, profitCenter, location, ageBy, known } = context;
  const lines = [companyName, title, daysOf(context), basis === 'accrual' ? 'Accrual basis' : 'Cash basis'];
  if (profitCenter !== undefined) lines.push(`Profit center: ${profitCenter.name}`);
  if (location !== undefined) lines.push(`Location: ${location.name}`);
  if (ageBy === 'invoicedate') lines.push('Aged by invoice date');
  if (known !== undefined) lines.push(`As known at ${known.words}`);
  return lines.map((headerText) => ({ headerText }));
}

/** Returns the limits of a source that depend on when its entries were posted. */
function knownOf({ through, since }: Pick<ReportSource, 'through' | 'since'> = {}) {
  return { ...(through === undefined ? {} : { through }), ...(since === undefined ? {} : { since }) };
}

/** Returns the source of an amount with this report's basis and filters. */
export function sourceOf(
  context: ReportContext,
  { accountIds, from = null, to }: { accountIds: number[]; from?: IsoDate | null | undefined; to: IsoDate },
): ReportSource {
  const { basis, profitCenter, location, known } = context;
  return {
    ...knownOf(known),
    accountIds,
    from,
    to,
    basis: basis === 'cash' ? 1 : 0,
    profitCenterId: profitCenter?.id ?? null,
    locationId: location?.id ?? null,
  };
}

/**
 * Returns the source of a total: the accounts in the sources of the added amounts. `from` is set only if all sources
 * have the same start date. A viewer can then show the lines that make up the total, each with its own source. Returns
 * undefined if the lines are transactions.
 */
export function together(sources: readonly (ReportSource | undefined)[]): ReportSource | undefined {
  // This check comes first, because most long lists contain transactions.
  if (sources.some((source) => source?.transactionId !== undefined)) return undefined;
  const known = sources.filter((source) => source !== undefined);
  const [first] = known;
  if (first === undefined) return undefined;
  const { basis, to, profitCenterId, locationId } = first;
  const accountIds = [...new Set(known.flatMap((source) => source.accountIds))];
  const from = known.every((source) => source.from === first.from) ? first.from : null;
  return { ...knownOf(first), accountIds, from, to, basis, profitCenterId, locationId };
}

/** Returns a cell with plain text. */
export function textCell(itemText: string): ReportCell {
  return { itemText, isCurrency: false };
}

/** Returns a currency cell, which is empty if the amount is undefined. */
export function moneyCell(amount: Cents | undefined): ReportCell {
  return { itemText: amount === undefined ? '' : toPlain(amount), isCurrency: true };
}

/** Returns a section with default values. A section without blocks and header is a total line such as Gross Profit. */
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

/** Groups rows by key, in the order of each key's first row. */
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
