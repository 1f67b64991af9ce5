import { bankingCalls } from '@evenkeel/contract/banking';
import { movingCalls } from '@evenkeel/contract/moving';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { transferCalls } from '@evenkeel/contract/transfers';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { verifyCompany } from '../health/books-verify.ts';
import { confirmAll, type Mover, openMover, tablesOf } from './testing/moving.ts';

let t: TestApp;
let mover: Mover;
beforeAll(async () => {
  t = await startTestApp();
  mover = openMover(t);
});
afterAll(async () => {
  await mover.close();
  await t.close();
});

const file = (name: string, lines: readonly string[]) => ({ name, bytes: new TextEncoder().encode(lines.join('\n')) });

/** Two receipts (one of them deposited), invoice 12044, two checks, and a card charge. */
const JOURNAL = file('Journal.csv', [
  'Journal',
  'Fairmount Cycle Works',
  'January - December 2025',
  '',
  'Date,Transaction Type,Num,Name,Memo/Description,Account,Debit,Credit',
  '11/03/2025,Invoice,12044,Ann & Co,,Accounts Receivable (A/R),300.00,',
  ',,,Ann & Co,Repair,Repair Labor,,300.00',
  ',,,,,,300.00,300.00',
  '11/05/2025,Payment,55,Ann & Co,,Payments to Deposit,200.00,',
  ',,,Ann & Co,,Accounts Receivable (A/R),,200.00',
  ',,,,,,200.00,200.00',
  '11/06/2025,Payment,56,Ann & Co,,Payments to Deposit,100.00,',
  ',,,Ann & Co,,Accounts Receivable (A/R),,100.00',
  ',,,,,,100.00,100.00',
  '11/07/2025,Deposit,,,,Checking – Fairmount CU,200.00,',
  ',,,Ann & Co,,Payments to Deposit,,200.00',
  ',,,,,,200.00,200.00',
  '11/20/2025,Check,1041,Vulcan Wheels,,Shop Supplies,40.00,',
  ',,,Vulcan Wheels,,Checking – Fairmount CU,,40.00',
  ',,,,,,40.00,40.00',
  '12/20/2025,Check,1042,Vulcan Wheels,,Shop Supplies,10.00,',
  ',,,Vulcan Wheels,,Checking – Fairmount CU,,10.00',
  ',,,,,,10.00,10.00',
  '12/21/2025,Expense,,Vulcan Wheels,,Shop Supplies,25.00,',
  ',,,Vulcan Wheels,,Fairmount Visa,,25.00',
  ',,,,,,25.00,25.00',
  'TOTAL,,,,,,875.00,875.00',
  '',
  'Accrual Basis Friday, March 6, 2026 10:15 AM GMT-05:00',
]);

const ACCOUNTS = file('Account List.csv', [
  'Fairmount Cycle Works',
  'Account List',
  '',
  'Full name,Type,Detail type,Description,Total balance',
  'Checking – Fairmount CU,Bank,Checking,,',
  'Old Savings (deleted),Bank,Savings,,',
  'Payments to Deposit,Other Current Assets,Undeposited Funds,,',
  'Accounts Receivable (A/R),Accounts receivable (A/R),Accounts Receivable (A/R),,',
  'Fairmount Visa,Credit Card,Credit Card,,',
  'Repair Labor,Income,Service/Fee Income,,',
  'Shop Supplies,Expenses,Supplies & Materials,,',
]);

type Reconciled = { name: string; date: string; balance: number }[];

/** Starts a move with the files, confirms everything, and enters the reconciliations by account name. */
async function draft({ administrator: { token } }: WorldCompany, reconciled: Reconciled = []) {
  const read = await mover.draft(token, [JOURNAL, ACCOUNTS]);
  const ready = await confirmAll(t, token, read);
  const given = reconciled.map(({ name, date, balance }) => {
    const key = ready.accounts.find((account) => account.name === name)?.key ?? '';
    return { key, last: { date, balance } };
  });
  return t.call(movingCalls.updateMove, {
    token,
    params: { id: ready.id },
    body: { rowVersion: ready.rowVersion, reconciled: given },
  });
}

async function moveIn(home: WorldCompany, reconciled: Reconciled = []) {
  const { id } = await draft(home, reconciled);
  const imported = await mover.run(home.administrator.token, id, 'import');
  expect(imported).toMatchObject({ error: null, status: 'imported' });
  return imported;
}

/** The GL account in a new company is Checking, which already has a bank account. */
const CHECKING = 'Checking – Fairmount CU';
const VISA = 'Fairmount Visa';

test('bank accounts are created for imported bank and card accounts and reconciled as in the old program', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const before = await tablesOf(t, home.companyId);
  const imported = await moveIn(home, [
    { name: CHECKING, date: '2025-11-30', balance: 160 },
    { name: VISA, date: '2025-12-31', balance: -25 },
  ]);
  expect(imported.report).toMatchObject({ proved: true, totalDifference: 0, counts: { bankAccounts: 1 } });
  expect(imported.report?.proof).toContainEqual(
    expect.objectContaining({
      kind: 'reconciliation',
      compared: '2 bank accounts',
      source: 13_500,
      ledger: 13_500,
      total: 2,
    }),
  );
  const banks = await t.call(bankingCalls.listBankingAccounts, { token, query: {} });
  const own = banks.filter(({ name }) => name === 'Checking' || name === VISA);
  expect(own).toMatchObject([
    { name: 'Checking', lastReconciledDate: '2025-11-30', lastReconciledBalance: 16_000, currentBalance: 15_000 },
    { name: VISA, creditCards: true, lastReconciledDate: '2025-12-31', lastReconciledBalance: -2500 },
  ]);
  const open = await t.call(reconciliationCalls.unreconciledEntries, {
    token,
    params: { glAccountId: own[0]?.glAccountID ?? 0 },
    query: {},
  });
  expect(open).toMatchObject({ lastBalance: 16_000, incomingEntries: [], outgoingEntries: [{ creditAmount: 1000 }] });
  expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
  expect(imported.undo?.dependents).toEqual([]);
  expect(await mover.undo(token, imported.id)).toMatchObject({ error: null, status: 'undone' });
  expect(await tablesOf(t, home.companyId)).toEqual(before);
});

test('a reconciliation that differs from the books is rejected with its account, date, and amount', async () => {
  const home = await t.createCompany();
  const before = await tablesOf(t, home.companyId);
  const { id } = await draft(home, [{ name: CHECKING, date: '2025-12-31', balance: 160 }]);
  const refused = await mover.run(home.administrator.token, id, 'import');
  expect(refused).toMatchObject({ status: 'previewed', preview: { proved: false, totalDifference: 1000 } });
  expect(refused.preview?.failure).toMatchObject({
    title: 'Checking differs by 10.00 on 12/31/2025',
    accounts: [{ name: 'Checking', source: 16_000, ledger: 15_000, difference: -1000 }],
  });
  expect(refused.preview?.failure?.text).toContain(
    'The files show a balance of 150.00, but the reconciled balance is 160.00',
  );
  // The check that was not cleared is the first candidate.
  expect(refused.preview?.failure?.candidates[0]).toMatchObject({ exact: true });
  expect(await tablesOf(t, home.companyId)).toEqual(before);
});

test("a reconciliation dated after the end of the files is rejected with the files' last date", async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const move = await draft(home);
  const key = move.accounts.find(({ name }) => name === CHECKING)?.key ?? '';
  const body = { rowVersion: move.rowVersion, reconciled: [{ key, last: { date: '2026-02-01', balance: 1 } }] };
  const refusal = await t.refused(movingCalls.updateMove, { token, params: { id: move.id }, body });
  expect(refusal).toMatchObject({ status: 422, message: expect.stringContaining('12/31/2025') });
});

test('only receipts that are still undeposited at the end of the history can be deposited', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const imported = await moveIn(home);
  const waiting = await t.call(transferCalls.listUndeposited, { token });
  expect(waiting).toMatchObject([{ receiptDate: '2025-11-06', amount: 10_000, payer: 'Ann & Co' }]);
  expect(await mover.undo(token, imported.id)).toMatchObject({ status: 'undone' });
  expect(await t.call(transferCalls.listUndeposited, { token })).toEqual([]);
});

test('new invoice and check numbers continue from those in the files, even after an undo', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const imported = await moveIn(home);
  const banks = await t.call(bankingCalls.listBankingAccounts, { token, query: {} });
  const bankAccountId = banks.find(({ name }) => name === 'Checking')?.bankingAccountID;
  const { checks } = await t.call(expenseCalls.expensePaymentDefaults, { token });
  expect(checks).toContainEqual(expect.objectContaining({ bankAccountId, nextNumber: '1043' }));
  const make = factoryFor(t, home);
  expect(await make.invoice({ customerId: await make.customer('Later'), amount: 5 })).toMatchObject({
    invoiceNumber: '12045',
  });
  expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
  // The invoice keeps its number, and the next invoice gets the next number.
  expect(await mover.undo(token, imported.id)).toMatchObject({ error: null, status: 'undone' });
  expect(await make.invoice({ customerId: await make.customer('Later too'), amount: 5 })).toMatchObject({
    invoiceNumber: '12046',
  });
  expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
});

test('an import can be undone until its bank account has a later reconciliation', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const imported = await moveIn(home, [{ name: CHECKING, date: '2025-11-30', balance: 160 }]);
  const banks = await t.call(bankingCalls.listBankingAccounts, { token, query: {} });
  const bank = banks.find(({ name }) => name === 'Checking');
  const open = await t.call(reconciliationCalls.unreconciledEntries, {
    token,
    params: { glAccountId: bank?.glAccountID ?? 0 },
    query: {},
  });
  await t.call(reconciliationCalls.createReconciliation, {
    token,
    body: {
      bankAccountID: bank?.bankingAccountID,
      statementDate: '2025-12-31',
      statementBalance: 150,
      incomingEntries: [],
      outgoingEntries: open.outgoingEntries,
    },
  });
  const refusal = await t.refused(movingCalls.undoMove, { token, params: { id: imported.id } });
  expect(refusal).toMatchObject({ status: 409, message: expect.stringContaining('Reconciliation · Checking') });
});
