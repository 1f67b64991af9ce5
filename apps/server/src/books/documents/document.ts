import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import type { Transaction } from '@evenkeel/core/books/ledger';
import { difference } from '@evenkeel/core/books/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound, present } from '@evenkeel/core/failure';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import type { RawBuilder } from 'kysely';
import type * as z from 'zod';
import type { LinkableFile } from '../attachments/attachments.sql.ts';
import { type LinkPlan, newLinks, planLinks } from '../attachments/links.ts';
import type { OwnerKind } from '../attachments/owners.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { asJson, type Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Creation } from '../../platform/http/creation.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { closingOverride } from '../ledger/journal.ts';

/**
 * The engine for documents. Creating, updating, and deleting any kind of document runs the same steps: lock and read,
 * build, post, write, and record in the audit log.
 */

/** The request fields that are used to save a document of any kind. */
export interface Asked {
  id?: number | null | undefined;
  rowVersion?: number | null | undefined;
  closingOverrideReason?: string | null | undefined;
  documentLinks?: readonly DocumentLinkInput[] | null | undefined;
}

export type Versioned = z.ZodType<{ rowVersion: number }>;

/** A document: its header, and its parts, such as lines, receipts, or applications. */
export interface Document<H = { id: number; number: string; rowVersion: number }, P = unknown> {
  head: H;
  parts: P;
}

/** A change to a stored document. `saved` is undefined if the document is deleted. */
export interface Change<D, H> {
  stored: D;
  saved: D | undefined;
  /** The data and journal lines that were read under the locks. */
  held: H;
  /** The reason that an administrator gave for a change on or before the closing date. */
  reason: string | undefined;
}

/** The parts of every call that are specific to a kind of document. */
interface Shown<S extends Versioned, D> {
  kind: DocumentKind;
  subject: Subject<S>;
  /** The kind of record that files are attached to. Undefined if another part of the server saves the files. */
  owner?: OwnerKind | undefined;
  view: (document: D, documentLinks: DocumentLink[], today: IsoDate) => z.output<S>;
}

/**
 * Describes how documents of a kind are changed. `H` is the data read under the locks, and `R` is the result of posting
 * a change.
 */
export interface Changes<S extends Versioned, I extends Asked, D extends Document, H, R> extends Shown<S, D> {
  /** Reads a document. */
  read: (ctx: Ctx, id: number) => Promise<D | undefined>;
  /**
   * Locks a document and everything that the change may affect, and then reads it. `input` is undefined for a deletion.
   */
  lock: (ctx: Ctx, id: number, input: I | undefined) => Promise<{ stored: D | undefined; held: H }>;
  /** Builds the document in a request. Throws 422 with the invalid fields. */
  rebuild: (input: I, change: Omit<Change<D, H>, 'saved'> & { today: IsoDate }) => D;
  /** Posts the difference. Throws 409 if the document can't be changed or deleted. */
  settle: (ctx: Ctx, change: Change<D, H>) => Promise<R>;
  /** Returns the statements that write the change. */
  write: (change: Change<D, H>, posted: R) => Runnable<unknown>[];
  /**
   * Returns the statements that queue further webhook events. These events are queued after the event for the change
   * itself.
   */
  events?: ((ctx: Ctx, change: Change<D, H>, posted: R) => Runnable<unknown>[]) | undefined;
}

/** The data for new documents. `files` is only for kinds whose records can have files. */
interface Files {
  files?: (LinkableFile & { linkId: number })[];
}

/** Describes how a kind of document is created without locking other records. */
export interface Creates<S extends Versioned, I extends Asked, D extends Document, F> extends Shown<S, D> {
  /** Returns one statement that reads all data for the given requests and assigns the IDs. */
  facts: (inputs: readonly I[]) => RawBuilder<F>;
  build: (input: I, facts: F, today: IsoDate) => D;
  /** Returns the transactions for a new document. Documents with some statuses post nothing. */
  transactions: (document: D) => readonly Transaction[];
  insert: (rows: readonly (D & { facts: F })[]) => Runnable<unknown>[];
  /** Marks the items that a new document uses as unavailable to the rest of the batch. */
  made?: ((document: D, facts: F) => void) | undefined;
}

const noLinks: LinkPlan = { before: [], after: [], write: () => [] };

/**
 * Returns the functions that create documents in their company's batches, with numbers, parts, and postings.
 * `createWithin` creates a document inside another operation's transaction.
 */
export function creationOf<S extends Versioned, I extends Asked, D extends Document, F extends Files>(
  flow: Creates<S, I, D, F>,
): Creation<I, F, D & { facts: F; links: LinkPlan }, z.output<S>> {
  const { kind, subject, owner } = flow;
  return {
    kind: subject.name,
    reply: subject.schema,
    facts: (inputs) => asJson(flow.facts(inputs)),
    make: (actor, input, facts) => {
      const built = flow.build(input, facts, actor.today);
      const isNumbered = kind.firstNumber === null || built.head.number !== '';
      const links = owner === undefined ? noLinks : newLinks(actor, owner, input.documentLinks, facts.files);
      return {
        source: { type: kind.source, id: built.head.id },
        postings: difference([], flow.transactions(built)),
        ...(isNumbered ? {} : { number: kind }),
        reason: closingOverride(actor, input.closingOverrideReason),
        action: 'create',
        finish: (given) => {
          const number = isNumbered ? built.head.number : given.number;
          const row = { ...built, head: { ...built.head, number }, links, facts };
          flow.made?.(row, facts);
          return { row, view: flow.view(row, links.after, actor.today) };
        },
      };
    },
    write: (rows) => [...flow.insert(rows), ...rows.flatMap(({ head, links }) => links.write(head.id))],
  };
}

/** Returns the calls that read, change, and delete one kind of document. */
export function changesOf<S extends Versioned, I extends Asked, D extends Document, H, R>(
  flow: Changes<S, I, D, H, R>,
) {
  const { kind, subject, owner, view } = flow;
  const linksOf = (ctx: Ctx, id: number, given: Asked['documentLinks']): LinkPlan | Promise<LinkPlan> =>
    owner === undefined ? noLinks : planLinks(ctx, { kind: owner, id }, given);

  /**
   * Saves a document, or deletes it if `input` is missing, and posts the difference. Throws 404, and 409 if someone
   * else has saved the document since the user opened it.
   */
  async function change(ctx: Ctx, id: number, input: I | undefined, overrideReason: string | null | undefined) {
    const [{ stored, held }, links] = await Promise.all([
      flow.lock(ctx, id, input),
      linksOf(ctx, id, input?.documentLinks),
    ]);
    if (stored === undefined) throw notFound(kind.words.title);
    const { today } = ctx;
    const before = view(stored, links.before, today);
    if (input !== undefined) requireFresh(subject.schema, before, input.rowVersion);
    const reason = closingOverride(ctx, overrideReason);
    const saved = input && flow.rebuild(input, { stored, held, reason, today });
    const changed = { stored, saved, held, reason };
    const posted = await flow.settle(ctx, changed);
    const after = saved && view(saved, links.after, today);
    record(ctx, subject, { before, after, reason, write: [...flow.write(changed, posted), ...links.write(id)] });
    ctx.tx.atEnd(...(flow.events?.(ctx, changed, posted) ?? []));
    return { ...changed, after, posted };
  }

  return {
    change,

    /** Returns a document. Throws 404 if it does not exist. */
    get: async (ctx: Ctx, id: number): Promise<z.output<S>> => {
      const [document, links] = await Promise.all([flow.read(ctx, id), linksOf(ctx, id, [])]);
      if (document === undefined) throw notFound(kind.words.title);
      return view(document, links.before, ctx.today);
    },

    /** Saves a document and posts the difference. */
    update: async (ctx: Ctx, input: I): Promise<z.output<S>> => {
      const { after } = await change(ctx, input.id ?? 0, input, input.closingOverrideReason);
      return present(after, 'saved document');
    },

    /** Reverses and deletes a document. */
    remove: async (ctx: Ctx, id: number, overrideReason?: string | null): Promise<{ ok: true }> => {
      await change(ctx, id, undefined, overrideReason);
      return { ok: true };
    },
  };
}
