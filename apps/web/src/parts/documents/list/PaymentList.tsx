import type { PaymentRow } from '@evenkeel/contract/subledger';
import { REFUND } from '@evenkeel/core/documents/side';
import { useMemo } from 'react';
import { type OpenRecord, useAddressSort } from '../../../records/openRecord.ts';
import { useList } from '../../../records/records.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../../ui/table/RowList.tsx';
import { documentRowId, entityColumn, numberColumn } from './documentColumns.tsx';
import type { DocumentSide } from '../side.ts';

const NEWEST_FIRST = { id: 'paymentDate', desc: true };

/** Returns "check 4471", or the reference number. */
const referenceOf = ({ paymentCheckNo, paymentRefNo }: PaymentRow): string =>
  paymentCheckNo === '' ? paymentRefNo : `check ${paymentCheckNo}`;

/** Returns the payment number, such as "12", or "Refund 12" for a refund. */
const nameOf = ({ paymentNumber, paymentAmount }: PaymentRow): string =>
  paymentAmount < 0 ? `${REFUND} ${paymentNumber}` : paymentNumber;

function paymentColumns(side: DocumentSide, payment: OpenRecord): readonly Column<PaymentRow>[] {
  const money = { kind: 'amount', total: 'sum', width: '120px' } as const;
  const number = { id: 'paymentNumber', header: 'Payment', width: '120px' };
  return [
    numberColumn(payment, number, nameOf),
    entityColumn(side, 'entityDisplayName', (row) => ({ id: row.entityId, name: row.entityDisplayName })),
    { id: 'reference', header: 'Reference', value: referenceOf },
    { id: 'paymentDate', header: 'Payment Date', kind: 'date', value: (row) => row.paymentDate },
    { ...money, id: 'paymentAmount', header: 'Amount', value: (row) => row.paymentAmount },
    { ...money, id: 'unappliedAmount', header: 'Unapplied', value: (row) => row.unappliedAmount },
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

export interface PaymentListProps {
  side: DocumentSide;
  payment: OpenRecord;
  filter: string;
  onEscape: () => void;
}

/** All payments on one side, newest first, with their unapplied amounts. */
export function PaymentList({ side, payment, filter, onEscape }: PaymentListProps) {
  const { value, error, retry } = useList(side.payments);
  const columns = useMemo(() => paymentColumns(side, payment), [side, payment]);
  return (
    <DataTable<PaymentRow>
      label="Payments"
      columns={columns}
      rows={value}
      rowId={documentRowId}
      onOpen={(row) => payment.open(row.id)}
      onEscape={onEscape}
      selectedId={payment.id === undefined ? undefined : String(payment.id)}
      {...useAddressSort(NEWEST_FIRST)}
      filter={filter}
      error={error}
      onRetry={retry}
      empty={{ title: 'No payments', hint: 'Payments appear here after you post them.' }}
      count={(rows) => counted(rows, side.payments.words)}
      phoneRow={phoneRow}
    />
  );
}
