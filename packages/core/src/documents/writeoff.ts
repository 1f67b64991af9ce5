import { type Cents, cents, sum } from '../money.ts';
import { recognise } from '../books/posting.ts';
import { type SettledDocument, openAmount } from '../books/settlement.ts';

/** A write-off takes what is open of an invoice off the receivable (docs/accounting.md, "Write-offs"). */

export interface WriteOffParts {
  badDebt: Cents;
  /** The share of each tax item of the invoice, in their order. */
  taxes: Cents[];
}

/**
 * The open amount of an invoice as bad debt and its share of each tax item, by the shares that a payment of it would
 * recognise. The last `taxItems` components are those of taxes.
 */
export function writeOffParts(invoice: SettledDocument, taxItems: number): WriteOffParts {
  const { components, applied } = invoice;
  const open = openAmount(invoice);
  const shares = recognise(components, applied, cents(applied + open));
  const taxes = taxItems === 0 ? [] : shares.slice(-taxItems);
  return { badDebt: cents(open - sum(taxes)), taxes };
}

/** The parts as they are written off: with the taxes where that is chosen, and as long as each part takes something. */
export function chosenParts({ badDebt, taxes }: WriteOffParts, withTax: boolean): WriteOffParts {
  if (withTax && badDebt >= 0 && taxes.every((tax) => tax >= 0)) return { badDebt, taxes };
  return { badDebt: cents(badDebt + sum(taxes)), taxes: [] };
}
