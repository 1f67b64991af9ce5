import type { TaxPayment, TaxReturn } from '@evenkeel/contract/taxreturns';
import { formatDate } from '@evenkeel/core/dates';
import { invoice } from '@evenkeel/core/kinds/invoice';
import { displayPercentage } from '@evenkeel/core/documents/salestax';
import { cents, decimal, sum } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { recordAddress } from '../../parts/ledger/places.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { type MiniColumn, MiniTable } from '../../ui/table/MiniTable.tsx';

/** The tables on a return: its documents, tax items, payments, and changes since filing. */

type DocumentRow = TaxReturn['documents'][number];
type ItemRow = TaxReturn['items'][number];
type BadDebtRow = TaxReturn['badDebts'][number];
type ChangeRow = TaxReturn['changes'][number];

function DocumentName({ row }: { row: Pick<DocumentRow, 'kind' | 'documentId' | 'number'> }) {
  const to = recordAddress(row.kind, row.documentId);
  return to === undefined ? (
    row.number
  ) : (
    <NameLink label={`Open ${row.number}`} to={to} isNumber>
      {row.number}
    </NameLink>
  );
}

const DOCUMENT_COLUMNS: readonly MiniColumn<DocumentRow>[] = [
  {
    header: 'Document',
    render: (row) => (
      <>
        <DocumentName row={row} /> · {formatDate(row.date)}
        <span className="ek-second ek-small tx-note">{row.customer}</span>
      </>
    ),
  },
  { header: 'Taxable', right: true, render: (row) => <Amount value={cents(row.taxable + row.sinceTaxable)} /> },
  { header: 'Tax', right: true, render: (row) => <Amount value={cents(row.tax + row.sinceTax)} /> },
];

/** The documents on a return. */
export function Documents({ rows }: { rows: readonly DocumentRow[] }) {
  if (rows.length === 0) return null;
  const total = (amountOf: (row: DocumentRow) => number) => (
    <Amount value={sum(rows.map((row) => cents(amountOf(row))))} />
  );
  return (
    <section aria-label="Documents">
      <h3 className="tx-head">Documents</h3>
      <MiniTable
        label="Documents"
        columns={DOCUMENT_COLUMNS}
        rows={rows}
        keyOf={({ documentId }) => documentId}
        total={{
          label: 'Total',
          before: total((row) => row.taxable + row.sinceTaxable),
          value: total((row) => row.tax + row.sinceTax),
        }}
      />
    </section>
  );
}

const percent = (rate: string): string => displayPercentage(decimal(rate));

const ITEM_COLUMNS: readonly MiniColumn<ItemRow>[] = [
  { header: 'Tax Item', render: ({ label }) => label },
  { header: 'Rate', right: true, render: ({ rates }) => rates.map(percent).join(', ') || NOTHING },
  { header: 'Taxable', right: true, render: (row) => <Amount value={cents(row.taxable + row.sinceTaxable)} /> },
  { header: 'Tax', right: true, render: (row) => <Amount value={cents(row.tax + row.sinceTax)} /> },
];

/**
 * The amounts by tax item, because agencies ask for amounts by state, county, and city. They include changes since
 * filing.
 */
export function ItemTable({ rows }: { rows: readonly ItemRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label="Tax by item">
      <h3 className="tx-head">Tax by item</h3>
      <MiniTable
        label="Tax by item"
        columns={ITEM_COLUMNS}
        rows={rows}
        keyOf={({ itemId }) => itemId}
        total={{ label: 'Total', value: <Amount value={sum(rows.map((row) => cents(row.tax + row.sinceTax)))} /> }}
      />
    </section>
  );
}

const BAD_DEBT_COLUMNS: readonly MiniColumn<BadDebtRow>[] = [
  {
    header: 'Invoice',
    render: (row) => (
      <>
        <DocumentName row={{ kind: invoice.source, documentId: row.invoiceId, number: row.number }} /> ·{' '}
        {formatDate(row.date)}
        <span className="ek-second ek-small tx-note">
          {row.customer} · written off on {formatDate(row.writtenOffOn)}
        </span>
      </>
    ),
  },
  { header: 'Taxable', right: true, render: ({ taxable }) => <Amount value={taxable} /> },
  { header: 'Tax', right: true, render: ({ tax }) => <Amount value={tax} /> },
  { header: 'Written Off', right: true, render: ({ writtenOff }) => <Amount value={writtenOff} /> },
  { header: 'Recovered', right: true, render: ({ recovered }) => <Amount value={recovered} zero="blank" /> },
  { header: 'Credit', right: true, render: ({ credit }) => <Amount value={credit} /> },
];

/** The bad debts whose tax a return claims back, and claimed bad debts that customers have paid since then. */
export function BadDebts({ of: { badDebts: rows, badDebtRule } }: { of: Pick<TaxReturn, 'badDebts' | 'badDebtRule'> }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label="Bad debts">
      <h3 className="tx-head">Bad debts</h3>
      {badDebtRule !== '' && <p className="ek-muted ek-small">{badDebtRule}</p>}
      <MiniTable
        label="Bad debts"
        columns={BAD_DEBT_COLUMNS}
        rows={rows}
        keyOf={({ invoiceId }) => invoiceId}
        total={{ label: 'Total', value: <Amount value={sum(rows.map(({ credit }) => credit))} /> }}
      />
    </section>
  );
}

export interface PaymentsProps {
  rows: readonly TaxPayment[];
  onOpen: (payment: TaxPayment) => void;
}

/** The prepayments for a return, and its payments since filing. */
export function Payments({ rows, onOpen }: PaymentsProps) {
  if (rows.length === 0) return null;
  const columns: MiniColumn<TaxPayment>[] = [
    {
      header: 'Date',
      render: (row) => (
        <button type="button" className="ek-link" onClick={() => onOpen(row)}>
          {formatDate(row.paymentDate)}
        </button>
      ),
    },
    { header: 'Type', render: ({ returnId }) => (returnId === null ? 'Prepayment' : 'Payment') },
    { header: 'Amount', right: true, render: ({ amount }) => <Amount value={amount} /> },
  ];
  return (
    <section aria-label="Payments">
      <h3 className="tx-head">Payments</h3>
      <MiniTable label="Payments" columns={columns} rows={rows} keyOf={({ id }) => id} />
    </section>
  );
}

const CHANGE_COLUMNS: readonly MiniColumn<ChangeRow>[] = [
  {
    header: 'Document',
    render: (row) => (
      <>
        <DocumentName row={row} />
        {row.isDeleted && ' deleted'} · {formatDate(row.date)}
        <span className="ek-second ek-small tx-note">{row.customer}</span>
      </>
    ),
  },
  {
    header: 'Changed',
    render: ({ changedAt, changedBy }) => (
      <>
        <MomentText value={changedAt} />
        <span className="ek-second ek-small tx-note">{changedBy}</span>
      </>
    ),
  },
  { header: 'Taxable', right: true, render: ({ taxable }) => <Amount value={taxable} /> },
  { header: 'Tax', right: true, render: ({ tax }) => <Amount value={tax} /> },
];

/**
 * The documents of a filed period that have changed since filing, with the differences and the last change to each
 * document.
 */
export function Changes({ rows }: { rows: readonly ChangeRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label="Changes since filing">
      <h3 className="tx-head">Changes since filing</h3>
      <MiniTable
        label="Changes since filing"
        columns={CHANGE_COLUMNS}
        rows={rows}
        keyOf={({ documentId }) => documentId}
        total={{
          label: rows.length === 1 ? '1 change' : `${rows.length} changes`,
          before: <Amount value={sum(rows.map(({ taxable }) => taxable))} />,
          value: <Amount value={sum(rows.map(({ tax }) => tax))} />,
        }}
      />
    </section>
  );
}
