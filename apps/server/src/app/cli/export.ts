import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exportFormats, rangeFault } from '@evenkeel/core/books/books-export';
import { type IsoDate, parseDate } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import { exportBooks } from '../../features/accounting/export.ts';
import { exportProof } from '../../features/accounting/proof.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { openInstallationBox } from '../../platform/db/key-mark.ts';
import { proofKey } from '../../platform/db/proof-key.ts';
import {
  type Command,
  type CommandContext,
  type CommandResult,
  optionalOption,
  requiredOption,
  UsageError,
} from './command.ts';
import { eachCompany } from './companies.ts';

const text = { type: 'string' } as const;
const bases: readonly ReportBasis[] = ['accrual', 'cash'];

/**
 * Writes one company's books on one basis to a file for hledger, beancount, or a spreadsheet, or writes the signed
 * proof of all its books.
 */
export const exportCommand: Command = {
  name: 'export',
  usage:
    '--format hledger|beancount|csv --basis accrual|cash [--from DATE] [--to DATE] --out FILE --company ID, ' +
    'or --format proof --out FILE --company ID',
  options: { format: text, basis: text, from: text, to: text, out: text, company: text },
  run: async (context) => {
    if (context.options['format'] === 'proof') return runProof(context);
    const format = oneOf(context, 'format', exportFormats);
    const basis = oneOf(context, 'basis', bases);
    const range = { from: optionalDate(context, 'from'), to: optionalDate(context, 'to') };
    const fault = rangeFault(range);
    if (fault !== undefined) throw new UsageError(fault);
    return toFile(context, async (pool, companyId, write) => {
      const transactions = await exportBooks(pool, { companyId, format, basis, ...range }, write);
      return { format, basis, transactions };
    });
  },
};

/** A proof contains all entries, on both bases. */
function runProof(context: CommandContext): Promise<CommandResult> {
  for (const option of ['basis', 'from', 'to']) {
    if (context.options[option] !== undefined) throw new UsageError(`--${option} does not apply to --format proof`);
  }
  return toFile(context, async (pool, companyId, write) => {
    const key = await proofKey({ pool, box: await openInstallationBox(context.config, pool) });
    await exportProof(pool, { companyId, key }, write);
    return { format: 'proof', publicKey: key.publicKey };
  });
}

/** Writes a file for the company given by `--company`. */
async function toFile(
  context: CommandContext,
  work: (pool: Pool, companyId: number, write: (text: string) => Promise<void>) => Promise<object>,
): Promise<CommandResult> {
  const file = resolve(requiredOption(context, 'out'));
  requiredOption(context, 'company');
  const [result] = await eachCompany(context, async (pool, companyId) => ({
    file,
    companyId,
    ...(await intoFile(file, (write) => work(pool, companyId, write))),
  }));
  return { result };
}

function oneOf<T extends string>(context: CommandContext, name: string, values: readonly T[]): T {
  const given = requiredOption(context, name);
  const found = values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}`);
  return found;
}

function optionalDate(context: CommandContext, name: string): IsoDate | undefined {
  const given = optionalOption(context, name);
  const date = given === undefined ? undefined : parseDate(given);
  if (given !== undefined && date === undefined) throw new UsageError(`--${name} ${given} is not a date`);
  return date;
}

/** The file gets its final name only when it is complete. */
async function intoFile<T>(file: string, work: (write: (text: string) => Promise<void>) => Promise<T>): Promise<T> {
  const part = `${file}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    const answer = await work((text) => handle.appendFile(text));
    await handle.sync();
    await handle.close();
    await rename(part, file);
    return answer;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}
