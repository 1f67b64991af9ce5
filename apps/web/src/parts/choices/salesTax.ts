import { settingsCalls } from '@evenkeel/contract/settings';
import { ask, useRead } from '../../client/api.ts';

/** The company's sales tax scenarios, the default one first; undefined while they are read. */
export function useSalesTaxScenarios() {
  const told = { alert: 'Error Loading Sales Tax Scenario', retryInAlert: true };
  return useRead(ask(settingsCalls.listSalesTax, {}), told).value;
}
