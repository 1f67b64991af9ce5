import { authCalls } from '@evenkeel/contract/auth';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { ask, messageOf, useRead } from '../../client/api.ts';
import { enterCompany } from '../../client/companies.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import type { Command } from './commands.ts';

/**
 * Returns commands that switch to the user's other companies and, if the user has permission, a command that creates a
 * company. Empty while loading.
 */
export function useCompanyCommands(): Command[] {
  const alerts = useAlerts();
  const { value: own } = useRead(ask(authCalls.listCompanies, {}));
  if (own === undefined) return [];
  const others = own.companies.filter(({ isThis }) => !isThis);
  const switches = others.map(({ companyId, companyName, userRole }): Command => ({
    id: `company ${companyId}`,
    kind: 'company',
    text: `Switch to ${companyName}`,
    also: 'switch company change companies',
    note: userRole,
    icon: IconBuilding,
    run: () => void enterCompany(companyId).catch((error: unknown) => alerts.error(messageOf(error))),
  }));
  const add: Command = {
    id: '/account#new-company',
    kind: 'company',
    text: 'New Company',
    also: 'add create register',
    icon: IconPlus,
    to: '/account#new-company',
  };
  return own.mayAdd ? [...switches, add] : switches;
}
