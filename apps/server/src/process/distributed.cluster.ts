import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { openClient } from '../platform/db/connect.ts';
import { clusterServers, createDatabase, dropDatabase } from '../testing/databases.ts';
import { addCustomer, createCompany, invoiceOf, must, signIn, verify } from './testing/client.ts';
import { Installation } from './testing/installation.ts';
import { Load } from './testing/load.ts';

// Runs the whole program on a Citus cluster (`npm run test:citus`). The cluster's servers run on this machine and are
// killed here.

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 600_000 });

const CLIENTS = 16;
const [coordinator, ...workers] = clusterServers();

let installation: Installation;
const made: string[] = [];
beforeAll(async () => {
  installation = await Installation.make();
});
afterAll(async () => {
  await installation.remove();
  for (const name of made) await dropDatabase(coordinator, name);
});

/** Creates a database in the cluster and a folder for the program. */
async function newBooks(name: string) {
  const database = `evenkeel_${name}_${process.pid}`;
  made.push(database);
  await createDatabase(coordinator, database);
  return { DATABASE_URL: `${coordinator}/${database}`, DATA_DIR: installation.dataDir() };
}
type Books = Awaited<ReturnType<typeof newBooks>>;

async function cli<T = unknown>(books: Partial<Books>, ...words: string[]): Promise<T> {
  const { code, result, err } = await installation.cli({ LOG_LEVEL: 'warn', ...books }, ...words, '--json');
  expect([words[0], code, code === 0 ? '' : err]).toEqual([words[0], 0, '']);
  return result as T;
}

async function owner<T>({ DATABASE_URL: connectionString }: Books, work: (client: pg.Client) => Promise<T>) {
  const client = await openClient({ connectionString });
  return work(client).finally(() => client.end());
}

async function expectVerified(books: Books): Promise<void> {
  const { code, ok, companies } = await verify(installation, books);
  expect([code, ok, companies.map(({ faults }) => faults)]).toEqual([0, true, companies.map(() => [])]);
}

/** Returns the tables that have their own IDs, with the highest ID in each table. */
async function highestIds(books: Books): Promise<Record<string, number>> {
  return owner(books, async (client) => {
    const { rows } = await client.query<{ name: string }>(`
      select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and a.attidentity <> '' and a.attname = 'id' order by 1`);
    const all: Record<string, number> = {};
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ id: number | null }>(`select max(id) as id from ${name}`);
      all[name] = found[0]?.id ?? 0;
    }
    return all;
  });
}

test('distribute requires a backup, moves the rows, and does nothing when repeated', async () => {
  const books = await newBooks('rows');
  await createCompany(installation, books);
  const refused = await installation.cli(books, 'distribute');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Make a backup')]);
  const first = await cli<{ ok: boolean; tables: string[] }>(books, 'distribute', '--backed-up');
  expect([first.ok, first.tables.slice(0, 1), first.tables.length > 40]).toEqual([true, ['company'], true]);
  expect(await cli(books, 'distribute')).toMatchObject({ ok: true, tables: [] });
  await owner(books, async (client) => {
    await client.query(`create table late (company_id bigint not null references company, id bigint not null,
      primary key (company_id, id))`);
  });
  const { err } = await installation.cli(books, 'migrate');
  expect(err).toContain('not distributed yet');
  expect(await cli(books, 'distribute')).toMatchObject({ ok: true, tables: ['late'] });
  const server = await installation.start(books);
  await signIn(server.address);
  await server.stop();
});

/** The parameters for comparing each report on both bases. */
const ASKED = Object.values(reportKinds).flatMap(({ id, ...kind }) =>
  [0, 1].flatMap((basis) => {
    const asked = { id, basis, ...('of' in kind ? { customerid: 1 } : {}) };
    return [
      { ...asked, reportdate: '2026-06-30', startdate: '2026-01-01' },
      { ...asked, reportdate: '2026-11-21', startdate: '2025-07-01' },
    ];
  }),
);

// Promise (longer): After a PostgreSQL backup is restored on Citus, every report is byte-for-byte identical, and the
// backup can be restored to another cluster. [26 reports, both bases, two periods]
test('a PostgreSQL backup can be restored on Citus and moved again, with byte-for-byte identical reports', async () => {
  const plain = { DATA_DIR: installation.dataDir() };
  const { email, password } = await cli<{ email: string; password: string }>(plain, 'demo');
  const file = join(installation.root, 'plain.backup');
  await cli(plain, 'backup', file);
  const books = await newBooks('demo');
  await cli(books, 'distribute');
  await cli(books, 'restore', file);
  const before = await highestIds(books);
  const answers: string[][] = [];
  for (const environment of [plain, books]) {
    const server = await installation.start({ LOG_LEVEL: 'warn', ...environment });
    answers.push(await allReports(server.address, await signIn(server.address, email, password)));
    await server.stop();
  }
  expect(answers[0]?.filter((answer) => !answer.startsWith('200 '))).toEqual([]);
  const differing = ASKED.filter((_, at) => answers[0]?.[at] !== answers[1]?.[at]);
  expect(differing).toEqual([]);
  await cli(books, 'rebuild');
  await expectVerified(books);
  const again = join(installation.root, 'cluster.backup');
  await cli(books, 'backup', again);
  const other = await newBooks('other');
  await cli(other, 'distribute');
  await cli(other, 'restore', again);
  await expectVerified(other);
  const exported = await Promise.all(
    [plain, books].map(async (environment, at) => {
      const out = join(installation.root, `books${at}.csv`);
      await cli(environment, 'export', '--format', 'csv', '--basis', 'cash', '--company', '1', '--out', out);
      return readFile(out, 'utf8');
    }),
  );
  expect(exported[0]).toBe(exported[1]);
  const after = await highestIds(other);
  expect(Object.values(after).every((id) => id < 1e15)).toBe(true);
  // Completed jobs are deleted.
  delete before['job'];
  expect(Object.keys(before).filter((name) => (after[name] ?? 0) < (before[name] ?? 0))).toEqual([]);
});

async function allReports(address: string, token: string): Promise<string[]> {
  const answers: string[] = [];
  for (const { id, ...params } of ASKED) {
    const pairs = Object.entries(params);
    const reportParams = pairs.map(([paramName, paramvalue]) => ({ paramType: 1, paramName, paramvalue }));
    const answer = await fetch(`${address}/api/reports/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reportParams }),
    });
    answers.push(`${answer.status} ${await answer.text()}`);
  }
  return answers;
}

/**
 * Kills a child process of a database server, so that the whole server stops and recovers, as it does after a crash.
 */
async function crash(server: string): Promise<void> {
  const client = await openClient({ connectionString: `${server}/postgres` });
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await client.end().catch(() => undefined);
}

/**
 * Crashes the coordinator right after it has assigned IDs that have not been written to its disk yet. Returns the
 * highest of these IDs.
 */
async function crashDrawing({ DATABASE_URL: connectionString }: Books): Promise<number> {
  const [first, other] = [await openClient({ connectionString }), await openClient({ connectionString })];
  const { rows } = await first.query<{ pid: number }>('select pg_backend_pid() as pid');
  await first.query('begin');
  await first.query("select nextval('document_id_seq') from generate_series(1, 40)");
  const { rows: drawn } = await other.query<{ id: number }>("select nextval('document_id_seq') as id");
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await Promise.allSettled([first.end(), other.end()]);
  return drawn[0]?.id ?? 0;
}

async function successes(load: Load, count: number): Promise<void> {
  const wanted = load.successes.length + count;
  for (const deadline = Date.now() + 300_000; load.successes.length < wanted; await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`no ${count} answers: ${JSON.stringify(load.refusals.slice(-5))}`);
  }
}

// Promise (longer): On Citus, if each server is killed and a shard is moved under load, no acknowledged write is lost
// or duplicated, and IDs stay in order. [3 servers, 16 clients]
test('killing each server and moving a shard under load does not lose or duplicate anything', async () => {
  const books = await newBooks('load');
  const companyId = await createCompany(installation, books);
  await cli(books, 'distribute', '--backed-up');
  const server = await installation.start({ LOG_LEVEL: 'error', ...books });
  const token = await signIn(server.address);
  const names = Array.from({ length: CLIENTS }, (_, index) => `Customer ${index + 1}`);
  const customers: number[] = [];
  for (const name of names) customers.push(await addCustomer(server.address, token, name));
  const load = new Load({ address: server.address, token }, customers);
  for (const each of [...workers, coordinator]) {
    await successes(load, 40);
    await crash(each);
  }
  await successes(load, 40);
  await moveShard(books, companyId);
  await successes(load, 60);
  await load.stop();
  for (const write of load.writes.filter(({ reply }) => reply === undefined)) {
    expect(await load.send(write, { address: server.address, token })).toBe(true);
  }
  for (const write of load.writes.slice(-20)) {
    const { path, key, body } = write;
    expect(await must(server.address, path, { token, key, body })).toEqual(write.reply);
  }
  const rows = await must<{ id: number; invoiceNumber: string }[]>(server.address, '/api/billinginvoice?status=all', {
    token,
  });
  const invoices = load.answered('/api/billinginvoice');
  expect(rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
    invoices.map(({ reply }) => reply?.id ?? 0).toSorted((a, b) => a - b),
  );
  const numbers = rows.map(({ invoiceNumber }) => Number(invoiceNumber)).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => 10_001 + index));
  const histories = await Promise.all(
    customers.map((id) => must<{ kind: string }[]>(server.address, `/api/customerbillinghistory/${id}`, { token })),
  );
  const payments = histories.flat().filter(({ kind }) => kind === 'payment');
  expect(payments).toHaveLength(load.answered('/api/billingpayment').length);
  const before = await highestIds(books);
  expect(Object.values(before).every((id) => id < 1e15)).toBe(true);
  const drawn = await crashDrawing(books);
  expect(drawn).toBeGreaterThan(before['document'] ?? 0);
  const body = invoiceOf(customers[0] ?? 0, 'the last');
  const write: Parameters<Load['send']>[0] = { path: '/api/billinginvoice', key: crypto.randomUUID(), body };
  await expect.poll(() => load.send(write, { address: server.address, token }), { timeout: 120_000 }).toBe(true);
  expect(write.reply?.id).toBeGreaterThan(drawn);
  await server.stop();
  await expectVerified(books);
  console.log(`${invoices.length} invoices, ${payments.length} payments, ${load.refusals.length} refusals on the way`);
});

/** Moves the company's rows in all tables to another worker server. */
async function moveShard(books: Books, companyId: number): Promise<void> {
  await owner(books, async (client) => {
    await client.query(
      `select citus_move_shard_placement(s.id, p.nodename, p.nodeport, o.nodename, o.nodeport, 'block_writes')
       from (select get_shard_id_for_distribution_column('company', $1::bigint) as id) s
       join citus_shards p on p.shardid = s.id
       join pg_dist_node o on o.shouldhaveshards and o.nodeport <> p.nodeport limit 1`,
      [companyId],
    );
  });
}
