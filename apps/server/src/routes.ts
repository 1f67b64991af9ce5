import { attachmentRoutes } from './attachments/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { bankingRoutes } from './banking/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { demoRoutes } from './demo/routes.ts';
import { entityRoutes } from './entities/routes.ts';
import { expenseRoutes } from './expenses/routes.ts';
import type { Route } from './http/route.ts';
import { healthRoutes } from './health/routes.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { scheduledRoutes } from './scheduled/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { sendingRoutes } from './sending/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { setupRoutes } from './setup/routes.ts';

/** Every endpoint bound to its handler; the server does not start when one of the contract is missing here. */
export const allRoutes: Route[] = [
  ...authRoutes,
  ...demoRoutes,
  ...entityRoutes,
  ...catalogueRoutes,
  ...settingsRoutes,
  ...setupRoutes,
  ...bankingRoutes,
  ...billingRoutes,
  ...sendingRoutes,
  ...expenseRoutes,
  ...ledgerRoutes,
  ...scheduledRoutes,
  ...reportRoutes,
  ...dashboardRoutes,
  ...attachmentRoutes,
  ...searchRoutes,
  ...auditRoutes,
  ...healthRoutes,
];
