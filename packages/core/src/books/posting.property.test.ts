import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, isoDate } from '../dates.ts';
import { assertBalanced, inView } from './ledger.ts';
import type { Transaction } from './ledger.ts';
import { cents, sum } from '../money.ts';
import type { Cents } from '../money.ts';
import { cumulate, postDocument, postPayment, recognise } from './posting.ts';
import type { Component, PostableDocument } from './posting.ts';
import { RECEIVABLE } from '../documents/side.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);
const DAY = isoDate('2026-01-15');

function component(amount: number, index: number): Component {
  const accountId = 140 + (index % 3);
  return {
    accountId,
    amount: cents(amount),
    description: `Line ${index}`,
    profitCenterId: index % 2,
    locationId: null,
  };
}

/** Generates lines and discounts with a positive total. */
const components = fc
  .array(fc.integer({ min: -2_000, max: 50_000 }), { minLength: 1, maxLength: 9 })
  .filter((amounts) => amounts.reduce((total, amount) => total + amount, 0) > 0)
  .map((amounts) => amounts.map(component));

function totalOf(parts: readonly Component[]): Cents {
  return sum(parts.map((part) => part.amount));
}

/** Generates amounts from 0 up to the total, each step a percentage of the remaining amount. */
const steps = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 });

function stops(total: number, shares: readonly number[]): Cents[] {
  let reached = 0;
  const partial = shares.map((percent) => cents((reached += Math.floor(((total - reached) * percent) / 100))));
  return [cents(0), ...partial, cents(total)];
}

describe('recognition of an invoice by its payments', () => {
  test('each payment recognizes exactly its amount, and all payments together recognize each component in full', () => {
    const check = (parts: Component[], shares: number[]): void => {
      const reached = stops(totalOf(parts), shares);
      const sums = parts.map(() => 0);
      reached.slice(1).forEach((after, index) => {
        const before = reached[index] ?? cents(0);
        const step = recognise(parts, before, after);
        expect(sum(step)).toBe(after - before);
        step.forEach((part, place) => (sums[place] = (sums[place] ?? 0) + part));
      });
      expect(sums).toEqual(parts.map((part) => part.amount));
    };
    fc.assert(fc.property(components, steps, check), { numRuns });
  });

  test('the total recognized does not depend on the number of payments', () => {
    const check = (parts: Component[], percent: number): void => {
      const total = totalOf(parts);
      const half = cents(Math.floor((total * percent) / 100));
      const [first, second, once] = [
        recognise(parts, cents(0), half),
        recognise(parts, half, total),
        recognise(parts, cents(0), total),
      ];
      expect(first.map((part, index) => part + (second[index] ?? 0))).toEqual([...once]);
    };
    fc.assert(fc.property(components, fc.integer({ min: 0, max: 100 }), check), { numRuns });
  });
});

/** Returns the total of each account on a basis, without zeros. */
function totals(transactions: readonly Transaction[], view: 'accrual' | 'cash'): Map<number, number> {
  const found = new Map<number, number>();
  for (const entry of transactions.flatMap((each) => each.entries)) {
    if (inView(entry.basis, view)) found.set(entry.accountId, (found.get(entry.accountId) ?? 0) + entry.amount);
  }
  return new Map([...found].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => a - b));
}

describe('an invoice and the payments that settle it', () => {
  test('an invoice and its payments balance on both bases and have the same totals for all payment dates', () => {
    const days = fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 8, maxLength: 8 });
    const check = (parts: Component[], shares: number[], offsets: number[]): void => {
      const invoice: PostableDocument = {
        id: 1,
        date: DAY,
        entityId: 1,
        controlAccountId: 138,
        description: 'Invoice',
        components: parts,
      };
      const reached = stops(totalOf(parts), shares);
      const paid = reached.slice(1).map((after, index) => {
        const paymentDate = addDays(DAY, offsets[index] ?? 0);
        const recognitionDate = paymentDate > DAY ? paymentDate : DAY;
        return { paymentId: index, paymentDate, recognitionDate, amount: cents(after - (reached[index] ?? 0)) };
      });
      const payments = cumulate(paid).flatMap((application) =>
        postPayment(RECEIVABLE, {
          id: application.paymentId,
          date: application.paymentDate,
          entityId: 1,
          moneyAccountId: 101,
          controlAccountId: 138,
          amount: application.amount,
          description: 'Payment',
          applications: [{ ...application, document: invoice }],
        }),
      );
      const all = [postDocument(RECEIVABLE, invoice), ...payments];
      all.forEach(assertBalanced);
      expect(totals(all, 'cash')).toEqual(totals(all, 'accrual'));
    };
    fc.assert(fc.property(components, steps, days, check), { numRuns });
  });
});
