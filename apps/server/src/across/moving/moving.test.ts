import { closingCalls } from '@evenkeel/contract/closing';
import { movingCalls as calls } from '@evenkeel/contract/moving';
import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { monthEndsOf } from '@evenkeel/imports/prove';
import { type TestCompany, testCompany } from '@evenkeel/imports/testing/company';
import { type Dialect, dialects } from '@evenkeel/imports/testing/dialects';
import { styleOf } from '@evenkeel/imports/testing/files';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { verifyCompany } from '../health/books-verify.ts';
import { confirmAll, type Mover, openMover, tablesOf, typesIn } from './testing/moving.ts';

/** A torture run uses 40 new companies. To reproduce them, set SEED. */
const RUNS = Number(process.env['TORTURE_RUNS'] ?? 0);
const isTorture = RUNS > 0;
const FIRST_SEED = Number(process.env['SEED'] ?? 0) || (isTorture ? Date.now() % 1_000_000 : 1);
const SEEDS = Array.from({ length: Math.max(1, Math.min(40, RUNS)) }, (_, at) => FIRST_SEED + at);

let t: TestApp;
let mover: Mover;
beforeAll(async () => {
  t = await startTestApp();
  mover = openMover(t);
});
afterAll(async () => {
  await mover.close();
  await t.close();
});

/** Uploads a random company's files, confirms every account, and imports them. */
async function moveIn(home: WorldCompany, company: TestCompany, dialect: Dialect, style = styleOf(FIRST_SEED)) {
  const { token } = home.administrator;
  const draft = await mover.draft(token, dialect.write(company, style));
  expect(draft).toMatchObject({ error: null, status: 'ready', blocked: { files: '' } });
  const ready = await confirmAll(t, token, draft, typesIn(company, dialect));
  expect(ready.blocked.match).toBe('');
  const preview = await mover.run(token, ready.id, 'preview');
  expect(preview).toMatchObject({ error: null, status: 'previewed', preview: { proved: true, failure: null } });
  const imported = await mover.run(token, ready.id, 'import');
  expect(imported).toMatchObject({ error: null, status: 'imported' });
  return { preview, imported, accounts: ready.accounts };
}

/** Returns the accrual balances of a company's accounts at each month end, by the account's ID. */
async function balancesOf(companyId: number, monthEnds: readonly IsoDate[]): Promise<Map<number, number[]>> {
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ id: number; monthEnd: IsoDate; amount: number }>`
      select l.account_id as id, m.month_end as "monthEnd", sum(l.amount_cents)::bigint as amount
      from journal_line l, unnest(${monthEnds}::date[]) m (month_end)
      where l.company_id = ${companyId} and l.posting_date <= m.month_end and l.basis <> 'C'
      group by 1, 2`),
  );
  const found = new Map<number, number[]>();
  for (const { id, monthEnd, amount } of rows) {
    const own = found.get(id) ?? monthEnds.map(() => 0);
    own[monthEnds.indexOf(monthEnd)] = amount;
    found.set(id, own);
  }
  return found;
}

/** Returns a random company's balances at each month end, by the account's name in a dialect. */
function expected(company: TestCompany, dialect: Dialect, monthEnds: readonly IsoDate[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { date, lines } of company.transactions) {
    for (const { account, amount } of lines) {
      const name = dialect.nameOf(account);
      const own = found.get(name) ?? monthEnds.map(() => 0);
      for (const [at, end] of monthEnds.entries()) if (date <= end) own[at] = (own[at] ?? 0) + amount;
      found.set(name, own);
    }
  }
  return found;
}

/** Returns the receivables of a company by customer. */
async function receivables(companyId: number): Promise<Record<string, number>> {
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ name: string; amount: number }>`
      select lower(coalesce(e.displayname, '')) as name, sum(l.amount_cents)::bigint as amount
      from journal_line l
      left join entity e on e.company_id = ${companyId} and e.id = l.entity_id
      where l.company_id = ${companyId} and l.account_id = 138
      group by 1 having sum(l.amount_cents) <> 0`),
  );
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
}

function owed(company: TestCompany, dialect: Dialect): Record<string, number> {
  const found = new Map<string, number>();
  for (const { party, lines } of company.transactions) {
    for (const line of lines) {
      if (line.account.type !== 'Accounts Receivable') continue;
      const name = (line.party ?? party).toLowerCase();
      const key = dialect.name === 'hledger' ? name.replaceAll(/[;,]/g, ' ').replace(/\s+/g, ' ').trim() : name;
      found.set(key, (found.get(key) ?? 0) + line.amount);
    }
  }
  return Object.fromEntries([...found].filter(([, amount]) => amount !== 0));
}

describe.each(dialects)('$name', (dialect) => {
  test.each(SEEDS)(
    'an import reproduces balances and receivables, adds nothing twice, and can be undone (seed %i)',
    async (seed) => {
      const home = await t.createCompany();
      const { token } = home.administrator;
      const before = await tablesOf(t, home.companyId);
      const company = testCompany(seed, isTorture ? 1000 : 150);
      const style = styleOf(seed * 31 + dialects.indexOf(dialect));
      const { preview, imported, accounts } = await moveIn(home, company, dialect, style);
      const monthEnds = monthEndsOf(company.transactions.map(({ date }) => date));
      expect(imported.report).toMatchObject({ proved: true, totalDifference: 0 });
      expect(imported.report?.months).toHaveLength(monthEnds.length);
      // The import's result is the same as the preview's.
      const facts = ({ at: _, seconds: __, ...result }: NonNullable<typeof imported.report>) => result;
      if (preview.preview === null || imported.report === null) throw new Error('no result');
      expect(facts(preview.preview)).toEqual(facts(imported.report));

      const own = await balancesOf(home.companyId, monthEnds);
      const labels = new Map(accounts.map((account) => [account.key, account]));
      const ids = await accountIds(token, imported.id);
      const wanted = expected(company, dialect, monthEnds);
      const found = new Map<string, number[]>();
      for (const [key, id] of ids) {
        const account = labels.get(key);
        if (account === undefined) continue;
        const { number, name } = account;
        const balances = own.get(id);
        if (balances !== undefined)
          found.set(dialect.labelOf({ key, name, isActive: true, ...(number === '' ? {} : { number }) }), balances);
      }
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
      expect(await receivables(home.companyId)).toEqual(owed(company, dialect));
      expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);

      const written = await tablesOf(t, home.companyId);
      const again = await mover.draft(token, dialect.write(company, style));
      const ready = await confirmAll(t, token, again, typesIn(company, dialect));
      const repeated = await mover.run(token, ready.id, 'import');
      expect(repeated.report?.counts).toMatchObject({ transactions: 0, accountsCreated: 0, customers: 0, vendors: 0 });
      expect(repeated.report?.counts.known).toBe(imported.report.counts.transactions);
      expect(await tablesOf(t, home.companyId)).toEqual(written);

      expect((await mover.undo(token, repeated.id)).status).toBe('undone');
      expect(await mover.undo(token, imported.id)).toMatchObject({ error: null, status: 'undone' });
      expect(await tablesOf(t, home.companyId)).toEqual(before);
      expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
    },
    120_000,
  );
});

test('undoing an import reverses the transactions behind a signed-off balance, but keeps the sign-off', async () => {
  const home = await t.createCompany();
  const { companyId } = home;
  const { token } = home.administrator;
  const company = testCompany(FIRST_SEED, 20);
  const [dialect] = dialects;
  if (dialect === undefined) throw new Error('no dialect');
  const { imported } = await moveIn(home, company, dialect);
  const date =
    company.transactions
      .map((one) => one.date)
      .toSorted()
      .at(-1) ?? isoDate('2026-12-31');
  const own = await balancesOf(companyId, [date]);
  const [accountId] = [...own].find(([, [amount = 0]]) => amount !== 0) ?? [0];
  const asked = { token, params: { customerAccountId: accountId }, query: { date } };
  const { balance } = await t.call(closingCalls.accountSignOffs, asked);
  const body = { accountId, date, balance: balance / 100, note: '' };
  const signed = await t.call(closingCalls.signOffAccount, { token, body });
  const before = await transactionsOf(companyId);

  expect(await mover.undo(token, imported.id)).toMatchObject({ error: null, status: 'undone' });
  expect((await transactionsOf(companyId)).slice(0, before.length)).toEqual(before);
  expect((await transactionsOf(companyId)).length).toBeGreaterThan(before.length);
  expect(await balancesOf(companyId, [date])).toEqual(new Map([...own.keys()].map((id) => [id, [0]])));
  const { signOffs } = await t.call(closingCalls.accountSignOffs, asked);
  expect(signOffs).toEqual([{ ...signed, current: 0, change: cents(0 - signed.balance) }]);
  expect((await verifyCompany(t.pool, companyId)).faults).toEqual([]);
});

/** Returns the IDs of a company's transactions, oldest first. */
async function transactionsOf(companyId: number): Promise<number[]> {
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(
      sql<{ id: number }>`select id from journal_transaction where company_id = ${companyId} order by posting_no`,
    ),
  );
  return rows.map(({ id }) => id);
}

/** Returns the accounts that a move uses, by their keys in the source. */
async function accountIds(token: string, moveId: number): Promise<Map<string, number>> {
  const { accounts } = await t.call(calls.getMove, { token, params: { id: moveId } });
  const rows = accounts.map(({ key, suggestion, choice }) => [key, choice?.accountId ?? suggestion.accountId] as const);
  return new Map(rows.flatMap(([key, id]) => (id === null ? [] : [[key, id] as const])));
}
