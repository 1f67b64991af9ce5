import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMPANY_HEADER } from '@evenkeel/contract/wire';
import { emptyDatabase } from '../testing/empty-database.ts';
import { startLossyProxy } from '../testing/lossy-proxy.ts';
import { addCustomer, ask, createCompany, invoiceOf, must, signIn } from './testing/client.ts';
import { Fleet } from './testing/fleet.ts';
import { Installation, PATIENCE_MS } from './testing/installation.ts';
import { Load } from './testing/load.ts';
import { type Books, expectVerified, expectWhole, sendAgain, successes } from './testing/whole.ts';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const CLIENTS = 16;

let installation: Installation;
let environment: Record<'DATABASE_URL' | 'LOG_LEVEL' | 'SECRET_KEY' | 'DRAIN_SECONDS' | 'MAIL_DIR', string>;
let fleet: Fleet;
let books: Books;
let companyId: number;
const loads: Load[] = [];

beforeAll(async () => {
  installation = await Installation.make();
  const database = await emptyDatabase();
  installation.atEnd(database.drop);
  environment = {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    SECRET_KEY: '5a'.repeat(32),
    DRAIN_SECONDS: '60',
    MAIL_DIR: join(installation.root, 'mail'),
  };
  companyId = await createCompany(installation, { ...environment, DATA_DIR: installation.dataDir() });
  fleet = await Fleet.open(installation, environment, 2);
  const { address } = fleet;
  const token = await signIn(address);
  const names = Array.from({ length: CLIENTS }, (_, index) => `Customer ${index + 1}`);
  const customers = await Promise.all(names.map((name) => addCustomer(address, token, name)));
  books = { address, token, customers };
});
afterAll(() => installation.remove());

function beginLoad(address = fleet.address): Load {
  const headers = { [COMPANY_HEADER]: String(companyId) };
  const load = new Load({ address, token: books.token, headers }, books.customers);
  loads.push(load);
  return load;
}

/** Checks that a load had no rejected requests and no broken connections. */
async function expectUndisturbed(load: Load): Promise<void> {
  await load.stop();
  expect([load.refusals, load.broken]).toEqual([[], 0]);
  await expectWhole(books, loads);
}

test("a response names the session's company, regardless of the request, so a proxy can route by company", async () => {
  const before = fleet.balancer.answered();
  for (const said of [String(companyId), String(companyId), String(companyId)]) {
    const headers = { [COMPANY_HEADER]: said };
    const answer = await ask(fleet.address, '/api/customer', { token: books.token, headers });
    expect([answer.status, answer.headers.get(COMPANY_HEADER)]).toEqual([200, String(companyId)]);
  }
  const counted = fleet.balancer.answered().map((count, at) => count - (before[at] ?? 0));
  expect(counted.toSorted((a, b) => a - b)).toEqual([0, 3]);
  const elsewhere = await ask(fleet.address, '/api/customer', {
    token: books.token,
    headers: { [COMPANY_HEADER]: String(companyId + 1) },
  });
  expect(elsewhere.headers.get(COMPANY_HEADER)).toBe(String(companyId));
  expect(elsewhere.body).toHaveLength(CLIENTS);
  const anonymous = await ask(fleet.address, '/api/installation', { headers: { [COMPANY_HEADER]: '1' } });
  expect(anonymous.headers.has(COMPANY_HEADER)).toBe(false);
});

test('a file that is uploaded to one process is served by the other, and an email is sent only once', async () => {
  const [one, other] = fleet.running().map(({ address }) => address) as [string, string];
  const { token } = books;
  const body = new FormData();
  body.append('file', new Blob(['%PDF-1.7 receipt']), 'receipt.pdf');
  const headers = { authorization: `Bearer ${token}` };
  const sent = await fetch(`${one}/api/document`, { method: 'POST', headers, body });
  const { documentId } = (await sent.json()) as { documentId: number };
  const file = await ask(other, `/api/document/${documentId}`, { token });
  expect([sent.status, file.status, file.body]).toEqual([200, 200, '%PDF-1.7 receipt']);
  const [role] = await must<{ id: number }[]>(one, '/api/userroles', { token });
  const people = Array.from({ length: 6 }, (_, each) => `guest${each}@harbor.example`);
  const invite = (email: string, address: string) =>
    must(address, '/api/useradmin', { token, body: { firstName: 'Gil', lastName: 'Guest', email, roleId: role?.id } });
  await Promise.all(people.map((email, each) => invite(email, each % 2 === 0 ? one : other)));
  const written = async (): Promise<string[]> => {
    const names = await readdir(environment.MAIL_DIR).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(environment.MAIL_DIR, name), 'utf8')));
    return texts.flatMap((text) => people.filter((email) => text.includes(email))).toSorted();
  };
  await expect.poll(async () => (await written()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(people.length);
  expect(await written()).toEqual(people);
});

test('ten failed sign-ins across two processes lock a network out of an account in both processes', async () => {
  const addresses = fleet.running().map(({ address }) => address);
  const login = (address: string) =>
    ask(address, '/api/login', { body: { email: 'nobody@harbor.example', password: 'not the one' } });
  for (let each = 0; each < 10; each += 1) expect((await login(addresses[each % 2] ?? '')).status).toBe(401);
  for (const address of addresses) expect((await login(address)).status).toBe(429);
});

// Promise (start): On SIGTERM, the server finishes its requests and exits within 10 seconds. Behind a proxy or a
// systemd socket, a process is replaced under load without a failed request. [16 clients]
test("replacing a busy company's process rejects no requests and breaks no connections", async () => {
  const load = beginLoad();
  await successes(load, 50);
  const old = fleet.busy(companyId);
  expect(await fleet.replace(old)).toBe(0);
  expect(fleet.busy(companyId)).not.toBe(old);
  await successes(load, 50);
  await expectUndisturbed(load);
});

/** Opens a listening socket and runs two servers on it, one after the other, as systemd does. */
async function handedOver(): Promise<{
  address: string;
  pid: (which: number) => Promise<number>;
  ended: () => string[];
}> {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const place = holder.address();
  const port = typeof place === 'object' && place !== null ? place.port : 0;
  const { fd } = (holder as unknown as { _handle: { fd: number } })._handle;
  const main = `${installation.root}/apps/server/dist/main.js`;
  const program = `LISTEN_FDS=1 LISTEN_PID=$$ exec "${process.execPath}" "${main}"`;
  const script = `for each in 1 2; do sh -c '${program}' >&2 & echo "pid $!"; wait $!; echo "ended $?"; done`;
  const own = { PORT: String(port), DATA_DIR: installation.dataDir(), DRAIN_SECONDS: '5' };
  const env = { PATH: process.env['PATH'] ?? '', ...environment, ...own };
  const shell = spawn('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'ignore', fd] });
  // From here on, only the shell has the socket open, and the shell doesn't accept connections.
  await new Promise((resolve) => holder.close(resolve));
  let out = '';
  shell.stdout?.on('data', (text: Buffer) => (out += text.toString()));
  const found = (pattern: RegExp): string[] => [...out.matchAll(pattern)].map(([, figure = '']) => figure);
  const pids = (): string[] => found(/^pid (\d+)$/gm);
  installation.atEnd(async () => {
    shell.kill('SIGKILL');
    if (found(/^ended/gm).length < 2) process.kill(Number(pids().at(-1)), 'SIGKILL');
  });
  const pid = async (which: number): Promise<number> => {
    await expect.poll(() => pids().length, { timeout: 20_000 }).toBeGreaterThan(which);
    return Number(pids()[which]);
  };
  return { address: `http://127.0.0.1:${port}`, pid, ended: () => found(/^ended (\d+)$/gm) };
}

test('a socket that is passed on keeps its queue, and no request is rejected while no process is running', async () => {
  const { address, pid, ended } = await handedOver();
  const load = beginLoad(address);
  await successes(load, 50);
  process.kill(await pid(0), 'SIGTERM');
  // No server responds for a while, and new connections wait in the socket's queue.
  await expect.poll(() => ended(), { timeout: 20_000 }).toEqual(['0']);
  const second = await pid(1);
  await successes(load, 50);
  await expectUndisturbed(load);
  // The second signal skips the delay that gives a proxy time to notice.
  for (const signal of ['SIGTERM', 'SIGTERM']) process.kill(second, signal);
  await expect.poll(() => ended(), { timeout: 20_000 }).toEqual(['0', '0']);
});

/**
 * Strings in the packets that a save sends. The key is first sent with the lookup, and the rows are sent with the
 * commit.
 */
const PHASES = [
  ['before it sends a write', 'thawed', 'killed'],
  ['while its commit is in transit and arrives', 'thawed', 'insert into "journal_transaction"'],
  ['while its commit is in transit and is lost', 'lost', 'insert into "journal_transaction"'],
  ['before it receives the response to its commit', 'answered', 'insert into "journal_transaction"'],
] as const;

test.each(PHASES)(
  'after a process is killed %s (%s), repeating the request elsewhere does not repeat its effect',
  async (_, fate, text) => {
    const [other] = fleet.running();
    const proxy = await startLossyProxy(environment.DATABASE_URL);
    const doomed = await installation.start({
      ...environment,
      DATABASE_URL: proxy.url,
      DATA_DIR: installation.dataDir(),
    });
    const target = { ...books, address: doomed.address };
    await must(doomed.address, '/api/customer', target);
    const load = new Load(target, []);
    loads.push(load);
    const key = `killed-${crypto.randomUUID()}`;
    const write = { path: '/api/billinginvoice', key, body: invoiceOf(books.customers[0] ?? 0, key) };
    load.writes.push(write);
    if (fate === 'answered') proxy.loseNext('silence', 0, text);
    else proxy.freeze(text);
    const sent = load.send(write, target);
    await expect.poll(() => proxy.isFrozen()).toBe(true);
    await doomed.kill();
    expect(await sent).toBe(false);
    if (fate !== 'lost') proxy.thaw();
    await proxy.close();
    await sendAgain(load, { ...books, address: other?.address ?? '' });
    await expectWhole(books, loads);
  },
);

test('a process that is killed under load loses no acknowledged write, and the other processes continue', async () => {
  const load = beginLoad();
  await successes(load, 50);
  await fleet.busy(companyId).kill();
  await successes(load, 50);
  await load.stop();
  await sendAgain(load, books);
  await expectWhole(books, loads);
  await expectVerified(installation, { ...environment, DATA_DIR: installation.dataDir() });
});
