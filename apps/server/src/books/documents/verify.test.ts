import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClient } from '../../platform/db/connect.ts';
import { within } from '../../platform/db/tx.ts';
import { rebuildWithin } from '../../features/accounting/rebuild.ts';
import { type Fault, verifyWithin } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import {
  BILL_TAMPERS,
  type BillBooks,
  makeBills,
  makeSales,
  SALES_TAMPERS,
  type SalesBooks,
} from './testing/tampers.ts';

let t: TestApp;
let owner: pg.Client;
let sales: SalesBooks;
let bills: BillBooks;

beforeAll(async () => {
  t = await startTestApp();
  sales = await makeSales(t);
  bills = await makeBills(t);
  owner = await openClient({ connectionString: t.databaseUrl });
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

/** Makes a change while triggers are disabled, returns the problems that are found, and rolls the change back. */
async function faultsAfter(change: string, companyId: number): Promise<Fault[]> {
  await owner.query(`begin; set local session_replication_role = replica; set local app.company_id = '${companyId}'`);
  try {
    const changed = await owner.query(change);
    expect({ change, changed: changed.rowCount }).toEqual({ change, changed: 1 });
    const { faults } = await within(owner, companyId, verifyWithin);
    return faults;
  } finally {
    await owner.query('rollback');
  }
}

test('verify finds no problems in unchanged books', async () => {
  const counted = 'update document set row_version = row_version + 1 where id =';
  expect(await faultsAfter(`${counted} ${sales.a}`, sales.companyId)).toEqual([]);
  expect(await faultsAfter(`${counted} ${bills.bill}`, bills.companyId)).toEqual([]);
});

test.each(SALES_TAMPERS)('verify finds a change to %s', async (_what, change, check, says) => {
  const found = { check, message: expect.stringMatching(says) };
  expect(await faultsAfter(change(sales), sales.companyId)).toContainEqual(expect.objectContaining(found));
});

describe('a bill', () => {
  test.each(BILL_TAMPERS)('verify finds a change to %s', async (_what, change, check, says) => {
    const found = { check, message: expect.stringMatching(says) };
    expect(await faultsAfter(change(bills), bills.companyId)).toContainEqual(expect.objectContaining(found));
  });
});

test('rebuilding restores the totals of open documents', async () => {
  const { companyId } = sales;
  await owner.query(`begin; set local app.company_id = '${companyId}'`);
  try {
    await owner.query('delete from document_open_sum');
    await within(owner, companyId, rebuildWithin);
    expect((await within(owner, companyId, verifyWithin)).faults).toEqual([]);
    const { rows } = await owner.query(
      'select sum(document_count)::int as count from document_open_sum where company_id = $1',
      [companyId],
    );
    expect(rows).toEqual([{ count: 3 }]);
  } finally {
    await owner.query('rollback');
  }
});
