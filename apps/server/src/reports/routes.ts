import { reportCalls as calls } from '@evenkeel/contract/reports';
import { type Route, route } from '../http/route.ts';
import { runReport } from './reports.ts';

export const reportRoutes: Route[] = [
  route(calls.runReport, (ctx, { params, body }) => runReport(ctx, params.reportId, body)),
];
