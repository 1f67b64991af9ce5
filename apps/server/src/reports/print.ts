import type { reportCalls } from '@evenkeel/contract/reports';
import type { ReportRequest } from '@evenkeel/contract/figures';
import type { QueryOf } from '@evenkeel/contract/endpoint';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { pageRows } from '@evenkeel/core/reports/page';
import type { Report } from '@evenkeel/core/reports/report';
import type { Ctx } from '../http/context.ts';
import type { Drawing } from '../http/route.ts';
import type { ReportPaper } from '../pdf/report.ts';
import { printer } from '../pdf/printer.ts';
import { logoOf, logoPicture } from '../settings/logo.ts';
import { makeReport } from './reports.ts';

/** A report as a PDF or a workbook, to be drawn after the transaction in a thread of its own; refusals as runReport. */
export async function printReport(
  ctx: Ctx,
  { reportId, request, as }: { reportId: number; request: ReportRequest; as: 'report' | 'workbook' },
): Promise<Drawing> {
  const paper = paperOf(await makeReport(ctx, reportId, request));
  // Of all reports the statement alone is sent to customers.
  const isSent = as === 'report' && reportId === reportKinds.customerStatement.id;
  const logo = isSent ? await logoPicture(ctx, await logoOf(ctx)) : undefined;
  if (logo !== undefined) paper.logo = logo;
  return async () => ({ name: paper.title, drawn: await printer[as](paper) });
}

/** A customer's statement of account as a PDF. */
export async function printCustomerStatement(
  ctx: Ctx,
  customerId: number,
  dates: QueryOf<typeof reportCalls.customerStatement>,
): Promise<Drawing> {
  const dated = Object.entries(dates).map(([paramName, paramvalue]) => ({ paramType: 1, paramName, paramvalue }));
  const reportParams = [...dated, { paramType: 0, paramName: 'customerid', paramvalue: customerId }];
  return printReport(ctx, { reportId: reportKinds.customerStatement.id, request: { reportParams }, as: 'report' });
}

/** What a thread needs of a report: words and amounts, without what is behind them. */
function paperOf(report: Report): ReportPaper {
  return {
    title: report.title,
    head: report.reportHeaderItems.map(({ headerText }) => headerText),
    rows: pageRows<unknown>(report).map((row) => ({
      ...row,
      cells: row.cells.map((cell) => ('amount' in cell ? { amount: cell.amount } : cell)),
    })),
  };
}
