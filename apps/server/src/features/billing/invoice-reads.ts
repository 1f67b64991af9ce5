import type { IsoDate } from '@evenkeel/core/dates';
import { refuse } from '@evenkeel/core/failure';
import type { Ctx } from '../../platform/http/context.ts';
import type { DocumentFilter } from '../../books/documents/reads.sql.ts';
import { invoices } from './invoices.ts';

/** Lists invoices dated from `fromDate` through `toDate`. Returns all of them, or one page if `limit` is given. */
export async function invoiceHistory(
  ctx: Ctx,
  { fromDate: from, toDate: to }: { fromDate: IsoDate; toDate: IsoDate },
  page: DocumentFilter,
) {
  if (from > to)
    throw refuse('The start date is after the end date', { fromDate: 'Must be on or before the end date' });
  return invoices.list(ctx, { ...page, dated: { from, to } });
}
