import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsCalls as calls } from '@evenkeel/contract/settings';
import { factoryFor } from '../../testing/factories.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const companyId = () => t.world.company.companyId;
const auth = () => ({ token: t.world.company.administrator.token });
const ohio = { id: -1, label: 'Ohio', salesTaxType: 0, percentage: 5.75 };
const summit = { id: -2, label: '', salesTaxType: 2, percentage: 1 };
const scenario = (change: Record<string, unknown> = {}) => ({
  id: 0,
  glAccountId: 123,
  filingFrequency: 3,
  salesTaxItems: [ohio, summit],
  ...change,
});

describe('sales tax scenario validation', () => {
  const cases: [string, Record<string, unknown>, string, string][] = [
    ['without an account', { glAccountId: 0 }, 'glAccountId', 'Please Select an Account'],
    ['on an income account', { glAccountId: 140 }, 'glAccountId', 'Please Select an Account'],
    ['on accounts payable', { glAccountId: 139 }, 'glAccountId', 'Please Select an Account'],
    ['on account 98765', { glAccountId: 98_765 }, 'glAccountId', 'Please Select an Account'],
    ['without a frequency', { filingFrequency: null }, 'filingFrequency', 'Please Select a Frequency'],
    ['with frequency 4', { filingFrequency: 4 }, 'filingFrequency', 'Please Select a Frequency'],
    [
      'with type 4',
      { salesTaxItems: [{ ...ohio, salesTaxType: 4 }] },
      'salesTaxItems.0.salesTaxType',
      'Please Select a Sales Tax Type',
    ],
    [
      'with -0.5%',
      { salesTaxItems: [{ ...ohio, percentage: -0.5 }] },
      'salesTaxItems.0.percentage',
      'Please enter a percentage from 0 to 100',
    ],
    [
      'with 100.1%',
      { salesTaxItems: [ohio, { ...ohio, percentage: 100.1 }] },
      'salesTaxItems.1.percentage',
      'Please enter a percentage from 0 to 100',
    ],
    ['with item 77', { salesTaxItems: [{ ...ohio, id: 77 }] }, 'salesTaxItems.0.id', "This tax item doesn't exist"],
  ];
  it.each(cases)('rejects a scenario %s and saves nothing', async (_name, change, field, message) => {
    const count = async () => [
      await countRows(t, companyId(), 'sales_tax_scenario'),
      await countRows(t, companyId(), 'sales_tax_item'),
      await countRows(t, companyId(), 'audit_log'),
    ];
    const before = await count();
    const refusal = await t.refused(calls.createSalesTax, { ...auth(), body: scenario(change) });
    expect(refusal).toMatchObject({ status: 422, fields: { [field]: message } });
    expect(await count()).toEqual(before);
  });

  it('rejects a tax rate with 7 decimal places (400) and a save by a superuser (403)', async () => {
    const body = scenario({ salesTaxItems: [{ ...ohio, percentage: 5.0000001 }] });
    expect((await t.refused(calls.createSalesTax, { ...auth(), body })).status).toBe(400);
    const { token } = t.world.company.superuser;
    expect((await t.refused(calls.createSalesTax, { token, body: scenario() })).status).toBe(403);
  });
});

describe('sales tax scenarios', () => {
  it("the first tax scenario replaces a new company's empty scenario and applies to its invoices", async () => {
    const company = await t.createCompany();
    const { token } = company.administrator;
    const [empty] = await t.call(calls.listSalesTax, { token });
    expect(empty?.salesTaxItems).toEqual([]);
    const [one, other] = await Promise.all(
      [scenario(), scenario()].map((body) => t.call(calls.createSalesTax, { token, body })),
    );
    // The two simultaneous requests run one after the other. Either one can replace the empty scenario.
    expect([one?.id, other?.id].toSorted((a = 0, b = 0) => a - b)[0]).toBe(empty?.id);
    expect(one?.id).not.toBe(other?.id);
    expect(await t.call(calls.listSalesTax, { token })).toHaveLength(2);
    const make = factoryFor(t, company);
    const lineItems = [{ description: 'Work', itemPrice: 100, quantity: 1, accountId: 140, taxable: true }];
    const invoice = await make.invoice({ customerId: await make.customer(), lineItems });
    expect(invoice).toMatchObject({ salesTaxScenario: empty?.id, salesTaxAmount: 675 });
  });

  it('a named tax scenario is listed after the empty default', async () => {
    const { token } = (await t.createCompany()).administrator;
    const made = await t.call(calls.createSalesTax, { token, body: scenario({ name: 'Summit County' }) });
    const list = await t.call(calls.listSalesTax, { token });
    expect(list.map(({ name, salesTaxItems }) => [name, salesTaxItems.length])).toEqual([
      ['', 0],
      ['Summit County', 2],
    ]);
    expect(list[0]?.id).toBeLessThan(made.id);
  });

  it('a tax scenario returns its items, such as Ohio 5.75% and County 1.00%', async () => {
    await t.call(calls.createSalesTax, { ...auth(), body: scenario() });
    const made = await t.call(calls.createSalesTax, { ...auth(), body: scenario() });
    expect(made.salesTaxItems.map((item) => [item.displayLabel, item.displayValue, Number(item.percentage)])).toEqual([
      ['Ohio', '5.75%', 5.75],
      ['County', '1.00%', 1],
    ]);
    expect(made.salesTaxItems.every((item) => item.id > 0 && !item.deleted)).toBe(true);
    const list = await t.call(calls.listSalesTax, auth());
    expect(list.at(-1)?.id).toBe(made.id);
    expect(list[0]?.id).toBeLessThan(made.id);
    expect(await t.call(calls.getSalesTax, { ...auth(), params: { id: made.id } })).toEqual(made);
  });

  it('a saved tax scenario keeps the IDs of its items, hides the deleted item, and adds the new item', async () => {
    const made = await t.call(calls.createSalesTax, { ...auth(), body: scenario() });
    const [first, second] = made.salesTaxItems;
    const salesTaxItems = [
      { id: first?.id, label: 'Ohio', salesTaxType: 0, percentage: 5.8 },
      { id: second?.id, label: '', salesTaxType: 2, percentage: 1, deleted: true },
      { id: -1, label: 'Akron', salesTaxType: 1, percentage: 0.125 },
    ];
    const params = { id: made.id };
    const body = scenario({ salesTaxItems, rowVersion: made.rowVersion, filingFrequency: 0 });
    const saved = await t.call(calls.updateSalesTax, { ...auth(), params, body });
    expect(saved.salesTaxItems.map((item) => [item.displayLabel, item.displayValue])).toEqual([
      ['Ohio', '5.80%'],
      ['Akron', '0.125%'],
    ]);
    expect(saved.salesTaxItems[0]?.id).toBe(first?.id);
    expect(saved).toMatchObject({ filingFrequency: 0, rowVersion: made.rowVersion + 1 });
    const stale = await t.refused(calls.updateSalesTax, { ...auth(), params, body });
    expect(stale).toMatchObject({ status: 409, code: 'stale', current: { rowVersion: saved.rowVersion } });
  });

  it("another company's tax scenarios can't be read or saved, and their items can't be used", async () => {
    const token = t.world.other.administrator.token;
    const theirs = await t.call(calls.createSalesTax, { token, body: scenario() });
    const params = { id: theirs.id };
    expect((await t.refused(calls.getSalesTax, { ...auth(), params })).status).toBe(404);
    expect((await t.refused(calls.updateSalesTax, { ...auth(), params, body: scenario() })).status).toBe(404);
    const body = scenario({ salesTaxItems: [{ ...ohio, id: theirs.salesTaxItems[0]?.id }] });
    expect((await t.refused(calls.createSalesTax, { ...auth(), body })).status).toBe(422);
    expect(await t.call(calls.getSalesTax, { token, params })).toEqual(theirs);
  });

  it('a tax scenario has a name, which stays the same if a save omits it', async () => {
    const made = await t.call(calls.createSalesTax, { ...auth(), body: scenario({ name: 'Portage County' }) });
    expect(made.name).toBe('Portage County');
    const params = { id: made.id };
    const kept = await t.call(calls.updateSalesTax, { ...auth(), params, body: scenario({ salesTaxItems: [] }) });
    expect(kept.name).toBe('Portage County');
    const body = scenario({ name: 'Portage', salesTaxItems: [] });
    expect((await t.call(calls.updateSalesTax, { ...auth(), params, body })).name).toBe('Portage');
  });
});
