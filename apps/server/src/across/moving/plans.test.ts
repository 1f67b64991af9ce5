import { testCompany } from '@evenkeel/imports/testing/company';
import { dialects } from '@evenkeel/imports/testing/dialects';
import { styleOf } from '@evenkeel/imports/testing/files';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openClient } from '../../platform/db/connect.ts';
import { startTestApp } from '../../testing/app.ts';
import { dependentsSql } from './undo.sql.ts';
import { confirmAll, openMover, typesIn } from './testing/moving.ts';

test('an import into empty tables looks up transactions and their lines by ID', async () => {
  const t = await startTestApp();
  onTestFinished(() => t.close());
  const owner = await openClient({ connectionString: t.databaseUrl });
  onTestFinished(() => owner.end());
  const [dialect] = dialects;
  if (dialect === undefined) throw new Error('no dialect');
  const { token } = (await t.createCompany()).administrator;
  const company = testCompany(1, 700);
  const mover = openMover(t);
  const draft = await mover.draft(token, dialect.write(company, styleOf(1)));
  const { id } = await confirmAll(t, token, draft, typesIn(company, dialect));
  // To the planner, all indexes of an empty table are equally good.
  await owner.query('vacuum');
  const move = await mover.run(token, id, 'preview');
  expect(move).toMatchObject({ error: null, status: 'previewed' });
  // A session reports its reads when it ends.
  await mover.close();
  const read = async (): Promise<number> => {
    const { rows } = await owner.query<{ read: number }>(`
      select sum(idx_tup_read)::int as read from pg_stat_user_indexes
      where relname in ('journal_line', 'journal_transaction')`);
    return rows[0]?.read ?? 0;
  };
  await expect.poll(read).toBeGreaterThan(0);
  expect(await read()).toBeLessThan(100_000);
});

test('the lines of an import are looked up by their transaction, even in a company without statistics', async () => {
  const t = await startTestApp();
  onTestFinished(() => t.close());
  const { companyId } = await t.createCompany();
  const owner = await openClient({ connectionString: t.databaseUrl });
  onTestFinished(() => owner.end());
  await owner.query('vacuum analyze');
  const plan = await t.inCompany(companyId, (tx) => tx.rows(sql<Record<string, string>>`explain ${dependentsSql(1)}`));
  const scans = plan.flatMap((row) => Object.values(row)).filter((line) => / on journal_line /.test(line));
  expect(scans).not.toEqual([]);
  for (const line of scans) expect(line).toContain('using journal_line_company_id_transaction_id_line_no_key');
});
