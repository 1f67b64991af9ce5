import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cents, fromPlain, negate, sum } from '@evenkeel/core/money';
import { findTool, type ToolName } from '../../../scripts/test/tools.ts';
import type { Books } from '../books.ts';
import { BOOKS } from '../fill.sql.ts';
import type { RunningServer } from '../server.ts';
import { type Peer, RECEIVABLE, type ReportName } from './peer.ts';

const run = promisify(execFile);

/** The accounts and the first day of a report. Every report ends with the books. */
const asked: Record<ReportName, { roots: readonly string[]; from?: string }> = {
  'Trial Balance': { roots: ['Assets', 'Liabilities', 'Equity', 'Income', 'Expenses'] },
  'Profit & Loss Statement': { roots: ['Income', 'Expenses'], from: BOOKS.lastYear },
  'Balance Sheet': { roots: ['Assets', 'Liabilities', 'Equity'] },
};

/** Returns the figure that is compared (`Peer`), from the balance of each account. */
function figureOf(report: ReportName, balances: readonly (readonly [account: string, balance: Cents])[]): Cents {
  if (report === 'Profit & Loss Statement') return negate(sum(balances.map(([, balance]) => balance)));
  const isCounted = (account: string): boolean =>
    report === 'Balance Sheet' ? account.startsWith('Assets') : account.includes(RECEIVABLE);
  return sum(balances.filter(([account]) => isCounted(account)).map(([, balance]) => balance));
}

/** Reads lines with an account, a comma or tab, and a balance, either of which may be in quotation marks. */
function readBalances(text: string): [string, Cents][] {
  return text.split('\n').flatMap((line): [string, Cents][] => {
    const [, account, balance] = /^"?([A-Z][^"\t]*?)"?[,\t]"?\s*\$?(-?[\d.]+)/.exec(line) ?? [];
    return account === undefined || balance === undefined ? [] : [[account, fromPlain(balance)]];
  });
}

interface TextProgram {
  tool: ToolName;
  format: 'hledger' | 'beancount';
  /** Returns the program's arguments. The books end at `until`, which is excluded. */
  words: (file: string, report: { roots: readonly string[]; from?: string }, until: string) => readonly string[];
  /** Changes the file, if the program can't read it as it was exported. */
  adapt?: (text: string) => string;
}

type Words = TextProgram['words'];

/** Returns the arguments that ledger and hledger share, followed by those for the format of the output. */
const balance =
  (...format: readonly string[]): Words =>
  (file, { roots, from }, until) => {
    const period = [...(from === undefined ? [] : ['--begin', from]), '--end', until];
    const accounts = roots.map((root) => `^${root}`);
    return ['-f', file, 'balance', '--flat', '--no-total', ...period, ...format, ...accounts];
  };

const programs: Readonly<Record<string, TextProgram>> = {
  ledger: {
    tool: 'ledger',
    format: 'hledger',
    // Ledger stops at these two directives of hledger.
    adapt: (text) => text.replace(/^(decimal-mark|commodity) .*\n/gm, ''),
    words: balance('--format', '%(account)\t%(quantity(scrub(display_total)))\n'),
  },
  hledger: { tool: 'hledger', format: 'hledger', words: balance('-O', 'csv') },
  beancount: {
    tool: 'bean-query',
    format: 'beancount',
    words: (file, { roots, from }, until) => [
      '--format',
      'csv',
      file,
      `select account, sum(number) where account ~ "^(${roots.join('|')})" and date < ${until}` +
        `${from === undefined ? '' : ` and date >= ${from}`} group by account`,
    ],
  },
};

/** Exports the books for each program that is installed. A report reads the whole file, as these programs always do. */
export async function openTextPrograms(server: RunningServer, books: Books): Promise<Peer[]> {
  const peers: Peer[] = [];
  for (const [name, { tool, format, words, adapt }] of Object.entries(programs)) {
    const { path, missing } = findTool(tool);
    if (missing !== undefined) {
      peers.push({ name, missing });
      continue;
    }
    const file = join(server.folder, `${books.name}-${name}`);
    const options = ['--format', format, '--basis', 'accrual', '--company', String(books.companyId), '--out', file];
    await server.command('export', ...options);
    if (adapt !== undefined) await writeFile(file, adapt(await readFile(file, 'utf8')));
    const report = async (which: ReportName): Promise<Cents> => {
      // Otherwise beancount would read its own copy of the parsed file.
      const env = { ...process.env, BEANCOUNT_DISABLE_LOAD_CACHE: '1' };
      const { stdout } = await run(path, words(file, asked[which], BOOKS.end), { maxBuffer: 1 << 26, env });
      return figureOf(which, readBalances(stdout));
    };
    peers.push({ name, report, repeats: 1 });
  }
  return peers;
}
