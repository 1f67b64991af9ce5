import { Link } from 'react-router';
import { Card } from '../ui/show/Card.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { InvoiceTable } from './InvoiceTable.tsx';
import { useRecentInvoices } from './queries.ts';

/** How many are listed. */
export const RECENT = 6;

/** The latest invoices by date, whatever their state; nothing in a company that has never billed. */
export function RecentInvoices() {
  const { rows, error, retry } = useRecentInvoices(RECENT);
  if (rows?.length === 0) return null;
  return (
    <Card title="Recent Invoices" actions={<Link to="/billing">Billing</Link>}>
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {error === undefined && rows === undefined && <p role="status">Loading...</p>}
      {error === undefined && rows !== undefined && (
        <InvoiceTable label="Recent invoices" rows={rows} show="invoiceAmount" />
      )}
    </Card>
  );
}
