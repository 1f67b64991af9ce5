import { type Cents, negate, sum } from '@evenkeel/core/money';
import { InvoiceBadge } from '../../parts/badges.tsx';
import { useMay } from '../../client/session.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { EmptyState, ErrorState } from '../../ui/show/EmptyState.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';
import { useCustomerHistory } from './customers.ts';

type HistoryRow = NonNullable<ReturnType<typeof useCustomerHistory>['value']>[number];

/** Returns the amount with its sign. Payments are negative, so that the balances add up to the customer's balance. */
export function signed(row: Pick<HistoryRow, 'kind'>, amount: Cents): Cents {
  return row.kind === 'payment' && amount !== 0 ? negate(amount) : amount;
}

const COLUMNS: readonly MiniColumn<HistoryRow>[] = [
  { header: 'Invoice Number', render: (row) => <HistoryName row={row} /> },
  { header: 'Date', render: (row) => <DateText value={row.historyDate} />, className: 'ek-num' },
  { header: 'Amount', render: (row) => <Amount value={signed(row, row.amount)} />, right: true },
  { header: 'Balance', render: (row) => <Amount value={signed(row, row.balance)} zero="dash" />, right: true },
];

/** The customer's Invoices tab with Invoice Number, Date, Amount, and Balance, newest first. Includes payments. */
export function CustomerInvoices({ entityId }: { entityId: number }) {
  const { value: rows, error, retry } = useCustomerHistory(entityId);
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (rows === undefined) return <p role="status">Loading...</p>;
  if (rows.length === 0) return <EmptyState title="No invoices" hint="Invoices for this customer appear here." />;
  const balance = <Amount value={sum(rows.map((row) => signed(row, row.balance)))} />;
  const keyOf = (row: HistoryRow) => `${row.kind} ${row.id}`;
  return <MiniTable columns={COLUMNS} rows={rows} keyOf={keyOf} total={{ label: 'Balance', value: balance }} />;
}

/** The names in the navigation state that open records on the billing screen. */
const ASKED_AS: Readonly<Record<HistoryRow['kind'], string>> = {
  invoice: 'itemId',
  credit: 'creditId',
  payment: 'paymentId',
};

function HistoryName({ row }: { row: HistoryRow }) {
  const seesBilling = useMay()('View Billing');
  const words = row.kind === 'payment' ? `Payment ${row.refNumber}` : row.refNumber;
  const name = seesBilling ? (
    <NameLink to="/billing" state={{ [ASKED_AS[row.kind]]: row.id }} isNumber>
      {words}
    </NameLink>
  ) : (
    words
  );
  if (row.badge === '') return name;
  return (
    <>
      {name} <InvoiceBadge invoice={{ badge: row.badge, daysOverdue: 0 }} />
    </>
  );
}
