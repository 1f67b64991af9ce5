import { type IsoDate, formatDate, isoDate } from '@evenkeel/core/dates';
import { Failure, conflict, refuse } from '@evenkeel/core/failure';
import { type Basis, type LiveLine, type PostedEntry, type Posting, assertBalanced } from '@evenkeel/core/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { DocumentKind, Source } from '@evenkeel/core/side';
import { type RawBuilder, sql } from 'kysely';
import { now } from '../clock.ts';
import { databaseCode, databaseDetail, isCheckViolation, isUniqueViolation } from '../db/errors.ts';
import { COMPANY, type Runnable } from '../db/query.ts';
import { isAdministrator } from '../http/session.ts';
import type { Ctx } from '../http/context.ts';

/** What one document adds to the journal: as a rule the outcome of core's `difference`. */
export interface PostingRequest {
  /** Id 0 is allowed for a journal entry and means "the id of the transaction that is being posted". */
  source: Source;
  postings: readonly Posting[];
}

export interface PostOptions {
  /**
   * Takes the company's next number under the lock of its head, even with no postings (drafts). An empty description of
   * a transaction or a line becomes `${label} ${number}`.
   */
  number?: DocumentKind;
  /** True when an administrator overrides the closing date; the caller audits the reason. */
  mayPostClosed?: boolean;
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
 * The only door to the journal: transactions, lines, hash chain, totals and document number in one round trip,
 * under the lock of the company's ledger head (lock documents first). Lines of zero and postings without lines are left
 * out. Throws Failure 422 when the books are closed on a posting date or an amount is beyond what the ledger holds, 409
 * when a line was reversed meanwhile; an Error when a posting does not balance in both views (a defect of the caller).
 */
export async function post(
  ctx: Pick<Ctx, 'tx' | 'userId'>,
  requests: readonly PostingRequest[],
  options: PostOptions = {},
): Promise<Posted> {
  const wanted = requests.map((request) => ({ source: request.source, postings: withoutZeros(request.postings) }));
  wanted.forEach(assertPostable);
  const counts = wanted.map((request) => request.postings.length);
  if (options.number === undefined && counts.every((count) => count === 0)) {
    return postedOf(counts, { firstId: 0, documentNumber: null, postedAt: now() });
  }
  const call = {
    userId: ctx.userId,
    transactions: wanted.flatMap(transactionsOf),
    mayPostClosed: options.mayPostClosed ?? false,
    number: options.number,
  };
  try {
    const row = await ctx.tx.row(ledgerPost(call));
    if (row === undefined) throw new Error('ledger_post answered nothing');
    return postedOf(counts, row);
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

function transactionsOf({ source, postings }: PostingRequest) {
  return postings.map((posting) => ({ sourceType: source.type, sourceId: source.id, ...posting }));
}

function withoutZeros(postings: readonly Posting[]): Posting[] {
  return postings
    .map((posting) => ({ ...posting, entries: posting.entries.filter((entry) => entry.amount !== 0) }))
    .filter((posting) => posting.entries.length > 0);
}

function assertPostable({ source, postings }: PostingRequest): void {
  if (!Number.isSafeInteger(source.id) || source.id < 0 || (source.id === 0 && source.type !== 'journal')) {
    throw new Error(`a posting needs the id of its ${source.type}`);
  }
  postings.forEach(assertBalanced);
}

function postedOf(counts: readonly number[], row: PostedRow): Posted {
  let next = row.firstId;
  const results = counts.map((count) => ({ transactionIds: Array.from({ length: count }, () => next++) }));
  return {
    transactionIds: results.flatMap((result) => result.transactionIds),
    results,
    number: row.documentNumber === null ? undefined : String(row.documentNumber),
    postedAt: row.postedAt,
  };
}

/** What a refusal of the database means for a person; undefined when it is our own defect. */
export function refusalOf(error: unknown): Error | undefined {
  const code = databaseCode(error);
  if (code === 'EK001') return closedThrough(isoDate(databaseDetail(error) ?? ''));
  // An amount, or the total of an account in a month or on a day, beyond ±2^53 cents.
  if (code === '22003' || isCheckViolation(error, 'ledger_total')) return refuse('Amount is out of range');
  if (isUniqueViolation(error, 'journal_line_reverses')) return conflict('This was changed meanwhile; please reload');
  return undefined;
}

/**
 * The reason with which an administrator changes what lies on or before the closing date, for the audit row; undefined
 * for anybody else and without a reason (decisions: "Accounting and banking").
 */
export function closingOverride(ctx: Pick<Ctx, 'user'>, reason: string | null | undefined): string | undefined {
  return reason && isAdministrator(ctx.user) ? reason : undefined;
}

/** The refusal of a change on or before the closing date (accounting: A7.3). */
export function closedThrough(closingDate: IsoDate): Error {
  return new Failure('closed', `The books are closed through ${formatDate(closingDate)}`);
}

/** What ledger_post answers: the id of the first transaction (the others follow), the number taken, the moment. */
export interface PostedRow {
  firstId: number;
  documentNumber: number | null;
  postedAt: Date;
}

export interface LedgerPostCall {
  userId: number;
  transactions: readonly {
    sourceType: string;
    sourceId: number;
    postingDate: IsoDate;
    description: string;
    entries: readonly PostedEntry[];
  }[];
  mayPostClosed: boolean;
  number: { source: string; label: string } | undefined;
}

/** The call of the database's posting function (migration "posting"). */
export function ledgerPost(call: LedgerPostCall): Runnable<PostedRow> {
  const transactions = call.transactions.map((transaction) => ({
    source_type: transaction.sourceType,
    source_id: transaction.sourceId,
    posting_date: transaction.postingDate,
    description: transaction.description,
    lines: transaction.entries.map(lineOf),
  }));
  return sql<PostedRow>`
    select first_id as "firstId", document_number as "documentNumber", posted_at as "postedAt"
    from ledger_post(${COMPANY}, ${call.userId}, ${JSON.stringify(transactions)}::jsonb,
      ${call.mayPostClosed}, ${call.number?.source ?? null}, ${call.number?.label ?? null})`;
}

function lineOf(entry: PostedEntry): object {
  return {
    account: entry.accountId,
    amount: entry.amount,
    basis: entry.basis,
    description: entry.description,
    entity: entry.entityId,
    profit_center: entry.profitCenterId,
    location: entry.locationId,
    reverses: entry.reverses,
  };
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
  return liveLinesWhere(
    sql`(t.source_type, t.source_id) in (select * from unnest(${types}::text[], ${ids}::bigint[]))`,
  );
}

/** The same for documents named by a condition on the transaction `t`, such as a subquery of their ids. */
export function liveLinesWhere(condition: RawBuilder<unknown>): Runnable<LiveRow> {
  return sql<LiveRow>`
    select t.source_type as "sourceType", t.source_id as "sourceId", l.id, l.posting_date as "postingDate",
      l.account_id as "accountId", l.amount_cents as amount, l.basis, l.description, l.entity_id as "entityId",
      l.profit_center_id as "profitCenterId", l.location_id as "locationId"
    from journal_transaction t
    join journal_line l on l.company_id = t.company_id and l.transaction_id = t.id
    where t.company_id = ${COMPANY} and l.company_id = ${COMPANY} and (${condition})
      and l.reverses is null
      and not exists (select from journal_line r where r.company_id = ${COMPANY} and r.reverses = l.id)
    order by l.id`;
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
