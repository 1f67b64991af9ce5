import type { ReportData, ReportRequest } from '@evenkeel/contract/reports';
import { accountLabel } from '@evenkeel/core/accounts';
import { fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import type { ReportBasis } from '@evenkeel/core/ledger';
import { balanceSheet } from '@evenkeel/core/reports/balance-sheet';
import type { ReportAccount } from '@evenkeel/core/reports/balances';
import { profitAndLoss } from '@evenkeel/core/reports/profit-loss';
import type { DimensionFilter, Report, ReportContext } from '@evenkeel/core/reports/report';
import { trialBalance } from '@evenkeel/core/reports/trial-balance';
import { RECEIVABLE, type Side } from '@evenkeel/core/side';
import type { Ctx } from '../http/context.ts';
import { amountsBetween, balancesAt } from '../ledger/balances.sql.ts';
import { type CompanySettings, companySettings } from '../settings/settings.ts';
import { aging } from './aging.ts';
import { booksAccountsSql, companyNameSql, locationSql, profitCenterSql } from './books.sql.ts';
import { reportData } from './report-data.ts';
import { rangeOf, readReportParams, type ReportAsk } from './report-params.ts';

/** What every report starts from: the chart, the settings, the names in its head. */
export interface Books {
  accounts: ReportAccount[];
  settings: CompanySettings;
  companyName: string;
  profitCenter: DimensionFilter | undefined;
  location: DimensionFilter | undefined;
}

type Run = (ctx: Ctx, ask: ReportAsk, books: Books) => Promise<Report>;

/** Reports by their id (Specification part 2 §2 "Reports screen"). */
const REPORTS = new Map<number, Run>([
  [0, runBalanceSheet],
  [1, runProfitAndLoss],
  [3, runTrialBalance],
  [7, runAging(RECEIVABLE)],
]);

/**
 * Runs a report. 404 for an unknown report, 400 for parameters that cannot be read, 422 for a profit center or location
 * that is not the company's. All its statements see one moment, because reads run in one repeatable-read transaction.
 */
export async function runReport(ctx: Ctx, reportId: number, request: ReportRequest): Promise<ReportData> {
  const run = REPORTS.get(reportId);
  if (run === undefined) throw notFound('Report');
  const ask = readReportParams(request);
  return reportData(await run(ctx, ask, await readBooks(ctx, ask)));
}

/** The chart, the settings and the filters' names, in one round trip. */
export async function readBooks(
  ctx: Ctx,
  { profitCenterId, locationId }: Pick<ReportAsk, 'profitCenterId' | 'locationId'>,
): Promise<Books> {
  const { tx, companyId } = ctx;
  const [settings, accounts, company, profitCenter, location] = await Promise.all([
    companySettings(ctx),
    tx.rows(booksAccountsSql(companyId)),
    tx.row(companyNameSql(companyId)),
    profitCenterId === undefined ? undefined : tx.row(profitCenterSql(companyId, profitCenterId)),
    locationId === undefined ? undefined : tx.row(locationSql(companyId, locationId)),
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

function contextOf(ask: ReportAsk, books: Books, asOf: IsoDate): ReportContext {
  const { settings, companyName, profitCenter, location } = books;
  const basis: ReportBasis = (ask.basis ?? settings.reportingAccountingBasis) === 1 ? 'cash' : 'accrual';
  return {
    companyName,
    basis,
    asOf,
    fiscalYearStart: fiscalYearStart(asOf, settings.fyStartMonth),
    retainedEarningsAccountId: settings.defaultREAccountId,
    profitCenter,
    location,
  };
}

/** Whose lines a report sums. */
function scopeOf(ctx: Ctx, { basis, profitCenter, location }: ReportContext) {
  return { companyId: ctx.companyId, basis, profitCenterId: profitCenter?.id, locationId: location?.id };
}

async function readBalances(ctx: Ctx, context: ReportContext) {
  const { asOf: date, fiscalYearStart: start } = context;
  return ctx.tx.rows(balancesAt({ ...scopeOf(ctx, context), date, fiscalYearStart: start }));
}

/** Report 0: as of the report date. */
async function runBalanceSheet(ctx: Ctx, ask: ReportAsk, books: Books): Promise<Report> {
  const context = contextOf(ask, books, ask.reportDate ?? ctx.today);
  return balanceSheet(await readBalances(ctx, context), books.accounts, context);
}

/** Report 1: over a range; without a start from the fiscal year's first day. */
async function runProfitAndLoss(ctx: Ctx, ask: ReportAsk, books: Books): Promise<Report> {
  const { from, to } = rangeOf(ask, { today: ctx.today, fyStartMonth: books.settings.fyStartMonth });
  const yearly = contextOf(ask, books, to);
  const context = { ...yearly, from: from ?? yearly.fiscalYearStart };
  const amounts = await ctx.tx.rows(amountsBetween({ ...scopeOf(ctx, context), from: context.from, to }));
  return profitAndLoss(amounts, books.accounts, context);
}

/** Report 3: as of the report date. */
async function runTrialBalance(ctx: Ctx, ask: ReportAsk, books: Books): Promise<Report> {
  const context = contextOf(ask, books, ask.reportDate ?? ctx.today);
  return trialBalance(await readBalances(ctx, context), books.accounts, context);
}

/** Report 7 for customers: as of the report date. */
function runAging(side: Side): Run {
  return (ctx, ask, books) => aging(ctx, side, books.accounts, contextOf(ask, books, ask.reportDate ?? ctx.today));
}
