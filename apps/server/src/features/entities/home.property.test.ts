import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import type { ActivityRow, EntityStanding } from '@evenkeel/contract/subledger';
import { addDays, type IsoDate, LAST_DAY, parseDate } from '@evenkeel/core/dates';
import { type Cents, cents, fromPlain, sum } from '@evenkeel/core/money';
import { PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { todayIn } from '../../platform/clock.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

const RUNS = Number(process.env['TORTURE_RUNS'] ?? 3);

let t: TestApp;
let today: IsoDate;
beforeAll(async () => {
  t = await startTestApp();
  today = todayIn('America/New_York');
});
afterAll(() => t.close());

const event = fc.record({
  kind: fc.constantFrom('document', 'document', 'document', 'draft', 'payment', 'payment', 'journal', 'deletion'),
  of: fc.constantFrom('customer', 'vendor'),
  who: fc.integer({ min: 0, max: 1 }),
  /** Documents can have a future date, but payments can't. */
  daysAgo: fc.integer({ min: -20, max: 120 }),
  terms: fc.integer({ min: 0, max: 45 }),
  dollars: fc.integer({ min: 1, max: 400 }),
});
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

/** A bill that is already past its due date, although its posting date is three days from now. */
const LATE_BEFORE_POSTED: Event[] = [{ kind: 'document', of: 'vendor', who: 1, daysAgo: 6, terms: 3, dollars: 172 }];

interface Book {
  side: Side;
  ids: readonly number[];
}

async function makeBooks(company: WorldCompany, events: readonly Event[]): Promise<Book[]> {
  const make = factoryFor(t, company);
  const { token } = company.administrator;
  const customers = [await make.customer('North'), await make.customer('South')];
  const vendors = [await make.vendor('East'), await make.vendor('West')];
  const payments: { of: Event['of']; id: number }[] = [];
  for (const { kind, of, who, daysAgo, terms, dollars } of events) {
    const [customerId = 0, vendorId = 0] = [customers[who], vendors[who]];
    const isOurs = of === 'customer';
    const invoiceDate = addDays(today, -daysAgo);
    const dated = { invoiceDate, dueDate: addDays(invoiceDate, terms), amount: dollars };
    // Every third bill is a credit, and every fourth bill has a posting date that differs from its invoice date.
    const bill = {
      amount: dollars % 3 === 0 ? -dollars : dollars,
      postingDate: addDays(invoiceDate, dollars % 4 === 0 ? 9 : 0),
    };
    const paid = { paymentAmount: dollars, paymentDate: addDays(today, -Math.abs(daysAgo)) };
    if (kind === 'document' && isOurs) await make.invoice({ ...dated, customerId });
    if (kind === 'document' && !isOurs) await make.bill({ ...dated, ...bill, vendorId });
    if (kind === 'draft') await make.invoice({ ...dated, customerId, arBillingStatus: 1 });
    if (kind === 'payment') {
      const { id } = isOurs
        ? await make.payment({ ...paid, customerId })
        : await make.billPayment({ ...paid, vendorId });
      payments.push({ of, id });
    }
    if (kind === 'journal') {
      const line = { description: 'Opening', postingDate: invoiceDate, amount: dollars };
      const [accountID, entityID] = isOurs ? [138, customerId] : [139, vendorId];
      const generalLedgerEntries = [
        { ...line, accountID: dollars % 2 === 0 ? accountID : 155, debit: dollars % 5 !== 0 },
        { ...line, accountID: 140, debit: dollars % 5 === 0 },
      ];
      await t.call(ledgerCalls.postTransaction, { token, body: { entityID, generalLedgerEntries } });
    }
    const gone = kind === 'deletion' ? payments.pop() : undefined;
    if (gone === undefined) continue;
    const remove = gone.of === 'customer' ? billingCalls.deletePayment : expenseCalls.deleteExpensePayment;
    await t.call(remove, { token, params: { id: gone.id } });
  }
  return [
    { side: RECEIVABLE, ids: customers },
    { side: PAYABLE, ids: vendors },
  ];
}

interface Home extends EntityStanding {
  id: number;
  rows: readonly ActivityRow[];
}

async function homeOf(token: string, side: Side, id: number): Promise<Home> {
  const ours = side === RECEIVABLE;
  const params = { customerId: id, vendorId: id };
  const rows: ActivityRow[] = [];
  let after: string | null = '';
  while (after !== null) {
    const query: Record<string, string> = { limit: '4', ...(after === '' ? {} : { after }) };
    const ask = { token, params, query };
    const page: Awaited<ReturnType<typeof t.call<typeof billingCalls.customerActivity>>> = await t.call(
      ours ? billingCalls.customerActivity : expenseCalls.vendorActivity,
      ask,
    );
    if (Array.isArray(page)) throw new Error('no page');
    rows.push(...page.items);
    after = page.next;
    expect(page.total).toBeGreaterThanOrEqual(rows.length);
  }
  const standing = await t.call(ours ? billingCalls.customerStanding : expenseCalls.vendorStanding, { token, params });
  return { ...standing, id, rows };
}

/**
 * Checks that each row's balance is the previous row's balance plus the row's amount, and that the balance starts at
 * zero and ends at the total.
 */
function compareRows({ rows, balance }: Home): void {
  let owed = 0;
  for (const row of rows.toReversed().filter((one) => one.balance !== null)) {
    owed += row.amount;
    expect([row.kind, row.number, row.balance]).toEqual([row.kind, row.number, owed]);
  }
  expect(owed).toBe(balance);
  expect(rows.map(({ date }) => date)).toEqual(
    rows
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  );
}

async function compareLists(token: string, side: Side, home: Home): Promise<void> {
  const call = side === RECEIVABLE ? entityCalls.listCustomers : entityCalls.listVendors;
  const list = await t.call(call, { token, query: {} });
  const listed = Array.isArray(list) ? list : list.items;
  expect(listed.find(({ id }) => id === home.id)?.currentbalance).toBe(home.balance);
  const { openAmount, creditAmount, balance, rows } = home;
  expect(openAmount - creditAmount).toBe(balance);
  const open = rows.filter((row) => row.openAmount > 0);
  expect([sum(open.map((row) => row.openAmount)), open.length]).toEqual([openAmount, home.openCount]);
  const late = open.filter(({ daysOverdue }) => daysOverdue > 0);
  expect([sum(late.map((row) => row.openAmount)), late.length]).toEqual([home.overdueAmount, home.overdueCount]);
  expect(Math.max(0, ...late.map(({ daysOverdue }) => daysOverdue))).toBe(home.daysOverdue);
}

/**
 * Checks the final balance and today's overdue amount. The aging report for a date includes only documents that were
 * posted on or before that date.
 */
async function compareAging(token: string, { name }: Side, home: Home): Promise<void> {
  const { items } = await t.call(ledgerCalls.owing, { token, body: { side: name, date: LAST_DAY } });
  expect(items.find(({ entityId }) => entityId === home.id)?.openAmount ?? 0).toBe(home.balance);
  const overdue = await t.call(ledgerCalls.openItems, {
    token,
    body: { side: name, entityId: home.id, date: today, overdue: true },
  });
  const late = overdue.items.filter(({ openAmount }) => openAmount > 0);
  const posted = home.rows.filter((row) => row.openAmount > 0 && row.daysOverdue > 0 && row.date <= today);
  expect(sum(late.map(({ openAmount }) => openAmount))).toBe(sum(posted.map(({ openAmount }) => openAmount)));
}

async function compareControl({ companyId }: WorldCompany, { controlType, sign }: Side, home: Home): Promise<void> {
  const row = await t.inCompany(companyId, (tx) =>
    tx.row(sql<{ amount: Cents }>`
      select coalesce(sum(l.amount_cents), 0)::bigint as amount from journal_line l
      join account c on c.company_id = l.company_id and c.id = l.account_id
      where l.company_id = ${companyId} and l.entity_id = ${home.id} and l.basis in ('A', 'B')
        and c.account_type = ${controlType}`),
  );
  expect(sign * (row?.amount ?? 0) + 0).toBe(home.balance + (home.journalAmount ?? Number.NaN));
}

/**
 * Checks that the balance at the end of each day on the statement of account equals the balance after that day's last
 * activity row.
 */
async function compareStatement(token: string, home: Home): Promise<void> {
  const params = { startdate: '2000-01-01', reportdate: LAST_DAY, customerid: String(home.id) };
  const reportParams = Object.entries(params).map(([paramName, paramvalue]) => ({
    paramType: 3,
    paramName,
    paramvalue,
  }));
  const report = await t.call(reportCalls.runReport, { token, params: { reportId: '105' }, body: { reportParams } });
  expect(report.reportSummaries[0]?.amount).toBe(home.balance);
  const lines = report.reportSections[0]?.reportBlocks.flatMap(({ reportLines }) => reportLines) ?? [];
  const byDay = new Map(
    lines.slice(1).map(({ lineItems }) => {
      const [day, , , , , after] = lineItems.map(({ itemText }) => itemText);
      return [parseDate(day ?? ''), fromPlain(after ?? '')];
    }),
  );
  const ofHome = new Map(
    home.rows
      .toReversed()
      .filter(({ balance }) => balance !== null)
      .map(({ date, balance }) => [date, balance ?? cents(0)]),
  );
  expect([...ofHome]).toEqual([...byDay]);
}

it('balances, overdue amounts, credit, and activity match the lists, aging, statement, and account', async () => {
  let seen = 0;
  const property = fc.asyncProperty(fc.array(event, { minLength: 12, maxLength: 24 }), async (events) => {
    const company = await t.createCompany();
    const { token } = company.administrator;
    for (const { side, ids } of await makeBooks(company, events)) {
      for (const id of ids) {
        const home = await homeOf(token, side, id);
        compareRows(home);
        await compareLists(token, side, home);
        await compareAging(token, side, home);
        await compareControl(company, side, home);
        if (side === RECEIVABLE) await compareStatement(token, home);
        seen += home.rows.length;
      }
    }
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true, examples: [[LATE_BEFORE_POSTED]] });
  expect(seen).toBeGreaterThan(0);
});
