import { monotonic } from '../../platform/clock.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { inCompany, readCompany } from '../../platform/db/tx.ts';
import { checkNames, faultsBy, type Reads } from './books-verify.ts';
import { figureSql, finishSql, type Found, keepSql, startSql } from './health.sql.ts';

/**
 * Runs the checks on a company's books one at a time and stores the results. Each check has its own snapshot (the chain
 * has several) and, like each request, uses one processor. `pool` must allow long statements, because a check on large
 * books takes longer than a request.
 */
export async function checkBooks(pool: Pool, companyId: number): Promise<void> {
  const names = await readCompany(pool, companyId, checkNames);
  await inCompany(pool, companyId, (tx) => tx.rows(startSql(names.length)));
  const read: Reads = (work) => readCompany(pool, companyId, work);
  for (const name of names) {
    const found = await findingOf(read, name);
    await inCompany(pool, companyId, async (tx) => tx.atEnd(...keepSql(found)));
  }
  await inCompany(pool, companyId, async (tx) => tx.atEnd(...finishSql(names)));
}

/** Runs the checks that share a name. Reports the first problem that has an entry or a record. */
export async function findingOf(read: Reads, name: string): Promise<Found> {
  const began = monotonic();
  const figureOf = figureSql(name);
  const [faults, figure] = [await faultsBy(read, name), figureOf && (await read((tx) => tx.row(figureOf)))];
  const told = faults.find(({ transactionId, record }) => (transactionId ?? record) !== undefined) ?? faults[0];
  return {
    name,
    milliseconds: Math.round(monotonic() - began),
    figure: figure?.value ?? null,
    faultCount: faults.length,
    message: told?.message ?? null,
    transactionId: told?.transactionId ?? null,
    recordKind: told?.record?.kind ?? null,
    recordId: told?.record?.id ?? null,
  };
}
