import { isEmailAddress } from './email.ts';
import { CUSTOMER, type EntityKind, entityLabel, VENDOR } from './entities.ts';
import type { FieldMessages } from './failure.ts';
import type { Decimal } from './money.ts';
import { checkSetting } from './settings.ts';
import { isBlank, isMissing, type Maybe } from './documents/products.ts';

/** Rules for the first-time setup that the wizard and the server share. */

/** The name of the only customer in a company that does not track customers. */
export const DEFAULT_CUSTOMER = 'Default Customer';

export interface SetupAnswers {
  companyName?: Maybe<string>;
  /** The first month of the fiscal year. The default is January. */
  fyStartMonth?: Maybe<number>;
  /** The rate of the default sales tax. */
  salesTaxPercentage?: Maybe<Decimal>;
  defaultARAccountId?: Maybe<number>;
  defaultAPAccountId?: Maybe<number>;
  /** Whether the company uses one customer for everything. If so, the customer's name and email are not required. */
  useDefaultCustomer?: Maybe<boolean>;
  customerName?: Maybe<string>;
  customerEmail?: Maybe<string>;
  vendorName?: Maybe<string>;
  vendorEmail?: Maybe<string>;
  productName?: Maybe<string>;
  /** The price in cents. */
  productPrice?: Maybe<number>;
}

/**
 * Returns the validation messages for the answers by field. The company and accounts are required. The customer,
 * vendor, and product can be skipped.
 */
export function checkSetup(answers: SetupAnswers): FieldMessages {
  const fields: FieldMessages = {};
  if (isBlank(answers.companyName)) fields['companyName'] = 'Please enter a Company name';
  for (const name of ['defaultARAccountId', 'defaultAPAccountId'] as const) {
    if (isMissing(answers[name])) fields[name] = 'Please Select an Account';
  }
  const { fyStartMonth, salesTaxPercentage } = answers;
  if (!isMissing(fyStartMonth)) {
    const { message } = checkSetting('fyStartMonth', String(fyStartMonth));
    if (message !== undefined) fields['fyStartMonth'] = message;
  }
  if (salesTaxPercentage?.lt(0) === true || salesTaxPercentage?.gt(100) === true) {
    fields['salesTaxPercentage'] = 'Please enter a percentage from 0 to 100';
  }
  const { useDefaultCustomer, customerName, customerEmail, vendorName, vendorEmail } = answers;
  if (useDefaultCustomer !== true)
    Object.assign(fields, checkPair('customer', CUSTOMER, [customerName, customerEmail]));
  Object.assign(fields, checkPair('vendor', VENDOR, [vendorName, vendorEmail]));
  return Object.assign(fields, checkFirstProduct(answers));
}

type Pair = readonly [name: Maybe<string>, email: Maybe<string>];

/** Validates a name and email. Either both must be entered, or both must be empty. */
function checkPair(field: string, kind: EntityKind, [name, email]: Pair): FieldMessages {
  if (isBlank(name) && isBlank(email)) return {};
  const fields: FieldMessages = {};
  if (isBlank(name)) fields[`${field}Name`] = `Please enter a ${entityLabel(kind)} name`;
  if (!isEmailAddress((email ?? '').trim())) fields[`${field}Email`] = 'Please enter a valid email address';
  return fields;
}

/** Validates a name and price. Either both must be entered, or both must be empty. The price may be 0. */
function checkFirstProduct({ productName, productPrice }: SetupAnswers): FieldMessages {
  const hasPrice = productPrice !== null && productPrice !== undefined;
  if (isBlank(productName)) return hasPrice ? { productName: 'Please enter a name' } : {};
  return (productPrice ?? -1) < 0 ? { productPrice: 'Please select a sales price' } : {};
}
