import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AR, CHECKING, SALES, SERVICE_INCOME, UNAPPLIED_CASH_INCOME } from '@evenkeel/core/books/accounts';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { type Basis, type Entry, type LiveLine, type Transaction, difference } from '@evenkeel/core/books/ledger';
import { liveLinesBySource, liveLinesOf, post } from './journal.ts';
import { documentKinds, type Source } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';
import { rebuildCompany } from '../../features/accounting/rebuild.ts';
import { POSTER, type TestBooks, entry, journal, openTestBooks } from './testing/books.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 40);

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
  await books.inCompany(async (tx) => {
    await tx.rows(sql`insert into profit_center (company_id, id, name) values (${COMPANY}, 1, 'North')`);
    await tx.rows(sql`insert into location (company_id, id, name) values (${COMPANY}, 1, 'Main Street')`);
  });
});
afterAll(() => books.close());

const pair = fc.record({
  accounts: fc.constantFrom([AR, SALES], [CHECKING, AR], [CHECKING, SERVICE_INCOME], [AR, UNAPPLIED_CASH_INCOME]),
  amount: fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((amount) => amount !== 0),
  basis: fc.constantFrom<Basis>('A', 'B', 'C'),
  dimension: fc.constantFrom(null, 1),
  note: fc.string({ unit: 'grapheme', maxLength: 12 }).filter((note) => !note.includes('\0')),
});
const transaction = fc.record({
  day: fc.integer({ min: 0, max: 800 }),
  pairs: fc.array(pair, { minLength: 1, maxLength: 4 }),
});
/** A document and the transactions that the journal should have for it. A repeated document is an edit. */
const change = fc.record({ document: fc.integer({ min: 1, max: 4 }), wanted: fc.array(transaction, { maxLength: 3 }) });

type WantedTransaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never;

function transactionOf({ day, pairs }: WantedTransaction): Transaction {
  const entries = pairs.flatMap(({ accounts, amount, basis, dimension, note }): Entry[] => {
    const [debit = 0, credit = 0] = accounts;
    const more = { basis, profitCenterId: dimension, locationId: dimension, description: note };
    const { reverses: _debit, ...first } = entry(debit, amount, more);
    const { reverses: _credit, ...second } = entry(credit, -amount, { basis });
    return [first, second];
  });
  return { postingDate: addDays(isoDate('2024-11-15'), day), description: '', entries };
}

/**
 * Returns the totals of the desired lines in the form of ledger_total: day or month, account, basis, and dimensions →
 * cents.
 */
function plainSums(lines: readonly (Entry & { postingDate: string })[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of lines) {
    const { accountId, postingDate, basis, profitCenterId, locationId } = line;
    for (const span of [`D ${postingDate}`, `M ${postingDate.slice(0, 7)}-01`]) {
      const key = [span, accountId, basis, profitCenterId ?? 0, locationId ?? 0].join(' ');
      sums.set(key, (sums.get(key) ?? 0) + line.amount);
    }
  }
  return new Map([...sums].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function storedSums(): Promise<Map<string, number>> {
  const { rows } = await books.owner.query<{ key: string; amount: number }>(
    `select concat_ws(' ', grain, begins, account_id, basis, profit_center_id, location_id) as key,
      amount_cents as amount from ledger_total where company_id = $1 and amount_cents <> 0`,
    [books.companyId],
  );
  return new Map(rows.map(({ key, amount }) => [key, amount] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function live(sources: readonly Source[]): Promise<(source: Source) => LiveLine[]> {
  return liveLinesBySource(await books.inCompany((tx) => tx.rows(liveLinesOf(sources))));
}

/** Returns the problems except those of control accounts, which need documents. These tests have only lines. */
const ofJournal = async () => {
  const { faults } = await verifyCompany(books.pool, books.companyId);
  return faults.filter((fault) => fault.check !== 'control accounts');
};

let documents = 0;

test('after random postings and edits, the right lines are live, totals are correct, and verify passes', async () => {
  const standing: (Entry & { postingDate: string })[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const last = new Map<number, Transaction[]>();
      for (const { document, wanted } of changes) {
        const source = { type: 'reconciliation', id: documents + document } as const;
        const transactions = wanted.map(transactionOf);
        const postings = difference((await live([source]))(source), transactions);
        await books.post([{ source, postings }]);
        last.set(source.id, transactions);
      }
      documents += 4;
      const wanted = [...last.values()]
        .flat()
        .flatMap(({ postingDate, entries }) => entries.map((each) => ({ ...each, postingDate })));
      standing.push(...wanted);
      const lines = await live([...last.keys()].map((id) => ({ type: 'reconciliation', id })));
      const found = [...last.keys()].flatMap((id) => lines({ type: 'reconciliation', id }));
      expect(plainSums(found)).toEqual(plainSums(wanted));
      expect(found).toHaveLength(wanted.length);
      expect(await storedSums()).toEqual(plainSums(standing));
    }),
    { numRuns },
  );
  expect(await ofJournal()).toEqual([]);
  const before = await storedSums();
  await rebuildCompany(books.owner, books.companyId);
  expect(await storedSums()).toEqual(before);
  expect(await ofJournal()).toEqual([]);
});

test('50 simultaneous postings and 20 that are rolled back leave no gap in IDs, numbers, or the chain', async () => {
  const { otherId: companyId } = books;
  const number = documentKinds.invoice;
  const posts = Array.from({ length: 50 }, (_, at) =>
    books.post([{ ...journal('2026-05-05', [CHECKING, SALES], at + 1), number }], companyId),
  );
  const givenUp = Array.from({ length: 20 }, () =>
    books.inCompany(async (tx) => {
      await post({ tx, userId: POSTER }, [{ ...journal('2026-05-05', [CHECKING, SALES], 7), number }]);
      throw new Error('changed its mind');
    }, companyId),
  );
  const [posted, failed] = await Promise.all([Promise.all(posts), Promise.allSettled(givenUp)]);
  expect(failed.map((each) => each.status)).toEqual(Array.from({ length: 20 }, () => 'rejected'));
  const sorted = (values: (number | undefined)[]) => values.toSorted((a, b) => Number(a) - Number(b));
  const from = (first: number) => Array.from({ length: 50 }, (_, at) => first + at);
  expect(sorted(posted.map(([each]) => Number(each?.number)))).toEqual(from(10_001));
  expect(sorted(posted.map(([each]) => each?.transactions[0]?.id))).toEqual(from(1));
  const { transactions, lines, faults } = await verifyCompany(books.pool, companyId);
  expect({ transactions, lines }).toEqual({ transactions: 50, lines: 100 });
  // The test assigns numbers to invoices that it does not write.
  expect(faults.map((fault) => fault.check)).toEqual(Array.from({ length: 20 }, () => 'numbers'));
  const { rows } = await books.owner.query(
    `select grain, begins, amount_cents as amount, line_count as lines from ledger_total
      where company_id = $1 and account_id = $2 order by grain`,
    [companyId, CHECKING],
  );
  expect(rows).toEqual([
    { grain: 'D', begins: '2026-05-05', amount: 1275, lines: 50 },
    { grain: 'M', begins: '2026-05-01', amount: 1275, lines: 50 },
  ]);
});
