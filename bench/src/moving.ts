import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { Endpoint, ReplyOf } from '@evenkeel/contract/endpoint';
import { type Move, movingCalls as calls } from '@evenkeel/contract/moving';
import { testCompany } from '@evenkeel/imports/testing/company';
import { dialects } from '@evenkeel/imports/testing/dialects';
import { styleOf } from '@evenkeel/imports/testing/files';
import { type Client, openClient, upload } from './client.ts';
import { newCompany } from './company.ts';
import { type Chapter, duration, figure, quantile, median, table } from './figures.ts';
import { readBeside } from './neighbours.ts';
import { type RunningServer, startServer } from './server.ts';

/** The design targets, each with the number of transactions and the maximum time for an import. */
const SIZES: readonly { count: number; limitMs: number }[] = [
  { count: 14_372, limitMs: 60_000 },
  { count: 100_000, limitMs: 300_000 },
];
const READ_LIMIT_MS = 100;
const MEMORY_LIMIT_MB = 500;
/** The number of transactions in a file of nearly 100 MB, the maximum file size. */
const LARGE = 420_000;
const MB = 1024 * 1024;

/** Returns the time limit of the first design target with at least this many transactions. */
const limitFor = (count: number): number => SIZES.find((one) => one.count >= count)?.limitMs ?? 300_000;

interface Mover {
  server: RunningServer;
  client: Client;
  token: string;
}

/** Calls an endpoint for a given move. */
function ask<E extends Endpoint>(
  { client, token }: Mover,
  endpoint: E,
  id: number,
  body?: unknown,
): Promise<ReplyOf<E>> {
  return client.call(endpoint, { token, path: endpoint.path.replace('{id}', String(id)), body });
}

const WORKING = new Set(['reading', 'previewing', 'importing']);

/** Waits for a move's background work. Throws if it failed. */
async function finished(mover: Mover, id: number): Promise<Move> {
  for (;;) {
    const { text } = await mover.client.send('GET', `/movein/${id}/progress`, { token: mover.token });
    const { status } = z.looseObject({ status: z.string() }).parse(JSON.parse(text));
    if (!WORKING.has(status)) break;
    await setTimeout(100);
  }
  const move = await ask(mover, calls.getMove, id);
  if (move.error !== null) throw new Error(move.error);
  return move;
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now();
  const value = await work();
  return { value, ms: performance.now() - began };
}

/** Sets the high-water mark of the server's memory to its current use. */
const forgetPeak = ({ pid }: RunningServer): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');

/** Returns the largest resident memory of the server since the mark was set, in MB. */
async function peakOf({ pid }: RunningServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Starts a move and uploads the books of a random company. */
async function read(mover: Mover, count: number) {
  const [dialect] = dialects;
  if (dialect === undefined) throw new Error('no dialect');
  const company = testCompany(count, count);
  const style = { ...styleOf(1), isWorkbook: false, encoding: 'utf-8', newline: '\n' } as const;
  const files = dialect.write(company, style);
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const { id } = await mover.client.call(calls.createMove, {
    token: mover.token,
    body: { system: 'QuickBooks Online' },
  });
  const types = new Map(company.accounts.map((account) => [dialect.nameOf(account), account.type]));
  await forgetPeak(mover.server);
  const before = await peakOf(mover.server);
  const { value: move, ms } = await timed(async () => {
    for (const { name, bytes } of files) {
      const file = { name, bytes: new Uint8Array(bytes) };
      await upload({ url: mover.server.url, token: mover.token }, calls.uploadMoveFile, { params: { id }, file });
    }
    return finished(mover, id);
  });
  return { move, bytes, ms, types, before, peak: await peakOf(mover.server) };
}

/** Confirms all of a move's accounts. */
function confirm(mover: Mover, { id, rowVersion, accounts, parties }: Move, types: ReadonlyMap<string, string>) {
  const choices = accounts
    .filter(({ confirmed }) => !confirmed)
    .map(({ key, name, number, suggestion: { accountId } }) => {
      const type = types.get(`${name} (${number})`) ?? types.get(name) ?? 'Expense';
      return accountId === null
        ? { key, create: { number, name: `${name} ${number}`.trim(), type } }
        : { key, accountId };
    });
  const answers = parties.questions.map(({ key }) => ({ key, answer: 'keep' }));
  return ask(mover, calls.updateMove, id, { rowVersion, accounts: choices, parties: answers, history: { from: null } });
}

interface Imported {
  count: number;
  limitMs: number;
  readMs: number;
  previewMs: number;
  importMs: number;
  peak: number;
  /** The times of another company's reads before the import. */
  earlier: number[];
  /** The times of the other company's reads during the import. */
  reads: number[];
}

async function importOne(
  server: RunningServer,
  client: Client,
  { count, limitMs }: (typeof SIZES)[number],
): Promise<Imported> {
  const [home, other] = [await newCompany(server, `Moves ${count}`), await newCompany(server, `Reads ${count}`)];
  const mover = { server, client, token: home.token };
  const { move, ms: readMs, types } = await read(mover, count);
  await confirm(mover, move, types);
  const run = async (task: typeof calls.previewMove | typeof calls.importMove): Promise<void> => {
    await ask(mover, task, move.id, {});
    await finished(mover, move.id);
  };
  const { ms: previewMs } = await timed(() => run(calls.previewMove));
  await forgetPeak(server);
  const earlier = (await readBeside({ url: server.url, token: other.token }, 3000)).times;
  let isOver = false;
  const reading = (async () => {
    const times: number[] = [];
    while (!isOver) times.push(...(await readBeside({ url: server.url, token: other.token }, 2000)).times);
    return times;
  })();
  // If the import fails, its error is thrown, and not the error of a read on the stopped server.
  reading.catch(() => undefined);
  const { ms: importMs } = await timed(() => run(calls.importMove)).finally(() => (isOver = true));
  const [reads, peak] = [await reading, await peakOf(server)];
  return { count, limitMs, readMs, previewMs, importMs, peak, earlier, reads };
}

/** Does work on a new server, because the other chapters leave garbage in the first one's memory and database. */
async function onNewServer<T>(work: (server: RunningServer, client: Client) => Promise<T>): Promise<T> {
  const server = await startServer();
  const client = openClient(server.url, 4);
  try {
    return await work(server, client);
  } finally {
    client.close();
    await server.stop();
  }
}

const readLarge = (count: number) =>
  onNewServer(async (server, client) => {
    const { token } = await newCompany(server, 'Moves a large file');
    return read({ server, client, token }, count);
  });

/** Makes a backup of imported books, verifies the books, and restores the backup to a new database. */
const backUp = (size: (typeof SIZES)[number]) =>
  onNewServer(async (server, client) => {
    await importOne(server, client, size);
    const file = join(server.folder, 'books.backup');
    const { ms: backupMs } = await timed(() => server.command('backup', file));
    const { ms: verifyMs } = await timed(() => server.command('verify'));
    const { ms: restoreMs } = await timed(() => server.restore(file));
    const { rows } = await server.raw.query<{ count: number }>('select count(*)::int as count from journal_line');
    return { lines: rows[0]?.count ?? 0, backupMs, verifyMs, restoreMs, bytes: (await stat(file)).size };
  });

/**
 * Measures imports of books from QuickBooks Online, and the reads of another company at the same time. `only` is the
 * number of transactions if a single import is measured.
 */
export async function measureMoving(server: RunningServer, isQuick: boolean, only?: number): Promise<Chapter> {
  const client = openClient(server.url, 4);
  try {
    const seen: Imported[] = [];
    const sizes = only === undefined ? SIZES : [{ count: only, limitMs: limitFor(only) }];
    const measured = isQuick ? sizes.slice(0, 1) : sizes;
    for (const size of measured) seen.push(await importOne(server, client, size));
    const backups: BackedUp[] = [];
    for (const size of measured) backups.push(await backUp(size));
    return chapterOf(seen, await readLarge(isQuick ? LARGE / 10 : LARGE), backups);
  } finally {
    client.close();
  }
}

type BackedUp = Awaited<ReturnType<typeof backUp>>;

function chapterOf(
  seen: readonly Imported[],
  large: { bytes: number; ms: number; before: number; peak: number },
  backups: readonly BackedUp[],
): Chapter {
  const head = [
    'transactions',
    'read',
    'preview',
    'import',
    'memory',
    'another’s read: median',
    '99 of 100 within',
    'before',
  ];
  const rows = seen.map(({ count, readMs, previewMs, importMs, peak, earlier, reads }) => [
    figure(count),
    duration(readMs),
    duration(previewMs),
    duration(importMs),
    `${figure(peak)} MB`,
    duration(median(reads)),
    duration(quantile(reads, 0.99)),
    duration(quantile(earlier, 0.99)),
  ]);
  const size = `${figure(large.bytes / MB)} MB`;
  const text = [
    'A company imports books from QuickBooks Online while another company reads its customers. The memory is the',
    `largest resident memory of the server. Reading a file of ${size} took ${duration(large.ms)}.`,
    '',
    table(head, rows),
    '',
    'The same books in a new database: a backup, `evenkeel verify`, and the restore of the backup, which verifies them',
    'again. Each time includes the start of the program.',
    '',
    table(
      ['lines', 'backup', 'verify', 'restore', 'size of the backup'],
      backups.map(({ lines, backupMs, verifyMs, restoreMs, bytes }) => [
        figure(lines),
        duration(backupMs),
        duration(verifyMs),
        duration(restoreMs),
        `${figure(bytes / MB)} MB`,
      ]),
    ),
  ].join('\n');
  return {
    title: 'Imports of books',
    text,
    summary: text,
    aims: [
      ...seen.map(({ count, limitMs, importMs }) => ({
        wanted: `An import of ${figure(count)} transactions within ${duration(limitMs)}`,
        seen: duration(importMs),
        isMet: importMs <= limitMs,
      })),
      ...seen.map(({ count, reads }) => ({
        wanted: `another company’s read within ${READ_LIMIT_MS} ms in 99 of 100 during an import of ${figure(count)}`,
        seen: duration(quantile(reads, 0.99)),
        isMet: quantile(reads, 0.99) <= READ_LIMIT_MS,
      })),
      {
        wanted: `less than ${MEMORY_LIMIT_MB} MB of memory to read a file of ${size}`,
        seen: `${figure(large.peak)} MB, ${figure(large.before)} MB of it before`,
        isMet: large.peak < MEMORY_LIMIT_MB,
      },
    ],
  };
}
