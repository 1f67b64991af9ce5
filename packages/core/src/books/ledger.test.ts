import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { assertBalanced, difference, inView } from './ledger.ts';
import { type Mark, ReconciledFailure } from '../banking/marks.ts';
import type { Basis, Entry, LiveLine, Posting, Transaction } from './ledger.ts';
import { cents } from '../money.ts';

const JAN = isoDate('2026-01-15');
const FEB = isoDate('2026-02-15');
const numRuns = Number(process.env['TORTURE_RUNS'] ?? 200);

function entry(accountId: number, amount: number, more: Partial<Entry> = {}): Entry {
  const plain = { basis: 'B', description: '', entityId: null, profitCenterId: null, locationId: null } as const;
  return { accountId, amount: cents(amount), ...plain, ...more };
}

function sale(amount: number, more: Partial<Entry> = {}): Entry[] {
  return [entry(101, amount, more), entry(140, -amount, more)];
}

function dated(postingDate: typeof JAN, entries: Entry[], description = 'Sale'): Transaction {
  return { postingDate, description, entries };
}

function live(transaction: Transaction, firstId: number): LiveLine[] {
  return transaction.entries.map((each, index) => {
    return { ...each, id: firstId + index, postingDate: transaction.postingDate };
  });
}

/** Returns the live lines after the postings. */
function applied(before: readonly LiveLine[], postings: readonly Posting[]): LiveLine[] {
  const reversed = new Set(postings.flatMap((posting) => posting.entries.map((each) => each.reverses)));
  let id = 1_000_000;
  const added = postings.flatMap(({ postingDate, entries }) =>
    entries.flatMap(({ reverses, replaces: _, ...each }) =>
      reverses === null ? [{ ...each, id: ++id, postingDate }] : [],
    ),
  );
  return [...before.filter((line) => !reversed.has(line.id)), ...added];
}

function asSet(transactions: readonly Transaction[]): string[] {
  return transactions
    .flatMap(({ postingDate, entries }) =>
      entries
        .filter((each) => each.amount !== 0)
        .map((each) => JSON.stringify([postingDate, Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))])),
    )
    .toSorted();
}

function asTransactions(lines: readonly LiveLine[]): Transaction[] {
  return lines.map(({ id: _, postingDate, ...each }) => dated(postingDate, [each]));
}

describe('assertBalanced', () => {
  test('assertBalanced rejects a debit of 10.00 against a credit of 9.99', () => {
    expect(() => assertBalanced({ entries: [entry(101, 1000), entry(140, -999)] })).toThrow('1 cents');
  });

  test('assertBalanced rejects a transaction that balances on the accrual basis but not on the cash basis', () => {
    const entries = [entry(138, 500, { basis: 'A' }), entry(140, -500)];
    expect(() => assertBalanced({ entries })).toThrow('cash basis');
  });

  test('assertBalanced accepts two bases that balance separately', () => {
    const accrual = [entry(138, -500, { basis: 'A' }), entry(101, 500)];
    expect(() => assertBalanced({ entries: [...accrual, entry(145, -500, { basis: 'C' })] })).not.toThrow();
  });
});

test('basis B counts on both bases, A only on the accrual basis, and C only on the cash basis', () => {
  expect((['B', 'A', 'C'] as const).map((basis) => [inView(basis, 'accrual'), inView(basis, 'cash')])).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ]);
});

describe('difference', () => {
  test('the difference is empty if only the order of the lines changed', () => {
    const wanted = dated(JAN, sale(1000));
    expect(difference(live(wanted, 1), [{ ...wanted, entries: wanted.entries.toReversed() }])).toEqual([]);
  });

  test('the difference for a deleted document reverses every live line and refers to the document', () => {
    const [posting, ...rest] = difference(live(dated(JAN, sale(1000)), 7), []);
    expect(rest).toEqual([]);
    expect(posting?.postingDate).toBe(JAN);
    expect(posting?.entries.map((each) => [each.accountId, each.amount, each.reverses])).toEqual([
      [101, -1000, 7],
      [140, 1000, 8],
    ]);
  });

  test('moving a line from account 140 to 141 does not change the bank line', () => {
    const wanted = dated(JAN, [entry(101, 1000), entry(141, -1000)], 'Corrected');
    const [posting] = difference(live(dated(JAN, sale(1000)), 1), [wanted]);
    expect(posting?.description).toBe('Corrected');
    expect(posting?.entries.map((each) => [each.accountId, each.amount, each.reverses])).toEqual([
      [140, 1000, 2],
      [141, -1000, null],
    ]);
  });

  test('a document with a new date has one posting per date, earliest first', () => {
    const postings = difference(live(dated(FEB, sale(1000)), 1), [dated(JAN, sale(1000))]);
    expect(postings.map((each) => [each.postingDate, each.entries.map((line) => line.reverses)])).toEqual([
      [JAN, [null, null]],
      [FEB, [1, 2]],
    ]);
  });

  test.each([
    ['basis', { basis: 'A' as Basis }],
    ['description', { description: 'Other' }],
    ['entity', { entityId: 3 }],
    ['profit center', { profitCenterId: 3 }],
    ['location', { locationId: 3 }],
  ])('a line with a different %s is replaced', (_, change) => {
    const [posting] = difference(live(dated(JAN, sale(1000)), 1), [dated(JAN, sale(1000, change))]);
    expect(posting?.entries).toHaveLength(4);
    // A line with a different basis appears in different reports, so it does not count as the old line.
    const replaces = (id: number) => ('basis' in change ? {} : { replaces: id });
    expect(posting?.entries.filter((each) => each.reverses === null)).toEqual(
      sale(1000, change).map((each, at) => ({ ...each, reverses: null, ...replaces(at + 1) })),
    );
  });

  test('if three identical lines are desired and two are live, the difference adds one line', () => {
    const [posting] = difference(live(dated(JAN, [...sale(500), ...sale(500)]), 1), [
      dated(JAN, [...sale(500), ...sale(500), ...sale(500)]),
    ]);
    expect(posting?.entries).toEqual(sale(500).map((each) => ({ ...each, reverses: null })));
  });

  test('lines with a zero amount are never posted', () => {
    expect(difference([], [dated(JAN, [entry(101, 0), entry(140, 0)])])).toEqual([]);
  });

  test('a desired transaction that does not balance is rejected', () => {
    expect(() => difference([], [dated(JAN, [entry(101, 1)])])).toThrow('does not balance');
  });

  describe('reconciled lines', () => {
    const mark: Mark = {
      reconciliationId: 7,
      bankAccountId: 2,
      name: 'Checking',
      statementDate: isoDate('2026-05-31'),
    };
    const [bank, other] = [new Map([[1, mark]]), new Map([[3, mark]])];
    const twice = live(dated(JAN, [...sale(500, { description: 'a' }), ...sale(500, { description: 'b' })]), 1);
    const moves = (postings: readonly Posting[]) =>
      postings.flatMap(({ entries }) => entries.map(({ reverses, replaces }) => [reverses, replaces ?? null]));

    test("a reconciled line's mark moves to the new line if the description or dimensions change", () => {
      const change = { description: 'Other', profitCenterId: 3, locationId: 4 };
      const postings = difference(live(dated(JAN, sale(1000)), 1), [dated(JAN, sale(1000, change))], bank);
      expect(moves(postings)).toEqual([
        [1, null],
        [2, null],
        [null, 1],
        [null, 2],
      ]);
    });

    test.each([
      ['another amount', dated(JAN, sale(999))],
      ['another date', dated(FEB, sale(1000))],
      ['another account', dated(JAN, [entry(102, 1000), entry(140, -1000)])],
      ['only one basis', dated(JAN, sale(1000, { basis: 'A' }))],
      ['no lines', dated(JAN, [])],
    ])('rejects a change to a reconciled line and reports the affected lines: %s', (_, wanted) => {
      const change = () => difference(live(dated(JAN, sale(1000)), 1), [wanted], bank);
      expect(change).toThrow(ReconciledFailure);
      expect(change).toThrow(expect.objectContaining({ code: 'conflict', lineIds: [1] }));
      expect(change).toThrow(
        "You can't delete a reconciled entry or change its date, account, or amount. This entry is " +
          'reconciled on the Checking statement dated 5/31/2026. Delete the reconciliation first.',
      );
      expect(change).toThrow(expect.objectContaining({ detail: { reconciliation: { id: 7, bankAccountId: 2 } } }));
    });

    test('other lines in a document with a reconciled line may change', () => {
      const wanted = dated(JAN, [entry(101, 1000), entry(140, -600), entry(141, -400)]);
      expect(moves(difference(live(dated(JAN, sale(1000)), 1), [wanted], bank))).toEqual([
        [2, null],
        [null, null],
        [null, null],
      ]);
    });

    test('if two identical lines become one, the marked line is kept, or the mark moves to the remaining line', () => {
      const equal = live(dated(JAN, [...sale(500), ...sale(500)]), 1);
      expect(moves(difference(equal, [dated(JAN, sale(500))], other))).toEqual([
        [1, null],
        [4, null],
      ]);
      // Line 3 ("b") is marked, but only "a" should exist. The mark moves to a new line "a".
      const postings = difference(twice, [dated(JAN, sale(500, { description: 'a' }))], other);
      expect(moves(postings)).toEqual([
        [1, null],
        [3, null],
        [4, null],
        [null, 3],
      ]);
    });
  });

  const some = fc
    .array(fc.tuple(fc.constantFrom(JAN, FEB), fc.constantFrom(0, 100, 250), fc.constantFrom('a', 'b')), {
      maxLength: 8,
    })
    .map((sales) => sales.map(([date, amount, description]) => dated(date, sale(amount, { description }))));

  test('applying a difference to live lines gives exactly the desired lines, and a second difference is empty', () => {
    const check = (old: Transaction[], wanted: Transaction[]): void => {
      const before = old.flatMap((each, index) =>
        live({ ...each, entries: each.entries.filter((line) => line.amount !== 0) }, index * 10),
      );
      const after = applied(before, difference(before, wanted));
      expect(asSet(asTransactions(after))).toEqual(asSet(wanted));
      expect(difference(after, wanted)).toEqual([]);
    };
    fc.assert(fc.property(some, some, check), { numRuns });
  });

  test('a difference never needs more lines than it would take to reverse and repost every line', () => {
    const check = (old: Transaction[], wanted: Transaction[]): void => {
      const before = old.flatMap((each, index) => live(each, index * 10));
      const lines = difference(before, wanted).reduce((total, posting) => total + posting.entries.length, 0);
      expect(lines).toBeLessThanOrEqual(before.length + wanted.length * 2);
    };
    fc.assert(fc.property(some, some, check), { numRuns });
  });
});
