import { conflict } from '@evenkeel/core/failure';
import {
  difference,
  type JournalEnd,
  type LiveLine,
  type Posted,
  type PostingRequest,
} from '@evenkeel/core/books/ledger';
import type { Marks } from '@evenkeel/core/banking/marks';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';
import { componentsOf, type GivenBack } from '@evenkeel/core/books/posting';
import {
  openAmount,
  paymentKind,
  type RefundRow,
  refundRows,
  type SettledDocument,
  type SettledPayment,
  type Settlement,
  unappliedOf,
  wantedPostings,
} from '@evenkeel/core/books/settlement';
import type { Side, Source, SourceType } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { StartOver } from '../../platform/db/errors.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Answers, Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import {
  liveLinesBySource,
  liveLinesIn,
  liveLinesOf,
  marksOf,
  type LiveRow,
  openJournal,
  post,
  sourcesOf,
} from '../ledger/journal.ts';
import * as settlementSql from './settlement.sql.ts';
import {
  type AppliedRow,
  type DocumentRow,
  type PaymentRow,
  type Picked,
  type PostedLineRow,
  type RefundedRow,
  applications,
  applicationsOf,
  documents,
  documentsOf,
  linesByKind,
  linesOf,
  payments as paymentRows,
  refunds as refundTable,
  refundsOf,
} from './settlement.sql.ts';

/**
 * The locked documents that a command may change, by ID, and the payments whose shares of these documents may change.
 */
export interface LockedSettlement {
  side: Side;
  locked: ReadonlyMap<number, DocumentRow>;
  payments: readonly PaymentRow[];
}

/** Locked documents and payments on one side that depend on each other, with their journal lines. */
export interface LoadedSettlement extends LockedSettlement {
  settlement: Settlement;
  /** Returns the live lines of a payment or of a changed document. */
  live: (source: Source) => LiveLine[];
  /** The reconciliation marks on these lines. */
  marks: Marks;
  /** The locked end of the journal. */
  end: JournalEnd;
  /** The number of the deposit that contains the changed payment. */
  deposit?: string | undefined;
}

/**
 * Locks, in one round trip, everything that a command on a payment affects: documents by ID, then payments by ID, and
 * finally the company's ledger head. `behind` contains statements that run while these locks are held.
 */
export async function lockSettlement<const Q extends readonly Runnable<unknown>[]>(
  tx: Tx,
  side: Side,
  picked: Picked,
  behind: Q,
): Promise<readonly [LockedSettlement, Answers<Q>]> {
  const locking = tx.inOrder([settlementSql.lockDocuments(side, picked), settlementSql.lockPayments(side, picked)]);
  // This statement is sent immediately, so it runs after the locking statements.
  const [[documents, payments], others] = await Promise.all([locking, tx.inOrder(behind)]);
  return [{ side, locked: byId(documents), payments }, others] as const;
}

/**
 * Locks one document, and then runs `also` to lock other records. Runs the statements in `behind` while the locks are
 * held, in the same round trip.
 */
export async function lockDocument<const Q extends readonly Runnable<unknown>[]>(
  tx: Tx,
  { id, also = [] }: { id: number; also?: readonly Runnable<unknown>[] | undefined },
  behind: Q,
): Promise<Answers<Q>> {
  const locks = [settlementSql.lockDocumentsOf(settlementSql.idList([id])), ...also];
  const [, others] = await Promise.all([tx.inOrder(locks), tx.inOrder(behind)]);
  return others;
}

/**
 * Reads the documents that the locked payments pay, and their journal lines, and locks the end of the journal, in one
 * round trip. If the changed payment pays a document that is not locked, another edit was saved first, so the
 * transaction starts again.
 */
export async function readSettlement(tx: Tx, locks: LockedSettlement, paymentId: number): Promise<LoadedSettlement> {
  const { side, locked, payments } = locks;
  const [read, lines, end, deposit] = await Promise.all([
    payments.length === 0 ? NOTHING : readPayments(tx, side, settlementSql.idList(payments.map(({ id }) => id))),
    tx.rows(linesOf(side, settlementSql.idList([...locked.keys()]))),
    openJournal(tx),
    paymentId === 0 ? undefined : tx.row(settlementSql.depositOf(paymentId)),
  ]);
  const paid = new Set(read.applications.filter((each) => each.paymentId === paymentId).map((each) => each.documentId));
  const others = read.documents.filter(({ id }) => !locked.has(id));
  if (others.some(({ id, deleted }) => paid.has(id) && !deleted)) throw new StartOver();
  const held = new Set(payments.map(({ id }) => id));
  const isApart = ({ refundId, paymentId: id }: RefundRow): boolean =>
    (refundId === paymentId || id === paymentId) && !(held.has(refundId) && held.has(id));
  if (read.refunds.some(isApart)) throw new StartOver();
  const rows = {
    refunds: read.refunds,
    documents: [...locked.values(), ...others],
    lines: [...lines, ...read.lines.filter((line) => !locked.has(line.documentId))],
  };
  const settlement = settlementOf({ side, payments, applications: read.applications, ...rows });
  const marks = marksOf(read.live);
  return { ...locks, settlement, live: liveLinesBySource(read.live), marks, end, deposit: deposit?.number };
}

/**
 * Throws 409 if a payment in a deposit would change its date, amount, or account. `after` is undefined for a deletion.
 */
export function requireOutOfDeposit(
  { deposit }: Pick<LoadedSettlement, 'deposit'>,
  before: PaymentRow,
  after?: Pick<PaymentRow, 'date' | 'amount' | 'glAccountId'>,
): void {
  if (deposit === undefined) return;
  const keeps = (['date', 'amount', 'glAccountId'] as const).every((field) => before[field] === after?.[field]);
  if (keeps) return;
  const what = after === undefined ? "it can't be deleted" : "you can't change its date, amount, or account";
  throw conflict(`This payment is in deposit ${deposit}, so ${what} until you remove it from that deposit`);
}

interface PaymentsRead {
  applications: AppliedRow[];
  refunds: RefundedRow[];
  /** The documents that the payments pay, with their lines. */
  documents: DocumentRow[];
  lines: PostedLineRow[];
  live: LiveRow[];
}

const NOTHING: PaymentsRead = { applications: [], refunds: [], documents: [], lines: [], live: [] };

/** Reads the applications and refunds of the payments with these IDs, and the documents that they pay, with lines. */
async function readPayments(tx: Tx, side: Side, ids: RawBuilder<unknown>): Promise<PaymentsRead> {
  const paidIds = sql`array(${settlementSql.documentsPaidBy(ids)})`;
  const [applications, refunds, documents, lines, live] = await tx.inOrder([
    applicationsOf(ids),
    refundsOf(ids),
    documentsOf(paidIds),
    linesOf(side, paidIds),
    liveLinesIn(sourcesOf(side.payment.source, ids)),
  ]);
  return { applications, refunds, documents, lines, live };
}

/**
 * Reads everything that is needed to post a document change, in one round trip, while the document is locked. If the
 * change affects payments, locks and reads those payments, and then locks the end of the journal.
 */
export async function readDocument(
  tx: Tx,
  side: Side,
  row: DocumentRow,
  { before, withPayments }: { before: Omit<SettledDocument, 'applied'>; withPayments: boolean },
): Promise<LoadedSettlement> {
  const { id, kind, applied } = row;
  const ids = sql`array(${settlementSql.paymentsOn(id)})`;
  const [payments, read, own, end] = await Promise.all([
    withPayments ? tx.rows(settlementSql.lockPaymentsOf(side, ids)) : [],
    withPayments ? readPayments(tx, side, ids) : NOTHING,
    tx.rows(liveLinesOf([{ type: kind, id }])),
    openJournal(tx),
  ]);
  const stored = settlementOf({ side, payments, ...read });
  const settlement = { ...stored, documents: new Map(stored.documents).set(id, { ...before, applied }) };
  const lines = [...own, ...read.live];
  return {
    side,
    locked: byId([row]),
    payments,
    settlement,
    live: liveLinesBySource(lines),
    marks: marksOf(lines),
    end,
  };
}

function byId<R extends { id: number }>(rows: readonly R[]): Map<number, R> {
  return new Map(rows.map((row) => [row.id, row]));
}

export interface SettlementRows {
  side: Side;
  documents: readonly DocumentRow[];
  payments: readonly PaymentRow[];
  applications: readonly AppliedRow[];
  refunds: readonly RefundedRow[];
  lines: readonly PostedLineRow[];
}

/** Converts stored rows to the form of a settlement that core uses. */
export function settlementOf({ side, documents: heads, payments, lines, ...rows }: SettlementRows) {
  const byDocument = new Map<number, PostedLineRow[]>(heads.map(({ id }) => [id, []]));
  for (const line of lines) byDocument.get(line.documentId)?.push(line);
  return {
    documents: new Map(
      heads.map((head) => {
        const document = settledDocument(head, byDocument.get(head.id) ?? []);
        return [head.id, { ...document, applied: head.applied }];
      }),
    ),
    payments: new Map(
      payments.map((payment) => {
        const { id } = payment;
        const refunded = sum(rows.refunds.filter((each) => each.paymentId === id).map((each) => each.amount));
        const givesBack = rows.refunds.filter(({ refundId }) => refundId === id);
        return [id, { ...settledPayment(side, payment, givesBack), refunded }];
      }),
    ),
    applications: rows.applications,
  } satisfies Settlement;
}

type Head = Pick<
  DocumentRow,
  | 'id'
  | 'kind'
  | 'number'
  | 'date'
  | 'entityId'
  | 'isPosted'
  | 'bankAccountId'
  | 'controlAccountId'
  | 'taxAccountId'
  | 'taxSnapshot'
  | 'opening'
>;

/**
 * Converts a stored or new document to the form that core posts. A missing number is added when the document is posted.
 */
export function settledDocument(
  { deleted = false, ...head }: Head & { deleted?: boolean },
  lines: readonly Omit<PostedLineRow, 'documentId'>[],
): Omit<SettledDocument, 'applied'> {
  return {
    id: head.id,
    kind: head.kind,
    date: head.date,
    entityId: head.entityId,
    controlAccountId: head.controlAccountId,
    description: head.number === '' ? '' : `${labelOf(head.kind)} ${head.number}`,
    components: componentsOf({
      lines,
      taxItems: head.taxSnapshot.map(({ label, total }) => {
        return { label: label === '' ? 'Sales tax' : label, total };
      }),
      taxAccountId: head.taxAccountId,
    }),
    posts: !deleted && head.isPosted,
    paidAtOnce: head.bankAccountId !== null,
    ...(head.opening === null ? {} : { opening: [...head.opening.lines, ...head.opening.taxes] }),
  };
}

/** Returns the word before a document's number, such as "Invoice". */
export const labelOf = (kind: SourceType): string => linesByKind.get(kind)?.kind.label ?? kind;

/**
 * Converts a payment to the form that core posts. A new payment without a description gets "Payment n" or "Refund n"
 * when it is posted.
 */
export function settledPayment(
  side: Side,
  payment: Omit<PaymentRow, 'rowVersion' | 'deleted'>,
  givesBack: readonly GivenBack[] = [],
): SettledPayment {
  const named = payment.number === '' ? '' : `${paymentKind(side, payment.amount).label} ${payment.number}`;
  return {
    id: payment.id,
    date: payment.date,
    entityId: payment.entityId,
    moneyAccountId: payment.glAccountId,
    controlAccountId: payment.controlAccountId,
    amount: payment.amount,
    description: payment.description === '' ? named : payment.description,
    ...(payment.discountAccountId === null ? {} : { discountAccountId: payment.discountAccountId }),
    ...(givesBack.length === 0 ? {} : { givesBack }),
  };
}

/**
 * Posts the journal entries that are missing from a new settlement, for its payments and for the changed document. A
 * changed amount may also change the cash basis entries of later payments (docs/accounting.md, "What a payment
 * recognizes"). New payments are posted last, in ID order, and get their numbers. Returns the results by payment, with
 * undefined for a payment that has no missing entries.
 */
export async function postSettlement(
  ctx: Ctx,
  loaded: LoadedSettlement,
  after: Settlement,
  {
    documentId,
    newIds = [],
    reason,
  }: Pick<PostingRequest, 'reason'> & { documentId?: number; newIds?: readonly number[] },
): Promise<(paymentId: number) => Posted | undefined> {
  const { payment } = loaded.side;
  const lacking = lackingOf(loaded, after, documentId);
  const added = new Set(newIds);
  const isNew = ({ source }: PostingRequest): boolean => source.type === payment.source && added.has(source.id);
  const postingsOf = new Map(lacking.filter(isNew).map(({ source, postings }) => [source.id, postings]));
  const news = newIds.map((id): PostingRequest => {
    const number = paymentKind(loaded.side, after.payments.get(id)?.amount ?? ZERO);
    return { source: { type: payment.source, id }, postings: postingsOf.get(id) ?? [], number };
  });
  const requests = [...lacking.filter((request) => !isNew(request)), ...news];
  const posted = await post(
    ctx,
    requests.map((request) => ({ ...request, reason })),
    loaded.end,
  );
  const ofPayment = requests.map(({ source }) => (source.type === payment.source ? source.id : 0));
  const byPayment = new Map(ofPayment.map((id, at) => [id, posted[at]]));
  return (id) => byPayment.get(id);
}

/** Returns the postings that are missing from a settlement, by document and payment. */
function lackingOf(
  { side, settlement: before, live, marks }: LoadedSettlement,
  after: Settlement,
  documentId: number | undefined,
): PostingRequest[] {
  const wanted = wantedPostings(side, after, before).filter(
    ({ source }) => source.type === side.payment.source || source.id === documentId,
  );
  const gone = [...before.payments.keys()]
    .filter((id) => !after.payments.has(id))
    .map((id) => ({ source: { type: side.payment.source, id }, transactions: [] }));
  return [...wanted, ...gone].flatMap(({ source, transactions }) => {
    const postings = difference(live(source), transactions, marks);
    return postings.length === 0 ? [] : [{ source, postings, marks }];
  });
}

/**
 * Returns the statements that write the differences in applications, refunded parts, the applied and open amounts of
 * the locked documents, and the unapplied amounts of refunded payments.
 */
export function writeSettlement(
  { side, settlement: before, locked }: LoadedSettlement,
  after: Settlement,
): Runnable<unknown>[] {
  const keyOf = (row: Pick<AppliedRow, 'paymentId' | 'documentId' | 'recognitionDate'>): string =>
    `${row.paymentId} ${row.documentId} ${row.recognitionDate}`;
  const old = new Map(before.applications.map((row) => [keyOf(row), row]));
  const kept = new Set<string>();
  for (const row of after.applications) {
    const found = old.get(keyOf(row));
    const isSame = found?.amount === row.amount && (found.waived ?? ZERO) === (row.waived ?? ZERO);
    if (isSame && found?.appliedBefore === row.appliedBefore) kept.add(keyOf(row));
  }
  const removed = before.applications.filter((row) => !kept.has(keyOf(row)));
  const added = after.applications.filter((row) => !kept.has(keyOf(row)));
  const moved = [...after.documents.values()].flatMap((document) => {
    const { id, applied } = document;
    if (!locked.has(id) || before.documents.get(id)?.applied === applied) return [];
    return [{ id, applied, openAmount: openAmount(document) }];
  });
  return [
    ...(removed.length > 0 ? [settlementSql.deleteApplications(removed)] : []),
    ...(added.length > 0
      ? [applications.insertMany(added.map((row) => ({ side: side.name, waived: ZERO, ...row })))]
      : []),
    ...(moved.length > 0 ? [documents.updateMany(moved, ['id'])] : []),
    ...writeRefunds(before, after),
  ];
}

function writeRefunds(before: Settlement, after: Settlement): Runnable<unknown>[] {
  const [old, wanted] = [refundRows(before), refundRows(after)];
  if (old.length + wanted.length === 0) return [];
  const keyOf = (row: RefundRow): string => Object.values(row).join(' ');
  const [oldKeys, newKeys] = [new Set(old.map(keyOf)), new Set(wanted.map(keyOf))];
  const removed = old.filter((row) => !newKeys.has(keyOf(row)));
  const added = wanted.filter((row) => !oldKeys.has(keyOf(row)));
  const left = [...after.payments.values()].flatMap(({ id, amount, refunded = ZERO }) => {
    if ((before.payments.get(id)?.refunded ?? ZERO) === refunded) return [];
    const unapplied: Cents = unappliedOf(after, id);
    return [{ id, applied: cents(amount - unapplied), unapplied }];
  });
  return [
    ...(removed.length > 0 ? [settlementSql.deleteRefunds(removed)] : []),
    ...(added.length > 0 ? [refundTable.insertMany(added)] : []),
    ...(left.length > 0 ? [paymentRows.updateMany(left, ['id'])] : []),
  ];
}

/** Returns the locked documents that a payment paid before a change or pays after it, in their new state. */
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

/**
 * Returns the documents that a change settled, given in their new state. Excludes credits, and documents that had no
 * open balance before the change.
 */
export const settledBy = <D extends DocumentRow>(before: Settlement, rows: readonly D[]): D[] =>
  rows.filter(({ id, amount, openAmount: left }) => {
    const document = before.documents.get(id);
    return left === 0 && amount > 0 && document !== undefined && openAmount(document) > 0;
  });
