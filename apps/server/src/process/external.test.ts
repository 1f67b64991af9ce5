import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findBinaries } from '@evenkeel/postgres/binaries';
import { initialise, locate } from '@evenkeel/postgres/cluster';
import { launch, type Started } from '@evenkeel/postgres/postmaster';
import { addCustomer, ask, createCompany, invoiceOf, must, signIn, verify } from './testing/client.ts';
import { freePort, Installation, isRunning, readyPostmaster, PATIENCE_MS } from './testing/installation.ts';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

let installation: Installation;
let postgres: Started;
let postgresDir: string;
let port: number;
let admin: pg.Client;

/** A PostgreSQL server as an operator runs it: over TCP, with roles that own a database and are not superusers. */
async function startPostgres(): Promise<Started> {
  const place = await locate(postgresDir);
  const binaries = await findBinaries(place.account, place.copyTo);
  await initialise(place, binaries, { sync: true });
  const started = await launch(place, binaries, { listen_addresses: '127.0.0.1', port: String(port) });
  for (const deadline = Date.now() + 20_000; (await readyPostmaster(postgresDir)) === undefined; await sleep(10)) {
    if (Date.now() > deadline) throw new Error(await started.lastWords());
  }
  return started;
}

beforeAll(async () => {
  installation = await Installation.make();
  postgresDir = installation.dataDir();
  port = await freePort();
  postgres = await startPostgres();
  installation.atEnd(() => postgres.stop());
  admin = await connect('app', 'postgres');
});
afterAll(() => installation.remove());

const urlOf = (role: string): string => `postgres://${role}:a-password@127.0.0.1:${port}/${role}`;

async function connect(role: string, database: string): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: role, database });
  client.on('error', () => undefined);
  await client.connect();
  installation.atEnd(() => client.end());
  return client;
}

/** Creates a role that can sign in and owns the database with the same name. */
async function addOwner(name: string, may = ''): Promise<void> {
  await admin.query(`create role "${name}" login ${may} password 'a-password'`);
  await admin.query(`create database "${name}" owner "${name}"`);
}

const environmentOf = (role: string) => ({ DATABASE_URL: urlOf(role), DATA_DIR: installation.dataDir() });

async function refusedStart(environment: Record<string, string>): Promise<string> {
  const program = installation.run('main.js', [], { PORT: '0', ...environment });
  expect([await program.ended, program.out()]).toEqual([1, expect.not.stringContaining('listening')]);
  expect(program.err()).toMatch(/^Evenkeel could not start: [^\n]+\n$/);
  return program.err().trim();
}

/** Returns the statements that, according to the error, the operator must run. */
const statementsIn = (line: string): string => /administrator to run: (.+)$/.exec(line)?.[1] ?? '';

describe('an owner without CREATEROLE', () => {
  test('the SQL that must be run is printed in one clear line, and the server starts after it is run', async () => {
    await addOwner('plain');
    const environment = environmentOf('plain');
    const line = await refusedStart(environment);
    expect(line).toContain('create role evenkeel_app nologin');
    expect(line).not.toContain('a-password');
    const { rows } = await admin.query(`select from pg_database where datname = 'plain'`);
    expect(rows).toHaveLength(1);
    await admin.query(statementsIn(line));
    const server = await installation.start(environment);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test('the SQL that must be run is printed even if another database already has the role', async () => {
    await addOwner('second-one');
    const environment = environmentOf('second-one');
    await admin.query(statementsIn(await refusedStart(environment)));
    const server = await installation.start(environment);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});

test('the command line also prints the SQL that must be run, in one line', async () => {
  await addOwner('typist');
  const { code, result, err } = await installation.cli(environmentOf('typist'), 'migrate');
  expect([code, result]).toEqual([1, undefined]);
  expect(err).toMatch(/^ask the database administrator to run: .+;\n$/);
});

test('a wrong role, database, or password causes one clear line that does not contain the password', async () => {
  for (const role of ['nobody', 'app']) {
    expect(await refusedStart(environmentOf(role))).toMatch(new RegExp(`"${role}" does not exist$`));
  }
  const dead = await freePort();
  const url = urlOf('plain').replace(String(port), String(dead));
  expect(await refusedStart({ ...environmentOf('plain'), DATABASE_URL: url })).not.toContain('a-password');
});

describe('an owner with CREATEROLE who is not a superuser', () => {
  let environment: { DATABASE_URL: string; DATA_DIR: string };
  beforeAll(async () => {
    await admin.query(`alter role plain rename to plain_before`);
    await addOwner('keeper', 'createrole');
    environment = environmentOf('keeper');
  });

  test('with a CREATEROLE owner, the server creates the role and starts no PostgreSQL, and verify passes', async () => {
    await admin.query('drop owned by evenkeel_app');
    await admin.query('drop database plain');
    await admin.query('drop database "second-one"');
    await admin.query('drop role evenkeel_app');
    const companyId = await createCompany(installation, environment);
    const server = await installation.start(environment);
    const token = await signIn(server.address);
    const customerId = await addCustomer(server.address, token, 'Remote');
    await must(server.address, '/api/billinginvoice', { token, body: invoiceOf(customerId, 'remote') });
    const found = await verify(installation, environment);
    expect(found).toMatchObject({ code: 0, ok: true, companies: [{ companyId, transactions: 1, faults: [] }] });
    expect(await readyPostmaster(environment.DATA_DIR)).toBeUndefined();
    // Requests run neither as the owner nor as a superuser. If no company is set, they see no rows.
    const keeper = await connect('keeper', 'keeper');
    await keeper.query('set role evenkeel_app');
    expect((await keeper.query('select from journal_line')).rows).toEqual([]);
    await expect(keeper.query('delete from journal_line')).rejects.toThrow('permission denied');
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test('two servers can share one database', async () => {
    const two = [
      installation.start(environment),
      installation.start({ ...environment, DATA_DIR: installation.dataDir() }),
    ];
    const [one, other] = await Promise.all(two);
    if (one === undefined || other === undefined) throw new Error('expected two running servers');
    const token = await signIn(one.address);
    const rows = await must<unknown[]>(other.address, '/api/billinginvoice', { token });
    expect(rows).toHaveLength(1);
    await must(other.address, '/api/logout', { token, method: 'POST' });
    expect((await ask(one.address, '/api/billinginvoice', { token })).status).toBe(401);
    for (const server of [one, other]) expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test('if the database is unavailable, /healthz returns 200, and the rest return 503 with Retry-After', async () => {
    const server = await installation.start(environment);
    const token = await signIn(server.address);
    const read = () => ask(server.address, '/api/customer', { token });
    const [customer] = (await read()).body as { id: number }[];
    const body = invoiceOf(customer?.id ?? 0, 'away');
    await postgres.stop();
    for (let count = 0; count < 3; count += 1) {
      expect((await ask(server.address, '/healthz')).status).toBe(200);
      const readiness = await ask(server.address, '/readyz');
      expect([readiness.status, readiness.headers.get('retry-after')]).toEqual([503, '2']);
      const write = ask(server.address, '/api/billinginvoice', { token, body, key: 'away' });
      const login = ask(server.address, '/api/login', { body: { email: 'a@b.example', password: 'whatever' } });
      for (const answer of await Promise.all([read(), write, login])) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
        expect(answer.body).toEqual({
          code: 'unavailable',
          message: 'The database is temporarily unavailable. Try again in a moment.',
          requestId: expect.any(String),
        });
      }
      await sleep(200);
    }
    postgres = await startPostgres();
    const back = performance.now();
    while ((await read()).status !== 200) await sleep(50);
    expect(performance.now() - back).toBeLessThan(5000);
    expect((await ask(server.address, '/readyz')).status).toBe(200);
    await must(server.address, '/api/billinginvoice', { token, body, key: 'away' });
    const again = await must<unknown[]>(server.address, '/api/billinginvoice', { token });
    expect(again).toHaveLength(2);
    expect(await isRunning(server.pid)).toBe(true);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test('a server stops in time even if its database is unavailable', async () => {
    const server = await installation.start(environment);
    // At this point, the server has started. Otherwise, the start would have failed.
    await signIn(server.address);
    await postgres.stop();
    const { code, milliseconds } = await server.stop();
    expect([code, milliseconds < 10_000, server.err()]).toEqual([0, true, '']);
  });
});
