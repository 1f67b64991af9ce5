import type { ReportRequest } from '@evenkeel/contract/figures';
import type { ReportData } from '@evenkeel/contract/reports';
import { notFound } from '@evenkeel/core/failure';
import { type ReportKind, reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import type { Report } from '@evenkeel/core/reports/report';
import type { Ctx } from '../http/context.ts';
import { inTurns } from '../http/turns.ts';
import { agingReports } from './aging.ts';
import { contextOf, readBooks } from './books.ts';
import { expenseReports } from './expenses.ts';
import { runGeneralLedger, runJournal } from './journal.ts';
import type { Run } from './list.ts';
import { reportData } from './report-data.ts';
import { readReportParams } from './report-params.ts';
import { salesReports } from './sales.ts';
import { salesTaxReports } from './sales-tax.ts';
import { runCustomerStatement } from './statement-of-account.ts';
import { runBalanceSheet, runCashFlow, runProfitAndLoss, runTrialBalance } from './statements.ts';

/** The function that makes each report; core's `reportKinds` has the facts known before. */
const RUNS: Record<ReportName, Run> = {
  balanceSheet: runBalanceSheet,
  profitAndLoss: runProfitAndLoss,
  trialBalance: runTrialBalance,
  cashFlow: runCashFlow,
  generalLedger: runGeneralLedger,
  journal: runJournal,
  customerStatement: runCustomerStatement,
  ...agingReports,
  ...salesReports,
  ...salesTaxReports,
  ...expenseReports,
};
const runs = new Map(Object.entries(RUNS));
const kinds = new Map(Object.entries<ReportKind>(reportKinds).map(([name, kind]) => [kind.id, { name, kind }]));

/**
 * Runs a report. 404 for an unknown report, 400 for parameters that cannot be read, 422 for a profit center or location
 * that is not the company's. All its statements see one moment, because reads run in one repeatable-read transaction.
 */
export async function runReport(ctx: Ctx, reportId: number, request: ReportRequest): Promise<ReportData> {
  return inTurns(reportData(await makeReport(ctx, reportId, request)));
}

/** The report before it is put in the wire's form. */
export async function makeReport(ctx: Ctx, reportId: number, request: ReportRequest): Promise<Report> {
  const known = kinds.get(reportId);
  const run = runs.get(known?.name ?? '');
  if (known === undefined || run === undefined) throw notFound('Report');
  const ask = readReportParams(request);
  const started = { ctx, ask, books: await readBooks(ctx, ask) };
  return run({ ...started, context: contextOf(known.kind, started) });
}
