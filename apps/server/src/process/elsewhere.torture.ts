import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { addCustomer, ask, createCompany, must, signIn } from './testing/client.ts';
import { Installation, PATIENCE_MS, type Server } from './testing/installation.ts';
import { Load } from './testing/load.ts';
import { Cluster, openAddress, systemPostgres } from './testing/system-postgres.ts';
import { expectVerified, expectWhole, sendAgain, successes } from './testing/whole.ts';

// Moves books to an external PostgreSQL server and then fails over to its standby.

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const bin = systemPostgres();
const CLIENTS = 16;
const SECRET_KEY = '5a'.repeat(32);

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.make();
});
afterAll(() => installation.remove());

async function cluster(name: string, beside?: Cluster): Promise<Cluster> {
  const made = await Cluster.make(join(installation.root, name), bin ?? '', { beside });
  installation.atEnd(() => made.stop());
  return made;
}

/** Returns the text of every report, on both bases and for two dates, keyed by request. */
async function reportsOf({ address }: Server, token: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const [customer] = await must<{ id: number }[]>(address, '/api/customer', { token });
  for (const { id } of Object.values(reportKinds)) {
    for (const basis of [0, 1]) {
      for (const day of ['2025-12-31', '2026-10-31']) {
        const reportParams = [
          { paramType: 1, paramName: 'startdate', paramvalue: `${day.slice(0, 4)}-01-01` },
          { paramType: 1, paramName: 'reportdate', paramvalue: day },
          { paramType: 0, paramName: 'basis', paramvalue: basis },
          { paramType: 0, paramName: 'customerid', paramvalue: customer?.id },
        ];
        const { status, body } = await ask(address, `/api/reports/${id}`, { token, body: { reportParams } });
        expect([id, status]).toEqual([id, 200]);
        texts.set(`report ${id}, basis ${basis}, ${day}`, JSON.stringify(body));
      }
    }
  }
  return texts;
}

describe.skipIf(bin === undefined)('an external PostgreSQL', () => {
  test('after a backup is restored to an external PostgreSQL, every report is byte-for-byte identical', async () => {
    const here = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn', SECRET_KEY };
    const { result } = await installation.cli(here, 'demo');
    const { email, password } = result as { email: string; password: string };
    const first = await installation.start(here);
    const before = await reportsOf(first, await signIn(first.address, email, password));
    const file = join(installation.root, 'moved.backup');
    expect((await installation.cli(here, 'backup', file)).code).toBe(0);
    await first.stop();
    const elsewhere = await cluster('moved');
    await elsewhere.sql('create database books');
    const url = `postgres://postgres@127.0.0.1:${elsewhere.port}/books`;
    const there = { ...here, DATA_DIR: installation.dataDir(), DATABASE_URL: url };
    const restored = await installation.cli(there, 'restore', file);
    expect([restored.code, restored.code === 0 ? '' : restored.err]).toEqual([0, '']);
    const second = await installation.start(there);
    const after = await reportsOf(second, await signIn(second.address, email, password));
    expect(after.size).toBeGreaterThan(80);
    expect(after).toEqual(before);
    console.log(`elsewhere: ${after.size} reports, different 0`);
    await second.stop();
  });

  test('a standby that is promoted under load has every acknowledged write exactly once', async () => {
    const primary = await cluster('primary');
    await primary.sql('create database books');
    const standby = await cluster('standby', primary);
    // From now on, a commit is acknowledged only after the standby has received it.
    await primary.sql("alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()');
    const inStep = async (): Promise<unknown> =>
      (await primary.sql('select sync_state from pg_stat_replication')).map((row) => row['sync_state']);
    await expect.poll(inStep, { timeout: 20_000 }).toEqual(['sync']);
    const place = await openAddress(primary.port);
    installation.atEnd(async () => place.close());
    const environment = {
      DATA_DIR: installation.dataDir(),
      DATABASE_URL: `postgres://postgres@127.0.0.1:${place.port}/books`,
      LOG_LEVEL: 'fatal',
      SECRET_KEY,
    };
    await createCompany(installation, environment, 'ada@standby.example');
    const server = await installation.start(environment);
    const token = await signIn(server.address, 'ada@standby.example');
    const names = Array.from({ length: CLIENTS }, (_, index) => `Customer ${index + 1}`);
    const customers = await Promise.all(names.map((name) => addCustomer(server.address, token, name)));
    const books = { address: server.address, token, customers };
    const load = new Load(books, customers);
    await successes(load, 200);
    await primary.kill();
    standby.promote();
    place.moveTo(standby.port);
    await successes(load, 200);
    await load.stop();
    // The server asked clients to retry only while the database was unavailable.
    expect(load.refusals.filter(({ status }) => status !== 503)).toEqual([]);
    const { unanswered } = await sendAgain(load, books);
    const { acknowledged } = await expectWhole(books, [load]);
    await expectVerified(installation, environment);
    console.log(`standby: acknowledged ${acknowledged}, sent again ${unanswered}, lost 0, doubled 0`);
    expect((await server.stop()).code).toBe(0);
  });
});
