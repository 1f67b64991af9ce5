import { describe, expect, it } from 'vitest';
import { checkSetting, findSettingName, settingNames, settingRule } from './settings.ts';

describe('settings', () => {
  it('there are twelve settings with IDs 1 to 12 in order', () => {
    expect(settingNames.map((name) => settingRule(name).id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('setting names are found regardless of case, but names of built-in object members are not', () => {
    expect(findSettingName('FYSTARTMONTH')).toBe('fyStartMonth');
    expect(findSettingName('toString')).toBeUndefined();
  });

  it.each([
    ['useLocations', true, 'true'],
    ['useLocations', 'FALSE', 'false'],
    ['fyStartMonth', 12, '12'],
    ['reportingAccountingBasis', '1', '1'],
    ['defaultARAccountId', 138, '138'],
    ['closingDate', '12/31/2025', '2025-12-31'],
    ['closingDate', '', ''],
    ['purchaseDiscountsAccountId', '', ''],
  ] as const)('the setting %s = %j is stored as %j', (name, given, value) => {
    expect(checkSetting(name, given)).toEqual({ value });
  });

  it.each([
    ['useLocations', 1],
    ['fyStartMonth', 0],
    ['fyStartMonth', '01'],
    ['fyStartMonth', 1.5],
    ['defaultARAccountId', -138],
    ['closingDate', 'yesterday'],
    ['discountsGivenAccountId', ''],
  ] as const)('the setting %s = %j is rejected', (name, given) => {
    expect(checkSetting(name, given).message).toBeTypeOf('string');
  });
});
