import { cpus } from 'node:os';
import { type Client, openClient } from './client.ts';
import { type Company, newCompany } from './company.ts';
import { type Chapter, duration, figure, ratio, table } from './figures.ts';
import { interleave, pairedRatio, type Round, summary, type Work } from './load.ts';
import { invoiceBody, postInvoice, type PostingPlan, today } from './posting.ts';
import { type RunningServer, startSecond } from './server.ts';

const IN_FLIGHT = 64;
const PROCESSES = 3;
/** The minimum number of processor cores for running several processes next to PostgreSQL and the load generator. */
const ROOMY = 6;

const ONE = 'one process';
const ROUTED = 'three, a company’s calls to one of them';
const SPREAD = 'three, each call to the next';

const HEAD = [
  'invoices of',
  'answered by',
  'a second',
  'to one process',
  'median wait',
  '99th percentile',
  'a transaction',
  'processor time each, µs: load generator + servers + PostgreSQL',
];

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
};

/** The due date is used later to find out which server created the invoice. */
const dueOf = (scene: number, who: string): string => `2027-0${scene + 1}-0${[ONE, ROUTED, SPREAD].indexOf(who) + 1}`;

function worksOf(clients: readonly Client[], companies: readonly Company[], scene: number): Work[] {
  const date = today();
  const bodies = new Map(
    [ONE, ROUTED, SPREAD].map((who) => [
      who,
      companies.map(({ customerId }) => invoiceBody(customerId, date, dueOf(scene, who))),
    ]),
  );
  const post = async (who: string, client: Client, worker: number): Promise<void> => {
    await postInvoice(client, at(companies, worker).token, at(bodies.get(who) ?? [], worker));
  };
  let turn = 0;
  return [
    { name: ONE, once: (worker) => post(ONE, at(clients, 0), worker) },
    { name: ROUTED, once: (worker) => post(ROUTED, at(clients, at(companies, worker).companyId), worker) },
    { name: SPREAD, once: (worker) => post(SPREAD, at(clients, (turn += 1)), worker) },
  ];
}

/** Counts companies whose invoice numbers have gaps or duplicates. */
async function faultyNumbers({ raw }: RunningServer, companies: readonly Company[]): Promise<number> {
  const { rows } = await raw.query(
    `select from (select company_id, document_number::bigint as number from document where company_id = any($1)) d
      group by company_id
      having count(*) <> max(number) - min(number) + 1 or count(*) <> count(distinct number)`,
    [companies.map(({ companyId }) => companyId)],
  );
  return rows.length;
}

/** Returns the average number of invoices per transaction, by server. */
async function sharesOf({ raw }: RunningServer, scene: number): Promise<Map<string, number>> {
  const { rows } = await raw.query<{ due: string; share: number }>(
    `select to_char(due_date, 'YYYY-MM-DD') as due, count(*)::float / count(distinct (company_id, xmin::text)) as share
     from document where due_date >= '2027-01-01' group by 1`,
  );
  return new Map(
    [ONE, ROUTED, SPREAD].map((who) => [who, rows.find(({ due }) => due === dueOf(scene, who))?.share ?? Number.NaN]),
  );
}

interface Scene {
  scene: string;
  rounds: Map<string, Round[]>;
  together: Map<string, number>;
}

/** Returns the size of the database in bytes, and the number of invoices in it. */
async function sizeOf({ raw }: RunningServer): Promise<{ bytes: number; invoices: number }> {
  const { rows } = await raw.query<{ bytes: number; invoices: number }>(
    `select pg_database_size(current_database())::bigint as bytes, (select count(*) from document)::bigint as invoices`,
  );
  return rows[0] ?? { bytes: 0, invoices: 0 };
}

/**
 * Compares three processes on a database with a single process, for one company and for eight companies. Any status
 * except 200 stops the run.
 */
export async function measureProcesses(server: RunningServer, plan: PostingPlan): Promise<Chapter> {
  const { connectionString } = server.database;
  const others = [await startSecond(server, connectionString), await startSecond(server, connectionString)];
  const clients = [server, ...others].map(({ url }) => openClient(url, IN_FLIGHT));
  try {
    const companies: Company[] = [];
    for (let each = 1; each <= 8; each += 1) companies.push(await newCompany(server, `Process ${each}`));
    const before = await sizeOf(server);
    const seen: Scene[] = [];
    for (const [scene, chosen] of [
      ['one company', companies.slice(0, 1)],
      ['eight companies', companies],
    ] as const) {
      const { rounds, milliseconds } = plan;
      const works = worksOf(clients, chosen, seen.length);
      const loaded = { rounds, milliseconds, inFlight: IN_FLIGHT, cpu: server.cpuWith(others.map(({ pid }) => pid)) };
      const measured = await interleave(works, loaded);
      seen.push({ scene, rounds: measured, together: await sharesOf(server, seen.length) });
    }
    const after = await sizeOf(server);
    const bytes = (after.bytes - before.bytes) / (after.invoices - before.invoices);
    return chapterOf(seen, { faulty: await faultyNumbers(server, companies), bytes });
  } finally {
    for (const client of clients) client.close();
    for (const other of others) await other.stop();
  }
}

function chapterOf(seen: readonly Scene[], { faulty, bytes }: { faulty: number; bytes: number }): Chapter {
  const share = (index: number, name: string): number => {
    const rounds = seen[index]?.rounds;
    return pairedRatio(rounds?.get(name) ?? [], rounds?.get(ONE) ?? []);
  };
  const rows = seen.flatMap(({ scene, rounds, together }, index) =>
    [...rounds].map(([name, list]) => {
      const { perSecond, p50, p99, cpu } = summary(list);
      const used = [...cpu.values()].map(figure).join(' + ');
      const shared = figure(together.get(name) ?? Number.NaN);
      return [scene, name, figure(perSecond), ratio(share(index, name)), duration(p50), duration(p99), shared, used];
    }),
  );
  const [single, many] = [share(0, ROUTED), share(1, ROUTED)];
  const isRoomy = cpus().length >= ROOMY;
  return {
    title: 'Several processes',
    text: [
      `${PROCESSES} processes on one database, ${IN_FLIGHT} invoices in flight. A proxy that sends a company’s calls`,
      'to one process keeps its batches whole (docs/operations.md); the load does so itself here, as a proxy’s own',
      `time is not the product’s. Every answer was 200, and ${faulty} of 8 companies have a gap in their numbers. An`,
      `invoice of two lines takes ${figure(bytes / 1024)} kB of disk with its journal, audit row and search.`,
      '',
      table(HEAD, rows),
    ].join('\n'),
    aims: [
      {
        wanted: 'three processes post at 0.9 of the rate of one on one company',
        seen: ratio(single),
        isMet: single >= 0.9 && faulty === 0,
        ...(isRoomy ? {} : { why: reasonOf(seen[0]) }),
      },
      {
        wanted: 'and at 1.3 of it over eight, where the cores allow',
        seen: `${ratio(many)} on ${cpus().length} cores`,
        isMet: many >= 1.3 && faulty === 0,
        ...(isRoomy ? {} : { why: reasonOf(seen[1]) }),
      },
    ],
  };
}

/** Returns the reason why more processes don't help if all cores are busy, based on the cost of each invoice. */
function reasonOf(scene: Scene | undefined): string {
  const told = (who: string): string => {
    const { cpu } = summary(scene?.rounds.get(who) ?? []);
    const used = [...cpu.values()].reduce((sum, each) => sum + each, 0);
    return `${figure(used)} µs of processor time, ${figure(scene?.together.get(who) ?? Number.NaN)} in a transaction`;
  };
  return (
    'one process, PostgreSQL and the load use all cores: a second process finds none free, and smaller batches cost ' +
    `more. An invoice took ${told(ONE)}; with three processes ${told(ROUTED)}.`
  );
}
