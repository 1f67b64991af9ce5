import { auditCalls as calls } from '@evenkeel/contract/audit';
import { type Route, route } from '../../platform/http/route.ts';
import { listAudit, whoMayAudit } from './audit-log.ts';

export const auditRoutes: Route[] = [
  route(calls.listAudit, (ctx, { query }) => listAudit(ctx, query), {
    permits: (ctx, { query }) => whoMayAudit(ctx, query),
  }),
];
