import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Pool } from 'pg';
import { type Connection, openPool, RUNTIME_ROLE } from './connect.ts';
import { installation } from './tx.ts';
import { isMigrated, migrate } from './migrate.ts';
import { verifyCompany } from '../ledger/verify.ts';
import { selectCompanyIds } from '../ledger/verify.sql.ts';

const { server, template } = inject('ground');
let maintenance: Pool;
beforeAll(() => {
  maintenance = openPool({ connection: { connectionString: `${server}/postgres` }, as: 'owner', max: 1 });
});
afterAll(() => maintenance.end());

let made = 0;

/** Runs `work` on an empty database of its own. */
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

test('three that start at once apply each migration once; a fourth finds nothing to do', () =>
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

test('a migration that was changed after it had been applied is refused by name', () =>
  onEmpty(async (connection, owner) => {
    const [first] = await migrate(connection);
    await owner.query('update migration set checksum = $2 where name = $1', [first, 'f'.repeat(64)]);
    await expect(migrate(connection)).rejects.toThrow(`migration ${first} was changed after it had been applied`);
    await expect(migrate(connection)).rejects.toThrow('was changed');
  }));

test('a database of a newer program is refused', () =>
  onEmpty(async (connection, owner) => {
    await migrate(connection);
    await owner.query(`insert into migration (name, checksum) values ('29991231_later.sql', 'x')`);
    await expect(migrate(connection)).rejects.toThrow(
      'the database is newer than this program: it has migration 29991231_later.sql',
    );
  }));

test('a migration that fails leaves nothing of itself, and the lock free', () =>
  onEmpty(async (connection, owner) => {
    await owner.query('create table company (id int)');
    await expect(migrate(connection)).rejects.toThrow(
      /^migration \S+company\.sql failed: relation "company" already exists$/,
    );
    expect((await owner.query(`select to_regclass('setting') as setting`)).rows).toEqual([{ setting: null }]);
    await owner.query('drop table company');
    expect((await migrate(connection)).length).toBeGreaterThan(4);
  }));

test('an owner who may not create roles is told what to run; then it owns the schema and lists companies', () =>
  onEmpty(async (_connection, superuser, name) => {
    const poor = `poor_${process.pid}`;
    await superuser.query(`create role ${poor} login; alter database ${name} owner to ${poor}`);
    const connection = { connectionString: `${server.replace(/\/\/[^@]*@/, `//${poor}@`)}/${name}` };
    const owner = openPool({ connection, as: 'owner', max: 1 });
    try {
      await expect(migrate(connection)).rejects.toThrow(
        `ask the database's administrator to run: grant ${RUNTIME_ROLE} to ${poor};`,
      );
      await superuser.query(`grant ${RUNTIME_ROLE} to ${poor}`);
      expect((await migrate(connection)).length).toBeGreaterThan(5);
      await superuser.query(`insert into company (company_id, displayname) values (11, 'A'), (12, 'B')`);
      await superuser.query('insert into ledger_head (company_id) values (11), (12)');
      expect(await installation(owner, selectCompanyIds())).toEqual([{ companyId: 11 }, { companyId: 12 }]);
      expect((await owner.query('select count(*)::int as heads from ledger_head')).rows).toEqual([{ heads: 0 }]);
      expect((await verifyCompany(owner, 12)).faults).toEqual([]);
    } finally {
      await owner.end();
      await superuser.query(`reassign owned by ${poor} to current_user; drop owned by ${poor}; drop role ${poor}`);
    }
  }));
