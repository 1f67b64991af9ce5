import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Pool } from 'pg';
import { type Connection, openPool, RUNTIME_ROLE } from './connect.ts';
import { installation } from './tx.ts';
import { isMigrated, migrate } from './migrate.ts';
import { isOfBaseline, readReplaced } from './upgrade.ts';
import { serverRoot } from '../root.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { selectCompanyIds } from '../../books/ledger/verify.sql.ts';

const { server, template } = inject('ground');
let maintenance: Pool;
beforeAll(() => {
  maintenance = openPool({ connection: { connectionString: `${server}/postgres` }, as: 'owner', max: 1 });
});
afterAll(() => maintenance.end());

let made = 0;

/** Runs `work` on a separate, empty database. */
async function onEmpty(work: (connection: Connection, owner: Pool, name: string) => Promise<void>): Promise<void> {
  const name = `${template}_migrate_${process.pid}_${(made += 1)}`;
  await maintenance.query(`create database ${name}`);
  const connection = { connectionString: `${server}/${name}` };
  const owner = openPool({ connection, as: 'owner', max: 2 });
  try {
    await work(connection, owner, name);
  } finally {
    await owner.end();
    await maintenance.query(`drop database ${name} with (force)`);
  }
}

// Promise (start): PostgreSQL 15 and later are supported, and older versions are rejected with a clear message.
test('if the PostgreSQL version is too old, a message says so, and nothing is created in the database', () =>
  onEmpty(async (connection, owner, name) => {
    // This server reports a different version and is otherwise unchanged.
    await owner.query(`
      create schema old;
      create function old.current_setting(text) returns text language sql as $$ select '140011' $$;
      alter database ${name} set search_path = old, pg_catalog, public`);
    await expect(migrate(connection)).rejects.toThrow(
      'Evenkeel needs PostgreSQL 15 or later, but the server in DATABASE_URL is PostgreSQL 14',
    );
    const { rows } = await owner.query("select from pg_class where relname = 'migration'");
    expect(rows).toEqual([]);
  }));

test('if three processes start together, each migration is applied once, and a fourth has nothing to do', () =>
  onEmpty(async (connection, owner) => {
    const applied = await Promise.all([migrate(connection), migrate(connection), migrate(connection)]);
    const [most = []] = applied.toSorted((a, b) => b.length - a.length);
    expect(most.length).toBeGreaterThan(5);
    expect(applied.flat()).toHaveLength(most.length);
    expect(most).toEqual(most.toSorted());
    expect(await migrate(connection)).toEqual([]);
    expect(await isMigrated((text) => owner.query(text))).toBe(true);
    await owner.query('delete from migration where name = $1', [most.at(-1)]);
    expect(await isMigrated((text) => owner.query(text))).toBe(false);
  }));

test('a migration whose file was changed after it was applied is rejected, and the error names it', () =>
  onEmpty(async (connection, owner) => {
    const [first] = await migrate(connection);
    await owner.query('update migration set checksum = $2 where name = $1', [first, 'f'.repeat(64)]);
    await expect(migrate(connection)).rejects.toThrow(`migration ${first} was changed after it was applied`);
    await expect(migrate(connection)).rejects.toThrow('was changed');
  }));

test('each migration is named by its date and a three-digit number', async () => {
  const names = (await readdir(join(serverRoot(), 'migrations'))).filter((name) => name.endsWith('.sql'));
  expect(names.filter((name) => !/^\d{8}_\d{3}_[a-z0-9_]+\.sql$/.test(name))).toEqual([]);
});

/** Records these migrations in the database instead of the baseline's migrations. */
async function recordInstead(owner: Pool, migrations: ReadonlyMap<string, string>): Promise<void> {
  const { rows } = await owner.query<{ name: string }>('select name from migration');
  const baseline = rows.map(({ name }) => name).filter(isOfBaseline);
  await owner.query('delete from migration where name = any($1)', [baseline]);
  for (const [name, checksum] of migrations) {
    await owner.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
  }
}

const recorded = async (owner: Pool) => (await owner.query('select name, checksum from migration order by name')).rows;

test('a database with all pre-0.2.0 migrations is marked as the baseline, and none of them run', () =>
  onEmpty(async (connection, owner) => {
    await migrate(connection);
    const before = await recorded(owner);
    const replaced = await readReplaced();
    expect(replaced.size).toBe(71);
    await recordInstead(owner, replaced);
    expect(await isMigrated((text) => owner.query(text))).toBe(false);
    expect(await migrate(connection)).toEqual([]);
    expect(await recorded(owner)).toEqual(before);
    expect(await isMigrated((text) => owner.query(text))).toBe(true);
  }));

test('the error for a database between 0.1.0 and 0.2.0 says which version to start first', () =>
  onEmpty(async (connection, owner) => {
    await migrate(connection);
    const replaced = [...(await readReplaced())];
    for (const count of [1, 8, 70]) {
      await owner.query('delete from migration');
      await recordInstead(owner, new Map(replaced.slice(0, count)));
      const before = await recorded(owner);
      const refused = migrate(connection);
      await expect(refused).rejects.toThrow(
        'the database was created by a version between 0.1.0 and 0.2.0 ' +
          `(last migration: ${replaced[count - 1]?.[0]}). ` +
          'Start the version of 27 November 2026 (commit 7732a50f) once, then start this version',
      );
      expect(await recorded(owner)).toEqual(before);
    }
  }));

test('rejects a database whose pre-0.2.0 migrations were changed', () =>
  onEmpty(async (connection, owner) => {
    await migrate(connection);
    const replaced = await readReplaced();
    await recordInstead(owner, new Map(replaced).set('20261123_610_report_star.sql', 'f'.repeat(64)));
    await expect(migrate(connection)).rejects.toThrow(
      'migration 20261123_610_report_star.sql was changed after it was applied',
    );
  }));

test('a migration that sorts before an applied migration is rejected, and the error names both', () =>
  onEmpty(async (connection, owner) => {
    const applied = await migrate(connection);
    const last = applied.at(-1) ?? '';
    await owner.query('delete from migration where name = $1', [last]);
    await owner.query(`insert into migration (name, checksum) values ('29991231_100_later.sql', 'x')`);
    const later = migrate(connection);
    await expect(later).rejects.toThrow(
      `migration ${last} comes before 29991231_100_later.sql, which is already applied. Give it a later name`,
    );
  }));

test('rejects a database from a newer version', () =>
  onEmpty(async (connection, owner) => {
    await migrate(connection);
    await owner.query(`insert into migration (name, checksum) values ('29991231_later.sql', 'x')`);
    await expect(migrate(connection)).rejects.toThrow(
      'the database is newer than this program: it has migration 29991231_later.sql',
    );
  }));

test('a migration that fails leaves no changes and releases the lock', () =>
  onEmpty(async (connection, owner) => {
    await owner.query('create table company (id int)');
    await expect(migrate(connection)).rejects.toThrow(
      /^migration \S+company\.sql failed: relation "company" already exists$/,
    );
    expect((await owner.query(`select to_regclass('setting') as setting`)).rows).toEqual([{ setting: null }]);
    await owner.query('drop table company');
    expect((await migrate(connection)).length).toBeGreaterThan(4);
  }));

// Promise (tampering): New tables are secured automatically. Row-level security, grants, and tenancy rules are set at
// each startup. [4 new tables secured, 5 rejected]
test('new tables get row-level security, rights, and tenancy checks at each startup', () =>
  onEmpty(async (connection, owner) => {
    await migrate(connection);
    await owner.query(`create table plain (company_id bigint not null references company, id bigint generated by default
      as identity, name text, primary key (company_id, id))`);
    await owner.query(`alter table journal_line no force row level security;
      alter table role disable row level security;
      grant update, delete on audit_log to ${RUNTIME_ROLE}; revoke insert on role from ${RUNTIME_ROLE}`);
    await migrate(connection);
    const { rows } = await owner.query(`
      select c.relname as table, c.relrowsecurity and c.relforcerowsecurity as forced,
        (select array_agg(polname::text) from pg_policy where polrelid = c.oid) as policies,
        array(select p from unnest('{INSERT,SELECT,UPDATE,DELETE,TRUNCATE}'::text[]) p
          where has_table_privilege('${RUNTIME_ROLE}', c.oid, p)) as rights
      from pg_class c where relname in ('plain', 'journal_line', 'role', 'audit_log') order by 1`);
    const mine = { forced: true, policies: ['company_only'] };
    expect(rows).toEqual([
      { table: 'audit_log', ...mine, rights: ['INSERT', 'SELECT'] },
      { table: 'journal_line', ...mine, rights: ['INSERT', 'SELECT'] },
      { table: 'plain', ...mine, rights: ['INSERT', 'SELECT', 'UPDATE', 'DELETE'] },
      { table: 'role', ...mine, rights: ['INSERT', 'SELECT', 'UPDATE', 'DELETE'] },
    ]);
    const used = await owner.query(`select has_sequence_privilege('${RUNTIME_ROLE}', 'plain_id_seq', 'usage') as used`);
    expect(used.rows).toEqual([{ used: true }]);
  }));

test.each([
  ['create table odd (id int primary key)', 'table odd must have a company_id that is not null'],
  ['create table odd (company_id bigint not null)', 'table odd has no primary key'],
  [
    'create table odd (id int primary key, company_id bigint not null)',
    'key odd_pkey of odd does not begin with company',
  ],
  [
    'create table odd (company_id bigint references company, id bigint, user_id bigint references app_user, ' +
      'primary key (company_id, id))',
    'reference odd_user_id_fkey of odd does not begin with company_id',
  ],
  [
    'create table odd (company_id bigint references company deferrable primary key)',
    'constraint odd_company_id_fkey of odd may wait',
  ],
])('rejects a table whose company is unclear, and names the table: %s', (statement, reason) =>
  onEmpty(async (connection, owner) => {
    await migrate(connection);
    await owner.query(statement);
    await expect(migrate(connection)).rejects.toThrow(`security failed: `);
    await expect(migrate(connection)).rejects.toThrow(reason);
    await owner.query('drop table odd');
    expect(await migrate(connection)).toEqual([]);
  }),
);

test('every foreign key, including new ones, is considered when checking whether a record is used', () =>
  onEmpty(async (connection, owner) => {
    await migrate(connection);
    await owner.query(`insert into company (company_id, displayname) values (1, 'A'), (2, 'B');
      insert into profit_center (company_id, id, name) values (1, 7, 'North'), (2, 7, 'South')`);
    const isUsed = async (company: number) =>
      (await owner.query(`select record_is_used('profit_center', ${company}, 7) as used`)).rows;
    expect(await isUsed(1)).toEqual([{ used: false }]);
    await owner.query(`create table visit (company_id bigint not null, id bigint, center bigint,
      primary key (company_id, id), foreign key (company_id, center) references profit_center (company_id, id))`);
    await owner.query('insert into visit values (1, 1, 7)');
    expect(await isUsed(1)).toEqual([{ used: true }]);
    expect(await isUsed(2)).toEqual([{ used: false }]);
  }));

test("if the owner can't create roles, the error shows what to run, and the owner then owns the schema", () =>
  onEmpty(async (_connection, superuser, name) => {
    const poor = `poor_${process.pid}`;
    await superuser.query(`create role ${poor} login; alter database ${name} owner to ${poor}`);
    const connection = { connectionString: `${server.replace(/\/\/[^@]*@/, `//${poor}@`)}/${name}` };
    const owner = openPool({ connection, as: 'owner', max: 1 });
    try {
      await expect(migrate(connection)).rejects.toThrow(
        `ask the database administrator to run: grant ${RUNTIME_ROLE} to ${poor};`,
      );
      await superuser.query(`grant ${RUNTIME_ROLE} to ${poor}`);
      expect((await migrate(connection)).length).toBeGreaterThan(5);
      await superuser.query(`set role ${RUNTIME_ROLE}`);
      for (const id of [11, 12]) {
        await superuser.query(`set app.company_id = '${id}'; insert into company (company_id, displayname)
          values (${id}, 'A'); insert into ledger_head (company_id) values (${id})`);
      }
      await superuser.query('reset role');
      expect(await installation(owner, selectCompanyIds())).toEqual([{ companyId: 11 }, { companyId: 12 }]);
      expect((await owner.query('select count(*)::int as heads from ledger_head')).rows).toEqual([{ heads: 0 }]);
      expect((await verifyCompany(owner, 12)).faults).toEqual([]);
    } finally {
      await owner.end();
      await superuser.query(`reassign owned by ${poor} to current_user; drop owned by ${poor}; drop role ${poor}`);
    }
  }));
