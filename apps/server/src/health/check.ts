import { sql } from 'kysely';
import { monotonic } from '../clock.ts';
import type { Pool } from '../db/connect.ts';
import { inCompany, readCompany } from '../db/tx.ts';
import { checkNames, faultsOf } from '../ledger/verify.ts';
import { figureSql, finishSql, keepSql, startSql } from './health.sql.ts';

/**
 * Checks a company's books one check after the other, each at a moment of its own and on one processor, and keeps what
 * each found: others go on meanwhile. `pool` is a patient one, since a check of long books takes longer than a request.
 */
export async function checkBooks(pool: Pool, companyId: number): Promise<void> {
  const names = await readCompany(pool, companyId, checkNames);
  await inCompany(pool, companyId, (tx) => tx.rows(startSql(names.length)));
  for (const name of names) {
    const began = monotonic();
    const { faults, figure } = await readCompany(pool, companyId, async (tx) => {
      await tx.rows(sql`set local max_parallel_workers_per_gather = 0`);
      const figureOf = figureSql(name);
      return { faults: await faultsOf(tx, name), figure: figureOf && (await tx.row(figureOf)) };
    });
    const [first] = faults;
    const found = {
      name,
      milliseconds: Math.round(monotonic() - began),
      figure: figure?.value ?? null,
      faultCount: faults.length,
      message: first?.message ?? null,
      transactionId: first?.transactionId ?? null,
    };
    await inCompany(pool, companyId, async (tx) => tx.atEnd(...keepSql(found)));
  }
  await inCompany(pool, companyId, async (tx) => tx.atEnd(...finishSql(names)));
}
