import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addCustomer, ask, createCompany, signIn } from './testing/client.ts';
import { freePort, Installation, PATIENCE_MS } from './testing/installation.ts';
import { Load } from './testing/load.ts';
import { expectVerified, expectWhole, sendAgain, successes } from './testing/whole.ts';

// Fills up the disk while postings are committed, and later frees some space.

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const CLIENTS = 16;
const MEGABYTE = 1_048_576;
/** The size of the database's disk, and the space that the filler file leaves. */
const DISK = '400m';
const LEFT = 2 * MEGABYTE;

let installation: Installation;
let disk: string;
let isMounted = false;
beforeAll(async () => {
  installation = await Installation.make();
  disk = mkdtempSync(join(tmpdir(), 'ek-disk-'));
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', disk]).status === 0;
});
afterAll(async () => {
  await installation.remove();
  if (isMounted) execFileSync('umount', ['-l', disk]);
  rmdirSync(disk);
});

/** Fills the disk completely, and then frees a little space. */
function fill(): string {
  const path = join(disk, 'filler');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(MEGABYTE, 1);
  let size = 0;
  try {
    for (;;) size += writeSync(file, block);
  } catch {
    ftruncateSync(file, Math.max(0, size - LEFT));
  } finally {
    closeSync(file);
  }
  return path;
}

test('a full disk causes clear errors and loses nothing, and work continues when there is space again', async ({
  skip,
}) => {
  if (!isMounted) skip('only root can create a small disk');
  const environment = { DATA_DIR: join(disk, 'data'), LOG_LEVEL: 'fatal', PORT: String(await freePort()) };
  await createCompany(installation, environment);
  const server = await installation.start(environment);
  const token = await signIn(server.address);
  const names = Array.from({ length: CLIENTS }, (_, index) => `Customer ${index + 1}`);
  const customers = await Promise.all(names.map((name) => addCustomer(server.address, token, name)));
  const books = { address: server.address, token, customers };
  const load = new Load(books, customers);
  await successes(load, 100);
  const filler = fill();
  await expect.poll(() => load.refusals.length, { timeout: 120_000 }).toBeGreaterThan(50);
  const reads = new Set<number>();
  for (let each = 0; each < 20; each += 1) {
    reads.add((await ask(server.address, '/api/billinginvoice?limit=5', { token })).status);
  }
  rmSync(filler);
  await successes(load, 100);
  await load.stop();
  // Requests get an error with a retry time, and no other error. The process keeps running.
  expect(load.refusals.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
  expect([...reads].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(server.child.exitCode).toBeNull();
  const { unanswered } = await sendAgain(load, books);
  const { acknowledged } = await expectWhole(books, [load]);
  await expectVerified(installation, environment);
  const told = load.refusals.length;
  console.log(`disk full: refused ${told}, acknowledged ${acknowledged}, sent again ${unanswered}, lost 0, doubled 0`);
  expect((await server.stop()).code).toBe(0);
});
