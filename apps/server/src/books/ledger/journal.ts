import { createHash } from 'node:crypto';
import type { IsoDate } from '@evenkeel/core/dates';
import { present, refuse } from '@evenkeel/core/failure';
import {
  append,
  type Basis,
  type Chained,
  type HashChain,
  type JournalEnd,
  ledgerTotals,
  type LiveChange,
  liveChanges,
  type LiveLine,
  movedMarks,
  type Posted,
  type PostingRequest,
} from '@evenkeel/core/books/ledger';
import type { Mark, Marks } from '@evenkeel/core/banking/marks';
import type { Cents } from '@evenkeel/core/money';
import type { Source, SourceType } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { type RawBuilder, sql } from 'kysely';
import { refusalOfConstraint } from '../../platform/db/constraints.ts';
import { databaseCode } from '../../platform/db/errors.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx, Rights } from '../../platform/http/context.ts';
import { isAdministrator } from '../../platform/http/session.ts';
import { keepMatches } from './matches.sql.ts';
import { markOf, moveMarks } from './marks.sql.ts';

/**
 * Computes the hash chain with this platform's SHA-256. This module is the only writer of the journal: it opens a
 * company's journal, core appends to its end, and then this module closes it.
 */
export const hashChain: HashChain = (previousHash, text) =>
  createHash('sha256').update(previousHash, 'hex').update(text, 'utf8').digest('hex');

/** The data that is read under the ledger head's lock: the time for all postings, and the company's next numbers. */
export type Opening = Pick<JournalEnd, 'at' | 'numbers'>;

/**
 * The columns of an Opening, for the statement that openReading runs. The time has millisecond precision, like a Date.
 */
export const OPENING = sql`date_trunc('milliseconds', clock_timestamp()) as at, (
  select coalesce(jsonb_object_agg(s.kind, s.next_number), '{}')
  from number_sequence s where s.company_id = ${COMPANY}) as numbers`;

/**
 * Locks the company's ledger head and returns the end of its journal, in the same round trip as the statements that
 * were started together with it. Documents must be locked first. Throws if the company has no ledger.
 */
export async function openJournal(tx: Tx): Promise<JournalEnd> {
  return (await openReading(tx, sql<Opening>`select ${OPENING}`)).end;
}

/** Opens the journal with a statement that also reads other values under the lock. Its columns must include OPENING. */
export async function openReading<R extends Opening>(
  tx: Tx,
  read: Runnable<R>,
): Promise<{ end: JournalEnd; facts: R }> {
  const { companyId } = tx;
  const [[head], [facts]] = await tx.inOrder([heads.find({}, { lock: 'for update' }), read]);
  if (head === undefined || facts === undefined) throw new Error(`company ${companyId} has no ledger`);
  const { lastHash, ...counters } = head;
  const { at, numbers } = facts;
  return { end: { companyId, ...counters, hash: lastHash.toString('hex'), at, numbers, taken: {} }, facts };
}

/** Returns the set-based statements that write the appended transactions and the journal's new end. */
export function closeJournal(end: JournalEnd, transactions: readonly Chained[]): Runnable<unknown>[] {
  const { transactionId, lineId, postingNo, hash } = end;
  const head = heads.update({}, { transactionId, lineId, postingNo, lastHash: bytesOf(hash) });
  const ends = [...writeNumbers(end), head];
  if (transactions.length === 0) return ends;
  const rows = transactions.map(({ lines: _lines, companyId: _company, ...transaction }) => ({
    ...transaction,
    previousHash: bytesOf(transaction.previousHash),
    hash: bytesOf(transaction.hash),
  }));
  const lines = transactions.flatMap(({ id, postingDate, lines: own }) =>
    own.map((line) => ({ ...line, transactionId: id, postingDate })),
  );
  return [journalTransactions.insertMany(rows), journalLines.insertMany(lines), addTotals(transactions), ...ends];
}

/**
 * Posts the documents' postings with the requested numbers. The postings are written at commit or before the next read.
 * New documents use batches instead. Reconciliation marks move to the lines that replace marked lines. Throws if a
 * marked line has no replacement. Bank transactions whose entries are reversed return to review. `locked` is the end of
 * the journal if the caller has already opened it. Otherwise, opening it takes a round trip. Returns the results by
 * request, and throws the same errors as `append`. Use `refusalOf` to convert an error from the write itself.
 */
export async function post(
  { tx, userId }: Pick<Ctx, 'tx' | 'userId'>,
  requests: readonly PostingRequest[],
  locked?: JournalEnd,
): Promise<Posted[]> {
  if (!requests.some(isToPost)) return requests.map(() => ({ transactions: [], number: undefined }));
  let end = locked ?? (await openJournal(tx));
  const all = requests.map((request) => {
    const { end: behind, ...posted } = append(end, request, { userId, hash: hashChain });
    end = behind;
    return posted;
  });
  const transactions = all.flatMap((posted) => posted.transactions);
  const numbers = all.flatMap(({ number }, at) => numbersOf(requests[at]?.number, number));
  notePosting(tx, { transactions, numbers, closingDate: end.closingDate });
  const moved = movedMarks(transactions, new Map(requests.flatMap(({ marks = [] }) => [...marks])));
  if (moved.size > 0) tx.atEnd(moveMarks(moved));
  const isEdit = transactions.some(({ lines }) => lines.some(({ reverses }) => reverses !== null));
  const matches = isEdit ? keepMatches(transactions) : [];
  tx.atEnd(...closeJournal(end, transactions), ...keepLive(transactions), ...matches);
  return all;
}

/** The postings recorded so far for a watched transaction. */
export interface Watched {
  transactions: Chained[];
  /** The document numbers that were assigned, each with the source of the document's kind. */
  numbers: { kind: string; number: string }[];
  closingDate: IsoDate | null;
}

const watched = new WeakMap<Tx, Watched>();

/** Starts to record a transaction's postings. */
export function watchPosting(tx: Tx): Watched {
  const seen: Watched = { transactions: [], numbers: [], closingDate: null };
  watched.set(tx, seen);
  return seen;
}

/** Returns the postings of a watched transaction so far. */
export const postedIn = (tx: Tx): Watched => present(watched.get(tx), 'the record of postings');

/** Records postings, if the transaction is watched. */
export function notePosting(tx: Tx, posted: Watched): void {
  const seen = watched.get(tx);
  if (seen === undefined) return;
  seen.transactions.push(...posted.transactions);
  seen.numbers.push(...posted.numbers);
  seen.closingDate = posted.closingDate;
}

/**
 * Returns the number that was assigned to a document, with the source of its kind, or an empty list if none was
 * assigned.
 */
export const numbersOf = (kind: DocumentKind | undefined, number: string | undefined): Watched['numbers'] =>
  kind === undefined || number === undefined ? [] : [{ kind: kind.source, number }];

function isToPost({ postings, number }: PostingRequest): boolean {
  return number !== undefined || postings.some(({ entries }) => entries.some(({ amount }) => amount !== 0));
}

/** Converts a failed write to the journal to an error for the user. Returns undefined if it is a bug. */
export function refusalOf(error: unknown): Error | undefined {
  // The amount exceeds the range of a column.
  return databaseCode(error) === '22003' ? refuse('Amount is out of range') : refusalOfConstraint(error);
}

/**
 * Returns an administrator's reason for a change on or before the closing date, for the audit row. Returns undefined if
 * no reason was given, and for all other users.
 */
export function closingOverride(caller: Rights, reason: string | null | undefined): string | undefined {
  return reason && isAdministrator(caller) ? reason : undefined;
}

const heads = table('ledger_head', {
  transactionId: 'next_transaction_id',
  lineId: 'next_line_id',
  postingNo: 'next_posting_no',
  lastHash: 'last_hash',
  closingDate: 'closing_date',
});
const sequences = table('number_sequence', { kind: 'kind', next: 'next_number' });
const journalTransactions = table('journal_transaction', {
  id: 'id',
  postingNo: 'posting_no',
  postingDate: 'posting_date',
  sourceType: 'source_type',
  sourceId: 'source_id',
  description: 'description',
  createdBy: 'created_by',
  createdAt: 'created_at',
  previousHash: 'previous_hash',
  hash: 'hash',
});
const journalLines = table('journal_line', {
  id: 'id',
  transactionId: 'transaction_id',
  lineNo: 'line_no',
  postingDate: 'posting_date',
  accountId: 'account_id',
  amount: 'amount_cents',
  basis: 'basis',
  description: 'description',
  entityId: 'entity_id',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
  reverses: 'reverses',
});
const totalsTable = table('ledger_total', {
  grain: 'grain',
  begins: 'begins',
  accountId: 'account_id',
  basis: 'basis',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
  amount: 'amount_cents',
  lines: 'line_count',
});

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex');

/**
 * A kind gets its row in the table when its first number is used. Until then, the ledger head's lock protects the
 * number.
 */
function writeNumbers({ numbers, taken }: JournalEnd): Runnable<unknown>[] {
  return Object.entries(taken).map(([kind, next]) =>
    numbers[kind] === undefined ? sequences.insert({ kind, next }) : sequences.update({ kind }, { next }),
  );
}

/** Adds to the totals by day and month, in key order. */
function addTotals(transactions: readonly Chained[]): Runnable<unknown> {
  return sql`
    ${totalsTable.insertMany(ledgerTotals(transactions))}
    on conflict (company_id, grain, begins, account_id, basis, profit_center_id, location_id) do update
      set amount_cents = ledger_total.amount_cents + excluded.amount_cents,
        line_count = ledger_total.line_count + excluded.line_count`;
}

/** A live line in the journal (neither a reversal nor reversed), with its document. */
export interface LiveRow {
  sourceType: string;
  sourceId: number;
  id: number;
  postingDate: IsoDate;
  accountId: number;
  amount: Cents;
  basis: Basis;
  description: string;
  entityId: number | null;
  profitCenterId: number | null;
  locationId: number | null;
  /** The reconciliation that contains the line. */
  mark: Mark | null;
}

/**
 * Selects the live lines of documents, by line ID. Must run after the statement that locks the documents, in the same
 * round trip or later. Otherwise, it could read lines that another change is about to reverse.
 */
export function liveLinesOf(sources: readonly Source[]): Runnable<LiveRow> {
  const types = sources.map((source) => source.type);
  const ids = sources.map((source) => source.id);
  return liveLinesIn(sql`select * from unnest(${types}::text[], ${ids}::bigint[])`);
}

/** Selects the documents of one kind by an array of their IDs, for liveLinesIn. */
export function sourcesOf(type: SourceType, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${type}::text, i from unnest(${ids}) i`;
}

/**
 * Selects the live lines of the documents that a query returns by kind and ID. Looks up each row by its key. `offset 0`
 * prevents the planner from using a different join, which it might choose if the tables were small when the statistics
 * were last updated.
 */
export function liveLinesIn(sources: RawBuilder<unknown>): Runnable<LiveRow> {
  const columns = sql`s.type as "sourceType", s.id as "sourceId", l.id, l.posting_date as "postingDate",
    l.account_id as "accountId", l.amount_cents as amount, l.basis, l.description, l.entity_id as "entityId",
    l.profit_center_id as "profitCenterId", l.location_id as "locationId", ${markOf(sql`l.id`)} as mark`;
  return sql<LiveRow>`
    with source as materialized (
      select s.type, s.id, v.line_ids
      from (${sources}) s (type, id)
      left join lateral (
        select v.line_ids from journal_live v
        where v.company_id = ${COMPANY} and v.source_type = s.type and v.source_id = s.id offset 0) v on true)
    select ${columns}
    from source s
    cross join unnest(s.line_ids) i (id)
    cross join lateral (select * from journal_line l where l.company_id = ${COMPANY} and l.id = i.id offset 0) l
    union all
    select ${columns}
    from source s
    cross join lateral (
      select t.id from journal_transaction t
      where t.company_id = ${COMPANY} and t.source_type = s.type and t.source_id = s.id offset 0) t
    cross join lateral (
      select * from journal_line l where l.company_id = ${COMPANY} and l.transaction_id = t.id offset 0) l
    where s.line_ids is null
    order by 3`;
}

/**
 * Groups rows from liveLinesOf by document. The returned function returns a document's live lines, or none if the
 * document isn't posted.
 */
export function liveLinesBySource(rows: readonly LiveRow[]): (source: Source) => LiveLine[] {
  const bySource = new Map<string, LiveLine[]>();
  for (const { sourceType, sourceId, mark: _, ...line } of rows) {
    const key = `${sourceType} ${sourceId}`;
    const lines = bySource.get(key);
    if (lines === undefined) bySource.set(key, [line]);
    else lines.push(line);
  }
  return ({ type, id }) => bySource.get(`${type} ${id}`) ?? [];
}

/** Returns the marks of the marked rows, by line ID. */
export function marksOf(rows: readonly { id: number; mark: Mark | null }[]): Marks {
  return new Map(rows.flatMap(({ id, mark }) => (mark === null ? [] : [[id, mark] as const])));
}

/**
 * Updates the live lines of documents that were posted before. Must run after these transactions are written. A
 * document gets its row with its first reversal. Until then, all of its lines are live.
 */
function keepLive(transactions: readonly Chained[]): Runnable<unknown>[] {
  const all = liveChanges(transactions);
  const edited = all.filter(({ reversed }) => reversed.length > 0);
  if (all.length === 0) return [];
  return [moveLive(all), ...(edited.length === 0 ? [] : [beginLive(edited)])];
}

/** Returns documents and their lines as rows `r`. A list of IDs is passed as the text of an array. */
function rowsOf(all: readonly LiveChange[]): RawBuilder<unknown> {
  const lists = (of: 'added' | 'reversed'): string[] => all.map((each) => `{${each[of].join(',')}}`);
  return sql`unnest(${all.map(({ type }) => type)}::text[], ${all.map(({ id }) => id)}::bigint[],
    ${lists('added')}::text[], ${lists('reversed')}::text[]) r (type, id, added, reversed)`;
}

function moveLive(all: readonly LiveChange[]): Runnable<unknown> {
  return sql`
    update journal_live v set line_ids = array(
      select i from unnest(v.line_ids || r.added::bigint[]) i where i <> all(r.reversed::bigint[]) order by i)
    from ${rowsOf(all)}
    where v.company_id = ${COMPANY} and v.source_type = r.type and v.source_id = r.id`;
}

function beginLive(edited: readonly LiveChange[]): Runnable<unknown> {
  return sql`
    insert into journal_live (company_id, source_type, source_id, line_ids)
    select h.company_id, r.type, r.id, array(
      select l.id
      from journal_transaction t
      join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = t.id
      where t.company_id = ${COMPANY} and t.source_type = r.type and t.source_id = r.id
        and l.reverses is null and l.id <> all(r.reversed::bigint[])
      order by l.id)
    from ledger_head h, ${rowsOf(edited)}
    where h.company_id = ${COMPANY} and not exists (
      select from journal_live v where v.company_id = ${COMPANY} and v.source_type = r.type and v.source_id = r.id)`;
}
