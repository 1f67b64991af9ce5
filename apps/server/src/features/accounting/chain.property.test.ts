import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Basis,
  canonicalText,
  chain,
  type Chained,
  type ChainEnd,
  ledgerTotals,
  type PostedEntry,
  type Unchained,
} from '@evenkeel/core/books/ledger';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { cents, negate } from '@evenkeel/core/money';
import { hashChain } from '../../books/ledger/journal.ts';
import { openTestBooks, type TestBooks } from '../../books/ledger/testing/books.ts';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 40);

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

const id = fc.integer({ min: 1, max: 2 ** 40 });
const maybeId = fc.option(id, { nil: null });
/** Any text that a text column can store, including characters that are difficult to encode. */
const text = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('\\', '|', "'", '\\x41', '\n')))
  .map((parts) => parts.join('').replaceAll('\0', ''));
const day = fc.integer({ min: -36_000, max: 72_000 }).map((days) => addDays(isoDate('2000-01-01'), days));
const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
const half = fc.record({
  accountId: fc.integer({ min: 1, max: 4 }),
  amount: fc
    .integer({ min: -(10 ** 12), max: 10 ** 12 })
    .filter((amount) => amount !== 0)
    .map(cents),
  basis: fc.constantFrom<Basis>('A', 'B', 'C'),
  description: text,
  entityId: maybeId,
  profitCenterId: fc.constantFrom(null, 1, 2),
  locationId: fc.constantFrom(null, 7),
  reverses: maybeId,
});
const wanted = fc.record({
  companyId: fc.constant(5),
  sourceType: fc.constantFrom('invoice', 'journal', 'payment'),
  sourceId: fc.oneof(fc.constant(0), id),
  createdBy: id,
  createdAt: moment,
  posting: fc.record({
    postingDate: day,
    description: text,
    entries: fc
      .array(half, { minLength: 1, maxLength: 5 })
      .map((halves) => halves.flatMap((each): PostedEntry[] => [each, { ...each, amount: negate(each.amount) }])),
  }),
});

const START: ChainEnd = { transactionId: 1, lineId: 1, postingNo: 1, hash: '' };

function chained(all: readonly Unchained[], start = START): Chained[] {
  let end = start;
  return all.map((each) => {
    const made = chain(end, each, hashChain);
    end = made.end;
    return made.transaction;
  });
}

/** A transaction as rows of the database tables. */
function rowsOf({ lines, createdAt, previousHash, ...t }: Chained) {
  const head = {
    company_id: t.companyId,
    id: t.id,
    posting_no: t.postingNo,
    posting_date: t.postingDate,
    source_type: t.sourceType,
    source_id: t.sourceId,
    description: t.description,
    created_by: t.createdBy,
    created_at: createdAt.toISOString(),
    previous_hash: `\\x${previousHash}`,
  };
  const stored = lines.map((line) => ({
    company_id: t.companyId,
    id: line.id,
    transaction_id: t.id,
    line_no: line.lineNo,
    posting_date: t.postingDate,
    account_id: line.accountId,
    amount_cents: line.amount,
    basis: line.basis,
    description: line.description,
    entity_id: line.entityId,
    profit_center_id: line.profitCenterId,
    location_id: line.locationId,
    reverses: line.reverses,
  }));
  return [JSON.stringify(head), JSON.stringify(stored)] as const;
}

async function byDatabase(transaction: Chained): Promise<{ bytes: string; hash: string } | undefined> {
  const { rows } = await books.owner.query<{ bytes: string; hash: string }>(
    `select encode(ledger_canonical(t, lines), 'hex') as bytes, encode(ledger_hash(t, lines), 'hex') as hash
     from jsonb_populate_record(null::journal_transaction, $1) t,
       lateral (select array_agg(l order by l.line_no desc) as lines
         from jsonb_populate_recordset(null::journal_line, $2) l) all_lines`,
    [...rowsOf(transaction)],
  );
  return rows[0];
}

test('canonical bytes and hashes from core equal those from the database', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wanted, { minLength: 1, maxLength: 4 }), async (all) => {
      for (const transaction of chained(all)) {
        const bytes = Buffer.from(canonicalText(transaction), 'utf8').toString('hex');
        expect(await byDatabase(transaction)).toEqual({ bytes, hash: transaction.hash });
      }
    }),
    { numRuns },
  );
});

/** Runs the database function on empty totals. Returns the totals that it added, in key order, and rolls back. */
async function addedByDatabase(lines: readonly unknown[]): Promise<unknown[]> {
  const client = await books.owner.connect();
  try {
    await client.query('begin');
    await client.query(
      `select ledger_add_totals($1, array_agg(l)) from jsonb_populate_recordset(null::journal_line, $2) l`,
      [books.companyId, JSON.stringify(lines)],
    );
    const { rows } = await client.query<object>(
      `select grain, begins, account_id as "accountId", basis, profit_center_id as "profitCenterId",
         location_id as "locationId", amount_cents as amount, line_count as lines
       from ledger_total
       where company_id = $1
       order by grain, begins, account_id, basis, profit_center_id, location_id`,
      [books.companyId],
    );
    return rows;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('totals by day and month from core equal those from the database, in key order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wanted, { minLength: 1, maxLength: 6 }), async (all) => {
      const transactions = chained(all);
      const lines = transactions.flatMap((transaction): unknown[] => JSON.parse(rowsOf(transaction)[1]));
      expect(ledgerTotals(transactions)).toEqual(await addedByDatabase(lines));
    }),
    { numRuns },
  );
});

test('IDs and posting numbers are consecutive, hashes form a chain, and source 0 is the transaction itself', () => {
  fc.assert(
    fc.property(fc.array(wanted, { minLength: 2, maxLength: 5 }), (all) => {
      const start = { transactionId: 41, lineId: 900, postingNo: 7, hash: 'ab' };
      const transactions = chained(all, start);
      expect(transactions.map((each) => [each.id, each.postingNo])).toEqual(all.map((_, at) => [41 + at, 7 + at]));
      const lines = transactions.flatMap((each) => each.lines);
      expect(lines.map((line) => line.id)).toEqual(lines.map((_, at) => 900 + at));
      const before = ['ab', ...transactions.map((each) => each.hash)].slice(0, -1);
      expect(transactions.map((each) => each.previousHash)).toEqual(before);
      expect(transactions.map((each) => each.sourceId)).toEqual(
        all.map((each, at) => (each.sourceId === 0 ? 41 + at : each.sourceId)),
      );
    }),
    { numRuns },
  );
});

test('a transaction that has no lines or is out of balance is not added to the chain', () => {
  const entry = { accountId: 1, amount: cents(5), basis: 'B', description: '', entityId: null } as const;
  const more = { profitCenterId: null, locationId: null, reverses: null };
  const posting = { postingDate: isoDate('2026-01-01'), description: 'Half', entries: [{ ...entry, ...more }] };
  const one = { companyId: 5, sourceType: 'journal', sourceId: 0, createdBy: 1, createdAt: new Date(0) };
  expect(() => chain(START, { ...one, posting }, hashChain)).toThrow('does not balance');
  expect(() => chain(START, { ...one, posting: { ...posting, entries: [] } }, hashChain)).toThrow('has no lines');
});
