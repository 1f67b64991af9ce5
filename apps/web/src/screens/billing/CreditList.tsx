import type { BillingCreditRow } from '@evenkeel/contract/credits';
import { sendingFault } from '@evenkeel/core/invoice';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import {
  AMOUNT,
  documentRowId,
  entityColumn,
  numberColumn,
  phoneRowOf,
  statusColumn,
} from '../../parts/documents/documentColumns.tsx';
import { entityOf } from '../../parts/documents/side.ts';
import { type OpenRecord, useAddressSort } from '../../records/openRecord.ts';
import { useList } from '../../records/records.ts';
import { DateText } from '../../ui/show/DateText.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useSelection } from '../../ui/table/useSelection.tsx';
import { BILLING, CREDITS } from './records.ts';
import { type SentKind, useSendSeveral } from './SendSeveral.tsx';

const NEWEST_FIRST = { id: 'invoiceDate', desc: true };

function columnsOf(credit: OpenRecord): readonly Column<BillingCreditRow>[] {
  const number = { id: 'invoiceNumber', header: 'Credit Memo', width: '134px' };
  return [
    numberColumn(credit, number, (row) => row.invoiceNumber),
    entityColumn(BILLING, 'customerDisplayName', entityOf),
    statusColumn('arBillingStatus', 'Status'),
    { id: 'invoiceDate', header: 'Credit Date', kind: 'date', value: (row) => row.invoiceDate },
    AMOUNT,
    {
      id: 'openAmount',
      header: 'Credit Left',
      kind: 'amount',
      width: '120px',
      value: (row) => row.openAmount,
      total: 'sum',
    },
  ];
}

const phoneRow = phoneRowOf<BillingCreditRow>({
  canPay: () => false,
  amount: (row) => row.invoiceAmount,
  detail: (row) => (
    <>
      {row.invoiceNumber} · <DateText value={row.invoiceDate} />
    </>
  ),
});

const SENT: SentKind = {
  words: CREDITS.words,
  key: 'creditId',
  faultOf: (status) => sendingFault(status, CREDITS.words.one),
};

interface CreditListProps {
  credit: OpenRecord;
  filter: string;
  onAdd: (() => void) | undefined;
  /** Whether credit memos may be sent. */
  manages: boolean;
  onEscape: () => void;
}

/** All credit memos, newest first, with what is left of each. */
export function CreditList({ credit, filter, onAdd, manages, onEscape }: CreditListProps) {
  const { value, error, retry } = useList({ list: CREDITS.part('all'), words: CREDITS.words });
  const columns = useMemo(() => columnsOf(credit), [credit]);
  const sending = useSendSeveral(SENT);
  const selection = useSelection<BillingCreditRow>({
    rows: value,
    columns,
    rowId: documentRowId,
    filter,
    words: CREDITS.words,
    actions: sending.button,
  });
  return (
    <>
      <DataTable<BillingCreditRow>
        selection={manages ? selection : undefined}
        label="Credit Memos"
        columns={columns}
        rows={value}
        rowId={documentRowId}
        onOpen={(row) => credit.open(row.id)}
        onEscape={onEscape}
        selectedId={credit.id === undefined ? undefined : String(credit.id)}
        {...useAddressSort(NEWEST_FIRST)}
        filter={filter}
        error={error}
        onRetry={retry}
        empty={{
          title: 'No credit memos',
          hint: 'Credit an invoice from its panel, or add a credit memo of no invoice.',
          action: onAdd === undefined ? undefined : <Button onClick={onAdd}>Add Credit Memo</Button>,
        }}
        count={(rows) => counted(rows, CREDITS.words)}
        phoneRow={phoneRow}
      />
      {sending.dialog}
    </>
  );
}
