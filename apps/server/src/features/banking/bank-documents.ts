import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import { idOrNull } from '@evenkeel/contract/fields';
import type { IsoDate } from '@evenkeel/core/dates';
import { type FieldMessages, notFound, present } from '@evenkeel/core/failure';
import { difference, type Transaction } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { BankKind } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import { filesNamed, type LinkPlan, newLinks, planLinks } from '../../books/attachments/links.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { pageOf } from '../../platform/db/page.ts';
import { asJson, type Runnable } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Creation } from '../../platform/http/creation.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import {
  closingOverride,
  liveLinesBySource,
  liveLinesOf,
  marksOf,
  openReading,
  type Opening,
  OPENING,
  post,
} from '../../books/ledger/journal.ts';
import * as bankSql from './bank-documents.sql.ts';
import type { BankFacts, BankRow, ListFilter, ListRow, NamedBankDocument } from './bank-documents.sql.ts';
import { inactive } from '../../books/ledger/references.ts';

/** The request fields that saving a transfer and saving a deposit share. */
interface Asked {
  id?: number | null | undefined;
  rowVersion?: number | null | undefined;
  closingOverrideReason?: string | null | undefined;
  documentLinks?: readonly DocumentLinkInput[] | null | undefined;
}

/** A header to save with its parts. `P` is empty for a transfer, and receipts and lines for a deposit. */
export interface Bound<P> {
  head: NamedBankDocument;
  parts: P;
}

/** Everything that differs between transfers and deposits. */
export interface BankFlow<S extends z.ZodType<{ rowVersion: number }>, I, F, P> {
  kind: BankKind;
  subject: Subject<S>;
  /**
   * Returns one statement that reads all data the requests need. For new documents (`isNew`), it also assigns the IDs.
   */
  facts: (inputs: readonly I[], isNew: boolean) => RawBuilder<F>;
  /** Returns the document in a request. Throws 422 with a message for each invalid field. */
  build: (input: I, facts: F, before: { today: IsoDate; stored: Bound<P> | undefined }) => Bound<P>;
  /** Returns the document's journal lines. */
  transaction: (document: Bound<P>, description: string) => Transaction;
  view: (document: Bound<P>, documentLinks: DocumentLink[]) => z.output<S>;
  /** Reads the parts of a stored document. */
  parts: (tx: Tx, id: number) => Promise<P>;
  /** Writes the parts of new or changed documents. */
  writeParts: (documents: readonly Bound<P>[], isNew: boolean) => Runnable<unknown>[];
  /** Releases the receipts that a deleted document contains. */
  release: (id: number) => Runnable<unknown>[];
  /** Makes a new document's receipts unavailable to the rest of the batch. */
  made?: (document: Bound<P>, facts: F) => void;
}

/**
 * Returns the description for the document's lines. A new document without a memo gets its number when it is posted.
 */
export const describeDocument = (
  { label }: BankKind,
  { memo, number }: Pick<NamedBankDocument, 'memo' | 'number'>,
): string => (memo === '' && number !== '' ? `${label} ${number}` : memo);

function creationOf<S extends z.ZodType<{ rowVersion: number }>, I extends Asked, F extends BankFacts, P>(
  flow: BankFlow<S, I, F, P>,
): Creation<I, F, Bound<P> & { links: LinkPlan }, z.output<S>> {
  const { kind, subject } = flow;
  return {
    kind: subject.name,
    reply: subject.schema,
    facts: (inputs) => asJson(flow.facts(inputs, true)),
    make: (actor, input, facts) => {
      const built = flow.build(input, facts, { today: actor.today, stored: undefined });
      const links = newLinks(actor, kind.source, input.documentLinks, facts.files);
      return {
        source: { type: kind.source, id: built.head.id },
        postings: difference([], [flow.transaction(built, describeDocument(kind, built.head))]),
        number: kind,
        reason: closingOverride(actor, input.closingOverrideReason),
        action: 'create',
        finish: ({ number }) => {
          const row = { ...built, head: { ...built.head, number }, links };
          flow.made?.(row, facts);
          return { row, view: flow.view(row, links.after) };
        },
      };
    },
    write: (rows) => [
      bankSql.bankDocuments.insertMany(rows.map(({ head }) => head)),
      ...flow.writeParts(rows, true),
      ...rows.flatMap(({ head, links }) => links.write(head.id)),
    ],
  };
}

/** Returns a stored document and its active lines, locked after the ledger head. */
async function lock<S extends z.ZodType<{ rowVersion: number }>, I extends Asked, F extends BankFacts, P>(
  ctx: Ctx,
  flow: BankFlow<S, I, F, P>,
  { id, inputs, links: given }: { id: number; inputs: readonly I[]; links: Asked['documentLinks'] },
) {
  const { kind } = flow;
  const source = { type: kind.source, id };
  const [[, [head]], parts, links, { end, facts }, live] = await Promise.all([
    ctx.tx.inOrder([bankSql.lockBankDocument(kind, id), bankSql.selectBankDocument(kind, id)]),
    flow.parts(ctx.tx, id),
    planLinks(ctx, { kind: kind.source, id }, given),
    openReading(ctx.tx, sql<Opening & { facts: F }>`select ${OPENING}, ${asJson(flow.facts(inputs, false))} as facts`),
    ctx.tx.rows(liveLinesOf([source])),
  ]);
  if (head === undefined) throw notFound(kind.words.title);
  const marks = marksOf(live);
  return {
    stored: { head, parts },
    links,
    end,
    facts: facts.facts,
    source,
    marks,
    live: liveLinesBySource(live)(source),
  };
}

function updateOf<S extends z.ZodType<{ rowVersion: number }>, I extends Asked, F extends BankFacts, P>(
  flow: BankFlow<S, I, F, P>,
): (ctx: Ctx, input: I) => Promise<z.output<S>> {
  const { kind, subject } = flow;
  return async (ctx, input) => {
    const id = input.id ?? 0;
    const locked = await lock(ctx, flow, { id, inputs: [input], links: input.documentLinks });
    const { stored, links, source, marks } = locked;
    const before = flow.view(stored, links.before);
    requireFresh(subject.schema, before, input.rowVersion);
    const built = flow.build(input, locked.facts, { today: ctx.today, stored });
    const saved = { ...built, head: { ...built.head, rowVersion: stored.head.rowVersion + 1 } };
    const reason = closingOverride(ctx, input.closingOverrideReason);
    const wanted = flow.transaction(saved, describeDocument(kind, saved.head));
    await post(ctx, [{ source, postings: difference(locked.live, [wanted], marks), marks, reason }], locked.end);
    const write = [
      bankSql.bankDocuments.update({ id }, saved.head),
      ...flow.writeParts([saved], false),
      ...links.write(id),
    ];
    return record(ctx, subject, { before, after: flow.view(saved, links.after), reason, write });
  };
}

/** Returns the endpoint functions for one kind of bank document. */
export function bankDocumentCalls<S extends z.ZodType<{ rowVersion: number }>, I extends Asked, F extends BankFacts, P>(
  flow: BankFlow<S, I, F, P>,
) {
  const { kind, subject } = flow;
  const creation = creationOf(flow);
  return {
    /** Creates documents in their company's batches. */
    creation,

    /** Creates a document inside another operation's transaction. Throws the document's validation errors. */
    create: (ctx: Ctx, input: I): Promise<z.output<S>> => createWithin(ctx, creation, { input }),

    /** Throws 404 if the document does not exist. */
    get: async (ctx: Ctx, id: number): Promise<z.output<S>> => {
      const [head, parts, links] = await Promise.all([
        ctx.tx.row(bankSql.selectBankDocument(kind, id)),
        flow.parts(ctx.tx, id),
        planLinks(ctx, { kind: kind.source, id }, []),
      ]);
      if (head === undefined) throw notFound(kind.words.title);
      return flow.view({ head, parts }, links.before);
    },

    /** Saves a document and posts the difference. Throws 404, or 409 if another user has changed it. */
    update: updateOf(flow),

    /** Reverses and deletes a document. Throws 404 if the document does not exist. */
    remove: async (ctx: Ctx, id: number, overrideReason?: string | null): Promise<{ ok: true }> => {
      const { stored, links, source, live, marks, end } = await lock(ctx, flow, { id, inputs: [], links: [] });
      const reason = closingOverride(ctx, overrideReason);
      await post(ctx, [{ source, postings: difference(live, [], marks), marks, reason }], end);
      const gone = bankSql.bankDocuments.update({ id }, { deleted: true, rowVersion: sql`row_version + 1` });
      const before = flow.view(stored, links.before);
      record(ctx, subject, { before, reason, write: [...flow.release(id), gone] });
      return { ok: true };
    },
  };
}

/** Lists the documents of a kind by date: all, or one page if `limit` is given. */
export async function listBankDocuments<V>(ctx: Ctx, kind: BankKind, filter: ListFilter, view: (row: ListRow) => V) {
  const [rows, count] = await Promise.all([
    ctx.tx.rows(bankSql.selectBankDocuments(kind, filter)),
    filter.limit === undefined ? undefined : ctx.tx.row(bankSql.countBankDocuments(kind, filter)),
  ]);
  const { total, ...sums } = count ?? { total: rows.length };
  return pageOf(filter, { rows, total, sums }, view);
}

/** The part of a response that transfers and deposits share. */
export function shownHead({ id, amount, referenceNumber, memo, entryDate, rowVersion }: NamedBankDocument) {
  return { id, amount, referenceNumber, memo, entryDate, rowVersion };
}

interface HeadInput {
  referenceNumber?: string | null | undefined;
  memo?: string | null | undefined;
  date: IsoDate;
  amount: Cents;
}

/** Returns the header for a request. A stored document keeps its ID, number, and entry date. */
export function builtHead(
  { source }: BankKind,
  { referenceNumber, memo, date, amount }: HeadInput,
  {
    today,
    stored,
    to,
    from,
    ids,
  }: {
    today: IsoDate;
    stored: NamedBankDocument | undefined;
    to: BankRow | undefined;
    from?: BankRow | undefined;
    ids: number[];
  },
): NamedBankDocument {
  const bank = present(to, 'bank account');
  return {
    id: stored?.id ?? present(ids.shift(), 'bank document ID'),
    kind: source,
    number: stored?.number ?? '',
    date,
    bankAccountId: bank.id,
    bankName: bank.name,
    glAccountId: bank.glAccountId,
    fromBankAccountId: from?.id ?? null,
    fromBankName: from?.name ?? null,
    fromGlAccountId: from?.glAccountId ?? null,
    amount,
    referenceNumber: referenceNumber ?? '',
    memo: memo ?? '',
    entryDate: stored?.entryDate ?? today,
    deleted: false,
    rowVersion: stored?.rowVersion ?? 1,
  };
}

/** Returns the distinct IDs in requests. */
export const idsNamed = (ids: readonly (number | null | undefined)[]): number[] => [
  ...new Set(ids.flatMap((id) => idOrNull(id) ?? [])),
];

/** Returns the IDs of files to attach to new documents. A changed document's files are read with its plan. */
export const filesOf = (inputs: readonly Asked[], isNew: boolean): number[] =>
  isNew ? inputs.flatMap(({ documentLinks }) => filesNamed(documentLinks)) : [];

/** Adds a field message if a bank account does not exist, or is inactive and was not used before. */
export function noteBank(
  fields: FieldMessages,
  path: string,
  { bank, before }: { bank: (BankRow & { allowed: boolean }) | undefined; before: number | null | undefined },
): void {
  const isFit = bank !== undefined && (bank.id === before || (bank.active && bank.allowed));
  if (isFit) return;
  fields[path] = bank?.active === false ? inactive('bank account') : 'Please Select a Bank Account';
}
