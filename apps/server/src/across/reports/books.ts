import { accountLabel } from '@evenkeel/core/books/accounts';
import { earlierOf, fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import { malformed } from '@evenkeel/contract/sentences';
import { refuse } from '@evenkeel/core/failure';
import type { ReportAccount } from '@evenkeel/core/reports/balances';
import type { ReportKind } from '@evenkeel/core/reports/kinds';
import type { DimensionFilter, ReportContext } from '@evenkeel/core/reports/report';
import type { Known } from '../../books/ledger/balances.sql.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { type CompanySettings, companySettings } from '../../books/company-settings.ts';
import { booksAccountsSql, companyNameSql, dimensionSql, type KnownAt, knownAtSql } from './books.sql.ts';
import { rangeOf, type ReportAsk } from './report-params.ts';

/** The data that every report uses: the chart of accounts, the settings, and the names in its heading. */
export interface Books {
  accounts: ReportAccount[];
  settings: CompanySettings;
  companyName: string;
  profitCenter: DimensionFilter | undefined;
  location: DimensionFilter | undefined;
  /** The report shows the books as of this date and time. */
  known: KnownAt | undefined;
}

/** A report that is being run. */
export interface Running {
  ctx: Ctx;
  ask: ReportAsk;
  books: Books;
  context: ReportContext;
}

/** Reads the chart of accounts, the settings, and the names of filters in one round trip. */
export async function readBooks(
  ctx: Ctx,
  { profitCenterId, locationId, knownAt }: Pick<ReportAsk, 'profitCenterId' | 'locationId'> & Partial<ReportAsk>,
): Promise<Books> {
  const { tx } = ctx;
  const [settings, accounts, company, profitCenter, location, known] = await Promise.all([
    companySettings(ctx),
    tx.rows(booksAccountsSql()),
    tx.row(companyNameSql()),
    profitCenterId === undefined ? undefined : tx.row(dimensionSql('profit_center', profitCenterId)),
    locationId === undefined ? undefined : tx.row(dimensionSql('location', locationId)),
    knownAt === undefined ? undefined : tx.row(knownAtSql(knownAt)),
  ]);
  if (profitCenterId !== undefined && profitCenter === undefined) {
    throw refuse('Please Select a Profit Center', { profitcenterid: 'Please Select a Profit Center' });
  }
  if (locationId !== undefined && location === undefined) {
    throw refuse('Please Select a Location', { locationid: 'Please Select a Location' });
  }
  return {
    accounts: accounts.map((each) => ({ ...each, label: accountLabel(each, settings.useAccountNumbers) })),
    settings,
    companyName: company?.name ?? '',
    profitCenter,
    location,
    known,
  };
}

/**
 * Returns the dates, basis, and filters that apply to a report. Parameters that have no meaning for its kind are
 * omitted.
 */
export function contextOf(kind: ReportKind, running: Omit<Running, 'context'>): ReportContext {
  const { ask, books } = running;
  const { settings, companyName, profitCenter, location, known } = books;
  const isCash = kind.isWhole !== true && (ask.basis ?? settings.reportingAccountingBasis) === 1;
  if (ask.compare !== undefined && kind.compares?.includes(ask.compare) !== true) {
    refuseOf('compare', `${kind.title} doesn't support this comparison`);
  }
  if (known !== undefined && known.versionsFrom !== null && kind.isOfLedger !== true) {
    refuseOf('knownat', `${kind.title} can't go back further than ${known.versionsFrom}`);
  }
  if (ask.compare === 'now' && known === undefined) {
    refuseOf('knownat', 'To compare with now, enter a date or time under As Known At');
  }
  const isByInvoice = ask.ageBy === 'invoicedate';
  if (isByInvoice && kind.isAged !== true) refuseOf('ageby', `${kind.title} doesn't support aging dates`);
  const dates = datesOf(kind, running);
  return {
    title: kind.title,
    companyName,
    basis: isCash ? 'cash' : 'accrual',
    ...dates,
    fiscalYearStart: fiscalYearStart(dates.asOf, settings.fyStartMonth),
    retainedEarningsAccountId: settings.defaultREAccountId,
    ...(isByInvoice ? { ageBy: 'invoicedate' } : {}),
    ...(known === undefined ? {} : { known: { words: known.words, through: known.through, at: ask.knownAt } }),
    ...(kind.isWhole === true || kind.isOfCompany === true ? {} : { profitCenter }),
    ...(kind.isWhole === true || kind.isOfCompany === true || kind.hasNoLocations === true ? {} : { location }),
  };
}

/** Throws 400 for a parameter that does not apply to the report. */
function refuseOf(param: string, message: string): never {
  throw malformed({ [param]: message });
}

/**
 * Returns the dates of a report. A comparison with last year ends today, because future dates have no amounts
 * to compare.
 */
function datesOf(
  { dates }: ReportKind,
  { ctx: { today }, ask, books }: Omit<Running, 'context'>,
): Pick<ReportContext, 'from' | 'asOf'> {
  const { fyStartMonth } = books.settings;
  const untilToday = (to: IsoDate): IsoDate => (ask.compare === 'samedays' ? earlierOf(to, today) : to);
  if (dates === 'asOf') return { asOf: untilToday(ask.reportDate ?? today) };
  const { from: first, to } = rangeOf(ask, { today, fyStartMonth });
  const from = first ?? fiscalYearStart(to, fyStartMonth);
  return { from, asOf: from > today ? to : untilToday(to) };
}

/** Returns the filter for the lines that a report adds up. */
export function scopeOf({ basis, profitCenter, location, known }: ReportContext) {
  return { basis, profitCenterId: profitCenter?.id, locationId: location?.id, ...knownOf(known) };
}

/** Returns the limits on the time when lines were posted. */
export const knownOf = (known: ReportContext['known']): Known => ({ through: known?.through, since: known?.since });
