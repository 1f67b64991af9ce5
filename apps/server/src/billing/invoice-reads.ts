import type { BillingInvoice, BillingInvoiceRow, CustomerOpenInvoice } from '@evenkeel/contract/billing';
import { listOrder } from '@evenkeel/core/allocation';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import { type Cents, cents } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/side';
import { pageOf } from '../db/page.ts';
import type { Ctx } from '../http/context.ts';
import { selectPayment } from '../subledger/payments.sql.ts';
import { type DocumentFilter, type NamedDocument } from '../subledger/reads.sql.ts';
import * as readsSql from '../subledger/reads.sql.ts';
import { idList, linesOf, type PostedLineRow } from '../subledger/settlement.sql.ts';
import { invoiceRowView, invoiceView } from './invoice-view.ts';
import { selectInvoice, selectLines } from './invoices.sql.ts';

/** Open invoices and drafts, or all; bare, or one page with `limit` (wire: Billing). */
export async function listInvoices(ctx: Ctx, filter: DocumentFilter) {
  const [rows, count] = await Promise.all([
    ctx.tx.rows(readsSql.selectList(RECEIVABLE, filter)),
    filter.limit === undefined ? undefined : ctx.tx.row(readsSql.countList(RECEIVABLE, filter)),
  ]);
  const { total, ...sums } = count ?? { total: rows.length };
  return pageOf(filter, { rows, total, sums }, (row) => invoiceRowView(row, ctx.today));
}

export async function getInvoice(ctx: Ctx, id: number): Promise<BillingInvoice> {
  const [invoice, lines] = await Promise.all([ctx.tx.row(selectInvoice(id)), ctx.tx.rows(selectLines(id))]);
  if (invoice === undefined) throw notFound('Invoice');
  return invoiceView(invoice, lines, ctx.today);
}

/** Invoices dated from `fromDate` to `toDate`, both inclusive. */
export async function invoiceHistory(
  ctx: Ctx,
  { fromDate, toDate }: { fromDate: IsoDate; toDate: IsoDate },
): Promise<BillingInvoiceRow[]> {
  if (fromDate > toDate) throw refuse('The first date is after the last', { fromDate: 'Is after the last date' });
  const rows = await ctx.tx.rows(readsSql.selectDated(RECEIVABLE, fromDate, toDate));
  return rows.map((row) => invoiceRowView(row, ctx.today));
}

export async function customerHistory(ctx: Ctx, customerId: number) {
  const [customer, rows] = await Promise.all([
    ctx.tx.row(readsSql.entityExists(RECEIVABLE, customerId)),
    ctx.tx.rows(readsSql.selectEntityHistory(RECEIVABLE, customerId)),
  ]);
  if (customer === undefined) throw notFound('Customer');
  return rows.map((row) => ({ ...row, kind: row.kind === 'payment' ? ('payment' as const) : ('invoice' as const) }));
}

/**
 * A customer's open invoices in list order; with a payment also those it touched. `openAmount` is the stored one: what
 * is unpaid while that payment is edited is openAmount + appliedAmount.
 */
export async function openInvoices(ctx: Ctx, customerId: number, paymentId: number): Promise<CustomerOpenInvoice[]> {
  const [customer, payment, rows] = await Promise.all([
    ctx.tx.row(readsSql.entityExists(RECEIVABLE, customerId)),
    paymentId === 0 ? undefined : ctx.tx.row(selectPayment(RECEIVABLE, paymentId)),
    ctx.tx.rows(readsSql.selectOpen(RECEIVABLE, customerId, paymentId)),
  ]);
  if (customer === undefined) throw notFound('Customer');
  if (paymentId !== 0 && payment?.entityId !== customerId) throw notFound('Payment');
  const lines = await ctx.tx.rows(linesOf(RECEIVABLE, idList(rows.map((row) => row.id))));
  const listed = rows.map((row) => {
    const { id: invoiceId, number: invoiceNumber, date: invoiceDate } = row;
    return { ...row, invoiceId, invoiceNumber, invoiceDate, unpaid: cents(row.openAmount + row.paid) };
  });
  return listOrder(listed).map((row) => openInvoiceView(row, lines));
}

function openInvoiceView(row: NamedDocument & { paid: Cents }, all: readonly PostedLineRow[]): CustomerOpenInvoice {
  const lineItems = all
    .filter((line) => line.documentId === row.id)
    .map(({ description, lineItemAmount, profitCenterId, locationId }) => {
      return { description, lineItemAmount, profitCenterId, locationId };
    });
  return {
    invoiceId: row.id,
    invoiceNumber: row.number,
    invoiceDate: row.date,
    dueDate: row.dueDate,
    invoiceAmount: row.amount,
    openAmount: row.openAmount,
    appliedAmount: row.paid,
    applyAmount: row.paid,
    profitCenterId: lineItems[0]?.profitCenterId ?? null,
    locationId: lineItems[0]?.locationId ?? null,
    lineItems,
  };
}
