import type { ReportRequest } from '@evenkeel/contract/figures';
import type { ReportData } from '@evenkeel/contract/reports';
import { notFound } from '@evenkeel/core/failure';
import { type ReportId, reportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import type { Report } from '@evenkeel/core/reports/report';
import { PAYABLE, RECEIVABLE } from '@evenkeel/core/side';
import type { Ctx } from '../http/context.ts';
import { runAging, runAgingDetail, runEntityBalances, runUnpaidBills } from './aging.ts';
import { contextOf, readBooks, type Running } from './books.ts';
import { runGeneralLedger, runJournal } from './journal.ts';
import { reportData } from './report-data.ts';
import { readReportParams } from './report-params.ts';
import { runSales, runSalesDetail } from './sales.ts';
import { runCustomerStatement } from './statement-of-account.ts';
import { runBalanceSheet, runCashFlow, runProfitAndLoss, runTrialBalance } from './statements.ts';

type Run = (running: Running) => Promise<Report>;

const of = reportKinds;

/** How each report is made; what else is known of it stands in core's `reportKinds`. */
const RUNS: Record<ReportId, Run> = {
  [of.balanceSheet.id]: runBalanceSheet,
  [of.profitAndLoss.id]: runProfitAndLoss,
  [of.trialBalance.id]: runTrialBalance,
  [of.cashFlow.id]: runCashFlow,
  [of.generalLedger.id]: runGeneralLedger,
  [of.journal.id]: runJournal,
  [of.customerAging.id]: runAging(RECEIVABLE, of.customerAging.title),
  [of.customerAgingDetail.id]: runAgingDetail(RECEIVABLE, of.customerAgingDetail.title),
  [of.customerBalances.id]: runEntityBalances(RECEIVABLE, of.customerBalances.title),
  [of.customerStatement.id]: runCustomerStatement,
  [of.salesByCustomer.id]: runSales('customer'),
  [of.salesByCustomerDetail.id]: runSalesDetail('customer'),
  [of.salesByProduct.id]: runSales('product'),
  [of.salesByProductDetail.id]: runSalesDetail('product'),
  [of.unpaidBills.id]: runUnpaidBills,
  [of.vendorAging.id]: runAging(PAYABLE, of.vendorAging.title),
  [of.vendorAgingDetail.id]: runAgingDetail(PAYABLE, of.vendorAgingDetail.title),
  [of.vendorBalances.id]: runEntityBalances(PAYABLE, of.vendorBalances.title),
};
const makers = new Map(Object.entries(RUNS));

/**
 * Runs a report. 404 for an unknown report, 400 for parameters that cannot be read, 422 for a profit center or location
 * that is not the company's. All its statements see one moment, because reads run in one repeatable-read transaction.
 */
export async function runReport(ctx: Ctx, reportId: number, request: ReportRequest): Promise<ReportData> {
  return reportData(await makeReport(ctx, reportId, request));
}

/** The report before it is put in the wire's form. */
export async function makeReport(ctx: Ctx, reportId: number, request: ReportRequest): Promise<Report> {
  const kind = reportKind(reportId);
  const make = makers.get(String(reportId));
  if (kind === undefined || make === undefined) throw notFound('Report');
  const ask = readReportParams(request);
  const started = { ctx, ask, books: await readBooks(ctx, ask) };
  return make({ ...started, context: contextOf(kind, started) });
}
