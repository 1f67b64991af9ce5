import { setupCalls as calls } from '@evenkeel/contract/setup';
import { type Route, route } from '../../platform/http/route.ts';
import { completeSetup } from './first-time.ts';

export const setupRoutes: Route[] = [route(calls.completeSetup, (ctx, { body }) => completeSetup(ctx, body))];
