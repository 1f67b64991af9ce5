import { createHash } from 'node:crypto';
import type { SourceSystem, SourceTransaction } from './books.ts';

/** Returns the content of a transaction as text. The order of its lines doesn't matter. */
export function contentOf({ date, type, number, party, memo, lines }: SourceTransaction): string {
  const entries = lines
    .map((line) => JSON.stringify([line.account, line.amount, line.party ?? '', line.memo ?? '', line.basis ?? '']))
    .toSorted();
  return JSON.stringify([date, type, number ?? '', party ?? '', memo ?? '', entries]);
}

/** A transaction, and the identity under which an import stores it. */
export interface Identified {
  identity: string;
  transaction: SourceTransaction;
}

/**
 * Returns each transaction with its identity: the source and the source's ID or, for a transaction without an ID, a
 * digest of the content. Identical transactions without an ID are numbered, so that they stay separate and are
 * recognized when the file is read again. Identical transactions have the same date. `isByDate` means that the dates
 * never decrease, which saves memory.
 */
export function* identified(
  system: SourceSystem | undefined,
  transactions: Iterable<SourceTransaction>,
  isByDate = false,
): Generator<Identified> {
  const counts = new Map<string, number>();
  let day: string | undefined;
  for (const transaction of transactions) {
    const { id, date } = transaction;
    if (isByDate && date !== day) counts.clear();
    day = date;
    const base =
      id === undefined
        ? createHash('sha256').update(contentOf(transaction)).digest('hex')
        : `id ${id} ${date} ${transaction.type}`;
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    yield { identity: `${system ?? ''} ${base}${count === 1 ? '' : ` ${count}`}`, transaction };
  }
}
