import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { formatAmount, sum } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { filterRows, searchText } from '../ui/table/columns.ts';
import { DataTable } from '../ui/table/DataTable.tsx';
import { invoicePhoneRow, invoiceRowId, openInvoiceColumns, type RowActions } from './invoiceColumns.tsx';
import { useOpenInvoiceList } from './queries.ts';

export interface InvoiceListProps {
  /** Memoise: new actions draw the columns anew. */
  actions: RowActions;
  selectedId: string | undefined;
  onEscape: () => void;
}

const counted = (rows: number): string => `${rows} ${rows === 1 ? 'invoice' : 'invoices'}`;
const BY_NUMBER = { id: 'invoiceNumber' };
const NONE: readonly BillingInvoiceRow[] = [];

/** The texts, made at the first letter that is typed and kept for the next. */
function lazily(make: () => readonly string[]): () => readonly string[] {
  let made: readonly string[] | undefined;
  return () => (made ??= make());
}

/** Open invoices and drafts by invoice number, with what is unpaid of those that the filter leaves. */
export function OpenInvoices(props: InvoiceListProps & { filter: string; onAdd: (() => void) | undefined }) {
  const { actions, filter, onAdd } = props;
  const { rows, error, retry } = useOpenInvoiceList();
  const columns = useMemo(() => openInvoiceColumns(actions), [actions]);
  const texts = useMemo(() => lazily(() => (rows ?? NONE).map((row) => searchText(columns, row))), [rows, columns]);
  const unpaid = useMemo(
    () => sum(filterRows(rows ?? NONE, texts, filter).map((row) => row.openAmount)),
    [rows, texts, filter],
  );
  return (
    <DataTable<BillingInvoiceRow>
      label="Open Invoices"
      columns={columns}
      rows={rows}
      rowId={invoiceRowId}
      defaultSort={BY_NUMBER}
      filter={filter}
      error={error}
      onRetry={retry}
      empty={{
        title: 'No open invoices',
        hint: 'Bill a customer: the invoice stays here until it is paid.',
        action: onAdd === undefined ? undefined : <Button onClick={onAdd}>Add Billing</Button>,
      }}
      onOpen={actions.onOpen}
      onEscape={props.onEscape}
      selectedId={props.selectedId}
      count={counted}
      note={`Unpaid ${formatAmount(unpaid)}`}
      phoneRow={invoicePhoneRow(actions)}
    />
  );
}
