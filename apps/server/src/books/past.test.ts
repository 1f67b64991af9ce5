import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SALES } from '@evenkeel/core/books/accounts';
import { now } from '../platform/clock.ts';
import { openClient } from '../platform/db/connect.ts';
import type { Runnable } from '../platform/db/query.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { moment } from '../testing/moment.ts';
import { pastTx } from './past.sql.ts';

let t: TestApp;
let companyId: number;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  ({ companyId } = await t.createCompany());
});

/** Runs statements in one transaction. `$` is the company. */
const write = (...texts: string[]) =>
  t.inCompany(companyId, async (tx) => {
    for (const text of texts) await tx.rows(sql.raw(text.replaceAll('$', String(companyId))));
  });

/** Inserts the budget of a month, in dollars. */
const insert = (month: number, dollars: number) => `
  insert into budget_amount (company_id, account_id, month, amount_cents)
  values ($, ${SALES}, '2026-0${month}-01', ${dollars * 100})`;
const update = (dollars: number) => `update budget_amount set amount_cents = ${dollars * 100} where company_id = $`;

const amounts: Runnable<{ dollars: number }> = sql`
  with ordered as (select * from budget_amount order by month)
  select amount_cents / 100 as dollars from ordered`;

const changed = ['budget_amount', 'reconciliation_line'];

/** Returns the budget in dollars as it was before a time. */
const asOf = (before: string) =>
  t.inCompany(companyId, async (tx) => {
    const rows = await pastTx(tx, { before, through: 0, changed }).rows(amounts);
    return rows.map(({ dollars }) => dollars);
  });

const stored = () =>
  t.inCompany(companyId, async (tx) => {
    const { count } = await tx.one(sql<{ count: number }>`
      select count(*)::int as count from past_row where company_id = ${companyId}`);
    return count;
  });

test('each version of a row can be read until the next change, and a deleted row until its deletion', async () => {
  const times = [await moment()];
  for (const text of [insert(1, 10), update(20), update(30), 'delete from budget_amount where company_id = $']) {
    await write(text);
    times.push(await moment());
  }
  const read = [];
  for (const at of times) read.push(await asOf(at));
  expect(read).toEqual([[], [10], [20], [30], []]);
});

test('several changes in one transaction end only one version, and changes of a new row end none', async () => {
  await write(insert(1, 10), update(11));
  expect(await stored()).toBe(0);
  const before = await moment();
  await write(update(20), update(30));
  expect(await stored()).toBe(1);
  expect([await asOf(before), await asOf(await moment())]).toEqual([[11], [30]]);
});

test('a row that is deleted and inserted again under the same key has both versions', async () => {
  const key = `overriding system value values ($, 901, ${SALES}, '2026-01-01'`;
  const into = 'insert into budget_amount (company_id, id, account_id, month, amount_cents)';
  const remove = 'delete from budget_amount where company_id = $';
  await write(`${into} ${key}, 1000)`);
  const first = await moment();
  await write(remove, `${into} ${key}, 2000)`);
  const second = await moment();
  await write(remove);
  const between = await moment();
  await write(`${into} ${key}, 3000)`);
  expect([await asOf(first), await asOf(second), await asOf(between)]).toEqual([[10], [20], []]);
  expect(await asOf(await moment())).toEqual([30]);
});

test('a change that is rolled back ends no version', async () => {
  await write(insert(1, 10));
  await expect(write(update(20), 'select 1 / 0')).rejects.toThrow('division by zero');
  expect([await stored(), await asOf(await moment())]).toEqual([0, [10]]);
});

test('a transaction that began first but changes a row last does not hide the earlier version', async () => {
  await write(insert(1, 10));
  const before = await moment();
  await t.inCompany(companyId, async (slow) => {
    await slow.rows(sql`select now()`);
    await moment();
    await write(update(20));
    await slow.rows(sql.raw(update(30).replaceAll('$', String(companyId))));
  });
  expect([await asOf(before), await asOf(await moment())]).toEqual([[10], [30]]);
});

test("changes by the database's owner, such as migrations, end no version", async () => {
  await write(insert(1, 10));
  const owner = await openClient({ connectionString: t.databaseUrl });
  await owner.query(`begin; set local row_security = off; ${update(20).replaceAll('$', String(companyId))}; commit`);
  await owner.end();
  expect([await stored(), await asOf(await moment())]).toEqual([0, [20]]);
});

test('a mark of the bank reconciliation that moves to another line is read under each line at its time', async () => {
  await write(
    `insert into reconciliation (company_id, bank_account_id, statement_date, last_cents, statement_cents,
        charge_cents, interest_cents, saved_by)
      select company_id, min(id), '2026-01-31', 0, 0, 0, 0, 1 from banking_account where company_id = $
      group by company_id`,
    `insert into reconciliation_line (company_id, line_id, reconciliation_id)
      select company_id, 5, id from reconciliation where company_id = $`,
  );
  const before = await moment();
  await write('update reconciliation_line set line_id = 9 where company_id = $');
  const lines: Runnable<{ id: number }> = sql`select line_id as id from reconciliation_line`;
  const read = (at: string) =>
    t.inCompany(companyId, (tx) =>
      pastTx(tx, { before: at, through: 0, changed })
        .rows(lines)
        .then((rows) => rows.map(({ id }) => id)),
    );
  expect([await read(before), await read(await moment())]).toEqual([[5], [9]]);
});

test('the past can only be read', async () => {
  await t.inCompany(companyId, async (tx) => {
    const past = pastTx(tx, { before: now().toISOString(), through: 0, changed });
    expect(() => past.atEnd(sql`select 1`)).toThrow('the past can only be read');
    expect(() => past.inOrder([sql`select 1`])).toThrow('the past can only be read');
  });
});
