import { isoDate } from '@evenkeel/core/dates';
import { expect, it } from 'vitest';
import { followingDiscount } from './DiscountFields.tsx';
import type { AnyForm } from './lineForm.ts';

const TERMS = { discountPercent: 2, discountDays: 10 };
const [BEFORE, AFTER] = [isoDate('2026-06-01'), isoDate('2026-06-05')];
const form = (change: Partial<AnyForm> = {}): AnyForm => ({
  invoiceDate: BEFORE,
  lines: [],
  working: null,
  removed: [],
  rowVersion: 1,
  ...change,
});

it("a discount based on the terms changes with the date, but an edited discount doesn't", () => {
  const moved = (change: Partial<AnyForm>, terms: typeof TERMS | undefined = TERMS) => {
    const before = form(change);
    const { discountPercent, discountUntil } = followingDiscount({ ...before, invoiceDate: AFTER }, before, terms);
    return [discountPercent, discountUntil];
  };
  expect(moved({ discountPercent: 2, discountUntil: isoDate('2026-06-11') })).toEqual([undefined, undefined]);
  const [later, other] = [isoDate('2026-06-12'), isoDate('2026-06-11')];
  expect(moved({ discountPercent: 2, discountUntil: later })).toEqual([2, later]);
  expect(moved({ discountPercent: 3, discountUntil: other })).toEqual([3, other]);
  expect(moved({ discountPercent: null, discountUntil: null })).toEqual([null, null]);
  expect(moved({ discountPercent: 2, discountUntil: other }, { discountPercent: 1, discountDays: 10 })).toEqual([
    2,
    other,
  ]);
  expect(moved({})).toEqual([undefined, undefined]);
});
