import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { chargeCalls } from '@evenkeel/contract/charges';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { creditCalls } from '@evenkeel/contract/credits';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { scheduledCalls } from '@evenkeel/contract/scheduled';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { CHECKING, SALES, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { addDays, addMonths, endOfMonth, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { type Cents, fromDollars, sum } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { demoCommand } from '../cli/demo.ts';
import { runLine } from '../cli/run.ts';
import { amountsBetween } from '../../books/ledger/balances.sql.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { countStatements } from '../../testing/statements.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';
import { createDemo, type DemoLogin, findDemo, resetDemo } from './demo.ts';
import { spanOf } from './story.ts';
import { bankEffect, tellStory } from './tell.ts';

const today = isoDate('2026-11-21');
const MATERIALS = 148;

describe("the demo company's story", () => {
  const days = ['2024-02-29', '2026-01-10', '2026-02-28', '2026-04-01', '2026-07-04', '2026-11-21', '2027-05-31'];

  test.each(days)(
    'a demo story that ends on %s has 600 invoices in two years, and its bank balance is always positive',
    (day) => {
      const end = isoDate(day);
      const story = tellStory(end);
      const { first } = spanOf(end);
      expect(story.filter((event) => event.kind === 'invoice')).toHaveLength(600);
      expect(story.every((event) => event.date >= first && event.date <= end)).toBe(true);
      expect(lowest(story)).toBeGreaterThan(fromDollars(2000));
    },
  );

  test('the demo story is always the same for a given date, and different for the next date', () => {
    expect(tellStory(today)).toEqual(tellStory(today));
    expect(tellStory(today)).not.toEqual(tellStory(addDays(today, 1)));
  });

  /** Returns the lowest bank balance at the end of any day. */
  function lowest(story: ReturnType<typeof tellStory>): number {
    const bank = new Map<IsoDate, number>();
    let balance = 0;
    for (const event of story) bank.set(event.date, (balance += bankEffect(event)));
    return Math.min(...bank.values());
  }
});

describe('the demo company', () => {
  let t: TestApp;
  let demo: DemoLogin;
  let token: string;
  let written: { statements: number };
  beforeAll(async () => {
    t = await startTestApp();
    written = await countStatements(t.pool, async () => {
      demo = await createDemo(t.services, today);
    });
    token = (await t.login(demo.email, demo.password)).token;
    await acceptTerms();
  });
  afterAll(() => t.close());

  async function acceptTerms(): Promise<void> {
    await t.pool.query('update app_user set terms_version = $1 where email = $2', [
      t.services.legal.termsVersion,
      DEMO_EMAIL,
    ]);
  }

  /** Returns debits minus credits by account, in cents. */
  async function balances(app: TestApp, companyId: number, basis: 'accrual' | 'cash', to = today) {
    const from = isoDate('2000-01-01');
    const rows = await app.inCompany(companyId, (tx) => tx.rows(amountsBetween({ basis, from, to })));
    const own = rows.filter((row) => row.amount !== 0).map((row): [number, Cents] => [row.accountId, row.amount]);
    return new Map(own.toSorted(([a], [b]) => a - b));
  }

  test('the demo company is created once, and a second attempt is rejected and writes nothing', async () => {
    const before = await balances(t, demo.companyId, 'accrual');
    await expect(createDemo(t.services, today)).rejects.toThrow('There is a demo company already');
    expect(await findDemo(t.services)).toMatchObject({ companyId: demo.companyId });
    expect(await balances(t, demo.companyId, 'accrual')).toEqual(before);
  });

  test('the demo company passes verify, and debits equal credits on both bases at every month end', async () => {
    expect((await verifyCompany(t.pool, demo.companyId)).faults).toEqual([]);
    for (let day = endOfMonth(spanOf(today).first); day <= today; day = endOfMonth(addMonths(day, 1))) {
      for (const basis of ['accrual', 'cash'] as const) {
        const amounts = [...(await balances(t, demo.companyId, basis, day)).values()];
        expect(amounts.length).toBeGreaterThan(5);
        expect(sum(amounts)).toBe(0);
      }
    }
  });

  test('the demo company has 40 customers, 25 products and services, and 602 invoices', async () => {
    const invoices = await t.call(billingCalls.listInvoices, { token, query: { status: 'all' } });
    expect(await t.call(entityCalls.listCustomers, { token })).toHaveLength(40);
    expect(await t.call(catalogueCalls.listProducts, { token })).toHaveLength(25);
    // One of these invoices was created from a template, and one is a finance charge for an overdue customer.
    expect(invoices).toHaveLength(602);
  });

  test('the demo company has unbilled work items from the last two weeks for twelve customers', async () => {
    const list = await t.call(workItemCalls.listWorkItems, { token });
    const items = Array.isArray(list) ? list : list.items;
    expect(items.length).toBeGreaterThan(12);
    expect(items.every(({ serviceDate }) => serviceDate < today && serviceDate > addDays(today, -20))).toBe(true);
    const candidates = await t.call(workItemCalls.listWorkItemInvoices, { token });
    expect(candidates.map(({ customerDisplayName }) => customerDisplayName)).toHaveLength(12);
    expect(candidates.every(({ invoiceAmount }) => invoiceAmount > 0)).toBe(true);
  });

  test('the demo company has a scheduled retainer today, and scheduled rent and depreciation next month', async () => {
    const [invoices, bills, journals] = [
      await t.call(scheduledCalls.listScheduledInvoices, { token }),
      await t.call(scheduledCalls.listScheduledBills, { token }),
      await t.call(scheduledCalls.listScheduledJournals, { token }),
    ];
    const all = [...invoices, ...bills, ...journals];
    expect([invoices.length, bills.length, journals.length]).toEqual([2, 1, 1]);
    expect(bills[0]).toMatchObject({ name: 'Millrace Properties', amount: 135_000 });
    expect(all.map(({ made, nextDate }) => [made, nextDate])).toEqual([
      [0, '2026-12-01'],
      [1, '2026-12-21'],
      [0, '2026-12-01'],
      [0, '2026-12-31'],
    ]);
  });

  test('the demo company has credit memos, proposed finance charges, and one created finance charge', async () => {
    const query = { status: 'all' };
    const credits = await t.call(creditCalls.listCredits, { token, query });
    const rows = Array.isArray(credits) ? credits : credits.items;
    expect(rows.map(({ badge, invoiceAmount }) => [badge, invoiceAmount < 0])).toEqual([
      ['Credit', true],
      ['Credit', true],
    ]);
    const { isSet, charges } = await t.call(chargeCalls.listFinanceCharges, { token, query: { date: today } });
    expect([isSet, charges.length > 0]).toEqual([true, true]);
    const list = await t.call(billingCalls.listInvoices, { token, query });
    const last = (Array.isArray(list) ? list : list.items).toSorted((a, b) => b.id - a.id)[0];
    const made = await t.call(billingCalls.getInvoice, { token, params: { id: last?.id ?? 0 } });
    expect(made.lineItems[0]?.description).toMatch(/^Finance charge: invoice \d+, .* at 12 %$/);
  });

  test('the demo company has accepted, pending, expired, and declined estimates', async () => {
    const list = await t.call(estimateCalls.listEstimates, { token, query: { status: 'all', sort: 'invoiceNumber' } });
    const rows = Array.isArray(list) ? list : list.items;
    expect(rows.map(({ invoiceNumber }) => invoiceNumber)).toEqual(['E-101', 'E-102', 'E-103', 'E-104', 'E-105']);
    expect(rows.filter(({ badge }) => badge === 'Accepted')).toHaveLength(1);
  });

  test("most of the demo company's work has been paid for, and its bank balance matches the story", async () => {
    const list = await t.call(billingCalls.listInvoices, { token, query: { status: 'all' } });
    const rows = Array.isArray(list) ? list : list.items;
    // The badges depend on the actual current date, not on the date in the story.
    const live = rows.filter((row) => row.arBillingStatus === 2 || row.arBillingStatus === 3);
    const unpaid = live.filter((row) => row.openAmount > 0);
    const overdue = unpaid.filter((row) => (row.dueDate ?? row.invoiceDate) < today);
    expect(unpaid.length).toBeGreaterThan(10);
    expect(unpaid.length).toBeLessThan(90);
    expect(overdue.length).toBeGreaterThan(5);
    expect(overdue.length).toBeLessThan(unpaid.length);
    const [bank] = await t.call(bankingCalls.listBankingAccounts, { token });
    const story = tellStory(today).map(bankEffect);
    expect((await balances(t, demo.companyId, 'cash')).get(CHECKING)).toBe(sum(story));
    expect(bank?.glAccountID).toBe(CHECKING);
  });

  test('the demo company owes nine vendors for some of its 310 bills, and has a credit and a prepayment', async () => {
    expect(await t.call(entityCalls.listVendors, { token })).toHaveLength(9);
    const all = await t.call(expenseCalls.listExpenses, { token, query: { status: 'all' } });
    const bills = Array.isArray(all) ? all : all.items;
    expect(bills).toHaveLength(tellStory(today).filter((event) => event.kind === 'bill').length);
    const open = bills.filter((bill) => bill.openAmount > 0);
    const overdue = open.filter((bill) => (bill.dueDate ?? bill.invoiceDate) < today);
    expect([open.length > 5 && open.length < 40, overdue.length > 1 && overdue.length < 8]).toEqual([true, true]);
    expect(bills.filter((bill) => bill.openAmount < 0)).toHaveLength(1);
    expect(bills.filter((bill) => !bill.postToVendorAccount).length).toBeGreaterThan(1);
    const rows = await t.inCompany(demo.companyId, (tx) =>
      tx.rows(sql`select unapplied_cents as "left" from payment
        where company_id = ${demo.companyId} and side = 'payable' and unapplied_cents > 0`),
    );
    expect(rows).toEqual([{ left: fromDollars(250) }]);
    // Goods and wages are the largest costs, as usual for a landscaper, and the year shows a profit.
    const year = await t.inCompany(demo.companyId, (tx) =>
      tx.rows(amountsBetween({ basis: 'accrual', from: addMonths(today, -12), to: today })),
    );
    const of = (...ids: number[]) =>
      sum(year.filter(({ accountId }) => ids.includes(accountId)).map((each) => each.amount));
    const income = -of(SALES, SERVICE_INCOME);
    const margin = (income - of(MATERIALS)) / income;
    expect([margin > 0.5 && margin < 0.9, of(MATERIALS) > fromDollars(10_000)]).toEqual([true, true]);
  });

  test('a new password does not change the books, and the old password stops working', async () => {
    const before = await balances(t, demo.companyId, 'cash');
    const renewed = await resetDemo(t.services);
    expect(renewed).toMatchObject({ companyId: demo.companyId, email: DEMO_EMAIL });
    expect(renewed.password).not.toBe(demo.password);
    await expect(t.login(DEMO_EMAIL, demo.password)).rejects.toThrow('401');
    expect((await t.login(DEMO_EMAIL, renewed.password)).token).toBeTruthy();
    expect(await balances(t, demo.companyId, 'cash')).toEqual(before);
  });

  /** Runs a command line on an installation. Returns its output and exit code. */
  async function commandLine({ databaseUrl }: TestApp, ...words: string[]) {
    const printed: { out: string[]; err: string[] } = { out: [], err: [] };
    const code = await runLine([demoCommand], words, {
      environment: { DATABASE_URL: databaseUrl },
      out: (line) => void printed.out.push(line),
      err: (line) => void printed.err.push(line),
    });
    return { ...printed, code };
  }

  test('running the demo command again reports that the company exists and how to get a new password', async () => {
    const { out, err, code } = await commandLine(t, 'demo');
    expect({ out, code }).toEqual({ out: [], code: 1 });
    expect(err.join('\n')).toContain(`already exists (company ${demo.companyId}, ${DEMO_EMAIL})`);
    expect(err.join('\n')).toContain('demo --reset');
  });

  test('the demo command with --reset prints only the company, email, and new password', async () => {
    const { out, code } = await commandLine(t, 'demo', '--reset');
    const login: unknown = JSON.parse(out[0] ?? '');
    expect({ code, lines: out.length }).toEqual({ code: 0, lines: 1 });
    expect(login).toEqual({ companyId: demo.companyId, email: DEMO_EMAIL, password: expect.any(String) });
    const { password } = login as DemoLogin;
    expect((await t.login(DEMO_EMAIL, password)).token).toBeTruthy();
  });

  test('the demo command with --reset creates a missing demo company', async () => {
    const other = await startTestApp();
    try {
      const { out, err, code } = await commandLine(other, 'demo', '--reset');
      expect({ err, code }).toEqual({ err: ['Creating two years of books…'], code: 0 });
      const { companyId, email, password } = JSON.parse(out[0] ?? '') as DemoLogin;
      const { token } = await other.login(email, password);
      expect(token).toBeTruthy();
      expect((await findDemo(other.services))?.companyId).toBe(companyId);
    } finally {
      await other.close();
    }
  });

  test('the demo company is written in bulk, and its tables have statistics', async () => {
    expect(written.statements).toBeLessThan(5000);
    const { rows } = await t.pool.query<{ rows: number }>(
      "select reltuples::int as rows from pg_class where relname = 'journal_line'",
    );
    const [counted] = await t.inCompany(demo.companyId, (tx) =>
      tx.rows(sql<{ lines: number }>`select count(*) as lines from journal_line where company_id = ${demo.companyId}`),
    );
    expect(rows[0]?.rows).toBeGreaterThanOrEqual(counted?.lines ?? 0);
  });

  test('the demo company is marked as a demo, and its setup is complete', async () => {
    const row = await t.inCompany(demo.companyId, (tx) =>
      tx.row(sql<{ demo: boolean; done: boolean }>`
        select demo, setup_completed as done from company where company_id = ${demo.companyId}`),
    );
    expect(row).toEqual({ demo: true, done: true });
  });

  test('the demo company has the same books in every installation on the same date', async () => {
    const other = await startTestApp();
    try {
      await other.createCompany();
      const { companyId } = await createDemo(other.services, today);
      for (const basis of ['accrual', 'cash'] as const) {
        expect(await balances(other, companyId, basis)).toEqual(await balances(t, demo.companyId, basis));
      }
    } finally {
      await other.close();
    }
  });
});
