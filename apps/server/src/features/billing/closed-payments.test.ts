import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { settingsCalls } from '@evenkeel/contract/settings';
import { isoDate } from '@evenkeel/core/dates';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { sumLate } from '../../books/documents/aging.sql.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let customerId: number;
let a: number;
let b: number;
let paymentId: number;

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/**
 * Creates two January invoices for 100.00 (accounts 140 and 141) and a payment of 150.00, with 100.00 applied to the
 * first. Then the books are closed.
 */
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  customerId = await make.customer();
  const lineItems = [{ description: 'Work', itemPrice: 100, quantity: 1, accountId: 141 }];
  a = (await make.invoice({ customerId, invoiceDate: '2026-01-10' })).id;
  b = (await make.invoice({ customerId, invoiceDate: '2026-01-12', lineItems })).id;
  const paymentApplications = [{ invoiceId: a, amount: 100 }];
  const january = { customerId, paymentDate: '2026-01-20', paymentAmount: 150, paymentApplications };
  paymentId = (await make.payment(january)).id;
  await close('2026-01-31');
});

async function close(settingValue: string): Promise<void> {
  const { token } = company.administrator;
  await t.call(settingsCalls.saveSettings, { token, body: { settingName: 'closingDate', settingValue } });
}

/** Returns the cash basis balances at the end of a date, as "account amount". */
async function cashOn(date: string): Promise<string[]> {
  const { companyId } = company;
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ account_id: number; amount: Cents }>`
      select account_id, sum(amount_cents)::bigint as amount from journal_line
      where company_id = ${companyId} and basis <> 'A' and posting_date <= ${date}
      group by account_id having sum(amount_cents) <> 0 order by account_id`),
  );
  return rows.map((row) => `${row.account_id} ${formatAmount(row.amount)}`);
}

const JANUARY = ['101 150.00', '140 (100.00)', '145 (50.00)'];

async function apply(...amounts: [invoiceId: number, amount: number][]) {
  const { token } = company.bookkeeper;
  const payment = await t.request({ method: 'GET', url: `/api/billingpayment/${paymentId}`, token });
  const paymentApplications = amounts.map(([invoiceId, amount]) => ({ invoiceId, amount }));
  const body = { ...Object(payment.body), paymentApplications };
  return t.call(billingCalls.updatePayment, { token, body });
}

async function openOf(id: number): Promise<string> {
  const { token } = company.bookkeeper;
  return formatAmount((await t.call(billingCalls.getInvoice, { token, params: { id } })).openAmount);
}

describe('a payment of 150.00 in a closed January', () => {
  // Promise (books): A payment that is changed after its period is closed leaves that period unchanged.
  it('unapplying 100.00 leaves closed January unchanged, and 150.00 is unapplied as of 02/01', async () => {
    const saved = await apply();
    expect([formatAmount(saved.unappliedAmount), saved.paymentApplications]).toEqual(['150.00', []]);
    expect(saved.affectedInvoices.map((each) => [each.id, formatAmount(each.openAmount)])).toEqual([[a, '100.00']]);
    expect(await cashOn('2026-01-31')).toEqual(JANUARY);
    expect(await cashOn('2026-02-01')).toEqual(['101 150.00', '145 (150.00)']);
  });

  it('moving 50.00 and the unapplied 50.00 to another invoice leaves closed January unchanged', async () => {
    await apply([b, 100], [a, 50]);
    expect(await cashOn('2026-01-31')).toEqual(JANUARY);
    expect(await cashOn('2026-02-01')).toEqual(['101 150.00', '140 (50.00)', '141 (100.00)']);
    expect([await openOf(a), await openOf(b)]).toEqual(['50.00', '0.00']);
  });

  it('a payment that is changed three times and then changed back has the same amounts and posts nothing', async () => {
    await apply([b, 100], [a, 50]);
    await apply();
    await apply([a, 100]);
    expect(await cashOn('2026-02-28')).toEqual(JANUARY);
    const lines = await countRows(t, company.companyId, 'journal_line');
    const saved = await apply([a, 100]);
    expect(await countRows(t, company.companyId, 'journal_line')).toBe(lines);
    expect(saved.paymentApplications.map((each) => [each.invoiceId, formatAmount(each.amount)])).toEqual([
      [a, '100.00'],
    ]);
  });

  it('moving a payment in February and in March leaves each closed month unchanged', async () => {
    await apply([b, 100], [a, 50]);
    await close('2026-02-28');
    await apply([a, 80]);
    expect(await cashOn('2026-01-31')).toEqual(JANUARY);
    expect(await cashOn('2026-02-28')).toEqual(['101 150.00', '140 (50.00)', '141 (100.00)']);
    expect(await cashOn('2026-03-01')).toEqual(['101 150.00', '140 (80.00)', '145 (70.00)']);
    expect([await openOf(a), await openOf(b)]).toEqual(['20.00', '100.00']);
  });

  it('changing a payment does not change the overdue amounts and days on the closing date', async () => {
    const lateOn = (day: string) => t.inCompany(company.companyId, (tx) => tx.row(sumLate(RECEIVABLE, isoDate(day))));
    const before = await lateOn('2026-01-31');
    expect(before?.days).toBe(19);
    for (const change of [
      [],
      [[b, 100]],
      [[a, 30]],
      [
        [b, 60],
        [a, 90],
      ],
    ] as const) {
      await apply(...change.map(([id, amount]): [number, number] => [id, amount]));
      expect(await lateOn('2026-01-31')).toEqual(before);
    }
  });

  it('saving an unchanged payment after the books are reopened posts nothing', async () => {
    await apply([b, 100], [a, 50]);
    await close('');
    const lines = await countRows(t, company.companyId, 'journal_line');
    await apply([a, 50], [b, 100]);
    expect(await countRows(t, company.companyId, 'journal_line')).toBe(lines);
    expect(await cashOn('2026-01-31')).toEqual(JANUARY);
  });

  it('an invoice whose payment is replaced by another payment is paid only once', async () => {
    await apply();
    const taker = { customerId, paymentDate: '2026-02-01', paymentAmount: 100 };
    await make.payment({ ...taker, paymentApplications: [{ invoiceId: a, amount: 100 }] });
    expect(await cashOn('2026-01-31')).toEqual(JANUARY);
    expect(await cashOn('2026-02-01')).toEqual(['101 250.00', '140 (100.00)', '145 (150.00)']);
    expect(await openOf(a)).toBe('0.00');
  });

  it('a payment that was unapplied from a deleted invoice can still be saved', async () => {
    await apply();
    await close('');
    const { token } = company.administrator;
    await t.call(billingCalls.deleteInvoice, { token, params: { id: a } });
    expect(formatAmount((await apply([b, 30])).unappliedAmount)).toBe('120.00');
    expect(await cashOn('2026-02-28')).toEqual(['101 150.00', '141 (30.00)', '145 (120.00)']);
  });

  it("a payment in closed books can't be deleted, and its amount and date can't change", async () => {
    const { token } = company.bookkeeper;
    const get = await t.request({ method: 'GET', url: `/api/billingpayment/${paymentId}`, token });
    for (const change of [{ paymentAmount: 160 }, { paymentDate: '2026-02-05' }]) {
      const refusal = await t.refused(billingCalls.updatePayment, { token, body: { ...Object(get.body), ...change } });
      expect([refusal.status, refusal.message]).toEqual([422, 'The books are closed through 1/31/2026']);
    }
    expect((await t.refused(billingCalls.deletePayment, { token, params: { id: paymentId } })).status).toBe(422);
  });
});
