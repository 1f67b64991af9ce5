import { reportCalls as calls } from '@evenkeel/contract/reports';
import { longRoute, type Route, route } from '../../platform/http/route.ts';
import { printCustomerStatement, printCustomerStatements, printReport } from './print.ts';
import { runReport } from './reports.ts';
import { reportStars, starReport } from './stars.ts';

export const reportRoutes: Route[] = [
  longRoute(calls.runReport, (ctx, { params, body }) => runReport(ctx, params.reportId, body)),
  longRoute(calls.reportPdf, (ctx, { params, body: request }) =>
    printReport(ctx, { reportId: params.reportId, request, as: 'report' }),
  ),
  longRoute(calls.reportExcel, (ctx, { params, body: request }) =>
    printReport(ctx, { reportId: params.reportId, request, as: 'workbook' }),
  ),
  route(calls.listReportStars, (ctx) => reportStars(ctx)),
  route(calls.starReport, (ctx, { params, body }) => starReport(ctx, params.reportId, body)),
  route(calls.customerStatement, (ctx, { params, query }) => printCustomerStatement(ctx, params.customerId, query)),
  longRoute(calls.customerStatements, (ctx, { body }) => printCustomerStatements(ctx, body)),
];
