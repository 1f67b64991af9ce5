import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { say } from '../../scripts/checkout.mjs';
import { findTool } from '../../scripts/test/tools.ts';
import type { Books } from './books.ts';
import { duration, median } from './figures.ts';
import type { RunningServer } from './server.ts';

const run = promisify(execFile);

/** hledger's time for each report on the same books, in ms, and what it says the income of 2025 is. */
export interface HledgerTimes {
  milliseconds: ReadonlyMap<string, number>;
  /** As hledger prints it: dollars, two decimals. */
  netIncome: string;
}

/**
 * Exports the books and times hledger's `words` for each report on them: small books five times, large ones once.
 * Undefined without hledger.
 */
export async function timeHledger(
  server: RunningServer,
  books: Books,
  wanted: readonly { report: string; words: readonly string[] }[],
): Promise<HledgerTimes | undefined> {
  const tool = findTool('hledger');
  if (tool.path === undefined) {
    say(`${tool.missing}: its times are left out`);
    return undefined;
  }
  const file = join(server.folder, `${books.name}.journal`);
  const options = ['--format', 'hledger', '--basis', 'accrual', '--company', String(books.companyId), '--out', file];
  await server.command('export', ...options);
  const milliseconds = new Map<string, number>();
  let netIncome = '';
  for (const { report: name, words } of wanted) {
    const times: number[] = [];
    for (let round = 0; round < (books.lines > 50_000 ? 1 : 5); round += 1) {
      const began = performance.now();
      const { stdout } = await run(tool.path, ['-f', file, ...words], { maxBuffer: 1 << 26 });
      times.push(performance.now() - began);
      if (words[0] === 'is' && netIncome === '') netIncome = /Net:.*?\$(-?[\d.]+)/.exec(stdout)?.[1] ?? '';
    }
    milliseconds.set(name, median(times));
    say(`hledger ${name} on ${books.name}: ${duration(median(times))}`);
  }
  return { milliseconds, netIncome };
}
