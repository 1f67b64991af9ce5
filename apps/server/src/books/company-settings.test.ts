import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsCalls as calls } from '@evenkeel/contract/settings';
import { countRows, startTestApp, type TestApp } from '../testing/app.ts';
import { companySettings } from './company-settings.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const companyId = () => t.world.company.companyId;
const auth = () => ({ token: t.world.company.administrator.token });

async function values(): Promise<Record<string, string>> {
  const { customerSettingItems } = await t.call(calls.getSettings, auth());
  return Object.fromEntries(customerSettingItems.map((item) => [item.settingName, item.settingValue]));
}

const save = (settingName: string, settingValue: string | number | boolean) =>
  t.call(calls.saveSettings, { ...auth(), body: { settingName, settingValue } });

describe('invalid settings', () => {
  const cases: [string, string | number | boolean, string][] = [
    ['useLocations', 'perhaps', "Please enter 'true' or 'false'"],
    ['fyStartMonth', 13, 'Please select a month from 1 to 12'],
    ['fyStartMonth', '', 'Please select a month from 1 to 12'],
    ['reportingAccountingBasis', 2, 'Please select Accrual (0) or Cash (1)'],
    ['defaultARAccountId', 139, 'Please Select an Account'],
    ['defaultAPAccountId', 138, 'Please Select an Account'],
    ['defaultREAccountId', 140, 'Please Select an Account'],
    ['defaultARAccountId', 999_999, 'Please Select an Account'],
    ['defaultARAccountId', 'none', 'Please Select an Account'],
    ['closingDate', '2026-02-30', 'Please enter a valid date'],
    ['discountsGivenAccountId', 138, 'Please Select an Account'],
    ['purchaseDiscountsAccountId', 101, 'Please Select an Account'],
  ];
  it.each(cases)('rejects the setting %s = %s: %s', async (settingName, settingValue, message) => {
    const before = await values();
    const rows = await countRows(t, companyId(), 'audit_log');
    const refusal = await t.refused(calls.saveSettings, { ...auth(), body: { settingName, settingValue } });
    expect(refusal).toMatchObject({ status: 422, message, fields: { settingValue: message } });
    expect(await values()).toEqual(before);
    expect(await countRows(t, companyId(), 'audit_log')).toBe(rows);
  });

  it('rejects a setting with an unknown name', async () => {
    const refusal = await t.refused(calls.saveSettings, { ...auth(), body: { settingName: 'x', settingValue: '1' } });
    expect(refusal).toMatchObject({ status: 422, fields: { settingName: expect.stringContaining("doesn't exist") } });
  });

  it('rejects setting changes by a user who is not an administrator (403)', async () => {
    const { superuser, bookkeeper } = t.world.company;
    for (const { token } of [superuser, bookkeeper]) {
      const body = { settingName: 'fyStartMonth', settingValue: '2' };
      expect((await t.refused(calls.saveSettings, { token, body })).status).toBe(403);
    }
  });

  it('rejects both settings in an array if one of them is invalid', async () => {
    const before = await values();
    const body = [
      { settingName: 'fyStartMonth', settingValue: '9' },
      { settingName: 'reportingAccountingBasis', settingValue: '7' },
    ];
    const refusal = await t.refused(calls.saveSettings, { ...auth(), body });
    expect(Object.keys(refusal.fields ?? {})).toEqual(['1.settingValue']);
    expect(await values()).toEqual(before);
  });
});

describe('settings', () => {
  it('default settings are accounts 137–139 and 143, month 1, accrual, and 30 days, with the others off', async () => {
    const { token } = t.world.other.administrator;
    const { customerSettingItems } = await t.call(calls.getSettings, { token });
    expect(customerSettingItems.map((item) => [item.id, item.settingName, item.settingValue])).toEqual([
      [1, 'useAccountNumbers', 'false'],
      [2, 'useProfitCenters', 'false'],
      [3, 'useLocations', 'false'],
      [4, 'defaultARAccountId', '138'],
      [5, 'defaultAPAccountId', '139'],
      [6, 'defaultREAccountId', '137'],
      [7, 'fyStartMonth', '1'],
      [8, 'reportingAccountingBasis', '0'],
      [9, 'closingDate', ''],
      [10, 'termsDays', '30'],
      [11, 'discountsGivenAccountId', '143'],
      [12, 'purchaseDiscountsAccountId', ''],
    ]);
  });

  it('yes/no settings that a client defines are stored by name and returned after the known settings', async () => {
    const own = await t.createCompany();
    const { token } = own.administrator;
    const keep = (settingName: string, settingValue: string | boolean) =>
      t.call(calls.saveSettings, { token, body: { id: 0, settingName, settingValue, changed: true } });
    expect(await keep('showWalkthrough', true)).toEqual({
      id: 1001,
      settingName: 'showWalkthrough',
      settingValue: 'true',
      rowVersion: 1,
    });
    expect(await keep('useTips', 'false')).toMatchObject({ id: 1002, settingValue: 'false' });
    expect(await keep('SHOWWALKTHROUGH', 'False')).toEqual({
      id: 1001,
      settingName: 'showWalkthrough',
      settingValue: 'false',
      rowVersion: 2,
    });
    const body = ['useTips', 'useMore', 'usemore'].map((settingName) => ({ settingName, settingValue: true }));
    expect(await t.call(calls.saveSettings, { token, body })).toMatchObject([{ id: 1002 }, { id: 1003 }, { id: 1003 }]);
    const { customerSettingItems } = await t.call(calls.getSettings, { token });
    expect(customerSettingItems.slice(12)).toEqual([
      { id: 1001, settingName: 'showWalkthrough', settingValue: 'false', rowVersion: 2 },
      { id: 1002, settingName: 'useTips', settingValue: 'true', rowVersion: 2 },
      { id: 1003, settingName: 'useMore', settingValue: 'true', rowVersion: 1 },
    ]);
    const together = ['useA', 'useB'].map((name) => keep(name, true));
    expect(new Set((await Promise.all(together)).map((one) => (one as { id: number }).id))).toEqual(
      new Set([1004, 1005]),
    );
    for (const name of ['a b', '', 'x'.repeat(61)]) {
      const refusal = await t.refused(calls.saveSettings, { token, body: { settingName: name, settingValue: true } });
      expect(Object.keys(refusal.fields ?? {})).toEqual(['settingName']);
    }
    const many = Array.from({ length: 50 }, (_, index) => ({ settingName: `use${index}`, settingValue: true }));
    await t.call(calls.saveSettings, { token, body: many });
    const more = many.map((one) => ({ ...one, settingName: `${one.settingName}more` }));
    const full = await t.refused(calls.saveSettings, { token, body: more });
    expect(full).toMatchObject({ status: 422, message: 'A company can have at most 100 custom settings' });
  });

  it('saving a single setting returns it, updates companySettings, and adds an audit log row', async () => {
    expect(await save('useaccountnumbers', true)).toEqual({
      id: 1,
      settingName: 'useAccountNumbers',
      settingValue: 'true',
      rowVersion: 2,
    });
    const settings = await t.withCtx(t.world.company.bookkeeper, companySettings);
    expect(settings).toMatchObject({ useAccountNumbers: true, useLocations: false, defaultARAccountId: 138 });
    const row = await t.inCompany(companyId(), (tx) =>
      tx.row(sql`
        select before, after from audit_log
        where company_id = ${companyId()} and subject_type = 'setting' order by id desc limit 1`),
    );
    expect(row).toMatchObject({ before: { settingValue: 'false' }, after: { settingValue: 'true' } });
  });

  it('a saved array of settings is returned, and its closing date reaches the ledger and can be cleared', async () => {
    const body = [
      { settingName: 'closingDate', settingValue: '3/31/2026' },
      { settingName: 'fyStartMonth', settingValue: 7 },
    ];
    const saved = await t.call(calls.saveSettings, { ...auth(), body });
    expect(saved).toEqual([
      { id: 9, settingName: 'closingDate', settingValue: '2026-03-31', rowVersion: 1 },
      { id: 7, settingName: 'fyStartMonth', settingValue: '7', rowVersion: 2 },
    ]);
    const closing = () =>
      t.inCompany(companyId(), (tx) =>
        tx.row(sql`select closing_date as date from ledger_head where company_id = ${companyId()}`),
      );
    expect(await closing()).toEqual({ date: '2026-03-31' });
    expect(await values()).toMatchObject({ closingDate: '2026-03-31', fyStartMonth: '7' });
    await save('closingDate', '');
    expect(await closing()).toEqual({ date: null });
  });
});

describe('settings in two browser tabs', () => {
  it('saving an old version of a setting returns 409 with the current settings and changes nothing', async () => {
    const { token } = (await t.createCompany()).administrator;
    const newer: Record<string, string> = {
      useAccountNumbers: 'true',
      useProfitCenters: 'true',
      useLocations: 'true',
      fyStartMonth: '7',
      reportingAccountingBasis: '1',
      closingDate: '2026-10-31',
      termsDays: '10',
      purchaseDiscountsAccountId: '144',
      useTips: 'true',
    };
    await t.call(calls.saveSettings, { token, body: { settingName: 'useTips', settingValue: false } });
    const { customerSettingItems: older } = await t.call(calls.getSettings, { token });
    for (const [settingName, settingValue] of Object.entries(newer)) {
      const seen = older.find((item) => item.settingName === settingName);
      const { rowVersion } = seen ?? {};
      await t.call(calls.saveSettings, { token, body: { settingName, settingValue, rowVersion } });
      const other = { settingName: 'useMore', settingValue: true };
      const back = { settingName, settingValue: settingName === 'closingDate' ? '2026-09-30' : seen?.settingValue };
      const refusal = await t.refused(calls.saveSettings, { token, body: [other, { ...back, rowVersion } as never] });
      expect(refusal).toMatchObject({ status: 409, code: 'stale' });
      expect(refusal.current).toMatchObject({
        customerSettingItems: expect.arrayContaining([expect.objectContaining({ settingName, settingValue })]),
      });
      // Saving the current value again is not a conflict.
      await t.call(calls.saveSettings, { token, body: { settingName, settingValue, rowVersion } });
    }
    const { customerSettingItems: now } = await t.call(calls.getSettings, { token });
    expect(now.map((item) => item.settingName)).not.toContain('useMore');
    expect(Object.fromEntries(now.map((item) => [item.settingName, item.settingValue]))).toMatchObject(newer);
  });

  it('if the same version is saved twice at the same time, only the first save succeeds', async () => {
    const { token } = (await t.createCompany()).administrator;
    const save = (settingValue: string) =>
      t.call(calls.saveSettings, { token, body: { settingName: 'closingDate', settingValue, rowVersion: 0 } }).then(
        () => true,
        () => false,
      );
    const saved = await Promise.all(['2026-10-31', '2026-09-30', '2026-08-31'].map(save));
    expect(saved.filter(Boolean)).toHaveLength(1);
  });
});

describe('the company', () => {
  it('reading or saving another company returns 404', async () => {
    const params = { id: t.world.other.companyId };
    expect((await t.refused(calls.getCompanyById, { ...auth(), params })).status).toBe(404);
    const body = { displayname: 'Taken over' };
    expect((await t.refused(calls.updateCompany, { ...auth(), params, body })).status).toBe(404);
    const other = await t.call(calls.getCompany, { token: t.world.other.administrator.token });
    expect(other.displayname).toBe('Second Street');
  });

  it.each([
    ['displayname', ' ', 'Please enter a Company name'],
    ['timeZone', 'Mars/Olympus', 'Please select a time zone'],
    ['emailAddress', 'nobody', 'Please enter a valid email address'],
    ['countryId', 7, 'Please Select a Country'],
  ])('a company with %s = %s is rejected', async (field, value, message) => {
    const params = { id: companyId() };
    const refusal = await t.refused(calls.updateCompany, { ...auth(), params, body: { [field]: value } });
    expect(refusal).toMatchObject({ status: 422, fields: { [field]: message } });
  });

  it('a new time zone applies to every membership, and a save keeps the fields that it omits', async () => {
    const params = { id: companyId() };
    const first = await t.call(calls.updateCompany, {
      ...auth(),
      params,
      body: { displayname: 'Harbor Supply Co', city: 'Akron', timeZone: 'Pacific/Auckland' },
    });
    expect(first).toMatchObject({ displayname: 'Harbor Supply Co', city: 'Akron', countryId: 341 });
    const zones = await t.pool.query('select distinct time_zone from membership where company_id = $1', [companyId()]);
    expect(zones.rows).toEqual([{ time_zone: 'Pacific/Auckland' }]);
    const body = { address1: '1 Main Street', rowVersion: first.rowVersion };
    const second = await t.call(calls.updateCompany, { ...auth(), params, body });
    expect(second).toMatchObject({ displayname: 'Harbor Supply Co', city: 'Akron', address1: '1 Main Street' });
    expect((await t.refused(calls.updateCompany, { ...auth(), params, body })).code).toBe('stale');
    expect(await t.call(calls.getCompanyById, { ...auth(), params })).toEqual(second);
  });
});

describe('lookup lists', () => {
  it('there are 249 countries: 341 United States as the default, 342 Canada, and then the others by name', async () => {
    const countries = await t.call(calls.listCountries, auth());
    expect(countries).toHaveLength(249);
    expect(countries.slice(0, 3)).toEqual([
      { countryId: 341, countryName: 'United States', defaultCountry: true, addressFormatType: 0 },
      { countryId: 342, countryName: 'Canada', defaultCountry: false, addressFormatType: 1 },
      { countryId: 343, countryName: 'Afghanistan', defaultCountry: false, addressFormatType: 2 },
    ]);
    expect(new Set(countries.map((country) => country.countryId)).size).toBe(249);
  });

  it('there are 56 states and territories and 13 provinces, and an unknown list returns 404', async () => {
    const states = await t.call(calls.listStates, { ...auth(), params: { kind: 1 } });
    expect([states.length, states.find((state) => state.abbrev === 'OH')?.displayName]).toEqual([56, 'Ohio']);
    const provinces = await t.call(calls.listStates, { ...auth(), params: { kind: 2 } });
    expect([provinces.length, provinces[0]?.displayName]).toEqual([13, 'Alberta']);
    expect((await t.refused(calls.listStates, { ...auth(), params: { kind: 3 } })).status).toBe(404);
  });

  it('only the custom fields that the company defined for the kind are listed', async () => {
    for (const id of [companyId(), t.world.other.companyId]) {
      await t.inCompany(id, (tx) =>
        tx.rows(sql`
          insert into extended_property (company_id, kind, display_name, data_type)
          values (${id}, 0, ${`Gate code of ${id}`}, 2)`),
      );
    }
    const own = await t.call(calls.entityDetails, { ...auth(), params: { kind: 0 } });
    expect(own.map((each) => [each.displayName, each.dataType])).toEqual([[`Gate code of ${companyId()}`, 2]]);
    expect(await t.call(calls.entityDetails, { ...auth(), params: { kind: 1 } })).toEqual([]);
    expect((await t.refused(calls.entityDetails, { ...auth(), params: { kind: 3 } })).status).toBe(404);
  });
});
