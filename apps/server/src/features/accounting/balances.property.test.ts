import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AR, CHECKING, SALES, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import { addDays, fiscalYearStart, isoDate } from '@evenkeel/core/dates';
import type { Basis } from '@evenkeel/core/books/ledger';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import {
  accountSum,
  amountsBetween,
  amountsByMonth,
  balancesAt,
  inView,
  type Scope,
} from '../../books/ledger/balances.sql.ts';
import { entry, openTestBooks, posting, type TestBooks } from '../../books/ledger/testing/books.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 40);
const FIRST = isoDate('2023-12-20');
const DAYS = 140;
const ACCOUNTS = [AR, CHECKING, SALES, SERVICE_INCOME];
const accountOf = (at: number): number => ACCOUNTS[at % ACCOUNTS.length] ?? AR;

let books: TestBooks;

/** Creates two companies with lines on each basis on every other day for five months, including the end of February. */
beforeAll(async () => {
  books = await openTestBooks();
  for (const companyId of [books.companyId, books.otherId]) {
    await books.owner.query(`insert into profit_center (company_id, id, name) values ($1, 1, 'North')`, [companyId]);
    const postings = Array.from({ length: DAYS / 2 }, (_, at) => {
      const entries = (['A', 'B', 'C'] as const).flatMap((basis: Basis, turn) => {
        const amount = (at + 1) * 7 + turn + companyId;
        const profitCenterId = (at + turn) % 3 === 0 ? 1 : null;
        return [
          entry(accountOf(at), amount, { basis, profitCenterId }),
          entry(accountOf(at + turn + 1), -amount, { basis }),
        ];
      });
      return posting(addDays(FIRST, at * 2 + (at % 2)), entries);
    });
    await books.post([{ source: { type: 'reconciliation', id: 1 }, postings }], companyId);
  }
});
afterAll(() => books.close());

const day = fc.integer({ min: -40, max: DAYS + 40 }).map((days) => addDays(FIRST, days));
const asks = fc.record({
  scope: fc.record<Scope>({
    basis: fc.constantFrom('accrual', 'cash'),
    profitCenterId: fc.constantFrom(undefined, UNASSIGNED, 1),
  }),
  days: fc.tuple(day, day),
  startMonth: fc.integer({ min: 1, max: 12 }),
  accountId: fc.constantFrom(...ACCOUNTS),
  isOther: fc.boolean(),
});

/** Sums the lines on a basis by day, directly from the journal. */
const plain = (scope: Scope): Runnable<{ day: string; accountId: number; amount: number }> => sql`
  select l.posting_date::text as day, l.account_id as "accountId", l.amount_cents as amount
  from journal_line l where l.company_id = ${COMPANY} and ${inView(scope, 'l.')}`;

test('balances and amounts for any dates equal the totals of the journal lines, for both companies', async () => {
  await fc.assert(
    fc.asyncProperty(asks, async ({ scope, days, startMonth, accountId, isOther }) => {
      const [from, to] = days[0] < days[1] ? days : [days[1], days[0]];
      const year = fiscalYearStart(to, startMonth);
      const some = [AR, SALES];
      await books.inCompany(
        async (tx) => {
          const lines = await tx.rows(plain(scope));
          const sums = (first: string, last: string) => {
            const byAccount = new Map<number, number>();
            for (const line of lines) {
              if (line.day < first || line.day > last) continue;
              byAccount.set(line.accountId, (byAccount.get(line.accountId) ?? 0) + line.amount);
            }
            return [...byAccount].toSorted(([a], [b]) => a - b);
          };
          const amountsOf = (rows: { accountId: number; amount: number }[]) =>
            rows.map((row) => [row.accountId, row.amount]);
          const balances = await tx.rows(balancesAt({ ...scope, date: to, fiscalYearStart: year }));
          const before = new Map(sums('', addDays(year, -1)));
          expect(balances).toEqual(
            sums('', to).map(([id, toDate]) => ({ accountId: id, toDate, beforeYear: before.get(id) ?? 0 })),
          );
          const amounts = await tx.rows(amountsBetween({ ...scope, from, to }));
          expect(amountsOf(amounts)).toEqual(sums(from, to));
          const months = new Map<string, number>();
          const within = (line: { day: string }) => line.day >= from && line.day <= to;
          for (const line of lines.filter((each) => within(each) && some.includes(each.accountId))) {
            const month = `${line.day.slice(0, 7)}-01`;
            months.set(month, (months.get(month) ?? 0) + line.amount);
          }
          const byMonth = await tx.rows(amountsByMonth({ ...scope, accountIds: some, from, to }));
          expect(byMonth.map((row) => [row.month, row.amount])).toEqual(
            [...months].toSorted(([a], [b]) => (a < b ? -1 : 1)),
          );
          for (const range of [{}, { from }, { to }, { from, to }]) {
            const own = lines.filter(
              (line) => line.accountId === accountId && line.day >= (range.from ?? '') && line.day <= (range.to ?? '3'),
            );
            expect(await tx.row(accountSum({ ...scope, accountId, ...range }))).toEqual({
              amount: own.reduce((sum, line) => sum + line.amount, 0),
              lines: own.length,
            });
          }
        },
        isOther ? books.otherId : books.companyId,
      );
    }),
    { numRuns },
  );
});
