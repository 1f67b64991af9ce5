import { BillingPayment, type BillingPaymentInput } from '@evenkeel/contract/billing';
import { RECEIVABLE } from '@evenkeel/core/side';
import { paymentCalls } from '../subledger/payment-calls.ts';
import type { PaymentInput } from '../subledger/payments.ts';
import type { NamedPayment, PaidRow } from '../subledger/payments.sql.ts';
import { invoiceRowView } from './invoice-view.ts';

const subject = { name: 'payment', schema: BillingPayment, idOf: ({ id }: BillingPayment) => id };

/** Customer payments; without applications the open invoices are filled in list order. */
export const billingPayments = paymentCalls({
  side: RECEIVABLE,
  subject,
  input: paymentInput,
  view: paymentView,
  documentView: ({ today }, row) => invoiceRowView(row, today),
});

function paymentInput(input: BillingPaymentInput): PaymentInput {
  return {
    id: input.id ?? 0,
    entityId: input.customerId,
    date: input.paymentDate,
    amount: input.paymentAmount,
    paymentTypeId: input.paymentTypeId ?? 0,
    referenceNumber: input.paymentRefNo ?? '',
    checkNumber: input.paymentCheckNo ?? '',
    description: input.paymentDescription ?? '',
    bankAccountId: input.bankAccountId ?? 0,
    paymentAccountId: input.paymentAccountId ?? 0,
    locationId: 0,
    applications: input.paymentApplications ?? null,
    documentLinks: input.documentLinks,
  };
}

/** A stored payment as the API shows it; both spellings of the reference number are answered. */
function paymentView(payment: NamedPayment, paid: readonly PaidRow[]): BillingPayment {
  return {
    id: payment.id,
    customerId: payment.entityId,
    customerDisplayName: payment.entityName,
    paymentDate: payment.date,
    paymentAmount: payment.amount,
    unappliedAmount: payment.unapplied,
    paymentTypeId: payment.paymentTypeId,
    paymentRefNo: payment.referenceNumber,
    paymentRefNumber: payment.referenceNumber,
    paymentCheckNo: payment.checkNumber,
    paymentDescription: payment.description,
    paymentNumber: payment.number,
    bankAccountId: payment.bankAccountId,
    paymentAccountId: payment.paymentAccountId,
    accountId: payment.glAccountId,
    entryDate: payment.entryDate,
    documentLinks: payment.documentLinks,
    paymentApplications: paid.map(({ documentId, number, ...share }) => ({
      invoiceId: documentId,
      ...share,
      invoiceDescription: `Invoice ${number}`,
    })),
    rowVersion: payment.rowVersion,
  };
}
