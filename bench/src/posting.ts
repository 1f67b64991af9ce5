import { cpus } from 'node:os';
import { billingCalls } from '@evenkeel/contract/billing';
import { decode } from '@evenkeel/contract/wire';
import { type Client, openClient } from './client.ts';
import { type Company, newCompany } from './company.ts';
import { type Aim, type Chapter, duration, figure, ratio, table } from './figures.ts';
import { interleave, pairedRatio, type Round, summary, type Work } from './load.ts';
import { createRaw, postRaw, type RawKind, readWritten, type Written, writtenTables } from './raw.sql.ts';
import { checksEnded, type RunningServer, startSecond } from './server.ts';
import { watchDatabase } from './wire.ts';

export interface PostingPlan {
  rounds: number;
  milliseconds: number;
  /** Whether to run the scenes that take a long time, such as the scene with 100 companies. */
  isLong: boolean;
}

/**
 * A single company is the usual case. Scenes with many companies show how these companies affect each other. `isLong`
 * scenes run only if the plan allows it.
 */
const scenes: readonly Scene[] = [
  { companies: 1, inFlight: 1, raw: ['equal'] },
  { companies: 1, inFlight: 16, raw: ['bare', 'equal'] },
  { companies: 1, inFlight: 64, raw: ['equal'] },
  { companies: 8, inFlight: 16, raw: ['bare', 'equal'] },
  { companies: 8, inFlight: 64, raw: ['equal'] },
  { companies: 100, inFlight: 64, raw: ['equal'], isLong: true },
];

interface Scene {
  companies: number;
  /** The number of simultaneous requests. */
  inFlight: number;
  raw: readonly RawKind[];
  isLong?: boolean;
}

const rawKinds: readonly RawKind[] = ['bare', 'equal'];

let keys = 0;

/** Returns a new idempotency key. */
export const newKey = (): string => `bench-${process.pid}-${(keys += 1)}`;

/** Returns an invoice with two taxable lines on two accounts, which posts 4 journal lines. */
export function invoiceBody(customerId: number, invoiceDate: string, dueDate = invoiceDate): string {
  return JSON.stringify({
    invoiceDate,
    dueDate,
    customerId,
    lineItems: [
      { description: 'Spring clean-up, front and back', itemPrice: 125.5, quantity: 2, accountId: 140, taxable: true },
      { description: 'Mulch, per yard, delivered', itemPrice: 48.25, quantity: 3, accountId: 141, taxable: true },
    ],
  });
}

/** Posts one invoice over HTTP and returns the text of the response. */
export async function postInvoice(client: Client, token: string, body: string): Promise<string> {
  const { status, text } = await client.send('POST', '/billinginvoice', { token, key: newKey(), body });
  if (status !== 200) throw new Error(`an invoice was not posted: ${status} ${text}`);
  return text;
}

interface Stage {
  server: RunningServer;
  client: Client;
  companies: readonly Company[];
  /** The response text for a posted invoice. The raw PostgreSQL benchmark stores the same text. */
  reply: string;
}

/** The machine's current date as an ISO date. */
export const today = (): string => new Date().toISOString().slice(0, 10);

function works({ server, client, companies, reply }: Stage, scene: Scene): Work[] {
  const chosen = companies.slice(0, scene.companies);
  const date = today();
  const bodies = chosen.map(({ customerId }) => invoiceBody(customerId, date));
  const at = <T>(list: readonly T[], worker: number): T => {
    const item = list[worker % list.length];
    if (item === undefined) throw new Error('there is no company to post to');
    return item;
  };
  const raw = scene.raw.map((kind) => ({
    name: `raw ${kind}`,
    once: async (worker: number) => {
      await postRaw(server.raw, kind, { ...at(chosen, worker), key: newKey(), reply });
    },
  }));
  const http = {
    name: 'HTTP',
    once: async (worker: number) => {
      await postInvoice(client, at(chosen, worker).token, at(bodies, worker));
    },
  };
  return [...raw, http];
}

/** Counts the round trips of single postings through a relay between a second server and the same database. */
async function countRoundTrips(server: RunningServer, company: Company): Promise<number> {
  const watched = await watchDatabase(server.database.connection);
  const second = await startSecond(server, watched.url);
  const client = openClient(second.url, 1);
  try {
    await checksEnded(server);
    const counts: number[] = [];
    for (let posting = 0; posting < 60; posting += 1) {
      watched.reset();
      await postInvoice(client, company.token, invoiceBody(company.customerId, today()));
      counts.push(watched.traffic().roundTrips);
    }
    // The first postings open connections. Statements that are sent together count separately if they reach the relay
    // separately, and some postings coincide with the worker's search for jobs. Statements that wait for a response are
    // never counted together.
    return Math.min(...counts.slice(20));
  } finally {
    client.close();
    await second.stop();
    await watched.stop();
  }
}

const label: Record<string, string> = {
  'raw bare': 'raw, only primary keys',
  'raw equal': 'raw, same indexes and numbers',
  HTTP: 'Evenkeel over HTTP',
};

type Seen = ReadonlyMap<string, Round[]>;

const cpuOf = (list: readonly Round[], name: string): number => summary(list).cpu.get(name) ?? Number.NaN;
const totalCpu = (list: readonly Round[]): number =>
  [...summary(list).cpu.values()].reduce((sum, each) => sum + each, 0);

/**
 * Returns one row for each kind of work. The processor times are also given relative to the raw kind with the same
 * indexes.
 */
function rowsOf(seen: Seen): string[][] {
  const http = seen.get('HTTP') ?? [];
  const equal = seen.get('raw equal') ?? [];
  return [...seen].map(([name, list]) => {
    const { perSecond, p50, p99, cpu } = summary(list);
    const share = name === 'HTTP' ? '' : ratio(pairedRatio(http, list));
    const used = [...cpu.values()].map(figure).join(' + ');
    const toRaw =
      cpu.size === 0
        ? ''
        : `${ratio(cpuOf(list, DATABASE) / cpuOf(equal, DATABASE))}, ${ratio(totalCpu(list) / totalCpu(equal))}`;
    return [label[name] ?? name, figure(perSecond), share, duration(p50), duration(p99), used, toRaw];
  });
}

const DATABASE = 'PostgreSQL';

const head = [
  'invoices',
  'a second',
  'HTTP to this',
  'median wait',
  '99th percentile',
  'processor time each, µs: load generator + server + PostgreSQL',
  'PostgreSQL’s, and all, to raw with the same indexes',
];

function writtenText(written: Written): string {
  const counts = writtenTables.map((name) => `${written[name].length} ${name}`);
  return `Each writes the same rows: ${counts.join(', ')}.`;
}

/**
 * Returns the cost of an invoice over HTTP and in raw PostgreSQL, and the rates that the processors allow at these
 * costs. Returns undefined if the costs are unknown.
 */
function whyOf(http: readonly Round[], raw: readonly Round[]): string | undefined {
  const ours = summary(http).cpu;
  if (ours.size === 0) return undefined;
  const most = (list: readonly Round[]): string => figure((cpus().length * 1_000_000) / totalCpu(list));
  const parts = [...ours].map(([name, value]) => `${name} ${figure(value)} µs`).join(', ');
  return (
    `An invoice takes ${figure(totalCpu(http))} µs of processor time over HTTP (${parts}) and ` +
    `${figure(totalCpu(raw))} µs raw, so ${cpus().length} cores can post at most ` +
    `${most(http)} and ${most(raw)} per second.`
  );
}

/** The minimum rate, as a share of raw PostgreSQL's rate with the same indexes and numbers. */
const shares: readonly { companies: number; inFlight: number; least: number }[] = [
  { companies: 1, inFlight: 64, least: 0.9 },
  { companies: 1, inFlight: 16, least: 0.4 },
  { companies: 8, inFlight: 64, least: 0.5 },
  { companies: 100, inFlight: 64, least: 0.35 },
];

/**
 * The maximum processor time of the database, relative to raw PostgreSQL. For a single posting, batches reduced it from
 * 4.7 to 0.7. The shares of time in `why` were sampled with `perf record` on PostgreSQL's processes under this load on
 * 2026-11-22. The parts of a posting were measured on 2026-11-30 by dropping them in turn.
 */
const costs: readonly { companies: number; inFlight: number; most: number; words: string; why: string }[] = [
  {
    companies: 1,
    inFlight: 1,
    most: 3.3,
    words: 'one request at a time',
    why:
      'A profile shows a sixth of the time in the start of about thirteen statements, and an eighth in the commit. ' +
      'The rest is the fixed cost of each statement. Raw makes one call. Each of these was dropped in turn for 900 ' +
      'to 2,100 invoices: the search entry saves 0.3 to 0.7 ms, the foreign keys 0.6 ms, and the totals of open ' +
      'documents 0.3 ms. Check constraints, seals, and the guard of the journal save too little to measure.',
  },
  {
    companies: 1,
    inFlight: 16,
    most: 0.7,
    words: '16 requests at a time',
    why:
      'A profile shows a fifth of the time in foreign keys, a sixth in the start of statements, a ninth in indexes, ' +
      'and a fourteenth in the commit.',
  },
];

const nameOf = (companies: number): string => (companies === 1 ? 'One company' : `${companies} companies`);

function aimsOf(all: readonly Played[]): Aim[] {
  const found = (wanted: { companies: number; inFlight: number }) => {
    const { seen } =
      all.find(({ scene }) => scene.companies === wanted.companies && scene.inFlight === wanted.inFlight) ?? {};
    return { http: seen?.get('HTTP') ?? [], raw: seen?.get('raw equal') ?? [] };
  };
  const rates = shares.map(({ least, ...scene }) => {
    const { http, raw } = found(scene);
    const seen = pairedRatio(http, raw);
    const wanted = `${nameOf(scene.companies)}, ${scene.inFlight} requests at a time: at least ${least} of raw`;
    const why = whyOf(http, raw);
    return { wanted, seen: ratio(seen), isMet: seen >= least, ...(why === undefined ? {} : { why }) };
  });
  const times = costs.map(({ most, words, why, ...scene }) => {
    const { http, raw } = found(scene);
    const seen = cpuOf(http, DATABASE) / cpuOf(raw, DATABASE);
    const wanted = `Database processor time per invoice, ${words}: at most ${most} times raw`;
    return { wanted, seen: ratio(seen), isMet: seen <= most, why };
  });
  return [...rates, ...times];
}

interface Played {
  scene: Scene;
  seen: Seen;
}

/** The number of bytes that an invoice takes on disk with its indexes, and in the write-ahead log. */
interface Storage {
  disk: number;
  log: number;
}

/** Posts `count` invoices over HTTP and measures how much the storage grows. */
async function measureStorage({ server, client, companies }: Stage, count: number): Promise<Storage> {
  const [company] = companies;
  if (company === undefined) throw new Error('there is no company to post to');
  const read = async (): Promise<{ disk: number; log: number }> => {
    const { rows } = await server.raw.query<{ disk: number; log: number }>(
      `select sum(pg_total_relation_size(c.oid))::bigint as disk, (pg_current_wal_lsn() - '0/0')::bigint as log
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any($1)`,
      [[...writtenTables, 'ledger_total', 'ledger_head']],
    );
    return rows[0] ?? { disk: Number.NaN, log: Number.NaN };
  };
  const body = invoiceBody(company.customerId, today());
  const before = await read();
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await postInvoice(client, company.token, body);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const after = await read();
  return { disk: (after.disk - before.disk) / count, log: (after.log - before.log) / count };
}

/**
 * Alternately measures invoices over HTTP and raw PostgreSQL writes of the same rows, for a single company and for many
 * companies.
 */
export async function measurePosting(server: RunningServer, plan: PostingPlan): Promise<Chapter> {
  const played = scenes.filter(({ isLong }) => isLong !== true || plan.isLong);
  const companies: Company[] = [];
  const most = Math.max(...played.map((scene) => scene.companies));
  for (let index = 1; index <= most; index += 1) companies.push(await newCompany(server, `Posting ${index}`));
  const [first] = companies;
  if (first === undefined) throw new Error('no company was created');
  const client = openClient(server.url, Math.max(...played.map(({ inFlight }) => inFlight)));
  try {
    const reply = await postInvoice(client, first.token, invoiceBody(first.customerId, today()));
    const { id } = decode(billingCalls.createInvoice.reply, JSON.parse(reply));
    const written = await readWritten(server.raw, first.companyId, id);
    for (const kind of rawKinds) await createRaw(server.raw, kind, written);
    const stage = { server, client, companies, reply };
    const storage = await measureStorage(stage, plan.isLong ? 4000 : 1000);
    const all: Played[] = [];
    for (const scene of played) {
      const load = { ...plan, inFlight: scene.inFlight, cpu: server.cpu };
      all.push({ scene, seen: await interleave(works(stage, scene), load) });
    }
    return chapter(all, { trips: await countRoundTrips(server, first), storage, plan, written });
  } finally {
    client.close();
  }
}

interface Besides {
  trips: number;
  storage: Storage;
  plan: PostingPlan;
  written: Written;
}

/** Measured on 2026-11-30 from the growth of each table and index during 4,000 invoices. */
const DISK =
  'The audit row takes 2.05 kB, the journal 1.80 kB, and the document with its lines 1.37 kB. The audit row contains ' +
  'the whole response and is 1.75 kB long, so only 4 rows fit in a page of 8 kB. PostgreSQL compresses only rows of ' +
  'more than 2 kB. The seals of the document and its lines, with their times, take 0.13 kB.';

const kilobytes = (bytes: number): string => `${figure(bytes / 1000)} kB`;

function chapter(all: readonly Played[], { trips, storage, plan, written }: Besides): Chapter {
  const text = [
    `${plan.rounds} rounds of ${duration(plan.milliseconds)} each, in turn; medians.`,
    'Raw: one prepared call of a function per invoice, over eight connections, committed durably by itself, without',
    'row-level security, triggers, foreign keys, hash chain and totals; once with only primary keys and IDs',
    'from sequences, once with the same indexes and with numbers without gaps, from one row per company that stays',
    'locked until the commit. HTTP: `POST /api/billinginvoice` with',
    `an \`Idempotency-Key\`. ${writtenText(written)} A single posting over HTTP makes ${figure(trips)} round`,
    'trips to the database. Postings that wait for each other share them.',
    '',
    ...all.flatMap(({ scene, seen }) => [
      `**${nameOf(scene.companies)}, ${scene.inFlight} in flight**`,
      '',
      table(head, rowsOf(seen)),
      '',
    ]),
    'The load generator, the server and PostgreSQL share the processors of one machine. Raw inserts need no server:',
    'what the server and the reading and writing of HTTP take is missing to PostgreSQL, so the ratio here is the least',
    'favourable one; with the load generator elsewhere its share of the processor time falls away.',
    '',
    `An invoice takes ${kilobytes(storage.disk)} on disk with all indexes, and ${kilobytes(storage.log)} of the`,
    'database’s log.',
  ].join('\n');
  const aims = [
    ...aimsOf(all),
    { wanted: 'A posting: at most 4 round trips to the database', seen: figure(trips), isMet: trips <= 4 },
    {
      wanted: 'An invoice on disk: at most 5.0 kB',
      seen: kilobytes(storage.disk),
      isMet: storage.disk <= 5000,
      why: DISK,
    },
  ];
  const onPage = [
    'Invoices with two lines over `POST /api/billinginvoice`, and the same rows written by one database function per',
    'invoice, with the same indexes, but without HTTP, row-level security, triggers, foreign keys, the hash chain, and',
    'totals (raw).',
    '',
    table(
      ['companies', 'requests at a time', 'invoices per second', 'median', '99th percentile', 'ratio to raw'],
      all.map(({ scene, seen }) => {
        const http = seen.get('HTTP') ?? [];
        const { perSecond, p50, p99 } = summary(http);
        const toRaw = ratio(pairedRatio(http, seen.get('raw equal') ?? []));
        return [`${scene.companies}`, `${scene.inFlight}`, figure(perSecond), duration(p50), duration(p99), toRaw];
      }),
    ),
  ].join('\n');
  return { title: 'Posting invoices', text, summary: onPage, aims };
}
