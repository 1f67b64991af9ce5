import type { IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';

/** Rules for products and services that the form and the server share. */

export const PRODUCT = 1;
export const SERVICE = 2;

export type Maybe<T> = T | null | undefined;

/** The properties of a product that determine which discounts apply. */
export interface Offer {
  /** 1 for a product, 2 for a service. */
  productServiceType: number;
  productCategoryID: number | null;
}

export interface CheckableProduct {
  name?: Maybe<string>;
  description?: Maybe<string>;
  /** The price in cents. 0 is allowed, but the field is required. */
  salesPrice?: Maybe<number>;
  GLAccountID?: Maybe<number>;
  productCategoryID?: Maybe<number>;
  startDate?: Maybe<IsoDate>;
  endDate?: Maybe<IsoDate>;
}

/** Returns the validation messages for a product by field. `withCategory` means that the category control is shown. */
export function checkProduct(product: CheckableProduct, withCategory = false): FieldMessages {
  const fields: FieldMessages = {};
  if (isBlank(product.name)) fields['name'] = 'Please enter a name';
  if (isBlank(product.description)) fields['description'] = 'Please enter a description';
  if (isMissing(product.GLAccountID)) fields['GLAccountID'] = 'Please Select an Account';
  if ((product.salesPrice ?? -1) < 0) fields['salesPrice'] = 'Please select a sales price';
  if (withCategory && isMissing(product.productCategoryID)) fields['productCategoryID'] = 'Please Select a Category';
  return { ...fields, ...wrongDates(product) };
}

/** Returns the validation messages for the start and end dates of an offer. */
export function wrongDates({ startDate, endDate }: { startDate?: Maybe<IsoDate>; endDate?: Maybe<IsoDate> }) {
  const fields: FieldMessages = {};
  if (startDate && endDate && endDate < startDate) fields['endDate'] = 'The end date is before the start date';
  return fields;
}

/** Returns whether text is missing, empty, or only white space. */
export function isBlank(text: Maybe<string>): boolean {
  return text === null || text === undefined || text.trim() === '';
}

/** Returns whether an ID is missing. Clients send null or 0 for no ID, or omit the field. */
export function isMissing(id: Maybe<number>): boolean {
  return id === null || id === undefined || id <= 0;
}

/** Returns 2 for a service, and 1 for a product or a missing or unknown value. */
export function productServiceType(given: unknown): typeof PRODUCT | typeof SERVICE {
  return given === SERVICE || given === String(SERVICE) ? SERVICE : PRODUCT;
}

export const CATEGORY_TAKEN = 'A category with this name already exists, category names must be unique.';
