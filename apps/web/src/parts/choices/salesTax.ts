import { settingsCalls } from '@evenkeel/contract/settings';
import { ask, inAlert, useRead } from '../../client/api.ts';

/** The company's sales tax scenarios, the default one first; undefined while they are read. */
export function useSalesTaxScenarios() {
  const told = inAlert('Error Loading Sales Tax Scenario');
  return useRead(ask(settingsCalls.listSalesTax, {}), told).value;
}
