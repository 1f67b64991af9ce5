import { reportCalls as calls } from '@evenkeel/contract/reports';
import { type Route, route } from '../../platform/http/route.ts';
import { printCustomerStatement, printCustomerStatements, printMonthEndPackage, printReport } from './print.ts';
import { isShortReport, runReport } from './reports.ts';
import { reportStars, starReport } from './stars.ts';

export const reportRoutes: Route[] = [
  route(calls.runReport, (ctx, { params, body }) => runReport(ctx, params.reportId, body), {
    gate: 'long',
    isShort: ({ params, body }) => isShortReport(params.reportId, body),
  }),
  route(
    calls.reportPdf,
    (ctx, { params, body: request }) => printReport(ctx, { reportId: params.reportId, request, as: 'report' }),
    { gate: 'long' },
  ),
  route(
    calls.reportExcel,
    (ctx, { params, body: request }) => printReport(ctx, { reportId: params.reportId, request, as: 'workbook' }),
    { gate: 'long' },
  ),
  route(calls.monthEndPackage, (ctx, { query }) => printMonthEndPackage(ctx, query.date ?? ctx.today), {
    gate: 'long',
  }),
  route(calls.listReportStars, (ctx) => reportStars(ctx)),
  route(calls.starReport, (ctx, { params, body }) => starReport(ctx, params.reportId, body)),
  route(calls.customerStatement, (ctx, { params, query }) => printCustomerStatement(ctx, params.customerId, query)),
  route(calls.customerStatements, (ctx, { body }) => printCustomerStatements(ctx, body), { gate: 'long' }),
];
