import { cpus } from 'node:os';
import { billingCalls } from '@evenkeel/contract/billing';
import { decode } from '@evenkeel/contract/wire';
import { type Client, openClient } from './client.ts';
import { type Company, newCompany } from './company.ts';
import { type Aim, type Chapter, duration, figure, ratio, table } from './figures.ts';
import { interleave, pairedRatio, type Round, summary, type Work } from './load.ts';
import { createRaw, postRaw, type RawKind, readWritten, type Written, writtenTables } from './raw.sql.ts';
import { type RunningServer, startSecond } from './server.ts';
import { watchDatabase } from './wire.ts';

export interface PostingPlan {
  rounds: number;
  milliseconds: number;
}

/** As many requests at once as the server has a few for each of its eight connections. */
const IN_FLIGHT = 16;
const MANY = 8;
const rawKinds: readonly RawKind[] = ['bare', 'equal'];

let keys = 0;

/** A key that no request had before. */
const newKey = (): string => `bench-${process.pid}-${(keys += 1)}`;

/** An invoice of two taxable lines on two accounts: 4 journal lines. */
export function invoiceBody(customerId: number, invoiceDate: string): string {
  return JSON.stringify({
    invoiceDate,
    dueDate: invoiceDate,
    customerId,
    lineItems: [
      { description: 'Spring clean-up, front and back', itemPrice: 125.5, quantity: 2, accountId: 140, taxable: true },
      { description: 'Mulch, per yard, delivered', itemPrice: 48.25, quantity: 3, accountId: 141, taxable: true },
    ],
  });
}

/** Posts one invoice over HTTP; answers the reply's text. */
export async function postInvoice(client: Client, token: string, body: string): Promise<string> {
  const { status, text } = await client.send('POST', '/billinginvoice', { token, key: newKey(), body });
  if (status !== 200) throw new Error(`an invoice was not posted: ${status} ${text}`);
  return text;
}

interface Scene {
  server: RunningServer;
  client: Client;
  companies: readonly Company[];
  /** The reply of a posted invoice: raw PostgreSQL stores the same text. */
  reply: string;
}

const today = (): string => new Date().toISOString().slice(0, 10);

function works({ server, client, companies, reply }: Scene, howMany: number): Work[] {
  const chosen = companies.slice(0, howMany);
  const date = today();
  const bodies = chosen.map(({ customerId }) => invoiceBody(customerId, date));
  const at = <T>(list: readonly T[], worker: number): T => {
    const item = list[worker % howMany];
    if (item === undefined) throw new Error('there is no company to post to');
    return item;
  };
  const raw = rawKinds.map((kind) => ({
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

/** Round trips of single postings through a relay between a second server and the same database. */
async function countRoundTrips(server: RunningServer, company: Company): Promise<number> {
  const watched = await watchDatabase(server.database.connection);
  const second = await startSecond(server, watched.url);
  const client = openClient(second.url, 1);
  try {
    const counts: number[] = [];
    for (let posting = 0; posting < 60; posting += 1) {
      watched.reset();
      await postInvoice(client, company.token, invoiceBody(company.customerId, today()));
      counts.push(watched.traffic().roundTrips);
    }
    // The first ones open connections. Statements of one turn that reach the relay apart are counted apart, and the
    // worker's look for jobs falls into a few postings; what must wait for an answer can never be counted together.
    return Math.min(...counts.slice(20));
  } finally {
    client.close();
    await second.stop();
    await watched.stop();
  }
}

const label: Record<string, string> = {
  'raw bare': 'raw, primary keys alone',
  'raw equal': 'raw, same indexes and numbers',
  HTTP: 'Evenkeel over HTTP',
};

function rowsOf(rounds: ReadonlyMap<string, Round[]>): string[][] {
  const http = rounds.get('HTTP') ?? [];
  return [...rounds].map(([name, list]) => {
    const { perSecond, p50, p99, cpu } = summary(list);
    const share = name === 'HTTP' ? '' : ratio(pairedRatio(http, list));
    const used = [...cpu.values()].map(figure);
    return [label[name] ?? name, figure(perSecond), share, duration(p50), duration(p99), used.join(' + ')];
  });
}

const head = [
  'invoices',
  'a second',
  'HTTP to this',
  'median wait',
  '99th percentile',
  'processor time each, µs: load generator + server + PostgreSQL',
];

function writtenText(written: Written): string {
  const counts = writtenTables.map((name) => `${written[name].length} ${name}`);
  return `Each writes the same rows: ${counts.join(', ')}.`;
}

/** What a single invoice costs each way, and how many the processors could do at that; undefined where not known. */
function whyOf(http: readonly Round[], raw: readonly Round[]): string | undefined {
  const [ours, theirs] = [summary(http).cpu, summary(raw).cpu];
  if (ours.size === 0) return undefined;
  const total = (cpu: ReadonlyMap<string, number>): number => [...cpu.values()].reduce((sum, each) => sum + each, 0);
  const most = (cpu: ReadonlyMap<string, number>): string => figure((cpus().length * 1_000_000) / total(cpu));
  const parts = [...ours].map(([name, value]) => `${name} ${figure(value)} µs`).join(', ');
  return (
    `an invoice takes ${figure(total(ours))} µs of processor time over HTTP (${parts}) and ` +
    `${figure(total(theirs))} µs raw; ${cpus().length} cores have time for ` +
    `${most(ours)} and ${most(theirs)} a second at most.`
  );
}

function aimsOf(where: string, rounds: ReadonlyMap<string, Round[]>): Aim[] {
  const http = rounds.get('HTTP') ?? [];
  return rawKinds.map((kind) => {
    const raw = rounds.get(`raw ${kind}`) ?? [];
    const seen = pairedRatio(http, raw);
    const wanted = `${where}: posting over HTTP at least 0.5 of ${label[`raw ${kind}`] ?? kind}`;
    const why = whyOf(http, raw);
    return { wanted, seen: ratio(seen), isMet: seen >= 0.5, ...(why === undefined ? {} : { why }) };
  });
}

/** Invoices over HTTP beside raw PostgreSQL writing the same rows, interleaved; one company, then eight. */
export async function measurePosting(server: RunningServer, plan: PostingPlan): Promise<Chapter> {
  const companies: Company[] = [];
  for (let index = 1; index <= MANY; index += 1) companies.push(await newCompany(server, `Posting ${index}`));
  const [first] = companies;
  if (first === undefined) throw new Error('no company was created');
  const client = openClient(server.url, IN_FLIGHT);
  try {
    const reply = await postInvoice(client, first.token, invoiceBody(first.customerId, today()));
    const { id } = decode(billingCalls.createInvoice.reply, JSON.parse(reply));
    const written = await readWritten(server.raw, first.companyId, id);
    for (const kind of rawKinds) await createRaw(server.raw, kind, written);
    const scene = { server, client, companies, reply };
    const load = { ...plan, inFlight: IN_FLIGHT, cpu: server.cpu };
    const one = await interleave(works(scene, 1), load);
    const eight = await interleave(works(scene, MANY), load);
    const trips = await countRoundTrips(server, first);
    return chapter({ one, eight, trips, plan, written });
  } finally {
    client.close();
  }
}

interface Seen {
  one: ReadonlyMap<string, Round[]>;
  eight: ReadonlyMap<string, Round[]>;
  trips: number;
  plan: PostingPlan;
  written: Written;
}

function chapter({ one, eight, trips, plan, written }: Seen): Chapter {
  const text = [
    `${IN_FLIGHT} requests at once; ${plan.rounds} rounds of ${duration(plan.milliseconds)} each, in turn; medians.`,
    'Raw: one prepared call of a function per invoice, over eight connections, committed durably by itself, without',
    'row-level security, triggers, foreign keys, hash chain and monthly totals; once with primary keys alone and ids',
    'from sequences, once with the same indexes and with numbers without gaps, from one row per company that stays',
    'locked until the commit. HTTP: `POST /api/billinginvoice` with',
    `an \`Idempotency-Key\`. ${writtenText(written)} A posting over HTTP makes ${figure(trips)} round trips to the`,
    'database.',
    '',
    '**One company** (its postings stand in a line for the head of its ledger)',
    '',
    table(head, rowsOf(one)),
    '',
    '**Eight companies**',
    '',
    table(head, rowsOf(eight)),
    '',
    'The load generator, the server and PostgreSQL share the processors of one machine. Raw inserts need no server:',
    'what the server and the reading and writing of HTTP take is missing to PostgreSQL, so the ratio here is the least',
    'favourable one; with the load generator elsewhere its share of the processor time falls away.',
  ].join('\n');
  const aims = [
    ...aimsOf('One company', one),
    ...aimsOf('Eight companies', eight),
    { wanted: 'A posting makes at most 4 round trips', seen: figure(trips), isMet: trips <= 4 },
  ];
  return { title: 'Posting invoices', text, aims };
}
