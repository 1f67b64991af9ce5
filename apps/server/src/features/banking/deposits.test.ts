import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { type Receipt, transferCalls as calls } from '@evenkeel/contract/transfers';
import { CHECKING, PETTY_CASH, UNDEPOSITED } from '@evenkeel/core/books/accounts';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { createDeposit } from './deposits.ts';
import { reconcilerOf } from './testing/reconciling.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let bank: number;
let customerId: number;
beforeAll(async () => {
  t = await startTestApp();
  company = t.world.company;
  make = factoryFor(t, company);
  bank = await checkingOf(t, company.companyId);
  customerId = await make.customer('Harbor View');
});
afterAll(() => t.close());

const token = () => company.bookkeeper.token;
type Given = Record<string, unknown>;

/** Creates a customer's check in Undeposited Funds. */
const check = (paymentAmount: number, given: Given = {}) =>
  make.payment({
    customerId,
    paymentAmount,
    bankAccountId: null,
    paymentAccountId: UNDEPOSITED,
    paymentDate: '2026-03-02',
    paymentCheckNo: '771',
    ...given,
  });
const body = (receipts: Given[], given: Given = {}) => ({
  depositDate: '2026-03-05',
  bankAccountId: bank,
  receipts,
  ...given,
});
const create = (receipts: Given[], given: Given = {}) =>
  t.call(calls.createDeposit, { token: token(), body: body(receipts, given) });
const undeposited = (): Promise<Receipt[]> => t.call(calls.listUndeposited, { token: token() });
const of = ({ id: paymentId }: { id: number }) => ({ paymentId });

/** Posts a journal entry to Undeposited Funds, in dollars. Returns the ID of its line there. */
async function journal(amount: number): Promise<{ transactionId: number; lineId: number }> {
  const entry = { amount, description: 'Cash box', postingDate: '2026-03-01' };
  const generalLedgerEntries = [
    { ...entry, accountID: UNDEPOSITED, debit: true },
    { ...entry, accountID: 140, debit: false },
  ];
  const posted = await t.call(ledgerCalls.postTransaction, { token: token(), body: { generalLedgerEntries } });
  const line = posted.generalLedgerEntries.find(({ accountID }) => accountID === UNDEPOSITED);
  return { transactionId: posted.transactionID, lineId: line?.glid ?? 0 };
}

/** Returns the active lines of a deposit: account and cents. */
async function lines(sourceId: number) {
  const params = { sourceType: 'deposit', sourceId };
  const all = await t.call(ledgerCalls.sourceEntries, { token: token(), params });
  return all
    .filter((line) => line.reverses === null && line.reversedBy === null)
    .map((line) => [line.accountID, (line.debitAmount ?? 0) - (line.creditAmount ?? 0)]);
}

const balance = async (accountId: number) => {
  const row = await t.inCompany(company.companyId, (tx) =>
    tx.row(sql<{ total: number }>`
      select coalesce(sum(amount_cents), 0)::bigint as total from journal_line
      where company_id = ${company.companyId} and account_id = ${accountId} and basis <> 'C'`),
  );
  return row?.total ?? 0;
};

test('checks for 100.00 and 55.50, a journal line of 40.00, and 20.00 cash back make a deposit of 175.50', async () => {
  const [first, second, box] = [await check(100), await check(55.5), await journal(40)];
  expect(await undeposited()).toMatchObject([
    { lineId: box.lineId, paymentId: null, sourceType: 'journal', memo: 'Cash box', amount: 4_000 },
    { paymentId: first.id, payer: 'Harbor View', referenceNumber: '771', receiptDate: '2026-03-02', amount: 10_000 },
    { paymentId: second.id, number: second.paymentNumber, amount: 5_550 },
  ]);
  const lineItems = [{ accountId: PETTY_CASH, amount: -20, description: 'Cash back' }];
  const made = await create([of(first), of(second), { lineId: box.lineId }], { lineItems });
  expect(made).toMatchObject({ depositNumber: '1', amount: 17_550, bankAccountName: 'Checking' });
  expect(await lines(made.id)).toEqual([
    [CHECKING, 17_550],
    [UNDEPOSITED, -19_550],
    [PETTY_CASH, 2_000],
  ]);
  expect([await undeposited(), await balance(UNDEPOSITED)]).toEqual([[], 0]);
  expect(await t.call(calls.getDeposit, { token: token(), params: { id: made.id } })).toEqual(made);
  const page = await t.call(calls.listDeposits, { token: token(), query: { limit: '10' } });
  expect(page).toMatchObject({ total: 1, items: [{ depositNumber: '1', receiptCount: 3, amount: 17_550 }] });

  // Removes the second check and the journal line from the deposit, so that they become undeposited again.
  const edit = { id: made.id, rowVersion: 1 };
  const saved = await t.call(calls.updateDeposit, { token: token(), body: body([of(first)], edit) });
  expect(saved).toMatchObject({ amount: 10_000, rowVersion: 2, lineItems: [] });
  expect((await undeposited()).map(({ amount }) => amount)).toEqual([4_000, 5_550]);
  await t.call(calls.deleteDeposit, { token: token(), params: { id: made.id } });
  expect(await lines(made.id)).toEqual([]);
  expect((await undeposited()).length).toBe(3);
  const all = (await undeposited()).map(({ paymentId, lineId }) => ({ paymentId, lineId }));
  expect((await create(all)).depositNumber).toBe('2');
});

test('only one of two simultaneous deposits of a check succeeds, and the error names that deposit', async () => {
  for (let round = 0; round < 5; round += 1) {
    const payment = await check(25 + round);
    const send = (person: { token: string }) =>
      t.request({ method: 'POST', url: '/api/deposit', token: person.token, body: body([of(payment)]) });
    const answers = await Promise.all([send(company.bookkeeper), send(company.administrator)]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect([won?.status, lost?.status]).toEqual([200, 409]);
    const number = /"depositNumber":"(\d+)"/.exec(JSON.stringify(won?.body))?.[1];
    const message = `The receipt from Harbor View is already in deposit ${number}. Reload the page.`;
    expect(lost?.body).toMatchObject({ code: 'conflict', message });
  }
});

test('a deposit and a simultaneous change to its check never leave a deposit with a different amount', async () => {
  for (let round = 0; round < 5; round += 1) {
    const payment = await check(60);
    const { id, paymentDate } = payment;
    const edit = { id, customerId, paymentDate, paymentAmount: 61, paymentTypeId: 2, paymentAccountId: UNDEPOSITED };
    const [deposit, change] = await Promise.all([
      t.request({ method: 'POST', url: '/api/deposit', token: token(), body: body([of(payment)]) }),
      t.request({ method: 'PUT', url: '/api/billingpayment', token: token(), body: edit }),
    ]);
    expect(deposit.status).toBe(200);
    expect(deposit.body).toMatchObject({ amount: change.status === 200 ? 61 : 60 });
  }
});

test("a check keeps its date, amount, and account and can't be deleted while it is in a deposit", async () => {
  const payment = await check(80);
  const deposit = await create([of(payment)]);
  const { id, paymentDate } = payment;
  const asked = { id, customerId, paymentDate, paymentAmount: 80, paymentTypeId: 2, paymentAccountId: UNDEPOSITED };
  const message = `This payment is in deposit ${deposit.depositNumber}, so `;
  for (const change of [
    { paymentAmount: 81 },
    { paymentDate: '2026-03-03' },
    { paymentAccountId: null, bankAccountId: bank },
  ]) {
    const refusal = await t.refused(billingCalls.updatePayment, { token: token(), body: { ...asked, ...change } });
    expect([refusal.status, refusal.message.startsWith(message)]).toEqual([409, true]);
  }
  const gone = await t.refused(billingCalls.deletePayment, { token: token(), params: { id } });
  expect([gone.status, gone.message]).toEqual([
    409,
    `This payment is in deposit ${deposit.depositNumber}, so it can't be deleted until you remove it from that deposit`,
  ]);
  const words = { ...asked, paymentDescription: 'Check of May' };
  const saved = await t.call(billingCalls.updatePayment, { token: token(), body: words });
  expect(saved.paymentDescription).toBe('Check of May');
  await t.call(calls.deleteDeposit, { token: token(), params: { id: deposit.id } });
  await t.call(billingCalls.deletePayment, { token: token(), params: { id } });
});

test('an entry with a deposited line can be reversed only after the line is removed', async () => {
  const { transactionId, lineId } = await journal(15);
  const deposit = await create([{ lineId }]);
  const reverse = { token: token(), params: { transactionId }, body: { postingDate: '2026-03-09' } };
  const refusal = await t.refused(ledgerCalls.reverseTransaction, reverse);
  expect([refusal.status, refusal.message]).toEqual([
    409,
    `A line of this journal entry is in deposit ${deposit.depositNumber}. Remove the line from the deposit first.`,
  ]);
  await t.call(calls.deleteDeposit, { token: token(), params: { id: deposit.id } });
  await t.call(ledgerCalls.reverseTransaction, reverse);
  const again = await t.refused(calls.createDeposit, { token: token(), body: body([{ lineId }]) });
  expect(again.fields).toEqual({ 'receipts.0': 'This receipt is no longer in Undeposited Funds' });
});

test('rejects a deposit with unknown or duplicate receipts, too much cash back, or an unusable account', async () => {
  const payment = await check(10);
  const refusal = async (receipts: Given[], given: Given = {}) =>
    (await t.refused(calls.createDeposit, { token: token(), body: body(receipts, given) })).fields;
  const direct = await make.payment({ customerId, paymentAmount: 5 });
  expect(await refusal([of(direct)])).toHaveProperty(['receipts.0']);
  expect(await refusal([of(payment), of(payment)])).toEqual({ 'receipts.1': 'This receipt is selected twice' });
  expect(await refusal([])).toEqual({ receipts: 'Please select the receipts to deposit' });
  const back = { lineItems: [{ accountId: PETTY_CASH, amount: -10 }] };
  expect(await refusal([of(payment)], back)).toEqual({ receipts: 'A deposit must be more than $0.00' });
  for (const accountId of [CHECKING, UNDEPOSITED, 138, 145, 99_999]) {
    const line = { lineItems: [{ accountId, amount: 1 }] };
    expect(await refusal([of(payment)], line)).toHaveProperty(['lineItems.0.accountId']);
  }
  const theirs = await factoryFor(t, t.world.other).customer();
  const line = { lineItems: [{ accountId: 140, amount: 1, entityId: theirs }] };
  expect(await refusal([of(payment)], line)).toHaveProperty(['lineItems.0.entityId']);
});

test('another operation can post a deposit in its own transaction, and verify reports a changed receipt', async () => {
  const payment = await check(33);
  const { companyId } = company;
  const deposit = await t.withCtx(company.bookkeeper, (ctx) =>
    createDeposit(ctx, {
      depositDate: isoDate('2026-05-02'),
      bankAccountId: bank,
      receipts: [of(payment)],
      lineItems: [{ accountId: 140, amount: cents(700) }],
    }),
  );
  expect(deposit.amount).toBe(4_000);
  expect((await verifyCompany(t.pool, companyId)).faults).toEqual([]);
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`update deposit_receipt set amount_cents = 3200
      where company_id = ${companyId} and payment_id = ${payment.id}`),
  );
  const { faults } = await verifyCompany(t.pool, companyId);
  expect(faults.map(({ message }) => message)).toContain(
    `deposit ${deposit.depositNumber} has a receipt of $32.00, but payment ${payment.paymentNumber} is $33.00`,
  );
});

test('the payment list shows which payments are deposited or reconciled, and a total for each filter', async () => {
  const own = await t.createCompany();
  const factory = factoryFor(t, own);
  const payer = await factory.customer('Payer');
  const bookkeeper = { token: own.bookkeeper.token };
  const pay = (paymentAmount: number, given: Given) =>
    factory.payment({ customerId: payer, paymentAmount, paymentApplications: [], ...given });
  const cash = { bankAccountId: null, paymentAccountId: UNDEPOSITED };
  await pay(20, cash);
  const deposited = await pay(25, cash);
  await pay(30, { paymentDate: '2026-03-02' });
  const at = await checkingOf(t, own.companyId);
  const given = { depositDate: '2026-03-25', bankAccountId: at, receipts: [of(deposited)] };
  await t.call(calls.createDeposit, { ...bookkeeper, body: given });
  const list = async (query: object) => {
    const page = await t.call(billingCalls.listPayments, { ...bookkeeper, query: { limit: '9', ...query } });
    if (!('items' in page)) throw new Error('the list has no page');
    return page;
  };
  const states = async () => {
    const { items } = await list({ sort: 'paymentAmount' });
    return items.map(({ accountName, paymentType, state }) => [accountName, paymentType, state]);
  };
  const UNDEPOSITED_FUNDS = 'Undeposited Funds';
  expect(await states()).toEqual([
    [UNDEPOSITED_FUNDS, 'Check', 'undeposited'],
    [UNDEPOSITED_FUNDS, 'Check', 'deposited'],
    ['Checking', 'Check', 'deposited'],
  ]);
  const { reconcile, open } = reconcilerOf(t, own);
  const { incomingEntries, outgoingEntries } = await open();
  const entries = [...incomingEntries, ...outgoingEntries].map(({ glid }) => glid);
  await reconcile({ entries, statementBalance: 55 });
  expect((await states()).map(([, , state]) => state)).toEqual(['undeposited', 'reconciled', 'reconciled']);
  const parts = {
    received: { count: 3, amount: 7_500 },
    recent: { count: 0, amount: 0 },
    undeposited: { count: 1, amount: 2_000 },
    unapplied: { count: 3, amount: 7_500 },
    refund: { count: 0, amount: 0 },
  };
  expect((await list({})).parts).toMatchObject(parts);
  for (const [status, { count, amount }] of Object.entries(parts)) {
    const counted = { total: count, sums: { paymentAmount: amount, unappliedAmount: amount } };
    expect([status, await list({ status })]).toMatchObject([status, { ...counted, parts }]);
    expect([status, await list({ status, q: 'Payer' })]).toMatchObject([status, counted]);
  }
  expect((await list({ status: 'undeposited' })).items).toMatchObject([{ paymentAmount: 2_000 }]);
});
