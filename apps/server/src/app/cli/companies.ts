import { openPool, type Pool } from '../../platform/db/connect.ts';
import { installation } from '../../platform/db/tx.ts';
import { selectCompanyIds } from '../../books/ledger/verify.sql.ts';
import { type CommandContext, optionalOption, UsageError } from './command.ts';

/**
 * Runs the work for the company given by `--company`, or for every company, as the schema's owner (without time
 * limits).
 */
export async function eachCompany<T>(
  context: CommandContext,
  work: (pool: Pool, companyId: number) => Promise<T>,
): Promise<T[]> {
  const wanted = companyOption(context);
  const { connection } = await context.database();
  const pool = openPool({ connection, as: 'owner', max: 2 });
  try {
    const known = (await installation(pool, selectCompanyIds())).map(({ companyId }) => companyId);
    if (wanted !== undefined && !known.includes(wanted)) throw new Error(`Company ${wanted} does not exist`);
    const results: T[] = [];
    for (const companyId of wanted === undefined ? known : [wanted]) results.push(await work(pool, companyId));
    return results;
  } finally {
    await pool.end();
  }
}

/** Returns the ID in `--company`, or undefined if the option was not given. */
export function companyOption(context: CommandContext): number | undefined {
  const text = optionalOption(context, 'company');
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`--company ${text} is not a company ID`);
  return Number(text);
}
