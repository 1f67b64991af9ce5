import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Cards } from '@evenkeel/contract/dashboard';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls, type ReportData } from '@evenkeel/contract/reports';
import { type CardKey, cardKeys, cardRange } from '@evenkeel/core/cards';
import { addDays, type DateRange, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { type Cents, cents, fromPlain, sum } from '@evenkeel/core/money';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

const RUNS = Number(process.env['TORTURE_RUNS'] ?? 2);
const FIRST = isoDate('2024-11-03');
const DAYS = 600;
const MONEY = [101, 102, 104, 122];

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const event = fc.record({
  kind: fc.constantFrom('invoice', 'payment', 'bill', 'bill', 'bill payment', 'journal', 'journal', 'journal'),
  day: fc.integer({ min: 0, max: DAYS }),
  dollars: fc.integer({ min: 1, max: 900 }),
  from: fc.constantFrom(...MONEY, 138, 146, 150, 151, 167, 179),
  to: fc.constantFrom(...MONEY, 106, 119, 123, 133, 140, 143, 176),
  basis: fc.constantFrom(0, 1, 2),
});
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

async function makeBooks(company: WorldCompany, events: readonly Event[]): Promise<void> {
  const factory = factoryFor(t, company);
  const customerId = await factory.customer();
  const vendorIds = [await factory.vendor('North'), await factory.vendor('South')];
  for (const { kind, day, dollars, from, to, basis } of events) {
    const date = addDays(FIRST, day);
    const dueDate = addDays(date, dollars % 50);
    if (kind === 'invoice') await factory.invoice({ customerId, amount: dollars, invoiceDate: date, dueDate });
    if (kind === 'payment') await factory.payment({ customerId, paymentAmount: dollars, paymentDate: date });
    const vendorId = vendorIds[dollars % 2] ?? 0;
    if (kind === 'bill') {
      // Every third bill is a credit, and every fourth has a posting date that differs from its invoice date.
      const [amount, later] = [dollars % 3 === 0 ? -dollars : dollars, dollars % 4 === 0 ? 12 : 0];
      await factory.bill({ vendorId, amount, invoiceDate: date, dueDate, postingDate: addDays(date, later) });
    }
    if (kind === 'bill payment') await factory.billPayment({ vendorId, paymentAmount: dollars, paymentDate: date });
    if (kind !== 'journal' || from === to) continue;
    const line = { description: 'Random', postingDate: date, amount: dollars };
    const isMoney = MONEY.includes(from) || MONEY.includes(to) || from === 138;
    await t.call(ledgerCalls.postTransaction, {
      token: company.administrator.token,
      body: {
        basis: isMoney ? 0 : basis,
        generalLedgerEntries: [
          { ...line, accountID: from, debit: true },
          { ...line, accountID: to, debit: false },
        ],
      },
    });
  }
}

const dates = ({ from, to }: DateRange) => [
  { paramType: 1, paramName: 'startdate', paramvalue: from },
  { paramType: 1, paramName: 'reportdate', paramvalue: to },
];
const coded = (values: Record<string, number>) =>
  Object.entries(values).map(([paramName, paramvalue]) => ({ paramType: 3, paramName, paramvalue }));

interface Asked {
  company: WorldCompany;
  basis: 0 | 1;
}

async function report({ company, basis }: Asked, reportId: string, range: DateRange): Promise<ReportData> {
  const body = { reportParams: [...dates(range), ...coded({ basis })] };
  return t.call(reportCalls.runReport, { token: company.administrator.token, params: { reportId }, body });
}

/** Returns a section's total, or 0 if the report does not have the section. */
const total = ({ reportSections }: ReportData, ...titles: string[]): Cents =>
  sum(reportSections.filter(({ title }) => titles.includes(title)).map((section) => section.total));
/**
 * Includes the section's name if blocks in two sections have the same name. For example, "Other Expenses" can be part
 * of the expenses or a separate section.
 */
const block = ({ reportSections }: ReportData, name: string, section?: string): Cents =>
  sum(
    reportSections
      .filter(({ title }) => section === undefined || title === section)
      .flatMap((one) => one.reportBlocks.filter((each) => each.blockTitle === name))
      .map((one) => one.total),
  );

async function card<K extends CardKey>(
  { company, basis }: Asked,
  key: K,
  { date, startdate, ...codes }: { date: IsoDate; startdate?: IsoDate; periodType?: number; pltype?: number },
): Promise<NonNullable<Cards[K]>> {
  const at = { paramType: 1, paramName: 'reportdate', paramvalue: date };
  const from = startdate === undefined ? [] : [{ paramType: 1, paramName: 'startdate', paramvalue: startdate }];
  const body = { reportParams: [at, ...from, ...coded({ basis, ...codes })] };
  return (await t.call(dashboardCalls[key], { token: company.administrator.token, body })) as NonNullable<Cards[K]>;
}

/** Returns debits minus credits for the lines in an amount, read one by one. */
async function behind({ company }: Asked, source: NonNullable<Cards[CardKey]>['source']): Promise<Cents> {
  if (source === undefined) throw new Error('an amount has no entries');
  const { accountIds, from, to, basis } = source;
  const { companyId } = company;
  const row = await t.inCompany(companyId, (tx) =>
    tx.row(sql<{ amount: Cents }>`
      select coalesce(sum(amount_cents), 0)::bigint as amount from journal_line
      where company_id = ${companyId} and account_id = any(${accountIds}) and posting_date <= ${to}
        and posting_date >= ${from ?? FIRST} and basis <> ${basis === 1 ? 'A' : 'C'}`),
  );
  return row?.amount ?? cents(Number.NaN);
}

/** Checks that each sum in a card's amounts equals the total of its entries. */
async function compareParts(asked: Asked, card: NonNullable<Cards[CardKey]>, names: readonly string[]): Promise<void> {
  expect(card.parts?.map(({ name }) => name)).toEqual(names);
  for (const { name, amount, credit, source } of card.parts ?? []) {
    const debit = await behind(asked, source);
    expect([name, (credit ? -debit : debit) + 0]).toEqual([name, amount]);
  }
}

type Period = { periodType: number } | { startdate: IsoDate };

async function comparePeriod(asked: Asked, date: IsoDate, period: Period, range: DateRange): Promise<void> {
  const statement = await report(asked, '1', range);
  const income = total(statement, 'Income');
  const net = statement.reportSummaries[0]?.amount;
  const of = { date, ...period };

  const revenue = await card(asked, 'revenue', of);
  expect([revenue.from, revenue.to, revenue.revenueAmount]).toEqual([range.from, range.to, income]);
  expect(-(await behind(asked, revenue.source)) + 0).toBe(income);
  await compareParts(asked, revenue, ['revenue']);
  const earlier = revenue.earlier ?? [];
  await compareParts(
    asked,
    { ...revenue, parts: earlier },
    earlier.map(({ name }) => name),
  );
  for (const { amount, source } of earlier) {
    const of = await report(asked, '1', { from: source.from ?? FIRST, to: source.to ?? date });
    expect(amount).toBe(total(of, 'Income'));
  }
  if (revenue.target?.computed === true) {
    expect(Math.abs(sum(earlier.map(({ amount }) => amount)) / earlier.length - revenue.target.amount)).toBeLessThan(1);
  }
  const own = revenue.months.filter(({ month }) => month >= range.from.slice(0, 7));
  expect(sum(own.map(({ amount }) => amount))).toBe(income);

  const { categories, ...spent } = await card(asked, 'expenseBreakdown', of);
  expect(spent.total).toBe(total(statement, 'Cost of Goods Sold', 'Expenses'));
  expect(sum(categories.map((one) => one.total))).toBe(spent.total);
  await compareParts(asked, { categories, ...spent }, ['total']);
  for (const one of categories) {
    expect(await behind(asked, one.source)).toBe(one.total);
    if (one.categoryName !== 'Cost of Goods Sold') {
      expect(block(statement, one.categoryName, 'Expenses')).toBe(one.total);
    }
  }

  const both = await card(asked, 'revenueVsExpense', of);
  expect(both.netProfitLoss).toBe(net);
  expect(both.revenue).toBe(total(statement, 'Income', 'Other Income'));
  expect(both.totalExpense).toBe(total(statement, 'Cost of Goods Sold', 'Expenses', 'Other Expenses'));
  expect(both.revenue - both.totalExpense).toBe(net);
  expect(-(await behind(asked, both.source)) + 0).toBe(net);
  await compareParts(asked, both, ['revenue', 'otherIncome', 'expense', 'net']);

  const margins = [
    await card(asked, 'profitMargin', { ...of, pltype: 0 }),
    await card(asked, 'profitMargin', { ...of, pltype: 1 }),
  ];
  expect(margins.map((one) => one.netProfitLoss)).toEqual([total(statement, 'Gross Profit'), net]);
  for (const margin of margins) {
    expect(-(await behind(asked, margin.source)) + 0).toBe(margin.netProfitLoss);
    await compareParts(asked, margin, ['profit', 'income']);
    const percent =
      income > 0 ? Math.abs((margin.netProfitLoss / income) * 100 - (margin.profitMarginPercent ?? 0)) : 0;
    expect(percent).toBeLessThan(0.006);
  }

  const roa = await card(asked, 'returnOnAssets', of);
  const assets = await Promise.all(
    [addDays(range.from, -1), range.to].map(async (to) =>
      total(await report(asked, '0', { from: to, to }), 'Total Assets'),
    ),
  );
  expect(roa.netIncome).toBe(net);
  expect([roa.openingAssets, roa.closingAssets]).toEqual(assets);
  await compareParts(asked, roa, ['net', 'opening', 'closing']);
  expect(Math.abs(roa.averageAssets - sum(assets) / 2)).toBeLessThanOrEqual(0.5);
}

async function compareDay(asked: Asked, date: IsoDate): Promise<void> {
  const sheet = await report(asked, '0', { from: date, to: date });
  const cash = await card(asked, 'cashPositions', { date });
  expect(cash.total).toBe(block(sheet, 'Bank and Cash'));
  expect(sum(cash.items.map(({ amount }) => amount))).toBe(cash.total);
  expect(cash.cardsOwed.total).toBe(block(sheet, 'Credit Cards'));
  for (const item of cash.items) expect(await behind(asked, item.source)).toBe(item.amount);

  const ratio = await card(asked, 'currentRatio', { date });
  expect(ratio.currentAssets).toBe(total(sheet, 'Current Assets'));
  expect(ratio.currentLiabilities).toBe(total(sheet, 'Current Liabilities'));
  await compareParts(asked, ratio, ['assets', 'quick', 'liabilities']);
  await compareParts(asked, cash, ['total', 'owed']);

  for (const [key, { aging, others, title, sign }] of Object.entries(SIDES)) {
    const day = { from: date, to: date };
    const [table] = (await report(asked, aging, day)).reportSections;
    const columns = table?.columnSummaryLines[0]?.columnSummaryItems.slice(1) ?? [];
    const money = await card(asked, key === 'incomingMoney' ? key : 'outgoingMoney', { date });
    const { currentAmount, thirtyAmount, sixtyAmount, ninetyAmount, totalAmount } = money;
    const buckets = [currentAmount, thirtyAmount, sixtyAmount, ninetyAmount, totalAmount];
    expect([key, columns.map(({ headerText }) => fromPlain(headerText))]).toEqual([key, buckets]);
    for (const id of others) {
      expect([id, (await report(asked, id, day)).reportSections[0]?.total]).toEqual([id, totalAmount]);
    }
    expect(sign * (await behind(asked, money.source)) + 0).toBe(totalAmount);
    if (asked.basis === 0) expect(block(sheet, title)).toBe(totalAmount);
  }
}

/** Checks that the cards with open balances, the aging reports with their columns, and the lists agree. */
const SIDES = {
  incomingMoney: { aging: '7', others: ['104'], title: 'Accounts Receivable', sign: 1 },
  outgoingMoney: { aging: '108', others: ['17', '110'], title: 'Accounts Payable', sign: -1 },
};

// Promise (books): Every dashboard card and its entries equal the report to the cent, on both bases and in every
// period. [2 random books]
it('every card and its entries equal the report to the cent, on both bases and in every period', async () => {
  const property = fc.asyncProperty(
    fc.array(event, { minLength: 14, maxLength: 22 }),
    fc.array(fc.integer({ min: 30, max: DAYS }), { minLength: 2, maxLength: 2 }),
    async (events, days) => {
      const company = await t.createCompany();
      await t.inCompany(company.companyId, (tx) =>
        tx.rows(sql`update setting set setting_value = '4'
          where company_id = ${company.companyId} and setting_name = 'fyStartMonth'`),
      );
      await makeBooks(company, events);
      for (const basis of [0, 1] as const) {
        const asked = { company, basis };
        for (const [at, day] of days.entries()) {
          const date = addDays(FIRST, day);
          await compareDay(asked, date);
          for (const period of [0, 1, 2, 3, 4, 5, 6, 7].filter((each) => each % 2 === at)) {
            await comparePeriod(asked, date, { periodType: period }, cardRange(period, date, 4));
          }
          const from = addDays(FIRST, Math.floor(day / 3));
          if (at === 1) await comparePeriod(asked, date, { startdate: from }, { from, to: date });
        }
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});

it('the combined dashboard has the same amounts as the nine separate calls', async () => {
  const { company } = t.world;
  const { token } = company.administrator;
  const { dashboard } = await t.call(dashboardCalls.getDashboard, { token, query: {} });
  for (const key of cardKeys) {
    const { source, parts: _, ...own } = await t.call(dashboardCalls[key], { token, body: { reportParams: [] } });
    expect([key, source]).toEqual([key, expect.anything()]);
    expect(dashboard?.cards[key]).toMatchObject(withoutSources(own));
  }
});

function withoutSources(value: unknown): object {
  return JSON.parse(
    JSON.stringify(value, (key, one: unknown) => (key === 'source' || key === 'earlier' ? undefined : one)),
  ) as object;
}
