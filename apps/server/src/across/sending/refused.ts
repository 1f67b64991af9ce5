import type { RefusedMail } from '@evenkeel/contract/sending';
import { notFound } from '@evenkeel/core/failure';
import type { Ctx } from '../../platform/http/context.ts';
import { mails, namedIds, selectTroubled } from './mails.sql.ts';
import { withCopies } from './send.ts';

/**
 * Returns emails that were not delivered, or might not have been, newest first. Each of these emails is the last one of
 * its kind about a record, and is listed until it is sent again or dismissed. The dashboard uses this list.
 */
export async function refusedMail(ctx: Ctx): Promise<RefusedMail[]> {
  const rows = await ctx.tx.rows(selectTroubled());
  const shown = await withCopies(ctx.tx, rows);
  return rows.map(({ id, customerId, customerDisplayName, number, ...row }, index) => {
    const { sentBy = '', sentAt = '', recipients = [] } = shown[index] ?? {};
    const about = { ...namedIds(row), customerId, customerDisplayName, number };
    return { id, kind: row.kind, ...about, sentBy, sentAt, recipients };
  });
}

/** Dismisses an email from the list. Throws 404 if the email does not exist. */
export async function dismissMail(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const row = await ctx.tx.row(mails.update({ id }, { dismissed: true }, ['id']));
  if (row === undefined) throw notFound('E-mail');
  return { ok: true };
}
