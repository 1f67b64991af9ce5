import { rebuildCompany } from '../ledger/rebuild.ts';
import type { Command } from './command.ts';
import { eachCompany } from './companies.ts';

/** Makes the totals by day and month anew from the journal, of one company or of all. */
export const rebuildCommand: Command = {
  name: 'rebuild',
  usage: '[--company ID]',
  options: { company: { type: 'string' } },
  run: async (context) => ({ result: { companies: await eachCompany(context, rebuildCompany) } }),
};
