import { describe, expect, test } from 'vitest';
import { type ChargeRule, chargeOf, checkChargeRule, freeDays, interest, isChargeSet, NO_CHARGE } from './charges.ts';
import { addDays, type DateRange, isoDate } from '../dates.ts';
import { Dice } from '../dice.ts';
import { cents, decimal } from '../money.ts';

const rate: ChargeRule = { ...NO_CHARGE, annualRate: decimal(18) };
const range = (from: string, to: string): DateRange => ({ from: isoDate(from), to: isoDate(to) });
const late = (openAmount: number, charged: readonly DateRange[] = []) => ({
  invoiceId: 7,
  dueDate: isoDate('2026-05-31'),
  openAmount: cents(openAmount),
  charged,
});
const charged = (rule: ChargeRule, invoices: readonly ReturnType<typeof late>[], until: string) => {
  const { lines, toMinimum, amount } = chargeOf(rule, invoices, isoDate(until));
  return { lines: lines.map((line) => [line.from, line.to, line.days, line.amount]), toMinimum, amount };
};

describe('interest is simple, is based on 365 days per year, and is rounded half up once', () => {
  test.each([
    [100_000, 18, 30, 1479],
    [100_000, 18, 365, 18_000],
    [50_000, 12.5, 31, 531],
    // The first result is exactly half a cent before rounding, and the second is slightly less.
    [18_250, 1, 1, 1],
    [18_249, 1, 1, 0],
    [9_000_000_000_000, 99.9999, 365, 8_999_991_000_000],
  ])('the finance charge on %i cents at %f percent for %i days is %i cents', (amount, percent, days, expected) => {
    expect(interest(cents(amount), decimal(percent), days)).toBe(expected);
  });
});

test('neither the due date nor the days in the grace period are charged', () => {
  expect(charged(rate, [late(100_000)], '2026-05-31')).toEqual({ lines: [], toMinimum: 0, amount: 0 });
  const until = '2026-06-30';
  expect(charged(rate, [late(100_000)], until).lines).toEqual([['2026-06-01', until, 30, 1479]]);
  expect(charged({ ...rate, graceDays: 10 }, [late(100_000)], until).lines).toEqual([['2026-06-11', until, 20, 986]]);
  expect(charged({ ...rate, graceDays: 30 }, [late(100_000)], until).lines).toEqual([]);
});

test('a charge starts after the last charged day and also covers days whose charge was deleted', () => {
  const before = [range('2026-06-21', '2026-06-30'), range('2026-06-01', '2026-06-10')];
  expect(charged(rate, [late(100_000, before)], '2026-07-05').lines).toEqual([
    ['2026-06-11', '2026-06-20', 10, 493],
    ['2026-07-01', '2026-07-05', 5, 247],
  ]);
});

test('the minimum finance charge applies once per customer, and only if something is charged', () => {
  const least = { ...rate, minimum: cents(500) };
  expect(charged(least, [late(1_000), late(2_000)], '2026-06-30')).toEqual({
    lines: [
      ['2026-06-01', '2026-06-30', 30, 15],
      ['2026-06-01', '2026-06-30', 30, 30],
    ],
    toMinimum: 455,
    amount: 500,
  });
  expect(charged(least, [late(100_000)], '2026-06-30')).toMatchObject({ toMinimum: 0, amount: 1479 });
  // Less than half a cent is carried over to later days.
  expect(charged(least, [late(10)], '2026-06-30')).toEqual({ lines: [], toMinimum: 0, amount: 0 });
});

test('a fixed finance charge is charged once per invoice', () => {
  const once: ChargeRule = { ...NO_CHARGE, kind: 'amount', amount: cents(2_500), minimum: cents(9_900) };
  const before = [range('2026-06-01', '2026-06-10')];
  expect(charged(once, [late(1_000), late(2_000, before)], '2026-06-30')).toEqual({
    lines: [['2026-06-01', '2026-06-30', 30, 2_500]],
    toMinimum: 0,
    amount: 2_500,
  });
});

test('regardless of earlier charges, charged days and days without charges cover every day exactly once', () => {
  const dice = new Dice(11);
  for (let round = 0; round < 200; round += 1) {
    const first = isoDate('2026-01-01');
    const before: DateRange[] = [];
    for (let day = dice.between(-5, 20); day < 70; day += dice.between(1, 20)) {
      const to = day + dice.between(0, 15);
      before.push({ from: addDays(first, day), to: addDays(first, to) });
      day = to;
    }
    const whole = { from: first, to: addDays(first, 60) };
    const seen = new Map<string, number>();
    for (const { from, to } of [...freeDays(whole, dice.chance(50) ? before.toReversed() : before), ...before]) {
      for (let day = from; day <= to; day = addDays(day, 1)) seen.set(day, (seen.get(day) ?? 0) + 1);
    }
    const wrong: string[] = [];
    for (let day = whole.from; day <= whole.to; day = addDays(day, 1)) if (seen.get(day) !== 1) wrong.push(day);
    expect(wrong).toEqual([]);
  }
});

test('each field in a finance charge rule is validated', () => {
  expect([isChargeSet(NO_CHARGE), isChargeSet(rate)]).toEqual([false, true]);
  expect(checkChargeRule({ ...rate, graceDays: 10 })).toEqual({});
  expect(
    Object.keys(checkChargeRule({ ...rate, annualRate: decimal(100.5), graceDays: 400, minimum: cents(-1) })),
  ).toEqual(['annualRate', 'graceDays', 'minimum']);
  expect(Object.keys(checkChargeRule({ ...rate, annualRate: decimal('1.00001') }))).toEqual(['annualRate']);
  expect(Object.keys(checkChargeRule({ ...NO_CHARGE, kind: 'amount', amount: cents(-1) }))).toEqual(['amount']);
});
