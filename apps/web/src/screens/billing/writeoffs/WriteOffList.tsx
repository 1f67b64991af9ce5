import { type NamedWriteOff, writeOffCalls } from '@evenkeel/contract/writeoffs';
import { useMemo } from 'react';
import { ask } from '../../../client/api.ts';
import { documentKinds } from '@evenkeel/core/documents/side';
import { useBeside } from '../../../parts/documents/beside.ts';
import { documentRowId, entityColumn, numberColumn } from '../../../parts/documents/list/documentColumns.tsx';
import { entityOf } from '../../../parts/documents/side.ts';
import { type OpenRecord, useAddressSort } from '../../../records/openRecord.ts';
import type { PageAsk } from '../../../records/reads.ts';
import { useList } from '../../../records/records.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { counted } from '../../../ui/show/words.ts';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import type { PhoneRow } from '../../../ui/table/RowList.tsx';
import { BILLING } from '../records.ts';
import type { BillingPart, ListPlace } from '../tab.ts';
import { WriteOffForm, WriteOffPanel } from './WriteOffs.tsx';

const LIST = {
  list: (_: boolean, page: PageAsk) => ask(writeOffCalls.listWriteOffs, { query: page }),
  words: { one: 'write-off', many: 'write-offs', loadAll: 'Error Loading Write-Offs' },
};

const KEY = documentKinds.writeoff.screen.key;
const NEWEST_FIRST = { id: 'writeOffDate', desc: true };

function columnsOf(shown: OpenRecord, invoice: OpenRecord): readonly Column<NamedWriteOff>[] {
  return [
    numberColumn(shown, { id: 'writeOffNumber', header: 'Write-Off', width: '134px' }, (row) => row.writeOffNumber),
    entityColumn(BILLING, 'customerDisplayName', entityOf),
    {
      id: 'ofInvoice',
      header: 'Invoice',
      width: '120px',
      value: (row) => row.invoiceNumber,
      render: ({ invoiceId, invoiceNumber }) =>
        invoiceId !== null && (
          <NameLink {...invoice.link(invoiceId)} isNumber>
            {invoiceNumber}
          </NameLink>
        ),
    },
    { id: 'writeOffDate', header: 'Date', kind: 'date', value: (row) => row.writeOffDate },
    { id: 'reason', header: 'Reason', value: (row) => row.reason, rank: 1 },
    { id: 'amount', header: 'Amount', kind: 'amount', value: (row) => row.amount, total: 'sum', width: '120px' },
  ];
}

const phoneRow = (row: NamedWriteOff): PhoneRow => ({
  title: row.customerDisplayName,
  amount: <Amount value={row.amount} />,
  detail: (
    <>
      {row.writeOffNumber} · <DateText value={row.writeOffDate} /> {row.reason}
    </>
  ),
});

/** All write-offs with their invoices, newest first. */
export function WriteOffList({ place: { invoice }, filter, onEscape }: ListPlace) {
  const { value, error, retry } = useList(LIST);
  const shown = useBeside(KEY);
  const columns = useMemo(() => columnsOf(shown, invoice), [shown, invoice]);
  return (
    <DataTable<NamedWriteOff>
      label="Write-Offs"
      columns={columns}
      rows={value}
      rowId={documentRowId}
      onOpen={(row) => shown.open(row.id)}
      onEscape={onEscape}
      selectedId={shown.id === undefined ? undefined : String(shown.id)}
      {...useAddressSort(NEWEST_FIRST)}
      filter={filter}
      error={error}
      onRetry={retry}
      empty={{
        title: 'No write-offs',
        hint:
          "Write off a balance that a customer won't pay. Start from an invoice's panel, or select " +
          'several invoices here.',
      }}
      count={(rows) => counted(rows, LIST.words)}
      phoneRow={phoneRow}
    />
  );
}

export const WRITE_OFF = { label: 'Write Off', name: 'writeoff' };

/** The panel and the form of write-offs, whose list is on the Credits tab. */
export const WRITE_OFFS: BillingPart = {
  value: 'writeoffs',
  beside: { key: KEY, Panel: WriteOffPanel },
  Forms: WriteOffForm,
};
