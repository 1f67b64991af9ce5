import { auditCalls as calls } from '@evenkeel/contract/audit';
import { recordRoute, type Route } from '../../platform/http/route.ts';
import { listAudit, whoMayAudit } from './audit-log.ts';

export const auditRoutes: Route[] = [
  recordRoute(
    calls.listAudit,
    (ctx, { query }) => whoMayAudit(ctx, query),
    (ctx, { query }) => listAudit(ctx, query),
  ),
];
