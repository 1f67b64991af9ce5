import { verifyCompany } from '../../across/health/books-verify.ts';
import type { Command } from './command.ts';
import { eachCompany } from './companies.ts';

/**
 * Checks all ledger rules and the hash chain for one company or for all companies. Exits with code 1 if it finds any
 * problem.
 */
export const verifyCommand: Command = {
  name: 'verify',
  usage: '[--company ID]',
  options: { company: { type: 'string' } },
  run: async (context) => {
    const companies = await eachCompany(context, async (pool, companyId) => {
      const verification = await verifyCompany(pool, companyId);
      const { transactions, lines, faults } = verification;
      context.say(`Company ${companyId}: ${transactions} transactions, ${lines} lines, ${faults.length} problems`);
      return verification;
    });
    const ok = companies.every(({ faults }) => faults.length === 0);
    return { result: { ok, companies }, exitCode: ok ? 0 : 1 };
  },
};
