import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { IconCashBanknote } from '@tabler/icons-react';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { ICON } from '../ui/show/icons.ts';
import type { Column } from '../ui/table/columns.ts';
import type { PhoneRow } from '../ui/table/RowList.tsx';
import { badgeText, InvoiceBadge } from '../badges.tsx';

type Row = BillingInvoiceRow;

/** What the links and icons of a row do; absent where the session may not. */
export interface RowActions {
  onOpen: (row: Row) => void;
  onPay?: ((row: Row) => void) | undefined;
  onCustomer?: ((customerId: number) => void) | undefined;
}

export const invoiceRowId = (row: Row): string => String(row.id);

function payButton(row: Row, onPay: (row: Row) => void) {
  if (!row.readyToPay) return null;
  return (
    <button
      type="button"
      className="ek-icon-btn"
      aria-label={`Post Payment for invoice ${row.invoiceNumber}`}
      title="Post Payment"
      onClick={() => onPay(row)}
    >
      <IconCashBanknote {...ICON} />
    </button>
  );
}

function numberColumn({ onOpen }: RowActions): Column<Row> {
  return {
    id: 'invoiceNumber',
    header: 'Invoice Number',
    value: (row) => row.invoiceNumber,
    width: '134px',
    render: (row) => (
      <button type="button" className="ek-link ek-num" onClick={() => onOpen(row)}>
        {row.invoiceNumber}
      </button>
    ),
  };
}

function customerColumn({ onCustomer }: RowActions): Column<Row> {
  return {
    id: 'customer',
    header: 'Customer',
    value: (row) => row.customerDisplayName,
    render: (row) =>
      onCustomer === undefined ? (
        row.customerDisplayName
      ) : (
        <button type="button" className="ek-link bl-customer" onClick={() => onCustomer(row.customerId)}>
          {row.customerDisplayName}
        </button>
      ),
  };
}

const STATUS: Column<Row> = {
  id: 'status',
  header: 'Billing Status',
  kind: 'status',
  value: badgeText,
  render: (row) => <InvoiceBadge invoice={row} />,
};
const DATE: Column<Row> = {
  id: 'invoiceDate',
  header: 'Invoice Date',
  kind: 'date',
  value: (row) => row.invoiceDate,
};
const AMOUNT: Column<Row> = {
  id: 'amount',
  header: 'Amount',
  kind: 'amount',
  value: (row) => row.invoiceAmount,
  total: 'sum',
  width: '120px',
};

/** Post Payment, Invoice Number, Customer, Billing Status, Invoice Date, Amount (Specification part 1 §2). */
export function openInvoiceColumns(actions: RowActions): readonly Column<Row>[] {
  const { onPay } = actions;
  const pay: Column<Row>[] =
    onPay === undefined
      ? []
      : [{ id: 'pay', header: 'Post Payment', kind: 'action', render: (row) => payButton(row, onPay) }];
  return [...pay, numberColumn(actions), customerColumn(actions), STATUS, DATE, AMOUNT];
}

/** Invoice Number, Customer, Billing Status, Invoice Date, Amount. */
export function historyColumns(actions: RowActions): readonly Column<Row>[] {
  return [numberColumn(actions), customerColumn(actions), STATUS, DATE, AMOUNT];
}

/** The two lines of an invoice on a phone, with Post Payment where it may be paid. */
export function invoicePhoneRow(actions: Pick<RowActions, 'onPay'>): (row: Row) => PhoneRow {
  const { onPay } = actions;
  return (row) => ({
    ...(onPay === undefined ? {} : { lead: payButton(row, onPay) }),
    title: row.customerDisplayName,
    amount: <Amount value={row.invoiceAmount} />,
    detail: (
      <>
        {row.invoiceNumber} · <DateText value={row.invoiceDate} />
      </>
    ),
    aside: <InvoiceBadge invoice={row} />,
  });
}
