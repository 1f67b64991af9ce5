import type { BankLineInput, PayableDocument } from '@evenkeel/contract/statements';
import { type Cents, cents, minCents, sum, ZERO } from '@evenkeel/core/money';

/** The documents that a bank transaction pays, in full or in part. */

export interface PayPart {
  document: PayableDocument;
  /** The amount. Null if it can't be read. */
  amount: Cents | null;
}

/** Returns the portion of the bank transaction's amount that isn't applied yet. Negative if too much is applied. */
export const unpaidOf = (parts: readonly PayPart[], size: Cents): Cents =>
  cents(size - sum(parts.map(({ amount }) => amount ?? ZERO)));

/** Selects a document and applies the remaining amount up to its open balance, or clears the selection. */
export function toggled(parts: readonly PayPart[], document: PayableDocument, size: Cents): readonly PayPart[] {
  const others = parts.filter((part) => part.document.invoiceId !== document.invoiceId);
  if (others.length < parts.length) return others;
  const rest = unpaidOf(parts, size);
  return [...parts, { document, amount: rest > 0 ? minCents(rest, document.openAmount) : null }];
}

/** Returns the error message for an invalid amount. */
export function partFault({ document: { openAmount }, amount }: PayPart): string | undefined {
  if (amount === null || amount <= 0) return 'Please enter an amount';
  return amount > openAmount ? 'More than the open balance' : undefined;
}

/** Returns whether the bank transaction can pay these amounts. */
export const isPayable = (parts: readonly PayPart[], size: Cents): boolean =>
  parts.length > 0 && unpaidOf(parts, size) === 0 && parts.every((part) => partFault(part) === undefined);

/** Returns whether the payment can include another document, which must belong to the same customer or vendor. */
export const mayJoin = ([first]: readonly PayPart[], { entityId }: PayableDocument): boolean =>
  first === undefined || first.document.entityId === entityId;

export function payInput(parts: readonly PayPart[]): BankLineInput {
  const documents = parts.map(({ document: { invoiceId }, amount }) => ({ invoiceId, amount: amount ?? ZERO }));
  return { action: 'pay', entityId: parts[0]?.document.entityId ?? null, documents };
}
