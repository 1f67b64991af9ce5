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

/** A document as it is locked and stored, and as it shall be. */
interface Change {
  stored: DocumentRow;
  before: Omit<SettledDocument, 'applied'>;
  after: Omit<SettledDocument, 'applied'>;
}

/**
 * Posts what differs of a locked document that is saved, also of its payments, whose cash recognition follows its lines
 * (docs/accounting.md, "What a payment recognizes"). If nothing of it differs, nothing is read. `reason` is an
 * administrator's to change what lies on or before the closing date.
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
  writeSettlement(ctx.tx, loaded, after);
}

/** A document that was reversed: it is to be marked as deleted. */
export interface Removed<L> {
  stored: NamedDocument;
  lines: readonly L[];
  reason: string | undefined;
}

interface Gone<L> {
  id: number;
  lines: Runnable<L>;
  /** The documents that were made from it, and their name. */
  heldBy: { documents: string; select: (id: number) => Runnable<{ number: string }> } | undefined;
  /** Locks what else changes. */
  also: readonly Runnable<unknown>[] | undefined;
  overrideReason: string | undefined;
}

/** Reverses a document; refused while something is applied to it: "Delete its payments first". Throws 404. */
export async function reverseDocument<L extends Omit<PostedLineRow, 'documentId'>>(
  ctx: Ctx,
  kind: SettledKind,
  { id, lines: selectLines, heldBy, also, overrideReason }: Gone<L>,
): Promise<Removed<L>> {
  // Both are behind the lock: they are sent after it.
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

/** The amount that payments have applied to a document; a bill that was paid at once has none. */
export function appliedTo({ status, applied }: Pick<NamedDocument, 'status' | 'applied'>): Cents {
  return status === PAID_AT_ONCE ? ZERO : applied;
}

/** Runs a check that may refuse because of what is applied to a document; the refusal names it. */
export async function withCause(ctx: Ctx, id: number, check: (by?: readonly AppliedBy[]) => void): Promise<void> {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    check((await ctx.tx.rows(selectAppliedBy(id))).flatMap(({ by }) => APPLIED_KINDS[by] ?? []));
    throw error;
  }
}
