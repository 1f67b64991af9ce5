import { type Cents, cents, sum } from '../money.ts';
import { recognise } from '../books/posting.ts';
import { type SettledDocument, openAmount } from '../books/settlement.ts';

/** A write-off removes an invoice's open balance from the receivable (docs/accounting.md, "Write-offs"). */

export interface WriteOffParts {
  badDebt: Cents;
  /** The share of each of the invoice's tax items, in the order of the items. */
  taxes: Cents[];
}

/**
 * Splits the open amount of an invoice into bad debt and the share of each tax item. The tax shares equal the shares
 * that a payment would recognize. The last `taxItems` components are taxes.
 */
export function writeOffParts(invoice: SettledDocument, taxItems: number): WriteOffParts {
  const { components, applied } = invoice;
  const open = openAmount(invoice);
  const shares = recognise(components, applied, cents(applied + open));
  const taxes = taxItems === 0 ? [] : shares.slice(-taxItems);
  return { badDebt: cents(open - sum(taxes)), taxes };
}

/**
 * Returns the parts to write off. The taxes are separate only if this is requested and no part is negative. Otherwise,
 * the taxes are included in the bad debt.
 */
export function chosenParts({ badDebt, taxes }: WriteOffParts, withTax: boolean): WriteOffParts {
  if (withTax && badDebt >= 0 && taxes.every((tax) => tax >= 0)) return { badDebt, taxes };
  return { badDebt: cents(badDebt + sum(taxes)), taxes: [] };
}
