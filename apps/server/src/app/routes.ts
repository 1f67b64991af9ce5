import { agentRoutes } from '../across/agents/routes.ts';
import { attachmentRoutes } from '../features/attachments/routes.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import { authRoutes } from '../across/auth/routes.ts';
import { bankingRoutes } from '../features/banking/routes.ts';
import { billingRoutes } from '../features/billing/routes.ts';
import { catalogueRoutes } from '../features/catalogue/routes.ts';
import { dashboardRoutes } from '../across/dashboard/routes.ts';
import { demoRoutes } from './demo/routes.ts';
import { entityRoutes } from '../features/entities/routes.ts';
import { expenseRoutes } from '../features/expenses/routes.ts';
import type { Route } from '../platform/http/route.ts';
import { healthRoutes } from '../across/health/routes.ts';
import { ledgerRoutes } from '../features/accounting/routes.ts';
import { movingRoutes } from '../across/moving/routes.ts';
import { onlineRoutes } from '../across/online/routes.ts';
import { openingRoutes } from '../across/opening/routes.ts';
import { reportRoutes } from '../across/reports/routes.ts';
import { scheduledRoutes } from '../across/scheduled/routes.ts';
import { searchRoutes } from '../across/search/routes.ts';
import { sendingRoutes } from '../across/sending/routes.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { setupRoutes } from '../across/setup/routes.ts';
import { taxRoutes } from '../across/taxes/routes.ts';
import { undoRoutes } from '../across/undo/routes.ts';
import { webhookRoutes } from '../across/webhooks/routes.ts';

/** All endpoints with their handlers. The server does not start if an endpoint in the contract is missing here. */
export const allRoutes: Route[] = [
  ...authRoutes,
  ...demoRoutes,
  ...entityRoutes,
  ...catalogueRoutes,
  ...settingsRoutes,
  ...setupRoutes,
  ...movingRoutes,
  ...bankingRoutes,
  ...billingRoutes,
  ...sendingRoutes,
  ...expenseRoutes,
  ...ledgerRoutes,
  ...openingRoutes,
  ...taxRoutes,
  ...scheduledRoutes,
  ...reportRoutes,
  ...dashboardRoutes,
  ...attachmentRoutes,
  ...searchRoutes,
  ...auditRoutes,
  ...healthRoutes,
  ...webhookRoutes,
  ...onlineRoutes,
  ...agentRoutes(() => allRoutes),
  ...undoRoutes(() => allRoutes),
];
