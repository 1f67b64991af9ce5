import type { Pool } from 'pg';
import { type Client, openClient } from './client.ts';
import { newCompany, sessionOf } from './company.ts';
import { type Chapter, duration, figure, median, table } from './figures.ts';
import { scrolledWords, scrollInvoices } from './scroll.ts';
import type { RunningServer } from './server.ts';

/** Customers of a company with so many open invoices. */
const INVOICES_OF_ONE = 20;
const FIRST = '/billinginvoice?limit=100';
/** Frames that the long list is scrolled over, for each round. */
const FRAMES = 20;
const nameOf = (count: number): string => `Lists ${count}`;
/** The aim for 5,000 open invoices: 50 ms and 60 kB. */
const LIMIT = { rows: 5000, milliseconds: 50, bytes: 60_000 };
/** Customers, and as many vendors, of the company whose lists of names are measured. */
const NAMES = 50_000;
/** The aim for a person's request: an answer within 100 ms. */
const LIMIT_OF_NAMES = { milliseconds: 100, bytes: 60_000 };

/** Kind 0 are customers, 1 vendors. */
const insertEntities = `
  insert into entity (company_id, kind, displayname, name, email_address)
  select $1::bigint, $3::int, name, name, 'c' || n || '@customer.example'
  from (
    select n, case $3::int when 0 then 'Customer ' else 'Vendor ' end || to_char(n, 'FM00000') as name
    from generate_series(1, $2::int) n) made`;

// Two years of invoices, none of them paid; 138 is the receivables' account.
const insertInvoices = `
  with known as (
    select array_agg(id) as ids from entity where company_id = $1 and kind = 0)
  insert into document (company_id, kind, side, document_number, document_date, due_date, entity_id, status,
    control_account_id, sales_tax_cents, total_cents, open_cents, applied_cents, entry_date)
  select $1::bigint, 'invoice', 'receivable', (20000 + n)::text, date '2024-01-01' + n * 7 % 730,
    date '2024-01-31' + n * 7 % 730, k.ids[1 + n % cardinality(k.ids)], 2, 138, 0,
    100 + n * 7919::bigint % 90000, 100 + n * 7919::bigint % 90000, 0,
    date '2024-01-01'
  from generate_series(1, $2::int) n, known k`;

interface Amounts {
  customers: number;
  vendors: number;
  invoices: number;
}

/** Writes names and open invoices without their journal, which lists do not read. */
async function fill(pool: Pool, companyId: number, { customers, vendors, invoices }: Amounts): Promise<void> {
  const client = await pool.connect();
  try {
    // The company is named, as by the server: then the database keeps its sums of what is open.
    await client.query(`begin; set local app.company_id = '${companyId}'`);
    await client.query(insertEntities, [companyId, customers, 0]);
    await client.query(insertEntities, [companyId, vendors, 1]);
    await client.query(insertInvoices, [companyId, invoices]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** The requests to a list of so many rows. */
const asksOf = (count: number) => [
  { name: 'open invoices: first 100, count, sums', path: FIRST },
  { name: 'open invoices: 100 in the middle', path: `${FIRST}&skip=${count / 2}` },
  { name: 'open invoices by customer', path: `${FIRST}&sort=customerDisplayName` },
  { name: 'open invoices that have a word', path: `${FIRST}&q=00042` },
  { name: 'customers: first 100 with balances', path: '/customer?limit=100' },
  { name: 'customers that have a word', path: '/customer?limit=100&q=00042' },
  { name: 'customers to pick from', path: '/customer/choices' },
  { name: 'customers to pick from that have a word', path: '/customer/choices?q=00042' },
  { name: 'the start page', path: '/dashboard' },
];

/** The requests to lists of so many customers and vendors. */
const asksOfNames = ['customer', 'vendor'].flatMap((path) => [
  { name: `${path}s: first 100, count, balances`, path: `/${path}?limit=100` },
  { name: `${path}s: 100 in the middle`, path: `/${path}?limit=100&skip=${NAMES / 2}` },
  { name: `${path}s by balance`, path: `/${path}?limit=100&sort=currentbalance&desc=true` },
  { name: `${path}s that have a word`, path: `/${path}?limit=100&q=0421` },
  { name: `${path}s to pick from, as one types`, path: `/${path}/choices?q=0421` },
]);

interface Seen {
  milliseconds: number;
  bytes: number;
}

async function timed(client: Client, { path, token }: { path: string; token: string }, rounds: number): Promise<Seen> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = -3; round < rounds; round += 1) {
    const began = performance.now();
    const { status, text } = await client.send('GET', path, { token });
    if (status !== 200) throw new Error(`${path}: ${status}`);
    if (round >= 0) times.push(performance.now() - began);
    bytes = Buffer.byteLength(text);
  }
  return { milliseconds: median(times), bytes };
}

/** The lists of companies with so many open invoices each: what comes first, in the middle, sorted and searched. */
export async function measureLists(server: RunningServer, sizes: readonly number[], rounds: number): Promise<Chapter> {
  const client = openClient(server.url, 1);
  try {
    const companies = [];
    for (const count of sizes) {
      const { companyId, token } = await newCompany(server, nameOf(count));
      const customers = Math.ceil(count / INVOICES_OF_ONE);
      await fill(server.raw, companyId, { customers, vendors: 0, invoices: count });
      companies.push({ count, token });
    }
    const names = await newCompany(server, 'Names');
    await fill(server.raw, names.companyId, { customers: NAMES, vendors: NAMES, invoices: NAMES });
    await server.raw.query('vacuum (analyze) document, document_open_sum, entity, payment');
    const seen = new Map<string, Seen[]>();
    for (const { count, token } of companies) {
      for (const { name, path } of asksOf(count)) {
        seen.set(name, [...(seen.get(name) ?? []), await timed(client, { path, token }, rounds)]);
      }
    }
    const rows = [...seen].map(([name, each]) => [
      name,
      ...each.map((one) => duration(one.milliseconds)),
      sizeOf(each),
    ]);
    const most = Math.max(...sizes);
    const session = await sessionOf(server, nameOf(most));
    const scrolled: string[] = [];
    for (const way of ['wheel', 'leaps'] as const) {
      const seen = await scrollInvoices({ url: server.url, session }, { steps: rounds * FRAMES, way });
      scrolled.push(scrolledWords(most, way, seen), '');
    }
    const heads = sizes.map((count) => `${figure(count)} invoices`);
    const ofNames: [string, Seen][] = [];
    for (const { name, path } of asksOfNames) {
      ofNames.push([name, await timed(client, { path, token: names.token }, rounds)]);
    }
    const text = [
      `Companies with so many open invoices of a twentieth as many customers, over HTTP, medians of ${rounds} rounds.`,
      '',
      table(['answer', ...heads, 'size'], rows),
      '',
      ...scrolled,
      `A company with ${figure(NAMES)} customers, of whom each has an open invoice, and ${figure(NAMES)} vendors.`,
      '',
      table(
        ['answer', 'time', 'size'],
        ofNames.map(([name, one]) => [name, duration(one.milliseconds), sizeOf([one])]),
      ),
    ].join('\n');
    const first = seen.get(asksOf(LIMIT.rows)[0]?.name ?? '')?.[sizes.indexOf(LIMIT.rows)];
    const wanted = `The first rows of ${figure(LIMIT.rows)} open invoices`;
    const aims = first === undefined ? [] : [aimOf(wanted, first, LIMIT)];
    const firstNames = ofNames
      .slice(0, 1)
      .map(([, one]) => aimOf(`The first rows of ${figure(NAMES)} customers`, one, LIMIT_OF_NAMES));
    return { title: 'Lists', text, aims: [...aims, ...firstNames] };
  } finally {
    client.close();
  }
}

const sizeOf = (seen: readonly Seen[]): string => `${figure(Math.max(...seen.map(({ bytes }) => bytes)) / 1000)} kB`;

function aimOf(what: string, { milliseconds, bytes }: Seen, limit: Seen) {
  return {
    wanted: `${what} within ${limit.milliseconds} ms and 60 kB`,
    seen: `${duration(milliseconds)}, ${figure(bytes / 1000)} kB`,
    isMet: milliseconds <= limit.milliseconds && bytes <= limit.bytes,
  };
}
