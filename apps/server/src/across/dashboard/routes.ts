import { dashboardCalls as calls } from '@evenkeel/contract/dashboard';
import { type Route, route } from '../../platform/http/route.ts';
import { readCard } from './cards.ts';
import { dismissFirstSteps } from './first-steps.ts';
import { dashboard, dashboardCards, listTargets, saveDashboardCards, saveTargets } from './dashboard.ts';

export const dashboardRoutes: Route[] = [
  route(calls.getDashboard, (ctx, { query }) => dashboard(ctx, query.version)),
  route(calls.getDashboardCards, (ctx) => dashboardCards(ctx)),
  route(calls.saveDashboardCards, (ctx, { body }) => saveDashboardCards(ctx, body)),
  route(calls.dismissFirstSteps, (ctx, { body }) => dismissFirstSteps(ctx, body)),
  route(calls.incomingMoney, (ctx, { body }) => readCard(ctx, 'incomingMoney', body)),
  route(calls.outgoingMoney, (ctx, { body }) => readCard(ctx, 'outgoingMoney', body)),
  route(calls.revenue, (ctx, { body }) => readCard(ctx, 'revenue', body)),
  route(calls.cashPositions, (ctx, { body }) => readCard(ctx, 'cashPositions', body)),
  route(calls.expenseBreakdown, (ctx, { body }) => readCard(ctx, 'expenseBreakdown', body)),
  route(calls.revenueVsExpense, (ctx, { body }) => readCard(ctx, 'revenueVsExpense', body)),
  route(calls.profitMargin, (ctx, { body }) => readCard(ctx, 'profitMargin', body)),
  route(calls.currentRatio, (ctx, { body }) => readCard(ctx, 'currentRatio', body)),
  route(calls.returnOnAssets, (ctx, { body }) => readCard(ctx, 'returnOnAssets', body)),
  route(calls.listTargets, (ctx) => listTargets(ctx)),
  route(calls.saveTargets, (ctx, { body }) => saveTargets(ctx, body)),
];
