import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildApp } from '../app.ts';
import { loadLegal } from '../auth/legal.ts';
import { ArchiveReader, type Section } from '../cli/archive.ts';
import { copyInText, forceSecurity, listTables, moveSequences } from '../cli/tables.sql.ts';
import { openPool, type Pool } from '../db/connect.ts';
import { copyIn } from '../db/copy.ts';
import { openBox } from '../db/box.ts';
import { migrate } from '../db/migrate.ts';
import { verifyCompany } from '../ledger/verify.ts';
import { serverRoot } from '../root.ts';
import { demoToken, reportTexts } from '../testing/released/books.ts';
import { testConfig, testTuning } from '../testing/settings.ts';

const RELEASE = '20261121';
const released = join(import.meta.dirname, '../testing/released', RELEASE);

const { server, template } = inject('ground');
const name = `${template}_released_${process.pid}`;
const connection = { connectionString: `${server}/${name}` };
const maintenance = openPool({ connection: { connectionString: `${server}/postgres` }, as: 'owner', max: 1 });
let owner: Pool;
let pool: Pool;
let app: FastifyInstance | undefined;

/** The schema of the release, by the migrations that it had; they are never edited. */
async function applyReleased(client: pg.Client): Promise<void> {
  await client.query('create table migration (name text primary key, checksum text not null, applied_at timestamptz)');
  const folder = join(serverRoot(), 'migrations');
  for (const file of (await readdir(folder)).filter((each) => each.startsWith(RELEASE)).toSorted()) {
    const text = await readFile(join(folder, file), 'utf8');
    await client.query(text);
    const checksum = createHash('sha256').update(text).digest('hex');
    await client.query('insert into migration (name, checksum) values ($1, $2)', [file, checksum]);
  }
}

/** Reads the release's backup into its schema, as its own `restore` did. */
async function loadReleased(client: pg.Client): Promise<void> {
  const reader = new ArchiveReader(createReadStream(`${released}.backup.gz`).pipe(createGunzip()));
  await reader.line();
  const tables = await listTables(client);
  await client.query('begin');
  await forceSecurity(client, tables, false);
  for (;;) {
    const line: Section | { manifest: object } = JSON.parse((await reader.line()) ?? '{}');
    if (!('table' in line)) break;
    await copyIn(client, copyInText(line), reader.section());
  }
  await moveSequences(client);
  await forceSecurity(client, tables, true);
  await client.query('commit');
}

beforeAll(async () => {
  await maintenance.query(`create database ${name}`);
  const client = new pg.Client(connection);
  await client.connect();
  await applyReleased(client);
  await loadReleased(client);
  await client.end();
  owner = openPool({ connection, as: 'owner', max: 1 });
  pool = openPool({ connection, as: 'runtime', max: 4 });
});
afterAll(async () => {
  await app?.close();
  await pool.end();
  await owner.end();
  await maintenance.query(`drop database if exists ${name} with (force)`);
  await maintenance.end();
});

// Promise (start): Books of the first release migrate, verify and give every report byte for byte as before. [30
// reports, 0 faults]
test('books of the first release migrate, verify and give every report as they did, byte for byte', async () => {
  const rows = await owner.query<{ count: number }>('select count(*) as count from payment_application');
  expect(rows.rows[0]?.count).toBeGreaterThan(400);
  const applied = await migrate(connection);
  expect(applied.length).toBeGreaterThan(0);
  expect(applied.every((each) => each > RELEASE)).toBe(true);
  const companies = (await owner.query<{ companyId: number }>(`select company_id as "companyId" from company`)).rows;
  expect(companies).toHaveLength(1);
  for (const { companyId } of companies) {
    expect((await verifyCompany(pool, companyId)).faults).toEqual([]);
  }
  const legal = await loadLegal(undefined);
  const config = testConfig();
  const box = openBox(config);
  const services = { pool, config, box, log: pino({ level: 'silent' }), legal, tuning: testTuning };
  app = await buildApp(services);
  const before: unknown = JSON.parse(gunzipSync(await readFile(`${released}.reports.json.gz`)).toString('utf8'));
  const after = await reportTexts(app, await demoToken(services));
  expect(Object.keys(after)).toHaveLength(30);
  expect(after).toEqual(before);
});

test('every guard of the new schema holds for all of its rows', async () => {
  const open = await owner.query('select conname from pg_constraint where not convalidated');
  expect(open.rows).toEqual([]);
});
