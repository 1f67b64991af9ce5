import type { BillingInvoice } from '@evenkeel/contract/billing';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound, refuse } from '@evenkeel/core/failure';
import { RECEIVABLE } from '@evenkeel/core/side';
import type { Ctx } from '../http/context.ts';
import { listDocuments } from '../subledger/reads.ts';
import { type DocumentFilter, selectDocument } from '../subledger/reads.sql.ts';
import { invoiceRowView, invoiceView } from './views.ts';
import { selectLines } from './invoices.sql.ts';

export async function getInvoice(ctx: Ctx, id: number): Promise<BillingInvoice> {
  const [invoice, lines] = await Promise.all([
    ctx.tx.row(selectDocument(RECEIVABLE, id)),
    ctx.tx.rows(selectLines(id)),
  ]);
  if (invoice === undefined) throw notFound('Invoice');
  return invoiceView(invoice, lines, ctx.today);
}

/** Invoices dated from `fromDate` to `toDate`, both inclusive; bare, or one page with `limit`. */
export async function invoiceHistory(
  ctx: Ctx,
  { fromDate: from, toDate: to }: { fromDate: IsoDate; toDate: IsoDate },
  page: DocumentFilter,
) {
  if (from > to) throw refuse('The first date is after the last', { fromDate: 'Is after the last date' });
  return listDocuments(ctx, RECEIVABLE, { ...page, dated: { from, to } }, (row) => invoiceRowView(row, ctx.today));
}
