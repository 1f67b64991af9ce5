import { PAID_AT_ONCE, posts } from '@evenkeel/core/invoice';
import { difference, type LiveLine } from '@evenkeel/core/ledger';
import { componentsOf } from '@evenkeel/core/posting';
import {
  openAmount,
  type SettledDocument,
  type SettledPayment,
  type Settlement,
  wantedPostings,
} from '@evenkeel/core/settlement';
import type { Side, Source } from '@evenkeel/core/side';
import { StartOver } from '../db/errors.ts';
import type { Runnable } from '../db/query.ts';
import type { Answers, Tx } from '../db/tx.ts';
import type { Ctx } from '../http/context.ts';
import { postMany } from '../ledger/journal.ts';
import { type PostOptions, type Posted, type PostingRequest, liveLinesBySource, post } from '../ledger/post.ts';
import * as settlementSql from './settlement.sql.ts';
import {
  type AppliedRow,
  type DocumentRow,
  type PaymentRow,
  type Picked,
  type PostedLineRow,
  applications,
  documents,
} from './settlement.sql.ts';

/** Documents and payments of one side that hang together, locked, with what the journal says of them. */
export interface LoadedSettlement {
  side: Side;
  settlement: Settlement;
  /** The locked documents, by id: they alone may change. */
  locked: ReadonlyMap<number, DocumentRow>;
  payments: ReadonlyMap<number, PaymentRow>;
  /** The live lines of a payment, or of a document that changes itself. */
  live: (source: Source) => LiveLine[];
}

/**
 * Locks and loads in one round trip: payments by id, documents by id (ledger/post locks the company's head last), then
 * reads. Which rows to lock is read before the locks are held, so it is read again behind them; a payment that came in
 * between makes the transaction start over. `behind` is what the command reads besides, behind the locks too.
 */
export async function loadSettlement<const Q extends readonly Runnable<unknown>[]>(
  tx: Tx,
  side: Side,
  picked: Picked,
  behind: Q,
): Promise<readonly [LoadedSettlement, Answers<Q>]> {
  const locking = tx.inOrder([
    settlementSql.lockPayments(side, picked),
    settlementSql.lockDocuments(side, picked),
    ...settlementSql.readPicked(side, picked),
  ]);
  // Sent at once, and so behind the statements above.
  const [answers, others] = await Promise.all([locking, tx.inOrder(behind)]);
  const [lockedPayments, lockedDocuments, payments, applied, involved, lines, live] = answers;
  const lockedIds = new Set(lockedPayments.map(({ id }) => id));
  if (payments.some(({ id }) => !lockedIds.has(id))) throw new StartOver();
  const loaded: LoadedSettlement = {
    side,
    settlement: settlementOf({ side, documents: involved, payments, applications: applied, lines }),
    locked: new Map(lockedDocuments.map((document) => [document.id, document])),
    payments: new Map(payments.map((payment) => [payment.id, payment])),
    live: liveLinesBySource(live),
  };
  return [loaded, others] as const;
}

export interface SettlementRows {
  side: Side;
  documents: readonly DocumentRow[];
  payments: readonly PaymentRow[];
  applications: readonly AppliedRow[];
  lines: readonly PostedLineRow[];
}

/** Stored rows as core settles them. */
export function settlementOf({ side, documents: heads, payments, applications: applied, lines }: SettlementRows) {
  const byDocument = new Map<number, PostedLineRow[]>(heads.map(({ id }) => [id, []]));
  for (const line of lines) byDocument.get(line.documentId)?.push(line);
  return {
    documents: new Map(
      heads.map((head) => {
        const document = settledDocument(side, head, byDocument.get(head.id) ?? []);
        return [head.id, { ...document, applied: head.applied }];
      }),
    ),
    payments: new Map(payments.map((payment) => [payment.id, settledPayment(side, payment)])),
    applications: applied,
  } satisfies Settlement;
}

type Head = Pick<
  DocumentRow,
  'id' | 'number' | 'date' | 'entityId' | 'status' | 'controlAccountId' | 'taxAccountId' | 'taxSnapshot'
>;

/** A document, stored or about to be, as core posts it. Without a number yet, posting names it. */
export function settledDocument(
  side: Side,
  { deleted = false, ...head }: Head & { deleted?: boolean },
  lines: readonly Omit<PostedLineRow, 'documentId'>[],
): Omit<SettledDocument, 'applied'> {
  return {
    id: head.id,
    date: head.date,
    entityId: head.entityId,
    controlAccountId: head.controlAccountId,
    description: head.number === '' ? '' : `${side.document.label} ${head.number}`,
    components: componentsOf({
      lines,
      taxItems: head.taxSnapshot.map(({ label, total }) => {
        return { label: label === '' ? 'Sales tax' : label, total };
      }),
      taxAccountId: head.taxAccountId ?? 0,
    }),
    posts: !deleted && posts(head.status),
    paidAtOnce: head.status === PAID_AT_ONCE,
  };
}

/** A payment as core posts it; a new one without own words gets "Payment n" when it is posted. */
export function settledPayment(side: Side, payment: Omit<PaymentRow, 'rowVersion' | 'deleted'>): SettledPayment {
  const named = payment.number === '' ? '' : `${side.payment.label} ${payment.number}`;
  return {
    id: payment.id,
    date: payment.date,
    entityId: payment.entityId,
    moneyAccountId: payment.glAccountId,
    controlAccountId: payment.controlAccountId,
    amount: payment.amount,
    description: payment.description === '' ? named : payment.description,
  };
}

/**
 * Posts what the journal lacks of a settlement as it shall be: of its payments, and of the document that changes. A
 * changed amount may move the cash lines of payments behind it (accounting: A5, A7.6).
 */
export async function postSettlement(
  ctx: Ctx,
  loaded: LoadedSettlement,
  after: Settlement,
  { documentId, ...options }: PostOptions & { documentId?: number },
): Promise<{ posted: Posted | undefined; transactionId: (source: Source) => number | undefined }> {
  const requests = lackingOf(loaded, after, documentId);
  const isIdle = requests.length === 0 && options.number === undefined;
  const posted = isIdle ? undefined : await post(ctx, requests, options);
  const transactionId = ({ type, id }: Source): number | undefined => {
    const at = requests.findIndex(({ source }) => source.type === type && source.id === id);
    return posted?.results[at]?.transactionIds[0];
  };
  return { posted, transactionId };
}

/** Posts many new payments at once; answers the number that each of them got, by id. */
export async function postNewPayments(
  ctx: Ctx,
  loaded: LoadedSettlement,
  { after, newIds, mayPostClosed }: { after: Settlement; newIds: readonly number[]; mayPostClosed: boolean },
): Promise<ReadonlyMap<number, string>> {
  const { payment } = loaded.side;
  const requests = lackingOf(loaded, after, undefined);
  const isNew = new Set(newIds);
  const old = requests.filter(({ source }) => !isNew.has(source.id));
  const postingsOf = new Map(requests.map(({ source, postings }) => [source.id, postings]));
  const added = newIds.map((id) => {
    return { source: { type: payment.source, id }, postings: postingsOf.get(id) ?? [], number: payment };
  });
  const places = await postMany(
    ctx,
    [...old, ...added].map((each) => ({ ...each, mayPostClosed })),
  );
  return new Map(newIds.map((id, at) => [id, places[old.length + at]?.number ?? '']));
}

/** Finds the postings that the journal lacks of a settlement, by document and payment. */
function lackingOf(
  { side, settlement: before, live }: LoadedSettlement,
  after: Settlement,
  documentId: number | undefined,
): PostingRequest[] {
  const wanted = wantedPostings(side, after).filter(
    ({ source }) => source.type === side.payment.source || source.id === documentId,
  );
  const gone = [...before.payments.keys()]
    .filter((id) => !after.payments.has(id))
    .map((id) => ({ source: { type: side.payment.source, id }, transactions: [] }));
  return [...wanted, ...gone].flatMap(({ source, transactions }) => {
    const postings = difference(live(source), transactions);
    return postings.length === 0 ? [] : [{ source, postings }];
  });
}

/** Writes at the commit what differs: applications, and what is applied and open on the locked documents. */
export function writeSettlement(
  tx: Tx,
  { side, settlement: before, locked }: LoadedSettlement,
  after: Settlement,
): void {
  const keyOf = (row: AppliedRow): string => `${row.paymentId} ${row.documentId} ${row.recognitionDate}`;
  const old = new Map(before.applications.map((row) => [keyOf(row), row]));
  const kept = new Set<string>();
  for (const row of after.applications) {
    const found = old.get(keyOf(row));
    if (found?.amount === row.amount && found.appliedBefore === row.appliedBefore) kept.add(keyOf(row));
  }
  const removed = before.applications.filter((row) => !kept.has(keyOf(row)));
  const added = after.applications.filter((row) => !kept.has(keyOf(row)));
  if (removed.length > 0) tx.atEnd(settlementSql.deleteApplications(removed));
  if (added.length > 0) tx.atEnd(applications.insertMany(added.map((row) => ({ side: side.name, ...row }))));
  const moved = [...after.documents.values()].flatMap((document) => {
    const { id, applied } = document;
    if (!locked.has(id) || before.documents.get(id)?.applied === applied) return [];
    return [{ id, applied, openAmount: openAmount(document) }];
  });
  if (moved.length > 0) tx.atEnd(documents.updateMany(moved, ['id']));
}

/** The locked documents that a payment paid before a change or pays after it, as they stand then. */
export function documentsPaid(
  { locked, settlement: before }: LoadedSettlement,
  after: Settlement,
  paymentId: number,
): DocumentRow[] {
  const own = [...before.applications, ...after.applications].filter((each) => each.paymentId === paymentId);
  return [...new Set(own.map((each) => each.documentId))].flatMap((id) => {
    const row = locked.get(id);
    const document = after.documents.get(id);
    if (row === undefined || document === undefined) return [];
    return [{ ...row, applied: document.applied, openAmount: openAmount(document) }];
  });
}
