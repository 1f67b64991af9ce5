import { analyzeTables } from '../../platform/db/statistics.ts';
import { rebuildCompany } from '../../features/accounting/rebuild.ts';
import type { Command } from './command.ts';
import { eachCompany } from './companies.ts';

/** Makes the totals by day and month anew from the journal, of one company or of all. */
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
