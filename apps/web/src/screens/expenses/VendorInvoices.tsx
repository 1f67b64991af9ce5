import { expenseCalls } from '@evenkeel/contract/expenses';
import { sum } from '@evenkeel/core/money';
import { useRead } from '../../client/api.ts';
import { useLoadAlert } from '../../records/reads.ts';
import { useMay } from '../../client/session.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { EmptyState, ErrorState } from '../../ui/show/EmptyState.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';

/** The vendor invoices tab: Invoice Number, Invoice Date, Amount, newest first (Specification part 1 §2). */
export function VendorInvoices({ entityId }: { entityId: number }) {
  const read = useRead(expenseCalls.vendorInvoices, { params: { vendorId: entityId }, query: {} });
  const error = useLoadAlert(read.error, 'Error Loading Vendor Invoices');
  const seesExpenses = useMay()('View Expenses');
  const rows = read.data;
  if (error !== undefined) return <ErrorState message={error} onRetry={() => void read.refetch()} />;
  if (rows === undefined) return <p role="status">Loading...</p>;
  if (rows.length === 0) return <EmptyState title="No invoices" hint="What this vendor bills stands here." />;
  const link = ({ id, invoiceNumber }: (typeof rows)[number]) =>
    seesExpenses ? (
      <NameLink to="/expenses" state={{ itemId: id }} isNumber>
        {invoiceNumber}
      </NameLink>
    ) : (
      invoiceNumber
    );
  return (
    <MiniTable<(typeof rows)[number]>
      columns={[
        { header: 'Invoice Number', render: link },
        { header: 'Invoice Date', render: (row) => <DateText value={row.invoiceDate} />, className: 'ek-num' },
        { header: 'Amount', render: (row) => <Amount value={row.invoiceAmount} />, right: true },
      ]}
      rows={rows}
      keyOf={(row) => row.id}
      total={{ label: 'Total', value: <Amount value={sum(rows.map((row) => row.invoiceAmount))} /> }}
    />
  );
}
