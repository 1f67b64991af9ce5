import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { searchClause } from './page.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const ROWS = sql`(values
  ('large', 124871::bigint, date '2026-09-04'),
  ('credit', -12500, date '2026-11-04'),
  ('cents', 5, date '2026-01-04'),
  ('even', 1248000, date '2025-12-31')) as row (name, amount, day)`;

/** Returns the names of the rows that a search finds. */
async function found(q: string): Promise<string[]> {
  const searched = { texts: [sql`''`], dates: [sql`day`], amounts: [sql`amount`] };
  const rows = await t.inCompany(t.world.company.companyId, (tx) =>
    tx.rows(sql<{ name: string }>`select name from ${ROWS} where true ${searchClause(q, searched)} order by name`),
  );
  return rows.map(({ name }) => name);
}

test.each([
  ['1248.71', ['large']],
  ['$1,248.71', ['large']],
  ['1,248.71', ['large']],
  ['1,248', ['large']],
  ['1248', ['even', 'large']],
  ['1248.7', ['large']],
  ['8.71', ['large']],
  ['71', ['large']],
  ['871', []],
  ['12.48', []],
  ['124871', []],
  ['-1248.71', []],
  ['12,480.00', ['even']],
  ['(125.00)', ['credit']],
  ['($125.00)', ['credit']],
  ['-125', ['credit']],
  ['−125', ['credit']],
  ['125', ['credit']],
  ['0.05', ['cents']],
  ['.05', ['cents']],
  ['1.248,71', []],
  ['9/4/2026', ['large']],
  ['09/04/2026', ['large']],
  ['9/04/2026', ['large']],
  ['2026-09-04', ['large']],
  ['9/4', ['large']],
  ['1/4/2026', ['cents']],
  ['11/4/2026', ['credit']],
  ['2026', ['cents', 'credit', 'large']],
])('a search finds amounts and dates only in the formats that users write: %s', async (q, names) =>
  expect(await found(q)).toEqual(names),
);
