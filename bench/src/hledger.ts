import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { say } from '../../scripts/checkout.mjs';
import { findTool } from '../../scripts/test/tools.ts';
import type { Books } from './books.ts';
import { duration, median } from './figures.ts';
import type { RunningServer } from './server.ts';

const run = promisify(execFile);

/** The time in ms that hledger takes for each report on the same books, and the income that it reports for 2025. */
export interface HledgerTimes {
  milliseconds: ReadonlyMap<string, number>;
  /** hledger's output: dollars with two decimal places. */
  netIncome: string;
}

/**
 * Exports the books and measures how long hledger takes to run each report with its arguments (`words`). Each report
 * runs five times on small books and once on large books. Returns undefined if hledger is missing.
 */
export async function timeHledger(
  server: RunningServer,
  books: Books,
  wanted: readonly { report: string; words: readonly string[] }[],
): Promise<HledgerTimes | undefined> {
  const tool = findTool('hledger');
  if (tool.path === undefined) {
    say(`${tool.missing}: its times are omitted`);
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
