import { afterAll, beforeAll, expect, test } from 'vitest';
import { closingCalls } from '@evenkeel/contract/closing';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { scheduledCalls } from '@evenkeel/contract/scheduled';
import { settingsCalls } from '@evenkeel/contract/settings';
import {
  OPENING_BALANCE_EQUITY,
  SALES_TAX_PAYABLE,
  UNCATEGORIZED_EXPENSE,
  UNDEPOSITED,
} from '@evenkeel/core/books/accounts';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { DRAFT } from '@evenkeel/core/documents/invoice';
import { sql } from 'kysely';
import { reconcilerOf } from '../banking/testing/reconciling.ts';
import { importFile, ofx } from '../banking/testing/statement-files.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { todayIn } from '../../platform/clock.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let bankAccountId: number;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  const [books, make] = [reconcilerOf(t, company), factoryFor(t, company)];
  bankAccountId = await books.bank();
  const { glid } = await books.entry('2026-03-30', [101, OPENING_BALANCE_EQUITY], 500);
  await books.reconcile({ entries: [glid], statementDate: '2026-03-31', statementBalance: 500 });
  await books.entry('2026-04-10', [UNCATEGORIZED_EXPENSE, 101], 25, 101);
  await books.entry('2025-11-10', [UNCATEGORIZED_EXPENSE, 103], 7, 103);
  const taken = await books.entry('2026-04-11', [101, 140], 60);
  const { token } = books;
  const back = { params: { transactionId: taken.transactionID }, body: { postingDate: '2026-04-11' } };
  await t.call(ledgerCalls.reverseTransaction, { token, ...back });
  await make.tax();
  const [customerId, productId] = [await make.customer(), await make.product({ salesPrice: 200 })];
  const lineItems = [{ productId, description: 'Mowing', itemPrice: 200, quantity: 1 }];
  await make.invoice({ customerId, invoiceDate: '2026-04-05', lineItems });
  await make.payment({ customerId, paymentAmount: 40, paymentDate: '2026-04-20', ...held });
  await make.invoice({ customerId, invoiceDate: '2026-04-30', arBillingStatus: DRAFT, amount: 75 });
  await make.invoice({ customerId, invoiceDate: '2026-05-01', arBillingStatus: DRAFT, amount: 90 });
  const line = { amount: 80, description: 'Rent', postingDate: '2026-04-15' };
  const generalLedgerEntries = [
    { ...line, accountID: 167, debit: true },
    { ...line, accountID: 101, debit: false },
  ];
  await t.call(ledgerCalls.postTransaction, {
    token,
    body: { transactionID: 0, draft: true, generalLedgerEntries },
  });
});
afterAll(() => t.close());

const held = { bankAccountId: undefined, paymentAccountId: UNDEPOSITED };

const checklist = (date: string, { administrator: { token } } = company) =>
  t.call(closingCalls.closingChecklist, { token, query: { date } });

test('lists unfinished work through the date with amounts, and excludes later dates', async () => {
  expect(await checklist('2026-04-30')).toEqual({
    date: '2026-04-30',
    bankAccounts: [{ bankAccountId, name: 'Checking', lastReconciledDate: '2026-03-31', amount: -2500 }],
    drafts: [
      { kind: 'invoice', label: 'Invoice', count: 1, amount: 7500 },
      { kind: 'journal', label: 'Journal entry', count: 1, amount: 8000 },
    ],
    review: [],
    scheduled: [],
    clearingAccounts: [
      { accountId: UNDEPOSITED, label: 'Undeposited Funds', amount: 4000 },
      { accountId: OPENING_BALANCE_EQUITY, label: 'Opening Balance Equity', amount: 50_000 },
      // The previous year's 7.00 is closed to retained earnings.
      { accountId: UNCATEGORIZED_EXPENSE, label: 'Uncategorized Expense', amount: 2500 },
    ],
    salesTax: [{ accountId: SALES_TAX_PAYABLE, label: 'Sales Tax Payable', amount: 1350 }],
  });
});

test('lists an account that was never reconciled, but not one whose last statement ends on the date', async () => {
  const [march, before] = [await checklist('2026-03-31'), await checklist('2026-03-30')];
  expect(march).toMatchObject({ bankAccounts: [], drafts: [], salesTax: [] });
  expect(march.clearingAccounts.map(({ amount }) => amount)).toEqual([50_000]);
  expect(before.bankAccounts).toEqual([]);
  const fresh = await t.createCompany();
  expect(await checklist('2026-04-30', fresh)).toMatchObject({ bankAccounts: [], drafts: [], clearingAccounts: [] });
  await reconcilerOf(t, fresh).entry('2026-04-30', [101, 140], 12);
  expect((await checklist('2026-04-30', fresh)).bankAccounts).toMatchObject([
    { name: 'Checking', lastReconciledDate: null, amount: 1200 },
  ]);
});

test('bank transactions for review and due schedules are listed through the date', async () => {
  const fresh = await t.createCompany();
  const [make, books] = [factoryFor(t, fresh), reconcilerOf(t, fresh)];
  const bank = await books.bank();
  const line = { text: 'BLUE CUP', amount: -450 };
  const bytes = ofx([
    { ...line, date: isoDate('2026-04-30'), id: 'a' },
    { ...line, date: isoDate('2026-05-01'), id: 'b' },
  ]);
  await importFile(t, books.token, { bankAccountId: bank, bytes });
  const customerId = await make.customer('Blue Heron');
  const schedule = {
    unit: 'month',
    every: 1,
    start: addDays(todayIn('America/New_York'), 40),
    weekday: 0,
    monthDay: 15,
    end: { kind: 'never' },
  };
  const lineItems = [{ description: 'Retainer', itemPrice: 42, quantity: 1, accountId: 140 }];
  await t.call(scheduledCalls.createScheduledInvoice, {
    token: make.token,
    body: { schedule, makes: 'posted', document: { customerId, invoiceDate: '2026-04-01', lineItems } } as never,
  });
  await t.inCompany(fresh.companyId, (tx) =>
    tx.rows(sql`update template set next_date = '2026-04-15' where company_id = ${COMPANY}`),
  );
  expect(await checklist('2026-04-30', fresh)).toMatchObject({
    review: [{ bankAccountId: bank, name: 'Checking', count: 1, amount: -450 }],
    scheduled: [{ kind: 'invoice', label: 'Invoice', count: 1, amount: 4200 }],
  });
  expect(await checklist('2026-04-14', fresh)).toMatchObject({ review: [], scheduled: [] });
});

test('unfinished work does not prevent setting the closing date', async () => {
  const { token } = company.administrator;
  const body = { settingName: 'closingDate', settingValue: '2026-04-30' };
  expect(await t.call(settingsCalls.saveSettings, { token, body })).toMatchObject({ settingValue: '2026-04-30' });
  expect((await checklist(isoDate('2026-04-30'))).drafts).toHaveLength(2);
});
