import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import {
  AMOUNT,
  firstColumns,
  OPEN_AMOUNT,
  phoneRowOf,
  type RowLinks,
  statusColumn,
} from '../../../parts/documents/list/documentColumns.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { BILLING } from '../records.ts';

type Row = BillingInvoiceRow;
export type InvoiceLinks = RowLinks<Row>;

export const canPay = (row: Row): boolean => row.readyToPay;

/** Returns the columns Post Payment, Invoice Number, Customer, Billing Status, Invoice Date, and Amount. */
function invoiceColumns(links: InvoiceLinks): readonly Column<Row>[] {
  return [
    ...firstColumns(BILLING, links, canPay),
    { ...statusColumn('arBillingStatus', 'Billing Status'), rank: 5 },
    { id: 'invoiceDate', header: 'Invoice Date', kind: 'date', value: (row) => row.invoiceDate },
    AMOUNT,
  ];
}

/** Returns the columns of the invoice history: the columns of every invoice list, plus Unpaid Amount. */
export const historyColumns = (links: InvoiceLinks): readonly Column<Row>[] => [...invoiceColumns(links), OPEN_AMOUNT];

/** Returns the columns for open invoices: the columns of every invoice list, plus Due Date and Unpaid. */
export function openInvoiceColumns(links: InvoiceLinks): readonly Column<Row>[] {
  return [
    ...invoiceColumns(links).filter(({ id }) => id !== AMOUNT.id),
    { id: 'dueDate', header: 'Due Date', kind: 'date', value: (row) => row.dueDate },
    AMOUNT,
    OPEN_AMOUNT,
  ];
}

/** Returns the columns of an exported file: the columns of the list, plus the terms, the PO number, and the note. */
export const inFiles = (columns: readonly Column<Row>[]): readonly Column<Row>[] => [
  ...columns,
  { id: 'terms', header: 'Terms', value: (row) => row.terms },
  { id: 'poNumber', header: 'PO Number', value: (row) => row.poNumber },
  { id: 'customerNote', header: 'Note to Customer', value: (row) => row.customerNote },
];

/** Returns the two lines that show an open invoice on a phone: its unpaid amount and its due date. */
export const openInvoicePhoneRow = ({ onPay }: Pick<InvoiceLinks, 'onPay'>) =>
  phoneRowOf<Row>({
    side: BILLING,
    onPay,
    canPay,
    // A draft has no open balance.
    amount: ({ badge, invoiceAmount, openAmount }) => (badge === 'Draft' ? invoiceAmount : openAmount),
    detail: ({ invoiceNumber, dueDate }) => (
      <>
        {invoiceNumber}
        {dueDate !== null && (
          <>
            {' '}
            · due <DateText value={dueDate} />
          </>
        )}
      </>
    ),
  });

/** Returns the two lines that show an invoice on a phone, with Post Payment if the invoice can be paid. */
export const invoicePhoneRow = ({ onPay }: Pick<InvoiceLinks, 'onPay'>) =>
  phoneRowOf<Row>({
    side: BILLING,
    onPay,
    canPay,
    amount: (row) => row.invoiceAmount,
    detail: (row) => (
      <>
        {row.invoiceNumber} · <DateText value={row.invoiceDate} />
      </>
    ),
  });
