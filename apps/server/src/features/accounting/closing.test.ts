import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { closingCalls } from '@evenkeel/contract/closing';
import { entityCalls } from '@evenkeel/contract/entities';
import { formCalls } from '@evenkeel/contract/forms1099';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { scheduledCalls } from '@evenkeel/contract/scheduled';
import { settingsCalls } from '@evenkeel/contract/settings';
import { taxReturnCalls } from '@evenkeel/contract/taxreturns';
import {
  AP,
  AR,
  OPENING_BALANCE_EQUITY,
  SALES_TAX_PAYABLE,
  UNCATEGORIZED_EXPENSE,
  UNDEPOSITED,
} from '@evenkeel/core/books/accounts';
import { openItems } from '@evenkeel/core/books/closing';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { DRAFT } from '@evenkeel/core/documents/invoice';
import { sql } from 'kysely';
import { reconcilerOf } from '../banking/testing/reconciling.ts';
import { importFile, ofx } from '../banking/testing/statement-files.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { todayIn } from '../../platform/clock.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
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

test('the closing checklist shows unfinished work through its date, with amounts, but no later work', async () => {
  expect(await checklist('2026-04-30')).toEqual({
    date: '2026-04-30',
    bankAccounts: [{ bankAccountId, name: 'Checking', lastReconciledDate: '2026-03-31', amount: -2500 }],
    drafts: [
      { kind: 'invoice', label: 'Invoice', count: 1, amount: 7500 },
      { kind: 'journal', label: 'Journal entry', count: 1, amount: 8000 },
    ],
    review: [],
    scheduled: [],
    held: [],
    certificates: [],
    returns: [],
    vendorTaxes: [],
    onlinePayments: [],
    clearingAccounts: [
      { accountId: UNDEPOSITED, label: 'Undeposited Funds', amount: 4000 },
      { accountId: OPENING_BALANCE_EQUITY, label: 'Opening Balance Equity', amount: 50_000 },
      // The income of 7.00 from the previous year is closed to retained earnings.
      { accountId: UNCATEGORIZED_EXPENSE, label: 'Uncategorized Expense', amount: 2500 },
    ],
    negativeAccounts: [{ accountId: 103, label: 'Petty Cash', amount: -700 }],
    receivables: { ledger: 17_350, open: 17_350 },
    payables: { ledger: 0, open: 0 },
    salesTax: [{ accountId: SALES_TAX_PAYABLE, label: 'Sales Tax Payable', amount: 1350 }],
    reviews: [
      { report: 'balanceSheet', signedBy: null, signedAt: null, outdated: false },
      { report: 'profitAndLoss', signedBy: null, signedAt: null, outdated: false },
    ],
    signOffs: [],
    figures: { income: 20_000, costOfGoodsSold: 0, expenses: 2500, netIncome: 17_500, assets: 68_150 },
  });
});

test('the closing checklist shows a bank account that was never reconciled, but not a reconciled one', async () => {
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

test('the closing checklist shows an exempt customer until the expired certificate is renewed', async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  const make = factoryFor(t, fresh);
  await make.tax();
  const name = { name: 'Harbor School', emailAddress: 'school@harbor.example' };
  const exempt = { taxExempt: true, exemptReason: 'nonprofit', exemptUntil: '2026-03-31' };
  const school = await t.call(entityCalls.createCustomer, { token, body: { ...name, ...exempt } });
  const customerId = school.id;
  const [row] = (await t.call(entityCalls.chooseCustomer, { token, query: { id: String(customerId) } })).items;
  expect(row).toMatchObject({ taxExempt: true, exemptUntil: '2026-03-31' });
  for (const invoiceDate of ['2026-03-31', '2026-04-01']) await make.invoice({ customerId, invoiceDate });
  const listed = async (date: string) => (await checklist(date, fresh)).certificates;
  expect(await listed('2026-03-31')).toEqual([]);
  expect(await listed('2026-04-30')).toEqual([
    { customerId, name: 'Harbor School', exemptUntil: '2026-03-31', amount: 10_000 },
  ]);
  const body = { id: customerId, ...name, exemptUntil: '2027-03-31' };
  await t.call(entityCalls.updateCustomer, { token, params: { id: customerId }, body });
  expect(await listed('2026-04-30')).toEqual([]);
});

test("the closing checklist shows a tax agency's past periods until their returns are filed", async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  await factoryFor(t, fresh).tax();
  const [scenario] = await t.call(settingsCalls.listSalesTax, { token });
  const itemIds = scenario?.salesTaxItems.map(({ id }) => id) ?? [];
  const terms = { accountId: SALES_TAX_PAYABLE, frequency: 3, basis: 'accrual' as const, startDate: '2026-02-01' };
  const body = { name: 'Texas', state: 'TX', itemIds, ...terms };
  const { id: agencyId } = await t.call(taxReturnCalls.createTaxAgency, { token, body });
  const listed = async (date: string) => (await checklist(date, fresh)).returns;
  expect(await listed('2026-02-27')).toEqual([]);
  expect(await listed('2026-04-30')).toEqual([{ agencyId, name: 'Texas', periods: 3, first: 'February 2026' }]);
  const filing = { agencyId, periodEnd: '2026-02-28', filedDate: '2026-03-20', adjustments: [], netDue: 0 };
  await t.call(taxReturnCalls.fileTaxReturn, { token, body: filing });
  expect(await listed('2026-02-28')).toEqual([]);
  expect(await listed('2026-03-31')).toEqual([{ agencyId, name: 'Texas', periods: 1, first: 'March 2026' }]);
});

test('a report lists the changes to closed books with their reasons', async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  const make = factoryFor(t, fresh);
  const customerId = await make.customer('Blue Heron');
  await t.call(closingCalls.setClosingDate, { token, body: { closingDate: '2026-03-31', note: 'Q1', rowVersion: 0 } });
  const lineItems = [{ description: 'Visit', itemPrice: 65, quantity: 1, accountId: 140 }];
  const bill = (invoiceDate: string, more = {}) =>
    t.call(billingCalls.createInvoice, { token, body: { customerId, invoiceDate, lineItems, ...more } });
  await expect(bill('2026-03-30')).rejects.toThrow(/closed/);
  await bill('2026-03-30', { closingOverrideReason: 'Found a receipt' });
  await bill('2026-04-01');
  const report = async (date: string) => {
    const reportParams = ['startdate', 'reportdate'].map((paramName) => ({
      paramType: 1,
      paramName,
      paramvalue: date,
    }));
    const params = { reportId: '122' };
    return JSON.stringify(await t.call(reportCalls.runReport, { token, params, body: { reportParams } }));
  };
  const today = todayIn('America/New_York');
  const shown = await report(today);
  for (const words of ['Invoice 10001', '65.00', 'Found a receipt', 'Setting Closing Date', 'Q1'])
    expect(shown).toContain(words);
  expect(shown).not.toContain('Invoice 10002');
  expect(await report(addDays(today, -1))).not.toContain('Found a receipt');
});

test('the December checklist shows a paid 1099 vendor until its tax ID and classification are entered', async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  const make = factoryFor(t, fresh);
  const [vendorId, other] = [await make.vendor('Harlan Excavating'), await make.vendor('Not tracked')];
  const params = { id: vendorId };
  await t.call(formCalls.updateVendorTax, { token, params, body: { is1099: true } });
  for (const id of [vendorId, other]) {
    await make.billPayment({ vendorId: id, paymentDate: '2026-03-20', paymentAmount: 60 });
  }
  const bankAccountId = await checkingOf(t, fresh.companyId);
  const paidAtOnce = { postToVendorAccount: false, bankAccountId, invoiceDate: '2026-06-01', amount: 40 };
  await make.bill({ vendorId, ...paidAtOnce });
  const listed = async (date: string) => (await checklist(date, fresh)).vendorTaxes;
  expect(await listed('2026-11-30')).toEqual([]);
  expect(await listed('2025-12-31')).toEqual([]);
  expect(await listed('2026-12-31')).toEqual([{ vendorId, name: 'Harlan Excavating', amount: 10_000 }]);
  const body = { is1099: true, taxId: '12-3456789', taxIdKind: 'ein' as const, classification: 'llc' as const };
  await t.call(formCalls.updateVendorTax, { token, params, body });
  expect(await listed('2026-12-31')).toEqual([]);
});

test('the closing checklist shows bank transactions to review and schedules due through its date', async () => {
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

test('control accounts equal the open documents on both bases, except for journal entries in them', async () => {
  const fresh = await t.createCompany();
  const [make, books] = [factoryFor(t, fresh), reconcilerOf(t, fresh)];
  const customerId = await make.customer('Blue Heron');
  await make.invoice({ customerId, invoiceDate: '2026-04-05', amount: 120 });
  await make.payment({ customerId, paymentAmount: 50, paymentDate: '2026-05-02' });
  await make.bill({ vendorId: await make.vendor('Quarry'), invoiceDate: '2026-04-06', amount: 30 });
  const equal = { receivables: { ledger: 12_000, open: 12_000 }, payables: { ledger: 3000, open: 3000 } };
  expect(await checklist('2026-04-30', fresh)).toMatchObject(equal);
  await books.entry('2026-04-10', [AR, 140], 7, AR);
  await books.entry('2026-04-11', [UNCATEGORIZED_EXPENSE, AP], 2, AP);
  const unequal = { receivables: { ledger: 12_700, open: 12_000 }, payables: { ledger: 3200, open: 3000 } };
  expect(await checklist('2026-04-30', fresh)).toMatchObject(unequal);
  const basis = { settingName: 'reportingAccountingBasis', settingValue: '1' };
  await t.call(settingsCalls.saveSettings, { token: fresh.administrator.token, body: basis });
  expect(await checklist('2026-04-30', fresh)).toMatchObject(unequal);
  expect(await checklist('2026-05-31', fresh)).toMatchObject({ receivables: { ledger: 7700, open: 7000 } });
});

test("the dashboard counts today's open checklist items, unless the books are closed through today", async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  const books = reconcilerOf(t, fresh);
  const today = todayIn('America/New_York');
  await books.bank();
  await books.entry('2026-03-10', [101, 140], 100);
  await books.entry('2026-03-11', [UNCATEGORIZED_EXPENSE, 101], 25);
  const line = () => t.call(closingCalls.getClosingLine, { token });
  const openCount = openItems(await checklist(today, fresh));
  expect(openCount).toBeGreaterThan(2);
  expect(await line()).toEqual({ closingDate: null, through: today, openCount });
  await t.call(closingCalls.setClosingDate, setDate(token, '2026-02-28', 0, 'Two months'));
  expect(await line()).toEqual({ closingDate: '2026-02-28', through: today, openCount });
  await t.call(closingCalls.setClosingDate, setDate(token, today, 1, 'Up to date'));
  expect(await line()).toEqual({ closingDate: today, through: today, openCount: 0 });
  const { token: bookkeeper } = fresh.bookkeeper;
  expect((await t.refused(closingCalls.getClosingLine, { token: bookkeeper })).status).toBe(403);
});

test('the totals of a closed month cover only that month, and a later entry makes a sign-off outdated', async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  const books = reconcilerOf(t, fresh);
  await books.entry('2026-03-10', [101, 140], 100);
  await books.entry('2026-04-10', [101, 140], 60);
  await books.entry('2026-04-11', [UNCATEGORIZED_EXPENSE, 101], 25);
  expect((await checklist('2026-04-30', fresh)).figures).toMatchObject({
    income: 6000,
    expenses: 2500,
    netIncome: 3500,
    assets: 13_500,
  });
  const date = isoDate('2026-04-30');
  const sign = (report: 'balanceSheet' | 'profitAndLoss', signed = true) =>
    t.call(closingCalls.signOff, { token, body: { date, report, signed } });
  const { signedBy: name, outdated } = await sign('balanceSheet');
  expect([name, outdated]).toEqual([expect.stringMatching(/\w/), false]);
  const signed = async () => (await checklist('2026-04-30', fresh)).reviews.map((one) => [one.signedBy, one.outdated]);
  expect(await signed()).toEqual([
    [name, false],
    [null, false],
  ]);
  expect((await checklist('2026-03-31', fresh)).reviews.map((one) => one.signedBy)).toEqual([null, null]);
  await books.entry('2026-05-01', [101, 140], 5);
  expect(await signed()).toEqual([
    [name, false],
    [null, false],
  ]);
  await books.entry('2026-03-01', [101, 140], 5);
  expect(await signed()).toEqual([
    [name, true],
    [null, false],
  ]);
  await sign('balanceSheet');
  expect(await signed()).toEqual([
    [name, false],
    [null, false],
  ]);
  expect(await sign('balanceSheet', false)).toMatchObject({ signedBy: null, signedAt: null });
  await sign('balanceSheet', false);
  expect(await signed()).toEqual([
    [null, false],
    [null, false],
  ]);
});

const setDate = (token: string, closingDate: string | null, rowVersion: number, note?: string) => ({
  token,
  body: { closingDate: closingDate === null ? null : isoDate(closingDate), rowVersion, note },
});

test('closing with open items needs a note, reopening needs a reason, and the month keeps both', async () => {
  const { token } = company.administrator;
  const before = await t.call(closingCalls.getClosingDate, { token });
  expect(before).toEqual({ closingDate: null, rowVersion: 0, months: [] });
  const refused = await t.refused(closingCalls.setClosingDate, setDate(token, '2026-04-30', 0, ' '));
  const message = 'Please enter a note, because 8 items are open';
  expect(refused).toMatchObject({ status: 422, message, fields: { note: message } });
  const closed = await t.call(closingCalls.setClosingDate, setDate(token, '2026-04-30', 0, 'Waiting for a bill'));
  expect(closed).toMatchObject({
    closingDate: '2026-04-30',
    rowVersion: 1,
    months: [
      {
        date: '2026-04-30',
        closedBy: expect.stringMatching(/\w/),
        notes: [{ note: 'Waiting for a bill', reopening: false }],
      },
    ],
  });
  const { token: bookkeeper } = company.bookkeeper;
  expect((await t.refused(closingCalls.setClosingDate, setDate(bookkeeper, null, 1, 'x'))).status).toBe(403);
  const reopened = await t.refused(closingCalls.setClosingDate, setDate(token, '2026-03-31', 1));
  expect(reopened).toMatchObject({ status: 422, fields: { note: 'Please enter a reason' } });
  await t.call(closingCalls.setClosingDate, setDate(token, '2026-03-31', 1, 'The bill came'));
  const again = await t.call(closingCalls.setClosingDate, setDate(token, '2026-04-30', 2, 'Done'));
  expect(again.months.map(({ date, notes }) => [date, ...notes.map(({ note }) => note)])).toEqual([
    ['2026-04-30', 'Waiting for a bill', 'The bill came', 'Done'],
  ]);
  const rows = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ reason: string }>`
      select reason from audit_log where company_id = ${COMPANY} and subject_type = 'setting' order by id`),
  );
  expect(rows.map(({ reason }) => reason)).toEqual(['Waiting for a bill', 'The bill came', 'Done']);
});

test("an outdated tab can't move the closing date back, and a repeated request is not rejected", async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  await t.call(closingCalls.setClosingDate, setDate(token, '2026-09-30', 0, 'First'));
  // Both tabs have loaded version 1. The second tab then closes October.
  await t.call(closingCalls.setClosingDate, setDate(token, '2026-10-31', 1, 'Second'));
  await t.call(closingCalls.setClosingDate, setDate(token, '2026-10-31', 1, 'Second'));
  for (const older of ['2026-08-31', '2026-11-30', null]) {
    const refusal = await t.refused(closingCalls.setClosingDate, setDate(token, older, 1, 'Older tab'));
    expect(refusal).toMatchObject({
      status: 409,
      code: 'stale',
      current: { closingDate: '2026-10-31', rowVersion: 2 },
    });
  }
  const requests = ['2026-11-30', '2026-12-31'].map((date) =>
    t.call(closingCalls.setClosingDate, setDate(token, date, 2, 'At once')).then(
      () => true,
      () => false,
    ),
  );
  expect((await Promise.all(requests)).filter(Boolean)).toHaveLength(1);
  const { closingDate, rowVersion, months } = await t.call(closingCalls.getClosingDate, { token });
  expect(rowVersion).toBe(3);
  // Either request may be first. Closing through December also closes November.
  const closed = ['2026-12-31', '2026-11-30', '2026-10-31', '2026-09-30'].filter((date) => date <= (closingDate ?? ''));
  expect(closed.length).toBeGreaterThan(2);
  expect(months.map(({ date }) => date)).toEqual(closed);
});

test('a closing date that is saved as a setting is recorded as a change without a note', async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  for (const settingValue of ['2026-09-30', '2026-10-31', '2026-09-30']) {
    await t.call(settingsCalls.saveSettings, { token, body: { settingName: 'closingDate', settingValue } });
  }
  const { months, rowVersion } = await t.call(closingCalls.getClosingDate, { token });
  expect([rowVersion, months.map(({ date }) => date)]).toEqual([3, ['2026-09-30']]);
});
