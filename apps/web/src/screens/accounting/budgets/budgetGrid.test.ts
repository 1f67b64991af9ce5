import type { Budget, BudgetRow } from '@evenkeel/contract/budgets';
import { budgetMonths } from '@evenkeel/core/books/budgets';
import { isoDate } from '@evenkeel/core/dates';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';
import { describe, expect, test } from 'vitest';
import {
  afterSave,
  amountsOf,
  budgeted,
  cellsIn,
  type Change,
  changePercent,
  conflictsIn,
  copyAmounts,
  type Edits,
  fillRange,
  gridRows,
  isUnsaved,
  lastActuals,
  monthsIn,
  pasteInto,
  reportDateOf,
  type Range,
  rangeText,
  rangeWords,
  readCell,
  rebased,
  setCell,
  withChanges,
  without,
} from './budgetGrid.ts';

const usd = (amount: number): Cents => cents(amount * 100);
const NONE: (Cents | null)[] = Array.from({ length: 12 }, () => null);

function row(
  accountId: number,
  label: string,
  section: BudgetRow['section'],
  more: Partial<BudgetRow> = {},
): BudgetRow {
  const zeros = Array.from({ length: 12 }, () => ZERO);
  return { accountId, label, section, amounts: NONE, actuals: zeros, lastYear: zeros, isTotal: false, ...more };
}

const budget: Budget = {
  year: 2026,
  name: '2026',
  profitCenterId: null,
  months: budgetMonths(2026, 1),
  years: [],
  rows: [
    row(1, '4000 - Sales', 'Income', { lastYear: NONE.map((_, at) => usd(at < 2 ? 100 * (at + 1) : 0)) }),
    row(2, '4100 - Shop', 'Income', { isTotal: true, amounts: NONE.map(() => usd(10)) }),
    row(3, '5000 - Materials', 'Cost of Goods Sold'),
    row(4, '6000 - Rent', 'Expenses', { amounts: NONE.map((_, at) => (at === 0 ? usd(50) : null)) }),
  ],
};

const at = (top: number, left: number, bottom = top, right = left): Range => ({
  anchor: { row: top, column: left },
  head: { row: bottom, column: right },
});
const applied = (changes: readonly Change[], edits: Edits = {}) => withChanges(budget, edits, changes);
const months = (edits: Edits, index: number) => {
  const account = budget.rows[index];
  return account === undefined
    ? []
    : amountsOf(budget, edits, account).map((each) => (each === null ? null : each / 100));
};

describe('unsaved months', () => {
  test('a changed month counts as unsaved until it has its saved amount again', () => {
    const edits = applied(setCell(budget, { row: 3, column: 0 }, usd(70)));
    const [rent] = budget.rows.slice(3);
    expect(rent && isUnsaved(budget, edits, rent, 0)).toBe(true);
    expect(cellsIn(budget, edits)).toEqual([{ accountId: 4, month: '2026-01-01', was: usd(50), amount: usd(70) }]);
    expect(applied(setCell(budget, { row: 3, column: 0 }, usd(50)), edits)).toEqual({});
  });

  test('amounts are rounded to whole dollars', () => {
    expect(months(applied(setCell(budget, { row: 0, column: 3 }, cents(1250))), 0)[3]).toBe(13);
  });

  test("the total of several profit centers can't be edited", () => {
    expect(applied(setCell(budget, { row: 1, column: 0 }, usd(99)))).toEqual({});
  });

  test('changes made while the budget is being saved stay unsaved', () => {
    const sent = applied(setCell(budget, { row: 0, column: 0 }, usd(5)));
    const later = applied(
      [...setCell(budget, { row: 0, column: 0 }, usd(6)), ...setCell(budget, { row: 0, column: 1 }, usd(7))],
      sent,
    );
    expect(Object.values(afterSave(sent, later))).toEqual([
      { was: usd(5), amount: usd(6) },
      { was: null, amount: usd(7) },
    ]);
    expect(afterSave(sent, sent)).toEqual({});
  });

  test("another user's amount is shown, and the user chooses which amount to keep", () => {
    const edits = applied(setCell(budget, { row: 3, column: 0 }, usd(70)));
    const newest = {
      ...budget,
      rows: budget.rows.map((each) => (each.accountId === 4 ? { ...each, amounts: NONE } : each)),
    };
    expect(conflictsIn(budget, edits)).toEqual([]);
    const [conflict] = conflictsIn(newest, edits);
    expect(conflict?.words).toBe('6000 - Rent, Jan 2026: –');
    expect(cellsIn(newest, rebased(newest, edits))[0]).toMatchObject({ was: null, amount: usd(70) });
    expect(without(edits, [conflict?.key ?? ''])).toEqual({});
  });
});

describe('typing', () => {
  test('a cell accepts amounts and formulas, and nothing else', () => {
    expect(['1,200', '=1200*1.05', '=(100+50)/3', '(30)', '', '–'].map(readCell)).toEqual([
      usd(1200),
      usd(1260),
      usd(50),
      usd(-30),
      null,
      null,
    ]);
    expect([readCell('abc'), readCell('=1+')]).toEqual([undefined, undefined]);
  });

  test("typing in the year column spreads the amount in last year's proportions, or evenly if there are none", () => {
    expect(months(applied(setCell(budget, { row: 0, column: 12 }, usd(900))), 0)).toEqual([
      300,
      600,
      ...NONE.slice(2).map(() => 0),
    ]);
    const even = months(applied(setCell(budget, { row: 2, column: 12 }, usd(100))), 2);
    expect([even[0], even[11], sum(even.map((each) => cents(each ?? 0)))]).toEqual([9, 8, 100]);
  });

  test('Fill copies the first cell of a range to the others, or the previous month to a single cell', () => {
    const edits = applied(setCell(budget, { row: 0, column: 1 }, usd(20)));
    expect(months(applied(fillRange(budget, edits, at(0, 1, 2, 3)), edits), 2)).toEqual([
      null,
      20,
      20,
      20,
      ...NONE.slice(4),
    ]);
    expect(months(applied(fillRange(budget, edits, at(0, 2)), edits), 0)[2]).toBe(20);
    expect(fillRange(budget, edits, at(0, 0))).toEqual([]);
  });
});

describe('pasted rows', () => {
  test('pasted rows without account names fill the grid from the selected cell', () => {
    const { changes, told } = pasteInto(budget, at(2, 1), '10\t20\n\n', {});
    expect([months(applied(changes), 2).slice(0, 4), told]).toEqual([[null, 10, 20, null], []]);
  });

  test('an empty row between pasted rows keeps its position', () => {
    const { changes } = pasteInto(budget, at(0, 0), '1\t2\n\t\n3\t4\n');
    expect([months(applied(changes), 0).slice(0, 2), months(applied(changes), 2).slice(0, 2)]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('pasted rows with account names fill those accounts, and headings and totals are ignored', () => {
    const text =
      'Account\tJan\tFeb\nIncome\t\t\nSales\t1,000\t2,000\nTotal Income\t1,000\t2,000\n6000\t(5)\t6\nYachts\t7\t8\n';
    const { changes, told } = pasteInto(budget, at(0, 5), text);
    expect(months(applied(changes), 0).slice(0, 3)).toEqual([1000, 2000, null]);
    expect(months(applied(changes), 3).slice(0, 2)).toEqual([-5, 6]);
    expect(told).toEqual(['No income or expense account is named “Yachts”.']);
  });

  test("a CSV file can have the year's total after the months", () => {
    const twelve = Array.from({ length: 12 }, (_, month) => month + 1);
    const { changes, told } = pasteInto(budget, at(0, 0), `"4000 - Sales",${twelve.join(',')},"1,078"\n`, {
      isFile: true,
    });
    expect([months(applied(changes), 0), told]).toEqual([twelve, []]);
  });

  test('a single amount fills the selected range', () => {
    const { changes } = pasteInto(budget, at(0, 0, 2, 1), '1,500');
    expect([months(applied(changes), 0).slice(0, 3), months(applied(changes), 2)[1]]).toEqual([
      [1500, 1500, null],
      1500,
    ]);
  });

  test("pasted amounts and rows that can't be used are reported", () => {
    const { told } = pasteInto(budget, at(2, 11), 'x\t1\t2\n5\t\n6\t\n');
    expect(told).toEqual([
      '“x” for 5000 - Materials is not an amount.',
      '5000 - Materials has amounts after the last month.',
      'The last rows would extend past the last account.',
    ]);
    expect(pasteInto(budget, at(1, 0), '5\t6').told).toEqual([
      '4100 - Shop has a budget by profit center. Select a profit center to change it.',
    ]);
  });

  test('a copied range can be pasted again', () => {
    const edits = applied(setCell(budget, { row: 0, column: 0 }, usd(1234)));
    expect(rangeText(budget, edits, at(0, 0, 0, 1))).toBe('1234\t');
  });
});

describe('copying and changing by percent', () => {
  test("last year's actual amounts are copied, increased, and rounded to whole dollars", () => {
    const changes = copyAmounts(budget, {}, { from: lastActuals(budget), percent: 2.5, onlyEmpty: false });
    expect(months(applied(changes), 0)).toEqual([103, 205, ...NONE.slice(2).map(() => 0)]);
    expect(months(applied(changes), 2)).toEqual(NONE);
  });

  test("another year's budget can be copied into only the empty months", () => {
    const from = budgeted({
      ...budget,
      rows: [row(4, '6000 - Rent', 'Expenses', { amounts: NONE.map(() => usd(80)) })],
    });
    const changes = copyAmounts(budget, {}, { from, percent: 0, onlyEmpty: true });
    expect(months(applied(changes), 3).slice(0, 3)).toEqual([50, 80, 80]);
  });

  test('a percentage change affects only the months that have a budget', () => {
    const cells = monthsIn(budget, at(3, 0, 3, 11));
    expect(months(applied(changePercent(budget, {}, { cells, percent: -10 })), 3)).toEqual([45, ...NONE.slice(1)]);
  });
});

describe('the grid', () => {
  test('the grid has the same totals as the profit and loss statement', () => {
    const edits = applied([
      ...setCell(budget, { row: 0, column: 0 }, usd(500)),
      ...setCell(budget, { row: 2, column: 0 }, usd(120)),
    ]);
    const rows = gridRows(budget, edits).flatMap((each) =>
      each.kind === 'total' ? [[each.title, (each.amounts[0] ?? 0) / 100, each.total / 100]] : [],
    );
    expect(rows).toEqual([
      ['Total Income', 510, 620],
      ['Total Cost of Goods Sold', 120, 120],
      ['Gross Profit', 390, 500],
      ['Total Expenses', 50, 50],
      ['Net Income', 340, 450],
    ]);
  });

  test('the status bar shows the selected range with its total and the total for last year', () => {
    const edits = applied(setCell(budget, { row: 0, column: 0 }, usd(1500)));
    expect(rangeWords(budget, edits, at(0, 0, 0, 1))).toBe('4000 - Sales, Jan – Feb: 1,500 · actual last year 300');
    expect(rangeWords(budget, edits, at(0, 12))).toBe('4000 - Sales, 2026: 1,500 · actual last year 300');
    expect(rangeWords(budget, edits, at(0, 0, 2, 0))).toBe('3 accounts, Jan: 1,510 · actual last year 100');
  });
});

test.each([
  ['2026-06-15', '2026-06-15'],
  ['2026-12-31', '2026-12-31'],
  ['2027-02-01', '2026-12-31'],
  ['2025-11-30', '2026-12-31'],
])('on %s, the report for the 2026 budget has the date %s', (today, date) => {
  expect(reportDateOf(budgetMonths(2026, 1), isoDate(today))).toBe(date);
});
