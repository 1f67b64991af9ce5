import { healthCalls as calls } from '@evenkeel/contract/health';
import { type Route, route } from '../../platform/http/route.ts';
import { checkHealth, getHealth, getHealthLine } from './health.ts';

export const healthRoutes: Route[] = [
  route(calls.getHealth, (ctx) => getHealth(ctx)),
  route(calls.getHealthLine, (ctx) => getHealthLine(ctx)),
  route(calls.checkHealth, (ctx) => checkHealth(ctx)),
];
