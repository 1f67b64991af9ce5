import { dashboardCalls as calls } from '@evenkeel/contract/dashboard';
import { type Route, route } from '../http/route.ts';
import { dashboard } from './dashboard.ts';

export const dashboardRoutes: Route[] = [route(calls.getDashboard, (ctx) => dashboard(ctx))];
