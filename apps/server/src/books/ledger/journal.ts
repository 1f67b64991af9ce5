import { createHash } from 'node:crypto';
import type { IsoDate } from '@evenkeel/core/dates';
import { refuse } from '@evenkeel/core/failure';
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

// The one writer of the journal: it opens a company's journal, core appends to its end, and the journal is closed.

/** The chain's hash with this platform's sha256. */
export const hashChain: HashChain = (previousHash, text) =>
  createHash('sha256').update(previousHash, 'hex').update(text, 'utf8').digest('hex');

/** Facts that are read behind the head's lock: the moment of all that is posted, and the company's next numbers. */
export type Opening = Pick<JournalEnd, 'at' | 'numbers'>;

/** Columns of an Opening, for the statement that openReading takes. The clock is as exact as a Date holds it. */
export const OPENING = sql`date_trunc('milliseconds', clock_timestamp()) as at, (
  select coalesce(jsonb_object_agg(s.kind, s.next_number), '{}')
  from number_sequence s where s.company_id = ${COMPANY}) as numbers`;

/**
 * Locks the company's head and answers where its journal ends, in one round trip with what is started together. Lock
 * documents first. Throws where the company has no ledger.
 */
export async function openJournal(tx: Tx): Promise<JournalEnd> {
  return (await openReading(tx, sql<Opening>`select ${OPENING}`)).end;
}

/** Opens the journal by a statement that reads more behind the lock; OPENING stands among its columns. */
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

/** Writes what was appended, and the end behind it, set by set. */
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
 * Posts what documents add, each with the number that it asks for, and writes it with the commit or before the next
 * read (new documents go by batch). Marks of reconciled lines move to the lines that replace them; one that nothing
 * replaces is refused. Bank lines whose entries are taken back are for review again. `locked` is the journal's end
 * where the caller has opened it already; else it is opened first, which is a round trip. Answers by request; throws as
 * `append` does. `refusalOf` says what it means when
 * the write itself fails.
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
  const moved = movedMarks(transactions, new Map(requests.flatMap(({ marks = [] }) => [...marks])));
  if (moved.size > 0) tx.atEnd(moveMarks(moved));
  const isEdit = transactions.some(({ lines }) => lines.some(({ reverses }) => reverses !== null));
  const matches = isEdit ? keepMatches(transactions) : [];
  tx.atEnd(...closeJournal(end, transactions), ...keepLive(transactions), ...matches);
  return all;
}

function isToPost({ postings, number }: PostingRequest): boolean {
  return number !== undefined || postings.some(({ entries }) => entries.some(({ amount }) => amount !== 0));
}

/** The refusal that a failed write to the journal means for a person; undefined when it is our own defect. */
export function refusalOf(error: unknown): Error | undefined {
  // An amount beyond what a column holds.
  return databaseCode(error) === '22003' ? refuse('Amount is out of range') : refusalOfConstraint(error);
}

/**
 * The reason with which an administrator changes what lies on or before the closing date, for the audit row; undefined
 * for anybody else and without a reason.
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

/** A kind gets its row with its first number; the head's lock keeps others from the rows meanwhile. */
function writeNumbers({ numbers, taken }: JournalEnd): Runnable<unknown>[] {
  return Object.entries(taken).map(([kind, next]) =>
    numbers[kind] === undefined ? sequences.insert({ kind, next }) : sequences.update({ kind }, { next }),
  );
}

/** Adds to the totals by day and month, in the order of their key. */
function addTotals(transactions: readonly Chained[]): Runnable<unknown> {
  return sql`
    ${totalsTable.insertMany(ledgerTotals(transactions))}
    on conflict (company_id, grain, begins, account_id, basis, profit_center_id, location_id) do update
      set amount_cents = ledger_total.amount_cents + excluded.amount_cents,
        line_count = ledger_total.line_count + excluded.line_count`;
}

/** A live line of the journal (it neither reverses another nor is reversed) with the document behind it. */
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
  /** The reconciliation that it belongs to. */
  mark: Mark | null;
}

/**
 * The live lines of documents, by line id. Run it behind the statement that locks the documents (the same round trip
 * will do): started before, it could see what another change is about to reverse.
 */
export function liveLinesOf(sources: readonly Source[]): Runnable<LiveRow> {
  const types = sources.map((source) => source.type);
  const ids = sources.map((source) => source.id);
  return liveLinesIn(sql`select * from unnest(${types}::text[], ${ids}::bigint[])`);
}

/** The documents of one kind, by an array of their ids, as liveLinesIn takes them. */
export function sourcesOf(type: SourceType, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${type}::text, i from unnest(${ids}) i`;
}

/**
 * Live lines of documents that a query answers by kind and id. Each row is looked up by its key: `offset 0` keeps the
 * planner from joining the tables any other way, which it would do where they were small when it counted them last.
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

/** Sorts rows of liveLinesOf by document; the answer gives a document's live lines, none for an unposted one. */
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

/** Rows with their marks → the marks of the marked ones. */
export function marksOf(rows: readonly { id: number; mark: Mark | null }[]): Marks {
  return new Map(rows.flatMap(({ id, mark }) => (mark === null ? [] : [[id, mark] as const])));
}

/**
 * Keeps the live lines of documents that were posted before; run it behind the writes of these transactions. A document
 * gets its row with its first reversal: until then its lines are all of those that it has.
 */
function keepLive(transactions: readonly Chained[]): Runnable<unknown>[] {
  const all = liveChanges(transactions);
  const edited = all.filter(({ reversed }) => reversed.length > 0);
  if (all.length === 0) return [];
  return [moveLive(all), ...(edited.length === 0 ? [] : [beginLive(edited)])];
}

/** Documents and their lines as rows `r`; a list of ids travels as the text of an array. */
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
