import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { buildApp } from '../../app/app.ts';
import { loadLegal } from '../../across/auth/legal.ts';
import { ArchiveReader, type Section } from '../../app/cli/archive.ts';
import { copyInText, forceSecurity, listTables, moveSequences } from '../../app/cli/tables.sql.ts';
import { openPool, type Pool } from '../../platform/db/connect.ts';
import { copyIn } from '../../platform/db/copy.ts';
import { openBox } from '../../platform/db/box.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { rebuildCompany } from '../../features/accounting/rebuild.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { serverRoot } from '../../platform/root.ts';
import { demoToken, reportFigures, reportTexts } from '../../testing/released/books.ts';
import { testConfig, testTuning } from '../../testing/settings.ts';

const folder = join(import.meta.dirname, '../../testing/released');
const { server, template } = inject('ground');
const maintenance = openPool({ connection: { connectionString: `${server}/postgres` }, as: 'owner', max: 1 });
afterAll(() => maintenance.end());

/** The schema of a release, by the migrations that it had; they are never edited. */
async function applyReleased(client: pg.Client, release: string): Promise<void> {
  await client.query('create table migration (name text primary key, checksum text not null, applied_at timestamptz)');
  const migrations = join(serverRoot(), 'migrations');
  const files = (await readdir(migrations)).filter((each) => each.endsWith('.sql') && each.slice(0, 8) <= release);
  for (const file of files.toSorted()) {
    const text = await readFile(join(migrations, file), 'utf8');
    await client.query(text);
    const checksum = createHash('sha256').update(text).digest('hex');
    await client.query('insert into migration (name, checksum) values ($1, $2)', [file, checksum]);
  }
  if (release === STATEMENTS_ONLY) return;
  const seals = await readFile(join(migrations, 'always/seals.sql'), 'utf8');
  // The rows of the audit log had seals then, and no chain.
  await client.query(seals.replace(/^.*'audit_log'.*\n/m, ''));
}

/** Reads the release's backup into its schema, as its own `restore` did. */
async function loadReleased(client: pg.Client, release: string): Promise<void> {
  const file = join(folder, `${release}.backup.gz`);
  const reader = new ArchiveReader(createReadStream(file).pipe(createGunzip()));
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

/** The first release, of which the statements alone were kept. */
const STATEMENTS_ONLY = '20261121';

/** The kept texts of a release's reports, of one kind of file. */
async function keptOf(release: string, what: string): Promise<unknown> {
  return JSON.parse(gunzipSync(await readFile(join(folder, `${release}.${what}.json.gz`))).toString('utf8'));
}

// Promise (start): Books from released versions upgrade, pass `verify`, and return every report byte for byte as
// before. [2 releases, 30 statements each, all reports of the newer one, 0 faults]
describe.each([STATEMENTS_ONLY, '20261123'])('books of the release of %s', (release) => {
  const name = `${template}_released_${release}_${process.pid}`;
  const connection = { connectionString: `${server}/${name}` };
  let owner: Pool;
  let pool: Pool;
  let app: FastifyInstance | undefined;

  beforeAll(async () => {
    await maintenance.query(`create database ${name}`);
    const client = new pg.Client(connection);
    await client.connect();
    await applyReleased(client, release);
    await loadReleased(client, release);
    await client.end();
    owner = openPool({ connection, as: 'owner', max: 1 });
    pool = openPool({ connection, as: 'runtime', max: 4 });
  });
  afterAll(async () => {
    await app?.close();
    await pool.end();
    await owner.end();
    await maintenance.query(`drop database if exists ${name} with (force)`);
  });

  test('migrate, verify and give every report as they did, byte for byte', async () => {
    const rows = await owner.query<{ count: number }>('select count(*) as count from payment_application');
    expect(rows.rows[0]?.count).toBeGreaterThan(400);
    const applied = await migrate(connection);
    expect(applied.every((each) => each > release)).toBe(true);
    const companies = (await owner.query<{ companyId: number }>(`select company_id as "companyId" from company`)).rows;
    expect(companies).toHaveLength(1);
    for (const { companyId } of companies) {
      // A backup leaves out what `restore` makes anew; the first release had migrations make it.
      if (release !== STATEMENTS_ONLY) await rebuildCompany(owner, companyId);
      expect((await verifyCompany(pool, companyId)).faults).toEqual([]);
    }
    const legal = await loadLegal(undefined);
    const config = testConfig();
    const box = openBox(config);
    const log = pino({ level: 'silent' });
    const services = { pool, config, box, log, pseudonym: String, legal, tuning: testTuning };
    app = await buildApp(services);
    const token = await demoToken(services);
    const after = await reportTexts(app, token);
    expect(Object.keys(after)).toHaveLength(30);
    expect(after).toEqual(await keptOf(release, 'reports'));
    if (release !== STATEMENTS_ONLY) {
      expect(await reportFigures(app, token)).toEqual(await keptOf(release, 'figures'));
    }
  });

  test('every guard of the new schema holds for all of its rows', async () => {
    const open = await owner.query('select conname from pg_constraint where not convalidated');
    expect(open.rows).toEqual([]);
  });
});
