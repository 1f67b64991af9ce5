import { sum, type Cents, negate } from '@evenkeel/core/money';
import { useNavigate } from 'react-router';
import { useMay } from '../session.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { EmptyState, ErrorState } from '../ui/show/EmptyState.tsx';
import { useCustomerHistory } from './queries.ts';

type HistoryRow = NonNullable<ReturnType<typeof useCustomerHistory>['rows']>[number];

/** Money received counts against what was billed, so that the balances add up to what the customer owes. */
export function signed(row: { kind: 'invoice' | 'payment' }, amount: Cents): Cents {
  return row.kind === 'payment' && amount !== 0 ? negate(amount) : amount;
}

/** The customer invoices tab: Invoice Number, Date, Amount, Balance, newest first; payments stand among them. */
export function CustomerInvoices({ customerId }: { customerId: number }) {
  const { rows, error, retry } = useCustomerHistory(customerId);
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (rows === undefined) return <p role="status">Loading...</p>;
  if (rows.length === 0) return <EmptyState title="No invoices" hint="What is billed to this customer stands here." />;
  return (
    <table className="ek-mini">
      <thead>
        <tr>
          <th scope="col">Invoice Number</th>
          <th scope="col">Date</th>
          <th scope="col" data-right>
            Amount
          </th>
          <th scope="col" data-right>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <HistoryLine key={`${row.kind} ${row.id}`} row={row} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>Balance</td>
          <td data-right>
            <Amount value={sum(rows.map((row) => signed(row, row.balance)))} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function HistoryLine({ row }: { row: HistoryRow }) {
  return (
    <tr>
      <td>
        <HistoryName row={row} />
      </td>
      <td className="ek-num">
        <DateText value={row.historyDate} />
      </td>
      <td data-right>
        <Amount value={signed(row, row.amount)} />
      </td>
      <td data-right>
        <Amount value={signed(row, row.balance)} zero="dash" />
      </td>
    </tr>
  );
}

function HistoryName({ row }: { row: HistoryRow }) {
  const navigate = useNavigate();
  const seesBilling = useMay()('View Billing');
  if (row.kind === 'payment') return <span className="ek-second">Payment {row.refNumber}</span>;
  if (!seesBilling) return row.refNumber;
  const open = () => void navigate('/billing', { state: { itemId: row.id } });
  return (
    <button type="button" className="ek-link ek-num" onClick={open}>
      {row.refNumber}
    </button>
  );
}
