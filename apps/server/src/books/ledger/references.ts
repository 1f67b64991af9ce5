import { ACCOUNT_INACTIVE, refusedOnLine } from '@evenkeel/core/books/accounts';
import { type FieldMessages, refuse } from '@evenkeel/core/failure';
import type { Side } from '@evenkeel/core/documents/side';

/** A company's record that a request refers to. `active` is false for an inactive record. */
export interface FoundRecord {
  id: number;
  active: boolean;
}

export interface FoundAccount extends FoundRecord {
  type: string;
  contra: boolean;
  system: boolean;
}

/** The ID in a request, and the ID on the stored line or header. */
export interface NamedId {
  id: number | null;
  before?: number | null | undefined;
  /** Whether an empty reference is rejected. */
  isRequired?: boolean;
}

const MESSAGES = {
  product: 'Please Select a Product',
  deal: 'Please Select a Product or Package',
  profitCenter: 'Please Select a Profit Center',
  location: 'Please Select a Location',
  customer: 'Please Select a Customer',
  vendor: 'Please Select a Vendor',
  entity: 'Please select a customer or vendor',
} as const;

/** Returns the message about an inactive record, such as "This customer is inactive…". */
export const inactive = (what: string): string => `This ${what} is inactive. Make it active, or select another one`;

const WHAT: Record<keyof typeof MESSAGES, string> = {
  product: 'item',
  deal: 'item',
  profitCenter: 'profit center',
  location: 'location',
  customer: 'customer',
  vendor: 'vendor',
  entity: 'customer or vendor',
};

/**
 * Returns the message for a record that a line or header may not refer to, either because the record doesn't belong to
 * the company, or because it is inactive and wasn't used there before. Returns undefined for a reference that is
 * allowed, or that is empty and not required.
 */
export function referenceFault(
  record: keyof typeof MESSAGES,
  found: readonly FoundRecord[],
  { id, before, isRequired }: NamedId,
): string | undefined {
  if (id === null) return isRequired === true ? MESSAGES[record] : undefined;
  const row = found.find((each) => each.id === id);
  if (row === undefined) return MESSAGES[record];
  return row.active || row.id === before ? undefined : inactive(WHAT[record]);
}

/**
 * Does the same as referenceFault, but for an account. In addition, a line in a document on `side` may not use an
 * account that documents and payments post to automatically.
 */
export function accountFault(found: readonly FoundAccount[], { id, before }: NamedId, side?: Side): string | undefined {
  if (id === null) return undefined;
  const account = found.find((each) => each.id === id);
  if (account === undefined) return 'Please Select an Account';
  if (account.id === before) return undefined;
  if (!account.active) return ACCOUNT_INACTIVE;
  return side === undefined ? undefined : refusedOnLine(account, side.name);
}

/** Adds a message for a field, if there is one. */
export function noteFault(fields: FieldMessages, path: string, message: string | undefined): void {
  if (message !== undefined) fields[path] = message;
}

/** If there are any messages, throws 422 with all of them. The first one becomes the main message. */
export function refuseFaults(fields: FieldMessages): void {
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}
