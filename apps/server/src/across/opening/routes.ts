import { openingCalls as calls } from '@evenkeel/contract/opening';
import { type Route, route } from '../../platform/http/route.ts';
import { openingBalances, postOpeningBalances, redoOpeningBalances } from './opening.ts';

export const openingRoutes: Route[] = [
  route(calls.getOpeningBalances, (ctx) => openingBalances(ctx)),
  route(calls.postOpeningBalances, (ctx, { body }) => postOpeningBalances(ctx, body)),
  route(calls.redoOpeningBalances, (ctx, { body }) => redoOpeningBalances(ctx, body)),
];
