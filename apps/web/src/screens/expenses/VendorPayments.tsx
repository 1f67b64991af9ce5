import type { HistoryRow } from '@evenkeel/contract/subledger';
import { sum } from '@evenkeel/core/money';
import { useRead } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { Loaded } from '../../records/Loaded.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { EXPENSES } from './records.ts';

/** The vendor's Payments tab: the payments and refunds with their unapplied amounts, newest first. */
export function VendorPayments({ entityId }: { entityId: number }) {
  const read = useRead(EXPENSES.history(entityId), { alert: 'Error Loading Payments' });
  return <Loaded read={read}>{(rows) => <Payments rows={rows.filter(({ kind }) => kind === 'payment')} />}</Loaded>;
}

function Payments({ rows }: { rows: readonly HistoryRow[] }) {
  const seesExpenses = useMay()('View Expenses');
  if (rows.length === 0) return <EmptyState title="No payments" hint="Payments to this vendor appear here." />;
  const link = ({ id, refNumber }: HistoryRow) =>
    seesExpenses ? (
      <NameLink to={`/expenses?payment=${id}`} isNumber>
        {refNumber}
      </NameLink>
    ) : (
      refNumber
    );
  return (
    <MiniTable<HistoryRow>
      columns={[
        { header: 'Number', render: link },
        { header: 'Payment Date', render: (row) => <DateText value={row.historyDate} />, className: 'ek-num' },
        { header: 'Amount', render: (row) => <Amount value={row.amount} />, right: true },
        { header: 'Unapplied', render: (row) => <Amount value={row.balance} zero="dash" />, right: true },
      ]}
      rows={rows}
      keyOf={(row) => row.id}
      total={{ label: 'Unapplied', value: <Amount value={sum(rows.map((row) => row.balance))} /> }}
    />
  );
}
