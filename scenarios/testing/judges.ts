import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOfMonth, type IsoDate, isoDate } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import { cents, type Cents, fromPlain } from '@evenkeel/core/money';
import { findTool, type ToolName } from '../../scripts/test/tools.ts';
import type { Pool } from '@evenkeel/server/platform/db/connect';
import { exportBooks } from '@evenkeel/server/features/accounting/export';

/** An account's movement in a month, as a program reports it. */
export interface Movement {
  accountId: number;
  /** The last day of the month. */
  month: IsoDate;
  amount: Cents;
}

/** Two independent accounting programs. Each program reads an export in its own format. */
const judges = {
  hledger: { tools: ['hledger'], read: readByHledger },
  beancount: { tools: ['bean-check', 'bean-query'], read: readByBeancount },
} as const;
export type Judge = keyof typeof judges;
export const judgeNames: readonly Judge[] = ['hledger', 'beancount'];

/** Returns the reason why a judge isn't available, or undefined if it is. */
export function missing(judge: Judge): string | undefined {
  const names: readonly ToolName[] = judges[judge].tools;
  return names.map((name) => findTool(name).missing).find((reason) => reason !== undefined);
}

/** Returns the monthly movements of a company's books from our export, which the program must accept completely. */
export async function judged(
  pool: Pool,
  { judge, companyId, basis }: { judge: Judge; companyId: number; basis: ReportBasis },
): Promise<Movement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-judge-'));
  try {
    const parts: string[] = [];
    await exportBooks(pool, { companyId, format: judge, basis }, async (text) => void parts.push(text));
    const text = parts.join('');
    const file = join(folder, `books.${judge}`);
    await writeFile(file, text);
    return await judges[judge].read(file, text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readByHledger(file: string, text: string): Promise<Movement[]> {
  const ids = new Map([...text.matchAll(/^account (.+?) {2}; type:\w, id:(\d+)$/gm)].map(named));
  // The balance report doesn't accept --strict, so the check is a separate run.
  const [, csv] = await Promise.all([
    run('hledger', ['-f', file, 'check', '--strict', 'ordereddates']),
    run('hledger', ['-f', file, 'balance', '--monthly', '--flat', '--no-total', '-O', 'csv']),
  ]);
  const [head = [], ...rows] = csv.split('\n').filter(Boolean).map(cells);
  // Without entries, the only column has no month, and there are no rows.
  const months = rows.length === 0 ? [] : head.slice(1).map((month) => endOfMonth(isoDate(`${month}-01`)));
  return rows.flatMap(([name = '', ...amounts]) =>
    months.map((month, at) => ({ accountId: idOf(ids, name), month, amount: plain(amounts[at] ?? '0') })),
  );
}

const QUERY = 'select account, year, month, sum(number) group by account, year, month';

async function readByBeancount(file: string, text: string): Promise<Movement[]> {
  const opened = text.matchAll(/^\d{4}-\d\d-\d\d open (\S+) USD\n(?: {2}.*\n)*? {2}id: "(\d+)"$/gm);
  const ids = new Map([...opened].map(named));
  const [, csv] = await Promise.all([run('bean-check', [file]), run('bean-query', ['-q', '-f', 'csv', file, QUERY])]);
  const [, ...rows] = csv
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(cells);
  return rows.map(([name = '', year = '', month = '', amount = '']) => {
    const first = isoDate(`${year}-${month.padStart(2, '0')}-01`);
    return { accountId: idOf(ids, name), month: endOfMonth(first), amount: plain(amount) };
  });
}

function named(match: RegExpMatchArray): [string, number] {
  return [match[1] ?? '', Number(match[2])];
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the program returned an account that is not in the export: ${name}`);
  return id;
}

/**
 * Splits a line into cells, which may be in quotation marks. Neither program doubles quotation marks in these reports.
 */
function cells(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|([^",]+)/g)].map((match) => (match[1] ?? match[2] ?? '').trim());
}

function plain(text: string): Cents {
  return text === '0' ? cents(0) : fromPlain(text.replace('$', ''));
}

/** Runs a program. Rejects if it fails or prints a warning. */
async function run(name: ToolName, args: readonly string[]): Promise<string> {
  const { path } = findTool(name);
  if (path === undefined) throw new Error(`${name} is missing`);
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 << 20, env: { ...process.env, LC_ALL: 'C.UTF-8' } };
    execFile(path, [...args], options, (error, stdout, stderr) => {
      if (error === null && stderr === '') resolve(stdout);
      else reject(new Error(`${name} ${args.join(' ')}: ${stderr || stdout || (error?.message ?? '')}`));
    });
  });
}
