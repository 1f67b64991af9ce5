import { addMonths, type IsoDate, isoDate, fiscalYearStart, partsOf } from '../dates.ts';
import { type Cents, cents, decimal, shareDollars, sum, toCents, toDecimal, toWholeDollars } from '../money.ts';

/**
 * Budgets in whole dollars by account, month, and profit center (docs/accounting.md, "Budgets"). Amounts are positive
 * on the side of the account's root, like the amounts on the profit and loss statement.
 */

/** The months of a fiscal year. */
export const BUDGET_MONTHS = 12;

/** The fiscal years that can have a budget. A fiscal year is named after the calendar year in which it starts. */
export const BUDGET_YEARS = { first: 1901, last: 2198 } as const;

/** Returns the calendar year in which the date's fiscal year starts. `startMonth` is 1 to 12. */
export function budgetYearOf(date: IsoDate, startMonth: number): number {
  return partsOf(fiscalYearStart(date, startMonth)).year;
}

/** Returns the first day of each month in the fiscal year. */
export function budgetMonths(year: number, startMonth: number): IsoDate[] {
  const first = isoDate(`${year}-${String(startMonth).padStart(2, '0')}-01`);
  return Array.from({ length: BUDGET_MONTHS }, (_, at) => addMonths(first, at));
}

/** Returns the name of a fiscal year: "2026", or "2025–2026" if the fiscal year is not a calendar year. */
export function budgetYearName(year: number, startMonth: number): string {
  return startMonth === 1 ? String(year) : `${year}–${year + 1}`;
}

/**
 * Spreads the amount for a year over its months according to the pattern of another year, in whole dollars that add up
 * to the amount. Months with the opposite sign get no share. Without a pattern, all months get equal shares.
 */
export function spreadYear(total: Cents, pattern: readonly Cents[]): Cents[] {
  const sign = total < 0 ? -1 : 1;
  const weights = pattern.map((amount) => Math.max(0, sign * amount));
  const even = weights.every((weight) => weight === 0);
  return shareDollars(total, even ? weights.map(() => 1) : weights);
}

/** Returns an amount changed by a percentage, in whole dollars. A percentage of -5 lowers the amount by 5%. */
export function changedByPercent(amount: Cents, percent: number): Cents {
  return toWholeDollars(
    toCents(
      toDecimal(amount)
        .times(decimal(100).plus(decimal(percent)))
        .div(100),
    ),
  );
}

/**
 * Returns the effect on net income of the difference between the actual amount and the budget. A negative effect means
 * income below the budget or costs above the budget.
 */
export function budgetEffect(root: 'Income' | 'Expense', actual: Cents, budget: Cents): Cents {
  return cents(root === 'Income' ? actual - budget : budget - actual);
}

/** A month of an account in a budget. Null is a month without a budget, which differs from a budget of zero. */
export interface BudgetCell {
  accountId: number;
  month: IsoDate;
  amount: Cents | null;
}

/** Returns the key of a cell in a map. */
export function cellKey({ accountId, month }: Pick<BudgetCell, 'accountId' | 'month'>): string {
  return `${accountId} ${month}`;
}

/** Returns the total of the months that have a budget, or null if no month has a budget. */
export function budgetTotal(amounts: readonly (Cents | null)[]): Cents | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : sum(known);
}
