import type { FieldMessages } from '../failure.ts';
import { isBlank, isMissing, type Maybe } from '../documents/products.ts';

/** Rules of banking accounts, the same in the form and on the server. */

export interface CheckableBankingAccount {
  name?: Maybe<string>;
  /** As typed, or masked as it was answered; undefined where a change leaves it out. */
  accountNumber?: Maybe<string>;
  routingNumber?: Maybe<string>;
  glAccountID?: Maybe<number>;
  /** The kind of GL account to create where none is chosen. */
  kind?: Maybe<string>;
  openingBalance?: Maybe<number>;
  openingDate?: Maybe<string>;
}

/** Messages for a wrong banking account, by field. `masked` is its number as it was answered, which may stay. */
export function checkBankingAccount(account: CheckableBankingAccount, masked?: string): FieldMessages {
  const { name, accountNumber, routingNumber, glAccountID } = account;
  const fields: FieldMessages = {};
  if (isBlank(name)) fields['name'] = 'Please enter a name';
  const isKept = accountNumber === undefined || (masked !== undefined && masked !== '' && accountNumber === masked);
  if (!isKept && !/^\d{1,34}$/.test(accountNumber ?? '')) {
    fields['accountNumber'] = 'Please enter an Account number.';
  }
  // Cards and cash have none.
  if (!/^\d{0,9}$/.test(routingNumber ?? '')) fields['routingNumber'] = 'Please enter a Routing number.';
  if (isMissing(glAccountID) && isBlank(account.kind)) fields['glAccountID'] = 'Please Select an Account';
  if ((account.openingBalance ?? 0) !== 0 && isBlank(account.openingDate)) {
    fields['openingDate'] = 'Please enter the date of the opening balance';
  }
  return fields;
}

const SHOWN = 4;

/** An account number but for its last four digits; a shorter one stands as it is. */
export function maskNumber(number: string): string {
  return number.length <= SHOWN ? number : `••••${number.slice(-SHOWN)}`;
}

const WEIGHTS = [3, 7, 1] as const;

/**
 * Whether a routing number of the United States has nine digits and their checksum (American Bankers Association: 3, 7
 * and 1 times the digits in turn, a multiple of ten). A wrong one is a warning beside the field and no refusal.
 */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const weighted = [...text].map((digit, at) => Number(digit) * (WEIGHTS[at % WEIGHTS.length] ?? 0));
  return weighted.reduce((total, each) => total + each, 0) % 10 === 0;
}
