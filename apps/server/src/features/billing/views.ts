import {
  type BillingInvoice,
  BillingInvoiceRow,
  BillingPayment,
  type BillingPaymentInput,
  type DocumentParts,
} from '@evenkeel/contract/billing';
import type { IsoDate } from '@evenkeel/core/dates';
import { invoiceBadge, lateAfter, readyToPay } from '@evenkeel/core/documents/invoice';
import { decimal } from '@evenkeel/core/money';
import type { Whole } from '@evenkeel/core/documents/parts';
import { invoiceTerms } from '@evenkeel/core/documents/terms';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { shownDiscount } from '../../books/documents/discounts.ts';
import { type PaymentInput, requestedPayment, type ShownPayment } from '../../books/documents/payment-input.ts';
import { paymentCalls } from '../../books/documents/payments.ts';
import type { NamedPayment } from '../../books/documents/settlement.sql.ts';
import type { NamedDocument } from '../../books/documents/reads.sql.ts';
import type { LineRow } from './invoices.sql.ts';

/** Returns a stored invoice in the list format. The badge depends on today's date, so it is never stored. */
export function invoiceRowView(invoice: NamedDocument, today: IsoDate): BillingInvoiceRow {
  const dueDate = lateAfter(invoice, today);
  const { badge, daysOverdue } = invoiceBadge({ ...invoice, dueDate, invoiceAmount: invoice.amount, today });
  return {
    id: invoice.id,
    invoiceid: invoice.id,
    invoiceNumber: invoice.number,
    invoiceDate: invoice.date,
    dueDate: invoice.dueDate,
    customerId: invoice.entityId,
    customerDisplayName: invoice.entityName,
    arBillingStatus: invoice.status,
    salesTaxAmount: invoice.salesTaxAmount,
    invoiceAmount: invoice.amount,
    openAmount: invoice.openAmount,
    readyToPay: readyToPay(invoice),
    badge,
    daysOverdue,
    rowVersion: invoice.rowVersion,
  };
}

/** Returns a complete invoice in the API format. */
export function invoiceView(
  invoice: NamedDocument,
  { lines }: { lines: readonly LineRow[] },
  today: IsoDate,
): BillingInvoice {
  return {
    ...invoiceRowView(invoice, today),
    entryDate: invoice.entryDate,
    ...shownDiscount(invoice),
    salesTaxScenario: invoice.scenarioId,
    ...(invoice.estimateId === null ? {} : { estimateId: invoice.estimateId }),
    taxItems: invoice.taxSnapshot.map(({ rest: _, ...item }) => {
      return { ...item, percentage: decimal(item.percentage) };
    }),
    lineItems: lines.map(lineView),
  };
}

/** Returns a complete invoice, including the fields that estimates and credit memos don't have. */
export function billingInvoiceView(
  invoice: NamedDocument,
  parts: { lines: readonly LineRow[] },
  today: IsoDate,
): BillingInvoice {
  return { ...invoiceView(invoice, parts, today), ...ownFields(invoice) };
}

/** Returns an invoice in the list format, including the fields that estimates and credit memos don't have. */
export function billingInvoiceRowView(invoice: NamedDocument, today: IsoDate): BillingInvoiceRow {
  return { ...invoiceRowView(invoice, today), ...ownFields(invoice) };
}

function ownFields(invoice: NamedDocument): Pick<BillingInvoiceRow, 'poNumber' | 'customerNote' | 'terms'> {
  const { poNumber, note, date: invoiceDate, dueDate } = invoice;
  return {
    ...(poNumber === '' ? {} : { poNumber }),
    ...(note === '' ? {} : { customerNote: note }),
    terms: invoiceTerms({ invoiceDate, dueDate, ...shownDiscount(invoice) }),
  };
}

/** Returns a stored line in the API format. */
export function lineView(line: LineRow): BillingInvoice['lineItems'][number] {
  const { parts, discountTerms } = line;
  const [isProduct, isPackage] = [line.productId !== null, line.packageId !== null];
  return {
    id: line.id,
    workItemId: line.workItemId,
    ...(line.estimateLineId === null ? {} : { sourceLineId: line.estimateLineId }),
    productId: line.productId,
    packageId: line.packageId,
    discountId: line.discountId,
    isProduct,
    isPackage,
    isDiscount: line.discountId !== null,
    isProductLine: isProduct || isPackage,
    productName: line.productName,
    itemPrice: line.itemPrice,
    itemAmount: decimal(line.itemAmount),
    quantity: decimal(line.quantity),
    description: line.description,
    serviceDate: line.serviceDate,
    taxable: line.taxable,
    accountId: line.accountId,
    profitCenterId: line.profitCenterId,
    locationId: line.locationId,
    lineItemAmount: line.lineItemAmount,
    lineItemTax: decimal(line.lineTax),
    taxItems: line.taxItems.map((item) => ({ ...item, total: decimal(item.total) })),
    packageParts:
      parts && parts.map((part) => ({ ...part, quantity: decimal(part.quantity), weight: decimal(part.weight) })),
    discountTerms: discountTerms && {
      ...discountTerms,
      discountPercentage: decimal(discountTerms.discountPercentage),
      base: discountTerms.base === null ? null : decimal(discountTerms.base),
    },
    deleted: false,
  };
}

/** The format of a settled invoice in its event. */
export const paidInvoice = { schema: BillingInvoiceRow, view: billingInvoiceRowView };

const subject = { name: 'payment', schema: BillingPayment, idOf: ({ id }: BillingPayment) => id };

/** Converts a document and its parts to the API format. */
export const partsView = ({ lines, taxItems, taken }: Whole): DocumentParts => ({
  lines: lines.map(({ discountType = null, ...line }) => ({ ...line, discountType })),
  taxItems: taxItems.map(({ id, percentage, total }) => ({ id, percentage, total })),
  taken: { ...taken, taxItems: [...taken.taxItems] },
});

/** Customer payments. A payment without requested applications is applied to the open invoices in list order. */
export const billingPayments = paymentCalls({
  side: RECEIVABLE,
  subject,
  input: paymentInput,
  view: paymentView,
  documentView: ({ today }, row) => invoiceRowView(row, today),
  paid: paidInvoice,
});

function paymentInput(body: BillingPaymentInput): PaymentInput {
  return {
    ...requestedPayment(body),
    entityId: body.customerId,
    paymentTypeId: body.paymentTypeId ?? 0,
    locationId: 0,
  };
}

/**
 * Returns a stored payment in the API format. The reference number is included under both spellings of its field name.
 */
function paymentView(payment: NamedPayment, shown: ShownPayment): BillingPayment {
  return {
    ...shown,
    customerId: payment.entityId,
    customerDisplayName: payment.entityName,
    paymentTypeId: payment.paymentTypeId,
    paymentRefNumber: payment.referenceNumber,
  };
}
