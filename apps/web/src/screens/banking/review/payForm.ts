import type { BankLineInput, PayableDocument } from '@evenkeel/contract/statements';
import { type Cents, cents, minCents, sum, ZERO } from '@evenkeel/core/money';

/** The documents that a bank line pays, each whole or in part, as data. */

export interface PayPart {
  document: PayableDocument;
  /** null: nothing that can be read. */
  amount: Cents | null;
}

/** The part of the line's size that pays nothing yet; below zero where too much is paid. */
export const unpaidOf = (parts: readonly PayPart[], size: Cents): Cents =>
  cents(size - sum(parts.map(({ amount }) => amount ?? ZERO)));

/** Ticks a document, which takes what is left as far as it is open; or unticks it. */
export function toggled(parts: readonly PayPart[], document: PayableDocument, size: Cents): readonly PayPart[] {
  const others = parts.filter((part) => part.document.invoiceId !== document.invoiceId);
  if (others.length < parts.length) return others;
  const rest = unpaidOf(parts, size);
  return [...parts, { document, amount: rest > 0 ? minCents(rest, document.openAmount) : null }];
}

/** The message for a part that cannot be paid so. */
export function partFault({ document: { openAmount }, amount }: PayPart): string | undefined {
  if (amount === null || amount <= 0) return 'Please enter an amount';
  return amount > openAmount ? 'More than the open balance' : undefined;
}

/** Whether the parts can be paid by the line. */
export const isPayable = (parts: readonly PayPart[], size: Cents): boolean =>
  parts.length > 0 && unpaidOf(parts, size) === 0 && parts.every((part) => partFault(part) === undefined);

/** Whether a payment of these parts may take a document too: it is of one customer or vendor. */
export const mayJoin = ([first]: readonly PayPart[], { entityId }: PayableDocument): boolean =>
  first === undefined || first.document.entityId === entityId;

export function payInput(parts: readonly PayPart[]): BankLineInput {
  const documents = parts.map(({ document: { invoiceId }, amount }) => ({ invoiceId, amount: amount ?? ZERO }));
  return { action: 'pay', entityId: parts[0]?.document.entityId ?? null, documents };
}
