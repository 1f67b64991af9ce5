import { expenseCalls } from '@evenkeel/contract/expenses';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { sum } from '@evenkeel/core/money';
import { ask, useRead } from '../../client/api.ts';
import { Loaded } from '../../records/Loaded.tsx';
import { useMay } from '../../client/session.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';

/** The vendor's Invoices tab with Invoice Number, Invoice Date, and Amount, newest first. */
export function VendorInvoices({ entityId }: { entityId: number }) {
  const asked = ask(expenseCalls.vendorInvoices, { params: { vendorId: entityId }, query: {} });
  const read = useRead(asked, { alert: 'Error Loading Vendor Invoices' });
  return <Loaded read={read}>{(rows) => <Bills rows={rows} />}</Loaded>;
}

type Row = ReplyOf<typeof expenseCalls.vendorInvoices>[number];

function Bills({ rows }: { rows: readonly Row[] }) {
  const seesExpenses = useMay()('View Expenses');
  if (rows.length === 0) return <EmptyState title="No bills" hint="Bills from this vendor appear here." />;
  const link = ({ id, invoiceNumber, voided }: Row) => (
    <>
      {seesExpenses ? (
        <NameLink to="/expenses" state={{ itemId: id }} isNumber>
          {invoiceNumber}
        </NameLink>
      ) : (
        invoiceNumber
      )}
      {voided && <Status look="void">Void</Status>}
    </>
  );
  return (
    <MiniTable<Row>
      columns={[
        { header: 'Invoice Number', render: link },
        { header: 'Invoice Date', render: (row) => <DateText value={row.invoiceDate} />, className: 'ek-num' },
        { header: 'Amount', render: (row) => <Amount value={row.invoiceAmount} />, right: true },
      ]}
      rows={rows}
      keyOf={(row) => row.id}
      total={{
        label: 'Total',
        value: <Amount value={sum(rows.filter(({ voided }) => !voided).map((row) => row.invoiceAmount))} />,
      }}
    />
  );
}
