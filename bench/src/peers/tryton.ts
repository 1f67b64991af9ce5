import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cents, fromPlain, ZERO } from '@evenkeel/core/money';
import { openPool } from '@evenkeel/server/platform/db/connect';
import * as z from 'zod';
import { root, say } from '../../../scripts/checkout.mjs';
import type { Books } from '../books.ts';
import { BOOKS } from '../fill.sql.ts';
import type { RunningServer } from '../server.ts';
import { type Peer, type Poster, RECEIVABLE, type ReportName, SERVER_REPEATS } from './peer.ts';

const run = promisify(execFile);

/** Programs of Debian's packages tryton-server, tryton-modules-account-invoice, tryton-proteus, and gunicorn. */
const PYTHON = '/usr/bin/python3';
const PROGRAMS = ['/usr/bin/trytond-admin', '/usr/bin/gunicorn', '/usr/lib/python3/dist-packages/proteus'];
const MODULE = '/usr/lib/python3/dist-packages/trytond/modules/account_invoice';

const PASSWORD = 'ledger of the long afternoon';
const Ids = z.object({
  company: z.number(),
  currency: z.number(),
  party: z.number(),
  address: z.number(),
  receivable: z.number(),
  journal: z.number(),
  tax: z.number(),
  asset: z.number(),
  accounts: z.record(z.string(), z.number()),
  periods: z.record(z.string(), z.number()),
  statements: z.object({ balance: z.array(z.number()), income: z.array(z.number()) }),
});
type Ids = z.output<typeof Ids>;

const Decimal = z.object({ decimal: z.string() }).transform(({ decimal }) => fromPlain(Number(decimal).toFixed(2)));

/** A running Tryton with a database for invoices and one for each of the books. */
export interface Tryton {
  /** Creates and posts an invoice with the same lines as Evenkeel's. */
  poster: Poster;
  peers: ReadonlyMap<Books, Peer>;
}

/** Returns why Tryton can't be started, or undefined. */
export const missingTryton = (): string | undefined =>
  [...PROGRAMS, MODULE].every((path) => existsSync(path))
    ? undefined
    : 'Tryton is not installed (Debian: tryton-server tryton-modules-account-invoice tryton-proteus gunicorn)';

type Call = (method: string, ...parameters: readonly unknown[]) => Promise<unknown>;

const Reply = z.union([z.object({ error: z.unknown() }), z.object({ result: z.unknown() })]);

/** Signs in to a database. The result calls a method of Tryton's JSON-RPC, and throws if Tryton rejects the call. */
async function signIn(address: string, database: string): Promise<Call> {
  let session = '';
  let id = 0;
  const call: Call = async (method, ...params) => {
    const reply = await fetch(`${address}/${database}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(session === '' ? {} : { authorization: session }) },
      body: JSON.stringify({ id: (id += 1), method, params }),
    });
    const text = await reply.text();
    const answer = reply.ok ? Reply.parse(JSON.parse(text)) : { error: text };
    if ('error' in answer) throw new Error(`Tryton rejected ${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  };
  const [user, token] = z
    .tuple([z.number(), z.string()])
    .parse(await call('common.db.login', 'admin', { password: PASSWORD }, 'en'));
  session = `Session ${Buffer.from(`admin:${user}:${token}`).toString('base64')}`;
  return call;
}

const decimal = (text: string) => ({ __class__: 'Decimal', decimal: text });
const day = (date: string) => {
  const [year, month, of] = date.split('-').map(Number);
  return { __class__: 'date', year, month, day: of };
};

/** Repeats a call while another one holds Tryton's invoice numbers, because Tryton rejects it instead of waiting. */
async function untilFree(post: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await post();
      return;
    } catch (error) {
      if (!/could not (obtain lock|serialize access)/.test(String(error))) throw error;
    }
  }
}

async function postInvoice(call: Call, ids: Ids, today: string): Promise<Cents> {
  const line = (description: string, account: string, quantity: number, price: string) => ({
    type: 'line',
    description,
    quantity,
    unit_price: decimal(price),
    account: ids.accounts[account],
    taxes: [['add', [ids.tax]]],
  });
  const invoice = {
    type: 'out',
    party: ids.party,
    invoice_address: ids.address,
    account: ids.receivable,
    journal: ids.journal,
    currency: ids.currency,
    company: ids.company,
    invoice_date: day(today),
    lines: [
      [
        'create',
        [
          line('Spring clean-up, front and back', '140', 2, '125.5'),
          line('Mulch, per yard, delivered', '141', 3, '48.25'),
        ],
      ],
    ],
  };
  const context = { company: ids.company };
  const created = await call('model.account.invoice.create', [invoice], context);
  await untilFree(() => call('model.account.invoice.post', created, context));
  const read = await call('model.account.invoice.read', created, ['total_amount'], context);
  return z.array(z.object({ total_amount: Decimal })).parse(read)[0]?.total_amount ?? ZERO;
}

/** Runs a report, with one call that reads all of its lines. Returns the figure that is compared (`Peer`). */
async function runReport(call: Call, ids: Ids, report: ReportName): Promise<Cents> {
  const end = { company: ids.company, date: day(BOOKS.to), cumulate: true };
  const amounts = async (types: readonly number[], context: object) =>
    z
      .array(z.object({ id: z.number(), name: z.string(), amount: Decimal }))
      .parse(await call('model.account.account.type.read', types, ['name', 'amount'], context));
  if (report === 'Trial Balance') {
    const codes = Object.values(ids.accounts);
    const read = await call('model.account.account.read', codes, ['code', 'name', 'balance'], end);
    const rows = z.array(z.object({ name: z.string(), balance: Decimal })).parse(read);
    return rows.find(({ name }) => name.includes(RECEIVABLE))?.balance ?? ZERO;
  }
  if (report === 'Balance Sheet') {
    const rows = await amounts(ids.statements.balance, end);
    return rows.find(({ id }) => id === ids.asset)?.amount ?? ZERO;
  }
  const year = { company: ids.company, from_date: day(BOOKS.lastYear), to_date: day(BOOKS.to) };
  return (await amounts(ids.statements.income, year)).find(({ name }) => name === 'Income')?.amount ?? ZERO;
}

/** The journal of a company on the accrual basis, which is copied without Tryton's rules. */
const COPIED = `
  select t.id, t.posting_date as date, t.description as text, l.id as line, l.account_id as account,
    greatest(l.amount_cents, 0) / 100.0 as debit, greatest(-l.amount_cents, 0) / 100.0 as credit
  from journal_transaction t join journal_line l on l.company_id = t.company_id and l.transaction_id = t.id
  where t.company_id = $1 and l.basis in ('A', 'B') order by l.id`;

const MOVES = `
  insert into account_move (id, company, period, journal, date, number, post_number, description, state)
  select distinct on (copied.id) copied.id, $1::int, ($2::jsonb ->> to_char(date, 'YYYY-MM-01'))::int, $3::int, date,
    copied.id::text as number, copied.id::text as posted, text, 'posted'
  from jsonb_to_recordset($4::jsonb) as copied (id int, date date, text text)`;

const LINES = `
  insert into account_move_line (id, move, account, debit, credit, description, state)
  select line, id, ($1::jsonb ->> account)::int, debit, credit, text, 'valid'
  from jsonb_to_recordset($2::jsonb) as copied (id int, line int, account text, debit numeric, credit numeric,
    text text)`;

async function copyBooks(server: RunningServer, books: Books, database: string, ids: Ids): Promise<void> {
  const { rows } = await server.raw.query(COPIED, [books.companyId]);
  const pool = openPool({ connection: { ...server.database.connection, database }, as: 'owner', max: 1 });
  try {
    const copied = JSON.stringify(rows);
    await pool.query(MOVES, [ids.company, JSON.stringify(ids.periods), ids.journal, copied]);
    await pool.query(LINES, [JSON.stringify(ids.accounts), copied]);
    await pool.query('vacuum (analyze)');
  } finally {
    await pool.end();
  }
}

const ACCOUNTS = `
  select id::text as code, account_name as name, root from account where company_id = $1 order by id`;

/** Creates a database with a company, the accounts of these books, and fiscal years. */
async function createDatabase(server: RunningServer, { companyId }: Books, config: string): Promise<Ids> {
  await server.raw.query('create database tryton');
  const password = join(server.folder, 'tryton-password');
  await writeFile(password, `${PASSWORD}\n`);
  const admin = ['-c', config, '-d', 'tryton', '--all', '--email', 'owner@books.example'];
  await run(PROGRAMS[0] ?? '', admin, { env: { ...process.env, TRYTONPASSFILE: password } });
  const { rows: accounts } = await server.raw.query(ACCOUNTS, [companyId]);
  const years = [2023, 2024, 2025, new Date().getUTCFullYear()];
  const preparing = run(PYTHON, [join(root, 'bench/src/peers/tryton.py')]);
  preparing.child.stdin?.end(JSON.stringify({ uri: `${addressOf(server)}tryton`, config, accounts, years }));
  const { stdout } = await preparing;
  return Ids.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}

function addressOf({ database: { connection } }: RunningServer): string {
  const { host, port, user, password = '' } = connection;
  return `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function startGunicorn(config: string): Promise<{ address: string; child: ChildProcess }> {
  const port = await freePort();
  const flags = ['--workers', '2', '--bind', `127.0.0.1:${port}`, '--log-level', 'error', 'trytond.application:app'];
  const env = { ...process.env, TRYTOND_CONFIG: config };
  const child = spawn(PROGRAMS[1] ?? '', flags, { env, stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) break;
    const isListening = await fetch(address).then(
      () => true,
      () => false,
    );
    if (isListening) return { address, child };
    await sleep(200);
  }
  throw new Error('gunicorn did not start');
}

/** Starts Tryton on Evenkeel's PostgreSQL, with two processes under gunicorn, and copies the books. */
export async function startTryton(server: RunningServer, all: readonly Books[]): Promise<Tryton> {
  const [first] = all;
  if (first === undefined) throw new Error('there are no books');
  say('Preparing Tryton…');
  const config = join(server.folder, 'trytond.conf');
  const files = join(server.folder, 'tryton');
  await mkdir(files);
  await writeFile(config, `[database]\nuri = ${addressOf(server)}\npath = ${files}\n[session]\ntimeout = 86400\n`);
  const ids = await createDatabase(server, first, config);
  for (const books of all) {
    const database = `tryton_${books.companyId}`;
    await server.raw.query(`create database ${database} template tryton`);
    await copyBooks(server, books, database, ids);
  }
  const { address, child } = await startGunicorn(config);
  const call = await signIn(address, 'tryton');
  const peers = new Map<Books, Peer>();
  for (const books of all) {
    const ask = await signIn(address, `tryton_${books.companyId}`);
    peers.set(books, { name: 'Tryton', repeats: SERVER_REPEATS, report: (report) => runReport(ask, ids, report) });
  }
  const today = new Date().toISOString().slice(0, 10);
  return {
    poster: {
      name: 'Tryton',
      post: () => postInvoice(call, ids, today),
      stop: async () => {
        const ended = new Promise((done) => child.on('exit', done));
        child.kill('SIGTERM');
        await ended;
      },
    },
    peers,
  };
}
