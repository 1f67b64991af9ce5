import { type BillingInvoiceRow, BillingPayment, type BillingPaymentInput } from '@evenkeel/contract/billing';
import { notFound } from '@evenkeel/core/failure';
import { RECEIVABLE } from '@evenkeel/core/side';
import { record } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { requireFresh } from '../http/fresh.ts';
import { closingOverride } from '../ledger/post.ts';
import {
  loadPayment,
  type PaymentInput,
  removePayment,
  type SavedPayment,
  savePayment,
} from '../subledger/payments.ts';
import { type NamedPayment, type PaidRow, selectPaid, selectPayment } from '../subledger/payments.sql.ts';
import type { DocumentRow } from '../subledger/tables.sql.ts';
import { invoiceRowView } from './invoice-view.ts';

const PAYMENT = { name: 'payment', schema: BillingPayment, idOf: ({ id }: BillingPayment) => id };

type PostedPayment = BillingPayment & { affectedInvoices: BillingInvoiceRow[]; transactionID: number };

/** Posts a customer payment (Specification part 1 §4 "Payment allocation"). */
export function createPayment(ctx: Ctx, input: BillingPaymentInput): Promise<PostedPayment> {
  return save(ctx, { ...input, id: 0 });
}

/** Saves a payment and posts the difference. 404, 409 when somebody else has saved it meanwhile. */
export function updatePayment(ctx: Ctx, input: BillingPaymentInput): Promise<PostedPayment> {
  if ((input.id ?? 0) === 0) throw notFound('Payment');
  return save(ctx, input);
}

/** Reverses and removes a payment; its invoices are open again. */
export async function deletePayment(ctx: Ctx, id: number, closingOverrideReason: string | undefined) {
  const reason = closingOverride(ctx, closingOverrideReason);
  const removed = await removePayment(ctx, RECEIVABLE, { id, mayPostClosed: reason !== undefined });
  record(ctx, PAYMENT, { before: paymentView(removed.payment, removed.paid), reason });
  return { ok: true as const, affectedInvoices: affected(ctx, removed) };
}

export async function getPayment(ctx: Ctx, id: number): Promise<BillingPayment> {
  const [payment, paid] = await Promise.all([ctx.tx.row(selectPayment(RECEIVABLE, id)), ctx.tx.rows(selectPaid(id))]);
  if (payment === undefined) throw notFound('Payment');
  return paymentView(payment, paid);
}

async function save(ctx: Ctx, input: BillingPaymentInput): Promise<PostedPayment> {
  const reason = closingOverride(ctx, input.closingOverrideReason);
  const work = await loadPayment(ctx, RECEIVABLE, paymentInput(input));
  const before = work.before && paymentView(work.before.payment, work.before.paid);
  if (before !== undefined) requireFresh(BillingPayment, before, input.rowVersion);
  const saved = await savePayment(ctx, work, reason !== undefined);
  const after = record(ctx, PAYMENT, { before, after: paymentView(saved.payment, saved.paid), reason });
  return { ...after, affectedInvoices: affected(ctx, saved), transactionID: saved.transactionId };
}

function affected(ctx: Ctx, { payment, documents }: Pick<SavedPayment, 'payment' | 'documents'>): BillingInvoiceRow[] {
  const named = (row: DocumentRow) => ({ ...row, entityName: payment.entityName });
  return documents.map((row) => invoiceRowView(named(row), ctx.today));
}

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
    paymentApplications: paid.map(({ documentId, number, amount }) => ({
      invoiceId: documentId,
      profitCenterId: null,
      locationId: null,
      amount,
      invoiceDescription: `Invoice ${number}`,
    })),
    rowVersion: payment.rowVersion,
  };
}
