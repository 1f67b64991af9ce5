import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { wholeLayout } from '@evenkeel/core/cards';
import { addDays } from '@evenkeel/core/dates';
import { importFile, ofx } from '../../features/banking/testing/statement-files.ts';
import { todayIn } from '../../platform/clock.ts';
import { openPool } from '../../platform/db/connect.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

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

const answer = (version?: string, token = company.administrator.token) =>
  t.call(dashboardCalls.getDashboard, { token, query: version === undefined ? {} : { version } });
const ask = async (token = company.administrator.token) => {
  const { dashboard } = await answer(undefined, token);
  if (dashboard === null) throw new Error('no dashboard');
  return dashboard;
};
const dueOn = (days: number, amount: number, more: { arBillingStatus?: number } = {}) => {
  const invoiceDate = addDays(today, Math.min(days, 0) - 1);
  return factory.invoice({ customerId, amount, invoiceDate, dueDate: addDays(today, days), ...more });
};

test('a company without invoices has nine cards with zeros and no percentages or ratios', async () => {
  const { cards, layout } = await ask();
  expect(layout).toEqual(wholeLayout([]));
  expect(cards.incomingMoney).toMatchObject({ totalAmount: 0, averageDaysOutstanding: 0 });
  expect(cards.outgoingMoney).toMatchObject({ totalAmount: 0, averageDaysOutstanding: 0 });
  expect(cards.revenue).toMatchObject({ revenueAmount: 0, target: null, periodType: 0 });
  expect(cards.revenue?.months.map(({ amount }) => amount)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(cards.cashPositions).toMatchObject({ items: [{ label: 'Checking', amount: 0 }], total: 0 });
  expect(cards.expenseBreakdown).toMatchObject({ categories: [], total: 0 });
  expect(cards.profitMargin?.profitMarginPercent).toBeNull();
  expect(cards.currentRatio).toMatchObject({ currentRatio: null, quickRatio: null });
  expect(cards.returnOnAssets?.roaPercent).toBeNull();
});

test('with View Banking, the cash card shows 75.50 at the bank, 0.00 in the books, and 2 for review', async () => {
  const bank = await t.createCompany();
  const says = [
    { date: addDays(today, -1), amount: 8000, text: 'ACME' },
    { date: today, amount: -450, text: 'BLUE CUP' },
  ];
  const bankAccountId = await checkingOf(t, bank.companyId);
  await importFile(t, bank.bookkeeper.token, { bankAccountId, bytes: ofx(says, { closing: 7550 }) });
  const seen = (await ask(bank.administrator.token)).cards.cashPositions;
  expect(seen?.items).toMatchObject([{ label: 'Checking', amount: 0, bankBalance: 7550, bankDate: today }]);
  expect(seen?.reviewCount).toBe(2);
  await t.inCompany(bank.companyId, (tx) =>
    tx.rows(sql`insert into role (company_id, role_name, permissions)
      values (${bank.companyId}, 'Reader of reports', '{View Dashboard,View Reports}')`),
  );
  const { token } = await t.signIn(bank, 'Reader of reports');
  const hidden = (await ask(token)).cards.cashPositions;
  expect(hidden?.items[0]).not.toHaveProperty('bankBalance');
  expect(hidden).not.toHaveProperty('reviewCount');
});

test("invoices for 40.00 and 60.00 are overdue, a draft is excluded, and the total equals the list's", async () => {
  await dueOn(5, 100);
  await dueOn(-12, 40);
  const late = await dueOn(-31, 60);
  await dueOn(-3, 655, { arBillingStatus: 1 });
  await factory.payment({ customerId, paymentAmount: 10, paymentApplications: [{ invoiceId: late.id, amount: 10 }] });
  const { cards } = await ask();
  expect(cards.incomingMoney).toMatchObject({
    currentAmount: 10_000,
    thirtyAmount: 4000,
    sixtyAmount: 5000,
    ninetyAmount: 0,
    totalAmount: 19_000,
    // The average age is (100 × 1 + 40 × 13 + 50 × 32) / 190 days.
    averageDaysOutstanding: 12,
  });
  expect(cards.cashPositions?.total).toBe(1000);
  const list = await t.call(billingCalls.listInvoices, { token: company.administrator.token });
  const rows = Array.isArray(list) ? list : list.items;
  expect(rows.filter(({ badge }) => badge !== 'Draft').reduce((sum, row) => sum + row.openAmount, 0)).toBe(19_000);
});

async function tokenWith(...permissions: string[]): Promise<string> {
  const roleName = `Role ${permissions.join(' ')}`;
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`insert into role (company_id, role_name, permissions)
      values (${company.companyId}, ${roleName}, ${permissions})`),
  );
  return (await t.signIn(company, roleName)).token;
}

test('each card requires permission to view its data, both in the combined response and separately', async () => {
  const whole = Object.keys((await ask(company.reader.token)).cards);
  expect(whole).toHaveLength(9);
  expect(Object.keys((await ask(await tokenWith('View Dashboard'))).cards)).toEqual([]);
  const biller = await tokenWith('View Dashboard', 'Manage Billing');
  expect(Object.keys((await ask(biller)).cards)).toEqual(['incomingMoney']);
  const body = { reportParams: [] };
  expect((await t.call(dashboardCalls.incomingMoney, { token: biller, body })).totalAmount).toBe(19_000);
  expect((await t.refused(dashboardCalls.revenue, { token: biller, body })).status).toBe(403);
  expect((await t.refused(dashboardCalls.getDashboard, { token: company.stranger.token })).status).toBe(403);
});

test('a repeated request gets a response of fewer than 100 bytes until something changes', async () => {
  const { version } = await answer();
  const url = `/api/dashboard?version=${version}`;
  const { body, bytes } = await t.request({ method: 'GET', url, token: company.administrator.token });
  expect(body).toEqual({ version, dashboard: null });
  expect(bytes.length).toBeLessThan(100);
  await dueOn(9, 1);
  const next = await answer(version);
  expect(next.version).not.toBe(version);
  expect(next.dashboard?.cards.incomingMoney?.totalAmount).toBe(19_100);
});

test('the layout (order, closed cards, and choices) belongs to one user, and closed cards are not loaded', async () => {
  const { administrator, bookkeeper } = company;
  const settings = [{ settingName: 'periodType', settingValue: '1' }];
  const body = [
    { key: 'revenue', visible: true, order: 1, settings },
    { key: 'cashPositions', visible: false, order: 2, settings: [] },
    { key: 'weather', visible: true, order: 3, settings: [] },
  ];
  const saved = await t.call(dashboardCalls.saveDashboardCards, { token: administrator.token, body });
  expect(saved).toEqual(wholeLayout(body));
  const { layout, cards } = await ask();
  expect(layout).toEqual(saved);
  expect(await t.call(dashboardCalls.getDashboardCards, { token: administrator.token })).toEqual(saved);
  expect(cards.revenue?.periodType).toBe(1);
  expect(Object.keys(cards)).not.toContain('cashPositions');
  expect((await ask(bookkeeper.token)).layout).toEqual(wholeLayout([]));
  const again = await t.call(dashboardCalls.saveDashboardCards, { token: administrator.token, body: [] });
  expect(again).toEqual(wholeLayout([]));
  expect(await countRows(t, company.companyId, 'dashboard_layout')).toBe(1);
});

test('if two tabs save a layout at the same time, one of the layouts is saved in full', async () => {
  const { token } = company.superuser;
  const closed = ['revenue', 'cashPositions'].map((key) => [{ key, visible: false, order: 1, settings: [] }]);
  await Promise.all(closed.map((body) => t.call(dashboardCalls.saveDashboardCards, { token, body })));
  const { layout } = await ask(token);
  expect(closed.map(wholeLayout)).toContainEqual(layout);
});

test('a target requires Manage permission, applies to its period, is removed if set to 0, and is audited', async () => {
  const { token } = company.bookkeeper;
  const year = [{ periodType: 1, amount: 700_000 }];
  expect((await t.refused(dashboardCalls.saveTargets, { token: company.reader.token, body: year })).status).toBe(403);
  const both = [...year, { periodType: 0, amount: 100.5 }];
  const saved = await t.call(dashboardCalls.saveTargets, { token, body: both });
  expect(saved).toEqual([
    { periodType: 0, amount: 10_050 },
    { periodType: 1, amount: 70_000_000 },
  ]);
  const { revenue } = (await ask()).cards;
  expect(revenue).toMatchObject({
    targetAmounts: saved,
    target: { periodType: 0, amount: 10_050, computed: false },
  });
  expect(await t.call(dashboardCalls.saveTargets, { token, body: [{ periodType: 0, amount: 0 }] })).toHaveLength(1);
  expect(await t.call(dashboardCalls.listTargets, { token })).toEqual([{ periodType: 1, amount: 70_000_000 }]);
  const log = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ action: string }>`select action from audit_log
      where company_id = ${company.companyId} and subject_type = 'revenuetarget' order by id`),
  );
  expect(log.map(({ action }) => action)).toEqual(['create', 'create', 'delete']);
});

test('an invalid target rejects the whole request', async () => {
  const { token } = company.administrator;
  const body = [
    { periodType: 4, amount: 5 },
    { periodType: 2, amount: 5 },
    { periodType: 1, amount: -1 },
  ];
  const refusal = await t.refused(dashboardCalls.saveTargets, { token, body });
  expect([refusal.status, Object.keys(refusal.fields ?? {})]).toEqual([422, ['1.periodType', '2.amount']]);
  expect(await t.call(dashboardCalls.listTargets, { token })).toEqual([{ periodType: 1, amount: 70_000_000 }]);
});

test('a card shows the amounts between its start and end dates, or those of this month by default', async () => {
  const { administrator } = await t.createCompany();
  const { token } = administrator;
  const line = { description: 'Sale', postingDate: '2024-02-29', amount: 75 };
  const generalLedgerEntries = [
    { ...line, accountID: 101, debit: true },
    { ...line, accountID: 140, debit: false },
  ];
  await t.call(ledgerCalls.postTransaction, { token, body: { generalLedgerEntries } });
  const save = (dates: Record<string, string>) => {
    const chosen = Object.entries({ periodType: '8', ...dates });
    const settings = chosen.map(([settingName, settingValue]) => ({ settingName, settingValue }));
    return t.call(dashboardCalls.saveDashboardCards, {
      token,
      body: [{ key: 'revenue', visible: true, order: 1, settings }],
    });
  };
  await save({ startDate: '2024-02-29', endDate: '2024-03-01' });
  const { revenue } = (await ask(token)).cards;
  expect(revenue).toMatchObject({ revenueAmount: 7500, periodType: 8, from: '2024-02-29', to: '2024-03-01' });
  for (const wrong of [
    { startDate: '2024-03-02', endDate: '2024-03-01' },
    { startDate: '2024-02-30', endDate: '2024-03-01' },
  ]) {
    const [first] = await save(wrong);
    expect(first?.settings).toEqual([]);
    expect((await ask(token)).cards.revenue?.periodType).toBe(0);
  }
});

test('without a target, revenue is compared with revenue in the same period a year earlier', async () => {
  const { administrator } = await t.createCompany();
  const sell = (postingDate: string, amount: number) => {
    const line = { description: 'Sale', postingDate, amount };
    const generalLedgerEntries = [
      { ...line, accountID: 101, debit: true },
      { ...line, accountID: 140, debit: false },
    ];
    return t.call(ledgerCalls.postTransaction, { token: administrator.token, body: { generalLedgerEntries } });
  };
  await sell('2024-05-31', 300);
  await sell('2025-05-02', 80);
  await sell('2025-05-09', 20);
  const card = async (reportdate: string, periodType: number) => {
    const reportParams = [
      { paramType: 1, paramName: 'reportdate', paramvalue: reportdate },
      { paramType: 3, paramName: 'periodType', paramvalue: periodType },
    ];
    return t.call(dashboardCalls.revenue, { token: administrator.token, body: { reportParams } });
  };
  const may = await card('5/8/2025', 0);
  expect([may.revenueAmount, may.target]).toEqual([8000, { periodType: 0, amount: 30_000, computed: true }]);
  expect(may.months.map(({ amount }) => amount)).toEqual([0, 0, 0, 0, 0, 8000]);
  // The previous year has no revenue, but one of the three previous months does.
  expect((await card('2025-06-20', 0)).target).toEqual({ periodType: 0, amount: 10_000, computed: true });
  expect((await card('2023-06-20', 1)).target).toBeNull();
  // Setting a target does not change the earlier periods.
  const madeOf = async () => {
    const { earlier } = await card('2025-05-08', 0);
    return earlier?.map(({ label, amount, source }) => [label, amount, source.from, source.to]);
  };
  const lastMay = ['5/1/2024 – 5/31/2024', 30_000, '2024-05-01', '2024-05-31'];
  expect(await madeOf()).toEqual([lastMay]);
  const { token } = administrator;
  await t.call(dashboardCalls.saveTargets, { token, body: [{ periodType: 0, amount: 500 }] });
  expect((await card('2025-05-08', 0)).target).toEqual({ periodType: 0, amount: 50_000, computed: false });
  expect(await madeOf()).toEqual([lastMay]);
});

test('with 5,000 open invoices, 40 banks, and 40 categories, the response is correct and at most 10 kB', async () => {
  const { companyId } = company;
  const before = (await ask()).cards.incomingMoney?.totalAmount ?? 0;
  const invoice = await dueOn(5, 1);
  await t.inCompany(companyId, async (tx) => {
    await tx.rows(sql`
      insert into document (company_id, kind, side, document_number, document_date, due_date, entity_id, status,
        control_account_id, sales_tax_cents, total_cents, open_cents, applied_cents, entry_date)
      select d.company_id, d.kind, d.side, (20000 + n)::text, d.document_date, d.due_date - n % 400, d.entity_id,
        d.status, d.control_account_id, 0, 100, 100, 0, d.entry_date
      from document d join generate_series(1, 5000) n on true
      where d.company_id = ${companyId} and d.id = ${invoice.id} returning id`);
    await tx.rows(sql`
      insert into account_category (company_id, category_name)
      select company_id, 'A category with a long name ' || n from company join generate_series(1, 40) n on true
      where company_id = ${companyId}`);
    await tx.rows(sql`
      insert into account (company_id, id, master_account_id, account_number, account_name, account_type, root, contra,
        system, category_id)
      select a.company_id, 2000 + a.id * 100 + n, a.id, '9', 'An account with a long name ' || n, a.account_type,
        a.root, false, false, c.id
      from account a join generate_series(1, 40) n on true
      join account_category c on c.company_id = a.company_id and c.category_name like '% long name ' || n
      where a.company_id = ${companyId} and a.id in (101, 167)`);
    await tx.rows(sql`
      insert into banking_account (company_id, name, gl_account_id, account_number, routing_number)
      select company_id, account_name, id, '', '' from account
      where company_id = ${companyId} and id between 12000 and 13000 and account_type = 'Bank'`);
  });
  const line = { description: 'Rent', postingDate: today, amount: 7 };
  const rents = Array.from({ length: 40 }, (_, n) => [
    { ...line, accountID: 18_701 + n, debit: true },
    { ...line, accountID: 12_101 + n, debit: false },
  ]);
  const { token } = company.administrator;
  await t.call(ledgerCalls.postTransaction, { token, body: { generalLedgerEntries: rents.flat() } });
  const { bytes } = await t.request({ method: 'GET', url: '/api/dashboard', token });
  console.log(`the start page's data: ${bytes.length} bytes`);
  expect(bytes.length).toBeLessThan(10_000);
  const { incomingMoney, expenseBreakdown, cashPositions } = (await ask()).cards;
  const { thirtyAmount = 0, sixtyAmount = 0, ninetyAmount = 0 } = incomingMoney ?? {};
  expect(thirtyAmount + sixtyAmount + ninetyAmount).toBeGreaterThan(480_000);
  expect(before).toBeGreaterThan(0);
  expect(expenseBreakdown?.categories.at(-1)).toEqual({ categoryName: 'All other', total: 34 * 700 });
  expect(expenseBreakdown?.total).toBe(40 * 700);
  expect(cashPositions?.items).toHaveLength(7);
  const whole = await t.call(dashboardCalls.expenseBreakdown, { token, body: { reportParams: [] } });
  expect(whole.categories).toHaveLength(40);
});

test('a card that fails reports its own error, and the other cards keep their amounts', async () => {
  const { companyId, administrator } = await t.createCompany();
  const { token } = administrator;
  const read = async () => (await t.call(dashboardCalls.getDashboard, { token })).dashboard;
  const before = await read();
  const owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 1 });
  // A total that exceeds a bigint fails the whole transaction. A total that exceeds a JavaScript number fails only its
  // own card.
  const broken: [string, string, string][] = [
    ['receivable', '9000000000000000000', '40 days'],
    ['receivable', '9000000000000000000', '41 days'],
    ['payable', '9100000000000000', '40 days'],
  ];
  for (const [side, amount, ago] of broken) {
    await owner.query(
      `insert into document_open_sum (company_id, side, kind, is_draft, document_date, due_date, document_count,
         total_cents, open_cents, positive_cents)
       values ($1, $2, 'invoice', false, $3::date - $5::interval, $3::date - $5::interval, 1, 0, $4, 0)`,
      [companyId, side, today, amount, ago],
    );
  }
  const found = await read();
  const { incomingMoney, outgoingMoney, ...rest } = before?.cards ?? {};
  expect([incomingMoney?.totalAmount, outgoingMoney?.totalAmount]).toEqual([0, 0]);
  expect(found?.cards).toEqual(rest);
  const why = { code: 'internal', message: 'Something went wrong on the server. Try again.' };
  expect(found?.failed).toEqual([
    { key: 'incomingMoney', ...why },
    { key: 'outgoingMoney', ...why },
  ]);
  for (const alone of [dashboardCalls.incomingMoney, dashboardCalls.outgoingMoney]) {
    expect(await t.refused(alone, { token, body: { reportParams: [] } })).toMatchObject({ status: 500, ...why });
  }
  const { version } = await answer(undefined, token);
  expect(await answer(version, token)).toEqual({ version, dashboard: null });
  await owner.query('delete from document_open_sum where company_id = $1', [companyId]);
  await owner.end();
  expect((await answer(version, token)).dashboard).toEqual(before);
  expect(before?.failed).toEqual([]);
});
