import { Link } from 'react-router';
import { Card } from '../ui/show/Card.tsx';
import { EmptyState, ErrorState } from '../ui/show/EmptyState.tsx';
import { InvoiceTable } from './InvoiceTable.tsx';
import { useRecentInvoices } from './queries.ts';

/** How many are listed. */
export const RECENT = 6;

/** The latest invoices by date, whatever their state. */
export function RecentInvoices() {
  const { rows, error, retry } = useRecentInvoices(RECENT);
  return (
    <Card title="Recent Invoices" actions={<Link to="/billing">Billing</Link>}>
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {error === undefined && rows === undefined && <p role="status">Loading...</p>}
      {error === undefined && rows?.length === 0 && (
        <EmptyState title="No invoices yet" hint="The invoices that you make last stand here." />
      )}
      {error === undefined && rows !== undefined && rows.length > 0 && (
        <InvoiceTable label="Recent invoices" rows={rows} show="invoiceAmount" />
      )}
    </Card>
  );
}
