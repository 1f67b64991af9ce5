import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { billingCalls } from '@evenkeel/contract/billing';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { AR } from '@evenkeel/core/books/accounts';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { entityCalls } from '@evenkeel/contract/entities';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { Rehearsal } from '@evenkeel/contract/rehearsal';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { openPool } from '../../platform/db/connect.ts';
import { type RawBuilder, sql } from 'kysely';
import { countRows, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import { rowsRead } from '../../testing/rows-read.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { type Duplicate, duplicatesOf } from './duplicates.sql.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let customerId: number;
let bankAccountId: number;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  make = factoryFor(t, company);
  customerId = await make.customer('Alder Street Dental');
  bankAccountId = await checkingOf(t, company.companyId);
});
afterAll(() => t.close());

const send = (endpoint: Endpoint, body: unknown, rehearse: string | null = 'true', token = make.token) =>
  t.request({
    ...requestOf(endpoint, { body: body as never }),
    token,
    headers: rehearse === null ? {} : { 'evenkeel-rehearse': rehearse },
  });

interface Answer {
  reply: { id: number; invoiceNumber: string };
  rehearsal: Rehearsal;
}

const line = { description: 'Hedge trimming', itemPrice: 100, quantity: 1, accountId: 140 };
const invoice = () => ({ customerId, invoiceDate: '2026-03-10', dueDate: '2026-04-09', lineItems: [line] });
const payment = (invoiceId: number) => ({
  customerId,
  paymentDate: '2026-03-20',
  paymentAmount: 60,
  paymentTypeId: 2,
  bankAccountId,
  paymentApplications: [{ invoiceId, amount: 60 }],
});

/** Returns the balance of each account in the chart of accounts, which uses the accrual basis. */
async function chart(): Promise<Map<number, number>> {
  const { body } = await send(ledgerCalls.chartOfAccounts, undefined, null);
  const accounts = body as { customerAccountID: number; balance: number }[];
  return new Map(accounts.map(({ customerAccountID, balance }) => [customerAccountID, balance]));
}

test('a rehearsed invoice shows entries, balances on both bases, net income, and its number', async () => {
  const { body } = await send(billingCalls.createInvoice, invoice());
  const { reply, rehearsal } = body as Answer;
  expect(rehearsal).toMatchObject({
    transactions: [
      {
        postingDate: '2026-03-10',
        closed: false,
        lines: [
          { accountId: AR, debit: 100, credit: 0, basis: 'accrual' },
          { accountId: 140, debit: 0, credit: 100, basis: 'accrual' },
        ],
      },
    ],
    entities: [{ entityId: customerId, name: 'Alder Street Dental', before: 0, after: 100 }],
    netIncome: { accrual: { before: 0, after: 100 }, cash: { before: 0, after: 0 } },
    numbers: [{ kind: 'invoice', number: reply.invoiceNumber }],
  });
  expect(rehearsal.accounts.map(({ accountId, accrual, cash }) => ({ accountId, accrual, cash }))).toEqual([
    { accountId: AR, accrual: { before: 0, after: 100 }, cash: { before: 0, after: 0 } },
    { accountId: 140, accrual: { before: 0, after: 100 }, cash: { before: 0, after: 0 } },
  ]);
  // The number was not used up by the rehearsal.
  expect((await make.invoice(invoice())).invoiceNumber).toBe(reply.invoiceNumber);
});

test('possible duplicates have the same kind, customer, and amount, and dates at most 3 days apart', async () => {
  const name = 'Duplicates and Sons';
  const own = { customerId: await make.customer(name), dueDate: '2026-04-09', lineItems: [line] };
  const duplicates = async (endpoint: Endpoint, body: object) =>
    ((await send(endpoint, body)).body as Answer).rehearsal.duplicates;
  const onDay = (invoiceDate: string) => duplicates(billingCalls.createInvoice, { ...own, invoiceDate });
  expect(await onDay('2026-03-10')).toEqual([]);
  const made = await make.invoice({ ...own, invoiceDate: '2026-03-10' });
  const alike = { description: `Invoice ${made.invoiceNumber}`, date: '2026-03-10', name, amount: 100 };
  expect(await onDay('2026-03-07')).toEqual([alike]);
  expect(await onDay('2026-03-13')).toEqual([alike]);
  expect(await onDay('2026-03-06')).toEqual([]);
  expect(
    await duplicates(billingCalls.createInvoice, { ...own, customerId, invoiceDate: '2026-03-10' }),
  ).not.toContainEqual(alike);
  const lineItems = [{ ...line, itemPrice: 101 }];
  expect(await duplicates(billingCalls.createInvoice, { ...own, lineItems, invoiceDate: '2026-03-10' })).toEqual([]);
  const paid = { ...payment(made.id), customerId: own.customerId };
  expect(await duplicates(billingCalls.createPayment, paid)).toEqual([]);
  await send(billingCalls.createPayment, paid, null);
  const found = await duplicates(billingCalls.createPayment, { ...paid, paymentApplications: [] });
  expect(found).toEqual([{ description: expect.stringMatching(/Payment/), date: '2026-03-20', name, amount: 60 }]);
});

test("a rehearsal reads none of the customer's earlier entries, and only documents with similar dates", async () => {
  const regular = await make.customer('Regular');
  const day = (n: number) => addDays(isoDate('2025-01-01'), 7 * n);
  const given = { customerId: regular, dueDate: '2026-04-09' };
  const made = await Promise.all(
    Array.from({ length: 80 }, (_, n) => make.invoice({ ...given, invoiceDate: day(n), lineItems: [line] })),
  );
  const paymentApplications = made.map(({ id }) => ({ invoiceId: id, amount: 100 }));
  await send(
    billingCalls.createPayment,
    { ...payment(0), customerId: regular, paymentAmount: 8000, paymentApplications },
    null,
  );
  const owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 1 });
  await owner.query('analyze document; analyze journal_line; analyze payment');
  await owner.end();
  const read = async (table: string, work: () => Promise<unknown>) =>
    (await rowsRead(t.pool, { companyId: company.companyId, table }, work)).rows;
  const rehearsed = () => send(billingCalls.createInvoice, { ...given, invoiceDate: day(40), lineItems: [line] });
  expect(await read('journal_line', rehearsed)).toBe(0);
  // This test has so few documents that any plan would read all of them, so the test checks the conditions in the plan.
  const explained = sql.join([sql`explain`, duplicatesOf([]) as RawBuilder<Duplicate>], sql` `) as RawBuilder<object>;
  const plan = await t.inCompany(company.companyId, (tx) => tx.rows(explained));
  expect(JSON.stringify(plan)).toMatch(/Index Cond: [^"]*document_date >= m.first[^"]*document_date <= m.last/);
});

test('a rehearsed payment shows the same balances as the chart of accounts after the real payment', async () => {
  const made = await make.invoice({ customerId, amount: 250 });
  const before = await chart();
  const { rehearsal } = (await send(billingCalls.createPayment, payment(made.id))).body as Answer;
  expect(await chart()).toEqual(before);
  await send(billingCalls.createPayment, payment(made.id), null);
  const after = await chart();
  for (const { accountId, accrual } of rehearsal.accounts) {
    expect([accountId, accrual]).toEqual([accountId, { before: before.get(accountId), after: after.get(accountId) }]);
  }
  expect((rehearsal.netIncome?.cash.after ?? 0) - (rehearsal.netIncome?.cash.before ?? 0)).toBe(60);
  expect(rehearsal.netIncome?.accrual.after).toBe(rehearsal.netIncome?.accrual.before);
});

test('a call that would be rejected gets the same response when it is rehearsed', async () => {
  const body = { ...invoice(), lineItems: [] };
  const [real, rehearsed] = [
    await send(billingCalls.createInvoice, body, null),
    await send(billingCalls.createInvoice, body),
  ];
  const { requestId: _, ...told } = real.body as { requestId: string };
  expect([rehearsed.status, rehearsed.body]).toEqual([real.status, expect.objectContaining(told)]);
});

test('a rehearsal does not use up its idempotency key, so the real call can use the same key', async () => {
  const headers = { 'idempotency-key': 'rehearsed-first' };
  const sent = { ...requestOf(billingCalls.createInvoice, { body: invoice() }), token: make.token };
  await t.request({ ...sent, headers: { ...headers, 'evenkeel-rehearse': 'true' } });
  const [first, second] = [await t.request({ ...sent, headers }), await t.request({ ...sent, headers })];
  expect(first.status).toBe(200);
  expect(second.body).toEqual(first.body);
});

test("a read, a list of records, and a call outside a company can't be rehearsed", async () => {
  const list = [{ customerId, description: 'Mowing', quantity: 1, itemPrice: 10 }];
  const signIn = { email: company.administrator.email, password: 'wrong password' };
  const answers = [
    await send(ledgerCalls.chartOfAccounts, undefined),
    await send(workItemCalls.createWorkItems, list),
    await send(authCalls.login, signIn, 'true', ''),
  ];
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([422, expect.objectContaining({ message: "This call can't be rehearsed" })]);
  }
  const odd = await send(billingCalls.createInvoice, invoice(), 'yes');
  expect([odd.status, odd.body]).toEqual([
    400,
    expect.objectContaining({ message: 'Evenkeel-Rehearse must be true or false' }),
  ]);
});

test('a call that requires a permission also requires the permission when it is rehearsed', async () => {
  const guest = t.world.other.administrator.token;
  const body = { ...invoice(), customerId };
  const { status } = await send(billingCalls.createInvoice, body, 'true', guest);
  expect(status).toBe(422);
  const anonymous = await send(billingCalls.createInvoice, invoice(), 'true', 'unknown');
  expect(anonymous.status).toBe(401);
});

test('a user who may not see entries gets no entries, account balances, or net income', async () => {
  const role = { id: 0, roleName: 'Clerk', roleProperties: ['Manage Billing'] };
  await t.request({ method: 'POST', url: '/api/userroles', token: company.administrator.token, body: role });
  const clerk = await t.signIn(company, 'Clerk');
  const { status, body } = await send(billingCalls.createInvoice, invoice(), 'true', clerk.token);
  const { reply, rehearsal } = body as Answer;
  expect([status, rehearsal]).toEqual([
    200,
    {
      transactions: [],
      asOf: expect.any(String),
      accounts: [],
      entities: [expect.objectContaining({ entityId: customerId })],
      netIncome: null,
      duplicates: expect.any(Array),
      numbers: [{ kind: 'invoice', number: reply.invoiceNumber }],
    },
  ]);
});

test('a rehearsal that waits for a lock gives up after two seconds and keeps no locks', async () => {
  const made = await make.invoice({ customerId, amount: 250 });
  const body = payment(made.id);
  await t.inCompany(company.companyId, async (tx) => {
    await tx.rows(sql`select id from document where company_id = ${company.companyId} and id = ${made.id} for update`);
    const { status, body: answer } = await send(billingCalls.createPayment, body);
    expect([status, answer]).toEqual([
      503,
      expect.objectContaining({ message: expect.stringMatching(/saving this record right now/) }),
    ]);
  });
  expect((await send(billingCalls.createPayment, body)).status).toBe(200);
});

test('20 simultaneous rehearsals and 20 invoices leave no gap in the numbers', async () => {
  const rows = await countRows(t, company.companyId, 'document');
  const all = await Promise.all(
    Array.from({ length: 20 }, async () => ({
      rehearsed: await send(billingCalls.createInvoice, invoice()),
      real: await send(billingCalls.createInvoice, invoice(), null),
    })),
  );
  const real = all.map((answer) => Number((answer.real.body as { invoiceNumber: string }).invoiceNumber));
  const sorted = real.toSorted((a, b) => a - b);
  expect(sorted).toEqual(sorted.map((_, at) => (sorted[0] ?? 0) + at));
  for (const { rehearsed } of all) {
    const { rehearsal } = rehearsed.body as Answer;
    expect(rehearsal.accounts.map(({ accrual }) => accrual.after - accrual.before)).toEqual([100, 100]);
  }
  expect(await countRows(t, company.companyId, 'document')).toBe(rows + 20);
});

test('postings do not wait for the rehearsals that were sent before them', async () => {
  let answered = 0;
  const rehearsals = Array.from({ length: 40 }, () =>
    send(billingCalls.createInvoice, invoice()).then(() => (answered += 1)),
  );
  const real = await Promise.all(Array.from({ length: 10 }, () => send(billingCalls.createInvoice, invoice(), null)));
  expect(real.map(({ status }) => status)).toEqual(real.map(() => 200));
  expect(answered).toBeLessThan(20);
  await Promise.all(rehearsals);
});

test('rehearsing a new customer returns the customer, changes no balance, and saves nothing', async () => {
  const rows = await countRows(t, company.companyId, 'entity');
  const body = { name: 'Birch Lane Vet', displayname: 'Birch Lane Vet', emailAddress: 'office@birchlane.example' };
  const answer = await send(entityCalls.createCustomer, body);
  expect(answer.body).toMatchObject({ reply: { displayname: 'Birch Lane Vet' }, rehearsal: { transactions: [] } });
  expect(await countRows(t, company.companyId, 'entity')).toBe(rows);
});
