import { accountCalls } from './account.ts';
import { agentCalls } from './agents.ts';
import { approvalCountCalls } from './approvalCount.ts';
import { attachmentCalls } from './uploads.ts';
import { auditCalls } from './audit.ts';
import { authCalls } from './auth.ts';
import { bankingCalls } from './banking.ts';
import { billingCalls } from './billing.ts';
import { budgetCalls } from './budgets.ts';
import { catalogueCalls } from './catalogue.ts';
import { closingCalls } from './closing.ts';
import { chargeCalls } from './charges.ts';
import { creditCalls } from './credits.ts';
import { writeOffCalls } from './writeoffs.ts';
import { dashboardCalls } from './dashboard.ts';
import type { Endpoint } from './endpoint.ts';
import { entityCalls } from './entities.ts';
import { estimateCalls } from './estimates.ts';
import { expenseCalls } from './expenses.ts';
import { formCalls } from './forms1099.ts';
import { healthCalls } from './health.ts';
import { keyCalls } from './keys.ts';
import { ledgerCalls } from './ledger.ts';
import { movingCalls } from './moving.ts';
import { onlineCalls } from './online.ts';
import { openingCalls } from './opening.ts';
import { reconciliationCalls } from './reconciliation.ts';
import { reportCalls } from './reports.ts';
import { scheduledCalls } from './scheduled.ts';
import { searchCalls } from './search.ts';
import { sendingCalls } from './sending.ts';
import { settingsCalls } from './settings.ts';
import { setupCalls } from './setup.ts';
import { statementCalls } from './statements.ts';
import { taxReturnCalls } from './taxreturns.ts';
import { taxRuleCalls } from './taxrules.ts';
import { transferCalls } from './transfers.ts';
import { webhookCalls } from './webhooks.ts';
import { workItemCalls } from './workitems.ts';

/** All API calls by name. The web client and the server's routes are derived from them. */
export const calls = {
  ...authCalls,
  ...accountCalls,
  ...keyCalls,
  ...agentCalls,
  ...approvalCountCalls,
  ...webhookCalls,
  ...entityCalls,
  ...catalogueCalls,
  ...settingsCalls,
  ...taxRuleCalls,
  ...taxReturnCalls,
  ...formCalls,
  ...setupCalls,
  ...movingCalls,
  ...bankingCalls,
  ...statementCalls,
  ...transferCalls,
  ...reconciliationCalls,
  ...billingCalls,
  ...creditCalls,
  ...writeOffCalls,
  ...estimateCalls,
  ...workItemCalls,
  ...chargeCalls,
  ...sendingCalls,
  ...scheduledCalls,
  ...expenseCalls,
  ...ledgerCalls,
  ...closingCalls,
  ...budgetCalls,
  ...openingCalls,
  ...reportCalls,
  ...dashboardCalls,
  ...attachmentCalls,
  ...searchCalls,
  ...auditCalls,
  ...healthCalls,
  ...onlineCalls,
};

/** All endpoints, for generic tests, the API document, and the server. */
export const endpoints: readonly Endpoint[] = Object.values(calls);
