import { chain, type Chained, type ChainEnd, ledgerTotals } from '@evenkeel/core/chain';
import type { Posting } from '@evenkeel/core/ledger';
import type { DocumentKind, Source } from '@evenkeel/core/side';
import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';
import type { Ctx } from '../http/context.ts';
import { hashChain } from './chain.ts';
import { type HeadRow, lockHead, numbersOf, writeJournal } from './journal.sql.ts';
import { closedThrough, refusalOf } from './post.ts';

/** A company's journal under the lock of its head, at the moment of the posting. */
export interface OpenJournal {
  head: HeadRow;
  at: Date;
}

/** A record with what it posts. */
export interface Entered {
  /** Id 0 stands for the id of the first transaction. */
  source: Source;
  postings: readonly Posting[];
  /** Takes the company's next number; what has no description yet is called `${label} ${number}`. */
  number?: DocumentKind | undefined;
  /** Posts on closed days too. */
  mayPostClosed: boolean;
}

/** A record's number, empty where it takes none, its transactions, and the head behind them. */
export interface Place {
  head: HeadRow;
  number: string;
  transactions: Chained[];
}

/** Numbers a record and puts its transactions behind the journal's end. Throws 422 on a closed day. */
export function place(
  { head, at }: OpenJournal,
  by: { companyId: number; userId: number },
  { source, postings, number, mayPostClosed }: Entered,
): Place {
  const { closingDate, transactionId, lineId, postingNo, lastHash } = head;
  const [counted, taken] = number === undefined ? [head, ''] : numbersOf(head, number.source);
  let end: ChainEnd = { transactionId, lineId, postingNo, hash: lastHash.toString('hex') };
  const common = { companyId: by.companyId, createdBy: by.userId, createdAt: at };
  const transactions = named(postings, number === undefined ? '' : `${number.label} ${taken}`).map((posting) => {
    if (closingDate !== null && posting.postingDate <= closingDate && !mayPostClosed) throw closedThrough(closingDate);
    const wanted = { ...common, sourceType: source.type, sourceId: source.id, posting };
    const placed = chain(end, wanted, hashChain);
    end = placed.end;
    return placed.transaction;
  });
  const { hash, ...moved } = end;
  return { head: { ...counted, ...moved, lastHash: Buffer.from(hash, 'hex') }, number: taken, transactions };
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

/** Writes what was placed: transactions, lines, totals, and the head behind them. */
export function journalWrites(head: HeadRow, transactions: readonly Chained[]): Runnable<unknown>[] {
  return writeJournal({ transactions, totals: ledgerTotals(transactions), head });
}

/**
 * Posts many records in two round trips, each with a number of its own where its kind has one; lock documents first.
 * Throws as `post` does.
 */
export async function postMany(ctx: Pick<Ctx, 'tx' | 'userId'>, records: readonly Entered[]): Promise<Place[]> {
  const { tx, userId } = ctx;
  const [[head], [clock]] = await tx.inOrder([lockHead, moment]);
  if (head === undefined || clock === undefined) throw new Error(`company ${tx.companyId} has no ledger`);
  const journal = { head, at: clock.at };
  const places = records.map((record) => {
    const placed = place(journal, { companyId: tx.companyId, userId }, record);
    journal.head = placed.head;
    return placed;
  });
  const transactions = places.flatMap((each) => each.transactions);
  try {
    await tx.inOrder(journalWrites(journal.head, transactions));
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
  return places;
}

const moment = sql<{ at: Date }>`select date_trunc('milliseconds', clock_timestamp()) as at`;
