import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Permission } from '@evenkeel/contract/areas';
import { billingCalls } from '@evenkeel/contract/billing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { ActivityRow } from '@evenkeel/contract/subledger';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { formatAmount } from '@evenkeel/core/money';
import { todayIn } from '../../platform/clock.ts';
import { openClient } from '../../platform/db/connect.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let token: string;
let today: IsoDate;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  ({ token } = company.administrator);
  make = factoryFor(t, company);
  today = todayIn('America/New_York');
});
afterAll(() => t.close());

/** Creates a role with only these permissions. Returns the token of a user who has it. */
async function tokenFor(name: string, permissions: readonly Permission[]): Promise<string> {
  const { companyId } = company;
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      insert into role (company_id, role_name, permissions) values (${companyId}, ${name}, ${[...permissions]})`),
  );
  return (await t.signIn(company, name)).token;
}

const activity = async (customerId: number, query: Record<string, string> = {}, by = token) => {
  const reply = await t.call(billingCalls.customerActivity, { token: by, params: { customerId }, query });
  return Array.isArray(reply) ? { items: reply, next: null, total: reply.length } : reply;
};
const vendorActivity = async (vendorId: number) => {
  const reply = await t.call(expenseCalls.vendorActivity, { token, params: { vendorId } });
  return Array.isArray(reply) ? reply : reply.items;
};
const standing = (customerId: number, by = token) =>
  t.call(billingCalls.customerStanding, { token: by, params: { customerId } });

/** Formats a row as text, as in "invoice 10001 100.00 open 60.00 then 60.00". */
const words = ({ kind, number, amount, openAmount, balance }: ActivityRow): string => {
  const [all, open] = [formatAmount(amount), formatAmount(openAmount)];
  return `${kind} ${number} ${all} open ${open} then ${balance === null ? '-' : formatAmount(balance)}`;
};

/** Posts an entry between the sales account and another account for a customer or vendor. */
const entry = (entityID: number, accountID: number, amount: number, postingDate: IsoDate) => {
  const line = { description: 'Goodwill', postingDate, amount };
  const generalLedgerEntries = [
    { ...line, accountID, debit: true },
    { ...line, accountID: 140, debit: false },
  ];
  return t.call(ledgerCalls.postTransaction, { token, body: { entityID, generalLedgerEntries } });
};

it('invoices, a draft, a payment of 130.00, and an entry appear newest first with running balances', async () => {
  const customerId = await make.customer('Fairlawn');
  const day = (ago: number) => addDays(today, -ago);
  const invoice = (ago: number, amount: number, due: number, arBillingStatus = 2) =>
    make.invoice({ customerId, amount, invoiceDate: day(ago), dueDate: day(due), arBillingStatus });
  expect(await standing(customerId)).toMatchObject({ since: null, averageDaysLate: null });
  const first = await invoice(60, 100, 30);
  const second = await invoice(40, 70, 10);
  const third = await invoice(5, 20, -25);
  const draft = await invoice(2, 999, -28, 1);
  const void_ = await invoice(1, 55, -28, 5);
  const paid = await make.payment({
    customerId,
    paymentAmount: 130,
    paymentDate: day(5),
    paymentCheckNo: '4471',
    paymentApplications: [
      { invoiceId: first.id, amount: 100 },
      { invoiceId: second.id, amount: 25 },
    ],
  });
  const { transactionID } = await entry(customerId, 155, 12, day(3));
  // 100.00 was paid 25 days late, and 25.00 was paid 5 days late.
  expect(await standing(customerId)).toMatchObject({ since: day(60), averageDaysLate: 21 });
  const { items } = await activity(customerId);
  expect(items.map(words)).toEqual([
    `invoice ${void_.invoiceNumber} 55.00 open 0.00 then -`,
    `invoice ${draft.invoiceNumber} 999.00 open 0.00 then -`,
    `journal ${transactionID} 12.00 open 0.00 then -`,
    `payment ${paid.paymentNumber} (130.00) open (5.00) then 60.00`,
    `invoice ${third.invoiceNumber} 20.00 open 20.00 then 190.00`,
    `invoice ${second.invoiceNumber} 70.00 open 45.00 then 170.00`,
    `invoice ${first.invoiceNumber} 100.00 open 0.00 then 100.00`,
  ]);
  expect(items.map(({ badge, daysOverdue }) => `${badge} ${daysOverdue}`)).toEqual([
    'Void 0',
    'Draft 0',
    ' 0',
    ' 0',
    'Open 0',
    'Overdue 10',
    'Paid 0',
  ]);
  expect(items[3]).toMatchObject({
    checkNumber: '4471',
    paymentType: 'Check',
    appliedTo: [first.invoiceNumber, second.invoiceNumber],
    appliedCount: 2,
  });
  expect([items[2]?.description, items[4]?.description]).toEqual(['Goodwill', 'Work']);
  expect(await standing(customerId)).toMatchObject({
    balance: 6000,
    openAmount: 6500,
    openCount: 2,
    overdueAmount: 4500,
    overdueCount: 1,
    daysOverdue: 10,
    creditAmount: 500,
    journalAmount: 0,
  });
});

it("a customer's journal entry in accounts receivable is marked and not included in the balance", async () => {
  const customerId = await make.customer('Opening');
  await make.invoice({ customerId, amount: 100, invoiceDate: today });
  await entry(customerId, 138, 33, today);
  const { items } = await activity(customerId);
  expect(items.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
    ['journal', 3300, null],
    ['invoice', 10_000, 10_000],
  ]);
  expect(await standing(customerId)).toMatchObject({ balance: 10_000, journalAmount: 3300 });
});

it("a vendor's bills, credit, and payments change the running balance, but immediate payments don't", async () => {
  const vendorId = await make.vendor('Quarry');
  const bill = { vendorId, invoiceDate: addDays(today, -20), dueDate: addDays(today, -6) };
  await make.bill({ ...bill, amount: 88, invoiceNumber: '88-12' });
  await make.bill({ ...bill, amount: -10, invoiceNumber: 'CR-1', invoiceDate: addDays(today, -9) });
  const bankAccountId = (
    await t.inCompany(company.companyId, (tx) =>
      tx.row(sql<{ id: number }>`select min(id) as id from banking_account where company_id = ${company.companyId}`),
    )
  )?.id;
  const invoiceDate = addDays(today, -1);
  await make.bill({
    ...bill,
    invoiceNumber: 'Till',
    amount: 7,
    invoiceDate,
    postToVendorAccount: false,
    bankAccountId,
  });
  await make.billPayment({
    vendorId,
    paymentAmount: 30,
    paymentDate: addDays(today, -3),
    paymentCheckNo: '51',
  });
  expect((await vendorActivity(vendorId)).map(words)).toEqual([
    'expense Till 7.00 open 0.00 then -',
    'expensepayment 1 (30.00) open 0.00 then 48.00',
    'expense CR-1 (10.00) open (10.00) then 78.00',
    'expense 88-12 88.00 open 58.00 then 88.00',
  ]);
  const found = await t.call(expenseCalls.vendorStanding, { token, params: { vendorId } });
  expect(found).toMatchObject({ balance: 4800, openAmount: 5800, creditAmount: 1000, overdueAmount: 5800 });
  expect(found).toMatchObject({ overdueCount: 1, daysOverdue: 6, openCount: 1 });
});

it('12 rows over five days and their balances are the same in pages of 5 as in one list', async () => {
  const customerId = await make.customer('Pages');
  for (let n = 0; n < 8; n += 1) {
    await make.invoice({ customerId, amount: 10 + n, invoiceDate: addDays(today, -(n % 5)) });
  }
  await make.payment({ customerId, paymentAmount: 40, paymentDate: addDays(today, -2) });
  await make.payment({ customerId, paymentAmount: 3, paymentDate: today });
  await entry(customerId, 138, 5, addDays(today, -2));
  await entry(customerId, 155, 6, addDays(today, -2));
  const whole = await activity(customerId);
  const pages: ActivityRow[][] = [];
  let after: string | null = '';
  while (after !== null) {
    const page = await activity(customerId, { limit: '5', ...(after === '' ? {} : { after }) });
    expect(page.total).toBe(12);
    pages.push(page.items);
    after = page.next;
  }
  expect(pages.map(({ length }) => length)).toEqual([5, 5, 2]);
  expect(pages.flat()).toEqual(whole.items);
  expect(whole.items[0]?.balance).toBe((await standing(customerId)).balance);
});

it("rejects an invalid page, another company's customer, a vendor, and an unknown ID", async () => {
  const customerId = await make.customer('Own');
  const other = await t.createCompany('Elsewhere');
  const theirs = await factoryFor(t, other).customer('Theirs');
  const vendorId = await make.vendor();
  for (const after of ['x', Buffer.from('2026-01-01 0 1').toString('base64url')]) {
    const ask = { token, params: { customerId }, query: { limit: '5', after } };
    expect((await t.refused(billingCalls.customerActivity, ask)).status).toBe(400);
  }
  for (const call of [billingCalls.customerActivity, billingCalls.customerStanding]) {
    for (const id of [theirs, vendorId, 999_999]) {
      const refusal = await t.refused(call, { token, params: { customerId: id } });
      expect([refusal.status, refusal.message]).toEqual([404, 'Customer not found']);
    }
  }
});

it('activity requires View Billing or View Customers, and journal entries require ledger access', async () => {
  const customerId = await make.customer('Rights');
  await make.invoice({ customerId, amount: 50 });
  await entry(customerId, 138, 9, today);
  const seen = async (by: string) => {
    const { items } = await activity(customerId, { limit: '9' }, by);
    return [items.map(({ kind }) => kind), (await standing(customerId, by)).journalAmount];
  };
  expect(await seen(await tokenFor('Front Desk', ['View Customers']))).toEqual([['invoice'], undefined]);
  expect(await seen(await tokenFor('Biller', ['Manage Billing']))).toEqual([['invoice'], undefined]);
  const both: Permission[] = ['View Customers', 'View Accounting'];
  expect(await seen(await tokenFor('Books', both))).toEqual([['journal', 'invoice'], 900]);
  const buyer = await tokenFor('Buyer', ['View Vendors', 'Manage Expenses']);
  for (const call of [billingCalls.customerActivity, billingCalls.customerStanding]) {
    expect((await t.refused(call, { token: buyer, params: { customerId } })).status).toBe(403);
  }
});

it('a payment that another user has deleted is removed from the list and is not found by its ID', async () => {
  const customerId = await make.customer('Two');
  await make.invoice({ customerId, amount: 50 });
  const payment = await make.payment({ customerId, paymentAmount: 20 });
  const kinds = async () => (await activity(customerId)).items.map(({ kind }) => kind);
  expect(await kinds()).toEqual(['payment', 'invoice']);
  await t.call(billingCalls.deletePayment, { token: make.token, params: { id: payment.id } });
  expect(await kinds()).toEqual(['invoice']);
  const { status, message } = await t.refused(billingCalls.getPayment, { token, params: { id: payment.id } });
  expect([status, message]).toEqual([404, 'Payment not found']);
});

it("finding a customer's only journal entry among 60 others and 60 invoices reads 61 lines", async () => {
  const customerId = await make.customer('Named');
  const other = await make.customer('Others');
  for (let n = 0; n < 60; n += 1) {
    await entry(other, 155, 4, today);
    await make.invoice({ customerId, amount: 5 });
  }
  await entry(customerId, 155, 4, today);
  const owner = await openClient({ connectionString: t.databaseUrl });
  await owner.query('analyze journal_line; analyze journal_transaction; analyze document');
  await owner.end();
  const read = await rowsRead(t.pool, { companyId: company.companyId, table: 'journal_line' }, () =>
    activity(customerId, { limit: '5', after: Buffer.from('2030-01-01 0 1 0 0').toString('base64url') }),
  );
  expect(read.rows).toBeLessThanOrEqual(62);
});
