import type { IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { decimal, formatUsd, round, toDecimal } from '../money.ts';
import type { Cents, Decimal } from '../money.ts';
import { isBlank, isMissing, PRODUCT, SERVICE, wrongDates } from './products.ts';
import type { Maybe, Offer } from './products.ts';

/** Discount rules that the form and the server share. */

export const FIXED = 0;
export const PERCENTAGE = 1;

/** The terms of a discount. Decimals may be strings, as in a stored copy of the terms. */
export interface DiscountTerms {
  /** 0 for a fixed amount, 1 for a percentage. */
  discountType: number;
  /** The target: 1 for products, 2 for services. */
  discountTypeTarget: number;
  /** The category that the discount is limited to. Null for all categories. */
  productCategoryID: number | null;
  /** The percentage, from 0 to 100. */
  discountPercentage: Decimal | string;
  /** The amount in cents. */
  discountFlatValue: Cents;
}

/**
 * Returns whether a discount applies to a product or service. A percentage does not reduce a line without a product or
 * service.
 */
export function isTarget({ discountTypeTarget, productCategoryID }: DiscountTerms, offer: Offer | undefined): boolean {
  if (offer?.productServiceType !== discountTypeTarget) return false;
  return productCategoryID === null || offer.productCategoryID === productCategoryID;
}

/**
 * Returns the discount amount, which is negative and has at most 6 decimal places. The amount is the fixed amount times
 * the quantity, or the percentage of `base` regardless of the quantity (docs/accounting.md, "Package deals and
 * discounts").
 */
export function discountAmount(terms: DiscountTerms, base: Decimal, quantity: Decimal): Decimal {
  const taken =
    terms.discountType === PERCENTAGE
      ? base.times(terms.discountPercentage).div(100)
      : toDecimal(terms.discountFlatValue).times(quantity);
  return round(taken, 6).times(-1);
}

/** Returns text such as "10%" or "$5.00". */
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
  /** The amount in cents. */
  discountFlatValue?: Maybe<number>;
  GLAccountID?: Maybe<number>;
  startDate?: Maybe<IsoDate>;
  endDate?: Maybe<IsoDate>;
}

/** Returns the validation messages for a discount by field. */
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

/** Returns whether a value is a number from 0 to 100. The input field ignores other values. */
export function isPercentage(value: Maybe<Decimal | string | number>): boolean {
  if (value === null || value === undefined || value === '') return false;
  const exact = decimal(value);
  return exact.gte(0) && exact.lte(100);
}
