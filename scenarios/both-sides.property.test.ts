import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { AP, AR } from '@evenkeel/core/books/accounts';
import { addDays, addMonths, endOfMonth, type IsoDate, isoDate, startOfMonth } from '@evenkeel/core/dates';
import { type Cents, cents, fromPlain, sum } from '@evenkeel/core/money';
import { Dice } from '@evenkeel/core/dice';
import { verifyCompany } from '@evenkeel/server/across/health/books-verify';
import { startTestApp, type TestApp } from '@evenkeel/server/testing/app';
import { type Factory, factoryFor } from '@evenkeel/server/testing/factories';
import type { WorldCompany } from '@evenkeel/server/testing/world';
import { trialBalanceOf, views } from './testing/agreement.ts';
import { judged, judgeNames, missing } from './testing/judges.ts';
import { spentIsTakenAway } from './testing/reports.ts';

/** The number of books per run, at most 500. A torture run may start from other seeds (TORTURE_SEED). */
const RUNS = Math.min(500, Number(process.env['TORTURE_RUNS'] ?? 1));
const FIRST_SEED = Number(process.env['TORTURE_SEED'] ?? 20_261);
const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index * 7919);

const FIRST = isoDate('2026-01-03');
/** A date after everything in the random books. */
const SETTLED = isoDate('2026-12-01');
const MONTH_ENDS = Array.from({ length: 12 }, (_, at) => endOfMonth(addMonths(isoDate('2026-01-31'), at)));

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** A company that sells and buys. It creates, edits, and deletes documents and payments on both sides at random. */
class RandomBooks {
  readonly company: WorldCompany;
  readonly make: Factory;
  private readonly dice: Dice;
  private readonly vendors: number[] = [];
  private readonly bills: { id: number; vendorId: number }[] = [];
  private readonly payments: { id: number; vendorId: number }[] = [];
  private customerId = 0;
  private bankAccountId = 0;
  done = 0;

  constructor(company: WorldCompany, seed: number) {
    this.company = company;
    this.make = factoryFor(t, company);
    this.dice = new Dice(seed);
  }

  async play(events: number): Promise<void> {
    this.customerId = await this.make.customer();
    this.vendors.push(await this.make.vendor('North'), await this.make.vendor('South'));
    const first = await this.make.billPayment({ vendorId: this.vendor(), paymentAmount: 5, paymentDate: FIRST });
    this.bankAccountId = first.bankAccountId ?? 0;
    this.payments.push({ id: first.id, vendorId: first.vendorId });
    for (let left = events; left > 0; left -= 1) await this.step();
  }

  /** Pays all open documents on the same day, using all credits. */
  async settle(): Promise<void> {
    const { token } = this.make;
    for (const vendorId of this.vendors) {
      for (const payment of this.payments.filter((each) => each.vendorId === vendorId)) await this.useUp(payment);
      const open = await t.call(expenseCalls.vendorOpenInvoices, { token, params: { vendorId } });
      const paymentApplications = open.map(({ invoiceId, openAmount }) => ({ invoiceId, amount: openAmount / 100 }));
      const total = sum(open.map(({ openAmount }) => openAmount));
      if (total < 0) {
        const bill = await this.make.bill({ vendorId, amount: -total / 100, postingDate: SETTLED });
        paymentApplications.push({ invoiceId: bill.id, amount: -total / 100 });
      }
      const paymentAmount = Math.max(0, total) / 100;
      if (paymentApplications.length === 0) continue;
      await this.make.billPayment({ vendorId, paymentAmount, paymentDate: SETTLED, paymentApplications });
    }
  }

  /** Adds a bill for exactly a payment's unapplied amount, and applies this amount to the bill. */
  private async useUp({ id, vendorId }: { id: number; vendorId: number }): Promise<void> {
    const { token } = this.make;
    const payment = await t.call(expenseCalls.getExpensePayment, { token, params: { id } }).catch(() => undefined);
    if (payment === undefined || payment.unappliedAmount === 0) return;
    const amount = payment.unappliedAmount / 100;
    const bill = await this.make.bill({ vendorId, amount, postingDate: SETTLED });
    const before = payment.paymentApplications.map((each) => ({ ...each, amount: each.amount / 100 }));
    await this.send('PUT', '/api/expensepayment', {
      ...this.paymentBody(payment.vendorId, payment.paymentAmount / 100, payment.paymentDate),
      id,
      paymentApplications: [...before, { invoiceId: bill.id, amount }],
    });
  }

  private vendor(): number {
    return this.vendors[this.dice.between(0, 1)] ?? 0;
  }

  private day(): IsoDate {
    return addDays(FIRST, this.dice.between(0, 300));
  }

  private dollars(most: number): number {
    return this.dice.between(1, most * 100) / 100;
  }

  private async step(): Promise<void> {
    const { dice } = this;
    const roll = dice.between(1, 100);
    const bill = this.bills[dice.between(0, Math.max(0, this.bills.length - 1))];
    const payment = this.payments[dice.between(0, Math.max(0, this.payments.length - 1))];
    if (roll <= 32 || bill === undefined) return this.createBill();
    if (roll <= 44) {
      await this.send('PUT', '/api/expenseinvoice', { ...this.billBody(bill.vendorId), id: bill.id });
    } else if (roll <= 50) await this.send('DELETE', `/api/expenseinvoice/${bill.id}`);
    else if (roll <= 72 || payment === undefined) return this.createPayment();
    else if (roll <= 82) {
      const body = this.paymentBody(payment.vendorId, this.dollars(300), this.day());
      const applied = dice.chance(50) ? {} : { paymentApplications: [] };
      await this.send('PUT', '/api/expensepayment', { ...body, ...applied, id: payment.id });
    } else if (roll <= 86) await this.send('DELETE', `/api/expensepayment/${payment.id}`);
    else if (roll <= 94) {
      await this.make.invoice({ customerId: this.customerId, amount: this.dollars(400), invoiceDate: this.day() });
    } else if (roll <= 96) {
      await this.make.credit({ customerId: this.customerId, amount: this.dollars(200), invoiceDate: this.day() });
      await this.useCredit();
    } else {
      const money = { paymentAmount: this.dollars(300), paymentDate: this.day() };
      await this.make.payment({ customerId: this.customerId, ...money });
    }
  }

  /** Applies an open credit memo to an invoice, without moving money. */
  private async useCredit(): Promise<void> {
    const params = { customerId: this.customerId };
    const open = await t.call(billingCalls.openInvoices, { token: this.make.token, params });
    const credit = open.find(({ openAmount }) => openAmount < 0);
    const invoice = open.find(({ openAmount }) => openAmount > 0);
    const amount = Math.min(invoice?.openAmount ?? 0, -(credit?.openAmount ?? 0)) / 100;
    const paymentApplications = [
      { invoiceId: invoice?.invoiceId, amount },
      { invoiceId: credit?.invoiceId, amount: -amount },
    ];
    const body = { ...params, paymentDate: this.day(), paymentAmount: 0, paymentApplications };
    if (amount > 0) await this.send('POST', '/api/billingpayment', body);
  }

  private async createBill(): Promise<void> {
    const vendorId = this.vendor();
    const id = await this.send('POST', '/api/expenseinvoice', this.billBody(vendorId));
    if (id !== undefined) this.bills.push({ id, vendorId });
  }

  /** Pays open bills in list order, applies a credit to a bill, or leaves the payment unapplied. */
  private async createPayment(): Promise<void> {
    const vendorId = this.vendor();
    const { token } = this.make;
    const open = await t.call(expenseCalls.vendorOpenInvoices, { token, params: { vendorId } });
    const credit = open.find(({ openAmount }) => openAmount < 0);
    const bill = open.find(({ openAmount }) => openAmount > 0);
    const body = this.paymentBody(vendorId, this.dollars(300), this.day());
    const both = Math.min(bill?.openAmount ?? 0, -(credit?.openAmount ?? 0)) / 100;
    const net = [
      { invoiceId: bill?.invoiceId, amount: both },
      { invoiceId: credit?.invoiceId, amount: -both },
    ];
    const given = both > 0 && this.dice.chance(60) ? { paymentApplications: net, paymentAmount: 0 } : {};
    const later = this.dice.chance(20) ? { paymentApplications: [] } : {};
    const id = await this.send('POST', '/api/expensepayment', { ...body, ...(both > 0 ? given : later) });
    if (id !== undefined) this.payments.push({ id, vendorId });
  }

  private billBody(vendorId: number): object {
    const { dice } = this;
    const invoiceDate = this.day();
    const isCredit = dice.chance(15);
    const lineItems = Array.from({ length: dice.between(1, 3) }, (_, at) => ({
      description: 'Bought',
      accountId: dice.pick([153, 168, 148, 115]),
      lineItemAmount: this.dollars(250),
      creditLine: isCredit || (at > 0 && dice.chance(30)),
    }));
    return {
      vendorId,
      invoiceNumber: `B${dice.between(1, 9999)}`,
      invoiceDate,
      postingDate: dice.chance(30) ? addDays(invoiceDate, dice.between(-2, 40)) : invoiceDate,
      postToVendorAccount: !dice.chance(10),
      bankAccountId: this.bankAccountId,
      lineItems,
    };
  }

  private paymentBody(vendorId: number, paymentAmount: number, paymentDate: IsoDate): object {
    return { vendorId, paymentAmount, paymentDate, bankAccountId: this.bankAccountId };
  }

  /** Returns the record's ID, or undefined if the rules reject the random values. */
  private async send(method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<number | undefined> {
    const answer = await t.request({ method, url, token: this.make.token, ...(body === undefined ? {} : { body }) });
    if (![200, 404, 409, 422].includes(answer.status)) throw new Error(`${url} returned ${answer.status}`);
    if (answer.status === 200) this.done += 1;
    return answer.status === 200 ? (answer.body as { id?: number }).id : undefined;
  }
}

function run({ administrator }: WorldCompany, reportId: string, given: Record<string, unknown>): Promise<ReportData> {
  const reportParams = Object.entries(given).map(([paramName, paramvalue]) => ({
    paramType: 3,
    paramName,
    paramvalue,
  }));
  return t.call(reportCalls.runReport, {
    token: administrator.token,
    params: { reportId },
    body: { reportParams: reportParams as never },
  });
}

/** Returns debits less credits by account ID from the trial balance over HTTP. */
async function trialBalance(company: WorldCompany, asOf: IsoDate, basis: number): Promise<Map<number, Cents>> {
  const { reportSections } = await run(company, '3', { reportdate: asOf, basis });
  const lines = reportSections.flatMap(({ reportBlocks }) => reportBlocks.flatMap((block) => block.reportLines));
  return new Map(
    lines.flatMap(({ lineItems, source }) => {
      const [debit, credit] = lineItems.slice(-2).map(({ itemText }) => (itemText ? fromPlain(itemText) : 0));
      const id = source?.accountIds[0];
      return id === undefined ? [] : [[id, cents((debit ?? 0) - (credit ?? 0))] as const];
    }),
  );
}

describe.each(seeds)('random books with both sides (seed %i)', (seed) => {
  let books: RandomBooks;
  beforeAll(async () => {
    books = new RandomBooks(await t.createCompany(), seed);
    await books.play(60);
  }, 120_000);

  test('accounts payable equals open bills and credits less unapplied payments at every month end', async () => {
    expect(books.done).toBeGreaterThan(15);
    for (const reportdate of MONTH_ENDS) {
      const [accrual, cash] = [
        await trialBalance(books.company, reportdate, 0),
        await trialBalance(books.company, reportdate, 1),
      ];
      for (const [reports, account, sign] of [
        [['17', '108', '110'], AP, -1],
        [['7', '104'], AR, 1],
      ] as const) {
        for (const id of reports) {
          const { reportSections } = await run(books.company, id, { reportdate });
          const owed = cents(sign * (accrual.get(account) ?? 0) + 0);
          expect([reportdate, id, reportSections[0]?.total]).toEqual([reportdate, id, owed]);
        }
        expect(cash.get(account) ?? 0).toBe(0);
      }
    }
    expect((await verifyCompany(t.pool, books.company.companyId)).faults).toEqual([]);
  });

  test('the expenses by vendor and by category equal the expenses on the Profit & Loss', async () => {
    const asked = (id: number, given: Record<string, unknown>) => run(books.company, String(id), given);
    for (const basis of [0, 1]) {
      for (const [first, last] of [
        [0, 11],
        [2, 4],
        [7, 7],
      ] as const) {
        const startdate = startOfMonth(MONTH_ENDS[first] ?? FIRST);
        await spentIsTakenAway(asked, { startdate, reportdate: MONTH_ENDS[last] ?? FIRST, basis });
      }
    }
  });

  test.for(judgeNames)('%s finds the same balance in every account on both bases', async (judge, { skip }) => {
    skip(missing(judge) !== undefined, missing(judge));
    const { companyId } = books.company;
    for (const basis of views) {
      const movements = await judged(t.pool, { judge, companyId, basis });
      for (const asOf of MONTH_ENDS.filter((_, at) => at % 4 === 3)) {
        const ours = await trialBalance(books.company, asOf, basis === 'accrual' ? 0 : 1);
        expect(trialBalanceOf(movements, { asOf, startMonth: 1 })).toEqual(ours);
      }
    }
  });

  test('when everything is paid and applied, both bases show the same purchases', async () => {
    await books.settle();
    const asOf = isoDate('2026-12-31');
    const [accrual, cash] = [await trialBalance(books.company, asOf, 0), await trialBalance(books.company, asOf, 1)];
    const bought = (of: ReadonlyMap<number, Cents>) => [AP, 175, 153, 168, 148, 115].map((id) => of.get(id) ?? 0);
    expect(bought(cash)).toEqual(bought(accrual));
    expect(bought(accrual).slice(0, 2)).toEqual([0, 0]);
    expect((await verifyCompany(t.pool, books.company.companyId)).faults).toEqual([]);
  });
});
