import { difference as postingsFor } from '@evenkeel/core/books/ledger';
import { taxreturn } from '@evenkeel/core/kinds/taxreturn';
import { liveLinesBySource, liveLinesOf, marksOf, openJournal, post } from '../../books/ledger/journal.ts';
import type { Ctx } from '../../platform/http/context.ts';

/**
 * Reverses the entry for a return or payment. Throws 409 if the entry is reconciled, or is in a closed period and no
 * reason is given.
 */
export async function reverseTaxEntry(ctx: Ctx, id: number, reason: string | undefined): Promise<void> {
  const source = { type: taxreturn.source, id };
  const end = await openJournal(ctx.tx);
  const live = await ctx.tx.rows(liveLinesOf([source]));
  const marks = marksOf(live);
  const postings = postingsFor(liveLinesBySource(live)(source), [], marks);
  await post(ctx, [{ source, postings, marks, reason }], end);
}
