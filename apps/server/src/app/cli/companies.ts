import { openPool, type Pool } from '../../platform/db/connect.ts';
import { installation } from '../../platform/db/tx.ts';
import { selectCompanyIds } from '../../books/ledger/verify.sql.ts';
import { type CommandContext, optionalOption, UsageError } from './command.ts';

/**
 * Runs the work for the company given by `--company`, or for every company, as the schema's owner (without time
 * limits). Up to `atOnce` companies are processed at the same time. Returns the results in the order of the companies.
 * After an error, no other company is started.
 */
export async function eachCompany<T>(
  context: CommandContext,
  work: (pool: Pool, companyId: number, total: number) => Promise<T>,
  atOnce = 1,
): Promise<T[]> {
  const wanted = companyOption(context);
  const { connection } = await context.database();
  const pool = openPool({ connection, as: 'owner', max: atOnce + 1 });
  try {
    const known = (await installation(pool, selectCompanyIds())).map(({ companyId }) => companyId);
    if (wanted !== undefined && !known.includes(wanted)) throw new Error(`Company ${wanted} does not exist`);
    const chosen = wanted === undefined ? known : [wanted];
    const waiting = chosen.entries();
    const results: T[] = [];
    const errors: unknown[] = [];
    const worker = async (): Promise<void> => {
      for (const [index, companyId] of waiting) {
        if (errors.length > 0) return;
        try {
          results[index] = await work(pool, companyId, chosen.length);
        } catch (error) {
          errors.push(error);
        }
      }
    };
    // The workers take companies from the same iterator.
    await Promise.all(Array.from({ length: atOnce }, worker));
    if (errors.length > 0) throw errors[0];
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
