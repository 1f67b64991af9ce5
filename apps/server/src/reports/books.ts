import { accountLabel } from '@evenkeel/core/accounts';
import { fiscalYearStart } from '@evenkeel/core/dates';
import { Failure, refuse } from '@evenkeel/core/failure';
import type { ReportAccount } from '@evenkeel/core/reports/balances';
import type { ReportKind } from '@evenkeel/core/reports/kinds';
import type { DimensionFilter, ReportContext } from '@evenkeel/core/reports/report';
import type { Ctx } from '../http/context.ts';
import { type CompanySettings, companySettings } from '../settings/settings.ts';
import { booksAccountsSql, companyNameSql, dimensionSql } from './books.sql.ts';
import { rangeOf, type ReportAsk } from './report-params.ts';

/** The base of every report: the chart, the settings, the names in its head. */
export interface Books {
  accounts: ReportAccount[];
  settings: CompanySettings;
  companyName: string;
  profitCenter: DimensionFilter | undefined;
  location: DimensionFilter | undefined;
}

/** A report as it is run. */
export interface Running {
  ctx: Ctx;
  ask: ReportAsk;
  books: Books;
  context: ReportContext;
}

/** The chart, the settings and the filters' names, in one round trip. */
export async function readBooks(
  ctx: Ctx,
  { profitCenterId, locationId }: Pick<ReportAsk, 'profitCenterId' | 'locationId'>,
): Promise<Books> {
  const { tx } = ctx;
  const [settings, accounts, company, profitCenter, location] = await Promise.all([
    companySettings(ctx),
    tx.rows(booksAccountsSql()),
    tx.row(companyNameSql()),
    profitCenterId === undefined ? undefined : tx.row(dimensionSql('profit_center', profitCenterId)),
    locationId === undefined ? undefined : tx.row(dimensionSql('location', locationId)),
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
  };
}

/** The dates, basis and filters that a report is of; what says nothing about its kind is left out. */
export function contextOf(kind: ReportKind, { ctx, ask, books }: Omit<Running, 'context'>): ReportContext {
  const { settings, companyName, profitCenter, location } = books;
  const { fyStartMonth } = settings;
  const isRange = kind.dates === 'range';
  const { from, to } = isRange
    ? rangeOf(ask, { today: ctx.today, fyStartMonth })
    : { from: undefined, to: ask.reportDate ?? ctx.today };
  const year = fiscalYearStart(to, fyStartMonth);
  const isCash = kind.isWhole !== true && (ask.basis ?? settings.reportingAccountingBasis) === 1;
  if (ask.compare !== undefined && kind.compares?.includes(ask.compare) !== true) {
    const message = `${kind.title} has no such columns`;
    throw new Failure('malformed', `compare: ${message}`, { compare: message });
  }
  return {
    title: kind.title,
    companyName,
    basis: isCash ? 'cash' : 'accrual',
    asOf: to,
    ...(isRange ? { from: from ?? year } : {}),
    fiscalYearStart: year,
    retainedEarningsAccountId: settings.defaultREAccountId,
    ...(kind.isWhole === true || kind.isOfCompany === true ? {} : { profitCenter, location }),
  };
}

/** The lines that a report sums. */
export function scopeOf({ basis, profitCenter, location }: ReportContext) {
  return { basis, profitCenterId: profitCenter?.id, locationId: location?.id };
}
