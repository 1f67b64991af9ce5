import { Link } from 'react-router';
import { Card } from '../ui/show/Card.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { InvoiceTable } from './InvoiceTable.tsx';
import { useDashboard } from './queries.ts';

/** The latest invoices by date, whatever their state; nothing in a company that has never billed. */
export function RecentInvoices() {
  const { figures, error, retry } = useDashboard();
  const rows = figures?.billing?.recent;
  if (rows?.length === 0) return null;
  return (
    <Card title="Recent Invoices" actions={<Link to="/billing">Billing</Link>}>
      {error !== undefined && <ErrorState message={error} onRetry={retry} />}
      {error === undefined && figures === undefined && <p role="status">Loading...</p>}
      {error === undefined && rows !== undefined && (
        <InvoiceTable label="Recent invoices" rows={rows} show="invoiceAmount" />
      )}
    </Card>
  );
}
