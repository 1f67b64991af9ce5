import { createHash } from 'node:crypto';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Failure, refuse } from '@evenkeel/core/failure';
import {
  assertBalanced,
  type Basis,
  chain,
  type Chained,
  type ChainEnd,
  type HashChain,
  ledgerTotals,
  type LedgerTotal,
  type LiveLine,
  type Posting,
} from '@evenkeel/core/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { DocumentKind, Source, SourceType } from '@evenkeel/core/side';
import { type RawBuilder, sql } from 'kysely';
import { now } from '../clock.ts';
import { refusalOfConstraint } from '../db/constraints.ts';
import { databaseCode } from '../db/errors.ts';
import { COMPANY, type Runnable } from '../db/query.ts';
import { type RowOf, table } from '../db/table.ts';
import type { Tx } from '../db/tx.ts';
import type { Ctx } from '../http/context.ts';
import { isAdministrator } from '../http/session.ts';

/** The chain's hash with this platform's sha256. */
export const hashChain: HashChain = (previousHash, text) =>
  createHash('sha256').update(previousHash, 'hex').update(text, 'utf8').digest('hex');

/** The end of a company's journal, its head locked, and the moment of what is posted behind it. */
export interface JournalEnd {
  head: HeadRow;
  at: Date;
}

/** What one document adds to the journal: as a rule the outcome of core's `difference`. */
export interface PostingRequest {
  /** Id 0 is allowed for a journal entry and means "the id of the transaction that is being posted". */
  source: Source;
  postings: readonly Posting[];
}

export interface AppendOptions {
  /**
   * Takes the company's next number, even with no postings (drafts). An empty description of a transaction or a line
   * becomes `${label} ${number}`.
   */
  number?: DocumentKind | undefined;
  /** True when an administrator overrides the closing date; the caller audits the reason. */
  mayPostClosed?: boolean;
}

/** The transactions behind the old end, and the new end. */
export interface Appended {
  end: JournalEnd;
  /** By request, in their order. */
  results: Chained[][];
  number: string | undefined;
}

/** The counter of the head that numbers a kind of document; other kinds have no number of the company's. */
const counters: Partial<Record<SourceType, 'invoiceNumber' | 'paymentNumber' | 'expensePaymentNumber'>> = {
  invoice: 'invoiceNumber',
  payment: 'paymentNumber',
  expensepayment: 'expensePaymentNumber',
};

/**
 * Locks the company's head and answers where its journal ends, in one round trip with what is started together. Lock
 * documents first. Throws where the company has no ledger.
 */
export async function openJournal(tx: Tx): Promise<JournalEnd> {
  const [[head], [moment]] = await tx.inOrder([lockHead, selectMoment]);
  if (head === undefined || moment === undefined) throw new Error(`company ${tx.companyId} has no ledger`);
  return { head, at: moment.at };
}

/**
 * Numbers a document and puts its transactions, and those of others that change with it, behind the journal's end.
 * Lines of zero and postings without lines are left out. Throws Failure 422 when the books are closed on a posting
 * date; an Error when a posting does not balance in both views.
 */
export function append(
  { head, at }: JournalEnd,
  { companyId, userId: createdBy }: { companyId: number; userId: number },
  requests: readonly PostingRequest[],
  { number: kind, mayPostClosed = false }: AppendOptions,
): Appended {
  const counter = kind === undefined ? undefined : counters[kind.source];
  const number = counter === undefined ? undefined : head[counter];
  const name = kind === undefined || number === undefined ? '' : `${kind.label} ${number}`;
  let end: ChainEnd = { ...head, hash: head.lastHash.toString('hex') };
  const results = requests.map(({ source, postings }) =>
    named(postings, name).map((posting) => {
      requireOpen(head.closingDate, posting.postingDate, mayPostClosed);
      const [sourceType, sourceId] = [source.type, source.id];
      const placed = chain(end, { companyId, createdBy, createdAt: at, sourceType, sourceId, posting }, hashChain);
      end = placed.end;
      return placed.transaction;
    }),
  );
  const { hash, ...moved } = end;
  const numbered = counter === undefined || number === undefined ? {} : { [counter]: number + 1 };
  const after: HeadRow = { ...head, ...moved, ...numbered, lastHash: Buffer.from(hash, 'hex') };
  return { end: { head: after, at }, results, number: number === undefined ? undefined : String(number) };
}

/** Writes what was appended, and the end behind it. */
export function closeJournal({ head }: JournalEnd, transactions: readonly Chained[]): Runnable<unknown>[] {
  return writeJournal({ transactions, totals: ledgerTotals(transactions), head });
}

function requireOpen(closingDate: IsoDate | null, date: IsoDate, mayPostClosed: boolean): void {
  if (closingDate !== null && date <= closingDate && !mayPostClosed) throw closedThrough(closingDate);
}

/** The refusal of a change on or before the closing date (accounting: A7.3). */
export function closedThrough(closingDate: IsoDate): Error {
  return new Failure('closed', `The books are closed through ${formatDate(closingDate)}`);
}

/** A number is known only now: what has no description yet is called by it. Lines of zero are left out. */
function named(postings: readonly Posting[], name: string): Posting[] {
  return postings.flatMap((posting) => {
    const entries = posting.entries.filter((entry) => entry.amount !== 0);
    if (entries.length === 0) return [];
    const called = entries.map((entry) => (entry.description === '' ? { ...entry, description: name } : entry));
    return [{ ...posting, description: posting.description || name, entries: called }];
  });
}

export interface PostOptions extends AppendOptions {
  /** The journal's end, where the caller has it locked already; else it is locked first, which is a round trip. */
  end?: JournalEnd;
}

export interface Posted {
  /** Ids of all transactions, in the order of the requests and their postings. */
  transactionIds: number[];
  /** The same by request, in the order of the requests. */
  results: { transactionIds: number[] }[];
  number: string | undefined;
  postedAt: Date;
}

/**
 * The door to the journal for what changes documents (new ones go by batch): transactions, lines, hash chain, totals
 * and document number under the lock of the company's ledger head (lock documents first), written with the commit or
 * before the next read. Throws Failure 422 when the books are closed on a posting date; an Error when a posting does
 * not balance in both views (a defect of the caller). `refusalOf` says what it means when the write itself fails.
 */
export async function post(
  ctx: Pick<Ctx, 'tx' | 'userId'>,
  requests: readonly PostingRequest[],
  { end: locked, ...options }: PostOptions = {},
): Promise<Posted> {
  requests.forEach(assertPostable);
  if (options.number === undefined && !requests.some(isToPost)) {
    return { transactionIds: [], results: requests.map(() => noTransactions), number: undefined, postedAt: now() };
  }
  const { tx, userId } = ctx;
  const before = locked ?? (await openJournal(tx));
  const { end, results, number } = append(before, { companyId: tx.companyId, userId }, requests, options);
  const transactions = results.flat();
  tx.atEnd(...closeJournal(end, transactions), ...keepLive(transactions));
  const ids = results.map((each) => ({ transactionIds: each.map(({ id }) => id) }));
  return { transactionIds: transactions.map(({ id }) => id), results: ids, number, postedAt: before.at };
}

/**
 * Posts many new records of one kind, each with a number of its own, behind what changes of others; writes them with
 * the commit or before the next read. Answers the numbers in their order. Throws as `post` does.
 */
export function postMany(
  { tx, userId }: Pick<Ctx, 'tx' | 'userId'>,
  before: JournalEnd,
  records: { old: readonly PostingRequest[]; added: readonly PostingRequest[] } & AppendOptions,
): string[] {
  const { old, added, number, mayPostClosed = false } = records;
  [...old, ...added].forEach(assertPostable);
  const by = { companyId: tx.companyId, userId };
  const changed = append(before, by, old, { mayPostClosed });
  const transactions = changed.results.flat();
  let { end } = changed;
  const numbers = added.map((record) => {
    const appended = append(end, by, [record], { number, mayPostClosed });
    transactions.push(...appended.results.flat());
    end = appended.end;
    return appended.number ?? '';
  });
  tx.atEnd(...closeJournal(end, transactions), ...keepLive(transactions));
  return numbers;
}

const noTransactions = { transactionIds: [] };

function isToPost({ postings }: PostingRequest): boolean {
  return postings.some(({ entries }) => entries.some(({ amount }) => amount !== 0));
}

function assertPostable({ source, postings }: PostingRequest): void {
  if (!Number.isSafeInteger(source.id) || source.id < 0 || (source.id === 0 && source.type !== 'journal')) {
    throw new Error(`a posting needs the id of its ${source.type}`);
  }
  postings.forEach(assertBalanced);
}

/** The refusal that a failed write to the journal means for a person; undefined when it is our own defect. */
export function refusalOf(error: unknown): Error | undefined {
  // An amount beyond what a column holds.
  return databaseCode(error) === '22003' ? refuse('Amount is out of range') : refusalOfConstraint(error);
}

/**
 * The reason with which an administrator changes what lies on or before the closing date, for the audit row; undefined
 * for anybody else and without a reason (decisions: "Accounting and banking").
 */
export function closingOverride(ctx: Pick<Ctx, 'user'>, reason: string | null | undefined): string | undefined {
  return reason && isAdministrator(ctx.user) ? reason : undefined;
}

const heads = table('ledger_head', {
  transactionId: 'next_transaction_id',
  lineId: 'next_line_id',
  postingNo: 'next_posting_no',
  lastHash: 'last_hash',
  closingDate: 'closing_date',
  invoiceNumber: 'next_invoice_number',
  paymentNumber: 'next_payment_number',
  expensePaymentNumber: 'next_expense_payment_number',
});

/** The company's head: where its journal ends and what its documents' next numbers are. */
export type HeadRow = RowOf<typeof heads>;

/** Takes the company's place in the queue of postings. */
export const lockHead = heads.find({}, { lock: 'for update' });

/** The database's clock, as exact as a Date holds it. */
export const MOMENT = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;

/** Run it behind lockHead: later postings then have later moments. */
export const selectMoment = sql<{ at: Date }>`select ${MOMENT} as at`;

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

/** Adds to the totals by day and month, which come in the order of their key. */
function addTotals(totals: readonly LedgerTotal[]): Runnable<unknown> {
  return sql`
    ${totalsTable.insertMany(totals)}
    on conflict (company_id, grain, begins, account_id, basis, profit_center_id, location_id) do update
      set amount_cents = ledger_total.amount_cents + excluded.amount_cents,
        line_count = ledger_total.line_count + excluded.line_count`;
}

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex');

/** Writes transactions, lines, totals, and the head behind them, set by set. */
export function writeJournal(journal: {
  transactions: readonly Chained[];
  totals: readonly LedgerTotal[];
  head: HeadRow;
}): Runnable<unknown>[] {
  const { transactions, totals, head } = journal;
  const { closingDate: _, ...moved } = head;
  const move = heads.update({}, moved);
  if (transactions.length === 0) return [move];
  const rows = transactions.map(({ lines: _lines, companyId: _company, ...transaction }) => ({
    ...transaction,
    previousHash: bytesOf(transaction.previousHash),
    hash: bytesOf(transaction.hash),
  }));
  const lines = transactions.flatMap(({ id, postingDate, lines: own }) =>
    own.map((line) => ({ ...line, transactionId: id, postingDate })),
  );
  return [journalTransactions.insertMany(rows), journalLines.insertMany(lines), addTotals(totals), move];
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
 * The same for documents that a query answers by kind and id. Each row is looked up by its key: `offset 0` keeps the
 * planner from joining the tables any other way, which it would do where they were small when it counted them last.
 */
export function liveLinesIn(sources: RawBuilder<unknown>): Runnable<LiveRow> {
  const columns = sql`s.type as "sourceType", s.id as "sourceId", l.id, l.posting_date as "postingDate",
    l.account_id as "accountId", l.amount_cents as amount, l.basis, l.description, l.entity_id as "entityId",
    l.profit_center_id as "profitCenterId", l.location_id as "locationId"`;
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
  for (const { sourceType, sourceId, ...line } of rows) {
    const key = `${sourceType} ${sourceId}`;
    const lines = bySource.get(key);
    if (lines === undefined) bySource.set(key, [line]);
    else lines.push(line);
  }
  return ({ type, id }) => bySource.get(`${type} ${id}`) ?? [];
}

/** Lines that transactions add to a document, and those that they reverse. */
interface Moved {
  type: string;
  id: number;
  added: number[];
  reversed: number[];
}

function movedBy(transactions: readonly Chained[]): Moved[] {
  const bySource = new Map<string, Moved>();
  for (const { sourceType: type, sourceId: id, lines } of transactions) {
    const key = `${type} ${id}`;
    const moved = bySource.get(key) ?? { type, id, added: [], reversed: [] };
    bySource.set(key, moved);
    for (const line of lines) {
      if (line.reverses === null) moved.added.push(line.id);
      else moved.reversed.push(line.reverses);
    }
  }
  return [...bySource.values()];
}

/**
 * Keeps the live lines of documents that were posted before; run it behind the writes of these transactions. A document
 * gets its row with its first reversal: until then its lines are all of those that it has.
 */
export function keepLive(transactions: readonly Chained[]): Runnable<unknown>[] {
  const all = movedBy(transactions);
  const edited = all.filter(({ reversed }) => reversed.length > 0);
  if (all.length === 0) return [];
  return [moveLive(all), ...(edited.length === 0 ? [] : [beginLive(edited)])];
}

/** Documents and their lines as rows `r`; a list of ids travels as the text of an array. */
function rowsOf(all: readonly Moved[]): RawBuilder<unknown> {
  const lists = (of: 'added' | 'reversed'): string[] => all.map((each) => `{${each[of].join(',')}}`);
  return sql`unnest(${all.map(({ type }) => type)}::text[], ${all.map(({ id }) => id)}::bigint[],
    ${lists('added')}::text[], ${lists('reversed')}::text[]) r (type, id, added, reversed)`;
}

function moveLive(all: readonly Moved[]): Runnable<unknown> {
  return sql`
    update journal_live v set line_ids = array(
      select i from unnest(v.line_ids || r.added::bigint[]) i where i <> all(r.reversed::bigint[]) order by i)
    from ${rowsOf(all)}
    where v.company_id = ${COMPANY} and v.source_type = r.type and v.source_id = r.id`;
}

function beginLive(edited: readonly Moved[]): Runnable<unknown> {
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
