import { decimal, round, toCents } from '../money.ts';
import type { Cents, Decimal } from '../money.ts';

/** One item of a sales tax scenario as copied onto the invoice; `percentage` 6 means 6 %. */
export interface TaxRate {
  id: number;
  label: string;
  /** 0 State, 1 City, 2 County, 3 Other. */
  salesTaxType: number;
  percentage: Decimal;
}

/** A tax item of the whole invoice, in cents. */
export interface TaxTotal extends TaxRate {
  total: Cents;
  /** The cents of the total that the lines do not have; missing where there are none. */
  rest?: Cents;
}

/**
 * The tax of one line per tax item, to 6 decimals and never to cents (docs/accounting.md, "Invoice amounts").
 */
export function taxOfLine(taxableBase: Decimal, rates: readonly TaxRate[]): Decimal[] {
  return rates.map((rate) => round(taxableBase.times(rate.percentage).div(100), 6));
}

/** Per tax item the sum over the lines, rounded once to cents: 6 % on 2 × 15.89 is 1.91. */
export function totalTaxes(taxesOfLines: readonly (readonly Decimal[])[], rates: readonly TaxRate[]): TaxTotal[] {
  return rates.map(({ id, label, salesTaxType, percentage }, index) => {
    const exact = taxesOfLines.reduce((total, taxes) => total.plus(taxes[index] ?? 0), decimal(0));
    return { id, label, salesTaxType, percentage, total: toCents(exact) };
  });
}
