import type { IsoDate } from '@evenkeel/core/dates';
import { formatDate, isoDate } from '@evenkeel/core/dates';
import { conflict, Failure, refuse } from '@evenkeel/core/failure';
import { assertBalanced } from '@evenkeel/core/ledger';
import type { Posting } from '@evenkeel/core/ledger';
import type { DocumentKind, Source } from '@evenkeel/core/side';
import { now } from '../clock.ts';
import { databaseCode, databaseDetail, isCheckViolation, isUniqueViolation } from '../db/errors.ts';
import { isAdministrator } from '../http/authorise.ts';
import type { Ctx } from '../http/context.ts';
import { ledgerPost } from './post.sql.ts';
import type { PostedRow } from './post.sql.ts';

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
 * The only door to the journal: transactions, lines, hash chain, monthly totals and document number in one round trip,
 * under the lock of the company's ledger head (lock documents first). Lines of zero and postings without lines are left
 * out. Throws Failure 422 when the books are closed on a posting date or an amount is beyond what the ledger holds, 409
 * when a line was reversed meanwhile; an Error when a posting does not balance in both views (a defect of the caller).
 */
export async function post(
  ctx: Pick<Ctx, 'tx' | 'companyId' | 'userId'>,
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
    companyId: ctx.companyId,
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
  // An amount, or the balance of an account in a month, beyond ±2^53 cents.
  if (code === '22003' || isCheckViolation(error, 'ledger_month')) return refuse('Amount is out of range');
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
