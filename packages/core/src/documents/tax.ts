import { decimal, round, toCents } from '../money.ts';
import type { Cents, Decimal } from '../money.ts';

/** An item in a sales tax scenario, as copied to an invoice. A `percentage` of 6 means 6%. */
export interface TaxRate {
  id: number;
  label: string;
  /** 0 State, 1 City, 2 County, 3 Other. */
  salesTaxType: number;
  percentage: Decimal;
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

/** Returns the total for each tax item over all lines, rounded once to cents. For example, 6% on 2 × 15.89 is 1.91. */
export function totalTaxes(taxesOfLines: readonly (readonly Decimal[])[], rates: readonly TaxRate[]): TaxTotal[] {
  return rates.map(({ id, label, salesTaxType, percentage }, index) => {
    const exact = taxesOfLines.reduce((total, taxes) => total.plus(taxes[index] ?? 0), decimal(0));
    return { id, label, salesTaxType, percentage, total: toCents(exact) };
  });
}
