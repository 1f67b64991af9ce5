import type { IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';

/** Rules of products and services, the same in the form and on the server. */

export const PRODUCT = 1;
export const SERVICE = 2;

export type Maybe<T> = T | null | undefined;

/** The properties of a product by which discounts match it. */
export interface Offer {
  /** 1 product, 2 service. */
  productServiceType: number;
  productCategoryID: number | null;
}

export interface CheckableProduct {
  name?: Maybe<string>;
  description?: Maybe<string>;
  /** Cents; the price may be 0 but must be given. */
  salesPrice?: Maybe<number>;
  GLAccountID?: Maybe<number>;
  productCategoryID?: Maybe<number>;
  startDate?: Maybe<IsoDate>;
  endDate?: Maybe<IsoDate>;
}

/** Messages for a wrong product, by field; `withCategory` where the category control shows. */
export function checkProduct(product: CheckableProduct, withCategory = false): FieldMessages {
  const fields: FieldMessages = {};
  if (isBlank(product.name)) fields['name'] = 'Please enter a name';
  if (isBlank(product.description)) fields['description'] = 'Please enter a description';
  if (isMissing(product.GLAccountID)) fields['GLAccountID'] = 'Please Select an Account';
  if ((product.salesPrice ?? -1) < 0) fields['salesPrice'] = 'Please select a sales price';
  if (withCategory && isMissing(product.productCategoryID)) fields['productCategoryID'] = 'Please Select a Category';
  return { ...fields, ...wrongDates(product) };
}

/** Messages for wrong dates of the time in which something is offered. */
export function wrongDates({ startDate, endDate }: { startDate?: Maybe<IsoDate>; endDate?: Maybe<IsoDate> }) {
  const fields: FieldMessages = {};
  if (startDate && endDate && endDate < startDate) fields['endDate'] = 'The end date is before the start date';
  return fields;
}

/** No text, or white space alone. */
export function isBlank(text: Maybe<string>): boolean {
  return text === null || text === undefined || text.trim() === '';
}

/** No id: clients say it as null, 0 or by leaving the field out. */
export function isMissing(id: Maybe<number>): boolean {
  return id === null || id === undefined || id <= 0;
}

/** 1 product or 2 service; 1 when missing or not one of the two. */
export function productServiceType(given: unknown): typeof PRODUCT | typeof SERVICE {
  return given === SERVICE || given === String(SERVICE) ? SERVICE : PRODUCT;
}

export const CATEGORY_TAKEN = 'A category with this name already exists, category names must be unique.';
