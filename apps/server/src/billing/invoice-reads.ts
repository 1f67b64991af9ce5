import type { BillingInvoice, BillingInvoiceRow, CustomerOpenInvoice } from '@evenkeel/contract/billing';
import { listOrder } from '@evenkeel/core/allocation';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import { cents } from '@evenkeel/core/money';
import { pageOf } from '../db/page.ts';
import type { Ctx } from '../http/context.ts';
import * as readsSql from './invoice-reads.sql.ts';
import type { InvoiceFilter } from './invoice-reads.sql.ts';
import { invoiceRowView, invoiceView } from './invoice-view.ts';
import { selectInvoice, selectLines } from './invoices.sql.ts';
import { paymentView } from './payment-view.ts';
import { selectApplied, selectPayment } from './payments.sql.ts';

/** Open invoices and drafts, or all; bare, or one page with `limit` (wire: Billing). */
export async function listInvoices(ctx: Ctx, filter: InvoiceFilter) {
  const [rows, count] = await Promise.all([
    ctx.tx.rows(readsSql.selectInvoiceList(ctx.companyId, filter)),
    filter.limit === undefined ? undefined : ctx.tx.row(readsSql.countInvoices(ctx.companyId, filter)),
  ]);
  return pageOf(filter, { rows, total: count?.total ?? rows.length }, (row) => invoiceRowView(row, ctx.today));
}

export async function getInvoice(ctx: Ctx, id: number): Promise<BillingInvoice> {
  const [invoice, lines] = await Promise.all([
    ctx.tx.row(selectInvoice(ctx.companyId, id)),
    ctx.tx.rows(selectLines(ctx.companyId, id)),
  ]);
  if (invoice === undefined) throw notFound('Invoice');
  return invoiceView(invoice, lines, ctx.today);
}

/** Invoices dated from `fromDate` to `toDate`, both inclusive. */
export async function invoiceHistory(
  ctx: Ctx,
  { fromDate, toDate }: { fromDate: IsoDate; toDate: IsoDate },
): Promise<BillingInvoiceRow[]> {
  if (fromDate > toDate) throw refuse('The first date is after the last', { fromDate: 'Is after the last date' });
  const rows = await ctx.tx.rows(readsSql.selectHistory(ctx.companyId, fromDate, toDate));
  return rows.map((row) => invoiceRowView(row, ctx.today));
}

export async function customerHistory(ctx: Ctx, customerId: number) {
  const [customer, rows] = await Promise.all([
    ctx.tx.row(readsSql.customerExists(ctx.companyId, customerId)),
    ctx.tx.rows(readsSql.selectCustomerHistory(ctx.companyId, customerId)),
  ]);
  if (customer === undefined) throw notFound('Customer');
  return rows.map((row) => ({ ...row, amount: cents(row.amount), balance: cents(row.balance) }));
}

/**
 * A customer's open invoices in list order; with a payment also those it touched. `openAmount` is the stored one: what
 * is unpaid while that payment is edited is openAmount + appliedAmount.
 */
export async function openInvoices(ctx: Ctx, customerId: number, paymentId: number): Promise<CustomerOpenInvoice[]> {
  const [customer, payment, rows] = await Promise.all([
    ctx.tx.row(readsSql.customerExists(ctx.companyId, customerId)),
    paymentId === 0 ? undefined : ctx.tx.row(selectPayment(ctx.companyId, paymentId)),
    ctx.tx.rows(readsSql.selectOpen(ctx.companyId, customerId, paymentId)),
  ]);
  if (customer === undefined) throw notFound('Customer');
  if (paymentId !== 0 && payment?.customerId !== customerId) throw notFound('Payment');
  const ids = rows.map((row) => row.id);
  const lines = await ctx.tx.rows(readsSql.selectOpenLines(ctx.companyId, ids));
  const listed = rows.map((row) => ({
    ...row,
    invoiceId: row.id,
    appliedAmount: cents(row.applied),
    unpaid: cents(row.openAmount + row.applied),
  }));
  return listOrder(listed).map((row) => openInvoiceView(row, lines));
}

type OpenRow = Pick<
  CustomerOpenInvoice,
  'invoiceId' | 'invoiceNumber' | 'invoiceDate' | 'dueDate' | 'invoiceAmount' | 'openAmount' | 'appliedAmount'
>;

function openInvoiceView(row: OpenRow, all: readonly readsSql.OpenLineRow[]): CustomerOpenInvoice {
  const { invoiceId, invoiceNumber, invoiceDate, dueDate, invoiceAmount, openAmount, appliedAmount } = row;
  const own = all.filter((line) => line.invoiceId === invoiceId);
  const lineItems = own.map(({ description, lineItemAmount, profitCenterId, locationId }) => {
    return { description, lineItemAmount: cents(lineItemAmount), profitCenterId, locationId };
  });
  return {
    invoiceId,
    invoiceNumber,
    invoiceDate,
    dueDate,
    invoiceAmount,
    openAmount,
    appliedAmount,
    applyAmount: appliedAmount,
    profitCenterId: lineItems[0]?.profitCenterId ?? null,
    locationId: lineItems[0]?.locationId ?? null,
    lineItems,
  };
}

export async function getPayment(ctx: Ctx, id: number) {
  const [payment, applied] = await Promise.all([
    ctx.tx.row(selectPayment(ctx.companyId, id)),
    ctx.tx.rows(selectApplied(ctx.companyId, id)),
  ]);
  if (payment === undefined) throw notFound('Payment');
  return paymentView(payment, applied);
}
