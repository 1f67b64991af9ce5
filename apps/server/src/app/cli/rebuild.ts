import { analyzeTables } from '../../platform/db/statistics.ts';
import { rebuildCompany } from '../../features/accounting/rebuild.ts';
import type { Command } from './command.ts';
import { eachCompany } from './companies.ts';

/** Rebuilds the totals by day and month from the journal, for one company or for all companies. */
export const rebuildCommand: Command = {
  name: 'rebuild',
  usage: '[--company ID]',
  options: { company: { type: 'string' } },
  run: async (context) => {
    const companies = await eachCompany(context, rebuildCompany);
    const { pool } = await context.database();
    await analyzeTables(pool);
    return { result: { companies } };
  },
};
