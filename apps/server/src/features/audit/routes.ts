import { auditCalls as calls } from '@evenkeel/contract/audit';
import { recordRoute, type Route } from '../../platform/http/route.ts';
import { listAudit, auditPermission } from './audit-log.ts';

export const auditRoutes: Route[] = [
  recordRoute(
    calls.listAudit,
    (ctx, { query }) => auditPermission(ctx, query),
    (ctx, { query }) => listAudit(ctx, query),
  ),
];
