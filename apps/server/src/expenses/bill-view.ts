import type { ExpenseInvoice, ExpenseInvoiceRow } from '@evenkeel/contract/expenses';
import { billBadge } from '@evenkeel/core/bill';
import type { IsoDate } from '@evenkeel/core/dates';
import { PAID_AT_ONCE } from '@evenkeel/core/invoice';
import { type Cents, cents } from '@evenkeel/core/money';
import type { NamedDocument } from '../subledger/reads.sql.ts';
import type { LineRow } from './bills.sql.ts';

/** A stored bill as lists show it; the badge is derived for today and never stored. */
export function billRowView(bill: NamedDocument, today: IsoDate): ExpenseInvoiceRow {
  const { id, amount: invoiceAmount, openAmount, dueDate } = bill;
  return {
    id,
    invoiceid: id,
    vendorId: bill.entityId,
    vendorDisplayName: bill.entityName,
    invoiceNumber: bill.number,
    locationId: bill.locationId,
    invoiceDate: bill.invoiceDate ?? bill.date,
    dueDate,
    postingDate: bill.date,
    postToVendorAccount: bill.status !== PAID_AT_ONCE,
    bankAccountId: bill.bankAccountId,
    invoiceAmount,
    openAmount,
    ...billBadge({ openAmount, invoiceAmount, dueDate, today }),
    rowVersion: bill.rowVersion,
  };
}

/** A whole bill as the API shows it (Specification part 1 §3 "Expense invoice"). */
export function billView(
  bill: NamedDocument,
  { lines, documentLinks }: Pick<ExpenseInvoice, 'documentLinks'> & { lines: readonly LineRow[] },
  today: IsoDate,
): ExpenseInvoice {
  return {
    ...billRowView(bill, today),
    entryDate: bill.entryDate,
    documentLinks,
    lineItems: lines.map(({ id, description, accountId, profitCenterId, creditLine, lineItemAmount }) => {
      const amount: Cents = creditLine ? cents(-lineItemAmount) : lineItemAmount;
      return { id, description, accountId, profitCenterId, creditLine, lineItemAmount: amount, deleted: false };
    }),
  };
}
