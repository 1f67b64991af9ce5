import type { DocumentLink } from '@evenkeel/contract/attachments';
import { idOrNull } from '@evenkeel/contract/fields';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, type FieldMessages, present } from '@evenkeel/core/failure';
import { difference, type Transaction } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { BankKind } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod';
import { filesNamed } from '../../books/attachments/links.ts';
import { type Asked, changesOf, creationOf, type Document, type Versioned } from '../../books/documents/document.ts';
import type { Subject } from '../../platform/db/audit.ts';
import { pageOf } from '../../platform/db/page.ts';
import { asJson, type Runnable } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import {
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

/** A header to be saved, with its parts. `P` is empty for a transfer, and contains receipts and lines for a deposit. */
export type Bound<P> = Document<NamedBankDocument, P>;

/** Everything that differs between transfers and deposits. */
export interface BankFlow<S extends Versioned, I, F, P> {
  kind: BankKind;
  subject: Subject<S>;
  /**
   * Returns one statement that reads all the data needed for the requests. For new documents (`isNew`), it also assigns
   * the IDs.
   */
  facts: (inputs: readonly I[], isNew: boolean) => RawBuilder<F>;
  /** Returns the document that a request describes. Throws 422 with a message for each invalid field. */
  build: (input: I, facts: F, before: { today: IsoDate; stored: Bound<P> | undefined }) => Bound<P>;
  /** Returns the document's journal lines. */
  transaction: (document: Bound<P>, description: string) => Transaction;
  view: (document: Bound<P>, documentLinks: DocumentLink[]) => z.output<S>;
  /** Reads the parts of a stored document. */
  parts: (tx: Tx, id: number) => Promise<P>;
  /** Writes the parts of new or changed documents. */
  writeParts: (documents: readonly Bound<P>[], isNew: boolean) => Runnable<unknown>[];
  /** Releases the receipts of a deleted document. */
  release: (id: number) => Runnable<unknown>[];
  /** Marks a new document's receipts as unavailable to the rest of the batch. */
  made?: (document: Bound<P>, facts: F) => void;
}

/**
 * Returns the description for the document's lines. If a new document has no memo, its number is added when it is
 * posted.
 */
export const describeDocument = (
  { label }: BankKind,
  { memo, number }: Pick<NamedBankDocument, 'memo' | 'number'>,
): string => (memo === '' && number !== '' ? `${label} ${number}` : memo);

/** Returns the endpoint functions for one kind of bank document. */
export function bankDocumentCalls<S extends Versioned, I extends Asked, F extends BankFacts, P>(
  flow: BankFlow<S, I, F, P>,
) {
  const { kind, subject } = flow;
  const shown = { kind, subject, owner: kind.source, view: flow.view };
  const transactionOf = (document: Bound<P>) => flow.transaction(document, describeDocument(kind, document.head));
  const creation = creationOf<S, I, Bound<P>, F>({
    ...shown,
    facts: (inputs) => flow.facts(inputs, true),
    build: (input, facts, today) => flow.build(input, facts, { today, stored: undefined }),
    transactions: (document) => [transactionOf(document)],
    insert: (rows) => [bankSql.bankDocuments.insertMany(rows.map(({ head }) => head)), ...flow.writeParts(rows, true)],
    made: flow.made,
  });
  const changes = changesOf({
    ...shown,
    read: async (ctx, id) => {
      const [head, parts] = await Promise.all([
        ctx.tx.row(bankSql.selectBankDocument(kind, id)),
        flow.parts(ctx.tx, id),
      ]);
      return head && { head, parts };
    },
    lock: async (ctx, id, input: I | undefined) => {
      const asked = asJson(flow.facts(input === undefined ? [] : [input], false));
      const [[, [head]], parts, { end, facts }, live] = await Promise.all([
        ctx.tx.inOrder([bankSql.lockBankDocument(kind, id), bankSql.selectBankDocument(kind, id)]),
        flow.parts(ctx.tx, id),
        openReading(ctx.tx, sql<Opening & { facts: F }>`select ${OPENING}, ${asked} as facts`),
        ctx.tx.rows(liveLinesOf([{ type: kind.source, id }])),
      ]);
      return { stored: head && { head, parts }, held: { end, facts: facts.facts, live } };
    },
    rebuild: (input, { stored, held, today }): Bound<P> => {
      const built = flow.build(input, held.facts, { today, stored });
      return { ...built, head: { ...built.head, rowVersion: stored.head.rowVersion + 1 } };
    },
    settle: (ctx, { stored, saved, held: { live, end }, reason }) => {
      requireSameMoney(stored.head, saved?.head);
      const source = { type: kind.source, id: stored.head.id };
      const marks = marksOf(live);
      const postings = difference(liveLinesBySource(live)(source), saved ? [transactionOf(saved)] : [], marks);
      return post(ctx, [{ source, postings, marks, reason }], end);
    },
    write: ({ stored: { head }, saved }) =>
      saved === undefined
        ? [
            ...flow.release(head.id),
            bankSql.bankDocuments.update({ id: head.id }, { deleted: true, rowVersion: sql`row_version + 1` }),
          ]
        : [bankSql.bankDocuments.update({ id: head.id }, saved.head), ...flow.writeParts([saved], false)],
  });
  return {
    ...changes,

    /** Creates documents in their company's batches. */
    creation,

    /** Creates a document inside another operation's transaction. Throws the document's validation errors. */
    create: (ctx: Ctx, input: I): Promise<z.output<S>> => createWithin(ctx, creation, { input }),
  };
}

/** Throws 409 if the date, amount, or accounts of a payout would change. Its memo and reference can be changed. */
function requireSameMoney({ isOnline, ...head }: NamedBankDocument, saved: NamedBankDocument | undefined): void {
  const isSame =
    saved?.date === head.date &&
    saved.amount === head.amount &&
    saved.glAccountId === head.glAccountId &&
    saved.fromGlAccountId === head.fromGlAccountId;
  if (isOnline !== true || isSame) return;
  throw conflict("This transfer is a Stripe payout, so its date, amount, and accounts can't be changed");
}

/** Lists the documents of one kind, sorted by date. Returns all of them, or one page if `limit` is given. */
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

/**
 * Returns the IDs of the files to attach to new documents. A changed document's files are read when the changes to its
 * links are planned.
 */
export const filesOf = (inputs: readonly Asked[], isNew: boolean): number[] =>
  isNew ? inputs.flatMap(({ documentLinks }) => filesNamed(documentLinks)) : [];

/** Adds a message for the field if a bank account does not exist, or if it is inactive and wasn't used before. */
export function noteBank(
  fields: FieldMessages,
  path: string,
  { bank, before }: { bank: (BankRow & { allowed: boolean }) | undefined; before: number | null | undefined },
): void {
  const isFit = bank !== undefined && (bank.id === before || (bank.active && bank.allowed));
  if (isFit) return;
  fields[path] = bank?.active === false ? inactive('bank account') : 'Please Select a Bank Account';
}
