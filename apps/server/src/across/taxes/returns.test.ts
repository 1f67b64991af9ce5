import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { taxReturnCalls as calls, type TaxReturn } from '@evenkeel/contract/taxreturns';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { toDollars } from '@evenkeel/core/money';
import { badDebtAdjustments } from '@evenkeel/core/taxes/bad-debts';
import { sql } from 'kysely';
import { reconcilerOf } from '../../features/banking/testing/reconciling.ts';
import { verifyCompany } from '../health/books-verify.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
import { pagesOf } from '../../platform/pdf/testing/pages.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const OTHER_INCOME = 142;
const taxed = (amount: number) => [
  { description: 'Work', itemPrice: amount, quantity: 1, accountId: 140, taxable: true },
];

/**
 * A company whose state tax and county tax add up to 6.75%, and an agency in Texas to which both taxes are reported.
 */
async function agencyIn(company: WorldCompany, change: Record<string, unknown> = {}) {
  const { token } = company.administrator;
  const make = factoryFor(t, company);
  await make.tax();
  const [scenario] = await t.call(settingsCalls.listSalesTax, { token });
  const itemIds = scenario?.salesTaxItems.map(({ id }) => id) ?? [];
  const body = {
    name: 'Texas',
    state: 'TX',
    accountId: 123,
    itemIds,
    frequency: 3,
    basis: 'accrual' as const,
    startDate: '2026-08-15',
    ...change,
  };
  const agency = await t.call(calls.createTaxAgency, { token, body });
  const customerId = await make.customer();
  const bankAccountId = await checkingOf(t, company.companyId);
  return { token, make, agency, body, customerId, bankAccountId };
}

const dueOf = (token: string) => t.call(calls.taxDueList, { token });

describe('sales tax returns', () => {
  it('a tax return is prepared, adjusted, filed, and paid, and the next return reports late changes', async () => {
    const { token, make, agency, customerId, bankAccountId } = await agencyIn(await t.createCompany());
    expect(agency).toMatchObject({ startDate: '2026-08-01', firstMonth: 1 });
    const params = { id: agency.id };
    const august = { customerId, invoiceDate: '2026-08-10', dueDate: '2026-09-09' };
    await make.invoice({ ...august, lineItems: taxed(1000) });
    await make.invoice({ ...august, amount: 200 });
    await make.invoice({ customerId, invoiceDate: '2026-09-05', dueDate: '2026-10-05', lineItems: taxed(400) });
    const prepared = await t.call(calls.prepareTaxReturn, { token, params, query: {} });
    expect(prepared).toMatchObject({
      name: 'Texas, August 2026',
      dueDate: '2026-09-21',
      gross: 120_000,
      nonTaxable: 20_000,
      taxable: 100_000,
      tax: 6750,
      netDue: 6750,
      discount: { amount: 0, isLost: true, rule: '0.5% of the tax', source: 'Tex. Tax Code 151.423' },
    });
    expect(prepared.documents).toHaveLength(2);

    const discount = { kind: 'discount' as const, accountId: OTHER_INCOME, amount: -0.34, reason: 'Timely filing' };
    const filing = {
      agencyId: agency.id,
      periodEnd: '2026-08-31',
      filedDate: '2026-09-18',
      confirmation: 'TX-1',
      adjustments: [discount],
      netDue: 67.16,
    };
    const filed = await t.call(calls.fileTaxReturn, { token, body: filing });
    expect(filed).toMatchObject({ netDue: 6716, tax: 6750, confirmation: 'TX-1', changes: [], paid: 0 });
    const payment = { agencyId: agency.id, periodEnd: '2026-08-31', bankAccountId, paymentDate: '2026-09-21' };
    const tooMuch = await t.refused(calls.payTaxReturn, { token, body: { ...payment, amount: 67.17 } });
    expect(tooMuch.fields).toEqual({ amount: 'The unpaid amount on this return is $67.16' });
    await t.call(calls.payTaxReturn, { token, body: { ...payment, amount: 67.16 } });

    // Late changes: a credit memo and an invoice in August.
    await make.credit({ customerId, invoiceDate: '2026-08-28', lineItems: taxed(100) });
    await make.invoice({ ...august, lineItems: taxed(40) });
    const later = await t.call(calls.getTaxReturn, { token, params: { id: filed.id } });
    expect({ ...later, changes: [], paid: 0, payments: [] }).toEqual(filed);
    expect(later).toMatchObject({ paid: 6716 });
    expect(later.changes.map(({ kind, taxable, tax }) => [kind, taxable, tax])).toEqual([
      ['invoice', 4000, 270],
      ['creditmemo', -10_000, -675],
    ]);
    const next = await t.call(calls.prepareTaxReturn, { token, params, query: {} });
    expect(next).toMatchObject({
      name: 'Texas, September 2026',
      taxable: 40_000,
      tax: 2700,
      sinceTaxable: -6000,
      sinceTax: -405,
      netDue: 2295,
    });

    const due = await dueOf(token);
    expect(due.liability).toEqual({
      unfiled: 2295,
      unpaid: 0,
      credits: 0,
      uncollected: 0,
      other: 0,
      balance: 2295,
      difference: 0,
    });
    const periods = due.agencies[0]?.periods.toReversed() ?? [];
    expect(periods.slice(0, 3).map(({ name, status, netDue }) => [name, status, netDue])).toEqual([
      ['August 2026', 'paid', 6716],
      ['September 2026', 'prepare', null],
      ['October 2026', 'zero', null],
    ]);
  });

  it('a credit on a tax return is carried over, and a prepayment reduces the amount due', async () => {
    const { token, make, agency, customerId, bankAccountId } = await agencyIn(await t.createCompany());
    const body = (periodEnd: string, netDue: number) => ({
      agencyId: agency.id,
      periodEnd,
      filedDate: '2026-11-10',
      adjustments: [],
      netDue,
    });
    await make.invoice({ customerId, invoiceDate: '2026-09-05', dueDate: '2026-10-05', lineItems: taxed(400) });
    const payment = { agencyId: agency.id, bankAccountId, paymentDate: '2026-08-25', amount: 10 };
    await t.call(calls.payTaxReturn, { token, body: { ...payment, periodEnd: '2026-08-31' } });
    expect((await dueOf(token)).liability).toMatchObject({
      unfiled: 2700,
      credits: -1000,
      balance: 1700,
      difference: 0,
    });
    const august = await t.call(calls.fileTaxReturn, { token, body: body('2026-08-31', 0) });
    expect(august).toMatchObject({ tax: 0, prepaid: 1000, netDue: 0, carriedOver: -1000 });
    const wrong = await t.refused(calls.fileTaxReturn, { token, body: body('2026-09-30', 27) });
    expect(wrong).toMatchObject({ status: 409, message: /amount due is now \$17.00/ });
    const september = await t.call(calls.fileTaxReturn, { token, body: body('2026-09-30', 17) });
    expect(september).toMatchObject({ carriedIn: -1000, netDue: 1700, carriedOver: 0 });
    expect((await dueOf(token)).liability).toMatchObject({ unfiled: 0, unpaid: 1700, credits: 0, difference: 0 });
  });

  it('an agency on the cash basis is owed the tax when invoices are paid', async () => {
    const company = await t.createCompany();
    const { token, make, agency, customerId } = await agencyIn(company, { basis: 'cash' });
    const invoice = await make.invoice({
      customerId,
      invoiceDate: '2026-08-05',
      dueDate: '2026-09-04',
      lineItems: taxed(1000),
    });
    const paymentApplications = [{ invoiceId: invoice.id, amount: 533.75 }];
    await make.payment({ customerId, paymentAmount: 533.75, paymentDate: '2026-08-20', paymentApplications });
    const line = (accountID: number, debit: boolean) => ({
      accountID,
      debit,
      amount: 5,
      description: 'Correction',
      postingDate: '2026-08-21',
    });
    const generalLedgerEntries = [line(123, false), line(160, true)];
    await t.call(ledgerCalls.postTransaction, { token, body: { generalLedgerEntries } });
    const prepared = await t.call(calls.prepareTaxReturn, { token, params: { id: agency.id }, query: {} });
    expect(prepared).toMatchObject({ gross: 50_000, taxable: 50_000, tax: 3375 });
    expect((await dueOf(token)).liability).toEqual({
      unfiled: 3375,
      unpaid: 0,
      credits: 0,
      uncollected: 3375,
      other: 500,
      balance: 7250,
      difference: 0,
    });
  });

  it('a return that is filed out of order, too early, or with a wrong adjustment is rejected', async () => {
    const { token, agency } = await agencyIn(await t.createCompany());
    const body = { agencyId: agency.id, periodEnd: '2026-09-30', filedDate: '2026-10-01', adjustments: [], netDue: 0 };
    const early = await t.refused(calls.fileTaxReturn, { token, body });
    expect(early.fields).toEqual({ periodEnd: 'File the earlier periods first, starting with August 2026' });
    const adjustments = [{ kind: 'other' as const, accountId: 123, amount: 1, reason: 'Rounding' }];
    const own = await t.refused(calls.fileTaxReturn, {
      token,
      body: { ...body, periodEnd: '2026-08-31', adjustments },
    });
    expect(own.fields).toEqual({ 'adjustments.0.accountId': 'Select an account other than the tax account' });
    const before = await t.refused(calls.fileTaxReturn, {
      token,
      body: { ...body, periodEnd: '2026-08-31', filedDate: '2026-08-31' },
    });
    expect(before.fields).toEqual({ filedDate: "A return can't be filed before its period ends" });
    expect((await dueOf(token)).agencies[0]?.periods.every(({ returnId }) => returnId === null)).toBe(true);
  });

  it('if two requests file the same tax return, it is filed only once', async () => {
    const { token, agency } = await agencyIn(await t.createCompany());
    const body = { agencyId: agency.id, periodEnd: '2026-08-31', filedDate: '2026-09-01', adjustments: [], netDue: 0 };
    const both = await Promise.allSettled([1, 2].map(() => t.call(calls.fileTaxReturn, { token, body })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('after filing', () => {
  const filingOf = (agencyId: number, periodEnd: string, netDue: number) => ({
    agencyId,
    periodEnd,
    filedDate: '2026-11-10',
    adjustments: [] as { kind: 'penalty'; accountId: number; amount: number; reason: string }[],
    netDue,
  });
  const sound = async ({ companyId }: WorldCompany) =>
    expect((await verifyCompany(t.pool, companyId)).faults).toEqual([]);
  const undo = (token: string, id: number) => ({ token, params: { id }, query: {} });

  it('a tax payment and then the filing of its return can be undone, and the return can be filed again', async () => {
    const company = await t.createCompany();
    const { token, make, agency, customerId, bankAccountId } = await agencyIn(company);
    await make.invoice({ customerId, invoiceDate: '2026-08-10', dueDate: '2026-09-09', lineItems: taxed(1000) });
    const penalty = { kind: 'penalty' as const, accountId: 160, amount: 5, reason: 'Late' };
    const prepayment = { agencyId: agency.id, bankAccountId, paymentDate: '2026-08-31', periodEnd: '2026-08-31' };
    const early = await t.call(calls.payTaxReturn, { token, body: { ...prepayment, amount: 10 } });
    const start = await dueOf(token);
    const august = { ...filingOf(agency.id, '2026-08-31', 62.5), adjustments: [penalty] };
    const filed = await t.call(calls.fileTaxReturn, { token, body: august });
    const later = await t.call(calls.fileTaxReturn, { token, body: filingOf(agency.id, '2026-09-30', 0) });
    const paid = await t.call(calls.payTaxReturn, {
      token,
      body: { ...prepayment, paymentDate: '2026-11-11', amount: 62.5 },
    });
    const seen = await t.call(calls.getTaxReturn, { token, params: { id: filed.id } });
    expect(seen.payments.map(({ amount, returnId }) => [amount, returnId])).toEqual([
      [1000, null],
      [6250, filed.id],
    ]);
    await sound(company);

    const refused = async (id: number) => (await t.refused(calls.undoTaxReturn, undo(token, id))).message;
    expect(await refused(filed.id)).toBe('Undo the filing of the later returns first');
    await t.call(calls.undoTaxReturn, undo(token, later.id));
    expect(await refused(filed.id)).toBe('Delete the payments for this return first');
    const included = await t.refused(calls.deleteTaxPayment, undo(token, early.id));
    expect(included).toMatchObject({
      status: 409,
      message: 'The return for Texas, August 2026 includes this prepayment. Undo its filing first.',
    });
    await t.call(calls.deleteTaxPayment, undo(token, paid.id));
    await t.call(calls.undoTaxReturn, undo(token, filed.id));
    expect(await dueOf(token)).toEqual(start);
    await sound(company);
    await t.call(calls.deleteTaxPayment, undo(token, early.id));
    expect((await t.refused(calls.deleteTaxPayment, undo(token, early.id))).status).toBe(404);
    expect((await dueOf(token)).liability).toMatchObject({ unfiled: 6750, credits: 0, balance: 6750, difference: 0 });
    await t.call(calls.fileTaxReturn, { token, body: filingOf(agency.id, '2026-08-31', 67.5) });
    await sound(company);
  });

  it("a reconciled tax payment can't be deleted, and two requests to delete a payment reverse it once", async () => {
    const company = await t.createCompany();
    const { token, agency, bankAccountId } = await agencyIn(company);
    const pay = (amount: number) => {
      const of = { agencyId: agency.id, bankAccountId, paymentDate: '2026-08-31', periodEnd: '2026-08-31' };
      return t.call(calls.payTaxReturn, { token, body: { ...of, amount } });
    };
    const [cleared, open] = [await pay(10), await pay(20)];
    const books = reconcilerOf(t, company);
    const line = (await books.open()).outgoingEntries.find(({ creditAmount }) => creditAmount === 1000);
    await books.reconcile({ entries: [line?.glid ?? 0], statementDate: '2026-09-30', statementBalance: -10 });
    const kept = await t.refused(calls.deleteTaxPayment, undo(token, cleared.id));
    expect(kept).toMatchObject({ status: 409, message: /reconcil/ });
    const both = await Promise.allSettled([1, 2].map(() => t.call(calls.deleteTaxPayment, undo(token, open.id))));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await dueOf(token)).liability).toMatchObject({ credits: -1000, balance: -1000, difference: 0 });
    await sound(company);
  });

  it('an amendment reports the changes since the latest return, which the next return does not repeat', async () => {
    const company = await t.createCompany();
    const { token, make, agency, customerId, bankAccountId } = await agencyIn(company);
    const params = { id: agency.id };
    const august = { customerId, invoiceDate: '2026-08-10', dueDate: '2026-09-09' };
    await make.invoice({ ...august, lineItems: taxed(1000) });
    const nothing = await t.refused(calls.prepareTaxReturn, { token, params, query: { amends: 'true' } });
    expect(nothing).toMatchObject({ status: 409, message: 'The agency has no filed return to amend' });
    const filed = await t.call(calls.fileTaxReturn, { token, body: filingOf(agency.id, '2026-08-31', 67.5) });
    const amending = { ...filingOf(agency.id, '2026-08-31', 0), amends: true };
    const unchanged = await t.refused(calls.fileTaxReturn, { token, body: amending });
    expect(unchanged.fields).toEqual({ periodEnd: 'No document has changed since this return was filed' });

    await make.invoice({ ...august, lineItems: taxed(200) });
    const changed = await t.call(calls.getTaxReturn, { token, params: { id: filed.id } });
    expect(changed.changes).toMatchObject([{ kind: 'invoice', tax: 1350, isDeleted: false }]);
    expect(changed.changes[0]?.changedBy).not.toBe('');
    const [page = ''] = await pagesOf(await t.call(calls.printTaxReturn, { token, params: { id: filed.id } }));
    for (const words of ['Texas, August 2026', 'Net due 67.50 13.50 81.00', 'Tax by item', 'Documents']) {
      expect(page.replaceAll(/\s+/g, ' ')).toContain(words);
    }
    const prepared = await t.call(calls.prepareTaxReturn, { token, params, query: { amends: 'true' } });
    expect(prepared).toMatchObject({
      name: 'Texas, August 2026, amendment 1',
      version: 2,
      tax: 0,
      sinceTax: 1350,
      netDue: 1350,
      discount: null,
    });
    const amended = await t.call(calls.fileTaxReturn, { token, body: { ...amending, netDue: 13.5 } });
    expect(amended).toMatchObject({ version: 2, isLast: true, netDue: 1350, changes: [] });
    const first = await t.call(calls.getTaxReturn, { token, params: { id: filed.id } });
    expect(first).toMatchObject({ tax: 6750, isLast: false });
    const payment = { agencyId: agency.id, periodEnd: '2026-08-31', bankAccountId, paymentDate: '2026-11-11' };
    await t.call(calls.payTaxReturn, { token, body: { ...payment, amount: 81 } });
    const due = await dueOf(token);
    expect(due.liability).toMatchObject({ unfiled: 0, unpaid: 0, balance: 0, difference: 0 });
    expect(due.agencies[0]?.periods.at(-1)).toMatchObject({
      name: 'August 2026',
      status: 'paid',
      netDue: 8100,
      tax: 8100,
      returnId: amended.id,
    });
    const next = await t.call(calls.prepareTaxReturn, { token, params, query: {} });
    expect(next).toMatchObject({ name: 'Texas, September 2026', tax: 0, sinceTax: 0, netDue: 0 });
    await sound(company);
  });

  it('a tax return has amounts by tax item, and verify finds a changed amount', async () => {
    const company = await t.createCompany();
    const { token, make, agency, customerId } = await agencyIn(company);
    await make.invoice({ customerId, invoiceDate: '2026-08-10', dueDate: '2026-09-09', lineItems: taxed(1000) });
    const filed = await t.call(calls.fileTaxReturn, { token, body: filingOf(agency.id, '2026-08-31', 67.5) });
    const shown = filed.items.map(({ rates, taxable, tax }) => [rates.join(), taxable, tax]);
    expect(shown).toEqual([
      ['5.75', 100_000, 5750],
      ['1', 100_000, 1000],
    ]);
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update tax_return set net_due_cents = 6749 where company_id = ${company.companyId}`),
    );
    const { faults } = await verifyCompany(t.pool, company.companyId);
    expect(faults).toMatchObject([
      { check: 'sales tax returns', message: /has amount due of 6749 cents instead of 6750/ },
    ]);
  });
});

describe('bad debts', () => {
  const august = { invoiceDate: '2026-08-10', dueDate: '2026-09-09' };

  /**
   * A customer has two invoices, of which 467.50 is paid: one for 1,067.50 including tax of 67.50, and a later one for
   * 300.00 without tax.
   */
  async function debts(company: WorldCompany, withTax: boolean, change: Record<string, unknown>) {
    const own = await agencyIn(company, change);
    const { token, make, customerId } = own;
    const taxedSale = await make.invoice({ customerId, ...august, lineItems: taxed(1000) });
    const later = await make.invoice({ customerId, ...august, invoiceDate: '2026-08-20', amount: 300 });
    const writeOff = async (invoiceId: number, amount: number) => {
      const body = { invoiceId, amount, writeOffDate: '2026-08-31', reason: 'Moved away', withTax };
      const made = await t.call(writeOffCalls.createWriteOff, { token, body });
      if (Array.isArray(made)) throw new Error('expected a single write-off');
      return made;
    };
    const pay = (invoiceId: number, amount: number, paymentDate: string) =>
      make.payment({
        customerId,
        paymentAmount: amount,
        paymentDate,
        paymentApplications: [{ invoiceId, amount }],
      });
    await pay(taxedSale.id, 467.5, '2026-08-25');
    const first = await writeOff(taxedSale.id, 600);
    await writeOff(later.id, 300);
    return { ...own, first, invoiceId: taxedSale.id, pay };
  }
  const prepare = (token: string, id: number) => t.call(calls.prepareTaxReturn, { token, params: { id }, query: {} });
  const file = (token: string, prepared: TaxReturn, netDue: number, most = 9) =>
    t.call(calls.fileTaxReturn, {
      token,
      body: {
        agencyId: prepared.agencyId,
        periodEnd: prepared.to,
        filedDate: '2026-11-10',
        adjustments: badDebtAdjustments(prepared)
          .filter(({ amount }) => amount !== 0)
          .slice(0, most)
          .map((each) => ({ ...each, amount: toDollars(each.amount) })),
        netDue,
      },
    });

  it("bad debts are claimed only once, in the agency's order, and repaid if the customer pays", async () => {
    const company = await t.createCompany();
    const { token, agency, first, invoiceId, pay } = await debts(company, false, { state: 'CA' });
    const prepared = await prepare(token, agency.id);
    // 67.50 × 900.00 ÷ 1,367.50
    const claim = {
      invoiceId,
      taxable: 100_000,
      tax: 6750,
      writtenOff: 60_000,
      recovered: 0,
      credit: 4442,
      deducted: 0,
    };
    expect(prepared).toMatchObject({
      tax: 6750,
      badDebts: [claim],
      badDebtRule: 'All charges in proportion (Cal. Code Regs. tit. 18, 1642)',
    });
    const filed = await file(token, prepared, 23.08);
    expect(filed).toMatchObject({ netDue: 2308, badDebts: [claim] });
    expect((await dueOf(token)).liability).toMatchObject({ unpaid: 2308, other: 0, balance: 2308, difference: 0 });
    expect((await prepare(token, agency.id)).badDebts).toEqual([]);
    const [page = ''] = await pagesOf(await t.call(calls.printTaxReturn, { token, params: { id: filed.id } }));
    expect(page.replaceAll(/\s+/g, ' ')).toContain('1,000.00 67.50 600.00 – 44.42');

    await t.call(writeOffCalls.deleteWriteOff, { token, params: { id: first.id }, query: {} });
    await pay(invoiceId, 600, '2026-09-10');
    const next = await prepare(token, agency.id);
    expect(next.badDebts).toMatchObject([{ invoiceId, writtenOff: 0, recovered: 60_000, credit: -4442 }]);
    expect(await file(token, next, 44.42)).toMatchObject({ netDue: 4442 });
    expect((await prepare(token, agency.id)).badDebts).toEqual([]);
    expect((await dueOf(token)).liability).toMatchObject({ unpaid: 6750, other: 0, balance: 6750, difference: 0 });
    expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
  });

  it('bad debts whose tax was deducted by write-offs are claimed without posting the tax again', async () => {
    const company = await t.createCompany();
    const { token, agency } = await debts(company, true, { state: 'NY' });
    // The write-off deducted 67.50 × 600.00 ÷ 1,067.50. The payment went to the oldest invoice first, which has the
    // same result.
    const deducted = 3794;
    expect((await dueOf(token)).liability).toMatchObject({ unfiled: 6750, other: -deducted, difference: 0 });
    const prepared = await prepare(token, agency.id);
    expect(prepared).toMatchObject({ badDebts: [{ credit: deducted, deducted }] });
    const filed = await file(token, prepared, 29.56);
    expect(filed).toMatchObject({ netDue: 2956, adjustments: [{ accountId: 123, amount: -deducted }] });
    expect((await dueOf(token)).liability).toEqual({
      unfiled: 0,
      unpaid: 2956,
      credits: 0,
      uncollected: 0,
      other: 0,
      balance: 2956,
      difference: 0,
    });
    expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
  });

  it('bad debts that are not claimed stay open, and an agency on the cash basis has none', async () => {
    const company = await t.createCompany();
    const { token, agency } = await debts(company, false, { state: 'TX' });
    const prepared = await prepare(token, agency.id);
    // Texas has no rule, so the payment stays on its invoice.
    expect(prepared).toMatchObject({ badDebtRule: '', badDebts: [{ credit: 3794 }] });
    expect(await file(token, prepared, 67.5, 0)).toMatchObject({ badDebts: [] });
    expect((await prepare(token, agency.id)).badDebts).toMatchObject([{ credit: 3794 }]);
    const onCash = await debts(await t.createCompany(), false, { state: 'TX', basis: 'cash' });
    expect((await prepare(onCash.token, onCash.agency.id)).badDebts).toEqual([]);
  });
});

describe('tax agencies', () => {
  it('a tax agency requires tax items and an account, and California requires the accrual basis', async () => {
    const { token, body, agency } = await agencyIn(await t.createCompany());
    const refused = async (change: Record<string, unknown>) =>
      (await t.refused(calls.createTaxAgency, { token, body: { ...body, ...change } })).fields;
    expect(await refused({ itemIds: [], accountId: 140, name: ' ' })).toEqual({
      name: 'Please enter a name',
      accountId: 'Please Select an Account',
      itemIds: 'Please select the tax items that you report to the agency',
    });
    expect(await refused({ state: 'CA', basis: 'cash' })).toEqual({ basis: 'This state requires the accrual basis' });
    const twice = await t.refused(calls.createTaxAgency, { token, body });
    expect(twice).toMatchObject({ status: 409, message: 'A tax item already belongs to another agency' });
    const theirs = { token: t.world.other.administrator.token };
    expect((await t.refused(calls.prepareTaxReturn, { ...theirs, params: { id: agency.id }, query: {} })).status).toBe(
      404,
    );
  });

  it("a tax agency's terms can't change after its first return is filed", async () => {
    const { token, body, agency } = await agencyIn(await t.createCompany());
    const params = { id: agency.id };
    const saved = await t.call(calls.updateTaxAgency, { token, params, body: { ...body, frequency: 2 } });
    expect(saved).toMatchObject({ frequency: 2, startDate: '2026-07-01' });
    const filing = {
      agencyId: agency.id,
      periodEnd: '2026-09-30',
      filedDate: '2026-10-20',
      adjustments: [],
      netDue: 0,
    };
    await t.call(calls.fileTaxReturn, { token, body: filing });
    const renamed = { ...body, frequency: 2, startDate: '2026-07-01', name: 'Comptroller' };
    expect((await t.call(calls.updateTaxAgency, { token, params, body: renamed })).name).toBe('Comptroller');
    const changed = await t.refused(calls.updateTaxAgency, { token, params, body: { ...renamed, basis: 'cash' } });
    expect(changed).toMatchObject({ status: 409, message: /filed returns/ });
  });
});
