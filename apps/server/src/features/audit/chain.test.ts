import type pg from 'pg';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLog } from '../../platform/db/audit.ts';
import { openClient } from '../../platform/db/connect.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { within } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { auditFaults } from './verify.sql.ts';

let t: TestApp;
let owner: pg.Client;
let companyId: number;
let userId: number;

beforeAll(async () => {
  t = await startTestApp();
  const company = await t.createCompany();
  ({ companyId } = company);
  ({ userId } = company.administrator);
  owner = await openClient({ connectionString: t.databaseUrl });
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

const rowOf = (subjectId: number) => ({ userId, action: 'update', subjectType: 'product', subjectId });

const write = (...ids: number[]) =>
  t.inCompany(companyId, async (tx) => tx.atEnd(auditLog.insertMany(ids.map(rowOf), ['id'])));

const places = () =>
  t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ subjectId: number; lane: number; no: number }>`
      select subject_id as "subjectId", lane, lane_no as no from audit_log
      where company_id = ${COMPANY} and subject_type = 'product' order by id`),
  );

/**
 * Changes the log while triggers are turned off, which only the log's owner can do. Then verifies the log and rolls
 * back.
 */
async function faultsAfter(statement: string): Promise<string[]> {
  await owner.query('begin; set local session_replication_role = replica');
  try {
    await owner.query(statement);
    return await within(owner, companyId, async (tx) => (await tx.rows(auditFaults())).map(({ message }) => message));
  } finally {
    await owner.query('rollback');
  }
}

test('verify reports a deleted, inserted, or changed audit log row', async () => {
  await write(1);
  await write(2, 3, 4);
  await write(5);
  const first = (await places())[0]?.no ?? 0;
  expect(await places()).toEqual([1, 2, 3, 4, 5].map((id) => ({ subjectId: id, lane: 1, no: first + id - 1 })));
  const { rows } = await owner.query<{ id: number }>('select id from audit_log order by id');
  const ids = rows.map(({ id }) => id);
  expect(await faultsAfter('select')).toEqual([]);
  for (const id of ids.slice(0, -1)) {
    const next = ids[ids.indexOf(id) + 1];
    expect(await faultsAfter(`delete from audit_log where id = ${id}`)).toEqual([`rows before ${next} are missing`]);
  }
  const last = ids.at(-1);
  expect(await faultsAfter(`delete from audit_log where id = ${last}`)).toEqual(['lane 1 is missing its last rows']);
  expect(await faultsAfter('delete from audit_log')).toEqual(['lane 1 is missing its last rows']);
  expect(await faultsAfter(`delete from audit_lane where company_id = ${companyId}`)).toEqual([
    'lane 1 has no stored end',
  ]);
  expect(await faultsAfter(`update audit_log set reason = 'x' where id = ${last}`)).toEqual([
    `row ${last} was changed, or does not follow the previous row`,
  ]);
  const copy = `insert into audit_log (company_id, id, user_id, action, subject_type, subject_id, lane, lane_no, hash)
    select company_id, id + 1000, user_id, action, subject_type, 9`;
  expect(await faultsAfter(`${copy}, null, null, null from audit_log where id = ${last}`)).toEqual([
    `row ${(last ?? 0) + 1000} was not written by Evenkeel`,
  ]);
  expect((await faultsAfter(`${copy}, lane, lane_no + 1, hash from audit_log where id = ${last}`))[0]).toBe(
    `row ${(last ?? 0) + 1000} was changed, or does not follow the previous row`,
  );
});

// Promise (tampering): No user can change or delete a row of the audit log, `verify` reports rows changed outside
// Evenkeel, and no save waits for another save's audit row.
test('a save never waits for the audit row of another save in progress', async () => {
  const before = (await places()).length;
  await t.inCompany(companyId, async (tx) => {
    await tx.rows(auditLog.insert(rowOf(6)));
    await write(7);
    await tx.rows(auditLog.insert(rowOf(8)));
  });
  await write(9);
  const made = (await places()).slice(before).toSorted((a, b) => a.subjectId - b.subjectId);
  expect(made.map(({ subjectId, lane }) => [subjectId, lane])).toEqual([
    [6, 1],
    [7, 2],
    [8, 1],
    [9, 1],
  ]);
  expect(await faultsAfter('select')).toEqual([]);
});

test('a failed transaction leaves neither a row nor a gap in the audit log', async () => {
  const undone = t.inCompany(companyId, async (tx) => {
    await tx.rows(auditLog.insert(rowOf(10)));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await write(11);
  expect(await faultsAfter('select')).toEqual([]);
});

test('no database role can change an audit log row', async () => {
  for (const change of [`update audit_log set reason = 'x'`, 'delete from audit_log', 'truncate audit_log']) {
    await expect(owner.query(change)).rejects.toThrow('append-only');
  }
  for (const change of [sql`update audit_log set reason = 'x'`, sql`delete from audit_log`]) {
    await expect(t.inCompany(companyId, (tx) => tx.rows(change))).rejects.toThrow('permission denied');
  }
});
