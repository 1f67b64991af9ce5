import { ExpensePayment, type ExpensePaymentInput } from '@evenkeel/contract/expenses';
import { PAYABLE } from '@evenkeel/core/side';
import { paymentCalls } from '../subledger/payment-calls.ts';
import type { PaymentInput } from '../subledger/payments.ts';
import type { NamedPayment, PaidRow } from '../subledger/payments.sql.ts';
import { billRowView } from './bill-view.ts';

const subject = { name: 'expensepayment', schema: ExpensePayment, idOf: ({ id }: ExpensePayment) => id };

/** Payments to vendors; without applications the open bills are filled in list order, credits left alone. */
export const expensePayments = paymentCalls({
  side: PAYABLE,
  subject,
  input: paymentInput,
  view: paymentView,
  documentView: ({ today }, row) => billRowView(row, today),
});

function paymentInput(input: ExpensePaymentInput): PaymentInput {
  return {
    id: input.id ?? 0,
    entityId: input.vendorId,
    date: input.paymentDate,
    amount: input.paymentAmount,
    paymentTypeId: 0,
    referenceNumber: input.paymentRefNo ?? '',
    checkNumber: input.paymentCheckNo ?? '',
    description: input.paymentDescription ?? '',
    bankAccountId: input.bankAccountId ?? 0,
    paymentAccountId: input.paymentAccountId ?? 0,
    locationId: input.locationId ?? 0,
    applications: input.paymentApplications ?? null,
    documentLinks: input.documentLinks,
  };
}

function paymentView(payment: NamedPayment, paid: readonly PaidRow[]): ExpensePayment {
  return {
    id: payment.id,
    vendorId: payment.entityId,
    vendorDisplayName: payment.entityName,
    paymentDate: payment.date,
    paymentAmount: payment.amount,
    unappliedAmount: payment.unapplied,
    paymentRefNo: payment.referenceNumber,
    paymentCheckNo: payment.checkNumber,
    paymentDescription: payment.description,
    paymentNumber: payment.number,
    bankAccountId: payment.bankAccountId,
    paymentAccountId: payment.paymentAccountId,
    accountId: payment.glAccountId,
    locationId: payment.locationId,
    entryDate: payment.entryDate,
    documentLinks: payment.documentLinks,
    paymentApplications: paid.map(({ documentId, number, ...share }) => ({
      invoiceId: documentId,
      ...share,
      invoiceDescription: `Bill ${number}`,
    })),
    rowVersion: payment.rowVersion,
  };
}
