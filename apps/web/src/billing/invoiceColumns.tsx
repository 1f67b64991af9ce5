import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { IconCashBanknote } from '@tabler/icons-react';
import { badgeText, InvoiceBadge } from '../badges.tsx';
import type { OpenRecord } from '../records/openRecord.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { ICON } from '../ui/show/icons.ts';
import { NameLink } from '../ui/show/NameLink.tsx';
import type { Column } from '../ui/table/columns.ts';
import type { PhoneRow } from '../ui/table/RowList.tsx';

type Row = BillingInvoiceRow;

/** Where the links and icons of a row lead; absent where the session may not. */
export interface RowLinks {
  invoice: OpenRecord;
  onPay?: ((row: Row) => void) | undefined;
  mayViewCustomers: boolean;
}

export const invoiceRowId = (row: Row): string => String(row.id);

/** The Customers screen with that customer, where the session may go there; else the name alone. */
export function CustomerLink({ may, id, name }: { may: boolean; id: number; name: string }) {
  return may ? <NameLink to={`/customers/${id}`}>{name}</NameLink> : name;
}

function payButton(row: Row, onPay: (row: Row) => void) {
  if (!row.readyToPay) return null;
  const label = `Post Payment for invoice ${row.invoiceNumber}`;
  return (
    <button type="button" className="ek-icon-btn" aria-label={label} title="Post Payment" onClick={() => onPay(row)}>
      <IconCashBanknote {...ICON} />
    </button>
  );
}

/** Post Payment, Invoice Number, Customer, Billing Status, Invoice Date, Amount (Specification part 1 §2). */
export function invoiceColumns({ invoice, onPay, mayViewCustomers }: RowLinks): readonly Column<Row>[] {
  const pay: Column<Row>[] =
    onPay === undefined
      ? []
      : [{ id: 'pay', header: 'Post Payment', kind: 'action', render: (row) => payButton(row, onPay) }];
  return [
    ...pay,
    {
      id: 'invoiceNumber',
      header: 'Invoice Number',
      value: (row) => row.invoiceNumber,
      width: '134px',
      render: (row) => (
        <NameLink {...invoice.link(row.id)} isNumber>
          {row.invoiceNumber}
        </NameLink>
      ),
    },
    {
      id: 'customer',
      header: 'Customer',
      value: (row) => row.customerDisplayName,
      render: (row) => <CustomerLink may={mayViewCustomers} id={row.customerId} name={row.customerDisplayName} />,
    },
    {
      id: 'status',
      header: 'Billing Status',
      kind: 'status',
      value: badgeText,
      render: (row) => <InvoiceBadge invoice={row} />,
    },
    { id: 'invoiceDate', header: 'Invoice Date', kind: 'date', value: (row) => row.invoiceDate },
    {
      id: 'amount',
      header: 'Amount',
      kind: 'amount',
      value: (row) => row.invoiceAmount,
      total: 'sum',
      width: '120px',
    },
  ];
}

/** The two lines of an invoice on a phone, with Post Payment where it may be paid. */
export function invoicePhoneRow({ onPay }: Pick<RowLinks, 'onPay'>): (row: Row) => PhoneRow {
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
