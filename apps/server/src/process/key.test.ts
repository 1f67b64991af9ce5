import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { totpCode, stepOf } from '../across/auth/totp.ts';
import { type FakeStripe, startFakeStripe } from '../testing/fake-stripe.ts';
import { emptyDatabase } from '../testing/empty-database.ts';
import { createCompany, EMAIL, must, PASSWORD, signIn, verify } from './testing/client.ts';
import { Installation, PATIENCE_MS, type Server } from './testing/installation.ts';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const TAX_ID = '34-1234567';
const WEBHOOK_SECRET = `whsec_${'k'.repeat(30)}`;

let installation: Installation;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let owner: pg.Client;
let environment: { DATABASE_URL: string; DATA_DIR: string; STRIPE_API_URL: string };
let stripe: FakeStripe;
let secret: string;
let account: number;
let vendor: number;
let proofKey: { publicKey: string };

beforeAll(async () => {
  [installation, database, stripe] = await Promise.all([Installation.make(), emptyDatabase(), startFakeStripe()]);
  environment = { DATABASE_URL: database.url, DATA_DIR: installation.dataDir(), STRIPE_API_URL: stripe.url };
  await createCompany(installation, environment);
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await stripe.close();
  await installation.remove();
  await database.drop();
});

const fileOf = (name: string): string => join(environment.DATA_DIR, name);
const keyFile = () => fileOf('secret.key');
const rotate = (...args: string[]) => installation.cli(environment, 'key', 'rotate', ...args);

/** Returns the format and key ID at the start of each encrypted value. */
async function keyIds(): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(`
    select distinct encode(substring(box from 1 for 5), 'hex') as id from (
      select account_number_box from banking_account union all select number_box from bank_file_account
      union all select secret_box from second_factor union all select private_key_box from proof_key
      union all select secret_box from webhook_endpoint union all select old_secret_box from webhook_endpoint
      union all select tax_id_box from vendor_tax union all select tax_id_box from form_1099_payer
      union all select tax_id_box from form_1099 union all select key_box from online_connection
      union all select secret_box from online_connection
    ) all_of_them (box)
    where box is not null`);
  return rows.map(({ id }) => id);
}

/**
 * Starts a server with this environment. The server decrypts the account number, the authenticator secret, and the key
 * that signs proofs.
 */
async function reads(server: Server): Promise<void> {
  await owner.query('delete from rate_limit; update second_factor set last_step = 0');
  const code = totpCode(secret, stepOf(Date.now() / 1000));
  const body = { email: EMAIL, password: PASSWORD, code };
  const { token } = await must<{ token: string }>(server.address, '/api/login', { body });
  const accounts = await must<{ bankingAccountID: number; isNumberLost: boolean; accountNumber: string }[]>(
    server.address,
    '/api/bankingaccount',
    { token },
  );
  const found = accounts.find(({ bankingAccountID }) => bankingAccountID === account);
  expect(found).toMatchObject({ isNumberLost: false, accountNumber: expect.stringContaining('6789') });
  expect(await must(server.address, '/api/booksproof/key', { token })).toEqual(proofKey);
  const shown = await must(server.address, `/api/vendor/${vendor}/taxid`, { token, body: {} });
  expect(shown).toEqual({ taxId: TAX_ID });
  await takesEvents(server);
}

/**
 * Makes the server decrypt the webhook secret to check an event, and the Stripe API key to read the charge that the
 * event reports.
 */
async function takesEvents({ address }: Server): Promise<void> {
  stripe.charge(500);
  const [event] = stripe.events.slice(-1);
  if (event === undefined) throw new Error('no event');
  const { body, signature } = stripe.sign(event, WEBHOOK_SECRET);
  const { rows } = await owner.query<{ id: string }>('select company_id as id from online_connection');
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const answer = await fetch(`${address}/hooks/stripe/${rows[0]?.id}`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  // The job reads the charge from Stripe with the API key.
  const posted = async () => (await owner.query('select from online_event where handled_at is null')).rows.length === 0;
  await vi.waitUntil(posted, { timeout: 60_000, interval: 200 });
}

async function whileRunning(work: (server: Server) => Promise<void>): Promise<void> {
  const server = await installation.start(environment);
  await work(server).finally(() => server.stop());
}

test('a key rotation includes every column that has encrypted values', async () => {
  const { rows } = await owner.query<{ name: string }>(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name ~ '_box$' order by 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    'bank_file_account.number_box',
    'banking_account.account_number_box',
    'form_1099.tax_id_box',
    'form_1099_payer.tax_id_box',
    'online_connection.key_box',
    'online_connection.secret_box',
    'proof_key.private_key_box',
    'second_factor.secret_box',
    'vendor_tax.tax_id_box',
    'webhook_endpoint.old_secret_box',
    'webhook_endpoint.secret_box',
  ]);
});

test('a key rotation needs a stopped server, keeps the old key if killed, and re-encrypts all data', async () => {
  await whileRunning(async (server) => {
    const token = await signIn(server.address);
    const body = { name: 'Safe', accountNumber: '000123456789', glAccountID: 102 };
    ({ bankingAccountID: account } = await must<{ bankingAccountID: number }>(server.address, '/api/bankingaccount', {
      token,
      body,
    }));
    ({ secret } = await must<{ secret: string }>(server.address, '/api/account/secondfactor', {
      token,
      body: { password: PASSWORD },
    }));
    proofKey = await must(server.address, '/api/booksproof/key', { token });
    const hook = { name: 'Shop', url: 'https://shop.example', events: ['invoice.created'] };
    const made = await must<{ record: { id: number } }>(server.address, '/api/webhooks', { token, body: hook });
    await must(server.address, `/api/webhooks/${made.record.id}/secret`, { token, body: {} });
    const seller = { name: 'Valley Nursery', emailAddress: 'orders@valley.example' };
    ({ id: vendor } = await must<{ id: number }>(server.address, '/api/vendor', { token, body: seller }));
    const tax = { is1099: true, taxId: TAX_ID, taxIdKind: 'ein' };
    await must(server.address, `/api/vendor/${vendor}/tax`, { method: 'PUT', token, body: tax });
    const connection = { key: stripe.key, webhookSecret: WEBHOOK_SECRET, password: PASSWORD };
    await must(server.address, '/api/onlinepayments/connection', { method: 'PUT', token, body: connection });
    const code = totpCode(secret, stepOf(Date.now() / 1000));
    await must(server.address, '/api/account/secondfactor', { method: 'PUT', token, body: { code } });
    const refused = await rotate();
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('A server is using this database')]);
  });
  const [old, ids] = [readFileSync(keyFile()), await keyIds()];
  expect(ids).toHaveLength(1);

  // The rotation is killed after it has encrypted some rows and while it waits for a row that another connection has
  // locked.
  await owner.query('begin');
  await owner.query('select from second_factor for update');
  const killed = installation.run('cli.js', ['key', 'rotate'], environment);
  // Other test files use other databases on the same server, and their locks don't count. A row lock doesn't identify a
  // database, but the process that waits for it also has table locks, which do.
  const waiting = `
    select from pg_locks l where not l.granted and exists (
      select from pg_locks own join pg_database d on d.oid = own.database
      where own.pid = l.pid and d.datname = current_database())`;
  await vi.waitUntil(async () => (await owner.query(waiting)).rows.length > 0, { timeout: 60_000, interval: 100 });
  killed.child.kill('SIGKILL');
  await killed.ended;
  await owner.query('rollback');
  expect(readFileSync(keyFile()).equals(old)).toBe(true);
  expect(existsSync(fileOf('secret.key.new'))).toBe(true);
  await whileRunning(reads);
  expect(await keyIds()).toEqual(ids);

  const begun = readFileSync(fileOf('secret.key.new'));
  const done = await rotate();
  expect([done.code, done.code === 0 ? '' : done.err]).toEqual([0, '']);
  expect(done.result).toMatchObject({ sealed: 9, unreadable: 0 });
  // The rotation uses the new key from the killed run.
  expect(readFileSync(keyFile()).equals(begun)).toBe(true);
  const kept = readdirSync(environment.DATA_DIR).find((name) => /^secret\.key\.[\da-f]{8}$/.test(name)) ?? '';
  expect(readFileSync(fileOf(kept)).equals(old)).toBe(true);
  const now = await keyIds();
  expect(now).toHaveLength(1);
  expect(now).not.toEqual(ids);

  // This is the state if the process is killed after the commit but before the key files are replaced.
  renameSync(keyFile(), fileOf('secret.key.new'));
  renameSync(fileOf(kept), keyFile());
  await whileRunning(reads);
  expect(readFileSync(keyFile()).equals(begun)).toBe(true);
  await verify(installation, environment);

  // A process with the old key does not start.
  const stale = { ...environment, SECRET_KEY: old.toString('hex') };
  const program = installation.run('main.js', [], { PORT: '0', ...stale });
  expect([await program.ended, program.err()]).toEqual([1, expect.stringContaining('SECRET_KEY was replaced by')]);
});

test('with SECRET_KEY, the new key is written to a file as text, and a repeated run prints the same key', async () => {
  const own = { ...environment, SECRET_KEY: readFileSync(keyFile()).toString('hex') };
  const without = await installation.cli(own, 'key', 'rotate');
  expect([without.code, without.err]).toEqual([1, expect.stringContaining('--new-key FILE is required')]);
  const file = join(installation.root, 'new.key');
  const first = await installation.cli(own, 'key', 'rotate', '--new-key', file);
  expect([first.code, first.result]).toEqual([0, expect.objectContaining({ key: file, sealed: 9 })]);
  const again = await installation.cli(own, 'key', 'rotate', '--new-key', file);
  expect([again.code, again.result]).toEqual([0, expect.objectContaining({ key: file, sealed: 0 })]);
  const next = readFileSync(file, 'utf8').trim();
  expect(next).toMatch(/^[\da-f]{64}$/);
  const server = await installation.start({ ...environment, SECRET_KEY: next });
  await reads(server).finally(() => server.stop());

  writeFileSync(file, 'no key');
  const wrong = await installation.cli({ ...environment, SECRET_KEY: next }, 'key', 'rotate', '--new-key', file);
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('must contain 32 bytes')]);
  const other = { ...environment, SECRET_KEY: '5a'.repeat(32) };
  const stranger = await installation.cli(other, 'key', 'rotate', '--new-key', join(installation.root, 'other.key'));
  expect([stranger.code, stranger.err]).toEqual([1, expect.stringContaining('is not the key that encrypted')]);
});
