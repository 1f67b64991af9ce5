import '../billing.css';
import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { addDays, daysBetween, formatDate, isoDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useIsBeside } from '../../../parts/documents/beside.ts';
import { columnsBeside, documentRowId } from '../../../parts/documents/list/documentColumns.tsx';
import { OutstandingDrawer, sumsNote, unsoldIn, withOutstanding } from '../../../parts/documents/list/Outstanding.tsx';
import { usePaySeveral } from '../../../parts/documents/payment/usePaySeveral.tsx';
import { Opener } from '../../../ui/lazy/Opener.tsx';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import { useAddressChoice, useAddressSort } from '../../../records/openRecord.ts';
import { Chips } from '../../../ui/page/Chips.tsx';
import { type ListRead, useList } from '../../../records/records.ts';
import { counted } from '../../../ui/show/words.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import {
  canPay,
  historyColumns,
  inFiles,
  invoicePhoneRow,
  type InvoiceLinks,
  openInvoiceColumns,
  openInvoicePhoneRow,
} from './invoiceColumns.tsx';
import { FinanceCharges } from '../charges/FinanceCharges.tsx';
import { useDialogPlace } from '../workItems/ProcessWorkItems.tsx';
import { useInvoiceHistory } from '../queries.ts';
import { BILLING, INVOICES } from '../records.ts';
import { REMINDERS, SENT_INVOICES, useSendSeveral } from '../sending/SendSeveral.tsx';
import { ADD_WORK_ITEM, PROCESS_WORK_ITEMS } from '../workItems/WorkItemList.tsx';
import { WRITE_OFF } from '../writeoffs/WriteOffTab.tsx';
import type { BillingTab, ListPlace } from '../tab.ts';
import { type Period, usePeriod } from '../usePeriod.ts';
import { type ListPart, PartChips, useListPart } from '../../../parts/documents/list/listParts.tsx';
import { useNarrow } from '../../../ui/hooks/media.ts';
import { useSettled } from '../../../ui/hooks/settled.ts';

/** Memoized, because new links would make all columns render again. */
function useLinks({ place: { invoice, openPay }, manages }: Pick<ListPlace, 'place' | 'manages'>): InvoiceLinks {
  return useMemo(
    () => ({ invoice, onPay: manages ? ({ id }) => openPay({ kind: 'invoice', id }) : undefined }),
    [invoice, manages, openPay],
  );
}

const BY_NUMBER = { id: 'invoiceNumber' };
const NEWEST_FIRST = { id: 'invoiceDate', desc: true };

/** Returns the table props that both lists share. */
function shared({ place: { invoice }, onEscape }: ListPlace) {
  return {
    rowId: documentRowId,
    onOpen: (row: BillingInvoiceRow) => invoice.open(row.id),
    onEscape,
    selectedId: invoice.id === undefined ? undefined : String(invoice.id),
    count: (rows: number) => counted(rows, INVOICES.words),
  };
}

const PARTS: readonly ListPart[] = ['overdue', 'draft', 'hold'];

type SelectionButton = ReturnType<typeof useSendSeveral>['button'];

const bothButtons =
  (first: SelectionButton, second: SelectionButton): SelectionButton =>
  (rows, clear) => (
    <>
      {first(rows, clear)}
      {second(rows, clear)}
    </>
  );

/** The open invoices and drafts by invoice number, optionally filtered, with the totals of the displayed rows. */
function OpenInvoices(props: ListPlace) {
  const { place, filter, onAdd, manages } = props;
  const links = useLinks(props);
  const { part, isAll } = useListPart(PARTS);
  const { value, sums: whole, error, retry } = useList({ list: INVOICES.part(part), words: INVOICES.words });
  const isWhole = filter === '' && isAll;
  const isBeside = useIsBeside();
  const columns = useMemo(() => {
    const all = withOutstanding(openInvoiceColumns(links), isWhole);
    return isBeside ? columnsBeside(all) : all;
  }, [links, isWhole, isBeside]);
  const sending = useSendSeveral(SENT_INVOICES);
  const reminding = useSendSeveral(REMINDERS);
  const selection = usePaySeveral<BillingInvoiceRow>({
    rows: value,
    side: BILLING,
    columns,
    filter,
    canPay,
    openPay: manages ? place.openPay : undefined,
    rowId: documentRowId,
    also: bothButtons(reminding.button, sending.button),
  });
  const table = (
    <DataTable<BillingInvoiceRow>
      key={part}
      selection={selection}
      {...shared(props)}
      label="Open Invoices"
      columns={columns}
      inFiles={inFiles(openInvoiceColumns(links))}
      rows={value}
      {...useAddressSort(BY_NUMBER)}
      filter={filter}
      error={error}
      onRetry={retry}
      empty={{
        title: isAll ? 'No open invoices' : 'No matching invoices',
        hint: 'Bill a customer. The invoice stays here until it is paid.',
        action: onAdd === undefined ? undefined : <Button onClick={onAdd}>Add Billing</Button>,
      }}
      note={sumsNote({ side: BILLING, whole, isWhole, isSearched: filter !== '' })}
      phoneRow={openInvoicePhoneRow(links)}
    />
  );
  return (
    <>
      {table}
      {sending.dialog}
      {reminding.dialog}
      <OutstandingDrawer side={BILLING} />
    </>
  );
}

/** The delay in ms before a request is sent for a changed date range. */
const DEBOUNCE_MS = 200;

const loadWindowBox = async () => (await import('./WindowBox.tsx')).WindowBox;

/**
 * The date range as a single control. Prev and Next shift the range by its length, which is 30 days unless the user
 * chooses a start date. The range never ends after today.
 */
function HistoryWindow(period: Period) {
  const { from, to, today, onTo } = period;
  const days = daysBetween(from, to);
  const range = `${formatDate(from)} – ${formatDate(to)}`;
  const button = (
    <button type="button" className="bl-window-range ek-num" title="Change the dates">
      {range}
    </button>
  );
  return (
    <div className="bl-window" role="group" aria-label="Dates">
      <button type="button" onClick={() => onTo(addDays(to, -days))}>
        <IconChevronLeft {...ICON_SMALL} />
        Prev
      </button>
      <Opener button={button} popup="dialog" load={loadWindowBox} box={{ period }} />
      <button type="button" disabled={to >= today} onClick={() => onTo(addDays(to, days))}>
        Next
        <IconChevronRight {...ICON_SMALL} />
      </button>
      <span className="ek-vh" role="status">
        {range}
      </span>
    </div>
  );
}

type HistoryProps = ListPlace & Pick<Period, 'from' | 'to'>;

/** All invoices in the date range, including paid ones. A search covers all years. */
function InvoiceHistory(props: ListPlace) {
  const period = usePeriod();
  return props.filter === '' ? <InvoicesInWindow {...props} {...period} /> : <InvoicesOfAllYears {...props} />;
}

const HISTORY_CHIPS = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'paid', label: 'Paid' },
  { value: 'void', label: 'Void' },
] as const;

const useHistoryPart = () => useAddressChoice('part', ['all', 'open', 'paid', 'void'] as const);

/** Loads the invoices in the date range that match the filter in the URL. */
function useWindow({ from, to }: Pick<Period, 'from' | 'to'>) {
  const [part] = useHistoryPart();
  const [first = from, last = to] = useSettled(`${from} ${to}`, DEBOUNCE_MS).split(' ').map(isoDate);
  return useInvoiceHistory(first, last, part);
}

/** The filter chips for the invoices in the date range, with their counts. On a phone, the dates replace the chips. */
function HistoryChips(period: Period) {
  const [part, choose] = useHistoryPart();
  const isHidden = useNarrow() && part === 'all';
  const { parts } = useWindow(period);
  const chips = HISTORY_CHIPS.map((chip) => {
    const count = parts?.[chip.value]?.count;
    return { ...chip, part: count === undefined ? undefined : { count } };
  });
  return !isHidden && <Chips label="List filters" chips={chips} value={part} onChange={choose} />;
}

function InvoicesInWindow(props: HistoryProps) {
  return <HistoryTable {...props} read={useWindow(props)} />;
}

function InvoicesOfAllYears(props: ListPlace) {
  return <HistoryTable {...props} read={useList({ list: INVOICES.part('all'), words: INVOICES.words })} />;
}

function HistoryTable(props: ListPlace & { read: ListRead<BillingInvoiceRow> }) {
  const { filter } = props;
  const links = useLinks(props);
  const { value, error, retry } = props.read;
  const columns = useMemo(() => historyColumns({ ...links, onPay: undefined }), [links]);
  return (
    <DataTable<BillingInvoiceRow>
      {...shared(props)}
      label="Invoice History"
      columns={columns}
      inFiles={inFiles(columns)}
      rows={value}
      filter={filter}
      note={unsoldIn}
      {...useAddressSort(NEWEST_FIRST)}
      error={error}
      onRetry={retry}
      empty={{
        title: 'No invoices in this period',
        hint: 'Select Prev or Next for other dates. Search covers all years.',
      }}
      phoneRow={invoicePhoneRow({})}
    />
  );
}

function ChargeForm({ manages }: { manages: boolean }) {
  const charges = useDialogPlace('charges');
  return charges.isOpen && manages && <FinanceCharges onClose={charges.close} />;
}

export const FINANCE_CHARGES = { label: 'Finance Charges', name: 'charges', value: 1 };

/** The Open Invoices tab. */
export const OPEN_TAB: BillingTab = {
  value: 'open',
  label: 'Open Invoices',
  search: 'Filter Open Invoices...',
  primary: { label: 'Add Billing', name: 'edit' },
  second: PROCESS_WORK_ITEMS,
  more: [WRITE_OFF, FINANCE_CHARGES],
  List: OpenInvoices,
  Filter: () => <PartChips kind={INVOICES} parts={PARTS} />,
  Forms: ChargeForm,
};

/** The tab that lists all invoices by date. */
export const HISTORY_TAB: BillingTab = {
  value: 'history',
  label: 'Invoice History',
  search: 'Search all years...',
  primary: ADD_WORK_ITEM,
  second: PROCESS_WORK_ITEMS,
  List: InvoiceHistory,
  Filter: WindowOfHistory,
};

function WindowOfHistory({ filter }: { filter: string }) {
  const period = usePeriod();
  return (
    filter === '' && (
      <>
        <HistoryWindow {...period} />
        <HistoryChips {...period} />
      </>
    )
  );
}
