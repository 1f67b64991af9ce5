import { settingsCalls } from '@evenkeel/contract/settings';
import { settingRule } from '@evenkeel/core/settings';
import { ask, inAlert, useRead } from '../../client/api.ts';

/** The company's switches and figures that forms and reports follow. */
export function useBooksSettings() {
  const { value, error, retry, isAnswered } = useRead(
    ask(settingsCalls.getSettings, {}),
    inAlert('Error Loading Settings'),
  );
  const valueOf = (name: string) =>
    value?.customerSettingItems.find((item) => item.settingName.toLowerCase() === name.toLowerCase())?.settingValue;
  return {
    isLoaded: value !== undefined,
    isAnswered,
    /** Why they are not here. */
    error,
    retry,
    useProfitCenters: valueOf('useProfitCenters') === 'true',
    useLocations: valueOf('useLocations') === 'true',
    fyStartMonth: Number(valueOf('fyStartMonth') ?? '1') || 1,
    /** Days until a document is due where its customer or vendor has no terms. */
    termsDays: Number(valueOf('termsDays') ?? settingRule('termsDays').initial),
    /** 0 accrual, 1 cash. */
    basis: valueOf('reportingAccountingBasis') === '1' ? (1 as const) : (0 as const),
  };
}
