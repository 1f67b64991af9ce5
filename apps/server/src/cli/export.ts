import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ReportBasis } from '@evenkeel/core/ledger';
import { type ExportFormat, exportBooks, exportFormats } from '../ledger/export.ts';
import { type Command, type CommandContext, requiredOption, UsageError } from './command.ts';
import { eachCompany } from './companies.ts';

const text = { type: 'string' } as const;
const bases: readonly ReportBasis[] = ['accrual', 'cash'];

/** Writes one company's books, in one view, as a file for hledger, beancount or a spreadsheet. */
export const exportCommand: Command = {
  name: 'export',
  usage: '--format hledger|beancount|csv --basis accrual|cash --out FILE --company ID',
  options: { format: text, basis: text, out: text, company: text },
  run: async (context) => {
    const format: ExportFormat = oneOf(context, 'format', exportFormats);
    const basis = oneOf(context, 'basis', bases);
    const file = resolve(requiredOption(context, 'out'));
    requiredOption(context, 'company');
    const [result] = await eachCompany(context, async (pool, companyId) => {
      const transactions = await intoFile(file, (write) => exportBooks(pool, { companyId, format, basis }, write));
      return { file, companyId, format, basis, transactions };
    });
    return { result };
  },
};

function oneOf<T extends string>(context: CommandContext, name: string, values: readonly T[]): T {
  const given = requiredOption(context, name);
  const found = values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`--${name} is one of ${values.join(', ')}`);
  return found;
}

/** Characters written at a time. */
const PIECE = 65_536;

/** The file appears under its name when it is whole. */
async function intoFile<T>(file: string, work: (write: (text: string) => Promise<void>) => Promise<T>): Promise<T> {
  const part = `${file}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    let waiting = '';
    const answer = await work(async (text) => {
      waiting += text;
      if (waiting.length < PIECE) return;
      await handle.appendFile(waiting);
      waiting = '';
    });
    await handle.appendFile(waiting);
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
