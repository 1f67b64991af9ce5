import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addCustomer, createCompany, signIn } from './testing/client.ts';
import {
  freePort,
  gone,
  Installation,
  isRunning,
  postmasterPid,
  ownerOf,
  type Server,
  PATIENCE_MS,
} from './testing/installation.ts';
import { Load } from './testing/load.ts';
import { expectVerified, expectWhole, sendAgain, successes } from './testing/whole.ts';

const ROUNDS = Math.min(100, Math.max(3, Number(process.env['TORTURE_RUNS'] ?? '3')));
const CLIENTS = 64;

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

let installation: Installation;
let environment: { DATA_DIR: string; LOG_LEVEL: string; PORT: string };
let server: Server;
let token: string;
let customers: number[];
/** All loads in this file. At the end, the books must contain every write in these loads. */
const loads: Load[] = [];

beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn', PORT: String(await freePort()) };
  await createCompany(installation, environment);
  server = await installation.start(environment);
  token = await signIn(server.address);
  const names = Array.from({ length: CLIENTS }, (_, index) => `Customer ${index + 1}`);
  customers = await Promise.all(names.map((name) => addCustomer(server.address, token, name)));
});
afterAll(() => installation.remove());

function beginLoad(): Load {
  const load = new Load({ address: server.address, token }, customers);
  loads.push(load);
  return load;
}

const books = () => ({ address: server.address, token, customers });

// Promise (start): After `kill -9` during posting, no acknowledged invoice is lost or duplicated, numbers have no gaps,
// and the next start needs no repair. [3 rounds with 64 clients]
test(`after ${ROUNDS} kills with 64 clients, acknowledged invoices exist once, and numbers have no gaps`, async () => {
  let unanswered = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const load = beginLoad();
    await successes(load, 40 + 30 * (round % 3));
    await sleep(Math.random() * 100);
    const postmaster = await postmasterPid(environment.DATA_DIR);
    await server.kill();
    await load.stop();
    server = await installation.start(environment);
    expect(await gone(postmaster)).toBe(true);
    unanswered += (await sendAgain(load, books())).unanswered;
    await expectWhole(books(), loads);
    await expectVerified(installation, environment);
  }
  // If the process is killed while no request is running, the test proves nothing.
  expect(unanswered).toBeGreaterThan(0);
});

/** Returns the PostgreSQL processes that serve the connections in the server's pool. */
async function backendsOf(postmaster: number): Promise<number[]> {
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim().split(/\s+/);
  const titles = await Promise.all(
    children.map(async (pid) => ({
      pid: Number(pid),
      title: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
  return titles.filter(({ title }) => /postgres: app evenkeel /.test(title)).map(({ pid }) => pid);
}

/** Kills a process under load and waits until the database is available again. Returns how long that took. */
async function breakDatabase(load: Load, kill: (postmaster: number) => Promise<void>) {
  await successes(load, 30);
  const postmaster = await postmasterPid(environment.DATA_DIR);
  const refused = load.refusals.length;
  await kill(postmaster);
  // A successful response to a request that the database committed before the kill does not count.
  await sleep(100);
  // The database is available as soon as it accepts a connection, because it rejects connections during a recovery.
  const isBack = (): Promise<boolean> =>
    ownerOf(environment.DATA_DIR).then(
      (client) => client.end().then(() => true),
      () => false,
    );
  while (!(await isBack())) await sleep(20);
  const back = performance.now();
  await successes(load, 40);
  return { refusals: load.refusals.slice(refused), first: (load.successes.find((at) => at > back) ?? Infinity) - back };
}

// Promise (start): The server survives the loss of its database. Requests get 503 with Retry-After until the database
// is back. [first success 90 to 220 ms after its return]
test('if a PostgreSQL process is killed under load, requests return 503 until the database recovers', async () => {
  const load = beginLoad();
  const { pid } = server;
  const kills: Record<string, (postmaster: number) => Promise<void>> = {
    postmaster: async (postmaster) => void process.kill(postmaster, 'SIGKILL'),
    backend: async (postmaster) => {
      const [backend] = await backendsOf(postmaster);
      expect(backend).toBeGreaterThan(0);
      process.kill(backend ?? 0, 'SIGKILL');
    },
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const name = round % 2 === 1 ? 'postmaster' : 'backend';
    const { refusals, first } = await breakDatabase(load, kills[name] ?? (async () => undefined));
    expect([name, refusals.length > 0]).toEqual([name, true]);
    for (const refusal of refusals) {
      expect(refusal).toEqual({
        status: 503,
        retryAfter: '2',
        body: { code: 'unavailable', message: expect.any(String), requestId: expect.any(String) },
      });
    }
    // The first success must come within 5 s after the database is available again.
    expect(first).toBeLessThan(5000);
  }
  await load.stop();
  expect([server.child.exitCode, await isRunning(pid)]).toEqual([null, true]);
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  await sendAgain(load, books());
  await expectWhole(books(), loads);
  await expectVerified(installation, environment);
});
