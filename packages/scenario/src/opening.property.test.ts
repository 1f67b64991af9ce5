import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPENING_BALANCE_EQUITY } from '@evenkeel/core/books/accounts';
import { addDays, endOfMonth, fiscalYearStart, isoDate, type IsoDate } from '@evenkeel/core/dates';
import { PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import type { Transaction } from '@evenkeel/core/books/ledger';
import { inView } from '@evenkeel/core/books/ledger';
import { cents } from '@evenkeel/core/money';
import { checkOpening, openingEquity, postOpening } from '@evenkeel/core/books/opening';
import { wantedPostings } from '@evenkeel/core/books/settlement';
import type { Books } from './books.ts';
import { isOnOneBasis, type Moved, movedBooks, trialBalanceOf } from './opening.ts';
import { randomScenario } from './random.ts';
import { runScenario } from './run.ts';

const runs = { numRuns: Number(process.env['TORTURE_RUNS'] ?? 12) };
const FIRST_DAY = isoDate('2025-01-01');
const views = ['accrual', 'cash'] as const;
const story = fc.record({
  seed: fc.integer({ min: 1, max: 2_000_000_000 }),
  days: fc.integer({ min: 30, max: 730 }),
  startMonth: fc.integer({ min: 1, max: 12 }),
});

interface Given {
  seed: number;
  days: number;
  startMonth: number;
}

const postingsOf = ({ receivable, payable }: Pick<Moved, 'receivable' | 'payable'>): Transaction[] => [
  ...wantedPostings(RECEIVABLE, receivable).flatMap(({ transactions }) => transactions),
  ...wantedPostings(PAYABLE, payable).flatMap(({ transactions }) => transactions),
];

/** Returns the amounts per day, account, and dimension after a date, on one basis. */
function amountsAfter(transactions: readonly Transaction[], date: IsoDate, basis: 'accrual' | 'cash') {
  const totals = new Map<string, number>();
  for (const { postingDate, entries } of transactions) {
    if (postingDate <= date) continue;
    for (const { accountId, amount, profitCenterId, locationId, ...entry } of entries) {
      if (!inView(entry.basis, basis)) continue;
      const key = `${postingDate} ${accountId} ${profitCenterId} ${locationId}`;
      totals.set(key, (totals.get(key) ?? 0) + amount);
    }
  }
  return Object.fromEntries([...totals].filter(([, amount]) => amount !== 0));
}

/**
 * Checks that books that restart with opening balances on a date have the same balances and later amounts as before.
 */
function checkMove(books: Books, { date, startMonth, isExact }: Cut & { isExact: boolean }): void {
  const moved = movedBooks(books, date, startMonth, isExact);
  const { opening } = moved;
  expect(checkOpening(opening)).toEqual({});
  const stated = opening.accounts.find(({ accountId }) => accountId === OPENING_BALANCE_EQUITY)?.amount ?? cents(0);
  expect(openingEquity(opening)).toBe(stated);
  const after = postingsOf(moved);
  const before = postingsOf(books.settlements());
  // The income of all earlier years is in retained earnings on the first day of a fiscal year.
  const yearStart = fiscalYearStart(addDays(date, 1), startMonth);
  for (const basis of views) {
    const journal = [postOpening(opening), ...after];
    expect(trialBalanceOf(journal, date, yearStart, basis)).toEqual(
      trialBalanceOf(books.journal, date, yearStart, basis),
    );
    expect(amountsAfter(after, date, basis)).toEqual(amountsAfter(before, date, basis));
  }
}

interface Cut {
  date: IsoDate;
  startMonth: number;
}

test('books that restart on a random date with opening balances on both bases match the original books', () => {
  const check = ({ seed, days, startMonth }: Given): void => {
    const { books } = runScenario(randomScenario(seed, { events: 60 }));
    checkMove(books, { date: addDays(FIRST_DAY, days), startMonth, isExact: true });
  };
  fc.assert(fc.property(story, check), runs);
});

test('at the end of a fiscal year, the cash-basis balances can be derived from the open documents', () => {
  let compared = 0;
  const check = ({ seed, days }: Given): void => {
    const { books } = runScenario(randomScenario(seed, { events: 25 }));
    const date = endOfMonth(addDays(FIRST_DAY, days));
    // Write-offs, discounts, and entries on one basis can't be calculated from the documents.
    if (isOnOneBasis(books, date)) return;
    compared += 1;
    checkMove(books, { date, startMonth: Number(addDays(date, 1).slice(5, 7)), isExact: false });
  };
  fc.assert(fc.property(story, check), runs);
  expect(compared).toBeGreaterThan(runs.numRuns / 10);
});
