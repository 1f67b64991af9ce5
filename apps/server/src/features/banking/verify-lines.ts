import { lineKey } from '@evenkeel/statements/lineKey';
import type { Tx } from '../../platform/db/tx.ts';
import { fault } from '../../books/documents/verify.ts';
import { type FaultRow, MOST_FAULTS } from '../../books/documents/verify.sql.ts';
import { lineStateFaults, matchFaults, matchSumFaults, nextLines, statementCountFaults } from './verify-lines.sql.ts';

const AT_ONCE = 5000;

/**
 * Returns the checks for bank transactions by name: matches refer to active entries in their account and equal them to
 * the cent, states agree with actions, statements have the right number of bank transactions, and keys agree with the
 * text.
 */
export function lineChecks(tx: Tx): [check: string, faults: () => Promise<FaultRow[]>][] {
  return [
    ['matches', () => tx.rows(matchFaults())],
    ['matches', () => tx.rows(matchSumFaults())],
    ['bank lines', () => tx.rows(lineStateFaults())],
    ['bank lines', () => keyFaults(tx)],
    ['bank statements', () => tx.rows(statementCountFaults())],
  ];
}

async function keyFaults(tx: Tx): Promise<FaultRow[]> {
  const found: FaultRow[] = [];
  for (let behind = 0; found.length < MOST_FAULTS;) {
    const rows = await tx.rows(nextLines(behind, AT_ONCE));
    behind = rows.at(-1)?.id ?? behind;
    if (rows.length === 0) break;
    const wrong = rows.filter((row) => row.key !== lineKey(row));
    found.push(
      ...wrong.map(({ id }) =>
        fault(`the key of bank transaction ${id} does not match its text`, { type: 'bankline', id }),
      ),
    );
  }
  return found.slice(0, MOST_FAULTS);
}
