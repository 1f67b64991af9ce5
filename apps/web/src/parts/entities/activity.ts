import type { Permission } from '@evenkeel/contract/areas';
import type { ActivityRow } from '@evenkeel/contract/subledger';
import { formatDate } from '@evenkeel/core/dates';
import { formatAmount, negate } from '@evenkeel/core/money';
import { capital, documentKinds, documentLabel, itemLabel, kinds } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { documentAddress } from '../ledger/sources.ts';

/** Formats the activity rows of a customer or vendor. */

const KINDS: ReadonlyMap<string, DocumentKind> = kinds;

/** Returns whether a row is a payment from a customer or to a vendor. */
export function isPayment({ kind }: Pick<ActivityRow, 'kind'>): boolean {
  return KINDS.get(kind)?.records === 'payment';
}

/** A payment that increases the balance is a refund. */
function isRefund({ amount }: Pick<ActivityRow, 'amount'>): boolean {
  return amount > 0;
}

export function isJournal({ kind }: Pick<ActivityRow, 'kind'>): boolean {
  return kind === documentKinds.journal.source;
}

/** Returns the payment method: the check number, the payment type, or the reference. */
function meansOf({ checkNumber, paymentType, reference }: ActivityRow): string {
  if (checkNumber !== '') return `check ${checkNumber}`;
  return paymentType === '' || paymentType === 'Check' ? reference : paymentType;
}

/** Returns a row's name: "Invoice 1042", "Payment 546 · check 4471", or "Vendor credit 88-12". */
export function activityName(row: ActivityRow): string {
  const source = KINDS.get(row.kind)?.source;
  if (source === undefined) return `${row.kind} ${row.number}`;
  if (!isPayment(row)) return `${documentLabel(source, row.amount)} ${row.number}`;
  const means = meansOf(row);
  const name = `${itemLabel(source, row.amount)} ${row.number}`;
  return means === '' ? name : `${name} · ${means}`;
}

/** Returns the link target of a row's document, or undefined if no screen shows it. */
export function activityAddress(row: ActivityRow): { to: string; needs: Permission } | undefined {
  if (isJournal(row)) return { to: `/accounting?entry=${row.id}`, needs: 'View Accounting' };
  return documentAddress(row.kind, row.id);
}

/** Returns "Applied to invoice 10391" or "Applied to invoices 10391, 10392 and 4 more". */
function appliedWords({ appliedTo, appliedCount }: ActivityRow, document: string): string {
  if (appliedCount === 0) return 'Not applied yet';
  const more = appliedCount - appliedTo.length;
  const others = more > 0 ? ` and ${more} more` : '';
  return `Applied to ${appliedCount === 1 ? document : `${document}s`} ${appliedTo.join(', ')}${others}`;
}

/**
 * The line below a name: facts such as the documents that a payment was applied to, and the description, which may be
 * truncated.
 */
interface Detail {
  facts: string;
  description: string;
}

/** Returns both parts as one text. */
export const detailWords = ({ facts, description }: Detail): string => [facts, description].filter(Boolean).join(' · ');

/** Returns the line below the name. `document` is the word that the side uses for a document. */
export function activityDetail(row: ActivityRow, document: string): Detail {
  const { amount, openAmount, dueDate, description } = row;
  const plain = { facts: '', description };
  if (isJournal(row)) return plain;
  if (isPayment(row) && isRefund(row)) {
    return row.appliedCount === 0 ? plain : { facts: `From credit ${row.appliedTo.join(', ')}`, description: '' };
  }
  if (isPayment(row)) {
    const left =
      openAmount === 0 || row.appliedCount === 0 ? '' : `; ${formatAmount(negate(openAmount))} remaining credit`;
    const discount =
      row.discountAmount === undefined ? '' : `; including a discount of ${formatAmount(negate(row.discountAmount))}`;
    return { facts: `${appliedWords(row, document)}${discount}${left}`, description: '' };
  }
  if (openAmount <= 0) return plain;
  const due = dueDate === null ? '' : `due ${formatDate(dueDate)}`;
  const unpaid = openAmount === amount ? '' : `${formatAmount(openAmount)} unpaid`;
  return { facts: capital([unpaid, due].filter(Boolean).join(', ')), description };
}
