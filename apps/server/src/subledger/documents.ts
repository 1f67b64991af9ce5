import type { IsoDate } from '@evenkeel/core/dates';
import { notFound } from '@evenkeel/core/failure';
import { checkDocumentDelete, PAID_AT_ONCE } from '@evenkeel/core/invoice';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { type SettledDocument, withDocument } from '@evenkeel/core/settlement';
import { capital, type Side } from '@evenkeel/core/side';
import type { Runnable } from '../db/query.ts';
import type { Ctx } from '../http/context.ts';
import { closingOverride } from '../ledger/post.ts';
import { type NamedDocument, selectDocument } from './reads.sql.ts';
import type { Picked, PostedLineRow } from './settlement.sql.ts';
import { type LoadedSettlement, loadSettlement, postSettlement, settledDocument } from './settlement.ts';
import { writeSettlement } from './settlement.ts';

/** The document itself, from the beginning: an edit may move what every payment on it recognises. */
export const pickedDocument = (id: number): Picked => ({
  documentIds: [id],
  paymentId: 0,
  openOfEntityIds: [],
  from: 'beginning',
});

/**
 * Posts what differs of a document that is saved, also of its payments, whose cash recognition follows its lines
 * (accounting: A7). `reason` is an administrator's to change what lies on or before the closing date.
 */
export async function settleDocument(
  ctx: Ctx,
  loaded: LoadedSettlement,
  document: Omit<SettledDocument, 'applied'>,
  { closingDate, reason }: { closingDate: IsoDate | null; reason: string | undefined },
): Promise<void> {
  const mayPostClosed = reason !== undefined;
  const after = withDocument(loaded.settlement, document, mayPostClosed ? null : closingDate);
  await postSettlement(ctx, loaded, after, { documentId: document.id, mayPostClosed });
  writeSettlement(ctx.tx, loaded, after);
}

/** A document that was reversed: it is to be marked as deleted. */
export interface Removed<L> {
  stored: NamedDocument;
  lines: readonly L[];
  reason: string | undefined;
}

/** Reverses a document; refused while payments stand on it: "Delete its payments first". Throws 404. */
export async function reverseDocument<L extends Omit<PostedLineRow, 'documentId'>>(
  ctx: Ctx,
  side: Side,
  { id, lines: selectLines, overrideReason }: { id: number; lines: Runnable<L>; overrideReason: string | undefined },
): Promise<Removed<L>> {
  const [loaded, [[stored], lines]] = await loadSettlement(ctx.tx, side, pickedDocument(id), [
    selectDocument(side, id),
    selectLines,
  ]);
  if (stored === undefined) throw notFound(capital(side.words.document));
  checkDocumentDelete(appliedTo(stored));
  const reason = closingOverride(ctx, overrideReason);
  const gone = { ...settledDocument(side, stored, lines), posts: false };
  const after = withDocument(loaded.settlement, gone, null);
  await postSettlement(ctx, loaded, after, { documentId: id, mayPostClosed: reason !== undefined });
  return { stored, lines, reason };
}

/** What payments have applied to a document; what was paid at once has none. */
export function appliedTo({ status, applied }: Pick<NamedDocument, 'status' | 'applied'>): Cents {
  return status === PAID_AT_ONCE ? ZERO : applied;
}
