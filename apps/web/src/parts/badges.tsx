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

interface InvoiceBadgeProps {
  invoice: Pick<BillingInvoiceRow, 'badge' | 'daysOverdue'>;
  /** Whether the word Overdue is a separate element, which a style sheet hides where space is limited. */
  isSplit?: boolean;
}

/** The status badge of an invoice. The server calculates the status for today. */
export function InvoiceBadge({ invoice, isSplit = false }: InvoiceBadgeProps) {
  const text = badgeText(invoice);
  const word = 'Overdue ';
  return (
    <Status look={LOOKS[invoice.badge] ?? 'plain'}>
      {isSplit && text.startsWith(word) ? (
        <span title={text}>
          <span className="ek-badge-word">{word}</span>
          {text.slice(word.length)}
        </span>
      ) : (
        text
      )}
    </Status>
  );
}
