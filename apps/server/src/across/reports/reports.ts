import type { ReportRequest } from '@evenkeel/contract/figures';
import { notFound } from '@evenkeel/core/failure';
import { type ReportKind, reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import type { Report } from '@evenkeel/core/reports/report';
import { pastTx } from '../../books/past.sql.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { agingReports } from './aging.ts';
import { contextOf, readBooks, type Running } from './books.ts';
import { runBridge } from './bridge.ts';
import { runBudget } from './budget.ts';
import { expenseReports } from './expenses.ts';
import { runGeneralLedger, runJournal } from './journal.ts';
import type { Run } from './list.ts';
import { closedReports } from './closed-changes.ts';
import { readReportParams } from './report-params.ts';
import { salesReports } from './sales.ts';
import { salesTaxReports } from './sales-tax.ts';
import { runCustomerStatement } from './statement-of-account.ts';
import { unclearedReports } from './uncleared.ts';
import { runBalanceSheet, runCashFlow, runProfitAndLoss, runTrialBalance } from './statements.ts';

/** The functions that run the reports. The static details are in core's `reportKinds`. */
const RUNS: Record<ReportName, Run> = {
  balanceSheet: runBalanceSheet,
  profitAndLoss: runProfitAndLoss,
  budgetAgainstActual: runBudget,
  cashToAccrual: runBridge,
  trialBalance: runTrialBalance,
  cashFlow: runCashFlow,
  generalLedger: runGeneralLedger,
  journal: runJournal,
  customerStatement: runCustomerStatement,
  ...agingReports,
  ...salesReports,
  ...salesTaxReports,
  ...expenseReports,
  ...unclearedReports,
  ...closedReports,
};
/** The reports on accounts, which read stored totals and have only a few lines. */
const SHORT = [
  'balanceSheet',
  'profitAndLoss',
  'budgetAgainstActual',
  'cashToAccrual',
  'trialBalance',
  'cashFlow',
] as const;
const shortIds = new Set<number>(SHORT.map((name) => reportKinds[name].id));

/**
 * Returns whether a report takes only milliseconds, no matter how many entries the books have. A report as known at an
 * earlier time reads entries instead of totals. Throws 400 for invalid parameters.
 */
export const isShortReport = (reportId: number, request: ReportRequest): boolean =>
  shortIds.has(reportId) && readReportParams(request).knownAt === undefined;

const runs = new Map(Object.entries(RUNS));
const kinds = new Map(Object.entries<ReportKind>(reportKinds).map(([name, kind]) => [kind.id, { name, kind }]));

/**
 * Runs a report. Throws 404 for an unknown report, 400 for invalid parameters, and 422 for another company's profit
 * center or location. All statements use one snapshot, because reads run in one repeatable-read transaction.
 */
export async function runReport(ctx: Ctx, reportId: number, request: ReportRequest): Promise<Report> {
  const known = kinds.get(reportId);
  const run = runs.get(known?.name ?? '');
  if (known === undefined || run === undefined) throw notFound('Report');
  return run(await startReport(ctx, known.kind, request));
}

/** Reads the parameters and the data that every report uses. */
export async function startReport(ctx: Ctx, kind: ReportKind, request: ReportRequest): Promise<Running> {
  const ask = readReportParams(request);
  const books = await readBooks(ctx, ask);
  const { known } = books;
  const started = { ctx: known === undefined ? ctx : { ...ctx, tx: pastTx(ctx.tx, known) }, ask, books };
  return { ...started, context: contextOf(kind, started) };
}
