import type { BillingInvoice, BillingPayment } from '@evenkeel/contract/billing';
import { formatDate } from '@evenkeel/core/dates';
import { PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { paidSoFar, posts } from '@evenkeel/core/documents/invoice';
import {
  type Cents,
  cents,
  type Decimal,
  decimal,
  formatAmount,
  negate,
  sum,
  toCents,
  ZERO,
} from '@evenkeel/core/money';
import { refuse } from '@evenkeel/core/failure';
import { discountLeft, discountWords } from '@evenkeel/core/documents/terms';
import { type Parties, readParties } from '../entities/parties.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Drawing } from '../../platform/http/route.ts';
import type { InvoicePaper } from '../../platform/pdf/invoice.ts';
import { printer } from '../../platform/pdf/printer.ts';
import type { ReceiptPaper } from '../../platform/pdf/receipt.ts';
import { billingPayments } from './views.ts';

/** The reason why a payment of 0.00, which only applies a credit, has no receipt. */
export const NO_RECEIPT = 'This payment only applies a credit, so it has no receipt';

/**
 * Returns a payment receipt as a letter-size PDF, which is drawn after the transaction ends. Throws 404, or 422 for a
 * payment that moves no money.
 */
export async function printReceipt(ctx: Ctx, id: number): Promise<Drawing> {
  const payment = await billingPayments.get(ctx, { params: { id } });
  if (payment.paymentAmount === 0) throw refuse(NO_RECEIPT);
  const { parties } = await readParties(ctx, payment.customerId, { paymentId: id });
  const paper = receiptPaperOf({ payment, ...parties });
  return () => printer.receipt(paper);
}

/**
 * Returns the content of a receipt: the amount, payment type, and invoices. A refund's receipt shows the refunded
 * credits.
 */
export function receiptPaperOf({ payment, company, customer }: Parties & { payment: BillingPayment }): ReceiptPaper {
  const { paymentNumber, paymentDate, paymentRefNo, paymentCheckNo, paymentAmount, unappliedAmount } = payment;
  const isRefund = paymentAmount < 0;
  const shown = (amount: Cents): Cents => (isRefund ? negate(amount) : amount);
  const facts = [
    { label: isRefund ? 'Refund Number' : 'Receipt Number', value: paymentNumber },
    { label: isRefund ? 'Refund Date' : 'Payment Date', value: formatDate(paymentDate) },
    { label: 'Check Number', value: paymentCheckNo },
    { label: 'Reference', value: paymentRefNo },
  ];
  return {
    company,
    from: [customer.name, ...customer.lines],
    number: paymentNumber,
    facts: facts.filter(({ value }) => value !== ''),
    amount: shown(paymentAmount),
    paid: [
      ...payment.paymentApplications.map(({ invoiceDescription, discountAmount, amount }) => {
        const less = discountAmount === undefined ? '' : `, less a discount of ${formatAmount(discountAmount)}`;
        return { text: `${invoiceDescription}${less}`, amount: shown(amount) };
      }),
      ...payment.paymentRefunds.map(({ paymentNumber: number, amount }) => ({ text: `Payment ${number}`, amount })),
    ],
    credit: unappliedAmount,
    isRefund,
  };
}

/** Returns the content of a printed invoice. */
export function invoicePaperOf({
  invoice,
  howToPay,
  company,
  customer,
}: Parties & { invoice: BillingInvoice; howToPay: string }): InvoicePaper {
  const { invoiceNumber, invoiceDate, dueDate, invoiceAmount, openAmount, arBillingStatus: status } = invoice;
  return {
    name: 'Invoice',
    shortName: 'Invoice',
    asks: 'payment',
    company,
    billTo: [customer.name, ...customer.lines],
    invoiceNumber,
    invoiceDate,
    dueDate,
    ...(posts(status) ? {} : { status: invoice.badge }),
    facts: [
      { label: 'PO Number', value: invoice.poNumber ?? '' },
      { label: 'Terms', value: invoice.terms ?? '' },
    ].filter(({ value }) => value !== ''),
    ...(invoice.customerNote === undefined ? {} : { note: { label: 'Note', text: invoice.customerNote } }),
    lines: invoice.lineItems.map(lineOf),
    subtotal: sum(invoice.lineItems.map((line) => line.lineItemAmount)),
    taxes: invoice.taxItems.map((item) => ({ label: taxLabel(item, taxableAmount(invoice)), amount: item.total })),
    total: invoiceAmount,
    paid: paidSoFar({ status, invoiceAmount, openAmount }),
    balanceDue: openAmount,
    // Payment instructions appear only if something is owed.
    notes: openAmount > 0 ? [...discountNote(invoice), ...linesOf(howToPay)] : [],
    footer: company.name,
  };
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Returns "2% discount if paid by 12/6/2026: 24.00", or an empty list without a discount. */
function discountNote({ discountPercent: percent, discountUntil: until, ...invoice }: BillingInvoice) {
  if (percent === undefined || until === undefined) return [];
  const total = cents(invoice.invoiceAmount - (invoice.returnedAmount ?? 0));
  const amount = discountLeft(percent, { total, taken: ZERO, unpaid: total });
  return [`${discountWords({ percent, until })}: ${formatAmount(amount)}`];
}

function lineOf(line: BillingInvoice['lineItems'][number]): InvoicePaper['lines'][number] {
  const name = line.productName ?? '';
  return {
    serviceDate: line.serviceDate,
    name,
    description: line.description === name ? '' : line.description,
    // A percentage discount shows only its amount, without a quantity or price.
    ...(line.discountTerms?.discountType === PERCENTAGE
      ? { quantity: null, price: null }
      : { quantity: line.quantity.toString(), price: line.itemPrice }),
    amount: line.lineItemAmount,
    taxable: line.taxable,
    ...(line.packageParts === null ? {} : { parts: line.packageParts.map((part) => partOf(part, line.quantity)) }),
  };
}

/** Describes a part of a package, such as "2 × Mulch". A discount shows only its name. */
function partOf({ productID, name, quantity, amount }: LinePart, packages: Decimal) {
  return { text: productID === null ? name : `${quantity.times(packages).toString()} × ${name}`, amount };
}

type LinePart = NonNullable<BillingInvoice['lineItems'][number]['packageParts']>[number];

/**
 * Returns the taxed amount. It is calculated from the taxes on the lines, because a package can be partly taxed and a
 * discount reduces the taxed amount.
 */
function taxableAmount({ lineItems, taxItems }: BillingInvoice): Cents {
  const percentage = taxItems.reduce((all, item) => all.plus(item.percentage), decimal(0));
  if (percentage.eq(0)) return sum(lineItems.filter((line) => line.taxable).map((line) => line.lineItemAmount));
  const tax = lineItems.reduce((all, line) => all.plus(line.lineItemTax), decimal(0));
  return toCents(tax.times(100).div(percentage));
}

function taxLabel(item: BillingInvoice['taxItems'][number], taxable: Cents): string {
  return taxable === 0 ? item.label : `${item.label} ${item.percentage.toString()}% of ${formatAmount(taxable)}`;
}
