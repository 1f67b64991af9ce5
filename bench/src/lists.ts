import type { Pool } from 'pg';
import { type Client, openClient } from './client.ts';
import { newCompany, sessionOf } from './company.ts';
import { type Chapter, duration, figure, median, table } from './figures.ts';
import { scrolledWords, scrollInvoices } from './scroll.ts';
import type { RunningServer } from './server.ts';

/** The number of open invoices per customer. */
const INVOICES_OF_ONE = 20;
const FIRST = '/billinginvoice?limit=100';
/** The number of frames for which the long list is scrolled in each round. */
const FRAMES = 20;
const nameOf = (count: number): string => `Lists ${count}`;
/**
 * The target for the first rows, word searches, and counts with totals: 50 ms and 60 kB regardless of the number of
 * rows.
 */
const LIMIT = { milliseconds: 50, bytes: 60_000 };
/** The number of customers, which is also the number of vendors, in the company whose name lists are measured. */
const NAMES = 50_000;
/** The target for a user's request, which is a response within 100 ms. */
const LIMIT_OF_NAMES = { milliseconds: 100, bytes: 60_000 };

/** Kind 0 is for customers, and kind 1 is for vendors. */
const insertEntities = `
  insert into entity (company_id, kind, displayname, name, email_address)
  select $1::bigint, $3::int, name, name, 'c' || n || '@customer.example'
  from (
    select n, case $3::int when 0 then 'Customer ' else 'Vendor ' end || to_char(n, 'FM00000') as name
    from generate_series(1, $2::int) n) made`;

// Inserts two years of open invoices or bills. Accounts 138 and 139 are the receivables and payables.
const insertDocuments = `
  with known as (
    select array_agg(id) as ids from entity where company_id = $1 and kind = $3::int)
  insert into document (company_id, kind, side, document_number, document_date, invoice_date, due_date, entity_id,
    status, control_account_id, sales_tax_cents, total_cents, open_cents, applied_cents, entry_date)
  select $1::bigint, case $3::int when 0 then 'invoice' else 'expense' end,
    case $3::int when 0 then 'receivable' else 'payable' end, case $3::int when 0 then '' else 'B-' end || (20000 + n),
    date '2024-01-01' + n * 7 % 730, case $3::int when 0 then null else date '2024-01-01' + n * 7 % 730 end,
    date '2024-01-31' + n * 7 % 730, k.ids[1 + n % cardinality(k.ids)], 2, 138 + $3::int, 0,
    100 + n * 7919::bigint % 90000, 100 + n * 7919::bigint % 90000, 0, date '2024-01-01'
  from generate_series(1, $2::int) n, known k`;

// Inserts customer payments over the same two years. They all go into the first bank account and are unapplied.
const insertPayments = `
  with known as (
    select array_agg(id) as ids, (select min(id) from banking_account where company_id = $1) as bank
    from entity where company_id = $1 and kind = 0)
  insert into payment (company_id, side, payment_number, reference_number, entity_id, payment_date, amount_cents,
    unapplied_cents, applied_cents, bank_account_id, gl_account_id, control_account_id, entry_date)
  select $1::bigint, 'receivable', n::text, 'ref ' || n, k.ids[1 + n % cardinality(k.ids)],
    date '2024-01-01' + n * 7 % 730, 100 + n * 7919::bigint % 90000, 100 + n * 7919::bigint % 90000, 0, k.bank, 101,
    138, date '2024-01-01'
  from generate_series(1, $2::int) n, known k`;

interface Amounts {
  customers: number;
  vendors: number;
  invoices: number;
  bills: number;
  payments: number;
}

/** Writes names, open documents, and payments. No journal is needed, because lists and searches don't read it. */
export async function fill(pool: Pool, companyId: number, amounts: Amounts): Promise<void> {
  const { customers, vendors, invoices, bills, payments } = amounts;
  const client = await pool.connect();
  try {
    // If the company is set, the database updates the totals of open documents and the search entries, as it does for
    // the server.
    await client.query(`begin; set local app.company_id = '${companyId}'`);
    await client.query(insertEntities, [companyId, customers, 0]);
    await client.query(insertEntities, [companyId, vendors, 1]);
    await client.query(insertDocuments, [companyId, invoices, 0]);
    await client.query(insertDocuments, [companyId, bills, 1]);
    await client.query(insertPayments, [companyId, payments]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const HISTORY = '/BillingInvoiceHistory?limit=100';
const TWO_YEARS = JSON.stringify({ fromDate: '2024-01-01', toDate: '2025-12-31' });

interface ListRequest {
  name: string;
  path: string;
  /** The body of a PUT that only reads. */
  body?: string;
  /** Whether there is a target for the request. */
  isAim?: true;
  /** The reason why the target may be missed. */
  why?: string;
}

/** Returns the list requests for this number of invoices, bills, and payments. */
const asksOf = (count: number): ListRequest[] => [
  { name: 'open invoices: first 100, count, sums', path: FIRST, isAim: true },
  { name: 'open invoices: 100 in the middle', path: `${FIRST}&skip=${count / 2}` },
  { name: 'open invoices by customer', path: `${FIRST}&sort=customerDisplayName` },
  { name: 'open invoices that have a word', path: `${FIRST}&q=00042`, isAim: true },
  { name: 'open invoices that have a word of all of them', path: `${FIRST}&q=customer` },
  { name: 'invoices of all years that have a word', path: `${FIRST}&status=all&q=00042`, isAim: true },
  { name: 'invoices of two years by date that have a word', path: `${HISTORY}&q=00042`, body: TWO_YEARS, isAim: true },
  { name: 'open bills: first 100, count, sums', path: '/expenseinvoice?limit=100', isAim: true },
  { name: 'bills of all years that have a word', path: '/expenseinvoice?limit=100&status=all&q=00042', isAim: true },
  {
    name: 'payments: first 100, count, sums',
    path: '/billingpayment?limit=100',
    isAim: true,
    why: 'The counts of the list and of its filters add up all payments. The totals of invoices and bills are stored.',
  },
  { name: 'payments that have a word', path: '/billingpayment?limit=100&q=00042', isAim: true },
  { name: 'customers: first 100 with balances', path: '/customer?limit=100', isAim: true },
  { name: 'customers that have a word', path: '/customer?limit=100&q=00042', isAim: true },
  { name: 'customers to pick from', path: '/customer/choices' },
  { name: 'customers to pick from that have a word', path: '/customer/choices?q=00042' },
  { name: 'the start page', path: '/dashboard' },
];

/** The requests for lists of customers and vendors. */
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

async function timed(client: Client, asked: ListRequest & { token: string }, rounds: number): Promise<Seen> {
  const { path, token, body } = asked;
  const asking = { token, ...(body === undefined ? {} : { body }) };
  const times: number[] = [];
  let bytes = 0;
  for (let round = -3; round < rounds; round += 1) {
    const began = performance.now();
    const { status, text } = await client.send(body === undefined ? 'GET' : 'PUT', path, asking);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    if (round >= 0) times.push(performance.now() - began);
    bytes = Buffer.byteLength(text);
  }
  return { milliseconds: median(times), bytes };
}

/**
 * Measures the lists of companies with these numbers of open invoices: the first page, the middle, sorting, and
 * searches.
 */
export async function measureLists(server: RunningServer, sizes: readonly number[], rounds: number): Promise<Chapter> {
  const client = openClient(server.url, 1);
  try {
    const companies = [];
    for (const count of sizes) {
      const { companyId, token } = await newCompany(server, nameOf(count));
      const customers = Math.ceil(count / INVOICES_OF_ONE);
      await fill(server.raw, companyId, {
        customers,
        vendors: customers,
        invoices: count,
        bills: count,
        payments: count,
      });
      companies.push({ count, token });
    }
    const names = await newCompany(server, 'Names');
    await fill(server.raw, names.companyId, {
      customers: NAMES,
      vendors: NAMES,
      invoices: NAMES,
      bills: 0,
      payments: 0,
    });
    await server.raw.query('vacuum (analyze) document, document_open_sum, entity, payment, search_entry');
    const seen = new Map<string, Seen[]>();
    for (const { count, token } of companies) {
      for (const one of asksOf(count)) {
        seen.set(one.name, [...(seen.get(one.name) ?? []), await timed(client, { ...one, token }, rounds)]);
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
    const heads = sizes.map((count) => `${figure(count)} of each`);
    const ofNames: [string, Seen][] = [];
    for (const one of asksOfNames) {
      ofNames.push([one.name, await timed(client, { ...one, token: names.token }, rounds)]);
    }
    const text = [
      'Companies with so many open invoices, open bills and payments of a twentieth as many customers and vendors,',
      `over HTTP, medians of ${rounds} rounds.`,
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
    const aims = asksOf(most)
      .filter(({ isAim }) => isAim === true)
      .flatMap(({ name, why }) => {
        const one = seen.get(name)?.[sizes.indexOf(most)];
        if (one === undefined) return [];
        return [{ ...aimOf(`${figure(most)} of each, ${name}`, one, LIMIT), ...(why === undefined ? {} : { why }) }];
      });
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
    wanted: `${what}: at most ${limit.milliseconds} ms and 60 kB`,
    seen: `${duration(milliseconds)}, ${figure(bytes / 1000)} kB`,
    isMet: milliseconds <= limit.milliseconds && bytes <= limit.bytes,
  };
}
