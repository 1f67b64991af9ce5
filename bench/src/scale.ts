import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { authCalls } from '@evenkeel/contract/auth';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { openPool } from '@evenkeel/server/platform/db/connect';
import { addCompany, PASSWORD } from '@evenkeel/server/testing/world';
import { say } from '../../scripts/checkout.mjs';
import { type Books, extremes, makeBooks } from './books.ts';
import { openClient } from './client.ts';
import { type Aim, type Chapter, duration, figure, median, ratio, table, targets } from './figures.ts';
import { measureLists } from './lists.ts';
import { measureRegister } from './register.ts';
import { measureReports } from './reports.ts';
import { measureSearch } from './search.ts';
import { type RunningServer, startSecond } from './server.ts';

/** The title of the chapter that becomes a section of docs/performance.md. */
export const SCALE = 'Scale';

export interface ScalePlan {
  /** The lines of the largest company, and the number of other companies. */
  lines: number;
  companies: number;
  rounds: number;
}

const AT_ONCE = 4;

/** Creates companies with these names. Returns the email address of the first one's administrator. */
async function addCompanies({ database: { connection } }: RunningServer, names: readonly string[]): Promise<string> {
  const pool = openPool({ connection, as: 'runtime', max: AT_ONCE });
  const waiting = names.entries();
  let email = '';
  try {
    const worker = async (): Promise<void> => {
      for (const [at, name] of waiting) {
        const { administrator } = await addCompany(pool, name);
        if (at === 0) ({ email } = administrator);
        if (at % 1000 === 999) say(`Created ${at + 1} companies`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return email;
  } finally {
    await pool.end();
  }
}

interface FirstPage {
  signIn: number;
  page: number;
}

/** Measures a sign-in, and the calls of the first page, for a company without any entries. */
async function firstPage(server: RunningServer, email: string, rounds: number): Promise<FirstPage> {
  const client = openClient(server.url, 6);
  const [signIns, pages]: [number[], number[]] = [[], []];
  try {
    for (let round = -2; round < rounds; round += 1) {
      const began = performance.now();
      const { token } = await client.call(authCalls.login, { body: { email, password: PASSWORD } });
      const signedIn = performance.now();
      await client.call(dashboardCalls.getDashboard, { token });
      if (round < 0) continue;
      signIns.push(signedIn - began);
      pages.push(performance.now() - signedIn);
    }
    return { signIn: median(signIns), page: median(pages) };
  } finally {
    client.close();
  }
}

/** The memory that a process uses, in MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1000;

/** The filled journals have no hash chain, so `verify` finds problems. Throws any other error. */
function onlyProblems(error: unknown): void {
  const isResult = error instanceof Error && 'stdout' in error && String(error.stdout).includes('"faults"');
  if (!isResult) throw error;
}

/**
 * Records that all books were just checked. Otherwise, each server that starts here checks them for hours, next to the
 * measurements. `verify` measures the checks.
 */
const skipChecks = ({ raw }: RunningServer): Promise<unknown> =>
  raw.query(`insert into health_run (company_id, started_at, finished_at) select company_id, now(), now() from company
    on conflict (company_id) do update set started_at = now(), finished_at = now()`);

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; value: T }> {
  const began = performance.now();
  const value = await work();
  return { took: performance.now() - began, value };
}

/**
 * Measures the chapters and prints each one. Filling the books takes too long to lose the other chapters because one of
 * them failed, so the failures are returned.
 */
async function measureChapters(
  server: RunningServer,
  books: readonly Books[],
  rounds: number,
  print: (chapter: Chapter) => Promise<void>,
): Promise<{ chapters: Chapter[]; failures: unknown[] }> {
  const chapters: Chapter[] = [];
  const failures: unknown[] = [];
  for (const measure of [
    () => measureReports(server, books, rounds),
    () => measureRegister(server, extremes(books).large, rounds),
    () => measureLists(server, [5000, 100_000], rounds),
    () => measureSearch(server, 1_000_000, rounds),
  ]) {
    const chapter = await measure().catch((error: unknown) => void failures.push(error));
    if (chapter === undefined) continue;
    chapters.push(chapter);
    await print(chapter);
  }
  return { chapters, failures };
}

/**
 * Measures an installation with a very large company and many small ones. Takes an hour or more, so it runs only on
 * demand (`--scale`). Each chapter is printed as soon as it is measured.
 */
export async function measureScale(
  server: RunningServer,
  plan: ScalePlan,
  print: (chapter: Chapter) => Promise<void>,
): Promise<Chapter[]> {
  const first = await addCompanies(server, ['First company']);
  const before = await firstPage(server, first, plan.rounds);
  const books = await makeBooks(server, [10_000, plan.lines]);
  say(`Creating ${plan.companies} companies…`);
  const names = Array.from({ length: plan.companies }, (_, at) => `Company ${at}`);
  const creating = await timed(() => addCompanies(server, names));
  await skipChecks(server);
  await server.raw.query('vacuum (analyze)');
  const after = await firstPage(server, first, plan.rounds);
  const start = await timed(() => startSecond(server, server.database.connectionString));
  const memory = memoryOf(start.value.pid);
  await start.value.stop();
  const { rows } = await server.raw.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  const { chapters, failures } = await measureChapters(server, books, plan.rounds, print);
  say('Making a backup…');
  const file = join(server.folder, 'scale.backup');
  const backup = await timed(() => server.command('backup', file));
  const aim = (wanted: string, share: number): Aim => ({ wanted, seen: ratio(share), isMet: share <= 1.5 });
  const size = `${figure(plan.lines)} lines and ${figure(plan.companies)} other companies`;
  const aims = [
    aim(
      'Sign-in next to a large company and many others: at most 1.5 times its time before',
      after.signIn / before.signIn,
    ),
    aim(
      'First page next to a large company and many others: at most 1.5 times its time before',
      after.page / before.page,
    ),
    ...chapters.flatMap((chapter) => chapter.aims),
  ];
  const summary = (more: string[][]): Chapter => ({
    title: SCALE,
    text: [
      `An installation with a company of ${size}.`,
      '',
      table(
        ['', 'measured'],
        [
          [
            'size of the database, before the lists and the search',
            `${figure((rows[0]?.bytes ?? Number.NaN) / 1e9)} GB`,
          ],
          ['a company is created in', duration(creating.took / plan.companies)],
          ['start of a server', duration(start.took)],
          ['memory of a server after its start', `${figure(memory)} MB`],
          ['sign-in, before and after', `${duration(before.signIn)}, ${duration(after.signIn)}`],
          ['first page, before and after', `${duration(before.page)}, ${duration(after.page)}`],
          ['backup', `${duration(backup.took)}, ${figure(statSync(file).size / 1e9)} GB`],
          ...more,
        ],
      ),
      '',
      targets(aims),
    ].join('\n'),
    aims,
  });
  await print(summary([]));
  say('Verifying all companies…');
  const verify = await timed(() => server.command('verify').catch(onlyProblems));
  const verified = summary([['verify, all companies with those of the lists and the search', duration(verify.took)]]);
  await print(verified);
  if (failures.length > 0) throw new AggregateError(failures, 'not all chapters were measured');
  return [verified];
}
