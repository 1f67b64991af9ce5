import type { Receipt } from '@evenkeel/contract/transfers';
import type { Read } from '../../client/api.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useSelection } from '../../ui/table/useSelection.tsx';
import { sourceLabel } from '../ledger/sources.ts';
import type { DepositForm } from './depositForm.ts';
import { receiptKey } from './moves.ts';

const WORDS = { one: 'receipt', many: 'receipts' };
const SUMS = ['amount'];
const EMPTY = {
  title: 'No receipts to deposit',
  hint: 'Payments in Undeposited Funds appear here until you deposit them.',
};

const documentOf = (row: Receipt): string => `${sourceLabel(row.sourceType)} ${row.number}`;

/** Returns the payer's name, or the memo or document if there is no payer. */
const payerOf = (row: Receipt): string => row.payer || row.memo || documentOf(row);

const COLUMNS: readonly Column<Receipt>[] = [
  { id: 'receiptDate', header: 'Date', kind: 'date', value: (row) => row.receiptDate, rank: 0 },
  { id: 'payer', header: 'Received From', value: payerOf, rank: 0 },
  { id: 'document', header: 'Document', value: documentOf, rank: 2, width: '150px', quiet: true },
  { id: 'referenceNumber', header: 'Check/Ref', value: (row) => row.referenceNumber, rank: 1, width: '120px' },
  { id: 'amount', header: 'Amount', kind: 'amount', value: (row) => row.amount, total: 'sum', width: '130px' },
];

const phoneRow = (row: Receipt) => ({
  title: payerOf(row),
  amount: <Amount value={row.amount} />,
  detail: documentOf(row),
  aside: <DateText value={row.receiptDate} />,
});

const countOf = (rows: number): string => `${rows} to deposit`;

export interface ReceiptsProps {
  form: RecordForm<DepositForm>;
  receipts: readonly Receipt[];
  /** The request for the undeposited receipts, and its state. */
  read: Read<readonly Receipt[]>;
}

/** The receipts in Undeposited Funds, with a checkbox to include each one in the deposit. */
export function Receipts({ form, receipts, read }: ReceiptsProps) {
  const shared = { rows: receipts, columns: COLUMNS, rowId: receiptKey };
  const onChange = (ids: readonly string[]) => form.change((values) => ({ ...values, receipts: [...ids] }));
  const selection = useSelection({
    ...shared,
    words: WORDS,
    sums: SUMS,
    kept: { ids: form.values.receipts, onChange },
  });
  const isFailed = read.error !== undefined && receipts.length === 0;
  return (
    <section className="bk-part" aria-label="Receipts">
      <h3>Receipts</h3>
      <div className="bk-receipts">
        <DataTable
          {...shared}
          label="Receipts to deposit"
          selection={form.isReadOnly ? undefined : selection}
          phoneRow={phoneRow}
          count={countOf}
          empty={EMPTY}
          {...(isFailed ? { error: read.error, onRetry: () => void read.retry() } : {})}
        />
      </div>
    </section>
  );
}
