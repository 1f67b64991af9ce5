import { settingsCalls } from '@evenkeel/contract/settings';
import { ask, inAlert, useRead } from '../../client/api.ts';

/** Loads the company's sales tax scenarios, with the default scenario first. Returns undefined while loading. */
export function useSalesTaxScenarios() {
  const told = inAlert('Error Loading Sales Tax Scenario');
  return useRead(ask(settingsCalls.listSalesTax, {}), told).value;
}
