import { isEmailAddress } from './email.ts';
import { CUSTOMER, type EntityKind, entityLabel, VENDOR } from './entities.ts';
import type { FieldMessages } from './failure.ts';
import { isBlank, isMissing, type Maybe } from './documents/products.ts';

/** Rules of the first-time setup, the same in the wizard and on the server. */

/** The one customer of a company that does not tell them apart. */
export const DEFAULT_CUSTOMER = 'Default Customer';

export interface SetupAnswers {
  companyName?: Maybe<string>;
  defaultARAccountId?: Maybe<number>;
  defaultAPAccountId?: Maybe<number>;
  /** All customers are one: name and e-mail are not asked for. */
  useDefaultCustomer?: Maybe<boolean>;
  customerName?: Maybe<string>;
  customerEmail?: Maybe<string>;
  vendorName?: Maybe<string>;
  vendorEmail?: Maybe<string>;
  productName?: Maybe<string>;
  /** Cents. */
  productPrice?: Maybe<number>;
}

/**
 * Messages for wrong answers, by field. Company and accounts are required; a customer, a vendor and a product may be
 * left out whole.
 */
export function checkSetup(answers: SetupAnswers): FieldMessages {
  const fields: FieldMessages = {};
  if (isBlank(answers.companyName)) fields['companyName'] = 'Please enter a Company name';
  for (const name of ['defaultARAccountId', 'defaultAPAccountId'] as const) {
    if (isMissing(answers[name])) fields[name] = 'Please Select an Account';
  }
  const { useDefaultCustomer, customerName, customerEmail, vendorName, vendorEmail } = answers;
  if (useDefaultCustomer !== true)
    Object.assign(fields, checkPair('customer', CUSTOMER, [customerName, customerEmail]));
  Object.assign(fields, checkPair('vendor', VENDOR, [vendorName, vendorEmail]));
  return Object.assign(fields, checkFirstProduct(answers));
}

type Pair = readonly [name: Maybe<string>, email: Maybe<string>];

/** Name and e-mail go together; both empty is nobody. */
function checkPair(field: string, kind: EntityKind, [name, email]: Pair): FieldMessages {
  if (isBlank(name) && isBlank(email)) return {};
  const fields: FieldMessages = {};
  if (isBlank(name)) fields[`${field}Name`] = `Please enter a ${entityLabel(kind)} name`;
  if (!isEmailAddress((email ?? '').trim())) fields[`${field}Email`] = 'Please enter a valid email address';
  return fields;
}

/** Name and price go together; a price may be 0. */
function checkFirstProduct({ productName, productPrice }: SetupAnswers): FieldMessages {
  const hasPrice = productPrice !== null && productPrice !== undefined;
  if (isBlank(productName)) return hasPrice ? { productName: 'Please enter a name' } : {};
  return (productPrice ?? -1) < 0 ? { productPrice: 'Please select a sales price' } : {};
}
