import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { useRead } from '../../client/api.ts';
import { useLoadAlert } from '../../records/reads.ts';

/** Everything that the settings page shows; one failure is the page's (Specification part 2 §8: 'settingserror'). */
export function useSettingsPage() {
  const company = useRead(settingsCalls.getCompany, {});
  const settings = useRead(settingsCalls.getSettings, {});
  const scenarios = useRead(settingsCalls.listSalesTax, {});
  const accounts = useRead(ledgerCalls.listAccounts, { query: {} });
  useLoadAlert(company.error ?? settings.error, 'Error Loading Settings');
  useLoadAlert(scenarios.error, 'Error Loading Sales Tax Scenario');
  useLoadAlert(accounts.error, 'Error Loading Accounts');
  const all = [company, settings, scenarios, accounts];
  return {
    company: company.data,
    settings: settings.data?.customerSettingItems,
    scenarios: scenarios.data,
    accounts: accounts.data,
    hasFailed: all.some((read) => read.isError),
    retry: () => {
      for (const read of all) if (read.isError) void read.refetch();
    },
  };
}
