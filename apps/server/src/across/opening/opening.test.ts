import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { openingCalls, type OpeningBalances } from '@evenkeel/contract/opening';
import { sql } from 'kysely';
import { verifyCompany } from '../health/books-verify.ts';
import { type RawAnswer, startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { reconcilerOf } from '../../features/banking/testing/reconciling.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let customerId: number;
let vendorId: number;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  [customerId, vendorId] = [await make.customer(), await make.vendor()];
});

const DATE = '2025-12-31';

interface Line {
  accountId: number;
  amount?: number;
}
interface Given {
  id?: number;
  entityId: number;
  number: string;
  unpaidAmount: number;
  date?: string;
  dueDate?: string | null;
  salesTaxScenario?: number;
  lineItems?: Line[];
  taxItems?: { id: number; amount: number }[];
}

const document = (accountId: number, given: Given) => {
  return { date: '2025-11-14', dueDate: '2025-12-14', lineItems: [{ accountId }], ...given };
};
const invoice = (given: Omit<Given, 'entityId'>) => document(140, { entityId: customerId, ...given });
const bill = (given: Omit<Given, 'entityId'>) => document(153, { entityId: vendorId, ...given });

/** Opening balances with one document of each kind: receivables 108.00 − 20.00, payables 50.00 − 8.00. */
function balances() {
  return {
    date: DATE,
    accounts: [
      { accountId: 101, amount: 1000 },
      { accountId: 123, amount: -18 },
      { accountId: 137, amount: -1028 },
    ],
    invoices: [invoice({ number: '1038', unpaidAmount: 108 })],
    bills: [bill({ number: 'V-7', unpaidAmount: 50 })],
    customerCredits: [document(145, { entityId: customerId, number: 'P-3', unpaidAmount: 20 })],
    vendorCredits: [document(153, { entityId: vendorId, number: 'VC-1', unpaidAmount: 8 })],
  };
}

type Body = ReturnType<typeof balances>;
type Answer = RawAnswer & {
  body: OpeningBalances & { code?: string; message: string; fields?: Record<string, string>; current?: unknown };
};

const send = (method: 'POST' | 'PUT', body: object, token = make.token) =>
  t.request({ method, url: '/api/openingbalances', token, body }) as Promise<Answer>;
const get = () => t.call(openingCalls.getOpeningBalances, { token: make.token });

/** Returns the balances by account on a date, in dollars. */
async function trialBalance(basis: 'A' | 'C', to = DATE): Promise<Record<number, number>> {
  const rows = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ id: number; amount: number }>`
      select account_id as id, sum(amount_cents)::bigint as amount from journal_line
      where company_id = ${company.companyId} and posting_date <= ${to} and basis in ('B', ${basis})
      group by account_id having sum(amount_cents) <> 0 order by account_id`),
  );
  return Object.fromEntries(rows.map(({ id, amount }) => [id, amount / 100]));
}

const faults = async () => (await verifyCompany(t.pool, company.companyId)).faults;

/** Returns the sales tax scenario and its items: state 5.75% and county 1%. */
async function taxed(): Promise<{ scenarioId: number; itemIds: number[] }> {
  await make.tax();
  const rows = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ scenarioId: number; id: number }>`
      select scenario_id as "scenarioId", id from sales_tax_item
      where company_id = ${company.companyId} and not deleted order by id`),
  );
  return { scenarioId: Number(rows[0]?.scenarioId), itemIds: rows.map(({ id }) => id) };
}

/** Returns the number that a new invoice gets. */
async function newNumber(): Promise<string> {
  const made = await make.invoice({ customerId, amount: 5 });
  return made.invoiceNumber ?? '';
}

describe('numbers after the opening balances', () => {
  test('new invoices are numbered after the highest open invoice, and no number is missing', async () => {
    const before = balances();
    await send('POST', { ...before, invoices: [invoice({ number: '12044', unpaidAmount: 108 })] });
    expect(await newNumber()).toBe('12045');
    expect(await faults()).toEqual([]);
  });

  test('posting again resets the next number unless an invoice has used that number', async () => {
    const asked = (number: string) => ({ ...balances(), invoices: [invoice({ number, unpaidAmount: 108 })] });
    const { body: first } = await send('POST', asked('99000'));
    const { body: second } = await send('PUT', { ...asked('12044'), rowVersion: first.rowVersion });
    expect(await newNumber()).toBe('12045');
    expect((await send('PUT', { ...asked('1038'), rowVersion: second.rowVersion })).status).toBe(200);
    expect(await newNumber()).toBe('12046');
    expect(await faults()).toEqual([]);
  });
});

describe('posting opening balances', () => {
  test('opening balances are empty and have version 0 until they are posted', async () => {
    expect(await get()).toMatchObject({ date: null, accounts: [], invoices: [], rowVersion: 0, closedThrough: null });
  });

  test('accounts and documents have the given balances, and account 136 ends at 0.00 on both bases', async () => {
    const { status, body } = await send('POST', balances());
    expect(body.message).toBeUndefined();
    expect(status).toBe(200);
    expect(await trialBalance('A')).toEqual({ 101: 1000, 123: -18, 137: -1028, 138: 88, 139: -42 });
    // The open income of 108.00 and the open expenses of 42.00 are not recognized yet, but the credit of 20.00 is
    // recognized.
    expect(await trialBalance('C')).toEqual({ 101: 1000, 123: -18, 137: -1028, 140: 108, 145: -20, 153: -42 });
    expect(await faults()).toEqual([]);
    const [own] = body.invoices;
    expect(own).toMatchObject({ number: '1038', unpaidAmount: 108, displayName: 'Fairlawn Heights', usedBy: [] });
    const { token } = make;
    expect((await t.request({ method: 'GET', url: '/api/openingbalances', token })).body).toEqual(body);
  });

  test("an opening invoice keeps its number and dates, and does not use up one of the company's numbers", async () => {
    await send('POST', balances());
    const { token } = make;
    const row = expect.objectContaining({
      invoiceNumber: '1038',
      invoiceDate: '2025-11-14',
      dueDate: '2025-12-14',
      openAmount: 10_800,
      badge: 'Overdue',
    });
    expect(await t.call(billingCalls.listInvoices, { token, query: {} })).toEqual([row]);
    expect((await make.invoice({ customerId })).invoiceNumber).toBe('10001');
    expect(await faults()).toEqual([]);
  });

  test('on the cash basis, a payment recognizes the income and tax on the open amount', async () => {
    const { scenarioId, itemIds } = await taxed();
    const [state = 0, county = 0] = itemIds;
    const original = {
      salesTaxScenario: scenarioId,
      lineItems: [
        { accountId: 140, amount: 60 },
        { accountId: 141, amount: 40 },
      ],
      taxItems: [
        { id: state, amount: 5.75 },
        { id: county, amount: 1 },
      ],
    };
    const { body } = await send('POST', {
      ...balances(),
      accounts: [
        { accountId: 101, amount: 1000 },
        { accountId: 137, amount: -1053.38 },
      ],
      invoices: [invoice({ number: '1', unpaidAmount: 53.38, ...original })],
      bills: [],
      customerCredits: [],
      vendorCredits: [],
    });
    expect(body.invoices[0]?.lineItems.map(({ amount }) => amount)).toEqual([60, 40]);
    expect(await trialBalance('C')).toEqual({ 101: 1000, 123: 3.38, 137: -1053.38, 140: 30, 141: 20 });
    await make.payment({ customerId, paymentAmount: 53.38, paymentDate: '2026-01-20' });
    expect(await trialBalance('C', '2026-01-20')).toEqual({ 101: 1053.38, 137: -1053.38 });
    expect(await trialBalance('A', '2026-01-20')).toEqual({ 101: 1053.38, 137: -1053.38 });
    expect(await faults()).toEqual([]);
  });

  test('642.50 with 6.75% tax is split into income and tax', async () => {
    const { scenarioId } = await taxed();
    const { body } = await send('POST', {
      ...balances(),
      accounts: [{ accountId: 137, amount: -642.5 }],
      invoices: [invoice({ number: '1', unpaidAmount: 642.5, salesTaxScenario: scenarioId })],
      bills: [],
      customerCredits: [],
      vendorCredits: [],
    });
    expect(body.message).toBeUndefined();
    expect(body.invoices[0]).toMatchObject({
      lineItems: [{ accountId: 140, amount: 601.87 }],
      taxItems: [{ amount: 34.61 }, { amount: 6.02 }],
    });
    expect(await faults()).toEqual([]);
  });

  test('an opening credit can be applied to an invoice later, and a vendor credit to a bill', async () => {
    const { body } = await send('POST', balances());
    const { id: invoiceId = 0 } = body.invoices[0] ?? {};
    const { id: creditId = 0 } = body.customerCredits[0] ?? {};
    const paymentApplications = [
      { invoiceId: creditId, amount: -20 },
      { invoiceId, amount: 108 },
    ];
    await make.payment({ customerId, paymentAmount: 88, paymentDate: '2026-01-20', paymentApplications });
    await make.billPayment({
      vendorId,
      paymentAmount: 42,
      paymentDate: '2026-01-21',
      paymentApplications: [
        { invoiceId: body.bills[0]?.id ?? 0, amount: 50 },
        { invoiceId: body.vendorCredits[0]?.id ?? 0, amount: -8 },
      ],
    });
    const settled = { 101: 1046, 123: -18, 137: -1028 };
    expect(await trialBalance('A', '2026-01-31')).toEqual(settled);
    expect(await trialBalance('C', '2026-01-31')).toEqual(settled);
    expect(await faults()).toEqual([]);
  });

  test('nothing is written if a single field is wrong, and the message shows its row', async () => {
    const given = balances();
    const wrong = [invoice({ number: '1038', unpaidAmount: 100 }), invoice({ number: '', unpaidAmount: 8 })];
    const { status, body } = await send('POST', { ...given, invoices: wrong });
    expect(status).toBe(422);
    expect(body.fields).toEqual({ 'invoices.1.number': 'Please enter a number' });
    expect(await get()).toMatchObject({ date: null, invoices: [] });
    expect(await trialBalance('A')).toEqual({});
  });

  const rejected: [string, (given: Body) => object, Record<string, string>][] = [
    [
      'debits that exceed credits by 12.50',
      (given) => ({ accounts: [{ accountId: 101, amount: 1012.5 }, ...given.accounts.slice(1)] }),
      { accounts: 'Debits exceed credits by $12.50. Add a credit of $12.50 to an equity account.' },
    ],
    [
      'a balance for accounts receivable',
      (given) => ({ accounts: [...given.accounts, { accountId: 138, amount: 5 }] }),
      { 'accounts.3.accountId': "This account's balance is calculated from the open documents" },
    ],
    [
      'an account of another company',
      (given) => ({ accounts: [{ accountId: 99_999, amount: 5 }, ...given.accounts] }),
      { 'accounts.0.accountId': 'Please Select an Account' },
    ],
    [
      'an invoice dated after the opening balances',
      () => ({ invoices: [invoice({ number: '1', unpaidAmount: 108, date: '2026-01-01', dueDate: null })] }),
      { 'invoices.0.date': "The date can't be after the date of the opening balances, 12/31/2025" },
    ],
    [
      'a bank account as the income account',
      () => ({ invoices: [invoice({ number: '1', unpaidAmount: 108, lineItems: [{ accountId: 101 }] })] }),
      {
        'invoices.0.lineItems.0.accountId':
          'Use payments and journal entries to post to bank, cash, and card accounts. Please select another account',
      },
    ],
    [
      'a customer of another company',
      () => ({ invoices: [{ ...invoice({ number: '1', unpaidAmount: 108 }), entityId: 99_999 }] }),
      { 'invoices.0.entityId': 'Please Select a Customer' },
    ],
    [
      'an unpaid amount above the original amount',
      () => ({
        invoices: [invoice({ number: '1', unpaidAmount: 108, lineItems: [{ accountId: 140, amount: 100 }] })],
      }),
      { 'invoices.0.unpaidAmount': "The unpaid amount can't be more than the original amount, $100.00" },
    ],
  ];
  test.each(rejected)('opening balances are rejected: %s', async (_, change, fields) => {
    const given = balances();
    const { status, body } = await send('POST', { ...given, ...change(given) });
    expect([status, body.fields]).toEqual([422, fields]);
    expect(await get()).toMatchObject({ date: null });
  });

  test('opening balance equity of 12.50 may remain if the request includes that amount', async () => {
    const { accounts, ...given } = balances();
    const stated = [{ accountId: 101, amount: 1012.5 }, ...accounts.slice(1), { accountId: 136, amount: -12.5 }];
    expect((await send('POST', { ...given, accounts: stated })).status).toBe(200);
    expect(await trialBalance('A')).toMatchObject({ 136: -12.5 });
    expect(await trialBalance('C')).toMatchObject({ 136: -12.5 });
    expect(await faults()).toEqual([]);
  });

  test('of two simultaneous requests, one posts and the other gets 409 with the posted balances', async () => {
    const answers = await Promise.all([send('POST', balances()), send('POST', balances())]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const late = answers.find(({ status }) => status === 409);
    expect(late?.body).toMatchObject({ code: 'stale', current: { rowVersion: 1 } });
    expect((await get()).invoices).toHaveLength(1);
  });

  test('a read-only user and a user without Manage Accounting get 403', async () => {
    expect((await send('POST', balances(), company.reader.token)).status).toBe(403);
    expect((await send('POST', balances(), company.stranger.token)).status).toBe(403);
  });
});

describe('changing opening balances', () => {
  const posted = async () => {
    const { body } = await send('POST', balances());
    const { rowVersion } = body;
    const ids = [body.invoices, body.bills, body.customerCredits, body.vendorCredits].map(([first]) => first?.id ?? 0);
    const given = balances();
    const withId = (at: number, list: Given[]) => list.map((row) => ({ ...row, id: ids[at] }));
    return {
      rowVersion,
      ...given,
      invoices: withId(0, given.invoices),
      bills: withId(1, given.bills),
      customerCredits: withId(2, given.customerCredits),
      vendorCredits: withId(3, given.vendorCredits),
    };
  };

  test('saving the same opening balances again posts nothing', async () => {
    const given = await posted();
    const { rows } = await journalSize();
    const { status, body } = await send('PUT', given);
    expect([status, body.rowVersion]).toEqual([200, 2]);
    expect(await journalSize()).toEqual({ rows });
  });

  const journalSize = async () => {
    const row = await t.inCompany(company.companyId, (tx) =>
      tx.row(sql<{ rows: number }>`select count(*) as rows from journal_line where company_id = ${company.companyId}`),
    );
    return { rows: Number(row?.rows) };
  };

  test('when documents are changed, deleted, or added, the opening entry is updated', async () => {
    const given = await posted();
    const { status, body } = await send('PUT', {
      ...given,
      accounts: [
        { accountId: 101, amount: 1000 },
        { accountId: 137, amount: -1120 },
      ],
      invoices: [
        { ...given.invoices[0], unpaidAmount: 90, number: '1039' },
        invoice({ number: '1040', unpaidAmount: 10, lineItems: [{ accountId: 141 }] }),
      ],
      bills: [],
      customerCredits: [],
      vendorCredits: [{ ...given.vendorCredits[0], unpaidAmount: 20 }],
    });
    expect(body.message).toBeUndefined();
    expect(status).toBe(200);
    expect(body.invoices.map(({ number, unpaidAmount }) => [number, unpaidAmount])).toEqual([
      ['1039', 90],
      ['1040', 10],
    ]);
    expect(await trialBalance('A')).toEqual({ 101: 1000, 137: -1120, 138: 100, 139: 20 });
    expect(await trialBalance('C')).toEqual({ 101: 1000, 137: -1120, 140: 90, 141: 10, 153: 20 });
    expect(await faults()).toEqual([]);
  });

  test('the number of a deleted document can be entered again', async () => {
    const given = await posted();
    const invoices = [invoice({ number: '1038', unpaidAmount: 108 })];
    expect((await send('PUT', { ...given, invoices })).status).toBe(200);
    expect(await faults()).toEqual([]);
  });

  test('an outdated version returns 409 with the current balances, and unposted balances return 404', async () => {
    const given = await posted();
    expect((await send('PUT', given)).status).toBe(200);
    expect((await send('PUT', given)).body).toMatchObject({ code: 'stale', current: { rowVersion: 2 } });
    const other = t.world.other.bookkeeper.token;
    expect((await send('PUT', { ...balances(), invoices: [], rowVersion: 0 }, other)).status).toBe(404);
  });

  test("a document with payments can't be deleted, reduced below them, or moved to another customer", async () => {
    const given = await posted();
    await make.payment({ customerId, paymentAmount: 60, paymentDate: '2026-01-20' });
    const second = await make.customer('Second');
    const deleted = await send('PUT', { ...given, invoices: [], bills: [] });
    expect([deleted.status, deleted.body.message]).toEqual([409, "Invoice 1038 can't be deleted because of payment 1"]);
    const less = await send('PUT', {
      ...given,
      invoices: [{ ...given.invoices[0], entityId: second, unpaidAmount: 50 }],
    });
    expect(less.body.fields).toEqual({
      'invoices.0.entityId': "Invoice 1038 can't have a different customer or vendor because of payment 1",
      'invoices.0.unpaidAmount': 'Invoice 1038 must be at least $60.00 because of payment 1',
    });
    const { accounts } = given;
    const more = { invoices: [{ ...given.invoices[0], unpaidAmount: 120 }] };
    const changed = [...accounts.slice(0, 2), { accountId: 137, amount: -1040 }];
    expect((await send('PUT', { ...given, ...more, accounts: changed })).status).toBe(200);
    expect(await faults()).toEqual([]);
  });

  test('an opening invoice can be changed only with the opening balances', async () => {
    const given = await posted();
    const id = given.invoices[0]?.id ?? 0;
    const { token } = make;
    const one = await t.request({ method: 'GET', url: `/api/billinginvoice/${id}`, token });
    const put = await t.request({ method: 'PUT', url: '/api/billinginvoice', token, body: one.body as object });
    const message = 'This invoice is part of the opening balances. Change it under Opening Balances in Settings.';
    expect([put.status, put.body]).toEqual([409, expect.objectContaining({ message })]);
    const removed = await t.request({ method: 'DELETE', url: `/api/billinginvoice/${id}`, token });
    expect([removed.status, removed.body]).toEqual([409, expect.objectContaining({ message })]);
  });

  test('closed books reject every change to the opening balances', async () => {
    const given = await posted();
    const closing = { closingDate: '2025-12-31', note: 'Closed', rowVersion: 0 };
    const { token } = company.administrator;
    const closed = await t.request({ method: 'PUT', url: '/api/closingdate', token, body: closing });
    expect(closed.status).toBe(200);
    expect((await get()).closedThrough).toBe('2025-12-31');
    const { status, body } = await send('PUT', given);
    expect([status, body.code]).toEqual([422, 'closed']);
  });

  test("a reconciled opening balance can't change until its reconciliation is deleted", async () => {
    const given = await posted();
    const books = reconcilerOf(t, company, company.administrator);
    const { incomingEntries } = await books.open();
    const entries = incomingEntries.map(({ glid }) => glid);
    const statementDate = '2026-01-31';
    const { reconciliationID } = await books.reconcile({ entries, statementBalance: 1000, statementDate });
    const accounts = given.accounts.map((row) => {
      return { ...row, amount: row.accountId === 101 ? 900 : row.accountId === 137 ? -928 : row.amount };
    });
    const before = await trialBalance('A');
    const { status, body } = await send('PUT', { ...given, accounts });
    expect([status, body.message]).toEqual([409, expect.stringMatching(/reconcil/i)]);
    expect(await trialBalance('A')).toEqual(before);
    await books.remove(reconciliationID);
    expect((await send('PUT', { ...given, accounts })).status).toBe(200);
    expect(await trialBalance('A')).toMatchObject({ 101: 900, 137: -928 });
    expect(await faults()).toEqual([]);
  });
});
