import { expect, test } from 'vitest';
import type { Transaction } from '../books/ledger.ts';
import { addDays, type DateRange, type IsoDate, isoDate } from '../dates.ts';
import { Dice } from '../dice.ts';
import { type Cents, cents, minCents, negate, sum, ZERO } from '../money.ts';
import { periodOf } from './due.ts';
import {
  type Adjustment,
  amendmentFault,
  checkAdjustments,
  filingFault,
  liabilityParts,
  postAdjustments,
  postTaxPayment,
  type Returned,
  returnedAmounts,
  type ReturnFigures,
  returnFigures,
  type TaxAmounts,
  totalOfParts,
  undoFault,
} from './returns.ts';

/** Runs random books with filed, amended, and deleted returns, late changes, adjustments, prepayments, and payments. */

const runs = Math.min(10_000, Number(process.env['TORTURE_RUNS'] ?? 50));
const START = isoDate('2026-01-01');
const TAX = 123;
const BANK = 101;
const OTHER_INCOME = 4900;

interface Doc extends TaxAmounts {
  id: number;
  date: IsoDate;
}

interface Filed {
  period: DateRange;
  documents: readonly Returned[];
  figures: ReturnFigures;
  adjustments: readonly Adjustment[];
  paid: Cents;
}

class Books {
  readonly terms: { frequency: number; firstMonth: number };
  readonly docs = new Map<number, Doc>();
  readonly filed: Filed[] = [];
  /** Copies of the filed returns, made at the time of filing. */
  readonly frozen: string[] = [];
  /** The balance of the liability account, credits less debits. */
  balance = 0;
  /** Payments for periods that are not filed yet, by the last day of the period. */
  readonly prepaid = new Map<IsoDate, Cents>();
  private readonly dice: Dice;
  private nextId = 1;

  constructor(seed: number) {
    this.dice = new Dice(seed);
    this.terms = { frequency: this.dice.pick([2, 3]), firstMonth: this.dice.pick([1, 2, 3]) };
  }

  get next(): DateRange {
    const last = this.filed.at(-1);
    return periodOf(this.terms, last === undefined ? START : addDays(last.period.to, 1));
  }

  private post({ entries }: Transaction): void {
    if (sum(entries.map(({ amount }) => amount)) !== 0) throw new Error('a transaction is out of balance');
    for (const { accountId, amount } of entries) if (accountId === TAX) this.balance -= amount;
  }

  private write(doc: Doc): void {
    this.balance += doc.tax - (this.docs.get(doc.id)?.tax ?? 0);
    this.docs.set(doc.id, doc);
  }

  private drawn(id: number): Doc {
    const { dice } = this;
    const gross = dice.between(-5000, 30_000);
    const taxable = dice.chance(70) ? gross : 0;
    const date = addDays(START, dice.between(0, 330));
    return { id, date, gross: cents(gross), taxable: cents(taxable), tax: cents(Math.round(taxable * 0.0675) || 0) };
  }

  private taxed({ from, to }: DateRange) {
    const none = { gross: ZERO, taxable: ZERO, tax: ZERO };
    return [...this.docs.values()]
      .filter(({ date }) => date >= START && date <= to)
      .map(({ id, date, gross, taxable, tax }) => {
        const amounts = { gross, taxable, tax };
        const isOwn = date >= from;
        return { id, own: isOwn ? amounts : none, before: isOwn ? none : amounts };
      });
  }

  private reported() {
    return this.filed.flatMap(({ documents }) =>
      documents.flatMap(({ id, own, since }) => [
        { id, ...own },
        { id, ...since },
      ]),
    );
  }

  private carried(): Cents {
    return this.filed.at(-1)?.figures.carriedOver ?? ZERO;
  }

  private file(): void {
    const { next } = this;
    this.save(next, returnedAmounts(this.taxed(next), this.reported()), this.prepaid.get(next.to) ?? ZERO);
    this.prepaid.delete(next.to);
  }

  /** Files the changes to the last return as a new version of the return. */
  private amend(last: Filed): void {
    const { period } = last;
    const documents = returnedAmounts(this.taxed({ from: addDays(period.to, 1), to: period.to }), this.reported());
    if (amendmentFault(documents, []) === undefined) this.save(period, documents, ZERO);
  }

  private save(period: DateRange, documents: readonly Returned[], prepaid: Cents): void {
    const { dice } = this;
    const adjustments: Adjustment[] = Array.from({ length: dice.between(0, 2) }, () => ({
      kind: 'discount',
      accountId: OTHER_INCOME,
      amount: cents(dice.between(-300, 100)),
      reason: 'Discount',
    }));
    const figures = returnFigures(documents, { adjustments, carriedIn: this.carried(), prepaid });
    this.adjust(adjustments);
    this.filed.push({ period, documents, figures, adjustments, paid: ZERO });
    this.frozen.push(JSON.stringify([documents, figures]));
  }

  private adjust(adjustments: readonly Adjustment[]): void {
    const posting = { date: START, description: 'Return', taxAccountId: TAX, adjustments };
    for (const transaction of postAdjustments(posting)) this.post(transaction);
  }

  /** Deletes the last return, so that its prepayments count for its period again. */
  private undo(last: Filed): void {
    if (undoFault({ isLast: true, paid: last.paid }) !== undefined) return;
    this.adjust(last.adjustments.map((each) => ({ ...each, amount: negate(each.amount) })));
    if (last.figures.prepaid > 0) this.prepaid.set(last.period.to, last.figures.prepaid);
    this.filed.pop();
    this.frozen.pop();
  }

  private pay(amount: Cents): void {
    this.post(postTaxPayment({ date: START, description: 'Payment', taxAccountId: TAX, bankAccountId: BANK, amount }));
  }

  step(): void {
    const { dice } = this;
    const chosen = dice.any([...this.docs.values()]);
    const last = this.filed.at(-1);
    const action = dice.between(1, 100);
    if (action <= 45 || chosen === undefined) this.write(this.drawn(this.nextId++));
    else if (action <= 60) this.write(this.drawn(chosen.id));
    else if (action <= 68) this.write({ ...chosen, gross: ZERO, taxable: ZERO, tax: ZERO });
    else if (action <= 80) this.file();
    else if (action <= 82 && last !== undefined) this.amend(last);
    else if (action <= 84 && last !== undefined) this.undo(last);
    else if (action <= 90) {
      const amount = cents(dice.between(1, 900));
      this.prepaid.set(this.next.to, cents((this.prepaid.get(this.next.to) ?? 0) + amount));
      this.pay(amount);
    } else {
      const one = dice.any(this.filed);
      const unpaid = one === undefined ? ZERO : cents(one.figures.netDue - one.paid);
      if (one === undefined || unpaid === 0) return;
      const amount = minCents(unpaid, cents(dice.between(1, 5000)));
      one.paid = cents(one.paid + amount);
      this.pay(amount);
    }
  }

  /** Returns the values to compare after each step. */
  facts() {
    const tax = sum([...this.docs.values()].map((doc) => doc.tax));
    const parts = liabilityParts({
      tax,
      accrualTax: tax,
      reported: sum(this.reported().map((row) => row.tax)),
      unpaid: sum(this.filed.map(({ figures, paid }) => cents(figures.netDue - paid))),
      prepaid: sum(this.prepaid.values()),
      carriedOver: this.carried(),
    });
    return {
      total: totalOfParts(parts),
      credits: parts.credits,
      filed: this.filed.map(({ documents, figures }) => JSON.stringify([documents, figures])),
      least: Math.min(0, ...this.filed.map(({ figures }) => figures.netDue)),
    };
  }
}

test('the liability is the sum of unfiled tax, unpaid filed tax, and credits, and filed amounts never change', () => {
  for (let seed = 1; seed <= runs; seed += 1) {
    const books = new Books(seed);
    for (let step = 0; step < 30; step += 1) {
      books.step();
      const { total, credits, filed, least } = books.facts();
      expect(total).toBe(books.balance);
      expect(credits).toBeLessThanOrEqual(0);
      expect(filed).toEqual(books.frozen);
      expect(least).toBe(0);
    }
  }
});

test('after every period is filed, each document is reported once with its current amounts', () => {
  const doc = (tax: number): TaxAmounts => ({ gross: cents(tax * 10), taxable: cents(tax * 10), tax: cents(tax) });
  const none = doc(0);
  const reported = [
    { id: 1, ...doc(100) },
    { id: 2, ...doc(50) },
    { id: 3, ...doc(70) },
  ];
  const taxed = [
    { id: 1, own: none, before: doc(100) },
    { id: 2, own: none, before: doc(20) },
    { id: 4, own: doc(5), before: none },
  ];
  expect(returnedAmounts(taxed, reported)).toEqual([
    { id: 2, own: none, since: { gross: -300, taxable: -300, tax: -30 } },
    { id: 4, own: doc(5), since: none },
    { id: 3, own: none, since: { gross: -700, taxable: -700, tax: -70 } },
  ]);
});

test('a credit is carried over and reduces the next return', () => {
  const rows = (tax: number): Returned[] => [
    {
      id: 1,
      own: { gross: cents(1000), taxable: cents(1000), tax: cents(tax) },
      since: { gross: ZERO, taxable: ZERO, tax: ZERO },
    },
  ];
  const first = returnFigures(rows(60), { adjustments: [], carriedIn: ZERO, prepaid: cents(100) });
  expect(first).toMatchObject({ netDue: 0, carriedOver: -40 });
  const second = returnFigures(rows(60), {
    adjustments: [{ amount: cents(-5) }],
    carriedIn: first.carriedOver,
    prepaid: ZERO,
  });
  expect(second).toMatchObject({ netDue: 15, carriedOver: 0, adjustments: -5 });
});

test('only the last return can be deleted, unless it has payments, and only a changed return can be amended', () => {
  expect(undoFault({ isLast: true, paid: ZERO })).toBeUndefined();
  expect(undoFault({ isLast: false, paid: ZERO })).toBe('Undo the filing of the later returns first');
  expect(undoFault({ isLast: true, paid: cents(1) })).toBe('Delete the payments for this return first');
  expect(amendmentFault([], [])).toBe('No document has changed since this return was filed');
  expect(amendmentFault([], [{}])).toBeUndefined();
});

test('tax periods are filed in order, after they end', () => {
  const month = (date: string) => periodOf({ frequency: 3, firstMonth: 1 }, isoDate(date));
  const next = month('2026-05-01');
  const on = (date: string, today: string) => filingFault(month(date), { next, today: isoDate(today) });
  expect(on('2026-05-01', '2026-06-01')).toBeUndefined();
  expect(on('2026-05-01', '2026-05-31')).toBe("This period hasn't ended yet");
  expect(on('2026-04-01', '2026-06-01')).toBe('This period is already filed');
  expect(on('2026-06-01', '2026-08-01')).toBe('File the earlier periods first, starting with May 2026');
});

test('an adjustment requires an account, an amount, and a reason', () => {
  const wrong: Adjustment = { kind: 'other', accountId: 0, amount: ZERO, reason: ' ' };
  const ownAccount: Adjustment = { kind: 'penalty', accountId: TAX, amount: cents(5), reason: 'Late' };
  expect(checkAdjustments([wrong, ownAccount], TAX)).toEqual({
    'adjustments.0.amount': 'Please enter an amount',
    'adjustments.0.accountId': 'Please Select an Account',
    'adjustments.0.reason': 'Please enter a reason',
    'adjustments.1.accountId': 'Select an account other than the tax account',
  });
  const [posted] = postAdjustments({
    date: START,
    description: 'Return',
    taxAccountId: TAX,
    adjustments: [wrong, { ...ownAccount, accountId: 160 }],
  });
  expect(posted?.entries.map(({ accountId, amount }) => [accountId, amount])).toEqual([
    [160, 5],
    [TAX, negate(cents(5))],
  ]);
});
