import { afterAll, beforeAll, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { settingsCalls, type SalesTaxScenario } from '@evenkeel/contract/settings';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { factoryFor, type Factory } from '../../testing/factories.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { WorldCompany } from '../../testing/world.ts';

/** Sales tax at a combined rate (RCW 82.08.054, R.C. 5739.025(E)), and rates with effective dates. */

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let customerId: number;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  make = factoryFor(t, company);
  customerId = await make.customer();
});
afterAll(() => t.close());

const token = () => company.administrator.token;
const isSound = async () => expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);

/** Returns tax items in the format in which a client sends them. */
const sent = (items: SalesTaxScenario['salesTaxItems']) =>
  items.map(({ rates: _, ...each }) => ({ ...each, percentage: Number(each.percentage) }));

/** Saves the company's first scenario. */
async function save(change: object) {
  const [first] = await t.call(settingsCalls.listSalesTax, { token: token() });
  if (first === undefined) throw new Error('the company has no scenario');
  const body = { glAccountId: 123, filingFrequency: 3, salesTaxItems: sent(first.salesTaxItems), ...change };
  return t.call(settingsCalls.updateSalesTax, { token: token(), params: { id: first.id }, body });
}

const item = (percentage: number) => ({ id: -1, label: '', salesTaxType: 0, percentage });
const line = (itemPrice: number, description = 'Work') => {
  return { description, itemPrice, quantity: 1, accountId: 140, taxable: true };
};
const invoice = (lineItems: ReturnType<typeof line>[], invoiceDate = '2026-03-10') =>
  make.invoice({ customerId, lineItems, invoiceDate });

it('tax at a combined rate is rounded once, including on an edited invoice and its credit memos', async () => {
  await save({ taxRounding: 'combined', salesTaxItems: [item(6.5), item(3.7)] });
  const made = await invoice([line(1.5)]);
  expect(made).toMatchObject({ salesTaxAmount: 15, invoiceAmount: 165 });
  expect(made.taxItems.map(({ total, combined }) => [total, combined])).toEqual([
    [10, true],
    [5, true],
  ]);
  const plain = await save({ taxRounding: 'item' });
  expect(plain.taxRounding).toBe('item');
  expect(await invoice([line(1.5)])).toMatchObject({ salesTaxAmount: 16 });
  const { rowVersion, invoiceNumber, invoiceDate } = made;
  const body = { id: made.id, customerId, invoiceNumber, invoiceDate, rowVersion, lineItems: [line(4.5)] };
  const edited = await t.call(billingCalls.updateInvoice, { token: token(), body });
  // The exact tax, 10.2% of 4.50, is 0.459.
  expect(edited).toMatchObject({ salesTaxAmount: 46 });
  const [only] = edited.lineItems;
  const part = (quantity: number) => ({ ...line(4.5), quantity, creditedLineId: only?.id });
  const first = await make.credit({ customerId, creditedInvoiceId: made.id, lineItems: [part(0.4)] });
  const rest = await make.credit({ customerId, creditedInvoiceId: made.id, lineItems: [part(0.6)] });
  expect(Math.abs(first.salesTaxAmount) + Math.abs(rest.salesTaxAmount)).toBe(46);
  await isSound();
});

it('an invoice uses the tax rate in effect on its date, and a later rate changes no saved invoice', async () => {
  await save({ taxRounding: 'item', salesTaxItems: [item(6)] });
  const before = await invoice([line(100)], '2026-06-30');
  const [saved] = (await t.call(settingsCalls.listSalesTax, { token: token() }))[0]?.salesTaxItems ?? [];
  if (saved === undefined) throw new Error('the scenario has no item');
  const rates = [
    { from: '2027-01-01', percentage: 6.5 },
    { from: '2026-07-01', percentage: 6.25 },
  ];
  const scenario = await save({ salesTaxItems: [{ ...saved, percentage: 6, rates }] });
  expect(scenario.salesTaxItems[0]?.rates.map(({ from }) => from)).toEqual(['2026-07-01', '2027-01-01']);
  const taxOn = async (date: string) => (await invoice([line(100)], date)).salesTaxAmount;
  expect([await taxOn('2026-06-30'), await taxOn('2026-07-01'), await taxOn('2027-01-01')]).toEqual([600, 625, 650]);
  const { rowVersion, invoiceNumber } = before;
  const edit = (invoiceDate: string, version: number) =>
    t.call(billingCalls.updateInvoice, {
      token: token(),
      body: { id: before.id, customerId, invoiceNumber, invoiceDate, rowVersion: version, lineItems: [line(200)] },
    });
  const same = await edit('2026-06-30', rowVersion);
  expect(same.salesTaxAmount).toBe(1200);
  expect((await edit('2026-07-02', same.rowVersion)).salesTaxAmount).toBe(1250);
  // A client that isn't aware of later rates doesn't delete them.
  const { rates: _, ...known } = saved;
  const kept = await save({ salesTaxItems: [{ ...known, percentage: 6, label: 'State' }] });
  expect(kept.salesTaxItems[0]).toMatchObject({ label: 'State', rates: scenario.salesTaxItems[0]?.rates });
  await isSound();
});

it('two tax rates with the same start date, and a rate above 100%, are rejected with field errors', async () => {
  const rates = [
    { from: '2027-01-01', percentage: 6.5 },
    { from: '2027-01-01', percentage: 100.5 },
  ];
  const [first] = await t.call(settingsCalls.listSalesTax, { token: token() });
  const body = { glAccountId: 123, filingFrequency: 3, salesTaxItems: [{ ...item(6), rates }] };
  const refusal = await t.refused(settingsCalls.updateSalesTax, {
    token: token(),
    params: { id: first?.id ?? 0 },
    body,
  });
  expect(refusal).toMatchObject({
    status: 422,
    fields: {
      'salesTaxItems.0.rates.1.from': 'Another rate starts on this date',
      'salesTaxItems.0.rates.1.percentage': 'Please enter a percentage from 0 to 100',
    },
  });
});
