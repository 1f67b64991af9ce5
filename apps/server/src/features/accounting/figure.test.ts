import { afterAll, beforeAll, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls } from '@evenkeel/contract/expenses';
import type { OpenItemsAsk } from '@evenkeel/contract/explain';
import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { type Cents, sum, ZERO } from '@evenkeel/core/money';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  ({ token } = company.administrator);
  make = factoryFor(t, company);
});
afterAll(() => t.close());

const open = (body: OpenItemsAsk) => t.call(ledgerCalls.openItems, { token, body });
const debitLess = (entries: readonly GlEntry[]): Cents =>
  sum(entries.flatMap(({ debitAmount, creditAmount }) => [debitAmount ?? ZERO, (-(creditAmount ?? 0) + 0) as Cents]));
const post = (postingDate: IsoDate, accountID: number, amount: number) => {
  const line = { description: 'Move', postingDate, amount };
  const generalLedgerEntries = [
    { ...line, accountID, debit: true },
    { ...line, accountID: 101, debit: false },
  ];
  return t.call(ledgerCalls.postTransaction, { token, body: { generalLedgerEntries } });
};

it('the entries in several accounts are returned once, newest first, and add up to the amount', async () => {
  const days = Array.from({ length: 110 }, (_, n) => isoDate(`2025-0${1 + (n % 6)}-${String(10 + (n % 17))}`));
  for (const [n, day] of days.entries()) await post(day, n % 2 === 0 ? 167 : 151, n + 1);
  await post(isoDate('2025-08-01'), 167, 5000);
  const ask = { accountIds: [151, 167], from: isoDate('2025-01-01'), to: isoDate('2025-07-31'), basis: 0 };
  const first = await t.call(ledgerCalls.figureEntries, { token, body: ask });
  expect([first.items.length, first.amount]).toEqual([100, 610_500]);
  const rest = await t.call(ledgerCalls.figureEntries, { token, body: { ...ask, after: first.next ?? '' } });
  expect([rest.items.length, rest.next, rest.amount]).toEqual([10, null, 610_500]);
  const all = [...first.items, ...rest.items];
  expect(debitLess(all)).toBe(610_500);
  expect(new Set(all.map(({ glid }) => glid)).size).toBe(110);
  expect(all.map(({ postingDate }) => postingDate)).toEqual(days.toSorted().toReversed());
});

it("open items add up to the card's columns and total, a customer's balance, and the bill list", async () => {
  const customers = [await make.customer(), await make.customer()];
  const [customerId = 0, other = 0] = customers;
  const date = isoDate('2025-06-30');
  for (const [n, dueDate] of [
    '2025-07-10',
    '2025-06-29',
    '2025-05-31',
    '2025-05-30',
    '2025-05-01',
    '2025-04-30',
  ].entries()) {
    const invoiceDate = isoDate('2025-04-01');
    await make.invoice({
      customerId: n % 2 === 0 ? customerId : other,
      amount: 2 ** n,
      invoiceDate,
      dueDate: isoDate(dueDate),
    });
  }
  await make.payment({ customerId, paymentAmount: 100, paymentDate: isoDate('2025-06-01'), paymentApplications: [] });
  const reportParams = [{ paramType: 1, paramName: 'reportdate', paramvalue: date }];
  const card = await t.call(dashboardCalls.incomingMoney, { token, body: { reportParams } });
  const columns = [card.currentAmount, card.thirtyAmount, card.sixtyAmount, card.ninetyAmount];
  const parts = await Promise.all([0, 1, 2, 3].map((bucket) => open({ side: 'receivable', date, bucket })));
  expect(parts.map(({ openAmount }) => openAmount)).toEqual(columns);
  expect(columns).toEqual([100 - 10_000, 600, 800 + 1600, 3200]);
  for (const { items, openAmount, count } of parts) {
    expect([sum(items.map((item) => item.openAmount)), items.length]).toEqual([openAmount, count]);
  }
  expect((await open({ side: 'receivable', date })).openAmount).toBe(card.totalAmount);
  for (const entityId of customers) {
    const one = await t.call(entityCalls.getCustomer, { token, params: { id: entityId } });
    expect((await open({ side: 'receivable', entityId })).openAmount).toBe(one.currentbalance);
  }
  const vendorId = await make.vendor();
  await make.bill({ vendorId, amount: 70, postingDate: isoDate('2030-01-01') });
  const credit = await make.bill({ vendorId, amount: -20 });
  expect(credit.openAmount).toBe(-2000);
  const list = await t.call(expenseCalls.listExpenses, { token });
  const rows = Array.isArray(list) ? list : list.items;
  const bills = await open({ side: 'payable', documentsOnly: true });
  expect([bills.total, bills.openAmount]).toEqual([
    sum(rows.map((row) => row.invoiceAmount)),
    sum(rows.map((row) => row.openAmount)),
  ]);
  expect(bills.openAmount).toBe(5000);
});

it('open items with drafts add up to the amounts in the invoice list', async () => {
  const customerId = await make.customer();
  await make.invoice({ customerId, amount: 333, arBillingStatus: 1 });
  const list = await t.call(billingCalls.listInvoices, { token });
  const rows = Array.isArray(list) ? list : list.items;
  const listed = await open({ side: 'receivable', documentsOnly: true, drafts: true });
  const wanted = [rows.length, sum(rows.map((row) => row.invoiceAmount)), sum(rows.map((row) => row.openAmount))];
  expect([listed.count, listed.total, listed.openAmount]).toEqual(wanted);
  expect((await open({ side: 'receivable', documentsOnly: true })).total).toBe(listed.total - 33_300);
});

// Promise (books): The totals under the lists of invoices and bills reconcile to the amount owed today, with a total
// for each difference. [3,748.98 less 250.00 is 3,498.98]
it('list totals reconcile to the amount owed today, with a total for each difference', async () => {
  const other = await t.createCompany('Ties');
  const own = factoryFor(t, other);
  const auth = { token: other.administrator.token };
  const [customerId, vendorId] = [await own.customer(), await own.vendor()];
  const invoiceDate = isoDate('2026-03-10');
  const partly = await own.invoice({ customerId, amount: 100, invoiceDate });
  await own.payment({
    customerId,
    paymentAmount: 65,
    paymentDate: invoiceDate,
    paymentApplications: [{ invoiceId: partly.id, amount: 40 }],
  });
  await own.invoice({ customerId, amount: 33, invoiceDate, arBillingStatus: 1 });
  await own.invoice({ customerId, amount: 500, invoiceDate: isoDate('2199-01-01'), dueDate: isoDate('2199-02-01') });
  await own.bill({ vendorId, amount: 3748.98, invoiceDate });
  await own.billPayment({ vendorId, paymentAmount: 250, paymentDate: invoiceDate, paymentApplications: [] });
  const line = { description: 'Opening', postingDate: invoiceDate, amount: 7 };
  const generalLedgerEntries = [
    { ...line, accountID: 138, debit: true },
    { ...line, accountID: 140, debit: false },
  ];
  await t.call(ledgerCalls.postTransaction, { ...auth, body: { generalLedgerEntries } });
  const sumsOf = (list: { sums?: Record<string, number> | undefined } | readonly unknown[]) =>
    'sums' in list ? list.sums : undefined;
  const invoices = (query: object) => t.call(billingCalls.listInvoices, { ...auth, query: { limit: '1', ...query } });
  expect(sumsOf(await invoices({}))).toEqual({
    invoiceAmount: 63_300,
    openAmount: 56_000,
    draftAmount: 3300,
    voidAmount: 0,
    creditAmount: 0,
    unappliedAmount: -2500,
    journalAmount: 700,
    laterAmount: -50_000,
    owedAmount: 4200,
  });
  expect(sumsOf(await t.call(expenseCalls.listExpenses, { ...auth, query: { limit: '1' } }))).toEqual({
    invoiceAmount: 374_898,
    openAmount: 374_898,
    draftAmount: 0,
    voidAmount: 0,
    creditAmount: 0,
    unappliedAmount: -25_000,
    journalAmount: 0,
    laterAmount: 0,
    owedAmount: 349_898,
  });
  const bought = await t.call(dashboardCalls.outgoingMoney, { ...auth, body: { reportParams: [] } });
  const sold = await t.call(dashboardCalls.incomingMoney, { ...auth, body: { reportParams: [] } });
  expect([bought.totalAmount, sold.totalAmount]).toEqual([349_898, 4200]);
  // Filtered lists and lists of all documents don't include the totals that reconcile to a balance.
  const part = { invoiceAmount: 3300, openAmount: 0, draftAmount: 3300, voidAmount: 0 };
  expect(sumsOf(await invoices({ q: '33.00' }))).toEqual(part);
  expect(sumsOf(await invoices({ status: 'all' }))).toEqual({ ...part, invoiceAmount: 63_300, openAmount: 56_000 });
  const unapplied = await t.call(ledgerCalls.openItems, { ...auth, body: { side: 'payable', kind: 'payment' } });
  const journal = await t.call(ledgerCalls.openItems, { ...auth, body: { side: 'receivable', kind: 'journal' } });
  expect([unapplied.openAmount, journal.openAmount]).toEqual([-25_000, 700]);
});

it('days outstanding is the same weighted average on the card and in its details', async () => {
  const date = isoDate('2024-06-30');
  const vendorId = await make.vendor();
  const reportParams = [{ paramType: 1, paramName: 'reportdate', paramvalue: date }];
  const bill = (amount: number, invoiceDate: string, postingDate: string) =>
    make.bill({ vendorId, amount, invoiceDate: isoDate(invoiceDate), postingDate: isoDate(postingDate) });
  await bill(100, '2024-05-01', '2024-06-20');
  const partly = await bill(300, '2024-06-20', '2024-06-20');
  await bill(-50, '2024-01-01', '2024-01-01');
  const shares = [{ invoiceId: partly.id, amount: 100 }];
  await make.billPayment({ vendorId, paymentAmount: 100, paymentDate: '2024-07-05', paymentApplications: shares });
  const card = await t.call(dashboardCalls.outgoingMoney, { token, body: { reportParams } });
  const { age, items } = await open({ side: 'payable', date });
  expect(items.map(({ days }) => days)).toEqual([181, 60, 10]);
  // On that date, 300.00 of the second bill was open: (100 × 60 + 300 × 10) / 400. The credit has no weight.
  expect(age).toEqual({ days: 23, weight: 40_000, dollarDays: 900_000 });
  expect(card.averageDaysOutstanding).toBe(23);
  const overdue = await open({ side: 'payable', date, overdue: true });
  expect(overdue.openAmount).toBe(sum([card.thirtyAmount, card.sixtyAmount, card.ninetyAmount]));
});

it("customers are listed by the report's aging buckets, and their balances add up to the card's total", async () => {
  const other = await t.createCompany();
  const { administrator } = other;
  const own = factoryFor(t, other);
  const date = isoDate('2025-06-30');
  const names = ['Late little', 'Late long', 'In time'];
  const customers: number[] = [];
  for (const name of names) customers.push(await own.customer(name));
  const due = async (at: number, amount: number, dueDate: string) =>
    own.invoice({
      customerId: customers[at] ?? 0,
      amount,
      invoiceDate: isoDate('2025-01-01'),
      dueDate: isoDate(dueDate),
    });
  await due(0, 10, '2025-06-20');
  await due(0, 5, '2025-05-20');
  await due(1, 1, '2025-02-01');
  await due(2, 700, '2025-07-15');
  const credit = { paymentAmount: 30, paymentDate: isoDate('2025-06-01'), paymentApplications: [] };
  await own.payment({ customerId: customers[2] ?? 0, ...credit });
  const line = { description: 'Opening', postingDate: isoDate('2025-01-01'), amount: 9 };
  const generalLedgerEntries = [
    { ...line, accountID: 138, debit: true },
    { ...line, accountID: 140, debit: false },
  ];
  await t.call(ledgerCalls.postTransaction, { token: administrator.token, body: { generalLedgerEntries } });
  const ask = { token: administrator.token, body: { side: 'receivable' as const, date } };
  const { items, count, openAmount } = await t.call(ledgerCalls.owing, ask);
  const seen = items.map((one) => [one.entityName, one.daysPastDue, one.openAmount]);
  expect(seen).toEqual([
    ['Late long', 149, 100],
    ['Late little', 41, 1500],
    ['In time', null, 67_000],
    ['Journal entries', null, 900],
  ]);
  expect(items.map((one) => [one.currentAmount, one.thirtyAmount, one.sixtyAmount, one.ninetyAmount])).toEqual([
    [0, 0, 0, 100],
    [0, 1000, 500, 0],
    [67_000, 0, 0, 0],
    [900, 0, 0, 0],
  ]);
  const reportParams = [{ paramType: 1, paramName: 'reportdate', paramvalue: date }];
  const card = await t.call(dashboardCalls.incomingMoney, { token: ask.token, body: { reportParams } });
  expect([count, openAmount]).toEqual([4, card.totalAmount]);
  const rest = await t.call(ledgerCalls.owing, { ...ask, body: { ...ask.body, after: 3 } });
  expect(rest.items.map((one) => one.entityName)).toEqual(['Journal entries']);
  expect((await t.refused(ledgerCalls.owing, { ...ask, token: company.stranger.token })).status).toBe(403);
});

it('open items require access to the documents, customer, or vendor, and a bucket requires a date', async () => {
  const { stranger, reader } = company;
  const body = { side: 'receivable' as const };
  expect((await t.refused(ledgerCalls.openItems, { token: stranger.token, body })).status).toBe(403);
  expect((await t.call(ledgerCalls.openItems, { token: reader.token, body })).count).toBeGreaterThan(0);
  expect((await t.refused(ledgerCalls.openItems, { token, body: { ...body, bucket: 1 } })).status).toBe(400);
});
