import type { BillingInvoice, BillingInvoiceRow } from '@evenkeel/contract/billing';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import { RECEIVABLE } from '@evenkeel/core/side';
import type { Ctx } from '../http/context.ts';
import { selectDated, selectDocument } from '../subledger/reads.sql.ts';
import { invoiceRowView, invoiceView } from './invoice-view.ts';
import { selectLines } from './invoices.sql.ts';

export async function getInvoice(ctx: Ctx, id: number): Promise<BillingInvoice> {
  const [invoice, lines] = await Promise.all([
    ctx.tx.row(selectDocument(RECEIVABLE, id)),
    ctx.tx.rows(selectLines(id)),
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
  const rows = await ctx.tx.rows(selectDated(RECEIVABLE, fromDate, toDate));
  return rows.map((row) => invoiceRowView(row, ctx.today));
}
