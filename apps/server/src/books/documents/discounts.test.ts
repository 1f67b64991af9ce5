import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { reportCalls } from '@evenkeel/contract/reports';
import { settingsCalls } from '@evenkeel/contract/settings';
import { pageRows } from '@evenkeel/core/reports/page';
import { reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import { invoiceTerms } from '@evenkeel/core/documents/terms';
import { invoicePaper } from '../../features/billing/invoice-sent.ts';
import { receiptPaperOf } from '../../features/billing/print.ts';
import { readParties } from '../../features/entities/parties.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { type RawAnswer, startTestApp, type TestApp } from '../../testing/app.ts';
import { CHECK, checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let customerId: number;
let bankAccountId: number;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  bankAccountId = await checkingOf(t, company.companyId);
  customerId = await make.customer('Harbor View');
  const body = { discountPercent: 2, discountDays: 10 };
  await t.call(entityCalls.updateCustomer, { ...admin(), params: { id: customerId }, body });
});

type Answer = RawAnswer & {
  body: { id: number; message: string; fields?: Record<string, string>; paymentApplications: unknown[] };
};
const admin = () => ({ token: company.administrator.token });
const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object, key?: string) =>
  t.request({
    method,
    url,
    token: make.token,
    ...(body && { body }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  }) as Promise<Answer>;
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const isSound = async () => expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
const openOf = async (id: number) =>
  (await t.call(billingCalls.getInvoice, { token: make.token, params: { id } })).openAmount;
const set = (settingName: string, settingValue: string) =>
  t.call(settingsCalls.saveSettings, { ...admin(), body: { settingName, settingValue } });

/** Builds a payment that pays one invoice and takes a discount. The amounts are in dollars. */
const paying = (invoiceId: number, amount: number, discountAmount: number | undefined, given: object = {}) => ({
  customerId,
  paymentDate: '2026-03-20',
  paymentTypeId: CHECK,
  bankAccountId,
  paymentAmount: amount,
  paymentApplications: [{ invoiceId, amount, discountAmount }],
  ...given,
});
const pay = (...given: Parameters<typeof paying>) => send('POST', '/api/billingpayment', paying(...given));

/**
 * Returns the rows of an as-of report, without its headings. Each row is text: "words | amounts", with the amounts in
 * cents.
 */
async function rows(report: ReportName, basis: 0 | 1 = 0, reportdate = '2026-12-31', given: object = {}) {
  const params = { startdate: '2026-01-01', reportdate, basis, ...given };
  const reportParams = Object.entries(params).map(([paramName, value]) => {
    return { paramType: 3, paramName, paramvalue: String(value) };
  });
  const sent = { params: { reportId: String(reportKinds[report].id) }, body: { reportParams } };
  const answer = await t.call(reportCalls.runReport, { ...admin(), ...sent });
  return pageRows(answer)
    .filter(({ look }) => look !== 'heads')
    .map(({ cells }) => cells.map((cell) => ('amount' in cell ? String(cell.amount ?? '') : cell.text)).join(' | '));
}

/** Creates an invoice for 100.00 with 8% tax. */
async function taxedInvoice() {
  await make.tax([{ label: 'Sales tax', salesTaxType: 0, percentage: '8' }]);
  const lineItems = [{ description: 'Pump', itemPrice: 50, quantity: 2, accountId: 140, taxable: true }];
  return make.invoice({ customerId, lineItems });
}

describe('simultaneous discounts', () => {
  test('if three payments are saved at the same time, one takes the discount and the others are rejected', async () => {
    const invoice = await make.invoice({ customerId, amount: 100 });
    const both = await Promise.all([1, 2, 3].map(() => pay(invoice.id, 98, 2)));
    expect(statuses(both)).toEqual([200, 422, 422]);
    expect(await openOf(invoice.id)).toBe(0);
    await isSound();
  });

  test('a payment that is repeated after a lost response takes only one discount', async () => {
    const invoice = await make.invoice({ customerId, amount: 100 });
    const half = () => send('POST', '/api/billingpayment', paying(invoice.id, 49, 1), 'sent-twice');
    const [first, second] = [await half(), await half()];
    expect([first.status, second.status, second.body.id]).toEqual([200, 200, first.body.id]);
    expect(await openOf(invoice.id)).toBe(5000);
    await isSound();
  });

  test('a payment that is edited and deleted at the same time is deleted, and the invoice is open again', async () => {
    const invoice = await make.invoice({ customerId, amount: 100 });
    const { body } = await pay(invoice.id, 98, 2);
    const [edited, gone] = await Promise.all([
      send('PUT', '/api/billingpayment', paying(invoice.id, 98, 1, { id: body.id })),
      send('DELETE', `/api/billingpayment/${body.id}`),
    ]);
    expect([200, 404]).toContain(edited.status);
    expect(gone.status).toBe(200);
    expect(await openOf(invoice.id)).toBe(10000);
    await isSound();
  });
});

// The worked example from docs/accounting.md, "Early-payment discounts".
test('the second of two payments on a taxed invoice takes the discount, and both bases show it', async () => {
  const invoice = await taxedInvoice();
  expect(invoice).toMatchObject({ discountPercent: 2, discountUntil: '2026-03-20', invoiceAmount: 10800 });
  await make.payment({ customerId, paymentAmount: 54 });
  const params = { customerId };
  const [open] = await t.call(billingCalls.openInvoices, { token: make.token, params });
  expect(open).toMatchObject({ openAmount: 5400, discount: { amount: 216, until: '2026-03-20', taken: 0 } });
  const paper = () => t.withCtx(company.administrator, (ctx) => invoicePaper(ctx, invoice.id));
  expect((await paper()).notes).toEqual(['2% discount if paid by 3/20/2026: 2.16']);
  expect(invoiceTerms(invoice)).toBe('2% discount if paid by 3/20/2026, net 30');
  const { status, body } = await pay(invoice.id, 51.84, 2.16);
  expect(status).toBe(200);
  expect(body.paymentApplications).toMatchObject([{ invoiceId: invoice.id, amount: 51.84, discountAmount: 2.16 }]);
  expect(await openOf(invoice.id)).toBe(0);
  const accrual = (await rows('trialBalance')).join('\n');
  for (const line of [
    /Sales \|  \| 10000/,
    /Discounts Given \| 216/,
    /Sales Tax Payable \|  \| 800/,
    /Checking \| 10584/,
  ])
    expect(accrual).toMatch(line);
  const cash = (await rows('trialBalance', 1)).join('\n');
  for (const line of [/Sales \|  \| 9800/, /Sales Tax Payable \|  \| 784/, /Checking \| 10584/])
    expect(cash).toMatch(line);
  expect(cash).not.toMatch(/Discounts Given|Receivable|Unapplied/);
  expect(await rows('salesByCustomer', 1)).toEqual(expect.arrayContaining([expect.stringMatching(/\| 9800$/)]));
  const owed = async (day: string) => (await rows('customerAging', 0, day)).at(-1)?.split(' | ').at(-1);
  expect([await owed('2026-03-19'), await owed('2026-03-20')]).toEqual(['10800', '0']);
  const statement = (await rows('customerStatement', 0, '2026-12-31', { customerId })).join('\n');
  expect(statement).toMatch(/Payment \| 2 \| .*-5184.*\n.*Discount \| 2 \| .*-216 \| 0/);
  const activity = await t.call(billingCalls.customerActivity, { token: make.token, params, query: {} });
  const listed = Array.isArray(activity) ? activity : activity.items;
  expect(listed.map(({ amount, discountAmount, balance }) => [amount, discountAmount, balance])).toEqual([
    [-5400, -216, 0],
    [-5400, undefined, 5400],
    [10800, undefined, 10800],
  ]);
  const paidBy = await t.call(billingCalls.invoicePayments, { token: make.token, params: { id: invoice.id } });
  expect(paidBy.map(({ amount, discountAmount }) => [amount, discountAmount])).toEqual([
    [5184, 216],
    [5400, undefined],
  ]);
  expect((await paper()).notes).toEqual([]);
  const receipt = await t.call(billingCalls.getPayment, { token: make.token, params: { id: body.id } });
  const { parties } = await t.withCtx(company.administrator, (ctx) => readParties(ctx, customerId));
  expect(receiptPaperOf({ ...parties, payment: receipt }).paid).toEqual([
    { text: `Invoice ${invoice.invoiceNumber}, less a discount of 2.16`, amount: 5184 },
  ]);
  await isSound();
});

describe('the discount that a payment takes', () => {
  test('an edit keeps or changes the discount, and deleting the payment removes it', async () => {
    const invoice = await make.invoice({ customerId, amount: 100 });
    const { body } = await pay(invoice.id, 98, 2);
    const kept = await send('PUT', '/api/billingpayment', paying(invoice.id, 98, undefined, { id: body.id }));
    expect(kept.body.paymentApplications).toMatchObject([{ amount: 98, discountAmount: 2 }]);
    const less = await send('PUT', '/api/billingpayment', paying(invoice.id, 98, 0.5, { id: body.id }));
    expect(less.body.paymentApplications).toMatchObject([{ amount: 98, discountAmount: 0.5 }]);
    expect(await openOf(invoice.id)).toBe(150);
    const params = { customerId, paymentId: body.id };
    const [open] = await t.call(billingCalls.openInvoicesForPayment, { token: make.token, params });
    expect(open).toMatchObject({ appliedAmount: 9850, applyAmount: 9800, discount: { amount: 200, taken: 50 } });
    const none = await send('PUT', '/api/billingpayment', paying(invoice.id, 98, 0, { id: body.id }));
    expect(none.body.paymentApplications[0]).not.toHaveProperty('discountAmount');
    await isSound();
    expect((await send('DELETE', `/api/billingpayment/${body.id}`)).status).toBe(200);
    expect(await openOf(invoice.id)).toBe(10000);
    expect((await rows('trialBalance')).join('\n')).not.toMatch(/Discounts Given/);
    await isSound();
  });

  test('rejects a discount above the open balance, below zero, or on a credit, but accepts a late one', async () => {
    const invoice = await make.invoice({ customerId, amount: 100 });
    const over = await pay(invoice.id, 98, 3);
    expect([over.status, over.body.fields]).toEqual([422, { 'paymentApplications.0.discountAmount': 'At most $2.00' }]);
    expect((await pay(invoice.id, 98, -1)).body.message).toBe('A discount cannot be negative');
    const credit = await make.credit({ customerId, amount: 10 });
    const paymentApplications = [
      { invoiceId: invoice.id, amount: 20 },
      { invoiceId: credit.id, amount: -10, discountAmount: 1 },
    ];
    expect((await pay(invoice.id, 10, 0, { paymentApplications })).body.message).toContain(
      "A discount can't be more than",
    );
    expect((await pay(invoice.id, 90, 10, { paymentDate: '2026-06-01' })).status).toBe(200);
    await isSound();
  });

  test('a discount in a closed period is reversed on the first open day, and a new one is rejected', async () => {
    const invoice = await make.invoice({ customerId, amount: 100 });
    const other = await make.invoice({ customerId, amount: 50 });
    const { body } = await pay(invoice.id, 98, 2, { paymentAmount: 100 });
    await set('closingDate', '2026-03-31');
    expect((await pay(other.id, 49, 1)).status).toBe(422);
    const change = (discountAmount: number | undefined, amount = 98) =>
      send(
        'PUT',
        '/api/billingpayment',
        paying(invoice.id, amount, discountAmount, { id: body.id, paymentAmount: 100 }),
      );
    expect((await change(0, 100)).body.message).toContain(
      "You can't change a discount dated on or before the closing date",
    );
    expect((await change(1)).status).toBe(200);
    expect((await rows('trialBalance', 0, '2026-03-31')).join('\n')).toMatch(/Discounts Given \| 200/);
    expect((await rows('trialBalance')).join('\n')).toMatch(/Discounts Given \| 100/);
    await isSound();
    expect((await change(2)).status).toBe(200);
    expect((await change(undefined, 90)).status).toBe(200);
    expect(await openOf(invoice.id)).toBe(800);
    await isSound();
    const moved = paying(other.id, 49, 1, { id: body.id, paymentAmount: 100 });
    expect((await send('PUT', '/api/billingpayment', moved)).status).toBe(200);
    expect([await openOf(invoice.id), await openOf(other.id)]).toEqual([10000, 0]);
    await isSound();
  });

  test('if a payment is dated before its invoice, the discount is posted on the invoice date', async () => {
    const invoice = await make.invoice({ customerId, amount: 100, invoiceDate: '2026-05-01' });
    expect((await pay(invoice.id, 98, 2)).status).toBe(200);
    const on = async (day: string) => (await rows('trialBalance', 0, day)).join('\n');
    expect(await on('2026-04-30')).not.toMatch(/Discounts Given/);
    expect(await on('2026-05-01')).toMatch(/Discounts Given \| 200/);
    await isSound();
  });
});

describe('the discount on an invoice', () => {
  test('the discount is based on the terms until a user changes it, and later edits keep the change', async () => {
    const bare = {
      customerId,
      invoiceDate: '2026-03-10',
      lineItems: [{ description: 'Work', itemPrice: 10, quantity: 1, accountId: 140 }],
    };
    const invoice = await make.invoice(bare);
    expect(invoice).toMatchObject({ discountPercent: 2, discountUntil: '2026-03-20' });
    const id = customerId;
    await t.call(entityCalls.updateCustomer, {
      ...admin(),
      params: { id },
      body: { discountPercent: 3, discountDays: 5 },
    });
    const save = (given: object) =>
      t.call(billingCalls.updateInvoice, { token: make.token, body: { ...bare, id: invoice.id, ...given } });
    expect(await save({})).toMatchObject({ discountPercent: 2, discountUntil: '2026-03-20' });
    expect(await save({ discountPercent: 4 })).toMatchObject({ discountPercent: 4, discountUntil: '2026-03-20' });
    expect(await save({ discountPercent: null })).not.toHaveProperty('discountPercent');
    expect(await save({ invoiceDate: '2026-04-01' })).toMatchObject({
      discountPercent: 3,
      discountUntil: '2026-04-06',
    });
    const wrong = { ...bare, id: invoice.id, discountPercent: 2, discountUntil: '2026-03-01' };
    const refusal = await t.refused(billingCalls.updateInvoice, { token: make.token, body: wrong });
    expect(Object.keys(refusal.fields ?? {})).toEqual(['discountUntil']);
    const half = { discountPercent: 2, discountDays: null };
    const refused = await t.refused(entityCalls.updateCustomer, { ...admin(), params: { id }, body: half });
    expect(Object.keys(refused.fields ?? {})).toEqual(['discountDays']);
  });
});

test('a bill takes its discount after the company chooses an account for it', async () => {
  const vendorId = await make.vendor('Valley Nursery');
  const terms = { discountPercent: 1, discountDays: 10 };
  await t.call(entityCalls.updateVendor, { ...admin(), params: { id: vendorId }, body: terms });
  const bill = await make.bill({ vendorId, amount: 200 });
  expect(bill).toMatchObject({ discountPercent: 1, discountUntil: '2026-03-20' });
  const [open] = await t.call(expenseCalls.vendorOpenInvoices, { token: make.token, params: { vendorId } });
  expect(open).toMatchObject({ discount: { amount: 200, until: '2026-03-20' } });
  const paymentApplications = [{ invoiceId: bill.id, amount: 198, discountAmount: 2 }];
  const body = { vendorId, paymentDate: '2026-03-20', bankAccountId, paymentAmount: 198, paymentApplications };
  const refused = await send('POST', '/api/expensepayment', body);
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'Select an account for purchase discounts in Settings > Financial Info first',
  ]);
  await set('purchaseDiscountsAccountId', '143');
  expect((await send('POST', '/api/expensepayment', body)).status).toBe(200);
  expect((await rows('trialBalance')).join('\n')).toMatch(/Discounts Given \|  \| 200/);
  expect((await rows('trialBalance', 1)).join('\n')).not.toMatch(/Discounts Given|Payable/);
  await isSound();
});

describe('a discount of 39.00 offered on an invoice for 2,450.00 with 500.00 returned', () => {
  const credited = (creditedInvoiceId: number, creditedLineId: number, given: object = {}) =>
    send('POST', '/api/billingcredit', {
      customerId,
      invoiceDate: '2026-03-15',
      creditedInvoiceId,
      lineItems: [{ creditedLineId, quantity: 1, description: '', itemPrice: 0 }],
      ...given,
    });
  const tents = { description: 'Tent', itemPrice: 490, quantity: 5, accountId: 140 };
  const offered = async () => {
    const [open] = await t.call(billingCalls.openInvoices, { token: make.token, params: { customerId } });
    return open?.discount?.amount;
  };
  const notes = async (id: number) =>
    (await t.withCtx(company.administrator, (ctx) => invoicePaper(ctx, id))).notes?.find((note) => note.includes('%'));

  test("a credit memo reduces an invoice's discount until the memo is deleted, whether applied or not", async () => {
    const invoice = await make.invoice({ customerId, lineItems: [{ ...tents, itemPrice: 500, quantity: 4.9 }] });
    expect(await offered()).toBe(4900);
    const memo = await credited(invoice.id, invoice.lineItems[0]?.id ?? 0);
    expect(await offered()).toBe(3900);
    expect(await notes(invoice.id)).toBe('2% discount if paid by 3/20/2026: 39.00');
    expect(await t.call(billingCalls.getInvoice, { token: make.token, params: { id: invoice.id } })).toMatchObject({
      discountPercent: 2,
      returnedAmount: 50000,
    });
    const apply = [
      { invoiceId: memo.body.id, amount: -500 },
      { invoiceId: invoice.id, amount: 500 },
    ];
    const payment = await make.payment({ customerId, paymentAmount: 0, paymentApplications: apply });
    expect(await offered()).toBe(3900);
    await send('DELETE', `/api/billingpayment/${payment.id}`);
    await send('DELETE', `/api/billingcredit/${memo.body.id}`);
    expect(await offered()).toBe(4900);
    await isSound();
  });

  test('a discount is reduced by an applied credit, but not by another invoice’s credit or a write-off', async () => {
    const invoice = await make.invoice({ customerId, lineItems: [tents] });
    const other = await make.invoice({ customerId, amount: 500, invoiceDate: '2026-03-12' });
    const free = await make.credit({ customerId, amount: 500 });
    expect(await offered()).toBe(4900);
    const use = (creditId: number, invoiceId: number) =>
      make.payment({
        customerId,
        paymentAmount: 0,
        paymentApplications: [
          { invoiceId: creditId, amount: -500 },
          { invoiceId, amount: 500 },
        ],
      });
    await use(free.id, invoice.id);
    expect(await offered()).toBe(3900);
    const memo = await credited(other.id, other.lineItems[0]?.id ?? 0);
    await use(memo.body.id, invoice.id);
    expect(await offered()).toBe(3900);
    expect(
      (await send('POST', '/api/writeoff', { invoiceId: other.id, amount: 500, writeOffDate: '2026-05-01' })).status,
    ).toBe(200);
    expect(await notes(invoice.id)).toBe('2% discount if paid by 3/20/2026: 39.00');
    await isSound();
  });

  test("a vendor credit applied to a bill with or before the payment reduces the bill's discount", async () => {
    const vendorId = await make.vendor('Valley Nursery');
    const terms = { discountPercent: 2, discountDays: 10 };
    await t.call(entityCalls.updateVendor, { ...admin(), params: { id: vendorId }, body: terms });
    const bill = await make.bill({ vendorId, amount: 2450 });
    const credit = await make.bill({ vendorId, amount: -500 });
    await make.billPayment({
      vendorId,
      paymentAmount: 100,
      paymentApplications: [
        { invoiceId: credit.id, amount: -500 },
        { invoiceId: bill.id, amount: 600 },
      ],
    });
    const [open] = await t.call(expenseCalls.vendorOpenInvoices, { token: make.token, params: { vendorId } });
    expect(open?.discount?.amount).toBe(3900);
    const read = await t.call(expenseCalls.getExpense, { token: make.token, params: { id: bill.id } });
    expect(read.returnedAmount).toBe(50000);
    await isSound();
  });

  test("each invoice's share of a payment's credits reduces its discount, except during an edit", async () => {
    const [tent, pole] = [
      await make.invoice({ customerId, lineItems: [tents] }),
      await make.invoice({ customerId, amount: 500 }),
    ];
    const free = await make.credit({ customerId, amount: 295 });
    const paymentApplications = [
      { invoiceId: tent.id, amount: 2350, discountAmount: 0 },
      { invoiceId: pole.id, amount: 400, discountAmount: 0 },
      { invoiceId: free.id, amount: -275 },
    ];
    const payment = await make.payment({ customerId, paymentAmount: 2475, paymentApplications });
    const openFor = async (paymentId = 0) => {
      const params = { customerId, paymentId };
      const open = await t.call(billingCalls.openInvoicesForPayment, { token: make.token, params });
      return open.map(({ invoiceId, discount, creditedInvoiceId }) => [invoiceId, discount?.total, creditedInvoiceId]);
    };
    // A credit of 275.00 is split in proportion to 2,350.00 and 400.00.
    expect(await openFor()).toEqual([
      [tent.id, 245_000 - 23_500, undefined],
      [pole.id, 50_000 - 4000, undefined],
      [free.id, undefined, undefined],
    ]);
    expect(await openFor(payment.id)).toEqual([
      [tent.id, 245_000, undefined],
      [pole.id, 50_000, undefined],
      [free.id, undefined, undefined],
    ]);
    const memo = await credited(tent.id, tent.lineItems[0]?.id ?? 0);
    expect((await openFor()).find(([id]) => id === memo.body.id)).toEqual([memo.body.id, undefined, tent.id]);
    const query = { ids: [tent.id, pole.id] };
    const { documents } = await t.call(billingCalls.payableInvoices, { token: make.token, query });
    expect(documents.map(({ discount }) => discount?.total)).toEqual([245_000 - 23_500 - 49_000, 50_000 - 4000]);
    await isSound();
  });
});
