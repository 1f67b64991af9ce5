import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { openingCalls } from '@evenkeel/contract/opening';
import { reportCalls } from '@evenkeel/contract/reports';
import { addDays, addMonths, endOfMonth, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { type Cents, cents, minCents, toDollars, ZERO } from '@evenkeel/core/money';
import { type PageRow, pageRows } from '@evenkeel/core/reports/page';
import { type ReportName, reportKinds } from '@evenkeel/core/reports/kinds';
import { verifyCompany } from '../health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

/** The number of companies. Each one takes seconds. */
const RUNS = Math.min(100, Number(process.env['TORTURE_RUNS'] ?? 2));
const seeds = Array.from({ length: RUNS }, (_, index) => 4711 + index * 7919);

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

type Kind = 'invoice' | 'bill' | 'creditmemo' | 'vendorcredit' | 'payment';

/** A document or unapplied payment in the scenario, identified by its name in all companies. */
interface Told {
  kind: Kind;
  party: number;
  date: IsoDate;
  /** The open amount or the remaining credit. */
  open: Cents;
}

/** A company that runs the scenario, with its IDs by name. */
interface Player {
  company: WorldCompany;
  make: Factory;
  ids: Map<string, number>;
  parties: number[];
  taxes: { scenarioId: number; itemIds: number[] };
}

async function addPlayer(startMonth: number): Promise<Player> {
  const company = await t.createCompany();
  const make = factoryFor(t, company);
  await make.tax();
  const { companyId } = company;
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      update setting set setting_value = ${String(startMonth)}
      where company_id = ${companyId} and setting_name = 'fyStartMonth'`),
  );
  const items = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ id: number; scenarioId: number }>`
      select id, scenario_id as "scenarioId" from sales_tax_item
      where company_id = ${companyId} and not deleted order by id`),
  );
  const parties = [
    await make.customer('Alder'),
    await make.customer('Birch'),
    await make.vendor('Dogwood'),
    await make.vendor('Elder'),
  ];
  const itemIds = items.map(({ id }) => id);
  return { company, make, ids: new Map(), parties, taxes: { scenarioId: Number(items[0]?.scenarioId), itemIds } };
}

type Act = (player: Player) => Promise<void>;

/** A random scenario, one action at a time. An action can run in any company that has its documents. */
class Story {
  readonly told = new Map<string, Told>();
  private readonly dice: Dice;
  private count = 0;

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  /** Returns the next action on a date. */
  next(date: IsoDate): Act {
    const { dice } = this;
    const name = `${(this.count += 1)}`;
    switch (
      dice.pick(['invoice', 'invoice', 'invoice', 'bill', 'bill', 'credit', 'vendorcredit', 'pay', 'pay', 'pay'])
    ) {
      case 'bill':
        return this.bill(name, date, false);
      case 'vendorcredit':
        return this.bill(name, date, true);
      case 'credit':
        return this.sale(name, date, true);
      case 'invoice':
        return this.sale(name, date, false);
      default:
        return this.payment(name, date);
    }
  }

  private sale(name: string, date: IsoDate, isCredit: boolean): Act {
    const { dice, told } = this;
    const party = dice.between(0, 1);
    const lineItems = Array.from({ length: dice.between(1, 3) }, () => ({
      description: 'Work',
      itemPrice: toDollars(cents(dice.between(100, 90_000))),
      quantity: 1,
      accountId: dice.pick([140, 141, 178]),
      taxable: dice.chance(60),
    }));
    const dueDate = addDays(date, 30);
    return async ({ make, ids, parties }) => {
      const given = { customerId: parties[party] ?? 0, invoiceDate: date, lineItems };
      const made = isCredit ? await make.credit(given) : await make.invoice({ ...given, dueDate });
      ids.set(name, made.id);
      told.set(name, {
        kind: isCredit ? 'creditmemo' : 'invoice',
        party,
        date,
        open: cents(Math.abs(made.openAmount)),
      });
    };
  }

  private bill(name: string, date: IsoDate, isCredit: boolean): Act {
    const { dice, told } = this;
    const party = dice.between(2, 3);
    const lineItems = Array.from({ length: dice.between(1, 2) }, () => ({
      description: 'Bought',
      accountId: dice.pick([153, 168, 115]),
      lineItemAmount: toDollars(cents(dice.between(100, 50_000))),
      creditLine: isCredit,
    }));
    return async ({ make, ids, parties }) => {
      const dates = { invoiceDate: date, dueDate: addDays(date, 30), invoiceNumber: `B-${name}` };
      const made = await make.bill({ vendorId: parties[party] ?? 0, ...dates, lineItems });
      ids.set(name, made.id);
      told.set(name, { kind: isCredit ? 'vendorcredit' : 'bill', party, date, open: cents(Math.abs(made.openAmount)) });
    };
  }

  /** Pays one open document, in part or in full, often with a credit, and sometimes too much. */
  private payment(name: string, date: IsoDate): Act {
    const { dice, told } = this;
    const open = [...told].filter(([, { kind, open: left }]) => left > 0 && (kind === 'invoice' || kind === 'bill'));
    const [paid, document] = dice.any(open) ?? [];
    if (paid === undefined || document === undefined) return this.sale(name, date, false);
    const amount = dice.chance(40) ? document.open : cents(dice.between(1, document.open));
    const credits = [...told].filter(([, { kind, party, open: left }]) => {
      // An unapplied payment becomes a credit, so the scenario leaves it unapplied.
      const isCredit = kind === 'creditmemo' || kind === 'vendorcredit';
      return isCredit && party === document.party && left > 0;
    });
    const [used, credit] = dice.chance(50) ? (dice.any(credits) ?? []) : [];
    const fromCredit = credit === undefined ? ZERO : minCents(amount, credit.open);
    const extra = dice.chance(20) ? cents(dice.between(1, 5000)) : ZERO;
    const isSale = document.kind === 'invoice';
    return async ({ make, ids, parties }) => {
      const share = (of: string, part: number) => ({ invoiceId: ids.get(of) ?? 0, amount: toDollars(cents(part)) });
      const paymentApplications = [share(paid, amount), ...(used === undefined ? [] : [share(used, -fromCredit)])];
      const money = cents(amount - fromCredit + extra);
      const given = { paymentAmount: toDollars(money), paymentDate: date, paymentApplications };
      const party = parties[document.party] ?? 0;
      const made = isSale
        ? await make.payment({ customerId: party, ...given })
        : await make.billPayment({ vendorId: party, ...given });
      ids.set(name, made.id);
      told.set(paid, { ...document, open: cents(document.open - amount) });
      if (used !== undefined && credit !== undefined)
        told.set(used, { ...credit, open: cents(credit.open - fromCredit) });
      told.set(name, { kind: 'payment', party: document.party, date, open: extra });
    };
  }
}

const EMPTY_LISTS = { invoices: [], bills: [], customerCredits: [], vendorCredits: [] };

/**
 * Posts opening balances in the company `mover` that match the state of the company `stayer`, and maps the open
 * documents to their new IDs.
 */
async function move(stayer: Player, mover: Player, { told }: Story, date: IsoDate): Promise<void> {
  const lists: Record<keyof typeof EMPTY_LISTS, object[]> = {
    invoices: [],
    bills: [],
    customerCredits: [],
    vendorCredits: [],
  };
  const names: Record<keyof typeof EMPTY_LISTS, string[]> = {
    invoices: [],
    bills: [],
    customerCredits: [],
    vendorCredits: [],
  };
  const { token } = stayer.make;
  for (const [name, { kind, party, date: dated, open }] of told) {
    if (open === 0) continue;
    const id = stayer.ids.get(name) ?? 0;
    const head = { entityId: mover.parties[party], number: name, date: dated, unpaidAmount: toDollars(open) };
    if (kind === 'payment') {
      const isSale = party < 2;
      const list = isSale ? 'customerCredits' : 'vendorCredits';
      lists[list].push({ ...head, lineItems: [{ accountId: isSale ? 145 : 175 }] });
      names[list].push('');
    } else if (kind === 'bill' || kind === 'vendorcredit') {
      const { lineItems, dueDate } = await t.call(expenseCalls.getExpense, { token, params: { id } });
      const lines = lineItems.map(({ accountId, lineItemAmount }) => ({
        accountId,
        amount: toDollars(lineItemAmount),
      }));
      const list = kind === 'bill' ? 'bills' : 'vendorCredits';
      lists[list].push({ ...head, dueDate, lineItems: lines });
      names[list].push(name);
    } else {
      const url = `/api/${kind === 'invoice' ? 'billinginvoice' : 'billingcredit'}/${id}`;
      const { body } = await t.request({ method: 'GET', url, token });
      const sale = body as {
        dueDate: string | null;
        lineItems: { accountId: number; lineItemAmount: number; taxable: boolean }[];
        taxItems: { total: number }[];
      };
      const list = kind === 'invoice' ? 'invoices' : 'customerCredits';
      const size = (amount: number): number => Math.abs(amount);
      lists[list].push({
        ...head,
        dueDate: kind === 'invoice' ? sale.dueDate : null,
        salesTaxScenario: mover.taxes.scenarioId,
        lineItems: sale.lineItems.map(({ accountId, lineItemAmount, taxable }) => {
          return { accountId, amount: size(lineItemAmount), taxable };
        }),
        taxItems: sale.taxItems.map(({ total }, at) => ({ id: mover.taxes.itemIds[at], amount: size(total) })),
      });
      names[list].push(name);
    }
  }
  const { companyId } = stayer.company;
  const balances = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ id: number; amount: number }>`
      select account_id as id, sum(amount_cents)::bigint as amount from journal_line
      where company_id = ${companyId} and posting_date <= ${date} and basis in ('A', 'B')
        and account_id not in (138, 139)
      group by account_id having sum(amount_cents) <> 0`),
  );
  const accounts = balances.map(({ id, amount }) => ({ accountId: id, amount: amount / 100 }));
  const body = { date, accounts, ...lists };
  const answer = await t.request({ method: 'POST', url: '/api/openingbalances', token: mover.make.token, body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  const posted = await t.call(openingCalls.getOpeningBalances, { token: mover.make.token });
  for (const list of ['invoices', 'bills', 'customerCredits', 'vendorCredits'] as const) {
    for (const { id, number } of posted[list]) if (names[list].includes(number)) mover.ids.set(number, id);
  }
}

/** The compared reports. The other reports show document numbers, which differ between the companies. */
const RANGES = ['profitAndLoss', 'cashFlow', 'salesByCustomer', 'salesTaxLiability', 'expensesByVendor'] as const;
const DAYS = ['balanceSheet', 'trialBalance', 'customerBalances', 'vendorBalances'] as const;

const shownRow = ({ look, cells }: PageRow) => [
  look,
  ...cells.map((cell) => ('text' in cell ? cell.text : cell.amount)),
];

/** Returns the rows in all reports after a date, as shown on both bases. */
async function reportsOf({ company }: Player, date: IsoDate, end: IsoDate): Promise<unknown[]> {
  const { token } = company.administrator;
  const rows: unknown[] = [];
  const run = async (name: ReportName, given: Record<string, string>, basis: string) => {
    const params = { reportId: String(reportKinds[name].id) };
    const reportParams = Object.entries({ ...given, basis }).map(([paramName, paramvalue]) => {
      return { paramType: 1, paramName, paramvalue };
    });
    const report = await t.call(reportCalls.runReport, { token, params, body: { reportParams } });
    rows.push([name, basis, given, pageRows(report).map(shownRow)]);
  };
  for (const basis of ['0', '1']) {
    for (const name of RANGES) await run(name, { startdate: addDays(date, 1), reportdate: end }, basis);
    for (const name of DAYS) {
      for (const day of [date, addDays(date, 20), end]) await run(name, { reportdate: day }, basis);
    }
  }
  return rows;
}

test.each(seeds)(
  "every report for a company that was moved equals the original company's report (seed %i)",
  async (seed) => {
    const story = new Story(seed);
    const dice = new Dice(seed + 1);
    const first = isoDate('2025-03-03');
    const date = endOfMonth(addMonths(first, dice.between(2, 5)));
    const startMonth = Number(addDays(date, 1).slice(5, 7));
    const stayer = await addPlayer(startMonth);
    const mover = await addPlayer(startMonth);
    let day = first;
    while (day <= date) {
      await story.next(day)(stayer);
      day = addDays(day, dice.between(1, 9));
    }
    await move(stayer, mover, story, date);
    for (let at = 0; at < 14; at += 1) {
      const act = story.next(day);
      await act(stayer);
      await act(mover);
      day = addDays(day, dice.between(1, 9));
    }
    expect(await reportsOf(mover, date, day)).toEqual(await reportsOf(stayer, date, day));
    expect((await verifyCompany(t.pool, mover.company.companyId)).faults).toEqual([]);
  },
);
