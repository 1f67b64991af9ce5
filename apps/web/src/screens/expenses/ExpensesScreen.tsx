import type { ExpenseInvoiceRow } from '@evenkeel/contract/expenses';
import { useMemo } from 'react';
import { badgeText, InvoiceBadge } from '../../parts/badges.tsx';
import {
  AMOUNT,
  documentRowId,
  EntityLink,
  numberColumn,
  PayButton,
  payColumn,
} from '../../parts/documents/documentColumns.tsx';
import { DocumentForms, panelOf } from '../../parts/documents/OpenDocument.tsx';
import { OutstandingDrawer, sumsNote, withOutstanding } from '../../parts/documents/Outstanding.tsx';
import { entityOf } from '../../parts/documents/side.ts';
import { useDocumentPlace } from '../../parts/documents/useDocumentPlace.ts';
import { ListScreen } from '../../records/ListScreen.tsx';
import { type OpenRecord, useAddressText } from '../../records/openRecord.ts';
import { useList } from '../../records/records.ts';
import { useMay } from '../../client/session.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { BillPanel } from './BillPanel.tsx';
import { ExpenseEntry } from './ExpenseEntry.tsx';
import { BILLS, EXPENSES } from './records.ts';

type Row = ExpenseInvoiceRow;
type OnPay = ((row: Row) => void) | undefined;

const isOpen = (row: Row): boolean => row.openAmount > 0;

/** Post Payment, Invoice Number, Vendor, Due Date, its state, Amount, Unpaid Amount (Specification part 1 §2). */
function columnsOf(invoice: OpenRecord, onPay: OnPay): readonly Column<Row>[] {
  return [
    ...payColumn(onPay, isOpen),
    numberColumn(invoice),
    {
      id: 'vendorDisplayName',
      header: 'Vendor',
      value: (row) => row.vendorDisplayName,
      render: (row) => <EntityLink side={EXPENSES} {...entityOf(row)} />,
    },
    { id: 'dueDate', header: 'Due Date', kind: 'date', value: (row) => row.dueDate },
    {
      id: 'badge',
      header: 'Status',
      kind: 'status',
      value: badgeText,
      render: (row) => <InvoiceBadge invoice={row} />,
    },
    AMOUNT,
    {
      id: 'openAmount',
      header: 'Unpaid Amount',
      kind: 'amount',
      value: (row) => row.openAmount,
      total: 'sum',
      width: '130px',
    },
  ];
}

/** The two lines of a bill on a phone, with Post Payment where something is unpaid. */
function phoneRowOf(onPay: OnPay): (row: Row) => PhoneRow {
  return (row) => ({
    ...(onPay !== undefined && {
      lead: isOpen(row) && <PayButton number={row.invoiceNumber} onPay={() => onPay(row)} />,
    }),
    title: row.vendorDisplayName,
    amount: <Amount value={row.openAmount} />,
    detail: (
      <>
        due <DateText value={row.dueDate} /> · <span title={row.invoiceNumber}>{row.invoiceNumber}</span>
      </>
    ),
    aside: <InvoiceBadge invoice={row} />,
  });
}

/** /expenses: bills with an open amount beside the panel of one (Specification part 1 §2). */
export function ExpensesScreen() {
  const manages = useMay()('Manage Expenses');
  const place = useDocumentPlace();
  const { invoice, openPay } = place;
  const [filter] = useAddressText('q');
  const onPay: OnPay = useMemo(
    () => (manages ? ({ id }) => openPay({ kind: 'invoice', id }) : undefined),
    [manages, openPay],
  );
  const read = useList(BILLS);
  const isWhole = filter === '';
  const columns = useMemo(() => withOutstanding(columnsOf(invoice, onPay), isWhole), [invoice, onPay, isWhole]);
  return (
    <ListScreen<Row>
      title="Expenses"
      read={read}
      words={BILLS.words}
      columns={columns}
      rowId={documentRowId}
      sort="invoiceNumber"
      search="Search Invoices..."
      hint="Add what vendors bill you: an invoice stays here until it is paid."
      note={sumsNote({ side: EXPENSES, whole: read.sums, isWhole })}
      add={manages ? { label: 'Add Expense', onClick: () => place.edit.open(0) } : undefined}
      onOpen={(row) => invoice.open(row.id)}
      onEscape={place.closePanel}
      selectedId={invoice.id === undefined ? undefined : String(invoice.id)}
      phoneRow={phoneRowOf(onPay)}
      panel={panelOf(place, EXPENSES, BillPanel)}
    >
      <DocumentForms side={EXPENSES} place={place} Entry={ExpenseEntry} />
      <OutstandingDrawer side={EXPENSES} />
    </ListScreen>
  );
}
