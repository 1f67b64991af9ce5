import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { addDays } from '@evenkeel/core/dates';
import { todayIn } from '../clock.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { type Factory, factoryFor } from '../testing/factories.ts';
import type { WorldCompany } from '../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let factory: Factory;
let customerId: number;
const today = todayIn('America/New_York');
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  factory = factoryFor(t, company);
  customerId = await factory.customer();
});
afterAll(() => t.close());

const ask = (token = company.administrator.token) => t.call(dashboardCalls.getDashboard, { token });
const dueOn = (days: number, amount: number, more: { arBillingStatus?: number } = {}) => {
  const invoiceDate = addDays(today, Math.min(days, 0) - 1);
  return factory.invoice({ customerId, amount, invoiceDate, dueDate: addDays(today, days), ...more });
};

test('a company that has never billed owes nobody an explanation: zeros and no invoices', async () => {
  const { billing, cash } = await ask();
  expect(billing).toEqual({ unpaid: 0, overdue: 0, overdueCount: 0, count: 0, drafts: 0, attention: [], recent: [] });
  expect(cash?.lines.map(({ label, amount }) => [label, amount])).toEqual([
    ['Checking', 0],
    ['Savings', 0],
  ]);
});

test('of 100.00, 40.00 and 60.00 two are late, the later first; a draft is owed by nobody', async () => {
  await dueOn(5, 100);
  await dueOn(-12, 40);
  const late = await dueOn(-30, 60);
  await dueOn(-3, 655, { arBillingStatus: 1 });
  await factory.payment({ customerId, paymentAmount: 10, paymentApplications: [{ invoiceId: late.id, amount: 10 }] });
  const { billing, cash } = await ask();
  expect(billing).toMatchObject({ unpaid: 19_000, overdue: 9000, overdueCount: 2, count: 3, drafts: 1 });
  expect(billing?.attention.map((row) => [row.daysOverdue, row.openAmount])).toEqual([
    [30, 5000],
    [12, 4000],
  ]);
  expect(billing?.recent.map((row) => row.invoiceAmount)).toEqual([10_000, 65_500, 4000, 6000]);
  expect(cash?.total).toBe(1000);
  const list = await t.call(billingCalls.listInvoices, { token: company.administrator.token });
  const rows = Array.isArray(list) ? list : list.items;
  expect(rows.filter(({ badge }) => badge !== 'Draft').reduce((sum, row) => sum + row.openAmount, 0)).toBe(19_000);
});

test('each part is for those who may view what it sums up', async () => {
  expect(await ask(company.stranger.token)).toEqual({ billing: null, cash: null });
  expect(await ask(company.reader.token)).toEqual(await ask());
});

test('with 5,000 open invoices the answer is no larger than 10 kB, and right', async () => {
  const invoice = await dueOn(5, 1);
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`
      insert into document (company_id, side, document_number, document_date, due_date, entity_id, status,
        control_account_id, sales_tax_cents, total_cents, open_cents, applied_cents, entry_date)
      select d.company_id, d.side, (20000 + n)::text, d.document_date, d.due_date - n % 400, d.entity_id, d.status,
        d.control_account_id, 0, 100, 100, 0, d.entry_date
      from document d join generate_series(1, 5000) n on true
      where d.company_id = ${company.companyId} and d.id = ${invoice.id}`),
  );
  const url = '/api/dashboard';
  const { bytes } = await t.request({ method: 'GET', url, token: company.administrator.token });
  expect(bytes.length).toBeLessThan(10_000);
  const { billing } = await ask();
  expect(billing).toMatchObject({ count: 5004, unpaid: 519_100 });
  expect(billing?.attention).toHaveLength(6);
  expect(billing?.attention[0]?.daysOverdue).toBe(394);
});
