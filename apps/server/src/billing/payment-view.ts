import type { BillingPayment } from '@evenkeel/contract/billing';
import type { AppliedRow, PaymentWithCustomer } from './payments.sql.ts';

/** A stored payment as the API shows it; both spellings of the reference number are answered. */
export function paymentView(payment: PaymentWithCustomer, applied: readonly AppliedRow[]): BillingPayment {
  return {
    id: payment.id,
    customerId: payment.customerId,
    customerDisplayName: payment.customerDisplayName,
    paymentDate: payment.paymentDate,
    paymentAmount: payment.amount,
    unappliedAmount: payment.unapplied,
    paymentTypeId: payment.paymentTypeId,
    paymentRefNo: payment.referenceNumber,
    paymentRefNumber: payment.referenceNumber,
    paymentCheckNo: payment.checkNumber,
    paymentDescription: payment.description,
    paymentNumber: payment.paymentNumber,
    bankAccountId: payment.bankAccountId,
    paymentAccountId: payment.paymentAccountId,
    accountId: payment.glAccountId,
    entryDate: payment.entryDate,
    documentLinks: [],
    paymentApplications: applied.map(({ invoiceId, invoiceNumber, amount }) => ({
      invoiceId,
      profitCenterId: null,
      locationId: null,
      amount,
      invoiceDescription: `Invoice ${invoiceNumber}`,
    })),
    rowVersion: payment.rowVersion,
  };
}
