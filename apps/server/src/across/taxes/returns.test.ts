import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { taxReturnCalls as calls } from '@evenkeel/contract/taxreturns';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
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

/** A company with state and county tax of 6.75%, and an agency in Texas that both items are reported to. */
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
  it('prepares, adjusts, files, and pays a return, and reports late changes on the next one', async () => {
    const { token, make, agency, customerId, bankAccountId } = await agencyIn(await t.createCompany());
    expect(agency).toMatchObject({ startDate: '2026-08-01', firstMonth: 1 });
    const params = { id: agency.id };
    const august = { customerId, invoiceDate: '2026-08-10', dueDate: '2026-09-09' };
    await make.invoice({ ...august, lineItems: taxed(1000) });
    await make.invoice({ ...august, amount: 200 });
    await make.invoice({ customerId, invoiceDate: '2026-09-05', dueDate: '2026-10-05', lineItems: taxed(400) });
    const prepared = await t.call(calls.prepareTaxReturn, { token, params });
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
    expect(tooMuch.fields).toEqual({ amount: 'The unpaid amount of this return is $67.16' });
    await t.call(calls.payTaxReturn, { token, body: { ...payment, amount: 67.16 } });

    // Late changes: a credit memo and an invoice in August.
    await make.credit({ customerId, invoiceDate: '2026-08-28', lineItems: taxed(100) });
    await make.invoice({ ...august, lineItems: taxed(40) });
    const later = await t.call(calls.getTaxReturn, { token, params: { id: filed.id } });
    expect({ ...later, changes: [], paid: 0 }).toEqual(filed);
    expect(later).toMatchObject({ paid: 6716 });
    expect(later.changes.map(({ kind, taxable, tax }) => [kind, taxable, tax])).toEqual([
      ['invoice', 4000, 270],
      ['creditmemo', -10_000, -675],
    ]);
    const next = await t.call(calls.prepareTaxReturn, { token, params });
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

  it('carries a credit over, and a prepayment reduces the amount due', async () => {
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

  it('an agency on the cash basis receives the tax when invoices are paid', async () => {
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
    const prepared = await t.call(calls.prepareTaxReturn, { token, params: { id: agency.id } });
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

  it('refuses to file out of order, too early, or with a wrong adjustment, and saves nothing', async () => {
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

  it('two requests to file the same return file it once', async () => {
    const { token, agency } = await agencyIn(await t.createCompany());
    const body = { agencyId: agency.id, periodEnd: '2026-08-31', filedDate: '2026-09-01', adjustments: [], netDue: 0 };
    const both = await Promise.allSettled([1, 2].map(() => t.call(calls.fileTaxReturn, { token, body })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('tax agencies', () => {
  it('need items and an account, and California requires the accrual basis', async () => {
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
    expect((await t.refused(calls.prepareTaxReturn, { ...theirs, params: { id: agency.id } })).status).toBe(404);
  });

  it('keep their terms after the first filed return', async () => {
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
