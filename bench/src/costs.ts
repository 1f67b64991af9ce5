import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openClient } from './client.ts';
import { newCompany } from './company.ts';
import { type Chapter, duration, figure, table } from './figures.ts';
import { invoiceBody, postInvoice, today } from './posting.ts';
import { partNames, readProfile, spent } from './profile.ts';
import { type RunningServer, startSecond } from './server.ts';

const IN_FLIGHT = [1, 16];
/** A profile of fewer invoices would contain too few samples. The first invoices are not counted. */
const WARM = 500;
const COUNTED = 1500;
const SAMPLE_US = 200;
const LISTED = 25;
/** Half of the time that an invoice took when the targets were set, in microseconds. */
const MOST_ALONE = { server: 2600, PostgreSQL: 2800 };

/** The time on the clock of V8's profiles, in microseconds. */
const now = (): number => Number(process.hrtime.bigint() / 1000n);

interface Cost {
  inFlight: number;
  /** Microseconds of processor time per invoice, by process. */
  cpu: Record<string, number>;
  /** Microseconds in the server's main thread per invoice with the profiler, by part and by function. */
  byPart: ReadonlyMap<string, number>;
  byFunction: ReadonlyMap<string, number>;
}

interface Posted {
  /** The start and the end of the counted invoices, on the clock of V8's profiles. */
  from: number;
  to: number;
  cpu: Record<string, number>;
}

/** Posts invoices to another server, which is started with these flags for Node and stopped afterward. */
async function postOn(server: RunningServer, inFlight: number, flags: readonly string[]): Promise<Posted> {
  const second = await startSecond(server, server.database.connectionString, flags);
  const company = await newCompany(server, `Costs ${inFlight} ${flags.length}`);
  const client = openClient(second.url, inFlight);
  const body = invoiceBody(company.customerId, today());
  const post = async (count: number): Promise<void> => {
    let left = count;
    const worker = async (): Promise<void> => {
      while (left-- > 0) await postInvoice(client, company.token, body);
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
  };
  const read = server.cpuWith([second.pid]);
  await post(WARM);
  const [before, from] = [read(), now()];
  await post(COUNTED);
  const [after, to] = [read(), now()];
  client.close();
  await second.stop();
  const each = Object.entries(after).map(([name, time]) => [name, (time - (before[name] ?? 0)) / COUNTED]);
  return { from, to, cpu: Object.fromEntries(each) };
}

async function costOf(server: RunningServer, inFlight: number): Promise<Cost> {
  const { cpu } = await postOn(server, inFlight, []);
  const folder = await mkdtemp(join(server.folder, 'profile-'));
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLE_US}`];
  const { from, to } = await postOn(server, inFlight, flags);
  const { byPart, byFunction } = spent(readProfile(folder), from, to);
  await rm(folder, { recursive: true });
  const each = (list: ReadonlyMap<string, number>) => new Map([...list].map(([name, time]) => [name, time / COUNTED]));
  return { inFlight, cpu, byPart: each(byPart), byFunction: each(byFunction) };
}

/**
 * Measures where the processor time of an invoice goes: the database, and the parts of the server. The parts come from
 * a second measurement with V8's profiler, which makes the server slower.
 */
export async function measureCosts(server: RunningServer): Promise<Chapter> {
  const costs: Cost[] = [];
  for (const inFlight of IN_FLIGHT) costs.push(await costOf(server, inFlight));
  const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
  const head = ['part', ...costs.map(({ inFlight }) => (inFlight === 1 ? 'one at a time' : `${inFlight} at a time`))];
  const row = (name: string, of: (cost: Cost) => number): string[] => [name, ...costs.map((cost) => figure(of(cost)))];
  const parts = table(head, [
    row('PostgreSQL', ({ cpu }) => cpu['PostgreSQL'] ?? Number.NaN),
    row('server', ({ cpu }) => cpu['server'] ?? Number.NaN),
    row('the server’s main thread, with the profiler', ({ byPart }) => sum(byPart.values())),
    ...partNames.map((name) => row(`– ${name}`, ({ byPart }) => byPart.get(name) ?? 0)),
  ]);
  const [alone, together] = costs;
  const http = (cost: Cost | undefined): string => figure(cost?.byPart.get('HTTP') ?? Number.NaN);
  const why =
    'All requests need the same work to read and write HTTP, but a processor that was idle does it more slowly: ' +
    `it takes ${http(alone)} µs per invoice with one request at a time, and ${http(together)} µs with 16 at a time.`;
  const aims = Object.entries(MOST_ALONE).map(([name, most]) => {
    const seen = alone?.cpu[name] ?? Number.NaN;
    const wanted = `Invoices, one at a time: at most ${duration(most / 1000)} of processor time (${name})`;
    return { wanted, seen: duration(seen / 1000), isMet: seen <= most, why };
  });
  const functions = [...(alone?.byFunction ?? [])].sort(([, a], [, b]) => b - a).slice(0, LISTED);
  const summary = [
    `Processor time in microseconds for an invoice with two lines (${COUNTED} invoices). The parts of the main thread`,
    'were measured separately, with V8’s profiler, which makes the server slower.',
    '',
    parts,
  ].join('\n');
  const text = [
    summary,
    '',
    'The functions that take the most time with one request at a time, without the functions that they call:',
    '',
    table(
      ['function', 'µs'],
      functions.map(([name, time]) => [`\`${name}\``, figure(time)]),
    ),
  ].join('\n');
  return { title: 'Where the time of an invoice goes', text, summary, aims };
}
