import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { badgeText, InvoiceBadge } from '../../parts/badges.tsx';
import { AMOUNT, EntityLink, numberColumn, PayButton, payColumn } from '../../parts/documents/documentColumns.tsx';
import { entityOf } from '../../parts/documents/side.ts';
import type { OpenRecord } from '../../records/openRecord.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import type { Column } from '../../ui/table/columns.ts';
import type { PhoneRow } from '../../ui/table/RowList.tsx';
import { BILLING } from './records.ts';

type Row = BillingInvoiceRow;

/** Where the links and icons of a row lead; absent where the session may not. */
export interface RowLinks {
  invoice: OpenRecord;
  onPay?: ((row: Row) => void) | undefined;
}

const isReady = (row: Row): boolean => row.readyToPay;

/** Post Payment, Invoice Number, Customer, Billing Status, Invoice Date, Amount (Specification part 1 §2). */
export function invoiceColumns({ invoice, onPay }: RowLinks): readonly Column<Row>[] {
  return [
    ...payColumn(onPay, isReady),
    numberColumn(invoice),
    {
      id: 'customerDisplayName',
      header: 'Customer',
      value: (row) => row.customerDisplayName,
      render: (row) => <EntityLink side={BILLING} {...entityOf(row)} />,
    },
    {
      id: 'arBillingStatus',
      header: 'Billing Status',
      kind: 'status',
      value: badgeText,
      render: (row) => <InvoiceBadge invoice={row} />,
    },
    { id: 'invoiceDate', header: 'Invoice Date', kind: 'date', value: (row) => row.invoiceDate },
    AMOUNT,
  ];
}

/** The two lines of an invoice on a phone, with Post Payment where it may be paid. */
export function invoicePhoneRow({ onPay }: Pick<RowLinks, 'onPay'>): (row: Row) => PhoneRow {
  return (row) => ({
    ...(onPay !== undefined && {
      lead: isReady(row) && <PayButton number={row.invoiceNumber} onPay={() => onPay(row)} />,
    }),
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
