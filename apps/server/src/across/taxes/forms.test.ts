import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditCalls } from '@evenkeel/contract/audit';
import { bankingCalls } from '@evenkeel/contract/banking';
import { entityCalls } from '@evenkeel/contract/entities';
import { formCalls as calls } from '@evenkeel/contract/forms1099';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { taxRuleCalls } from '@evenkeel/contract/taxrules';
import { CREDIT_CARD, UNAPPLIED_CASH_EXPENSE } from '@evenkeel/core/books/accounts';
import { IRIS_NEC_COLUMNS } from '@evenkeel/core/taxes/iris';
import { sql } from 'kysely';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import { pagesOf } from '../../platform/pdf/testing/pages.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const [CONTRACTORS, LEGAL, RENT, TRUCK, WITHHOLDING] = [154, 159, 167, 153, 126];
const ADDRESS = {
  addressType: 1,
  address1: '88 Fairlawn Dr',
  city: 'Akron',
  stateId: 36,
  zipCode: '44333',
  countryId: 341,
};
const SSN = '219-09-0918';

interface Books {
  token: string;
  companyId: number;
  make: Factory;
  bankAccountId: number;
  cardId: number;
}

/** A company with its own tax details, boxes for four accounts, and a credit card. */
async function booksOf(): Promise<Books> {
  const company = await t.createCompany();
  const { companyId } = company;
  const { token } = company.administrator;
  const make = factoryFor(t, company);
  const phones = [{ phoneID: -1, displayNumber: '(330) 555-0123', primary: true }];
  const facts = { addresses: [ADDRESS], phones };
  await t.call(settingsCalls.updateCompany, { token, params: { id: companyId }, body: facts });
  const accounts = [
    { accountId: CONTRACTORS, box: 'nec1' as const },
    { accountId: LEGAL, box: 'misc10' as const },
    { accountId: RENT, box: 'misc1' as const },
    { accountId: WITHHOLDING, box: 'withheld' as const },
  ];
  await t.call(calls.updateFormSettings, { token, body: { taxId: '34-1234567', taxIdKind: 'ein', accounts } });
  const card = { name: 'Card', accountNumber: '4471', glAccountID: CREDIT_CARD };
  const { bankingAccountID: cardId } = await t.call(bankingCalls.createBankingAccount, { token, body: card });
  return { token, companyId, make, bankAccountId: await checkingOf(t, companyId), cardId };
}

/** A listed vendor that has all details for a form, unless a test changes them. */
async function vendorOf({ token }: Books, name: string, tax: Record<string, unknown> = {}, own: object = {}) {
  const body = { name, emailAddress: 'pay@vendor.example', addresses: [ADDRESS], ...own };
  const { id } = await t.call(entityCalls.createVendor, { token, body });
  const facts = { is1099: true, classification: 'llc', taxId: SSN, taxIdKind: 'ssn', ...tax };
  await t.call(calls.updateVendorTax, { token, params: { id }, body: facts });
  return id;
}

const line = (accountId: number, amount: number) => ({
  description: 'Work',
  accountId,
  lineItemAmount: Math.abs(amount),
  creditLine: amount < 0,
});

/** A bill that was paid in full on a date. */
async function paidBill(
  { make, bankAccountId }: Books,
  vendorId: number,
  { date, lines, bank = bankAccountId }: { date: string; lines: readonly [number, number][]; bank?: number },
) {
  const lineItems = lines.map(([accountId, amount]) => line(accountId, amount));
  const bill = await make.bill({ vendorId, invoiceDate: date, lineItems });
  const total = lines.reduce((all, [, amount]) => all + amount, 0);
  const paymentApplications = [{ invoiceId: bill.id, amount: total }];
  return make.billPayment({
    vendorId,
    paymentDate: date,
    paymentAmount: total,
    paymentApplications,
    bankAccountId: bank,
  });
}

const yearOf = ({ token }: Pick<Books, 'token'>, year: number) =>
  t.call(calls.listForms, { token, query: { year: String(year) } });

describe('1099 forms', () => {
  it('1099 forms report bill payments, immediately paid bills, and journal entries, but no card payments', async () => {
    const books = await booksOf();
    const { token, make, bankAccountId, cardId } = books;
    const vendorId = await vendorOf(books, 'Harlan Excavating LLC');
    await paidBill(books, vendorId, {
      date: '2026-03-12',
      lines: [
        [CONTRACTORS, 1000],
        [TRUCK, 40],
      ],
    });
    await paidBill(books, vendorId, { date: '2026-09-22', lines: [[CONTRACTORS, 1200]], bank: cardId });
    // Half of this bill was paid in each year.
    const split = await make.bill({ vendorId, invoiceDate: '2025-12-20', lineItems: [line(CONTRACTORS, 600)] });
    const half = (paymentDate: string) => {
      const paymentApplications = [{ invoiceId: split.id, amount: 300 }];
      return make.billPayment({ vendorId, paymentDate, paymentAmount: 300, paymentApplications });
    };
    await half('2025-12-31');
    await half('2026-01-01');
    const now = { postToVendorAccount: false, bankAccountId, invoiceDate: '2026-06-09' };
    await make.bill({ vendorId, ...now, lineItems: [line(CONTRACTORS, 400)] });
    const gl = (accountID: number, debit: boolean, amount: number, entityID?: number) => ({
      accountID,
      debit,
      amount,
      description: 'Ditch',
      ...(entityID === undefined ? {} : { entityID }),
    });
    const entry = (generalLedgerEntries: object[]) =>
      t.call(ledgerCalls.postTransaction, { token, body: { postingDate: '2026-07-01', generalLedgerEntries } });
    await entry([gl(CONTRACTORS, true, 299.99, vendorId), gl(101, false, 299.99)]);
    // An entry that moves no money is not a payment.
    await entry([gl(CONTRACTORS, true, 5000, vendorId), gl(WITHHOLDING + 1, false, 5000)]);

    const below = await yearOf(books, 2026);
    expect(below.rows).toMatchObject([
      {
        form: 'nec',
        paid: 323_999,
        byCard: 120_000,
        noBox: 4000,
        reportable: 199_999,
        status: 'below',
        taxIdEnd: '0918',
      },
    ]);
    await entry([gl(CONTRACTORS, true, 0.01, vendorId), gl(101, false, 0.01)]);
    const due = await yearOf(books, 2026);
    expect(due.rows).toMatchObject([{ reportable: 200_000, status: 'ready', missing: [] }]);
    expect(due).toMatchObject({
      figures: { due: 1, ready: 1, missing: 0, filed: 0, below: 0 },
      dueDate: '2027-02-01',
      miscDueDate: '2027-03-31',
      threshold: { amount: 200_000, isStated: true },
      withholdingPercent: '24',
      payerMissing: [],
      irisFiles: 1,
    });
    expect((await yearOf(books, 2025)).rows).toMatchObject([{ reportable: 30_000, status: 'below' }]);

    const detail = await t.call(calls.listFormPayments, { token, params: { id: vendorId }, query: { year: '2026' } });
    expect(detail.payments.map(({ date, amount, reason, box }) => [date, amount, reason, box])).toEqual([
      ['2026-01-01', 30_000, null, 'nec1'],
      ['2026-03-12', 4000, 'noBox', null],
      ['2026-03-12', 100_000, null, 'nec1'],
      ['2026-06-09', 40_000, null, 'nec1'],
      ['2026-07-01', 29_999, null, 'nec1'],
      ['2026-07-01', 500_000, 'nothing', null],
      ['2026-07-01', 1, null, 'nec1'],
      ['2026-09-22', 120_000, 'card', 'nec1'],
    ]);
    const counted = detail.payments.filter(({ reason }) => reason === null);
    expect(counted.reduce((all, { amount }) => all + amount, 0)).toBe(200_000);
  });

  it("a company's own threshold and due date apply to the forms for their year", async () => {
    const books = await booksOf();
    const { token } = books;
    const vendorId = await vendorOf(books, 'Juniper Tree Care');
    await paidBill(books, vendorId, { date: '2026-05-04', lines: [[CONTRACTORS, 1500]] });
    expect((await yearOf(books, 2026)).rows).toMatchObject([{ status: 'below' }]);
    const rule = { state: 'US', from: '2026-01-01', source: 'Letter from the IRS of 03/02/2026' };
    const added = (change: object) =>
      t.call(taxRuleCalls.createTaxRule, { token, body: { ...rule, ...change } as never });
    const { id } = await added({ forForm: 'nec1', value: { topic: 'threshold', threshold: 1500 } });
    await added({ forForm: 'misc', value: { topic: 'due', months: 4, day: 15 } });
    await added({ forForm: 'misc1', value: { topic: 'threshold', threshold: 1750 } });
    await added({ value: { topic: 'withholding', percent: 28 } });
    expect(await yearOf(books, 2026)).toMatchObject({
      rows: [{ status: 'ready', boxes: [{ box: 'nec1', amount: 150_000, threshold: 150_000 }] }],
      miscDueDate: '2027-04-15',
      threshold: { amount: 175_000, source: rule.source, isStated: true },
      withholdingPercent: '28',
    });
    expect(await yearOf(books, 2025)).toMatchObject({ miscDueDate: '2026-03-31', threshold: { amount: 60_000 } });
    await t.call(taxRuleCalls.deleteTaxRule, { token, params: { id } });
    expect((await yearOf(books, 2026)).rows).toMatchObject([{ status: 'below' }]);
  });

  it('a prepayment is reported once its account has a box, but not again when it is applied', async () => {
    const books = await booksOf();
    const { token, make } = books;
    const vendorId = await vendorOf(books, 'Duarte Tree Service');
    const payment = await make.billPayment({ vendorId, paymentDate: '2026-02-01', paymentAmount: 700 });
    expect((await yearOf(books, 2026)).rows).toMatchObject([{ noBox: 70_000, reportable: 0, status: 'noBox' }]);
    const { accounts, rowVersion } = await t.call(calls.getFormSettings, { token });
    const body = { accounts: [...accounts, { accountId: UNAPPLIED_CASH_EXPENSE, box: 'nec1' as const }], rowVersion };
    await t.call(calls.updateFormSettings, { token, body });
    expect((await yearOf(books, 2026)).rows).toMatchObject([{ noBox: 0, reportable: 70_000 }]);
    const bill = await make.bill({ vendorId, invoiceDate: '2026-02-10', lineItems: [line(CONTRACTORS, 700)] });
    const applied = { paymentDate: '2026-02-01', paymentAmount: 700, vendorId, id: payment.id };
    await make.billPayment({ ...applied, paymentApplications: [{ invoiceId: bill.id, amount: 700 }] });
    expect((await yearOf(books, 2026)).rows).toMatchObject([{ noBox: 0, reportable: 70_000 }]);
  });

  it('withheld tax in box 4 requires a 1099 form, and credits reduce the amount in a box', async () => {
    const books = await booksOf();
    const { make } = books;
    const vendorId = await vendorOf(books, 'Summit Survey Co.');
    await paidBill(books, vendorId, {
      date: '2026-04-01',
      lines: [
        [CONTRACTORS, 1500],
        [WITHHOLDING, -338.4],
      ],
    });
    const credit = await make.bill({ vendorId, invoiceDate: '2026-04-02', lineItems: [line(CONTRACTORS, -90)] });
    const bill = await make.bill({ vendorId, invoiceDate: '2026-04-03', lineItems: [line(CONTRACTORS, 100)] });
    const paymentApplications = [
      { invoiceId: credit.id, amount: -90 },
      { invoiceId: bill.id, amount: 100 },
    ];
    await make.billPayment({ vendorId, paymentDate: '2026-04-03', paymentAmount: 10, paymentApplications });
    const { rows } = await yearOf(books, 2026);
    expect(rows).toMatchObject([{ reportable: 151_000, withheld: 33_840, status: 'ready' }]);
  });

  it('1099 forms list missing details, but never return a tax ID', async () => {
    const books = await booksOf();
    const { token, companyId } = books;
    const vendorId = await vendorOf(
      books,
      'Kessler, Joan',
      { taxId: undefined, classification: null },
      { addresses: [] },
    );
    await paidBill(books, vendorId, { date: '2026-05-01', lines: [[RENT, 2400]] });
    const year = await yearOf(books, 2026);
    expect(year.rows).toMatchObject([
      { form: 'misc', status: 'missing', missing: ['taxId', 'classification', 'address'] },
    ]);
    const params = { id: vendorId };
    const before = await t.call(calls.getVendorTax, { token, params });
    expect(before).toMatchObject({ taxIdEnd: '', taxIdKind: null, is1099: true });
    const wrong = await t.refused(calls.updateVendorTax, { token, params, body: { is1099: true, taxId: '12-34' } });
    expect(wrong.fields).toEqual({
      taxIdKind: 'Please select EIN or SSN',
      taxId: 'Please enter nine digits, for example 12-3456789',
    });
    const body = {
      is1099: true,
      taxId: SSN,
      taxIdKind: 'ssn',
      classification: 'individual',
      rowVersion: before.rowVersion,
    };
    const saved = await t.call(calls.updateVendorTax, { token, params, body });
    expect(saved).toMatchObject({ taxIdEnd: '0918', taxIdKind: 'ssn', classification: 'individual' });
    expect(await t.refused(calls.updateVendorTax, { token, params, body })).toMatchObject({ code: 'stale' });
    // If a request has no tax ID, the stored one is kept.
    await t.call(calls.updateVendorTax, { token, params, body: { is1099: true, w9Date: '2026-05-02' } });
    expect(await t.call(calls.showTaxId, { token, params })).toEqual({ taxId: SSN });

    const stored = await t.inCompany(companyId, (tx) =>
      tx.rows(sql<{ all: string }>`
        select coalesce(before::text, '') || coalesce(after::text, '') as all
        from audit_log where company_id = ${companyId}
        union all select encode(tax_id_box, 'escape') from vendor_tax where company_id = ${companyId}
        union all select key || coalesce(reply, '') from idempotency where company_id = ${companyId}`),
    );
    const digits = SSN.replaceAll('-', '');
    expect(stored.filter(({ all }) => all.includes(SSN) || all.includes(digits))).toEqual([]);
    const log = await t.call(auditCalls.listAudit, { token, query: { limit: '50' } });
    expect(JSON.stringify(log)).toContain('tax ID view');
  });

  it('filed 1099 forms keep their amounts, are corrected if they change, and are exported with tax IDs', async () => {
    const books = await booksOf();
    const { token } = books;
    const vendorId = await vendorOf(books, 'Duarte Tree Service');
    await paidBill(books, vendorId, { date: '2025-03-12', lines: [[CONTRACTORS, 600]] });
    const form = { vendorId, form: 'nec' as const, reported: 600, withheld: 0 };
    const file = (change: object = {}, given: object = form) => ({
      token,
      body: { year: 2025, filedDate: '2026-01-28', forms: [given], ...change },
    });
    const early = await t.refused(calls.fileForms, file({ filedDate: '2025-12-31' }));
    expect(early.fields).toEqual({ filedDate: "Forms can't be filed before the year ends" });
    const other = await t.refused(calls.fileForms, file({}, { ...form, reported: 599.99 }));
    expect(other).toMatchObject({ code: 'conflict', message: expect.stringContaining('now has $600.00') as string });
    const [filed] = await t.call(calls.fileForms, file());
    expect(filed).toMatchObject({ name: 'Form 1099-NEC 2025, Duarte Tree Service', version: 1, reported: 60_000 });
    expect(await t.refused(calls.fileForms, file())).toMatchObject({ code: 'rule' });
    expect((await yearOf(books, 2025)).figures).toEqual({ due: 1, ready: 0, missing: 0, filed: 1, below: 0 });

    await paidBill(books, vendorId, { date: '2025-11-03', lines: [[CONTRACTORS, 50]] });
    expect((await yearOf(books, 2025)).rows).toMatchObject([{ status: 'changed', filed: { version: 1 } }]);
    const id = filed?.id ?? 0;
    expect(await t.call(calls.getForm, { token, params: { id } })).toMatchObject({ reported: 60_000, isLast: true });
    const [corrected] = await t.call(calls.fileForms, file({}, { ...form, reported: 650 }));
    expect(corrected).toMatchObject({ name: 'Form 1099-NEC 2025, Duarte Tree Service, correction 1', version: 2 });
    expect(await t.refused(calls.undoForm, { token, params: { id } })).toMatchObject({ code: 'conflict' });

    const bytes = await t.call(calls.printForm, { token, params: { id: corrected?.id ?? 0 } });
    const page = (await pagesOf(bytes)).join('\n');
    for (const text of ['CORRECTED', '650.00', '***-**-0918', '34-1234567', 'Nonemployee compensation']) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain(SSN);

    const { bytes: csv } = await t.call(calls.exportForms, { token, query: { year: '2025' } });
    const [titles, row] = Buffer.from(csv).toString().trim().split('\r\n');
    expect(titles).toBe(IRIS_NEC_COLUMNS.join(','));
    const cells = row?.split(',') ?? [];
    expect([cells.length, cells[3], cells[21], cells[38]]).toEqual([54, '341234567', '219090918', '600.00']);
    expect(await t.refused(calls.exportForms, { token, query: { year: '2025', part: '2' } })).toMatchObject({
      code: 'not_found',
    });
    await t.call(calls.undoForm, { token, params: { id: corrected?.id ?? 0 } });
    expect((await yearOf(books, 2025)).rows).toMatchObject([{ status: 'changed', filed: { version: 1 } }]);
  });

  it('the 1099 forms for 101 vendors are exported in two files, with 100 forms and 1 form', async () => {
    const books = await booksOf();
    const { token, make, bankAccountId } = books;
    const now = { postToVendorAccount: false, bankAccountId, invoiceDate: '2025-06-09' };
    await Promise.all(
      Array.from({ length: 101 }, async (_, at) => {
        const vendorId = await vendorOf(books, `Vendor ${String(at).padStart(3, '0')}`);
        await make.bill({ vendorId, ...now, lineItems: [line(CONTRACTORS, 600 + at)] });
      }),
    );
    expect(await yearOf(books, 2025)).toMatchObject({ figures: { due: 101, ready: 101 }, irisFiles: 2 });
    const rowsOf = async (part: string) => {
      const { bytes } = await t.call(calls.exportForms, { token, query: { year: '2025', part } });
      return Buffer.from(bytes).toString().trim().split('\r\n').slice(1);
    };
    const [first, second] = [await rowsOf('1'), await rowsOf('2')];
    expect([first.length, second.length]).toEqual([100, 1]);
    expect(second[0]?.split(',').slice(23, 24)).toEqual(['Vendor 100']);
  });

  it('withholding requires a liability account, and a payment network requires a bank account', async () => {
    const { token } = await booksOf();
    const { rowVersion, proposed } = await t.call(calls.getFormSettings, { token });
    expect(proposed).toContainEqual({ accountId: 147, box: 'nec1' });
    const accounts = [
      { accountId: TRUCK, box: 'withheld' as const },
      { accountId: RENT, box: 'network' as const },
      { accountId: 101, box: 'nec1' as const },
      { accountId: 101, box: 'network' as const },
    ];
    const refused = await t.refused(calls.updateFormSettings, { token, body: { accounts, rowVersion } });
    expect(refused.fields).toEqual({
      'accounts.0.accountId': 'Select a liability account for backup withholding',
      'accounts.1.accountId': 'Select a bank account for the payment network',
      'accounts.2.accountId': "Bank, card, and control accounts can't have a box",
      'accounts.3.accountId': 'This account already has a box',
    });
  });
});
