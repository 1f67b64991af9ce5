import type { Pool } from '../../platform/db/connect.ts';
import { inCompany } from '../../platform/db/tx.ts';
import type { Tx } from '../../platform/db/tx.ts';
import {
  countTotals,
  deleteTotals,
  insertTotals,
  lockDocuments,
  lockHead,
  rebuildCurrentLines,
  remakeOpenSums,
  remakeSearch,
} from '../../books/ledger/rebuild.sql.ts';
import { searchQueries } from '../../books/ledger/verify.sql.ts';

export interface Rebuilt {
  companyId: number;
  /** The current number of rows in ledger_total. */
  totals: number;
}

/**
 * Rebuilds a company's totals by day and month, the live lines of its edited documents, and its search index, in one
 * transaction. Postings wait until it ends. Needs the owner's pool, because the runtime role can't delete totals.
 */
export function rebuildCompany(pool: Pool, companyId: number): Promise<Rebuilt> {
  return inCompany(pool, companyId, rebuildWithin);
}

/** Rebuilds the totals inside an open transaction, during a restore. */
export async function rebuildWithin(tx: Tx): Promise<Rebuilt> {
  const { companyId } = tx;
  await tx.rows(lockHead());
  await tx.rows(deleteTotals());
  await tx.rows(insertTotals());
  for (const statement of rebuildCurrentLines()) await tx.rows(statement);
  await tx.rows(lockDocuments());
  const search = remakeSearch(await tx.rows(searchQueries()));
  for (const statement of [...remakeOpenSums(), ...search]) await tx.rows(statement);
  const counted = await tx.row(countTotals());
  return { companyId, totals: counted?.rows ?? 0 };
}
