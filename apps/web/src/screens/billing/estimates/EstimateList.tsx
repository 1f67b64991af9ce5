import type { BillingEstimateRow } from '@evenkeel/contract/estimates';
import { estimateSendingFault } from '@evenkeel/core/estimate';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import {
  AMOUNT,
  documentRowId,
  entityColumn,
  numberColumn,
  phoneRowOf,
  statusColumn,
} from '../../../parts/documents/documentColumns.tsx';
import { entityOf } from '../../../parts/documents/side.ts';
import { type OpenRecord, useAddressChoice, useAddressSort } from '../../../records/openRecord.ts';
import { useList } from '../../../records/records.ts';
import { Chips } from '../../../ui/page/Chips.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { useSelection } from '../../../ui/table/useSelection.tsx';
import { BILLING, ESTIMATES } from '../records.ts';
import { type SentKind, useSendSeveral } from '../SendSeveral.tsx';

const NEWEST_FIRST = { id: 'invoiceDate', desc: true };

function columnsOf(estimate: OpenRecord): readonly Column<BillingEstimateRow>[] {
  const number = { id: 'invoiceNumber', header: 'Estimate', width: '134px' };
  return [
    numberColumn(estimate, number, (row) => row.invoiceNumber),
    entityColumn(BILLING, 'customerDisplayName', entityOf),
    statusColumn('arBillingStatus', 'Status'),
    { id: 'invoiceDate', header: 'Estimate Date', kind: 'date', value: (row) => row.invoiceDate },
    { id: 'dueDate', header: 'Expires', kind: 'date', value: (row) => row.dueDate },
    AMOUNT,
  ];
}

const phoneRow = phoneRowOf<BillingEstimateRow>({
  canPay: () => false,
  amount: (row) => row.invoiceAmount,
  detail: (row) => (
    <>
      {row.invoiceNumber} · <DateText value={row.invoiceDate} />
    </>
  ),
});

const CHIPS = [
  { value: 'open', label: 'Pending' },
  { value: 'all', label: 'All' },
] as const;

/** The estimates that may come to something, unless the address says all. */
const useWhich = () => useAddressChoice<'open' | 'all'>('part', ['open', 'all']);

/** Chooses between those that may come to something and all. */
export function EstimateChips() {
  const [which, choose] = useWhich();
  return <Chips label="Parts of the list" chips={CHIPS} value={which} onChange={choose} />;
}

const SENT: SentKind = { words: ESTIMATES.words, key: 'estimateId', faultOf: estimateSendingFault };

interface EstimateListProps {
  estimate: OpenRecord;
  filter: string;
  onAdd: (() => void) | undefined;
  /** Whether estimates may be sent. */
  manages: boolean;
  onEscape: () => void;
}

/** Estimates, newest first. */
export function EstimateList({ estimate, filter, onAdd, manages, onEscape }: EstimateListProps) {
  const [which] = useWhich();
  const { value, error, retry } = useList({ list: ESTIMATES.part(which), words: ESTIMATES.words });
  const columns = useMemo(() => columnsOf(estimate), [estimate]);
  const sending = useSendSeveral(SENT);
  const selection = useSelection<BillingEstimateRow>({
    rows: value,
    columns,
    rowId: documentRowId,
    filter,
    words: ESTIMATES.words,
    actions: sending.button,
  });
  return (
    <>
      <DataTable<BillingEstimateRow>
        key={which}
        selection={manages ? selection : undefined}
        label="Estimates"
        columns={columns}
        rows={value}
        rowId={documentRowId}
        onOpen={(row) => estimate.open(row.id)}
        onEscape={onEscape}
        selectedId={estimate.id === undefined ? undefined : String(estimate.id)}
        {...useAddressSort(NEWEST_FIRST)}
        filter={filter}
        error={error}
        onRetry={retry}
        empty={{
          title: which === 'all' ? 'No estimates' : 'No pending estimates',
          hint: 'Say what work is going to cost; what is accepted becomes an invoice, whole or in parts.',
          action: onAdd === undefined ? undefined : <Button onClick={onAdd}>Add Estimate</Button>,
        }}
        count={(rows) => counted(rows, ESTIMATES.words)}
        phoneRow={phoneRow}
      />
      {sending.dialog}
    </>
  );
}
