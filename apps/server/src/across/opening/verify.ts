import { difference, type LiveLine } from '@evenkeel/core/books/ledger';
import { checkOpening, type OpeningBalances, postOpening } from '@evenkeel/core/books/opening';
import { fault, lackingFaults } from '../../books/documents/verify.ts';
import type { FaultRow } from '../../books/documents/verify.sql.ts';
import { liveLinesBySource, liveLinesOf } from '../../books/ledger/journal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { accountsNamed, balancesOf, readStored } from './opening.ts';
import { SOURCE } from './opening.sql.ts';

/**
 * Finds opening balances whose entry differs from the stored balances and open documents, or whose remaining opening
 * balance equity differs from the stated amount.
 */
export async function openingFaults(tx: Tx): Promise<FaultRow[]> {
  const stored = await readStored(tx);
  const live = liveLinesBySource(await tx.rows(liveLinesOf([SOURCE])))(SOURCE);
  if (stored.head === undefined) {
    const isExtra = live.length > 0 || stored.documents.length > 0;
    return isExtra ? [fault('entries or documents belong to opening balances that do not exist')] : [];
  }
  const accounts = await accountsNamed(tx, stored);
  try {
    return comparedFaults(balancesOf(stored, accounts), live);
  } catch (error) {
    // Tampered values can be so wrong that the entry can't be calculated.
    if (!(error instanceof Error)) throw error;
    return [fault(`the opening balances cannot be compared with the journal: ${error.message}`, SOURCE)];
  }
}

function comparedFaults(balances: OpeningBalances, live: readonly LiveLine[]): FaultRow[] {
  const uneven = Object.values(checkOpening(balances)).map((message) =>
    fault(`the opening balances: ${message}`, SOURCE),
  );
  const postings = difference(live, [postOpening(balances)]);
  return [...uneven, ...lackingFaults('the opening balances', SOURCE, postings)];
}
