import { ledgerCalls } from '@evenkeel/contract/ledger';
import { type CompanyInput, type SalesTaxInput, settingsCalls } from '@evenkeel/contract/settings';
import { useQueryClient } from '@tanstack/react-query';
import { useRead, useWrite } from '../api.ts';
import { useLoadAlert } from '../records/reads.ts';

/** Everything that the settings page shows; one failure is the page's (Specification part 2 §8: 'settingserror'). */
export function useSettingsPage() {
  const company = useRead(settingsCalls.getCompany, {});
  const settings = useRead(settingsCalls.getSettings, {});
  const scenarios = useRead(settingsCalls.listSalesTax, {});
  const accounts = useRead(ledgerCalls.listAccounts, {});
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

/** Saves the company; its name in the top bar follows. */
export function useSaveCompany() {
  const client = useQueryClient();
  const write = useWrite(settingsCalls.updateCompany);
  return async (id: number, body: CompanyInput) => {
    const saved = await write.mutateAsync({ params: { id }, body });
    client.setQueryData([settingsCalls.getCompany.path, {}], saved);
    return saved;
  };
}

export interface ChangedSetting {
  settingName: string;
  settingValue: string;
}

/** Saves the changed settings in one call, all or none; labels and figures elsewhere are read anew when next seen. */
export function useSaveSettings() {
  const client = useQueryClient();
  const write = useWrite(settingsCalls.saveSettings);
  return async (changes: readonly ChangedSetting[]): Promise<true> => {
    await write.mutateAsync({ body: changes.map((change) => ({ ...change, changed: true })) });
    await client.invalidateQueries({ refetchType: 'none' });
    return true;
  };
}

/** Creates (id 0) or saves a sales tax scenario. */
export function useSaveSalesTax() {
  const create = useWrite(settingsCalls.createSalesTax);
  const update = useWrite(settingsCalls.updateSalesTax);
  return (id: number, body: SalesTaxInput) =>
    id > 0 ? update.mutateAsync({ params: { id }, body }) : create.mutateAsync({ body });
}
