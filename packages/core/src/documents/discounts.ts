import type { IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { decimal, formatUsd, round, toDecimal } from '../money.ts';
import type { Cents, Decimal } from '../money.ts';
import { isBlank, isMissing, PRODUCT, SERVICE, wrongDates } from './products.ts';
import type { Maybe, Offer } from './products.ts';

/** Rules of discounts, the same in the form and on the server. */

export const FIXED = 0;
export const PERCENTAGE = 1;

/** The terms of a discount. Decimals may be text, as a snapshot holds them. */
export interface DiscountTerms {
  /** 0 fixed amount, 1 percentage. */
  discountType: number;
  /** The target: 1 products, 2 services. */
  discountTypeTarget: number;
  /** Only of this category; null: of all. */
  productCategoryID: number | null;
  /** 0 to 100. */
  discountPercentage: Decimal | string;
  /** Cents. */
  discountFlatValue: Cents;
}

/** Whether a discount takes something off a product or service; a line of neither is not reduced by a percentage. */
export function isTarget({ discountTypeTarget, productCategoryID }: DiscountTerms, offer: Offer | undefined): boolean {
  if (offer?.productServiceType !== discountTypeTarget) return false;
  return productCategoryID === null || offer.productCategoryID === productCategoryID;
}

/**
 * The amount of the discount, negative and with at most 6 decimals: the fixed amount times the quantity, or the
 * percentage of `base`, whatever the quantity (docs/accounting.md, "Package deals and discounts").
 */
export function discountAmount(terms: DiscountTerms, base: Decimal, quantity: Decimal): Decimal {
  const taken =
    terms.discountType === PERCENTAGE
      ? base.times(terms.discountPercentage).div(100)
      : toDecimal(terms.discountFlatValue).times(quantity);
  return round(taken, 6).times(-1);
}

/** As a person reads it: "10%" or "$5.00". */
export function discountDisplay(terms: Omit<DiscountTerms, 'discountTypeTarget' | 'productCategoryID'>): string {
  return terms.discountType === PERCENTAGE
    ? `${decimal(terms.discountPercentage).toString()}%`
    : formatUsd(terms.discountFlatValue);
}

export interface CheckableDiscount {
  name?: Maybe<string>;
  description?: Maybe<string>;
  discountType?: Maybe<number>;
  discountTypeTarget?: Maybe<number>;
  discountPercentage?: Maybe<Decimal | string | number>;
  /** Cents. */
  discountFlatValue?: Maybe<number>;
  GLAccountID?: Maybe<number>;
  startDate?: Maybe<IsoDate>;
  endDate?: Maybe<IsoDate>;
}

/** Messages for a wrong discount, by field. */
export function checkDiscount(discount: CheckableDiscount): FieldMessages {
  const fields: FieldMessages = {};
  const { discountType, discountTypeTarget } = discount;
  if (isBlank(discount.name)) fields['name'] = 'Please enter a name';
  if (isBlank(discount.description)) fields['description'] = 'Please enter a description';
  if (discountType !== FIXED && discountType !== PERCENTAGE) fields['discountType'] = 'Please Select a Discount Type';
  if (discountTypeTarget !== PRODUCT && discountTypeTarget !== SERVICE) {
    fields['discountTypeTarget'] = 'Please Select a Product or Service';
  }
  if (isMissing(discount.GLAccountID)) fields['GLAccountID'] = 'Please select an account.';
  if (discountType === FIXED && (discount.discountFlatValue ?? -1) < 0) {
    fields['discountFlatValue'] = 'Please select a fixed amount';
  }
  if (discountType === PERCENTAGE && !isPercentage(discount.discountPercentage)) {
    fields['discountPercentage'] = 'The percentage must be between 0 and 100';
  }
  return { ...fields, ...wrongDates(discount) };
}

/** 0 to 100, both included; anything else that is typed is ignored. */
export function isPercentage(value: Maybe<Decimal | string | number>): boolean {
  if (value === null || value === undefined || value === '') return false;
  const exact = decimal(value);
  return exact.gte(0) && exact.lte(100);
}
