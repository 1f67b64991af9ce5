import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { Status, type StatusLook } from '../ui/show/Status.tsx';

const LOOKS: Readonly<Record<string, StatusLook>> = {
  Draft: 'draft',
  Open: 'open',
  Sent: 'sent',
  'On Hold': 'hold',
  'Partially paid': 'partial',
  Paid: 'done',
  Credit: 'open',
  Applied: 'done',
  Overdue: 'late',
  Void: 'void',
  Accepted: 'partial',
  Declined: 'plain',
  Expired: 'low',
  Invoiced: 'done',
};

/** Returns the text of a badge, for example "Overdue 72 days". */
export function badgeText({ badge, daysOverdue }: Pick<BillingInvoiceRow, 'badge' | 'daysOverdue'>): string {
  if (badge !== 'Overdue') return badge;
  return `Overdue ${daysOverdue} ${daysOverdue === 1 ? 'day' : 'days'}`;
}

/** The status badge of an invoice. The server calculates the status for today. */
export function InvoiceBadge({ invoice }: { invoice: Pick<BillingInvoiceRow, 'badge' | 'daysOverdue'> }) {
  return <Status look={LOOKS[invoice.badge] ?? 'plain'}>{badgeText(invoice)}</Status>;
}
