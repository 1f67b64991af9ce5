import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { documentRowId, phoneRowOf } from '../../../parts/documents/list/documentColumns.tsx';
import { titled } from '../../../parts/documents/side.ts';
import { type OpenRecord, useAddressSort } from '../../../records/openRecord.ts';
import type { ListRead } from '../../../records/records.ts';
import { DateText } from '../../../ui/show/DateText.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { useSelection } from '../../../ui/table/useSelection.tsx';
import { BILLING } from '../records.ts';
import { type SentKind, useSendSeveral } from './SendSeveral.tsx';

const NEWEST_FIRST = { id: 'invoiceDate', desc: true };

const phoneRow = phoneRowOf<BillingInvoiceRow>({
  side: BILLING,
  canPay: () => false,
  amount: (row) => row.invoiceAmount,
  detail: (row) => (
    <>
      {row.invoiceNumber} · <DateText value={row.invoiceDate} />
    </>
  ),
});

/** The list props that the screen provides. */
export interface SentListPlace {
  filter: string;
  onAdd: (() => void) | undefined;
  /** Whether the user can send documents. */
  manages: boolean;
  onEscape: () => void;
}

interface SentListProps<Row> extends SentListPlace {
  kind: SentKind;
  record: OpenRecord;
  read: ListRead<Row>;
  columnsOf: (record: OpenRecord) => readonly Column<Row>[];
  empty: { title: string; hint: string; add: string };
}

/**
 * A list of documents of a kind that can be sent but not paid, newest first. Selecting a row opens its panel, and the
 * documents in checked rows can be emailed.
 */
export function SentList<Row extends BillingInvoiceRow>({ kind, record, read, ...props }: SentListProps<Row>) {
  const { columnsOf, empty, filter, onAdd, manages, onEscape } = props;
  const { value, error, retry } = read;
  const columns = useMemo(() => columnsOf(record), [columnsOf, record]);
  const sending = useSendSeveral(kind);
  const selection = useSelection<Row>({
    rows: value,
    columns,
    rowId: documentRowId,
    filter,
    words: kind.words,
    actions: sending.button,
  });
  return (
    <>
      <DataTable<Row>
        selection={manages ? selection : undefined}
        label={titled(kind.words.many)}
        columns={columns}
        rows={value}
        rowId={documentRowId}
        onOpen={(row) => record.open(row.id)}
        onEscape={onEscape}
        selectedId={record.id === undefined ? undefined : String(record.id)}
        {...useAddressSort(NEWEST_FIRST)}
        filter={filter}
        error={error}
        onRetry={retry}
        empty={{
          title: empty.title,
          hint: empty.hint,
          action: onAdd === undefined ? undefined : <Button onClick={onAdd}>{empty.add}</Button>,
        }}
        count={(rows) => counted(rows, kind.words)}
        phoneRow={phoneRow}
      />
      {sending.dialog}
    </>
  );
}
