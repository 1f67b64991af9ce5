import { auditCalls as calls } from '@evenkeel/contract/audit';
import { type Route, route } from '../../platform/http/route.ts';
import { listAudit, auditPermission } from './audit-log.ts';

export const auditRoutes: Route[] = [
  route(calls.listAudit, (ctx, { query }) => listAudit(ctx, query), {
    permits: (ctx, { query }) => auditPermission(ctx, query),
  }),
];
