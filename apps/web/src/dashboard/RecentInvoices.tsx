import { Link } from 'react-router';
import { Card } from '../ui/show/Card.tsx';
import type { BillingFigures } from './figures.ts';
import { InvoiceTable } from './InvoiceTable.tsx';

/** The latest invoices by date, whatever their state; nothing in a company that has never billed. */
export function RecentInvoices({ rows }: { rows: BillingFigures['recent'] }) {
  if (rows.length === 0) return null;
  return (
    <Card title="Recent Invoices" actions={<Link to="/billing">Billing</Link>}>
      <InvoiceTable label="Recent invoices" rows={rows} show="invoiceAmount" />
    </Card>
  );
}
