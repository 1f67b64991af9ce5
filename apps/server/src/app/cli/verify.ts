import { availableParallelism } from 'node:os';
import { type Verification, verifyCompany } from '../../across/health/books-verify.ts';
import type { Pool } from '../../platform/db/connect.ts';
import type { Command } from './command.ts';
import { eachCompany } from './companies.ts';

/** More companies at the same time would take too many of the database's connections. */
const MOST_AT_ONCE = 8;

/**
 * Checks all ledger rules and the hash chain for one company or for all companies, with as many companies at the same
 * time as there are processors. Says after each company how many have been checked. Exits with code 1 if it finds any
 * problem.
 */
export const verifyCommand: Command = {
  name: 'verify',
  usage: '[--company ID]',
  options: { company: { type: 'string' } },
  run: async (context) => {
    let checked = 0;
    const verify = async (pool: Pool, companyId: number, total: number): Promise<Verification> => {
      const verification = await verifyCompany(pool, companyId);
      const { transactions, lines, faults } = verification;
      checked += 1;
      const counts = `${transactions} transactions, ${lines} lines, ${faults.length} problems`;
      context.say(`Company ${companyId} (${checked} of ${total}): ${counts}`);
      return verification;
    };
    const companies = await eachCompany(context, verify, Math.min(MOST_AT_ONCE, availableParallelism()));
    const ok = companies.every(({ faults }) => faults.length === 0);
    return { result: { ok, companies }, exitCode: ok ? 0 : 1 };
  },
};
