import { Failure } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import type { Pool } from '../../platform/db/connect.ts';
import { isLocked } from '../../platform/db/errors.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { readCompany } from '../../platform/db/tx.ts';
import type { MoveRow } from './moving.sql.ts';

const WORDS: Partial<Record<MoveRow['status'], string>> = {
  previewing: 'An import of books is being previewed',
  importing: 'Books are being imported',
  undoing: 'An import of books is being undone',
};

/**
 * Returns the error for a request that waited too long for a lock because books are being imported. An import posts its
 * history in one transaction, and the company's other postings wait for it to end. Reads never wait.
 */
export async function importUnderway(
  pool: Pool,
  companyId: number | undefined,
  error: unknown,
): Promise<Failure | undefined> {
  if (companyId === undefined || !isLocked(error)) return undefined;
  const running = sql<Pick<MoveRow, 'status'>>`
    select status from move_in where company_id = ${COMPANY} and status = any(${Object.keys(WORDS)}::text[])`;
  // If the database fails in the meantime, the first error is returned.
  const move = await readCompany(pool, companyId, (tx) => tx.row(running)).catch(() => undefined);
  const words = move === undefined ? undefined : WORDS[move.status];
  if (words === undefined) return undefined;
  const message = `${words}, so your change could not be saved. Try again later.`;
  return new Failure('unavailable', message, undefined, { retryAfterSeconds: 10 });
}
