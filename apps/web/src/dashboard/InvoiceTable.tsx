import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { Link } from 'react-router';
import { InvoiceBadge } from '../badges.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';

export interface InvoiceTableProps {
  label: string;
  rows: readonly BillingInvoiceRow[];
  /** Which amount: what is left to pay, or the whole. */
  show: 'openAmount' | 'invoiceAmount';
}

/** A few invoices on two lines each; the number opens the invoice on the billing page. */
export function InvoiceTable({ label, rows, show }: InvoiceTableProps) {
  return (
    <ul className="db-invoices" aria-label={label}>
      {rows.map((row) => (
        <li key={row.id}>
          <span className="db-who ek-ellipsis" title={row.customerDisplayName}>
            {row.customerDisplayName}
          </span>
          <span className="db-amount">
            <Amount value={row[show]} />
          </span>
          <span className="db-what">
            <Link to="/billing" state={{ itemId: row.id }} aria-label={`Invoice ${row.invoiceNumber}`}>
              {row.invoiceNumber}
            </Link>
            <DateText value={row.invoiceDate} />
          </span>
          <span className="db-state">
            <InvoiceBadge invoice={row} />
          </span>
        </li>
      ))}
    </ul>
  );
}
