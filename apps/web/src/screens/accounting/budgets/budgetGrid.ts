import type { Budget, BudgetRow } from '@evenkeel/contract/budgets';
import { budgetTotal, changedByPercent, spreadYear } from '@evenkeel/core/books/budgets';
import { endOfMonth, formatMonth, type IsoDate } from '@evenkeel/core/dates';
import { present } from '@evenkeel/core/failure';
import { type Cents, formatWhole, negate, sum, toDollars, toWholeDollars, ZERO } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import * as z from 'zod';
import { Money } from '../../../records/formFields.ts';
import { readMoney } from '../../../ui/fields/readMoney.ts';
import { byName, cellsOf, plainName } from '../../../ui/table/pasted.ts';

/** The contents of the budget grid: the saved budget with the unsaved amounts, and the functions that change them. */

const Amount = Money.nullable();
/** An unsaved amount for a month, and the amount that the user saw before changing it. */
const Edit = z.object({ was: Amount, amount: Amount });
/** The unsaved amounts by account and month. */
export const Edits = z.record(z.string(), Edit);
export type Edits = Readonly<Record<string, z.output<typeof Edit>>>;

/** A new amount for one month of an account. Null removes the amount. */
export interface Change {
  row: BudgetRow;
  /** The index of the month. */
  at: number;
  amount: Cents | null;
}

/** Returns the part of an edit's key that is the same for every budget: the account and the month. */
const keyOf = (budget: Budget, { accountId }: BudgetRow, at: number): string =>
  `${accountId} ${budget.months[at] ?? ''}`;

/** Returns the amount for a month as the user sees it. */
export function amountAt(budget: Budget, edits: Edits, row: BudgetRow, at: number): Cents | null {
  const edit = edits[keyOf(budget, row, at)];
  return edit === undefined ? (row.amounts[at] ?? null) : edit.amount;
}

/** Returns an account's months as the user sees them. */
export function amountsOf(budget: Budget, edits: Edits, row: BudgetRow): (Cents | null)[] {
  return budget.months.map((_, at) => amountAt(budget, edits, row, at));
}

/** Returns whether a month is unsaved. */
export function isUnsaved(budget: Budget, edits: Edits, row: BudgetRow, at: number): boolean {
  return keyOf(budget, row, at) in edits;
}

/** Adds changes to the unsaved months. A month that has its saved amount again is no longer unsaved. */
export function withChanges(budget: Budget, edits: Edits, changes: readonly Change[]): Edits {
  const next = { ...edits };
  for (const { row, at, amount } of changes) {
    if (row.isTotal || at >= budget.months.length) continue;
    const key = keyOf(budget, row, at);
    const saved = row.amounts[at] ?? null;
    const whole = amount === null ? null : toWholeDollars(amount);
    if (whole === saved) delete next[key];
    else next[key] = { was: next[key]?.was ?? saved, amount: whole };
  }
  return next;
}

/** Returns the unsaved months for the request. */
export function cellsIn(budget: Budget, edits: Edits) {
  return budget.rows.flatMap((row) =>
    budget.months.flatMap((month, at) => {
      const edit = edits[keyOf(budget, row, at)];
      return edit === undefined ? [] : [{ accountId: row.accountId, month, ...edit }];
    }),
  );
}

/** Returns the months that are still unsaved after a request is saved. Changes made in the meantime remain unsaved. */
export function afterSave(sent: Edits, now: Edits): Edits {
  const rest = Object.entries(now).flatMap(([key, edit]) => {
    const saved = sent[key];
    if (saved === undefined) return [[key, edit] as const];
    return saved.amount === edit.amount ? [] : [[key, { ...edit, was: saved.amount }] as const];
  });
  return Object.fromEntries(rest);
}

/** A month that another user has changed since this user saw the amount. */
export interface Conflict {
  key: string;
  words: string;
}

/** Returns the unsaved months that another user has changed, compared with the newest saved budget. */
export function conflictsIn(budget: Budget, edits: Edits): Conflict[] {
  return budget.rows.flatMap((row) =>
    budget.months.flatMap((month, at): Conflict[] => {
      const key = keyOf(budget, row, at);
      const [edit, saved] = [edits[key], row.amounts[at] ?? null];
      if (edit === undefined || edit.was === saved || edit.amount === saved) return [];
      return [{ key, words: `${row.label}, ${formatMonth(month)}: ${wholeText(saved)}` }];
    }),
  );
}

/** Returns the edits as changes to the newest saved amounts, so that saving again replaces those amounts. */
export function rebased(budget: Budget, edits: Edits): Edits {
  return withChanges(budget, {}, changesOf(budget, edits));
}

/** Returns the edits, except those for the given months. */
export function without(edits: Edits, keys: readonly string[]): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([key]) => !keys.includes(key)));
}

const changesOf = (budget: Budget, edits: Edits): Change[] =>
  budget.rows.flatMap((row) =>
    budget.months.flatMap((_, at) => {
      const edit = edits[keyOf(budget, row, at)];
      return edit === undefined ? [] : [{ row, at, amount: edit.amount }];
    }),
  );

/** Formats an amount in whole dollars: 1,200, or (1,200) for a negative amount. */
export function wholeText(amount: Cents | null): string {
  return amount === null ? NOTHING : formatWhole(amount);
}

/** A row of the grid: the title of a section, an account, or a total. */
export type GridRow =
  | { kind: 'section'; title: string }
  | { kind: 'account'; index: number; row: BudgetRow; amounts: readonly (Cents | null)[]; total: Cents | null }
  | { kind: 'total'; title: string; amounts: readonly Cents[]; total: Cents };

/** The totals after a section, and the sections that they include. */
const TOTALS: readonly { after: BudgetRow['section']; title: string }[] = [
  { after: 'Cost of Goods Sold', title: 'Gross Profit' },
  { after: 'Expenses', title: 'Net Operating Income' },
];
const SECTIONS: readonly BudgetRow['section'][] = [
  'Income',
  'Cost of Goods Sold',
  'Expenses',
  'Other Income',
  'Other Expenses',
];
const isIncome = (section: BudgetRow['section']): boolean => section === 'Income' || section === 'Other Income';

/** Returns the rows of the grid, in the same order as on the profit and loss statement. */
export function gridRows(budget: Budget, edits: Edits): GridRow[] {
  const rows: GridRow[] = [];
  let net = budget.months.map(() => ZERO);
  const total = (title: string, amounts: readonly Cents[]) =>
    rows.push({ kind: 'total', title, amounts, total: sum(amounts) });
  const has = (section: string) => budget.rows.some((row) => row.section === section);
  for (const [index, section] of SECTIONS.entries()) {
    const isLast = !SECTIONS.slice(index + 1).some(has);
    const own = budget.rows.flatMap((row, place) => (row.section === section ? [{ row, place }] : []));
    const sums = budget.months.map((_, at) => sum(own.map(({ row }) => amountAt(budget, edits, row, at) ?? ZERO)));
    net = net.map((before, at) => {
      const amount = sums[at] ?? ZERO;
      return sum([before, isIncome(section) ? amount : negate(amount)]);
    });
    if (own.length > 0) {
      rows.push({ kind: 'section', title: section });
      for (const { row, place } of own) {
        const amounts = amountsOf(budget, edits, row);
        rows.push({ kind: 'account', index: place, row, amounts, total: budgetTotal(amounts) });
      }
      total(`Total ${section}`, sums);
    }
    const step = TOTALS.find(({ after }) => after === section);
    if (step !== undefined && own.length > 0 && !isLast) total(step.title, net);
  }
  total('Net Income', net);
  return rows;
}

/**
 * A cell of the grid, identified by the index of its account and by its column. The column after the months is the
 * year.
 */
export interface Place {
  row: number;
  column: number;
}

/** The selected cells, from the cell where the selection began to the active one. */
export interface Range {
  anchor: Place;
  head: Place;
}

/** Returns the edges of a range. */
export function edgesOf({ anchor, head }: Range) {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}

/** Returns whether a cell is in a range. */
export function isIn(range: Range, { row, column }: Place): boolean {
  const { top, bottom, left, right } = edgesOf(range);
  return row >= top && row <= bottom && column >= left && column <= right;
}

/**
 * Returns the changes that set a cell. An amount for the year is allocated to the months in the same proportions as
 * last year.
 */
export function setCell(budget: Budget, { row: at, column }: Place, amount: Cents | null): Change[] {
  const row = budget.rows[at];
  if (row === undefined) return [];
  if (column < budget.months.length) return [{ row, at: column, amount }];
  const parts = amount === null ? undefined : spreadYear(amount, row.lastYear);
  return budget.months.map((_, month) => ({ row, at: month, amount: parts?.[month] ?? null }));
}

/** Returns the first and last months of a range. If only the year column is selected, the range covers all months. */
function monthsOf(budget: Budget, range: Range): { first: number; last: number } {
  const { left, right } = edgesOf(range);
  const end = budget.months.length - 1;
  return { first: left > end ? 0 : left, last: Math.min(right, end) };
}

/** Returns the accounts and months of a range. */
export function monthsIn(budget: Budget, range: Range): { row: BudgetRow; at: number }[] {
  const { top, bottom } = edgesOf(range);
  const { first, last } = monthsOf(budget, range);
  return budget.rows
    .slice(top, bottom + 1)
    .flatMap((row) => budget.months.flatMap((_, at) => (at >= first && at <= last ? [{ row, at }] : [])));
}

/** Returns the changes that clear a range. */
export function clearRange(budget: Budget, range: Range): Change[] {
  return monthsIn(budget, range).map((cell) => ({ ...cell, amount: null }));
}

/** Returns the changes that fill a range from its first cell. A single cell gets the previous month's amount. */
export function fillRange(budget: Budget, edits: Edits, range: Range): Change[] {
  const { top, left, right, bottom } = edgesOf(range);
  const isOne = top === bottom && left === right;
  const row = budget.rows[top];
  if (row === undefined || left >= budget.months.length || (isOne && left === 0)) return [];
  const amount = amountAt(budget, edits, row, isOne ? left - 1 : left);
  return monthsIn(budget, range).map((cell) => ({ ...cell, amount }));
}

/** Returns the changes that increase or decrease the months by a percentage. Months without a budget stay empty. */
export function changePercent(
  budget: Budget,
  edits: Edits,
  { cells, percent }: { cells: readonly { row: BudgetRow; at: number }[]; percent: number },
): Change[] {
  return cells.flatMap(({ row, at }) => {
    const amount = amountAt(budget, edits, row, at);
    return amount === null ? [] : [{ row, at, amount: changedByPercent(amount, percent) }];
  });
}

/** The amounts to copy, by account, with one amount for each month. */
export type Copied = ReadonlyMap<number, readonly (Cents | null)[]>;

/** Returns last year's actual amounts from a budget. Accounts without actual amounts are omitted. */
export function lastActuals({ rows }: Budget): Copied {
  return new Map(
    rows.flatMap(({ accountId, lastYear }) =>
      lastYear.some((amount) => amount !== 0) ? [[accountId, lastYear] as const] : [],
    ),
  );
}

/** Returns the budgeted amounts. Accounts without budgeted amounts are omitted. */
export function budgeted({ rows }: Budget): Copied {
  return new Map(
    rows.flatMap(({ accountId, amounts }) =>
      amounts.some((amount) => amount !== null) ? [[accountId, amounts] as const] : [],
    ),
  );
}

/** Returns the changes that copy amounts, increased or decreased by a percentage. Empty months aren't copied. */
export function copyAmounts(
  budget: Budget,
  edits: Edits,
  { from, percent, onlyEmpty }: { from: Copied; percent: number; onlyEmpty: boolean },
): Change[] {
  return budget.rows.flatMap((row) =>
    budget.months.flatMap((_, at) => {
      const amount = from.get(row.accountId)?.[at] ?? null;
      if (amount === null || (onlyEmpty && amountAt(budget, edits, row, at) !== null)) return [];
      return [{ row, at, amount: changedByPercent(amount, percent) }];
    }),
  );
}

/**
 * Parses a typed amount or calculation, with or without an equals sign. Returns null for empty text, and undefined if
 * the text isn't an amount.
 */
export function readCell(text: string): Cents | null | undefined {
  const plain = text.trim().replace(/^=/, '');
  if (/^[-–—]?$/.test(plain)) return null;
  const amount = readMoney(plain);
  return amount === undefined || amount === null ? amount : toWholeDollars(amount);
}

export interface Pasted {
  changes: Change[];
  /** Messages about the pasted text that was not applied. */
  told: string[];
}

/** The words at the start of rows that aren't accounts, such as headings and totals. */
const NOT_ACCOUNTS = /^(total|gross profit|net operating income|net income|account|income|cost of|expenses|other )/i;

/**
 * Returns the changes for rows that were copied from a spreadsheet. If a row starts with an account, every row belongs
 * to the account that the row names, and the amounts start in the first month. Otherwise, the amounts fill the grid
 * starting at the selected cell, and a single amount fills the selected range. `isFile` reads amounts separated by
 * commas.
 */
export function pasteInto(budget: Budget, range: Range, text: string, { isFile = false } = {}): Pasted {
  const table = cellsOf(text, { takesCommas: isFile, keepsEmpty: true });
  const names = accountNames(budget);
  const isNamed = isFile || table.some(([first = '']) => names.has(plainName(first)));
  if (isNamed) return pasteNamed(budget, table);
  const [[only = ''] = []] = table;
  if (table.length === 1 && table[0]?.length === 1) {
    const amount = readCell(only);
    if (amount === undefined) return { changes: [], told: [`“${only}” is not an amount.`] };
    return { changes: monthsIn(budget, range).map((cell) => ({ ...cell, amount })), told: [] };
  }
  return pasteAt(budget, range, table);
}

function accountNames({ rows }: Budget) {
  return byName(
    rows.map(({ accountId, label }) => {
      const [, number = '', name = label] = /^(\S+) - (.+)$/.exec(label) ?? [];
      return [accountId, [label, name, number, `${number} ${name}`]] as const;
    }),
  );
}

function pasteNamed(budget: Budget, table: readonly (readonly string[])[]): Pasted {
  const names = accountNames(budget);
  const result: Pasted = { changes: [], told: [] };
  for (const [first = '', ...cells] of table) {
    const id = names.get(plainName(first));
    const row = budget.rows.find(({ accountId }) => accountId === id);
    const isAmounts = cells.some((cell) => /\d/.test(cell) && readCell(cell) !== undefined);
    if (row !== undefined)
      setCells(budget, { row: budget.rows.indexOf(row), column: 0, cells, skipsYear: true }, result);
    else if (id === null) result.told.push(`More than one account is named “${first}”.`);
    else if (isAmounts && first !== '' && !NOT_ACCOUNTS.test(first))
      result.told.push(`No income or expense account is named “${first}”.`);
  }
  return result;
}

function pasteAt(budget: Budget, range: Range, table: readonly (readonly string[])[]): Pasted {
  const { top, left } = edgesOf(range);
  const result: Pasted = { changes: [], told: [] };
  for (const [at, cells] of table.entries()) {
    if (cells.every((cell) => cell === '')) continue;
    if (top + at >= budget.rows.length) {
      result.told.push('The last rows would extend past the last account.');
      break;
    }
    setCells(budget, { row: top + at, column: left, cells }, result);
  }
  return result;
}

interface Cells {
  row: number;
  column: number;
  cells: readonly string[];
  /** Whether the cell after the last month is the total of the row. */
  skipsYear?: boolean;
}

function setCells(budget: Budget, { row, column, cells, skipsYear = false }: Cells, { changes, told }: Pasted): void {
  const account = budget.rows[row];
  if (account === undefined) return;
  if (account.isTotal) {
    told.push(`${account.label} has a budget by profit center. Select a profit center to change it.`);
    return;
  }
  const room = budget.months.length + (skipsYear ? 0 : 1) - column;
  for (const [at, cell] of cells.slice(0, room).entries()) {
    const amount = readCell(cell);
    if (amount === undefined) told.push(`“${cell}” for ${account.label} is not an amount.`);
    else changes.push(...setCell(budget, { row, column: column + at }, amount));
  }
  if (cells.slice(room + (skipsYear ? 1 : 0)).some((cell) => cell !== '')) {
    told.push(`${account.label} has amounts after the last month.`);
  }
}

/** Returns the cells of a range for the clipboard. */
export function rangeText(budget: Budget, edits: Edits, range: Range): string {
  const { top, bottom, left, right } = edgesOf(range);
  const rows = budget.rows.slice(top, bottom + 1).map((row) => {
    const amounts = amountsOf(budget, edits, row);
    return [...amounts, budgetTotal(amounts)].slice(left, right + 1);
  });
  return rows.map((row) => row.map((each) => (each === null ? '' : String(toDollars(each)))).join('\t')).join('\n');
}

/** Returns the description of a range: accounts, months, total, and last year's actual amount. */
export function rangeWords(budget: Budget, edits: Edits, range: Range): string {
  const cells = monthsIn(budget, range);
  const { top, bottom, left } = edgesOf(range);
  const { first, last } = monthsOf(budget, range);
  const account = top === bottom ? budget.rows[top]?.label : `${bottom - top + 1} accounts`;
  const month = (at: number): string => monthHead(budget.months[at]);
  const isYear = left === budget.months.length;
  const span = isYear ? budget.name : first === last ? month(first) : `${month(first)} – ${month(last)}`;
  const total = sum(cells.map(({ row, at }) => amountAt(budget, edits, row, at) ?? ZERO));
  const actual = sum(cells.map(({ row, at }) => row.lastYear[at] ?? ZERO));
  return `${account ?? ''}, ${span}: ${wholeText(total)} · actual last year ${wholeText(toWholeDollars(actual))}`;
}

/** Returns the short name of a month, for example "Jun". */
export function monthHead(month: IsoDate | undefined): string {
  return month === undefined ? '' : formatMonth(month).slice(0, 3);
}

/**
 * Returns the date for a report on the budget for these months. The date is today if today is within the months, and
 * otherwise the last day of the last month.
 */
export function reportDateOf(months: readonly IsoDate[], today: IsoDate): IsoDate {
  const last = endOfMonth(present(months.at(-1), 'a month'));
  return today >= present(months[0], 'a month') && today <= last ? today : last;
}
