import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { chargeCalls as calls } from '@evenkeel/contract/charges';
import { settingsCalls } from '@evenkeel/contract/settings';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { OPEN, ON_HOLD, VOID } from '@evenkeel/core/documents/invoice';
import { toDollars } from '@evenkeel/core/money';
import { todayIn } from '../../platform/clock.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { countRows, type RawAnswer, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

/**
 * A customer is charged only once for each day that an invoice is overdue, even if requests arrive at the same time,
 * and after a charge is voided, its days can be charged for again.
 */

let t: TestApp;
let company: WorldCompany;
let make: Factory;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
});

const DUE = '2026-03-31';
/** The charge is for 30 days on 1,000.00 at 18%. */
const APRIL = isoDate('2026-04-30');
const admin = () => ({ token: company.administrator.token });
const set = (body: object = {}) =>
  t.call(calls.saveFinanceChargeSettings, { ...admin(), body: { annualRate: 18, ...body } });
const late = (customerId: number, given: object = {}) =>
  make.invoice({ customerId, amount: 1000, invoiceDate: '2026-03-01', dueDate: DUE, ...given });
const shown = async (date = APRIL) => {
  const { charges } = await t.call(calls.listFinanceCharges, { token: make.token, query: { date } });
  return charges.map(({ id, lines, amount }) => [id, lines.map(({ from, days }) => [from, days]), amount]);
};
const post = (body: unknown, token = make.token) =>
  t.request({ ...requestOf(calls.makeFinanceCharges, { body: body as never }), token });
const charged = async (id: number, date = APRIL) => {
  const { body, status } = await post({ id, date });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as { id: number; invoiceAmount: number; rowVersion: number; lineItems: { id: number }[] };
};
const invoice = (id: number) => t.call(billingCalls.getInvoice, { token: make.token, params: { id } });
/** Saves an invoice with the given changes. */
const change = async (id: number, given: object): Promise<RawAnswer> => {
  const { lineItems, ...head } = await invoice(id);
  const lines = lineItems.map((line) => ({ ...line, itemPrice: toDollars(line.itemPrice), quantity: 1 }));
  const { invoiceDate, dueDate, customerId, arBillingStatus, rowVersion } = head;
  const body = { id, invoiceDate, dueDate, customerId, arBillingStatus, rowVersion, lineItems: lines, ...given };
  return t.request({ ...requestOf(billingCalls.updateInvoice, { body: body as never }), token: make.token });
};
const expectSound = async () => expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);

test('a finance charge is an untaxed invoice with a line per overdue invoice and charges no day twice', async () => {
  await make.tax();
  await set({ minimum: 10 });
  const [first, second] = [await make.customer('Ash'), await make.customer('Birch')];
  const { invoiceNumber } = await late(first);
  await late(first, { amount: 500, dueDate: '2026-04-20' });
  await late(second, { dueDate: '2026-04-25' });
  expect(await shown()).toEqual([
    [
      first,
      [
        ['2026-04-01', 30],
        ['2026-04-21', 10],
      ],
      1479 + 247,
    ],
    [second, [['2026-04-26', 5]], 1000],
  ]);
  const made = await charged(first);
  expect(made.invoiceAmount).toBe(17.26);
  const { salesTaxAmount, lineItems, invoiceDate } = await invoice(made.id);
  expect([salesTaxAmount, invoiceDate, lineItems.map(({ accountId }) => accountId)]).toEqual([0, APRIL, [176, 176]]);
  expect(lineItems[0]?.description).toBe(
    `Finance charge: invoice ${invoiceNumber}, 4/1/2026 to 4/30/2026, 30 days of $1,000.00 at 18 %`,
  );
  expect(await post({ id: first, date: APRIL })).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Already charged on invoice \d+ by/), billed: { invoiceId: made.id } },
  });
  const rows = await charged(second);
  expect(rows.lineItems.length).toBe(2);
  expect(await shown()).toEqual([]);
  expect(await shown(addDays(APRIL, 1))).toEqual([
    [
      first,
      [
        ['2026-05-01', 1],
        ['2026-05-01', 1],
      ],
      1000,
    ],
    [second, [['2026-05-01', 1]], 1000],
  ]);
  await expectSound();
});

test('finance charges skip exempt customers, covered amounts, drafts, charges, and invoices on hold', async () => {
  await set({ graceDays: 5 });
  const ids = { held: 0, covered: 0, off: 0, plain: 0 };
  for (const name of ['held', 'covered', 'off', 'plain'] as const) {
    ids[name] = await make.customer(name);
    await late(ids[name], name === 'held' ? { arBillingStatus: ON_HOLD } : {});
  }
  await late(ids.plain, { arBillingStatus: 1 });
  await make.payment({ customerId: ids.covered, paymentAmount: 1000, paymentApplications: [] });
  await make.credit({ customerId: ids.plain, amount: 10 });
  const leave = (leftOut: boolean) =>
    t.call(calls.leaveOutOfFinanceCharges, { token: make.token, params: { customerId: ids.off }, body: { leftOut } });
  expect(await leave(true)).toMatchObject({ leftOut: [{ id: ids.off, displayName: 'off' }] });
  const { charges } = await t.call(calls.listFinanceCharges, { token: make.token, query: { date: APRIL } });
  expect(charges).toMatchObject([{ id: ids.plain, creditAmount: 1000, overdueAmount: 100_000, amount: 1233 }]);
  await leave(false);
  expect((await shown()).map(([id]) => id)).toEqual([ids.off, ids.plain]);
  // By June, the charge itself is overdue. Interest is charged on it only if the setting for that is on.
  const { id } = await charged(ids.plain);
  await change(id, { dueDate: APRIL });
  const june = isoDate('2026-06-30');
  const linesOf = async () => (await shown(june)).find(([one]) => one === ids.plain)?.[1];
  expect(await linesOf()).toEqual([['2026-05-01', 61]]);
  await set({ graceDays: 5, chargesCharges: true });
  expect(await linesOf()).toEqual([
    ['2026-05-01', 61],
    ['2026-05-06', 56],
  ]);
});

test('voiding or deleting a charge or its line frees its days, and reopening it charges them again', async () => {
  await set();
  const customerId = await make.customer();
  await late(customerId);
  const april = await charged(customerId);
  const may = await charged(customerId, isoDate('2026-05-31'));
  expect(await change(april.id, { arBillingStatus: VOID })).toMatchObject({ status: 200 });
  const gap = [customerId, [['2026-04-01', 30]], 1479];
  expect(await shown(isoDate('2026-05-31'))).toEqual([gap]);
  expect(await change(april.id, { arBillingStatus: OPEN })).toMatchObject({ status: 200 });
  expect(await shown(isoDate('2026-05-31'))).toEqual([]);
  await change(april.id, { arBillingStatus: VOID });
  const again = await charged(customerId, isoDate('2026-05-31'));
  expect(await change(april.id, { arBillingStatus: OPEN })).toMatchObject({
    status: 409,
    body: { message: 'These days were charged on another invoice in the meantime' },
  });
  await t.call(billingCalls.deleteInvoice, { token: make.token, params: { id: again.id }, query: {} });
  expect(await shown(isoDate('2026-05-31'))).toEqual([gap]);
  const extra = { description: 'Other', itemPrice: 5, quantity: 1, accountId: 140 };
  expect(await change(may.id, { lineItems: [extra] })).toMatchObject({ status: 200 });
  expect(await shown(isoDate('2026-05-31'))).toEqual([[customerId, [['2026-04-01', 61]], 3008]]);
  const other = await make.customer('Other');
  expect(await change((await charged(customerId)).id, { customerId: other })).toMatchObject({ status: 422 });
  await expectSound();
});

test('two users with the same list charge each customer once, and the second sees who charged them', async () => {
  await set();
  const ids: number[] = [];
  for (let count = 0; count < 6; count += 1) ids.push(await make.customer(`Customer ${count}`));
  for (const id of ids) await late(id);
  const rows = ids.map((id) => ({ id, date: APRIL, amount: 14.79 }));
  const people = [company.bookkeeper.token, company.superuser.token];
  const answers = await Promise.all(people.map((token) => post(rows, token)));
  const [one = [], two = []] = answers.map(({ body }) => body as { ok: boolean; billed?: object }[]);
  for (const [at, row] of one.entries()) {
    const [made, told] = row.ok ? [row, two[at]] : [two[at], row];
    expect([made?.ok, told?.ok, told?.billed !== undefined]).toEqual([true, false, true]);
  }
  expect(await countRows(t, company.companyId, 'finance_charge_day')).toBe(6 * 30);
  await expectSound();
});

test('a payment made after the list was loaded changes the charge, and the old amount is rejected', async () => {
  await set();
  const customerId = await make.customer();
  const { id: invoiceId } = await late(customerId);
  const paid = { customerId, paymentAmount: 500, paymentApplications: [{ invoiceId, amount: 500 }] };
  const [answer] = await Promise.all([post({ id: customerId, date: APRIL, amount: 14.79 }), make.payment(paid)]);
  expect([200, 409]).toContain(answer.status);
  if (answer.status === 409) {
    expect(answer.body).toMatchObject({ message: 'The finance charge is now $7.40. Review it and try again.' });
    await charged(customerId);
  }
  expect(await post({ id: customerId, date: addDays(APRIL, 1), amount: 0.5 })).toMatchObject({ status: 409 });
  await expectSound();
});

test('a flat amount is charged once for each invoice', async () => {
  await set({ kind: 'amount', amount: 25, graceDays: 10 });
  const customerId = await make.customer();
  await late(customerId);
  expect(await shown()).toEqual([[customerId, [['2026-04-11', 20]], 2500]]);
  const { lineItems } = await charged(customerId);
  expect(lineItems).toMatchObject([{ description: expect.stringMatching(/^Finance charge: invoice \d+ is overdue$/) }]);
  expect(await shown(isoDate('2026-06-30'))).toEqual([]);
});

test('a finance charge without a rule or on a future or closed date is rejected, as is an invalid rule', async () => {
  const customerId = await make.customer();
  await late(customerId);
  const query = { date: addDays(todayIn('UTC'), 2) };
  expect(await t.refused(calls.listFinanceCharges, { token: make.token, query })).toMatchObject({ code: 'rule' });
  expect(await t.call(calls.listFinanceCharges, { token: make.token, query: {} })).toMatchObject({ isSet: false });
  expect(await post({ id: customerId })).toMatchObject({
    status: 422,
    body: { message: 'Set a finance charge rate in Settings first' },
  });
  const saved = await set();
  const stale = { body: { graceDays: 3, rowVersion: saved.rowVersion - 1 } };
  expect(await t.refused(calls.saveFinanceChargeSettings, { ...admin(), ...stale })).toMatchObject({ code: 'stale' });
  const wrong = { annualRate: 101, graceDays: -1, accountId: 101, minimum: -1 };
  const { fields } = await t.refused(calls.saveFinanceChargeSettings, { ...admin(), body: wrong });
  expect(Object.keys(fields ?? {}).toSorted()).toEqual(['accountId', 'annualRate', 'graceDays', 'minimum']);
  const closing = { settingName: 'closingDate', settingValue: APRIL };
  await t.call(settingsCalls.saveSettings, { ...admin(), body: closing });
  expect(await post({ id: customerId, date: APRIL })).toMatchObject({ status: 422 });
  expect(await countRows(t, company.companyId, 'finance_charge')).toBe(0);
  const reason = { id: customerId, date: APRIL, closingOverrideReason: 'Agreed' };
  expect(await post(reason, company.administrator.token)).toMatchObject({ status: 200 });
});

test('a backdated charge uses the open balance on its date, regardless of later payments and credits', async () => {
  await set();
  const [paid, partly, credited] = [
    await make.customer('Ash'),
    await make.customer('Birch'),
    await make.customer('Elm'),
  ];
  for (const customerId of [paid, partly, credited]) await late(customerId);
  const may = { paymentDate: '2026-05-05' };
  await make.payment({ customerId: paid, paymentAmount: 1000, ...may });
  await make.payment({ customerId: partly, paymentAmount: 400, paymentDate: APRIL });
  await make.payment({ customerId: partly, paymentAmount: 300, ...may });
  await make.credit({ customerId: credited, amount: 2000, invoiceDate: '2026-05-05' });
  const of = (dollars: number) => Math.round((dollars * 100 * 0.18 * 30) / 365);
  const april = [
    [paid, [['2026-04-01', 30]], of(1000)],
    [partly, [['2026-04-01', 30]], of(600)],
    [credited, [['2026-04-01', 30]], of(1000)],
  ];
  expect(await shown()).toEqual(april);
  expect((await charged(paid)).invoiceAmount).toBe(14.79);
  expect((await charged(partly)).invoiceAmount).toBe(8.88);
  // In June, the first invoice is paid, 300.00 is still open on the second, and the third customer's credit exceeds the
  // balance.
  const june = isoDate('2026-06-30');
  expect((await shown(june)).map(([id]) => id)).toEqual([partly]);
  await expectSound();
});

test('discounts, write-offs, credits, and refunds after the date of the charge do not change the charge', async () => {
  await set();
  const invoices = new Map<number, number>();
  const lateOne = async (name: string) => {
    const customerId = await make.customer(name);
    invoices.set(customerId, (await late(customerId)).id);
    return customerId;
  };
  const [discount, partly] = [await lateOne('discount'), await lateOne('partly')];
  const [writtenOff, creditApplied] = [await lateOne('written off'), await lateOne('credit applied')];
  const [refunded, covered] = [await lateOne('refunded'), await lateOne('covered')];
  const paidLater = await lateOne('paid later');
  const on = (customerId: number, amount: number, discountAmount = 0) => [
    { invoiceId: invoices.get(customerId) ?? 0, amount, discountAmount },
  ];
  const may = { paymentDate: '2026-05-05' };
  const writeOff = async (customerId: number, amount: number) => {
    const body = { invoiceId: invoices.get(customerId), amount, writeOffDate: '2026-05-05' };
    const url = '/api/writeoff';
    expect(await t.request({ method: 'POST', url, body, token: make.token })).toMatchObject({ status: 200 });
  };
  await make.payment({ customerId: discount, paymentAmount: 980, paymentApplications: on(discount, 980, 20), ...may });
  await make.payment({ customerId: partly, paymentAmount: 400, paymentDate: APRIL });
  await make.payment({ customerId: partly, paymentAmount: 500, paymentApplications: on(partly, 500, 10), ...may });
  await writeOff(partly, 90);
  await writeOff(writtenOff, 1000);
  const memo = await make.credit({ customerId: creditApplied, amount: 300, invoiceDate: '2026-04-15' });
  const use = [{ invoiceId: memo.id, amount: -300 }, ...on(creditApplied, 300)];
  await make.payment({ customerId: creditApplied, paymentAmount: 0, paymentApplications: use, ...may });
  const early = { paymentDate: '2026-04-10', paymentApplications: [] };
  // A credit of 1,000.00 covered the invoice on that day and was refunded later.
  for (const customerId of [refunded, covered]) {
    const payment = await make.payment({ customerId, paymentAmount: 1000, ...early });
    if (customerId === covered) continue;
    const paymentRefunds = [{ paymentId: payment.id, amount: 1000 }];
    await make.payment({ customerId, paymentAmount: -1000, paymentApplications: [], paymentRefunds, ...may });
  }
  await make.payment({ customerId: paidLater, paymentAmount: 1000, ...may });
  const of = (dollars: number) => Math.round((dollars * 100 * 0.18 * 30) / 365);
  const expected = [
    [creditApplied, of(1000)],
    [discount, of(1000)],
    [paidLater, of(1000)],
    [partly, of(600)],
    [writtenOff, of(1000)],
  ];
  expect((await shown()).map(([id, , amount]) => [id, amount])).toEqual(expected);
  // In June, the customer whose credit was refunded owes the full invoice again.
  expect((await shown(isoDate('2026-06-30'))).map(([id]) => id)).toEqual([creditApplied, refunded]);
  expect((await charged(discount)).invoiceAmount).toBe(of(1000) / 100);
  await expectSound();
});
