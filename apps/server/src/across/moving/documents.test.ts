import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { movingCalls } from '@evenkeel/contract/moving';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { verifyCompany } from '../health/books-verify.ts';
import { subscribe, waiting } from '../webhooks/testing/delivery.ts';
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

/** An invoice for 300.00 of which 200.00 was paid, an unapplied payment of 40.00, and a bill for 90.00. */
const JOURNAL = file('Journal.csv', [
  'Journal',
  'Fairmount Cycle Works',
  'January - December 2025',
  '',
  'Date,Transaction Type,Num,Name,Memo/Description,Account,Debit,Credit',
  '11/15/2025,Invoice,1001,Ann & Co,,Accounts Receivable (A/R),300.00,',
  ',,,Ann & Co,Repair,Repair Labor,,200.00',
  ',,,Ann & Co,Parts,Parts Sales,,80.00',
  ',,,,,Sales Tax Payable,,20.00',
  ',,,,,,300.00,300.00',
  '11/20/2025,Payment,55,Ann & Co,,Checking,200.00,',
  ',,,Ann & Co,,Accounts Receivable (A/R),,200.00',
  ',,,,,,200.00,200.00',
  '12/20/2025,Payment,56,Ann & Co,,Checking,40.00,',
  ',,,Ann & Co,,Accounts Receivable (A/R),,40.00',
  ',,,,,,40.00,40.00',
  '12/21/2025,Bill,B-7,Vulcan Wheels,,Accounts Payable (A/P),,90.00',
  ',,,Vulcan Wheels,Wheels,Shop Supplies,90.00,',
  ',,,,,,90.00,90.00',
  'TOTAL,,,,,,630.00,630.00',
  '',
  'Accrual Basis Friday, March 6, 2026 10:15 AM GMT-05:00',
]);

const ACCOUNTS = file('Account List.csv', [
  'Fairmount Cycle Works',
  'Account List',
  '',
  'Full name,Type,Detail type,Description,Total balance',
  'Checking,Bank,Checking,,',
  'Accounts Receivable (A/R),Accounts receivable (A/R),Accounts Receivable (A/R),,',
  'Accounts Payable (A/P),Accounts payable (A/P),Accounts Payable (A/P),,',
  'Sales Tax Payable,Other Current Liabilities,Sales Tax Payable,,',
  'Repair Labor,Income,Service/Fee Income,,',
  'Parts Sales,Income,Sales of Product Income,,',
  'Shop Supplies,Expenses,Supplies & Materials,,',
]);

const OPEN_INVOICES = file('Open Invoices.csv', [
  'Fairmount Cycle Works',
  'Open Invoices',
  '"As of December 31, 2025"',
  '',
  ',Date,Transaction type,Num,Term,Due date,Amount,Open balance',
  'Ann & Co,,,,,,,',
  ',11/15/2025,Invoice,1001,Net 30,12/15/2025,300.00,100.00',
  ',12/20/2025,Payment,56,,12/20/2025,-40.00,-40.00',
  'Total for Ann & Co,,,,,,260.00,60.00',
  'TOTAL,,,,,,260.00,60.00',
]);

const UNPAID_BILLS = file('Unpaid Bills.csv', [
  'Fairmount Cycle Works',
  'Unpaid Bills',
  '"As of December 31, 2025"',
  '',
  ',Date,Transaction type,Num,Due date,Past due,Amount,Open balance',
  'Vulcan Wheels,,,,,,,',
  ',12/21/2025,Bill,B-7,01/20/2026,0,90.00,90.00',
  'Total for Vulcan Wheels,,,,,,90.00,90.00',
  'TOTAL,,,,,,90.00,90.00',
]);

/** Returns the balances that are not 0.00 on a basis, by account name, in cents. */
async function balances({ companyId }: WorldCompany, without: 'A' | 'C'): Promise<Record<string, number>> {
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ name: string; amount: number }>`
      select a.account_name as name, sum(l.amount_cents)::bigint as amount
      from journal_line l join account a on a.company_id = ${companyId} and a.id = l.account_id
      where l.company_id = ${companyId} and l.basis <> ${without} group by 1 having sum(l.amount_cents) <> 0`),
  );
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
}

async function moveIn(home: WorldCompany) {
  const { token } = home.administrator;
  const draft = await mover.draft(token, [JOURNAL, ACCOUNTS, OPEN_INVOICES, UNPAID_BILLS]);
  expect(draft).toMatchObject({
    error: null,
    documents: { invoices: 1, bills: 1, credits: 1 },
    blocked: { files: '' },
  });
  const ready = await confirmAll(t, token, draft);
  const preview = await mover.run(token, ready.id, 'preview');
  expect(preview.error).toBe(null);
  const imported = await mover.run(token, ready.id, 'import');
  expect(imported.error).toBe(null);
  return imported;
}

test('open invoices, bills, and credits become documents without changing any balance', async () => {
  const home = await t.createCompany();
  const imported = await moveIn(home);
  expect(imported.report).toMatchObject({
    proved: true,
    rejected: [],
    counts: { transactions: 4, openInvoices: 1, unpaidBills: 1, credits: 1 },
  });
  const accrual = {
    'Accounts Payable': -9000,
    'Accounts Receivable': 6000,
    Checking: 24_000,
    Sales: -8000,
    'Repair Labor': -20_000,
    'Sales Tax Payable': -2000,
    'Shop Supplies': 9000,
  };
  expect(await balances(home, 'C')).toEqual(accrual);
  // The cash basis has only the paid two-thirds of the invoice, and the unapplied payment.
  expect(await balances(home, 'A')).toEqual({
    Checking: 24_000,
    Sales: -5333,
    'Repair Labor': -13_334,
    'Sales Tax Payable': -1333,
    'Unapplied Cash Payment Income': -4000,
  });
  expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
  expect(imported.undo?.dependents).toEqual([]);
});

test('the first event after an import is for a payment, which recognizes income and blocks an undo', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  await subscribe(t, home, 'https://shop.example', ['invoice.paid', 'bill.paid']);
  const imported = await moveIn(home);
  expect(await waiting(t, home.companyId)).toBe(0);
  const all = await t.call(billingCalls.listInvoices, { token, query: {} });
  const [invoice] = Array.isArray(all) ? all : all.items;
  expect(invoice).toMatchObject({ invoiceNumber: '1001' });
  const make = factoryFor(t, home);
  const customerId = invoice?.customerId ?? 0;
  const applied = [{ invoiceId: invoice?.id ?? 0, amount: 100 }];
  const payment = await make.payment({ customerId, paymentAmount: 100, paymentApplications: applied });
  expect(await waiting(t, home.companyId)).toBe(1);
  expect(await balances(home, 'A')).toMatchObject({
    Sales: -8000,
    'Repair Labor': -20_000,
    'Sales Tax Payable': -2000,
  });
  const refusal = await t.refused(movingCalls.undoMove, { token, params: { id: imported.id } });
  expect(refusal).toMatchObject({ status: 409 });
  expect(refusal.message).toContain(`Payment ${payment.paymentNumber}`);
  expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
});

test('an undo right after the import restores the books and their documents as they were', async () => {
  const home = await t.createCompany();
  const before = await tablesOf(t, home.companyId);
  const imported = await moveIn(home);
  expect(await mover.undo(home.administrator.token, imported.id)).toMatchObject({ error: null, status: 'undone' });
  expect(await tablesOf(t, home.companyId)).toEqual(before);
});

test('an undo removes the files that were attached to imported customers', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const imported = await moveIn(home);
  const {
    items: [ann],
  } = await t.call(entityCalls.chooseCustomer, { token, query: { q: 'Ann & Co' } });
  const { documentId } = await upload(t, token, { name: 'contract.pdf' });
  const body = { name: 'Ann & Co', emailAddress: 'ann@example.com', documentLinks: [{ documentId }] };
  await t.call(entityCalls.updateCustomer, { token, params: { id: ann?.id ?? 0 }, body });
  expect(await mover.undo(token, imported.id)).toMatchObject({ error: null, status: 'undone' });
  const kinds = await t.inCompany(home.companyId, (tx) =>
    tx.rows(sql<{ kind: string }>`
      select distinct owner_kind as kind from attachment_link where company_id = ${home.companyId}`),
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(['movein']);
});

test('an undo after other postings reverses the import and makes its records inactive', async () => {
  const home = await t.createCompany();
  const imported = await moveIn(home);
  const make = factoryFor(t, home);
  await make.invoice({ customerId: await make.customer('Later Customer'), amount: 5 });
  expect(await mover.undo(home.administrator.token, imported.id)).toMatchObject({ error: null, status: 'undone' });
  expect(await balances(home, 'C')).toEqual({ 'Accounts Receivable': 500, Sales: -500 });
  expect(await balances(home, 'A')).toEqual({});
  const active = await t.inCompany(home.companyId, (tx) =>
    tx.rows(sql<{ name: string }>`
      select displayname as name from entity where company_id = ${home.companyId} and not deleted`),
  );
  expect(active.map(({ name }) => name)).toEqual(['Later Customer']);
  expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
  // Afterward, the same files can be imported again.
  const again = await moveIn(home);
  expect(again.report?.counts).toMatchObject({ transactions: 4, openInvoices: 1, unpaidBills: 1, credits: 1 });
});
