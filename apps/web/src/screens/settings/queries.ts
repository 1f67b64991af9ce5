import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { ask, useRead } from '../../client/api.ts';

/** Loads everything that the settings page shows. If one read fails, the page fails ('settingserror'). */
export function useSettingsPage() {
  const company = useRead(ask(settingsCalls.getCompany, {}), { alert: 'Error Loading Settings' });
  const settings = useRead(ask(settingsCalls.getSettings, {}), { alert: 'Error Loading Settings' });
  const scenarios = useRead(ask(settingsCalls.listSalesTax, {}), { alert: 'Error Loading Sales Tax Scenario' });
  const accounts = useRead(ask(ledgerCalls.listAccounts, { query: {} }), { alert: 'Error Loading Accounts' });
  const failed = [company, settings, scenarios, accounts].filter(({ error }) => error !== undefined);
  const retry = async () => void (await Promise.all(failed.map((read) => read.retry())));
  const isAnswered = scenarios.value !== undefined;
  if (company.value === undefined || settings.value === undefined || accounts.value === undefined || !isAnswered) {
    return { isLoaded: false, hasFailed: failed.length > 0, retry } as const;
  }
  return {
    isLoaded: true,
    company: company.value,
    settings: settings.value.customerSettingItems,
    scenarios,
    accounts: accounts.value,
  } as const;
}
