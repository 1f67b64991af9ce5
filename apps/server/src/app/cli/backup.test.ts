import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entityCalls } from '@evenkeel/contract/entities';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { sendingCalls } from '@evenkeel/contract/sending';
import { bankingCalls } from '@evenkeel/contract/banking';
import { Box, keyFileOf } from '../../platform/db/box.ts';
import { openPool } from '../../platform/db/connect.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { onCitus } from '../../testing/databases.ts';
import { emptyDatabase } from '../../testing/empty-database.ts';
import { backupCommand } from './backup.ts';
import { restoreCommand } from './restore.ts';
import { runLine } from './run.ts';
import { verifyCommand } from './verify.ts';

let t: TestApp;
let folder: string;
let file: string;
const drops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  t = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-backup-'));
  file = join(folder, 'books.backup');
  await post('Cash sale, tab\there\\ and "quotes"', 125.5);
  await bankAccount();
  await queueMail();
  await post('Zweite Buchung – naïve\nline', 0.01);
});
afterAll(async () => {
  await t.close();
  for (const drop of drops) await drop();
  await rm(folder, { recursive: true, force: true });
});

async function post(description: string, amount: number): Promise<void> {
  const line = { description, postingDate: '2026-01-15', amount };
  const generalLedgerEntries = [
    { ...line, accountID: 101, debit: true },
    { ...line, accountID: 140, debit: false },
  ];
  const { token } = t.world.company.administrator;
  const body = { transactionID: 0, entityID: 0, generalLedgerEntries };
  await t.call(ledgerCalls.postTransaction, { token, body });
}

const NUMBER = '000123456789';

/** An email that has not been sent when the backup is created. */
async function queueMail(): Promise<void> {
  const { token } = t.world.company.administrator;
  const body = { name: 'Fairlawn Heights', emailAddress: 'office@fairlawn.example' };
  const { id: customerId } = await t.call(entityCalls.createCustomer, { token, body });
  await t.call(sendingCalls.send, { token, body: { customerId } });
}

/** A bank account with a statement. */
async function bankAccount(): Promise<void> {
  const { token } = t.world.company.administrator;
  const body = { name: 'Savings', accountNumber: NUMBER, glAccountID: 102 };
  const { bankingAccountID } = await t.call(bankingCalls.createBankingAccount, { token, body });
  const statement = { statementDate: '2026-01-31', statementBalance: -5, bankCharge: 5, bankChargeAccountID: 151 };
  const reconciliation = { ...statement, bankAccountID: bankingAccountID };
  await t.call(reconciliationCalls.createReconciliation, { token, body: reconciliation });
  const params = { bankAccountId: bankingAccountID };
  await t.call(reconciliationCalls.saveReconciliationProgress, {
    token,
    params,
    body: { entries: [1], rowVersion: 0 },
  });
}

const evenkeel = (url: string, ...words: string[]) => evenkeelIn({ DATABASE_URL: url }, ...words);

async function evenkeelIn(environment: Record<string, string>, ...words: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runLine([backupCommand, restoreCommand, verifyCommand], words, {
    environment,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, result: out.length === 0 ? undefined : (JSON.parse(out.join('')) as unknown), err: err.join('\n') };
}

/** The test server's maintenance database is used, because roles belong to the whole server. */
const server = (): string => t.databaseUrl.replace(/[^/]*$/, 'postgres');

async function fresh(): Promise<string> {
  const { url, drop } = await emptyDatabase();
  drops.push(drop);
  return url;
}

/** Returns, as text, everything that a restore must recover. */
async function contents(url: string): Promise<unknown> {
  const pool = openPool({ connection: { connectionString: url }, as: 'owner', max: 1 });
  const tables = [
    'app_user',
    'membership',
    'company',
    'setting',
    'role',
    'account',
    'banking_account',
    'reconciliation',
    'reconciliation_line',
    'reconciliation_progress',
    'journal_transaction',
    'journal_line',
    'ledger_head',
    'ledger_total',
    'number_sequence',
    'audit_log',
  ];
  const answers: unknown[] = [];
  for (const table of tables) {
    answers.push((await pool.query(`select r::text from ${table} r order by r::text`)).rows);
  }
  await pool.end();
  return answers;
}

test('a backup without companies fails and leaves no file', async () => {
  const { code, result, err } = await evenkeel(await fresh(), 'backup', file);
  expect([code, result]).toEqual([1, undefined]);
  expect(err).toContain('There are no companies to back up');
  expect(await readdir(folder)).toEqual([]);
});

test('a backup to an impossible path fails with one clear line', async () => {
  const { code, err } = await evenkeel(t.databaseUrl, 'backup', '/proc/none/books.gz');
  expect([code, err.trim().split('\n').at(-1)]).toEqual([1, '/proc/none/books.gz.part: no such file or directory']);
});

test('a restore from a missing file or from a file that is not a backup fails with one clear line', async () => {
  const url = await fresh();
  expect((await evenkeel(url, 'restore', join(folder, 'none'))).err).toContain('does not exist');
  const other = join(folder, 'other');
  await writeFile(other, 'not compressed');
  expect((await evenkeel(url, 'restore', other)).err).toContain('This file is not an Evenkeel backup');
  await writeFile(other, gzipSync('{"evenkeel":2}\n'));
  expect((await evenkeel(url, 'restore', other)).err).toContain('This file is not an Evenkeel backup');
  await rm(other);
});

// Promise (start): A backup restores all books and files byte for byte and verifies them. A damaged or incomplete
// backup restores nothing. [13 kinds of damage]
test('2 companies and 2 postings are restored byte for byte, pass verification, and accept new rows', async () => {
  const made = await evenkeel(t.databaseUrl, 'backup', file);
  expect(made).toMatchObject({ code: 0, result: { file, companies: [1, 2].map(() => expect.any(Number)) } });
  const url = await fresh();
  const warnings: string[] = [];
  const warned = ({ message }: Error) => void warnings.push(message);
  process.on('warning', warned);
  const restored = await evenkeel(url, 'restore', file);
  process.off('warning', warned);
  expect(restored).toMatchObject({ code: 0, result: { ok: true } });
  // The driver warns about statements that are sent while another statement is running.
  expect(warnings).toEqual([]);
  expect(await contents(url)).toEqual(await contents(t.databaseUrl));
  expect(await evenkeel(url, 'verify')).toMatchObject({ code: 0, result: { ok: true } });
  const again = await evenkeel(url, 'restore', file);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('this one contains companies')]);
  const pool = openPool({ connection: { connectionString: url }, as: 'owner', max: 1 });
  const { rows } = await pool.query<{ forced: boolean }>(
    `select bool_and(relforcerowsecurity) as forced from pg_class where relname in ('company', 'journal_line', 'job')`,
  );
  expect(rows).toEqual([{ forced: true }]);
  const user = `insert into app_user (email, first_name, last_name) values ('next@x.example', 'N', 'X') returning id`;
  const highest = await pool.query<{ id: number }>('select max(id) as id from app_user');
  expect((await pool.query<{ id: number }>(user)).rows[0]?.id).toBeGreaterThan(highest.rows[0]?.id ?? 0);
  await pool.end();
});

test.each([
  ['a changed amount', (text: string) => text.replace('\t12550\t', '\t12551\t'), /damaged|balance/],
  [
    'a changed name',
    (text: string) => text.replace('Harbor Supply', 'Harbor Suppla'),
    /the contents of company have changed/,
  ],
  [
    'a missing row',
    (text: string) => text.replace(/\n[^\n]*Petty Cash[^\n]*\n/, '\n'),
    /the contents of account have changed/,
  ],
  ['a truncated end', (text: string) => text.slice(0, -500), /is incomplete|middle of a table|unexpected end/],
  [
    'a different version',
    (text: string) => text.replace('"migrations":[', '"migrations":["20300101_x.sql",'),
    /version/,
  ],
])('a backup with %s restores nothing', async (_, damage, message) => {
  const url = await fresh();
  const damaged = join(folder, 'damaged');
  await writeFile(damaged, gzipSync(damage(gunzipSync(await readFile(file)).toString('utf8'))));
  const { code, err } = await evenkeel(url, 'restore', damaged);
  expect([code, err]).toEqual([1, expect.stringMatching(message)]);
  const pool = openPool({ connection: { connectionString: url }, as: 'owner', max: 1 });
  expect((await pool.query('select from app_user')).rowCount).toBe(0);
  await pool.end();
});

const after = (extra: Buffer | string) => (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(extra)]);

test.each([
  ['a line after its end', (bytes: Buffer) => gzipSync(`${gunzipSync(bytes).toString('utf8')}one more\n`)],
  ['text without a line break after its end', (bytes: Buffer) => gzipSync(`${gunzipSync(bytes).toString('utf8')}x`)],
  ['a second archive after its end', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
  ['zeros after its end', after(Buffer.alloc(7))],
  ['other bytes after its end', after('#')],
  ['a line break after its end', after('\n')],
  ['the last bytes missing', (bytes: Buffer) => bytes.subarray(0, -3)],
  ['the last byte missing', (bytes: Buffer) => bytes.subarray(0, -1)],
])('a damaged backup with %s restores nothing', async (_, damage) => {
  const url = await fresh();
  const damaged = join(folder, 'damaged');
  await writeFile(damaged, damage(await readFile(file)));
  const { code, err } = await evenkeel(url, 'restore', damaged);
  expect([code, err]).toEqual([1, expect.stringMatching(/^The backup is damaged: .+$/m)]);
  const pool = openPool({ connection: { connectionString: url }, as: 'owner', max: 1 });
  expect((await pool.query('select from app_user')).rowCount).toBe(0);
  await pool.end();
});

test('account numbers in a backup are encrypted, --key makes them readable, and no email is sent twice', async () => {
  const text = gunzipSync(await readFile(file)).toString('utf8');
  expect(text).not.toContain(NUMBER);
  expect(text).not.toContain(Buffer.from(NUMBER).toString('hex'));
  const key = join(folder, 'their.key');
  await writeFile(key, t.services.config.secretKey ?? '');
  const [url, dataDir] = [await fresh(), await mkdtemp(join(folder, 'data-'))];
  const environment = { DATABASE_URL: url, DATA_DIR: dataDir };
  const wrong = join(folder, 'wrong.key');
  await writeFile(wrong, 'short');
  expect((await evenkeelIn(environment, 'restore', file, '--key', wrong)).err).toMatch(
    /wrong.key must contain 32 bytes/,
  );
  expect(await evenkeelIn(environment, 'restore', file, '--key', key)).toMatchObject({ code: 0 });
  expect((await stat(keyFileOf(dataDir))).mode & 0o777).toBe(0o600);
  const pool = openPool({ connection: { connectionString: url }, as: 'owner', max: 1 });
  const { rows } = await pool.query<{ company: number; id: number; sealed: Buffer }>(
    'select company_id as company, id, account_number_box as sealed from banking_account where name = $1',
    ['Savings'],
  );
  const mail = await pool.query<{ state: string }>('select state from mail_recipient');
  await pool.end();
  // The email could have been sent after the backup was created, so it is not sent again automatically.
  expect(mail.rows).toEqual([{ state: 'unsure' }]);
  const [row] = rows;
  if (row === undefined) throw new Error('the bank account is missing');
  const place = { companyId: row.company, table: 'banking_account', column: 'account_number_box', rowId: row.id };
  expect(new Box(keyFileOf(dataDir)).open(place, row.sealed)).toBe(NUMBER);
  expect(new Box(join(folder, 'none.key')).open(place, row.sealed)).toBeUndefined();
});

test('a restore with --key restores nothing if another key already exists', async () => {
  const [url, dataDir] = [await fresh(), await mkdtemp(join(folder, 'data-'))];
  const key = join(folder, 'third.key');
  await writeFile(key, Buffer.alloc(32, 3));
  await writeFile(keyFileOf(dataDir), Buffer.alloc(32, 4));
  const refused = await evenkeelIn({ DATABASE_URL: url, DATA_DIR: dataDir }, 'restore', file, '--key', key);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('already has a different key')]);
  const inEnvironment = { DATABASE_URL: url, SECRET_KEY: '04'.repeat(32) };
  expect((await evenkeelIn(inEnvironment, 'restore', file, '--key', key)).err).toContain('(SECRET_KEY)');
  expect((await evenkeelIn({ DATABASE_URL: url }, 'restore', file, '--key', join(folder, 'nowhere'))).err).toContain(
    'does not exist',
  );
});

test('a folder is rejected as a backup', async () => {
  expect(await evenkeel(await fresh(), 'restore', folder)).toMatchObject({
    code: 1,
    err: expect.stringContaining('This file is not an Evenkeel backup'),
  });
});

// On Citus, the owner is a superuser (docs/operations.md).
test.skipIf(onCitus)('an owner who is not a superuser can back up and restore despite row-level security', async () => {
  const { url, drop } = await emptyDatabase();
  const owner = openPool({ connection: { connectionString: url }, as: 'owner', max: 1 });
  const role = `plain_${process.pid}`;
  await owner.query(`create role ${role} login nosuperuser nobypassrls`);
  await owner.query(`grant evenkeel_app to ${role} with admin option`);
  await owner.query(`grant create on schema public to ${role}`);
  await owner.end();
  drops.push(async () => {
    await drop();
    const pool = openPool({ connection: { connectionString: server() }, as: 'owner', max: 1 });
    await pool.query(`drop role ${role}`);
    await pool.end();
  });
  const plain = new URL(url);
  plain.username = role;
  expect(await evenkeel(plain.href, 'restore', file)).toMatchObject({ code: 0, result: { ok: true } });
  const second = join(folder, 'second');
  expect(await evenkeel(plain.href, 'backup', second)).toMatchObject({ code: 0 });
  const without = (bytes: Buffer) => gunzipSync(bytes).toString('utf8').split('\n').slice(1);
  expect(without(await readFile(second)).length).toBe(without(await readFile(file)).length);
});
