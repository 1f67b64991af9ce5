import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound } from '@evenkeel/core/failure';
import { checkDocumentEdit, posts } from '@evenkeel/core/documents/invoice';
import { difference } from '@evenkeel/core/books/ledger';
import { postDocument } from '@evenkeel/core/books/posting';
import { type SettledKind, sideOf } from '@evenkeel/core/documents/side';
import type { RawBuilder } from 'kysely';
import type * as z from 'zod';
import type { LinkableFile } from '../attachments/attachments.sql.ts';
import { type LinkPlan, newLinks, planLinks } from '../attachments/links.ts';
import { record as recorded, type Subject } from '../../platform/db/audit.ts';
import { asJson, type Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Creation } from '../../platform/http/creation.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { closingOverride } from '../ledger/journal.ts';
import { appliedTo, reverseDocument, settleDocument, withCause } from './documents.ts';
import {
  type DocumentRecord,
  insertDocuments,
  type LineStore,
  markDeleted,
  type OwnLine,
  updateDocument,
} from './documents.sql.ts';
import type { DocumentFacts } from '../ledger/references.sql.ts';
import { listDocuments, paidBy } from './reads.ts';
import { type DocumentFilter, type NamedDocument, selectDocument } from './reads.sql.ts';
import type { PostedLineRow } from './settlement.sql.ts';
import { lockDocument, settledDocument } from './settlement.ts';

type OwnerKind = Parameters<typeof planLinks>[1]['kind'];

/** The request fields that saving any kind of document uses. */
interface Asked {
  id?: number | null | undefined;
  rowVersion?: number | null | undefined;
  closingOverrideReason?: string | null | undefined;
  documentLinks?: readonly DocumentLinkInput[] | null | undefined;
}

/** A stored line without its document. */
type Line = Omit<PostedLineRow, 'documentId'> & { id: number };

/** The facts for one kind of document. `files` is only for kinds whose records can have files. */
type Facts = DocumentFacts & { files?: (LinkableFile & { linkId: number })[] };

/**
 * The state before a request: the current date, the document to change, and the lines that the request may name by ID.
 */
export interface Before<L> {
  today: IsoDate;
  /** Undefined if the document is new. */
  stored: NamedDocument | undefined;
  /** The stored lines. Empty for a new document, or the lines of the records that it bills. */
  lines: readonly L[];
}

/** A document to be written: its head, its lines, and its customer's or vendor's name and row version. */
export interface Built<L> {
  record: DocumentRecord;
  lines: L[];
  entityName: string;
  entityVersion: number;
}

/** Everything that is specific to one kind of document. */
export interface DocumentFlow<S extends z.ZodType<{ rowVersion: number }>, I, F, L, R> {
  kind: SettledKind;
  subject: Subject<S>;
  /** The kind of record that files are attached to. Undefined if documents of this kind can't have files. */
  owner?: OwnerKind;
  lines: LineStore<L>;
  /** Returns one statement that reads all facts for the given requests. For new documents, it also takes the IDs. */
  facts: (inputs: readonly I[], isNew: boolean) => RawBuilder<F>;
  /** Builds the document of a request. Throws 422 with the invalid fields. */
  build: (input: I, facts: F, before: Before<L>) => Built<L>;
  /**
   * Returns the locks on everything else that saving or deleting a document may change. The facts are read after them.
   */
  locks?: (id: number) => readonly Runnable<unknown>[];
  /**
   * Returns the statements that release what removed lines use, or all lines if the document is deleted, and claim what
   * the kept lines use.
   */
  moves?: (stored: readonly L[], kept: readonly L[]) => Runnable<unknown>[];
  /** Returns the statements that update the origin of a saved or deleted document. They run after its writes. */
  settles?: (stored: NamedDocument) => readonly Runnable<unknown>[];
  /** The documents that depend on this one and block its deletion, and their name, such as "credit memos". */
  heldBy?: { documents: string; select: (id: number) => Runnable<{ number: string }> };
  view: (
    document: NamedDocument,
    parts: { lines: readonly L[]; documentLinks: DocumentLink[] },
    today: IsoDate,
  ) => z.output<S>;
  /** Returns the row that lists show. */
  rowView: (document: NamedDocument, today: IsoDate) => R;
}

/** The parts of a new document that `build` doesn't provide. */
interface Written {
  links: LinkPlan;
  companyVersion: number;
}

const noLinks: LinkPlan = { before: [], after: [], write: () => [] };

type Versioned = z.ZodType<{ rowVersion: number }>;

/** Returns the helpers that all calls for one kind of document share. */
function partsOf<S extends Versioned, I, F, L extends Line, R>({ owner, view }: DocumentFlow<S, I, F, L, R>) {
  return {
    linksOf: (ctx: Ctx, id: number, given: Asked['documentLinks']): LinkPlan | Promise<LinkPlan> =>
      owner === undefined ? noLinks : planLinks(ctx, { kind: owner, id }, given),
    ownLines: ({ record, lines }: Built<L>): OwnLine<L>[] => lines.map((line) => ({ ...line, documentId: record.id })),
    viewOf: ({ record, lines, entityName }: Built<L>, links: LinkPlan, { rowVersion, today, returned }: Saved) => {
      const saved = { ...asStored(record), rowVersion, deleted: false, entityName, ...(returned && { returned }) };
      return view(saved, { lines, documentLinks: links.after }, today);
    },
  };
}

function creationOf<S extends Versioned, I extends Asked, F extends Facts, L extends Line, R>(
  flow: DocumentFlow<S, I, F, L, R>,
): Creation<I, F, Built<L> & Written, z.output<S>> {
  const { kind, subject, owner, lines: store } = flow;
  const { ownLines, viewOf } = partsOf(flow);
  return {
    kind: subject.name,
    reply: subject.schema,
    facts: (inputs) => asJson(flow.facts(inputs, true)),
    make: (actor, input, facts) => {
      const built = flow.build(input, facts, { today: actor.today, stored: undefined, lines: [] });
      const links = owner === undefined ? noLinks : newLinks(actor, owner, input.documentLinks, facts.files);
      const document = settledDocument(asStored(built.record), built.lines);
      return {
        source: { type: kind.source, id: built.record.id },
        postings: document.posts ? difference([], [postDocument(sideOf(kind), document)]) : [],
        ...(kind.firstNumber === null ? {} : { number: kind }),
        reason: closingOverride(actor, input.closingOverrideReason),
        action: 'create',
        finish: (given) => {
          const number = kind.firstNumber === null ? built.record.number : given.number;
          const row = { ...built, record: { ...built.record, number }, links, companyVersion: facts.companyVersion };
          return { row, view: viewOf(row, links, { rowVersion: 1, today: actor.today }) };
        },
      };
    },
    write: (rows) => [
      ...insertDocuments(
        store,
        rows.map(({ record, entityVersion, companyVersion }) => ({ ...record, entityVersion, companyVersion })),
        rows.flatMap(ownLines),
      ),
      ...rows.flatMap(({ record, links }) => links.write(record.id)),
    ],
  };
}

function updateOf<S extends Versioned, I extends Asked, F extends Facts, L extends Line, R>(
  flow: DocumentFlow<S, I, F, L, R>,
): (ctx: Ctx, input: I) => Promise<z.output<S>> {
  const { kind, subject, lines: store } = flow;
  const { linksOf, ownLines, viewOf } = partsOf(flow);
  const side = sideOf(kind);
  return async (ctx, input) => {
    const id = input.id ?? 0;
    const [[[stored], storedLines, [facts]], links] = await Promise.all([
      lockDocument(ctx.tx, { id, also: flow.locks?.(id) }, [
        selectDocument(kind, id),
        store.select(id),
        flow.facts([input], false),
      ]),
      linksOf(ctx, id, input.documentLinks),
    ]);
    if (stored === undefined || facts === undefined) throw notFound(kind.words.title);
    const before = flow.view(stored, { lines: storedLines, documentLinks: links.before }, ctx.today);
    requireFresh(subject.schema, before, input.rowVersion);
    const built = flow.build(input, facts, { today: ctx.today, stored, lines: storedLines });
    const { record: head, lines } = built;
    const entityChanged = head.entityId !== stored.entityId;
    const edit = { ...head, applied: appliedTo(stored), entityChanged };
    await withCause(ctx, id, (appliedBy) => checkDocumentEdit(side, { ...edit, appliedBy }, kind));
    const reason = closingOverride(ctx, input.closingOverrideReason);
    const change = {
      stored,
      before: settledDocument(stored, storedLines),
      after: settledDocument(asStored(head), lines),
    };
    await settleDocument(ctx, side, change, { closingDate: facts.closingDate, reason });
    const moved = flow.moves?.(storedLines, lines) ?? [];
    const { entityVersion } = built;
    const { companyVersion } = facts;
    const own = {
      head: { ...head, entityVersion, companyVersion },
      own: ownLines(built),
      stored: storedLines,
    };
    const write = [...moved, ...updateDocument(store, own), ...links.write(id), ...(flow.settles?.(stored) ?? [])];
    const { rowVersion, returned } = stored;
    const after = viewOf(built, links, { rowVersion: rowVersion + 1, today: ctx.today, returned });
    return recorded(ctx, subject, { before, after, reason, write });
  };
}

/** Returns the calls for one kind of document. */
export function documentCalls<S extends Versioned, I extends Asked, F extends Facts, L extends Line, R>(
  flow: DocumentFlow<S, I, F, L, R>,
) {
  const { kind, subject, lines: store } = flow;
  const { linksOf } = partsOf(flow);
  return {
    kind,

    /**
     * Creates documents in batches of the company, with their numbers, lines, and postings. Some statuses post nothing.
     */
    creation: creationOf(flow),

    /** Returns a document. Throws 404. */
    get: async (ctx: Ctx, id: number): Promise<z.output<S>> => {
      const [document, lines, links] = await Promise.all([
        ctx.tx.row(selectDocument(kind, id)),
        ctx.tx.rows(store.select(id)),
        linksOf(ctx, id, []),
      ]);
      if (document === undefined) throw notFound(kind.words.title);
      return flow.view(document, { lines, documentLinks: links.before }, ctx.today);
    },

    /**
     * Saves a document and posts the difference, including the difference of its payments, whose cash recognition
     * depends on its lines. Throws 404, and 409 if someone else saved the document since the user opened it.
     */
    update: updateOf(flow),

    /** Reverses and deletes a document. Throws 404, and 409 if a payment or credit is applied to it. */
    remove: async (ctx: Ctx, id: number, overrideReason: string | undefined): Promise<{ ok: true }> => {
      const gone = { id, lines: store.select(id), heldBy: flow.heldBy, also: flow.locks?.(id), overrideReason };
      const [{ stored, lines, reason }, { before: documentLinks }] = await Promise.all([
        reverseDocument(ctx, kind, gone),
        linksOf(ctx, id, []),
      ]);
      const before = flow.view(stored, { lines, documentLinks }, ctx.today);
      const write = [...(flow.moves?.(lines, []) ?? []), markDeleted(id), ...(flow.settles?.(stored) ?? [])];
      recorded(ctx, subject, { before, reason, write });
      return { ok: true };
    },

    /**
     * Lists open documents and drafts, all documents, or the documents in a date range. With `limit`, returns one page.
     * Otherwise, returns an array.
     */
    list: (ctx: Ctx, filter: DocumentFilter) => listDocuments(ctx, kind, filter, (row) => flow.rowView(row, ctx.today)),

    /** Lists the payments of a document, newest first. Throws 404. */
    paidBy: (ctx: Ctx, id: number) => paidBy(ctx, kind, id),
  };
}

/** Adds the columns that the database computes to a head that will be written. */
const asStored = (record: DocumentRecord) => ({ ...record, isPosted: posts(record.status) });

interface Saved {
  rowVersion: number;
  today: IsoDate;
  returned?: NamedDocument['returned'];
}
