import type { IsoDate } from '../dates.ts';
import { cents, decimal, round, share, toCents } from '../money.ts';
import type { Cents, Decimal } from '../money.ts';

/** An item in a sales tax scenario, as copied to an invoice. A `percentage` of 6 means 6%. */
export interface TaxRate {
  id: number;
  label: string;
  /** 0 State, 1 City, 2 County, 3 Other. */
  salesTaxType: number;
  percentage: Decimal;
  /** Whether the tax on these items is rounded once for all of them (`taxRoundings` in core/taxes/law). */
  combined?: boolean | undefined;
}

/** A rate that takes effect on a date. The percentage is a decimal or text. */
export interface LaterRate<P> {
  from: IsoDate;
  percentage: P;
}

/** A tax item in a scenario. */
interface DatedItem<P> {
  /** The percentage until the first of `rates` takes effect. */
  percentage: P;
  /** The later rates, in date order. */
  rates: readonly LaterRate<P>[];
}

/**
 * Returns a scenario's tax item without its later rates, with the percentage on a date. Without a date, the first
 * percentage is used.
 */
export function rateOn<P, I extends DatedItem<P>>(item: I, date: IsoDate | null): Omit<I, 'rates'> {
  const { rates, ...plain } = item;
  const later = date === null ? undefined : rates.findLast(({ from }) => from <= date);
  const percentage = later?.percentage ?? item.percentage;
  return { ...plain, percentage };
}

/** A tax item for the whole invoice, in cents. */
export interface TaxTotal extends TaxRate {
  total: Cents;
  /** The part of the total that is not on the lines, in cents. Omitted if there is none. */
  rest?: Cents;
}

/**
 * Returns the tax on one line for each tax item, with 6 decimal places and never rounded to cents (docs/accounting.md,
 * "Invoice amounts").
 */
export function taxOfLine(taxableBase: Decimal, rates: readonly TaxRate[]): Decimal[] {
  return rates.map((rate) => round(taxableBase.times(rate.percentage).div(100), 6));
}

/**
 * Returns the total for each tax item over all lines. Each total is rounded once to cents: 6% on 2 × 15.89 is 1.91.
 * Items with a combined rate are rounded once for all of them, and the largest-remainder method divides the cents among
 * them: 6.5% and 3.7% on 1.50 are 0.10 and 0.05, not 0.10 and 0.06. `base` is the taxed amount in dollars.
 */
export function totalTaxes(
  taxesOfLines: readonly (readonly Decimal[])[],
  rates: readonly TaxRate[],
  base: Decimal,
): TaxTotal[] {
  const totals = rates.map(({ id, label, salesTaxType, percentage, combined }, index): TaxTotal => {
    const exact = taxesOfLines.reduce((total, taxes) => total.plus(taxes[index] ?? 0), decimal(0));
    const rule = combined === true ? { combined } : {};
    return { id, label, salesTaxType, percentage, ...rule, total: toCents(exact) };
  });
  const together = totals.filter(({ combined }) => combined === true);
  const rate = together.reduce((all, { percentage }) => all.plus(percentage), decimal(0));
  if (rate.eq(0)) return totals;
  const parts = share(
    toCents(base.times(rate).div(100)),
    together.map(({ percentage }) => Number(percentage.times(1_000_000))),
  );
  return totals.map((item) => {
    const part = parts[together.indexOf(item)];
    return part === undefined ? item : withTotal(item, part);
  });
}

/** Returns a tax item with a different total. `rest` contains the difference, because it is not on the lines. */
export function withTotal(item: TaxTotal, total: Cents): TaxTotal {
  const rest = cents((item.rest ?? 0) + total - item.total);
  const { rest: _, ...plain } = item;
  return rest === 0 ? { ...plain, total } : { ...plain, total, rest };
}
