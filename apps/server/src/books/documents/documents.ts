import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, Failure, present } from '@evenkeel/core/failure';
import {
  type AppliedBy,
  checkDocumentDelete,
  checkDocumentEdit,
  PAID_AT_ONCE,
  posts,
} from '@evenkeel/core/documents/invoice';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { postDocument } from '@evenkeel/core/books/posting';
import { movedBy, withDocument } from '@evenkeel/core/books/settlement';
import { documentLabel, type SettledKind, type Side, sideOf } from '@evenkeel/core/documents/side';
import type { RawBuilder } from 'kysely';
import type * as z from 'zod';
import type { LinkableFile } from '../attachments/attachments.sql.ts';
import type { OwnerKind } from '../attachments/owners.ts';
import {
  type DocumentFacts,
  type DocumentRecord,
  insertDocuments,
  type LineStore,
  markDeleted,
  type OwnLine,
  updateDocument,
} from './documents.sql.ts';
import type { Subject } from '../../platform/db/audit.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { type Asked, type Change, changesOf, creationOf, type Document, type Versioned } from './document.ts';
import { listDocuments, paidBy } from './reads.ts';
import {
  APPLIED_KINDS,
  type DocumentFilter,
  type NamedDocument,
  selectAppliedBy,
  selectDocument,
} from './reads.sql.ts';
import { type PaidFormat, tellPaid } from './paid.ts';
import type { PostedLineRow } from './settlement.sql.ts';
import { lockDocument, postSettlement, readDocument, settledDocument, writeSettlement } from './settlement.ts';

/** A stored line without the ID of its document. */
type Line = Omit<PostedLineRow, 'documentId'> & { id: number };

/** The data for one kind of document. `files` is only for kinds whose records can have files. */
type Facts = DocumentFacts & { files?: (LinkableFile & { linkId: number })[] };

/**
 * The state before a request: the current date, the document to change, and the lines that the request may refer to by
 * ID.
 */
export interface Before<L> {
  today: IsoDate;
  /** The document to change. Undefined if the document is new. */
  stored: NamedDocument | undefined;
  /** The stored lines. For a new document, the lines of the records that it bills, if any. */
  lines: readonly L[];
}

/** A document to be written: its header, its lines, and the name and row version of its customer or vendor. */
export interface Built<L> {
  record: DocumentRecord;
  lines: L[];
  entityName: string;
  entityVersion: number;
}

/** Everything that is specific to one kind of document. */
export interface DocumentFlow<S extends Versioned, I, F, L, R> {
  kind: SettledKind;
  subject: Subject<S>;
  /**
   * Whether this flow changes only documents that were entered with the opening balances. Other flows can't change
   * them.
   */
  isOpening?: true;
  /** The kind of record that files are attached to. Undefined if documents of this kind can't have files. */
  owner?: OwnerKind;
  lines: LineStore<L>;
  /**
   * Returns one statement that reads all data for the given requests. For new documents, the statement also assigns the
   * IDs.
   */
  facts: (inputs: readonly I[], isNew: boolean) => RawBuilder<F>;
  /** Builds the document in a request. Throws 422 with the invalid fields. */
  build: (input: I, facts: F, before: Before<L>) => Built<L>;
  /**
   * Returns the locks on everything else that saving or deleting a document may change. The data is read after these
   * locks are taken.
   */
  locks?: (id: number) => readonly Runnable<unknown>[];
  /**
   * Returns the statements that release the items used by removed lines and claim the items used by the remaining
   * lines. If the document is deleted, all of its lines are removed.
   */
  moves?: (stored: readonly L[], kept: readonly L[]) => Runnable<unknown>[];
  /**
   * Returns the statements that update the source document of a saved or deleted document. They run after the saved or
   * deleted document is written.
   */
  settles?: (stored: NamedDocument) => readonly Runnable<unknown>[];
  /**
   * The documents that depend on this one and prevent its deletion, and the term for them in messages, such as "credit
   * memos".
   */
  heldBy?: { documents: string; select: (id: number) => Runnable<{ number: string }> };
  view: (
    document: NamedDocument,
    parts: { lines: readonly L[]; documentLinks: DocumentLink[] },
    today: IsoDate,
  ) => z.output<S>;
  /** Returns the row for a document in a list. */
  rowView: (document: NamedDocument, today: IsoDate) => R;
  /** The format of a document that is settled by lowering its total. Undefined for kinds that don't have this event. */
  paid?: PaidFormat<R>;
}

/** A document with its lines. */
interface Settled<L> extends Document<NamedDocument, readonly L[]> {
  /** The row version of the customer or vendor. 0 for a stored document that is not being written. */
  entityVersion: number;
}

/** Returns a new or changed document in the form that will be stored. */
function settled<L>({ record, lines, entityName, entityVersion }: Built<L>, stored?: NamedDocument): Settled<L> {
  const { rowVersion = 0, returned } = stored ?? {};
  const computed = { isPosted: posts(record.status), deleted: false, rowVersion: rowVersion + 1, entityName };
  return { head: { ...record, ...computed, ...(returned && { returned }) }, parts: lines, entityVersion };
}

/** Returns the stored document, or undefined for a new one. */
async function selected<L>(reading: Promise<readonly [NamedDocument[], L[]]>): Promise<Settled<L> | undefined> {
  const [[head], parts] = await reading;
  return head && { head, parts, entityVersion: 0 };
}

/** Returns the functions for one kind of document. */
export function documentCalls<S extends Versioned, I extends Asked, F extends Facts, L extends Line, R>(
  flow: DocumentFlow<S, I, F, L, R>,
) {
  const { kind, subject, owner, lines: store, heldBy, paid } = flow;
  const side = sideOf(kind);
  const shown = {
    kind,
    subject,
    owner,
    view: ({ head, parts: lines }: Settled<L>, documentLinks: DocumentLink[], today: IsoDate) =>
      flow.view(head, { lines, documentLinks }, today),
  };
  const headOf = ({ head, entityVersion }: Settled<L>, { companyVersion }: F) => {
    return { ...head, entityVersion, companyVersion };
  };
  const ownLines = ({ head, parts }: Settled<L>): OwnLine<L>[] =>
    parts.map((line) => ({ ...line, documentId: head.id }));

  const creation = creationOf<S, I, Settled<L>, F>({
    ...shown,
    facts: (inputs) => flow.facts(inputs, true),
    build: (input, facts, today) => settled(flow.build(input, facts, { today, stored: undefined, lines: [] })),
    transactions: ({ head, parts }) => {
      const document = settledDocument(head, parts);
      return document.posts ? [postDocument(side, document)] : [];
    },
    insert: (rows) =>
      insertDocuments(
        store,
        rows.map((row) => headOf(row, row.facts)),
        rows.flatMap(ownLines),
      ),
  });

  const changes = changesOf({
    ...shown,
    read: (ctx, id) => selected(ctx.tx.inOrder([selectDocument(kind, id), store.select(id)])),
    lock: async (ctx, id, input: I | undefined) => {
      const { tx } = ctx;
      // All of these statements are sent after the one that takes the lock, so they run while the lock is held.
      const [stored, [facts], blocking] = await Promise.all([
        selected(lockDocument(tx, { id, also: flow.locks?.(id) }, [selectDocument(kind, id), store.select(id)])),
        input === undefined ? [] : tx.rows(flow.facts([input], false)),
        input === undefined && heldBy !== undefined ? tx.rows(heldBy.select(id)) : [],
      ]);
      if (stored !== undefined) requireOwnFlow(flow, stored.head);
      return { stored, held: { facts, blocking } };
    },
    rebuild: (input, { stored: { head, parts }, held, today }): Settled<L> =>
      settled(flow.build(input, present(held.facts, 'facts'), { today, stored: head, lines: parts }), head),
    settle: async (ctx, change) => {
      await checkChange(ctx, flow, change);
      await settle(ctx, side, change);
    },
    write: ({ stored: { head, parts }, saved, held: { facts } }) => [
      ...(flow.moves?.(parts, saved?.parts ?? []) ?? []),
      ...(saved === undefined
        ? [markDeleted(head.id)]
        : updateDocument(store, { head: headOf(saved, present(facts, 'facts')), own: ownLines(saved), stored: parts })),
      ...(flow.settles?.(head) ?? []),
    ],
    events: (ctx, change) => (paid === undefined ? [] : eventsOf(ctx, { side, paid }, change)),
  });

  return {
    kind,
    creation,
    ...changes,

    /**
     * Lists open documents and drafts, all documents, or the documents in a date range. With `limit`, returns one page.
     * Otherwise, returns an array.
     */
    list: (ctx: Ctx, filter: DocumentFilter) => listDocuments(ctx, kind, filter, (row) => flow.rowView(row, ctx.today)),

    /** Lists the payments on a document, newest first. Throws 404 if the document does not exist. */
    paidBy: (ctx: Ctx, id: number) => paidBy(ctx, kind, id),
  };
}

/** Returns the statement that queues the event for a document that was settled by an edit. */
function eventsOf<R>(
  ctx: Ctx,
  told: { side: Side; paid: PaidFormat<R> },
  { stored: { head: before }, saved }: Change<Document<NamedDocument>, unknown>,
): Runnable<unknown>[] {
  const isSettled = before.openAmount > 0 && saved?.head.openAmount === 0 && saved.head.isPosted;
  return isSettled ? tellPaid(ctx, told, [{ head: saved.head, paid: [saved.head] }]) : [];
}

/** Throws 409 if the document is dated before the opening balances, which only `isOpening` flows can change. */
function requireOwnFlow(
  { kind, isOpening }: { kind: SettledKind; isOpening?: true },
  { opening, amount }: NamedDocument,
): void {
  if (opening === null || isOpening === true) return;
  const name = documentLabel(kind.source, amount).toLowerCase();
  throw conflict(
    opening.source === 'balances'
      ? `This ${name} is part of the opening balances. Change it under Opening Balances in Settings.`
      : `This ${name} was imported with its open balance, so you can't change or delete it`,
  );
}

/** The data for a request, and the documents that prevent a deletion, read while the document is locked. */
interface Held {
  facts: DocumentFacts | undefined;
  blocking: readonly { number: string }[];
}

/** Throws 409 if payments or other documents prevent the change or the deletion. */
async function checkChange<L>(
  ctx: Ctx,
  { kind, heldBy }: Pick<DocumentFlow<Versioned, unknown, unknown, L, unknown>, 'kind' | 'heldBy'>,
  { stored: { head: stored }, saved, held: { blocking } }: Change<Settled<L>, Held>,
): Promise<void> {
  const { id } = stored;
  const applied = appliedTo(stored);
  if (saved !== undefined) {
    const edit = { ...saved.head, applied, entityChanged: saved.head.entityId !== stored.entityId };
    return withCause(ctx, id, (appliedBy) => checkDocumentEdit(sideOf(kind), { ...edit, appliedBy }, kind));
  }
  await withCause(ctx, id, (by) => checkDocumentDelete(applied, by));
  if (blocking.length === 0) return;
  throw conflict(`Delete these ${heldBy?.documents} first: ${blocking.map(({ number }) => number).join(', ')}`);
}

/**
 * Posts the difference between a locked document and its new state. Includes the difference for its payments, whose
 * cash recognition depends on its lines (docs/accounting.md, "What a payment recognizes"). Reads nothing if there is no
 * difference.
 */
async function settle<L extends Line>(
  ctx: Ctx,
  side: Side,
  { stored: { head: stored, parts }, saved, held: { facts }, reason }: Change<Settled<L>, Held>,
): Promise<void> {
  const before = settledDocument(stored, parts);
  const wanted = saved === undefined ? { ...before, posts: false } : settledDocument(saved.head, saved.parts);
  const moved = movedBy(before, wanted);
  if (moved === 'nothing') return;
  const loaded = await readDocument(ctx.tx, side, stored, { before, withPayments: moved === 'payments' });
  const closingDate = reason === undefined ? (facts?.closingDate ?? null) : null;
  const after = withDocument(loaded.settlement, wanted, closingDate);
  await postSettlement(ctx, loaded, after, { documentId: stored.id, reason });
  ctx.tx.atEnd(...writeSettlement(loaded, after));
}

/**
 * Returns the amount that payments and credits have applied to a document. The amount is 0 for a bill that was paid
 * immediately.
 */
export function appliedTo({ status, applied }: Pick<NamedDocument, 'status' | 'applied'>): Cents {
  return status === PAID_AT_ONCE ? ZERO : applied;
}

/**
 * Runs a check that can fail because payments or credits are applied to a document. If it fails, runs it again with the
 * kinds of these applications, so that the error message lists them.
 */
async function withCause(ctx: Ctx, id: number, check: (by?: readonly AppliedBy[]) => void): Promise<void> {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    check((await ctx.tx.rows(selectAppliedBy(id))).flatMap(({ by }) => APPLIED_KINDS[by] ?? []));
    throw error;
  }
}
