import { companyCalls } from '@evenkeel/contract/company';
import { settingRule } from '@evenkeel/core/settings';
import { ask, inAlert, useRead } from '../../client/api.ts';

/** Returns the company settings that forms and reports use. */
export function useBooksSettings() {
  const { value, error, retry, isAnswered } = useRead(
    ask(companyCalls.getSettings, {}),
    inAlert('Error Loading Settings'),
  );
  const valueOf = (name: string) =>
    value?.customerSettingItems.find((item) => item.settingName.toLowerCase() === name.toLowerCase())?.settingValue;
  return {
    isLoaded: value !== undefined,
    isAnswered,
    /** The reason why the settings could not be loaded. */
    error,
    retry,
    useProfitCenters: valueOf('useProfitCenters') === 'true',
    useLocations: valueOf('useLocations') === 'true',
    fyStartMonth: Number(valueOf('fyStartMonth') ?? '1') || 1,
    /** The number of days until a document is due if its customer or vendor has no terms. */
    termsDays: Number(valueOf('termsDays') ?? settingRule('termsDays').initial),
    /** 0 for accrual basis, 1 for cash basis. */
    basis: valueOf('reportingAccountingBasis') === '1' ? (1 as const) : (0 as const),
  };
}
