import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { billingCalls } from '@evenkeel/contract/billing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { transferCalls } from '@evenkeel/contract/transfers';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { openClient } from '../../platform/db/connect.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { WAITS } from '../../testing/databases.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { upload } from '../../testing/files.ts';
import { linesToReview } from './lines.ts';
import { type BankSays, importFile, ofx } from './testing/statement-files.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const DAY = isoDate('2026-03-20');
let company: WorldCompany;
let make: Factory;
let token: string;
let bank: number;
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  ({ token } = make);
  bank = await checkingOf(t, company.companyId);
});

let files = 0;

/** Imports bank transactions, each with its own ID, and returns them for review. */
async function bankSays(...lines: (Partial<BankSays> & { amount: number })[]) {
  files += 1;
  const bytes = ofx(lines.map((line, at) => ({ date: DAY, text: 'DEPOSIT', id: `${files}-${at}`, ...line })));
  await importFile(t, token, { bankAccountId: bank, bytes });
  return review();
}

async function review(state = 'review') {
  const all = await t.call(calls.listBankLines, { token, query: { state } });
  return Array.isArray(all) ? all : all.items;
}

const act = (id: number, body: Record<string, unknown>, who = token) =>
  t.call(calls.actOnBankLine, { token: who, params: { id }, body });
const refused = (id: number, body: Record<string, unknown>, who = token) =>
  t.refused(calls.actOnBankLine, { token: who, params: { id }, body });

/** All amounts in the books: each account's balance on both bases, and the open balances of documents. */
async function figures() {
  const [accounts, open] = await t.inCompany(company.companyId, (tx) =>
    tx.inOrder([
      sql`select account_id, basis, sum(amount_cents)::bigint as amount from journal_line
        where company_id = ${company.companyId} group by 1, 2 having sum(amount_cents) <> 0 order by 1, 2`,
      sql`select id, open_cents from document where company_id = ${company.companyId} order by id`,
    ]),
  );
  return { accounts, open };
}

async function expectSound(): Promise<void> {
  expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
}

const dangling = () =>
  t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`select l.id from bank_line l where l.company_id = ${company.companyId} and l.state <> 'excluded'
      and (l.act_id is not null) <> exists (select from bank_match m
        where m.company_id = ${company.companyId} and m.act_id = l.act_id)`),
  );

describe('a bank transaction', () => {
  test("a bank transaction of 100.00 is matched to the named customer's payment, and the match is undone", async () => {
    const customerId = await make.customer('Acme Tools');
    await make.invoice({ customerId });
    await make.payment({ customerId, paymentAmount: 100 });
    const before = await figures();
    const [line] = await bankSays({ amount: 10_000, text: 'ACH ACME TOOLS', date: addDays(DAY, 2) });
    expect(line?.candidate).toMatchObject({ kind: 'entry', action: 'match', sure: true, score: 0.99 });
    const id = line?.id ?? 0;
    const { line: matched } = await act(id, { action: 'match', candidate: line?.candidate?.key });
    expect(matched).toMatchObject({ state: 'matched', candidate: null, reconciled: false });
    expect(matched.act).toMatchObject({ action: 'match', by: 'Bob Person', automatic: false });
    expect(matched.act?.reason).toContain('Acme Tools in the description');
    expect(matched.act?.entries.map(({ amount, sourceType }) => [amount, sourceType])).toEqual([[10_000, 'payment']]);
    expect(await figures()).toEqual(before);
    await expectSound();
    expect((await act(id, { action: 'undo' })).line).toMatchObject({ state: 'review', act: null });
    expect(await figures()).toEqual(before);
    await expectSound();
  });

  test('a bank transaction of 102.00 is matched by hand to three entries with the same total', async () => {
    const customerId = await make.customer('Acme Tools');
    for (const paymentAmount of [12, 34, 56, 7]) await make.payment({ customerId, paymentAmount });
    const [line] = await bankSays({ amount: 10_200 });
    const id = line?.id ?? 0;
    const { found } = await t.call(calls.bankLineCandidates, { token, params: { id }, query: { q: 'acme' } });
    expect(found).toHaveLength(4);
    const glids = found.filter(({ amount }) => amount !== 700).map(({ glid }) => glid);
    expect((await refused(id, { action: 'match', glids: found.map(({ glid }) => glid) })).status).toBe(422);
    expect((await act(id, { action: 'match', glids })).line.act?.entries).toHaveLength(3);
    const [other] = await bankSays({ amount: 1200 });
    expect((await refused(other?.id ?? 0, { action: 'match', glids: [glids[0]] })).status).toBe(409);
    await expectSound();
  });

  test('a matched bank transaction is not listed as unreconciled after its entry is reconciled', async () => {
    const [line, other] = await bankSays({ amount: 10_000 }, { amount: 700 });
    await make.payment({ customerId: await make.customer('Acme Tools'), paymentAmount: 100 });
    const params = { id: line?.id ?? 0 };
    const { found: entries } = await t.call(calls.bankLineCandidates, { token, params, query: { q: 'acme' } });
    const [entry] = entries;
    await act(params.id, { action: 'match', glids: [entry?.glid] });
    const found = async (query: Record<string, string>) => {
      const page = await t.call(calls.listBankLines, { token, query: { limit: '10', ...query } });
      return Array.isArray(page) ? [] : [page.total, page.items.map(({ id }) => id)];
    };
    expect(await found({ state: 'settled' })).toEqual([1, [line?.id]]);
    expect(await t.inCompany(company.companyId, linesToReview)).toBe(1);
    expect(await found({ state: 'all', unreconciled: 'true' })).toEqual([2, [line?.id, other?.id]]);
    const selected = { incomingEntries: [entry?.glid], outgoingEntries: [] };
    const statement = { statementDate: entry?.postingDate, statementBalance: 100, bankAccountID: bank, accountID: 101 };
    await t.call(reconciliationCalls.createReconciliation, { token, body: { ...statement, ...selected } });
    expect(await found({ state: 'settled', unreconciled: 'true' })).toEqual([0, []]);
    expect(await found({ state: 'settled' })).toEqual([1, [line?.id]]);
  });

  test('two journal entries whose other lines name the customer are suggested together for 120.00', async () => {
    const [acme, other] = [await make.customer('Acme Tools'), await make.customer('Birch Lane')];
    const entries = [
      [acme, acme, 50],
      [acme, acme, 70],
      // An entry that names two customers belongs to neither, so only one set adds up to 120.00.
      [acme, other, 70],
    ] as const;
    for (const [first, second, amount] of entries) {
      const description = 'Consulting';
      const half = { accountID: 176, debit: false, amount: amount / 2, description };
      const generalLedgerEntries = [
        { accountID: 101, debit: true, amount, description },
        { ...half, entityId: first },
        { ...half, entityId: second },
      ];
      await t.call(ledgerCalls.postTransaction, {
        token,
        body: { postingDate: addDays(DAY, -20), generalLedgerEntries },
      });
    }
    const [line] = await bankSays({ amount: 12_000, text: 'ACH ACME TOOLS' });
    expect(line?.candidate).toMatchObject({ kind: 'entries', action: 'match' });
    expect(line?.candidate?.reason).toBe('the only 2 entries from Acme Tools that add up to the amount');
    const shown = line?.candidate?.entries.map(({ amount, entityName }) => [amount, entityName]);
    expect(shown).toEqual([5000, 7000].map((amount) => [amount, 'Acme Tools']));
  });

  test('bank transactions of 30.00 and 70.00 are matched to one 100.00 entry and unmatched together', async () => {
    const customerId = await make.customer('Acme Tools');
    await make.payment({ customerId, paymentAmount: 100 });
    const [a, b] = await bankSays({ amount: 3000, text: 'ACME TOOLS' }, { amount: 7000, text: 'ACME TOOLS' });
    expect(a?.candidate).toMatchObject({ kind: 'lines', lineIds: [b?.id] });
    const { others } = await act(a?.id ?? 0, { action: 'match', candidate: a?.candidate?.key });
    expect(others.map(({ id, state }) => [id, state])).toEqual([[b?.id, 'matched']]);
    await expectSound();
    await act(b?.id ?? 0, { action: 'undo' });
    expect(await review()).toHaveLength(2);
  });

  test('a bank transaction becomes a split journal entry with its date and total, which can be undone', async () => {
    const before = await figures();
    const [line] = await bankSays({ amount: -10_000, text: 'POS STAPLES 0123' });
    const id = line?.id ?? 0;
    const lines = [
      { accountID: 160, amount: -60 },
      { accountID: 151, amount: -40, description: 'Fee' },
    ];
    const short = await refused(id, { action: 'add', lines: lines.slice(0, 1) });
    expect(short).toMatchObject({
      status: 422,
      message: 'The lines must add up to the bank amount, but the total is $40.00 too low',
    });
    const wrong = await refused(id, { action: 'add', lines: [{ accountID: 999_999, amount: -100 }] });
    expect(wrong.fields).toHaveProperty(['lines.0.accountID']);
    const { line: added } = await act(id, { action: 'add', lines, memo: 'Paper' });
    expect(added).toMatchObject({ state: 'added', act: { action: 'add' } });
    const transactionId = added.act?.entries[0]?.transactionID ?? 0;
    const posted = await t.call(ledgerCalls.transactionEntries, { token, params: { transactionId } });
    expect(posted.postingDate).toBe(DAY);
    expect(posted.generalLedgerEntries.map((e) => [e.accountID, e.debitAmount, e.creditAmount, e.description])).toEqual(
      [
        [101, null, 10_000, 'Paper'],
        [160, 6000, null, 'Paper'],
        [151, 4000, null, 'Fee'],
      ],
    );
    await expectSound();
    await act(id, { action: 'undo' });
    expect(await figures()).toEqual(before);
    expect(await review()).toHaveLength(1);
    await expectSound();
  });

  test('a bank transaction pays the invoice whose number it contains, and an undo reopens the invoice', async () => {
    const customerId = await make.customer('Acme Tools');
    const { id: invoiceId, invoiceNumber } = await make.invoice({ customerId, amount: 250 });
    const before = await figures();
    const [line] = await bankSays({ amount: 25_000, text: `ACME TOOLS ${invoiceNumber}` });
    expect(line?.candidate).toMatchObject({ kind: 'document', action: 'pay', sure: true });
    const { line: paid } = await act(line?.id ?? 0, { action: 'pay', candidate: line?.candidate?.key });
    expect(paid).toMatchObject({ state: 'matched', act: { action: 'pay' } });
    const invoice = await t.call(billingCalls.getInvoice, { token, params: { id: invoiceId } });
    expect(invoice.openAmount).toBe(0);
    await expectSound();
    await act(line?.id ?? 0, { action: 'undo' });
    expect(await figures()).toEqual(before);
    await expectSound();
  });

  test('an outgoing bank transaction pays a bill, which requires Manage Expenses', async () => {
    const vendorId = await make.vendor('Valley Nursery');
    await make.bill({ vendorId, amount: 80 });
    const [line] = await bankSays({ amount: -8000, text: 'VALLEY NURSERY' });
    const body = { action: 'pay', candidate: line?.candidate?.key };
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`insert into role (company_id, role_name, permissions)
        values (${company.companyId}, 'Teller', '{Manage Banking,Manage Billing}')`),
    );
    const teller = await t.signIn(company, 'Teller');
    expect((await refused(line?.id ?? 0, body, teller.token)).status).toBe(403);
    await act(line?.id ?? 0, body);
    const bills = await t.call(expenseCalls.vendorOpenInvoices, { token, params: { vendorId } });
    expect(bills).toEqual([]);
    await expectSound();
  });

  test('both sides of a transfer of 500.00 are matched and unmatched together', async () => {
    const till = await t.inCompany(company.companyId, (tx) =>
      tx.one(sql<{ id: number }>`insert into banking_account (company_id, name, gl_account_id)
        values (${company.companyId}, 'Savings', 102) returning id`),
    );
    const before = await figures();
    const say = (amount: number): BankSays => ({ date: DAY, amount, text: 'ONLINE TRANSFER', id: `t${amount}` });
    await importFile(t, token, { bankAccountId: bank, bytes: ofx([say(-50_000)]) });
    await importFile(t, token, { bankAccountId: till.id, bytes: ofx([say(50_000)], { account: '77' }) });
    const lines = await review();
    expect(lines.map(({ candidate }) => candidate?.kind)).toEqual(['transfer', 'transfer']);
    const [out] = lines;
    const { others } = await act(out?.id ?? 0, { action: 'transfer', candidate: out?.candidate?.key });
    expect(others.map(({ state }) => state)).toEqual(['transferred']);
    const transfers = await t.call(transferCalls.listTransfers, { token, query: {} });
    expect(transfers).toHaveLength(1);
    await expectSound();
    await act(others[0]?.id ?? 0, { action: 'undo' });
    expect(await figures()).toEqual(before);
    expect(await review()).toHaveLength(2);
    await expectSound();
  });

  test('a bank transaction is matched to a new deposit with two receipts', async () => {
    const customerId = await make.customer('Acme Tools');
    for (const paymentAmount of [40, 60]) {
      await make.payment({ customerId, paymentAmount, bankAccountId: 0, paymentAccountId: 104 });
    }
    const before = await figures();
    const [line] = await bankSays({ amount: 10_000, date: addDays(DAY, 1) });
    expect(line?.candidate).toMatchObject({ kind: 'receipts', action: 'deposit' });
    const { line: deposited } = await act(line?.id ?? 0, { action: 'deposit', candidate: line?.candidate?.key });
    expect(deposited).toMatchObject({ state: 'matched', act: { action: 'deposit' } });
    expect(await t.call(transferCalls.listUndeposited, { token })).toEqual([]);
    await expectSound();
    await act(line?.id ?? 0, { action: 'undo' });
    expect(await figures()).toEqual(before);
  });

  test('a rejected suggestion is not shown again', async () => {
    const customerId = await make.customer('Acme Tools');
    await make.payment({ customerId, paymentAmount: 100 });
    const [line] = await bankSays({ amount: 10_000, text: 'ACME TOOLS' });
    const { line: after } = await act(line?.id ?? 0, { action: 'refuse', candidate: line?.candidate?.key });
    expect(after).toMatchObject({ state: 'review', candidate: null });
  });
});

describe('a matched entry changed elsewhere', () => {
  async function matchedPayment() {
    const customerId = await make.customer('Acme Tools');
    await make.invoice({ customerId });
    const payment = await make.payment({ customerId, paymentAmount: 100 });
    const [line] = await bankSays({ amount: 10_000, text: 'ACME TOOLS' });
    await act(line?.id ?? 0, { action: 'match', candidate: line?.candidate?.key });
    return { payment, id: line?.id ?? 0 };
  }

  // Promise (books): If the payment or entry of a matched bank transaction is deleted or reversed, the bank transaction
  // returns to review in the same transaction.
  test('a deleted payment returns its bank transaction to review', async () => {
    const { payment, id } = await matchedPayment();
    await t.call(billingCalls.deletePayment, { token, params: { id: payment.id } });
    expect(await t.call(calls.getBankLine, { token, params: { id } })).toMatchObject({ state: 'review', act: null });
    expect(await dangling()).toEqual([]);
    await expectSound();
  });

  test("a payment with a new amount returns its bank transaction to review, but a new memo doesn't", async () => {
    const { payment, id } = await matchedPayment();
    const { bankAccountId, customerId, paymentDate, paymentTypeId } = payment;
    const body = { id: payment.id, customerId, bankAccountId, paymentDate, paymentTypeId, paymentAmount: 100 };
    await t.call(billingCalls.updatePayment, { token, body: { ...body, paymentDescription: 'With thanks' } });
    const kept = await t.call(calls.getBankLine, { token, params: { id } });
    expect(kept.state).toBe('matched');
    expect(kept.act?.entries.map(({ amount }) => amount)).toEqual([10_000]);
    await expectSound();
    await t.call(billingCalls.updatePayment, { token, body: { ...body, paymentAmount: 90 } });
    expect((await t.call(calls.getBankLine, { token, params: { id } })).state).toBe('review');
    expect(await dangling()).toEqual([]);
    await expectSound();
  });

  test('a reversed journal entry returns its bank transaction to review', async () => {
    const [line] = await bankSays({ amount: -500, text: 'FEE' });
    const id = line?.id ?? 0;
    const { line: added } = await act(id, { action: 'add', lines: [{ accountID: 151, amount: -5 }] });
    const transactionId = added.act?.entries[0]?.transactionID ?? 0;
    const asked = { token, params: { transactionId }, body: { postingDate: '2026-04-01' } };
    await t.call(ledgerCalls.reverseTransaction, asked);
    expect((await t.call(calls.getBankLine, { token, params: { id } })).state).toBe('review');
    await expectSound();
  });
});

describe('accepting several suggestions', () => {
  test('accepting three suggestions reports the one that is already matched and accepts the other two', async () => {
    const names = ['Acme Tools', 'Birch Dental', 'Cedar Point'];
    for (const name of names) await make.payment({ customerId: await make.customer(name), paymentAmount: 100 });
    const lines = await bankSays(...names.map((text) => ({ amount: 10_000, text: text.toUpperCase() })));
    const sure = await t.call(calls.listBankLines, { token, query: { sure: 'true' } });
    expect(sure).toHaveLength(3);
    const ids = lines.map(({ id }) => id);
    const candidates = lines.map(({ candidate }) => candidate?.key ?? '');
    await act(ids[1] ?? 0, { action: 'exclude' });
    const answers = await t.call(calls.acceptBankLines, { token, body: { ids, candidates } });
    expect(answers.map(({ record, error }) => record?.state ?? error?.code)).toEqual([
      'matched',
      'conflict',
      'matched',
    ]);
    await expectSound();
  });

  test('accepting reports a suggestion that is no longer the best one', async () => {
    const customerId = await make.customer('Acme Tools');
    await make.payment({ customerId, paymentAmount: 100 });
    const [line] = await bankSays({ amount: 10_000, text: 'ACME TOOLS' });
    const body = { ids: [line?.id ?? 0], candidates: ['entry:999999'] };
    const [answer] = await t.call(calls.acceptBankLines, { token, body });
    expect(answer?.error?.message).toContain('The match for this bank transaction has changed');
    // IDs of records that don't exist match nothing.
    const candidate = `transfer:${'9'.repeat(20)}`;
    expect((await refused(line?.id ?? 0, { action: 'transfer', candidate })).status).toBe(409);
    const away = { ids: [line?.id ?? 0, 999_999], candidates: [candidate, candidate] };
    const told = await t.call(calls.acceptBankLines, { token, body: away });
    expect(told.map(({ error }) => error?.code)).toEqual(['conflict', 'not_found']);
  });
});

describe('accepting performs the action that was shown', () => {
  const halves = (amount: number) => [
    { accountID: 160, amount: (amount * 6) / 10 },
    { accountID: 151, amount: (amount * 4) / 10, description: 'Fee' },
  ];

  test('after a payee is split 60/40 twice, both parts are suggested the third time, exact to the cent', async () => {
    const lines = await bankSays(...[-10_000, -2500, -3333].map((amount) => ({ amount, text: 'POS STAPLES 0123' })));
    const [first, second, third] = lines.map(({ id }) => id);
    for (const [id, amount] of [
      [first, -100],
      [second, -25],
    ] as const) {
      await act(id ?? 0, { action: 'add', lines: halves(amount), memo: 'Paper' });
    }
    const { candidate } = await t.call(calls.getBankLine, { token, params: { id: third ?? 0 } });
    expect(candidate).toMatchObject({ kind: 'history', action: 'add', reason: 'categorized this way 2 times before' });
    const parts = [
      [160, -2000],
      [151, -1333],
    ];
    expect(candidate?.lines.map(({ accountID, amount }) => [accountID, amount])).toEqual(parts);
    const { line } = await act(third ?? 0, { action: 'add', candidate: candidate?.key });
    const transactionId = line.act?.entries[0]?.transactionID ?? 0;
    const posted = await t.call(ledgerCalls.transactionEntries, { token, params: { transactionId } });
    expect(posted.generalLedgerEntries.map(({ accountID, debitAmount }) => [accountID, debitAmount])).toEqual([
      [101, null],
      [160, 2000],
      [151, 1333],
    ]);
    await expectSound();
  });

  test('accepting suggestions from a rule that was edited reports the change and posts nothing', async () => {
    const whole = (accountID: number) => [{ accountID, percent: 100 }];
    const rule = { name: 'Staples', text: 'staples', memo: 'Office' };
    const { id: ruleId } = await t.call(calls.createBankRule, { token, body: { id: 0, ...rule, lines: whole(160) } });
    const [line] = await bankSays({ amount: -1000, text: 'POS STAPLES' });
    const id = line?.id ?? 0;
    expect(line?.candidate).toMatchObject({ kind: 'rule', ruleId });
    await t.call(calls.updateBankRule, { token, params: { id: ruleId }, body: { ...rule, lines: whole(151) } });
    const key = line?.candidate?.key ?? '';
    expect((await refused(id, { action: 'add', candidate: key })).status).toBe(409);
    const [answer] = await t.call(calls.acceptBankLines, { token, body: { ids: [id], candidates: [key] } });
    expect(answer?.error?.code).toBe('conflict');
    const [now] = await review();
    const { line: added } = await act(id, { action: 'add', candidate: now?.candidate?.key });
    expect(added.act?.entries[0]?.description).toBe('Office');
    await expectSound();
  });

  test('a suggested match with a different action or conflicting fields is rejected', async () => {
    await make.payment({ customerId: await make.customer('Acme Tools'), paymentAmount: 100 });
    const [line] = await bankSays({ amount: 10_000, text: 'ACME TOOLS' });
    const candidate = line?.candidate?.key;
    expect(await refused(line?.id ?? 0, { action: 'add', candidate })).toMatchObject({ status: 422 });
    const others = await refused(line?.id ?? 0, { action: 'match', candidate, glids: [1] });
    expect(others).toMatchObject({ status: 422, fields: { candidate: expect.any(String) } });
    expect((await act(line?.id ?? 0, { action: 'match', candidate, memo: 'Thanks' })).line.state).toBe('matched');
  });

  test('undo is rejected if another user has handled the bank transaction again', async () => {
    const [line] = await bankSays({ amount: -500, text: 'FEE' });
    const id = line?.id ?? 0;
    const lines = [{ accountID: 151, amount: -5 }];
    const { line: mine } = await act(id, { action: 'add', lines });
    await act(id, { action: 'undo', rowVersion: mine.rowVersion });
    const { line: theirs } = await act(id, { action: 'add', lines }, company.administrator.token);
    const undo = (rowVersion: number) => refused(id, { action: 'undo', rowVersion });
    expect(await undo(mine.rowVersion)).toMatchObject({ status: 409, code: 'stale' });
    expect((await review('added')).map((one) => one.id)).toEqual([id]);
    await act(id, { action: 'undo', rowVersion: theirs.rowVersion });
    await expectSound();
  });

  test('only an administrator who gives a reason can undo an action or reverse an entry in closed books', async () => {
    const [line] = await bankSays({ amount: -500, text: 'FEE' });
    const id = line?.id ?? 0;
    const { line: added } = await act(id, { action: 'add', lines: [{ accountID: 151, amount: -5 }] });
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update ledger_head set closing_date = ${DAY} where company_id = ${company.companyId}`),
    );
    const reasoned = { action: 'undo', closingOverrideReason: 'Booked twice' };
    const { administrator } = company;
    expect((await refused(id, { action: 'undo' }, administrator.token)).code).toBe('closed');
    expect((await refused(id, reasoned)).code).toBe('closed');
    expect(added.state).toBe('added');
    expect((await act(id, reasoned, administrator.token)).line.state).toBe('review');
    await expectSound();
    const input = { postingDate: addDays(DAY, 1), entityID: 0, transactionID: 0 };
    const entries = [101, 151].map((accountID, at) => ({ accountID, debit: at === 0, amount: 5, description: 'Fee' }));
    const body = { ...input, generalLedgerEntries: entries };
    const { transactionID: transactionId } = await t.call(ledgerCalls.postTransaction, { token, body });
    const reversal = { params: { transactionId }, body: { postingDate: DAY } };
    const reverse = { ...reversal, token: administrator.token };
    expect((await t.refused(ledgerCalls.reverseTransaction, reverse)).code).toBe('closed');
    const because = { ...reversal.body, closingOverrideReason: 'The bank agreed' };
    await t.call(ledgerCalls.reverseTransaction, { ...reverse, body: because });
  });
});

describe('a file on a bank transaction', () => {
  const paper = async () => (await upload(t, token, { name: 'receipt.pdf', bytes: '%PDF-1.7 receipt' })).documentId;

  test('a file on a bank transaction is attached to the resulting journal entry or payment', async () => {
    const customerId = await make.customer('Acme Tools');
    const payment = await make.payment({ customerId, paymentAmount: 100 });
    const lines = await bankSays({ amount: -500, text: 'FEE' }, { amount: 10_000, text: 'ACME TOOLS' });
    const [fee, deposit] = lines.map(({ id }) => id);
    const attach = { action: 'attach', documentLinks: [{ documentId: await paper() }] };
    expect((await refused(fee ?? 0, attach)).status).toBe(409);
    const { line: added } = await act(fee ?? 0, { action: 'add', lines: [{ accountID: 151, amount: -5 }] });
    await act(deposit ?? 0, { action: 'match', candidate: lines[1]?.candidate?.key });
    const { line: filed } = await act(fee ?? 0, { ...attach, rowVersion: added.rowVersion });
    expect(filed.act?.documentLinks.map(({ documentName }) => documentName)).toEqual(['receipt.pdf']);
    const params = { transactionId: added.act?.entries[0]?.transactionID ?? 0 };
    const posted = await t.call(ledgerCalls.transactionEntries, { token, params });
    expect(posted.documentLinks).toEqual(filed.act?.documentLinks);
    await act(deposit ?? 0, { action: 'attach', documentLinks: [{ documentId: await paper() }] });
    const paid = await t.call(billingCalls.getPayment, { token, params: { id: payment.id } });
    expect(paid.documentLinks.map(({ documentName }) => documentName)).toEqual(['receipt.pdf']);
    const gone = (filed.act?.documentLinks ?? []).map(({ id }) => ({ id, deleted: true }));
    expect((await act(fee ?? 0, { action: 'attach', documentLinks: gone })).line.act?.documentLinks).toEqual([]);
    await expectSound();
  });

  test('attaching a file to a payment requires permission to manage it and an unchanged bank transaction', async () => {
    await make.payment({ customerId: await make.customer('Acme Tools'), paymentAmount: 100 });
    const [line] = await bankSays({ amount: 10_000, text: 'ACME TOOLS' });
    const id = line?.id ?? 0;
    await act(id, { action: 'match', candidate: line?.candidate?.key });
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`insert into role (company_id, role_name, permissions)
        values (${company.companyId}, 'Teller', '{Manage Banking}')`),
    );
    const teller = await t.signIn(company, 'Teller');
    const attach = { action: 'attach', documentLinks: [{ documentId: await paper() }] };
    expect((await refused(id, attach, teller.token)).status).toBe(403);
    expect(await refused(id, { ...attach, rowVersion: line?.rowVersion })).toMatchObject({ code: 'stale' });
  });
});

test('undoing a statement import waits for documents before it locks the end of the journal, as edits do', async () => {
  const customerId = await make.customer('Acme Tools');
  const { id: invoiceId, invoiceNumber } = await make.invoice({ customerId, amount: 250 });
  const lines = await bankSays({ amount: -1500, text: 'FEE' }, { amount: 25_000, text: `ACME TOOLS ${invoiceNumber}` });
  const [fee, paid] = [lines.find(({ amount }) => amount < 0), lines.find(({ amount }) => amount > 0)];
  await act(fee?.id ?? 0, { action: 'add', lines: [{ accountID: 151, amount: -15 }] });
  await act(paid?.id ?? 0, { action: 'pay', candidate: paid?.candidate?.key });
  const { companyId } = company;
  const owner = await openClient({ connectionString: t.databaseUrl });
  const gone = await t.inCompany(companyId, async (tx) => {
    const locked = sql`for no key update`;
    await tx.rows(sql`select id from document where company_id = ${companyId} and id = ${invoiceId} ${locked}`);
    const going = t.call(calls.deleteStatement, { token, params: { id: fee?.statementId ?? 0 } });
    await vi.waitFor(async () => expect((await owner.query(WAITS)).rowCount).toBe(1), { timeout: 4000 });
    await tx.rows(sql`select company_id from ledger_head where company_id = ${companyId} ${locked} nowait`);
    return { going };
  });
  await owner.end();
  expect(await gone.going).toEqual({ ok: true });
  expect(await review()).toEqual([]);
  await expectSound();
});

describe('an invoice paid by hand', () => {
  test('a bank transaction of 120.00 pays part of a 300.00 invoice, and undoing the payment reopens it', async () => {
    const customerId = await make.customer('Acme Tools');
    const { id: invoiceId } = await make.invoice({ customerId, amount: 300 });
    const before = await figures();
    const [line] = await bankSays({ amount: 12_000, text: 'WIRE' });
    const params = { id: line?.id ?? 0 };
    const { documents } = await t.call(calls.bankLineCandidates, { token, params, query: { q: 'acme' } });
    expect(documents).toMatchObject([{ invoiceId, kind: 'invoice', openAmount: 30_000, entityId: customerId }]);
    await act(params.id, { action: 'pay', documents: [{ invoiceId, amount: 120 }] });
    const invoice = await t.call(billingCalls.getInvoice, { token, params: { id: invoiceId } });
    expect(invoice.openAmount).toBe(18_000);
    await expectSound();
    await act(params.id, { action: 'undo' });
    expect(await figures()).toEqual(before);
  });

  test("one bank transaction pays several of a customer's invoices if their amounts equal its total", async () => {
    const customerId = await make.customer('Acme Tools');
    const owed = [await make.invoice({ customerId, amount: 300 }), await make.invoice({ customerId, amount: 50 })];
    const foreign = await make.invoice({ customerId: await make.customer('Birch Dental'), amount: 300 });
    const [line] = await bankSays({ amount: 20_000, text: 'WIRE' });
    const id = line?.id ?? 0;
    const paid = (amounts: readonly number[], ids = owed.map((one) => one.id)) => ({
      action: 'pay',
      documents: ids.map((invoiceId, at) => ({ invoiceId, amount: amounts[at] ?? 0 })),
    });
    expect(await refused(id, paid([150, 49]))).toMatchObject({
      status: 422,
      message: 'The payments must add up to the bank amount, but the total is $1.00 too low',
    });
    expect((await refused(id, paid([140, 60]))).status).toBe(422);
    expect((await refused(id, paid([150, 50], [owed[0]?.id ?? 0, foreign.id]))).status).toBe(422);
    const { line: done } = await act(id, paid([150, 50]));
    expect(done).toMatchObject({ state: 'matched', act: { action: 'pay' } });
    await expectSound();
  });

  test('if two users pay an invoice from two bank transactions at the same time, it is paid only once', async () => {
    const customerId = await make.customer('Acme Tools');
    const { id: invoiceId } = await make.invoice({ customerId, amount: 100 });
    const lines = await bankSays({ amount: 7000, text: 'A' }, { amount: 7000, text: 'B' });
    const answers = await Promise.all(
      lines.map(({ id }) => {
        const body = { action: 'pay', documents: [{ invoiceId, amount: 70 }] };
        return t.request({ method: 'PUT', url: `/api/bankline/${id}`, token, body });
      }),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    await expectSound();
  });
});

describe('simultaneous requests', () => {
  test('only one of two users can accept the same bank transaction at the same time', async () => {
    const customerId = await make.customer('Acme Tools');
    await make.payment({ customerId, paymentAmount: 100 });
    const [line] = await bankSays({ amount: 10_000, text: 'ACME TOOLS' });
    const send = (who: string) =>
      t.request({
        method: 'PUT',
        url: `/api/bankline/${line?.id}`,
        token: who,
        body: { action: 'match', candidate: line?.candidate?.key },
      });
    const answers = await Promise.all([send(token), send(company.administrator.token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await expectSound();
  });

  test("one entry can't be matched to two bank transactions at the same time", async () => {
    const customerId = await make.customer('Acme Tools');
    await make.payment({ customerId, paymentAmount: 100 });
    const lines = await bankSays({ amount: 10_000, text: 'A' }, { amount: 10_000, text: 'B' });
    const { found } = await t.call(calls.bankLineCandidates, {
      token,
      params: { id: lines[0]?.id ?? 0 },
      query: { q: 'acme' },
    });
    const glids = found.map(({ glid }) => glid);
    const answers = await Promise.all(
      lines.map(({ id }) =>
        t.request({ method: 'PUT', url: `/api/bankline/${id}`, token, body: { action: 'match', glids } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await expectSound();
  });

  test('matching and deleting a payment at the same time never leaves a match to a deleted entry', async () => {
    for (let round = 0; round < 6; round += 1) {
      const customerId = await make.customer(`Acme ${round}`);
      const payment = await make.payment({ customerId, paymentAmount: 100 });
      const lines = await bankSays({ amount: 10_000, text: `ACME ${round}` });
      const line = lines.at(-1);
      const [entry] = await t.inCompany(company.companyId, (tx) =>
        tx.rows(sql<{ id: number }>`select l.id from journal_line l join journal_transaction t
          on t.company_id = ${company.companyId} and t.id = l.transaction_id
          where l.company_id = ${company.companyId} and t.source_id = ${payment.id} and t.source_type = 'payment'
            and l.account_id = 101`),
      );
      await Promise.all([
        t.request({
          method: 'PUT',
          url: `/api/bankline/${line?.id}`,
          token,
          body: { action: 'match', glids: [entry?.id] },
        }),
        t.request({ method: 'DELETE', url: `/api/billingpayment/${payment.id}`, token }),
      ]);
      expect(await dangling()).toEqual([]);
      expect((await t.call(calls.getBankLine, { token, params: { id: line?.id ?? 0 } })).state).toBe('review');
    }
    await expectSound();
  });
});

describe('an invoice with an early-payment discount', () => {
  /**
   * Creates an invoice for 100.00 dated 2026-03-10 with a 2% discount within 10 days, and a bank transaction of 98.00.
   */
  async function offered(date: BankSays['date']) {
    const customerId = await make.customer('Harbor View');
    const terms = { discountPercent: 2, discountUntil: '2026-03-20' };
    const lineItems = [{ description: 'Pump', itemPrice: 100, quantity: 1, accountId: 140 }];
    const body = { customerId, invoiceDate: '2026-03-10', lineItems, ...terms };
    const invoice = await t.call(billingCalls.createInvoice, { token, body: body as never });
    const [line] = await bankSays({ amount: 9800, text: `HARBOR VIEW ${invoice.invoiceNumber}`, date });
    return { invoice, line };
  }

  test("a payment of 98.00 is suggested on the discount's last day, and accepting it takes the discount", async () => {
    const { invoice, line } = await offered(isoDate('2026-03-20'));
    expect(line?.candidate).toMatchObject({
      key: `discount:${invoice.id}`,
      action: 'pay',
      documents: [{ invoiceId: invoice.id, openAmount: 10_000, amount: 9800, discountAmount: 200 }],
    });
    expect(line?.candidate?.reason).toContain('less its early-payment discount');
    const body = { ids: [line?.id ?? 0], candidates: [line?.candidate?.key ?? ''] };
    const [accepted] = await t.call(calls.acceptBankLines, { token, body });
    const [entry] = accepted?.record?.act?.entries ?? [];
    expect(entry).toMatchObject({ sourceType: 'payment', amount: 9800 });
    const paid = await t.request({ method: 'GET', url: `/api/billingpayment/${entry?.sourceId}`, token });
    const paymentApplications = [{ invoiceId: invoice.id, amount: 98, discountAmount: 2 }];
    expect(paid.body).toMatchObject({ paymentAmount: 98, paymentApplications });
    expect((await t.call(billingCalls.getInvoice, { token, params: { id: invoice.id } })).openAmount).toBe(0);
    await expectSound();
    await act(line?.id ?? 0, { action: 'undo' });
    expect((await t.call(billingCalls.getInvoice, { token, params: { id: invoice.id } })).openAmount).toBe(10_000);
    await expectSound();
  });

  test('a discounted payment of 98.00 is not suggested one day after the discount expires', async () => {
    const { line } = await offered(isoDate('2026-03-21'));
    expect(line?.candidate).toBe(null);
  });
});

describe('suggested matches', () => {
  test('suggested matches show invoices only with View Billing, and bills only with View Expenses', async () => {
    const [customerId, vendorId] = [await make.customer('Oak Hollow'), await make.vendor('Valley Supply')];
    const invoice = await make.invoice({ customerId, amount: 310 });
    const bill = await make.bill({ vendorId, amount: 210 });
    const [paid, spent] = [invoice.id, bill.id];
    const lines = await bankSays({ amount: 31_000, text: 'OAK HOLLOW' }, { amount: -21_000, text: 'VALLEY SUPPLY' });
    expect(lines.flatMap(({ candidate }) => candidate?.documents.map(({ invoiceId }) => invoiceId) ?? [])).toEqual([
      paid,
      spent,
    ]);
    /** Returns the IDs of the documents that a role sees, both in the list and for each bank transaction. */
    const seenBy = async (...permissions: string[]): Promise<number[][]> => {
      const roleName = permissions.join(', ');
      const asked = { token: company.administrator.token, body: { id: 0, roleName, roleProperties: permissions } };
      await t.call(authCalls.createRole, asked);
      const { token: viewer } = await t.signIn(company, roleName);
      const all = await t.call(calls.listBankLines, { token: viewer, query: { state: 'review' } });
      const listed = Array.isArray(all) ? all : all.items;
      const one = await Promise.all(
        lines.map(({ id }) => t.call(calls.bankLineCandidates, { token: viewer, params: { id }, query: { q: '' } })),
      );
      return [
        listed.flatMap(({ candidate }) => candidate?.documents.map(({ invoiceId }) => invoiceId) ?? []),
        one.flatMap(({ candidates }) => candidates.flatMap((each) => each.documents.map(({ invoiceId }) => invoiceId))),
        one.flatMap(({ documents }) => documents.map(({ invoiceId }) => invoiceId)),
      ];
    };
    expect(await seenBy('View Banking')).toEqual([[], [], []]);
    expect(await seenBy('View Banking', 'View Billing')).toEqual([[paid], [paid], [paid]]);
    expect(await seenBy('View Banking', 'Manage Expenses')).toEqual([[spent], [spent], [spent]]);
    const line = lines.find(({ amount }) => amount > 0);
    const { documentId, documentName } = await upload(t, token, { name: 'remittance.pdf' });
    await act(line?.id ?? 0, { action: 'pay', candidate: line?.candidate?.key });
    await act(line?.id ?? 0, { action: 'attach', documentLinks: [{ id: 0, documentId, documentName }] });
    /** Returns the names of the files on the bank transaction's payment that a role sees. */
    const filesFor = async (roleName: string): Promise<string[] | undefined> => {
      const { token: viewer } = await t.signIn(company, roleName);
      const { act: done } = await t.call(calls.getBankLine, { token: viewer, params: { id: line?.id ?? 0 } });
      return done?.documentLinks.map((link) => link.documentName);
    };
    expect([await filesFor('View Banking'), await filesFor('View Banking, View Billing')]).toEqual([
      [],
      [documentName],
    ]);
  });
});
