import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMPANY_HEADER } from '@evenkeel/contract/wire';
import { openClient } from '../platform/db/connect.ts';
import { emptyDatabase } from '../testing/empty-database.ts';
import { addCustomer, ask, createCompany, invoiceOf, must, PASSWORD, signIn } from './testing/client.ts';
import { Fleet } from './testing/fleet.ts';
import { Installation } from './testing/installation.ts';
import { Load } from './testing/load.ts';
import { heldBy, type Held, slopeOf, type Vitals, vitalsOf } from './testing/vitals.ts';
import { type Books, expectVerified, expectWhole, sendAgain, successes } from './testing/whole.ts';

// Runs three processes on one database for a long time with many sessions. The processes are killed and replaced in
// turn under load.

const ROUNDS = Math.min(30, Math.max(3, Number(process.env['TORTURE_RUNS'] ?? '3')));
const SOAK_MS = 60_000 * Number(process.env['TORTURE_SOAK_MINUTES'] ?? '60');
const MINUTE = 60_000;

vi.setConfig({ testTimeout: 2 * SOAK_MS + 60 * MINUTE, hookTimeout: 5 * MINUTE });

let installation: Installation;
let environment: Record<string, string>;
let fleet: Fleet;

interface Company extends Books {
  companyId: number;
  email: string;
  loads: Load[];
}
let companies: Company[];

/** Creates a company with one customer for each client. */
async function open(name: string, clients: number): Promise<Company> {
  const email = `${name}@harbor.example`;
  const companyId = await createCompany(installation, { ...environment, DATA_DIR: installation.dataDir() }, email);
  const { address } = fleet;
  const token = await signIn(address, email);
  const customers: number[] = [];
  for (let each = 1; each <= clients; each += 1) {
    customers.push(await addCustomer(address, token, `Customer ${each}`));
  }
  return { companyId, email, address, token, customers, loads: [] };
}

beforeAll(async () => {
  installation = await Installation.make();
  const database = await emptyDatabase();
  installation.atEnd(database.drop);
  environment = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', SECRET_KEY: '5a'.repeat(32), DRAIN_SECONDS: '60' };
  await installation.cli({ ...environment, DATA_DIR: installation.dataDir() }, 'migrate');
  fleet = await Fleet.open(installation, environment, 3);
  companies = [await open('busy', 64)];
  for (let each = 1; each <= 8; each += 1) companies.push(await open(`eighth${each}`, 8));
});
afterAll(() => installation.remove());

function begin(company: Company): Load {
  const headers = { [COMPANY_HEADER]: String(company.companyId) };
  const load = new Load({ address: fleet.address, token: company.token, headers }, company.customers);
  company.loads.push(load);
  return load;
}

/** Prints the counts that a test collected. */
function tell(proof: string, counts: Record<string, unknown>): void {
  console.log(
    `${proof}: ${Object.entries(counts)
      .map(([name, count]) => `${name} ${String(count)}`)
      .join(', ')}`,
  );
}

/** 64 simultaneous clients, either all in one company or spread over eight companies. */
const SCENES = [
  ['one company', () => companies.slice(0, 1)],
  ['eight companies', () => companies.slice(1)],
] as const;

// Promise (longer): Processes on one database are killed and replaced in turn under load from 64 clients. No
// acknowledged write is lost or duplicated, and no request is rejected because of a replacement.
test.each(SCENES)('killing and replacing processes under load loses nothing (%s)', async (name, chosen) => {
  let [replaced, killed, unanswered, acknowledged] = [0, 0, 0, 0];
  const serverErrors: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const loads = chosen().map((company) => ({ company, load: begin(company) }));
    await Promise.all(loads.map(({ load }) => successes(load, 20 + (round % 3) * 10)));
    const [first] = loads;
    const victim = fleet.busy(first?.company.companyId ?? 0);
    const isKill = round % 2 === 0;
    if (isKill) {
      await victim.kill();
      killed += 1;
      await fleet.add();
    } else {
      expect(await fleet.replace(victim)).toBe(0);
      replaced += 1;
    }
    await Promise.all(loads.map(({ load }) => successes(load, 20)));
    for (const { company, load } of loads) {
      await load.stop();
      if (!isKill) {
        expect([load.refusals, load.broken]).toEqual([[], 0]);
      }
      // The proxy returns 502 for a process that died.
      serverErrors.push(...load.refusals.map(({ status }) => status).filter((status) => status !== 502));
      unanswered += (await sendAgain(load, company)).unanswered;
    }
  }
  for (const company of chosen()) acknowledged += (await expectWhole(company, company.loads)).acknowledged;
  await expectVerified(installation, { ...environment, DATA_DIR: installation.dataDir() });
  expect(serverErrors).toEqual([]);
  tell(name, { replaced, killed, acknowledged, resent: unanswered, lost: 0, doubled: 0, '5xx': 0 });
});

test('for one minute, 200 simultaneous sessions get no response with a status of 500 or above', async () => {
  const sessions: { token: string; headers: Record<string, string> }[] = [];
  for (let each = 0; each < 200; each += 1) {
    const { companyId, email } = companies[each % companies.length] ?? { companyId: 0, email: '' };
    const body = { email, password: PASSWORD };
    const { token } = await must<{ token: string }>(fleet.address, '/api/login', { body });
    sessions.push({ token, headers: { [COMPANY_HEADER]: String(companyId) } });
  }
  const until = Date.now() + MINUTE;
  const statuses = new Map<number, number>();
  const reads = [
    '/api/billinginvoice?limit=50',
    '/api/customer?limit=50',
    '/api/dashboard',
    '/api/expenseinvoice?limit=50',
  ];
  await Promise.all(
    sessions.map(async (session, at) => {
      for (let step = at; Date.now() < until; step += 1) {
        // The time that a user spends on one screen.
        await sleep(500 + ((step * 371) % 4000));
        const { status } = await ask(fleet.address, reads[step % reads.length] ?? '', session);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  tell('200 sessions', Object.fromEntries(statuses));
  expect([...statuses.keys()]).toEqual([200]);
});

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Returns the median for the third quarter of the run, and the median for the last quarter. */
function quarters(values: readonly number[]): [number, number] {
  const quarter = Math.floor(values.length / 4);
  return [middle(values.slice(2 * quarter, 3 * quarter)), middle(values.slice(3 * quarter))];
}

// Promise (longer): During an hour of posting, reading, and printing in three processes, memory, connections, and open
// files stay flat, and every acknowledged write is saved. [101,519 invoices, 28 a second; last quarter 1 to 8 MB below
// the third]
test(`posting and reading for ${SOAK_MS / MINUTE} minutes keeps memory use flat and loses nothing`, async () => {
  const known = companies.map(({ loads }) => loads.flatMap((load) => load.answered('/api/billinginvoice')).length);
  const made = companies.map(() => 0);
  const until = Date.now() + SOAK_MS;
  const reportParams = Object.entries({ basis: 0, startdate: '2026-01-01', reportdate: '2026-12-31' }).map(
    ([paramName, paramvalue]) => ({ paramType: 1, paramName, paramvalue }),
  );
  const looks: [path: string, body?: unknown][] = [
    ['/api/billinginvoice?limit=50'],
    ['/api/dashboard'],
    ['/api/customer?limit=50'],
    ['/api/reports/1', { reportParams }],
    ['/api/reports/3/pdf', { reportParams }],
    ['/api/search', { text: 'soak 40' }],
  ];
  const client = async (at: number): Promise<void> => {
    const company = companies[at % companies.length];
    if (company === undefined) return;
    const { companyId, token, customers } = company;
    const headers = { [COMPANY_HEADER]: String(companyId) };
    for (let step = 0; Date.now() < until; step += 1) {
      const customerId = customers[step % customers.length] ?? 0;
      const body = invoiceOf(customerId, `soak ${step}`);
      const sent = { token, headers, key: crypto.randomUUID(), body };
      expect((await ask(fleet.address, '/api/billinginvoice', sent)).status).toBe(200);
      made[at % companies.length] = (made[at % companies.length] ?? 0) + 1;
      if (step % 5 === 0) {
        const [path, asked] = looks[(step / 5) % looks.length] ?? ['/readyz'];
        const read = await ask(fleet.address, path, {
          token,
          headers,
          ...(asked === undefined ? {} : { body: asked }),
        });
        expect([path, read.status]).toEqual([path, 200]);
      }
      await sleep(20);
    }
  };
  const samples = new Map(fleet.running().map(({ pid }) => [pid, [] as Vitals[]]));
  const held: Held[] = [];
  const database = await openClient({ connectionString: environment['DATABASE_URL'] ?? '' });
  const each = Math.min(MINUTE, SOAK_MS / 60);
  const watch = async (): Promise<void> => {
    while (Date.now() < until) {
      for (const [pid, list] of samples) list.push(await vitalsOf(pid));
      held.push(await heldBy(database));
      const now = [...samples.values()].map((list) => list.at(-1));
      tell(`sample ${held.length}`, {
        'MB each': now.map((one) => Math.round(one?.memory ?? 0)).join('/'),
        descriptors: now.map((one) => one?.descriptors).join('/'),
        ...held.at(-1),
      });
      await sleep(each);
    }
  };
  await Promise.all([...Array.from({ length: 18 }, (_, at) => client(at)), watch()]);
  for (const [at, { token }] of companies.entries()) {
    const rows = await must<unknown[]>(fleet.address, '/api/billinginvoice?status=all', { token });
    expect(rows).toHaveLength((known[at] ?? 0) + (made[at] ?? 0));
  }
  await database.end();
  for (const list of samples.values()) {
    const memory = list.map((one) => one.memory);
    // The first half is a warm-up: caches fill, and statements are prepared on each connection.
    const [earlier, later] = quarters(memory);
    tell('memory in MB', {
      'third quarter': Math.round(earlier),
      'last quarter': Math.round(later),
      'slope an hour': Math.round((slopeOf(memory.slice(memory.length >> 1)) * 60 * MINUTE) / each),
    });
    expect(later).toBeLessThan(earlier * 1.1 + 20);
    const [before, after] = quarters(list.map(({ descriptors }) => descriptors));
    expect(after).toBeLessThan(before + 20);
  }
  const [before, after] = quarters(held.map(({ connections }) => connections));
  expect(after).toBeLessThanOrEqual(before + 3);
  tell('soak', { acknowledged: made.reduce((sum, each) => sum + each, 0), lost: 0, doubled: 0, '5xx': 0 });
});
