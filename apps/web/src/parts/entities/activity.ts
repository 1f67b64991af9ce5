import type { Permission } from '@evenkeel/contract/areas';
import type { ActivityRow } from '@evenkeel/contract/subledger';
import { formatDate } from '@evenkeel/core/dates';
import { formatAmount, negate } from '@evenkeel/core/money';
import { documentKinds, REFUND } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { documentAddress, sourceLabel } from '../ledger/sources.ts';

/** Formats the activity rows of a customer or vendor. */

const KINDS: ReadonlyMap<string, DocumentKind> = new Map(Object.entries(documentKinds));

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

/** Returns a row's name: "Invoice 1042", "Payment 546 · check 4471", or "Bill 88-12". */
export function activityName(row: ActivityRow): string {
  if (!isPayment(row)) return `${sourceLabel(row.kind)} ${row.number}`;
  const means = meansOf(row);
  const name = `${isRefund(row) ? REFUND : 'Payment'} ${row.number}`;
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

/** Returns the text below the name. `document` is the side's word for a document. */
export function activityDetail(row: ActivityRow, document: string): string {
  const { amount, openAmount, dueDate, description } = row;
  if (isJournal(row)) return description;
  if (isPayment(row) && isRefund(row)) {
    return row.appliedCount === 0 ? description : `From credit ${row.appliedTo.join(', ')}`;
  }
  if (isPayment(row)) {
    const left =
      openAmount === 0 || row.appliedCount === 0 ? '' : `; ${formatAmount(negate(openAmount))} remaining credit`;
    const discount =
      row.discountAmount === undefined ? '' : `; including a discount of ${formatAmount(negate(row.discountAmount))}`;
    return `${appliedWords(row, document)}${discount}${left}`;
  }
  if (openAmount <= 0) return description;
  const due = dueDate === null ? '' : `due ${formatDate(dueDate)}`;
  const unpaid = openAmount === amount ? '' : `${formatAmount(openAmount)} unpaid`;
  // The part that needs action comes first.
  return [[unpaid, due].filter(Boolean).join(', '), description].filter(Boolean).join(' · ');
}
