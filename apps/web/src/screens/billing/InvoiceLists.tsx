import './billing.css';
import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { addDays, earlierOf, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMemo } from 'react';
import { documentRowId } from '../../parts/documents/documentColumns.tsx';
import { sumsNote, unsoldIn, withOutstanding } from '../../parts/documents/Outstanding.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { useAddressSort } from '../../records/openRecord.ts';
import { useList } from '../../records/records.ts';
import { counted } from '../../ui/show/words.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { invoiceColumns, invoicePhoneRow, type InvoiceLinks } from './invoiceColumns.tsx';
import { useInvoiceHistory } from './queries.ts';
import { BILLING, INVOICES } from './records.ts';
import { useSettled } from '../../ui/hooks/settled.ts';

export interface InvoiceListProps {
  /** Memoise: new links draw the columns anew. */
  links: InvoiceLinks;
  onEscape: () => void;
}

const BY_NUMBER = { id: 'invoiceNumber' };
const NEWEST_FIRST = { id: 'invoiceDate', desc: true };

/** Properties of the table that both lists share. */
function shared({ links, onEscape }: InvoiceListProps) {
  const { invoice } = links;
  return {
    rowId: documentRowId,
    onOpen: (row: BillingInvoiceRow) => invoice.open(row.id),
    onEscape,
    selectedId: invoice.id === undefined ? undefined : String(invoice.id),
    count: (rows: number) => counted(rows, INVOICES.words),
  };
}

/** Open invoices and drafts by invoice number, with what those come to that the filter leaves. */
export function OpenInvoices(props: InvoiceListProps & { filter: string; onAdd: (() => void) | undefined }) {
  const { links, filter, onAdd } = props;
  const { value, sums: whole, error, retry } = useList(INVOICES);
  const isWhole = filter === '';
  const columns = useMemo(() => withOutstanding(invoiceColumns(links), isWhole), [links, isWhole]);
  return (
    <DataTable<BillingInvoiceRow>
      {...shared(props)}
      label="Open Invoices"
      columns={columns}
      rows={value}
      {...useAddressSort(BY_NUMBER)}
      filter={filter}
      error={error}
      onRetry={retry}
      empty={{
        title: 'No open invoices',
        hint: 'Bill a customer: the invoice stays here until it is paid.',
        action: onAdd === undefined ? undefined : <Button onClick={onAdd}>Add Billing</Button>,
      }}
      note={sumsNote({ side: BILLING, whole, isWhole })}
      phoneRow={invoicePhoneRow(links)}
    />
  );
}

/** A window of 30 days, requests debounced by 200 ms. */
const WINDOW_DAYS = 30;
const DEBOUNCE_MS = 200;

export interface HistoryWindowProps {
  /** The window's last day; it begins 30 days before. */
  to: IsoDate;
  today: IsoDate;
  onMove: (to: IsoDate) => void;
}

/** Prev and Next move the window by its 30 days; it never ends after today. */
export function HistoryWindow({ to, today, onMove }: HistoryWindowProps) {
  const move = (days: number) => {
    return { variant: 'default', onClick: () => onMove(earlierOf(addDays(to, days), today)) };
  };
  return (
    <div className="bl-window">
      <Button {...move(-WINDOW_DAYS)} leftSection={<IconChevronLeft {...ICON_SMALL} />}>
        Prev
      </Button>
      <span className="ek-num ek-medium" role="status">
        {formatDate(addDays(to, -WINDOW_DAYS))} – {formatDate(to)}
      </span>
      <Button {...move(WINDOW_DAYS)} disabled={to >= today} rightSection={<IconChevronRight {...ICON_SMALL} />}>
        Next
      </Button>
    </div>
  );
}

/** Every invoice dated in the window, paid ones too. */
export function InvoiceHistory(props: InvoiceListProps & { to: IsoDate }) {
  const { to, links } = props;
  const last = useSettled(to, DEBOUNCE_MS);
  const { value, error, retry } = useInvoiceHistory(addDays(last, -WINDOW_DAYS), last);
  const columns = useMemo(() => invoiceColumns({ ...links, onPay: undefined }), [links]);
  return (
    <DataTable<BillingInvoiceRow>
      {...shared(props)}
      label="Invoice History"
      columns={columns}
      rows={value}
      note={unsoldIn}
      {...useAddressSort(NEWEST_FIRST)}
      error={error}
      onRetry={retry}
      empty={{ title: 'No invoices in these 30 days', hint: 'Prev and Next show other days.' }}
      phoneRow={invoicePhoneRow({})}
    />
  );
}
