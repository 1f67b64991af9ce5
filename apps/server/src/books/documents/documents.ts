import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, Failure, notFound } from '@evenkeel/core/failure';
import { type AppliedBy, checkDocumentDelete, PAID_AT_ONCE } from '@evenkeel/core/documents/invoice';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { movedBy, type SettledDocument, withDocument } from '@evenkeel/core/books/settlement';
import { type SettledKind, type Side, sideOf } from '@evenkeel/core/documents/side';
import type { Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { closingOverride } from '../ledger/journal.ts';
import { APPLIED_KINDS, type NamedDocument, selectAppliedBy, selectDocument } from './reads.sql.ts';
import type { DocumentRow, PostedLineRow } from './settlement.sql.ts';
import { lockDocument, postSettlement, readDocument, settledDocument, writeSettlement } from './settlement.ts';

/** A locked document as it is stored and as it will be saved. */
interface Change {
  stored: DocumentRow;
  before: Omit<SettledDocument, 'applied'>;
  after: Omit<SettledDocument, 'applied'>;
}

/**
 * Posts the difference between a locked document and its new state, including the difference of its payments, whose
 * cash recognition depends on its lines (docs/accounting.md, "What a payment recognizes"). Without a difference, it
 * reads nothing. `reason` is an administrator's reason to change entries on or before the closing date.
 */
export async function settleDocument(
  ctx: Ctx,
  side: Side,
  { stored, before, after: saved }: Change,
  { closingDate, reason }: { closingDate: IsoDate | null; reason: string | undefined },
): Promise<void> {
  const moved = movedBy(before, saved);
  if (moved === 'nothing') return;
  const loaded = await readDocument(ctx.tx, side, stored, { before, withPayments: moved === 'payments' });
  const after = withDocument(loaded.settlement, saved, reason === undefined ? closingDate : null);
  await postSettlement(ctx, loaded, after, { documentId: saved.id, reason });
  ctx.tx.atEnd(...writeSettlement(loaded, after));
}

/** A reversed document, which the caller must mark as deleted. */
export interface Removed<L> {
  stored: NamedDocument;
  lines: readonly L[];
  reason: string | undefined;
}

interface Gone<L> {
  id: number;
  lines: Runnable<L>;
  /** The documents that were created from it, and their name. */
  heldBy: { documents: string; select: (id: number) => Runnable<{ number: string }> } | undefined;
  /** Locks on everything else that changes. */
  also: readonly Runnable<unknown>[] | undefined;
  overrideReason: string | undefined;
}

/** Reverses a document. Throws 404, and 409 while a payment or credit is applied to it. */
export async function reverseDocument<L extends Omit<PostedLineRow, 'documentId'>>(
  ctx: Ctx,
  kind: SettledKind,
  { id, lines: selectLines, heldBy, also, overrideReason }: Gone<L>,
): Promise<Removed<L>> {
  // Both are sent after the lock, so they run while it is held.
  const [[[stored], lines], held = []] = await Promise.all([
    lockDocument(ctx.tx, { id, also }, [selectDocument(kind, id), selectLines]),
    heldBy && ctx.tx.rows(heldBy.select(id)),
  ]);
  if (stored === undefined) throw notFound(kind.words.title);
  await withCause(ctx, id, (by) => checkDocumentDelete(appliedTo(stored), by));
  if (held.length > 0) {
    throw conflict(`Delete these ${heldBy?.documents} first: ${held.map(({ number }) => number).join(', ')}`);
  }
  const reason = closingOverride(ctx, overrideReason);
  const before = settledDocument(stored, lines);
  await settleDocument(
    ctx,
    sideOf(kind),
    { stored, before, after: { ...before, posts: false } },
    { closingDate: null, reason },
  );
  return { stored, lines, reason };
}

/**
 * Returns the amount that payments and credits have applied to a document. It is 0 for a bill that was paid
 * immediately.
 */
export function appliedTo({ status, applied }: Pick<NamedDocument, 'status' | 'applied'>): Cents {
  return status === PAID_AT_ONCE ? ZERO : applied;
}

/**
 * Runs a check that may fail because of applications to a document. If it fails, runs it again with the kinds of
 * applications, so that the error names them.
 */
export async function withCause(ctx: Ctx, id: number, check: (by?: readonly AppliedBy[]) => void): Promise<void> {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    check((await ctx.tx.rows(selectAppliedBy(id))).flatMap(({ by }) => APPLIED_KINDS[by] ?? []));
    throw error;
  }
}
