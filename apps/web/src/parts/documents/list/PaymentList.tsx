import { type PaymentPart, type PaymentRow, RECENT_DAYS } from '@evenkeel/contract/subledger';
import { REFUND } from '@evenkeel/core/documents/side';
import { type ReactNode, useMemo } from 'react';
import { type OpenRecord, useAddressChoice, useAddressSort } from '../../../records/openRecord.ts';
import { useList } from '../../../records/records.ts';
import { type Chip, Chips } from '../../../ui/page/Chips.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { Status, type StatusLook } from '../../../ui/show/Status.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../../ui/table/RowList.tsx';
import { useSelection } from '../../../ui/table/useSelection.tsx';
import { documentRowId, entityColumn, numberColumn } from './documentColumns.tsx';
import type { DocumentSide } from '../side.ts';

const NEWEST_FIRST = { id: 'paymentDate', desc: true };

/** Returns the check number, for example "check 4471", or the reference number. */
const referenceOf = ({ paymentCheckNo, paymentRefNo }: PaymentRow): string =>
  paymentCheckNo === '' ? paymentRefNo : `check ${paymentCheckNo}`;

/** Columns with a higher rank are hidden first: Ref Number, then Account, then Number. */
const RANKS = { reference: 9, accountName: 8, paymentNumber: 7 };

/** Returns the Ref Number column. A check number is shown without a label, because the payment type is next to it. */
const referenceColumn = ({ core }: DocumentSide): Column<PaymentRow> => ({
  id: 'reference',
  header: 'Ref Number',
  value: (row) => (core.hasPaymentTypes ? row.paymentCheckNo || row.paymentRefNo : referenceOf(row)),
  width: '112px',
  quiet: true,
  rank: RANKS.reference,
});

/** Returns the payment number, such as "12", or "Refund 12" for a refund. */
const nameOf = ({ paymentNumber, paymentAmount }: PaymentRow): string =>
  paymentAmount < 0 ? `${REFUND} ${paymentNumber}` : paymentNumber;

const STATES: Record<PaymentRow['state'], { label: string; look: StatusLook }> = {
  undeposited: { label: 'Not deposited', look: 'low' },
  deposited: { label: 'Deposited', look: 'sent' },
  reconciled: { label: 'Reconciled', look: 'done' },
};

/** The deposit status of a payment. A payment to a vendor leaves its account immediately, so it is shown as Posted. */
const stateOf = ({ core }: DocumentSide, { state }: PaymentRow) =>
  core.hasPaymentTypes || state !== 'deposited' ? STATES[state] : { label: 'Posted', look: 'open' as const };

function paymentColumns(side: DocumentSide, payment: OpenRecord): readonly Column<PaymentRow>[] {
  const money = { kind: 'amount', total: 'sum', width: '120px' } as const;
  const number = { id: 'paymentNumber', header: 'Number', width: '104px' };
  const type: Column<PaymentRow> = {
    id: 'paymentType',
    header: 'Payment Type',
    value: (row) => row.paymentType,
    width: '120px',
  };
  return [
    { id: 'paymentDate', header: 'Date', kind: 'date', value: (row) => row.paymentDate, rank: 0 },
    { ...numberColumn(payment, number, nameOf), rank: RANKS.paymentNumber },
    {
      ...entityColumn(side, 'entityDisplayName', (row) => ({ id: row.entityId, name: row.entityDisplayName })),
      rank: 0,
    },
    ...(side.core.hasPaymentTypes ? [type] : []),
    referenceColumn(side),
    { id: 'accountName', header: 'Account', value: (row) => row.accountName, width: '184px', rank: RANKS.accountName },
    {
      id: 'state',
      header: 'State',
      kind: 'status',
      sortable: false,
      value: (row) => stateOf(side, row).label,
      render: (row) => <Status look={stateOf(side, row).look}>{stateOf(side, row).label}</Status>,
    },
    {
      ...money,
      id: 'unappliedAmount',
      header: 'Unapplied',
      value: (row) => row.unappliedAmount,
      render: (row) => <Amount value={row.unappliedAmount} zero="dash" />,
    },
    { ...money, id: 'paymentAmount', header: 'Amount', value: (row) => row.paymentAmount },
  ];
}

function phoneRow(row: PaymentRow): PhoneRow {
  const detail = (
    <>
      {nameOf(row)} · <DateText value={row.paymentDate} /> {referenceOf(row)}
    </>
  );
  return { title: row.entityDisplayName, amount: <Amount value={row.paymentAmount} />, detail };
}

const CHIPS = [
  { value: 'received', label: 'All' },
  { value: 'recent', label: `Last ${RECENT_DAYS} days` },
  { value: 'undeposited', label: 'Not deposited' },
  { value: 'unapplied', label: 'Unapplied' },
  { value: 'refund', label: 'Refunds' },
] as const;

/** Refunds to customers are on the Credits tab, and only payments from customers can wait for a deposit. */
const HIDDEN: Record<DocumentSide['core']['name'], PaymentPart> = { receivable: 'refund', payable: 'undeposited' };

/** Returns the payment filter in the URL. */
function usePart() {
  return useAddressChoice<PaymentPart>('part', ['received', 'recent', 'undeposited', 'unapplied', 'refund']);
}

/** The filter chips for payments, with their counts and amounts. */
export function PaymentChips({ side }: { side: DocumentSide }) {
  const [part, choose] = usePart();
  const { parts } = useList({ ...side.payments, list: side.payments.part(part) });
  const chips = CHIPS.filter(({ value }) => value !== HIDDEN[side.core.name]).map((chip): Chip<PaymentPart> => ({
    ...chip,
    part: parts?.[chip.value],
  }));
  return <Chips label="List filters" chips={chips} value={part} onChange={choose} />;
}

export interface PaymentListProps {
  side: DocumentSide;
  payment: OpenRecord;
  filter: string;
  onEscape: () => void;
  /** Returns the buttons for selected payments. If omitted, payments can't be selected. */
  actions?: ((rows: readonly PaymentRow[], clear: () => void) => ReactNode) | undefined;
}

/** The payments from customers or to vendors, newest first, with their unapplied amounts. */
export function PaymentList({ side, payment, filter, onEscape, actions }: PaymentListProps) {
  const [part] = usePart();
  const { value, error, retry } = useList({ ...side.payments, list: side.payments.part(part) });
  const columns = useMemo(() => paymentColumns(side, payment), [side, payment]);
  const shared = { rows: value, columns, rowId: documentRowId, filter };
  const selection = useSelection<PaymentRow>({
    ...shared,
    words: side.payments.words,
    sums: ['paymentAmount'],
    ...(actions && { actions }),
  });
  return (
    <DataTable<PaymentRow>
      key={part}
      label="Payments"
      {...shared}
      selection={actions && selection}
      onOpen={(row) => payment.open(row.id)}
      onEscape={onEscape}
      selectedId={payment.id === undefined ? undefined : String(payment.id)}
      {...useAddressSort(NEWEST_FIRST)}
      error={error}
      onRetry={retry}
      empty={{ title: 'No payments', hint: 'Payments appear here after you post them.' }}
      count={(rows) => counted(rows, side.payments.words)}
      phoneRow={phoneRow}
    />
  );
}
