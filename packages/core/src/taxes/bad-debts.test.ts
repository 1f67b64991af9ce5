import { expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { Dice } from '../dice.ts';
import { cents, sum, ZERO } from '../money.ts';
import { type BadDebt, badDebtCredits } from './bad-debts.ts';
import { badDebtOrderIds } from './law.ts';

const DAY = isoDate('2026-06-30');
const debt = (invoiceId: number, part: Partial<BadDebt>): BadDebt => ({
  invoiceId,
  customerId: 1,
  date: isoDate('2026-01-01'),
  writtenOffOn: DAY,
  amount: ZERO,
  taxable: ZERO,
  tax: ZERO,
  writtenOff: ZERO,
  deducted: ZERO,
  ...part,
});

/** A sale of 250.00 with 20.00 of tax, a later charge of 30.00 without tax, and a payment of 100.00. */
const account = [
  debt(1, { amount: cents(27_000), taxable: cents(25_000), tax: cents(2000), writtenOff: cents(17_000) }),
  debt(2, { date: isoDate('2026-02-01'), amount: cents(3000), writtenOff: cents(3000) }),
];

test('a 300.00 debt with 20.00 of tax and 100.00 paid has a credit of 12.59 if the oldest sale was paid first', () => {
  expect(badDebtCredits(account, 'oldest')).toEqual([1259, 0]);
});

test('a 300.00 debt with 20.00 of tax and 100.00 paid has a credit of 13.33 if paid in proportion', () => {
  expect(badDebtCredits(account, 'proportion')).toEqual([1333, 0]);
});

test('a 300.00 debt with 20.00 of tax and 100.00 paid has a credit of 12.59 if price and tax were paid first', () => {
  expect(badDebtCredits(account, 'priceAndTax')).toEqual([1259, 0]);
});

test('the state’s order, not the invoice to which the payment was applied, determines the credit', () => {
  const [first, second] = account;
  const applied = [
    { ...debt(0, {}), ...first, writtenOff: cents(20_000) },
    { ...debt(0, {}), ...second, writtenOff: ZERO },
  ];
  expect(badDebtCredits(applied, 'oldest')).toEqual([1259, 0]);
  expect(badDebtCredits(applied, undefined)).toEqual([1481, 0]);
});

test('invoices that were written off on another day or belong to another customer are separate debts', () => {
  const [first, second] = account;
  const apart = [
    { ...debt(0, {}), ...second, writtenOffOn: isoDate('2026-07-31') },
    { ...debt(0, {}), ...first },
    { ...debt(0, {}), ...second, customerId: 2 },
  ];
  expect(badDebtCredits(apart, 'proportion')).toEqual([0, 1259, 0]);
});

test('for random debts, the credit never exceeds the tax, and it equals the whole tax if nothing was paid', () => {
  const dice = new Dice(20_261_128);
  for (let run = 0; run < 2000; run += 1) {
    const debts = Array.from({ length: dice.between(1, 4) }, (_, at) => {
      const [taxable, tax, other] = [dice.between(1, 90_000), dice.between(0, 9000), dice.between(0, 5000)];
      const amount = cents(taxable + tax + other);
      const writtenOff = cents(dice.pick([amount, dice.between(1, amount)]));
      const date = isoDate(`2026-0${dice.between(1, 5)}-01`);
      return debt(at, { date, amount, taxable: cents(taxable), tax: cents(tax), writtenOff });
    });
    const tax = sum(debts.map((each) => each.tax));
    const isUnpaid = debts.every(({ amount, writtenOff }) => amount === writtenOff);
    for (const order of [...badDebtOrderIds, undefined]) {
      const credits = badDebtCredits(debts, order);
      expect(sum(credits)).toBeLessThanOrEqual(tax);
      expect(credits.every((credit, at) => credit >= 0 && credit <= (debts[at]?.tax ?? 0) + 1)).toBe(true);
      if (isUnpaid) expect(sum(credits)).toBe(tax);
    }
  }
});
