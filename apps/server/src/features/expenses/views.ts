import {
  type ExpenseInvoice,
  ExpenseInvoiceRow,
  ExpensePayment,
  type ExpensePaymentInput,
} from '@evenkeel/contract/expenses';
import { billBadge } from '@evenkeel/core/documents/bill';
import type { IsoDate } from '@evenkeel/core/dates';
import { lateAfter, VOID } from '@evenkeel/core/documents/invoice';
import { type Cents, cents } from '@evenkeel/core/money';
import { PAYABLE } from '@evenkeel/core/documents/side';
import { shownDiscount } from '../../books/documents/discounts.ts';
import { type PaymentInput, requestedPayment, type ShownPayment } from '../../books/documents/payment-input.ts';
import { paymentCalls } from '../../books/documents/payments.ts';
import type { NamedPayment } from '../../books/documents/settlement.sql.ts';
import type { NamedDocument } from '../../books/documents/reads.sql.ts';
import type { LineRow } from './bills.sql.ts';

/** Returns a stored bill in the list format. The badge depends on today's date, so it is never stored. */
export function billRowView(bill: NamedDocument, today: IsoDate): ExpenseInvoiceRow {
  const { id, amount: invoiceAmount, openAmount, dueDate } = bill;
  const voided = bill.status === VOID;
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
    postToVendorAccount: bill.bankAccountId === null,
    bankAccountId: bill.bankAccountId,
    voided,
    invoiceAmount,
    openAmount,
    ...billBadge({ openAmount, invoiceAmount, dueDate: lateAfter(bill, today), today, voided }),
    rowVersion: bill.rowVersion,
  };
}

/** Returns a complete bill in the API format. */
export function billView(
  bill: NamedDocument,
  { lines, documentLinks }: Pick<ExpenseInvoice, 'documentLinks'> & { lines: readonly LineRow[] },
  today: IsoDate,
): ExpenseInvoice {
  return {
    ...billRowView(bill, today),
    ...shownDiscount(bill),
    entryDate: bill.entryDate,
    documentLinks,
    lineItems: lines.map(({ id, description, accountId, profitCenterId, creditLine, lineItemAmount }) => {
      const amount: Cents = creditLine ? cents(-lineItemAmount) : lineItemAmount;
      return { id, description, accountId, profitCenterId, creditLine, lineItemAmount: amount, deleted: false };
    }),
  };
}

/** The format of a settled bill in its event. */
export const paidBill = { schema: ExpenseInvoiceRow, view: billRowView };

const subject = { name: 'expensepayment', schema: ExpensePayment, idOf: ({ id }: ExpensePayment) => id };

/**
 * Vendor payments. A payment without requested applications is applied to the open bills in list order. Credits are
 * skipped.
 */
export const expensePayments = paymentCalls({
  side: PAYABLE,
  subject,
  input: paymentInput,
  view: paymentView,
  documentView: ({ today }, row) => billRowView(row, today),
  paid: paidBill,
});

function paymentInput(body: ExpensePaymentInput): PaymentInput {
  return { ...requestedPayment(body), entityId: body.vendorId, paymentTypeId: 0, locationId: body.locationId ?? 0 };
}

function paymentView(payment: NamedPayment, shown: ShownPayment): ExpensePayment {
  return {
    ...shown,
    vendorId: payment.entityId,
    vendorDisplayName: payment.entityName,
    locationId: payment.locationId,
  };
}
