import type { FieldMessages } from '../failure.ts';
import { isBlank, isMissing, type Maybe } from '../documents/products.ts';

/** The fields of a bank account that the form and the server validate. */

export interface CheckableBankingAccount {
  name?: Maybe<string>;
  /** The account number as entered, or masked as in an API response. Undefined if a change omits the number. */
  accountNumber?: Maybe<string>;
  routingNumber?: Maybe<string>;
  glAccountID?: Maybe<number>;
  /** The kind of GL account that is created if no GL account is selected. */
  kind?: Maybe<string>;
  openingBalance?: Maybe<number>;
  openingDate?: Maybe<string>;
}

/**
 * Returns the validation messages for a bank account by field. `masked` is the masked account number in API
 * responses, which is accepted unchanged.
 */
export function checkBankingAccount(account: CheckableBankingAccount, masked?: string): FieldMessages {
  const { name, accountNumber, routingNumber, glAccountID } = account;
  const fields: FieldMessages = {};
  if (isBlank(name)) fields['name'] = 'Please enter a name';
  const isKept = accountNumber === undefined || (masked !== undefined && masked !== '' && accountNumber === masked);
  if (!isKept && !/^\d{1,34}$/.test(accountNumber ?? '')) {
    fields['accountNumber'] = 'Please enter an Account number.';
  }
  // Card and cash accounts have no routing number.
  if (!/^\d{0,9}$/.test(routingNumber ?? '')) fields['routingNumber'] = 'Please enter a Routing number.';
  if (isMissing(glAccountID) && isBlank(account.kind)) fields['glAccountID'] = 'Please Select an Account';
  if ((account.openingBalance ?? 0) !== 0 && isBlank(account.openingDate)) {
    fields['openingDate'] = 'Please enter the date of the opening balance';
  }
  return fields;
}

const SHOWN = 4;

/** Masks an account number except for its last four digits. A shorter number is returned unchanged. */
export function maskNumber(number: string): string {
  return number.length <= SHOWN ? number : `••••${number.slice(-SHOWN)}`;
}

const WEIGHTS = [3, 7, 1] as const;

/**
 * Returns whether a US routing number has nine digits and a valid checksum. The American Bankers Association defines
 * the checksum: the digits are weighted 3, 7, and 1 in turn, and the sum must be a multiple of 10. An invalid number
 * only causes a warning.
 */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const weighted = [...text].map((digit, at) => Number(digit) * (WEIGHTS[at % WEIGHTS.length] ?? 0));
  return weighted.reduce((total, each) => total + each, 0) % 10 === 0;
}
