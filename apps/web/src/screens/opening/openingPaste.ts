import { parseWireDate } from '@evenkeel/core/dates';
import { parseUsd } from '@evenkeel/core/money';
import { cellsOf, idOf, type Names } from '../../ui/table/pasted.ts';
import { emptyRow, type Grid, isEmptyRow, nextKey, type OpeningForm, type OpenRow, withLast } from './openingForm.ts';

/** Rows copied from a spreadsheet, or read from a CSV file: the columns of the grid, starting with the current one. */

/** The names used to find the records of pasted rows. */
export interface OpeningNames {
  customers: Names;
  vendors: Names;
  accounts: Names;
  scenarios: Names;
}

/** The cells of a grid, in their order. */
export const cellsOfGrid = (grid: Grid): readonly string[] =>
  grid === 'invoices'
    ? ['party', 'number', 'date', 'due', 'account', 'tax', 'unpaid']
    : grid === 'bills'
      ? ['party', 'number', 'date', 'due', 'account', 'unpaid']
      : ['party', 'number', 'date', 'account', 'unpaid'];

const HEADING =
  /^(customer|vendor|name|num(ber)?|no\.?|(due )?date|amount|(unpaid|open) (amount|balance)|remaining credit)$/i;

/** Returns whether a row contains headings, which are above dates and amounts. */
const isHead = (row: readonly string[]): boolean =>
  row.some((cell) => HEADING.test(cell)) &&
  row.every((cell) => parseWireDate(cell) === undefined && parseUsd(cell) === undefined);

/** Text that means that a sale is not taxed. */
const UNTAXED = /^(-|–|none|non|exempt|resale|out of state|no tax)$/i;

/**
 * Returns the form with rows pasted at a row and a cell. The pasted cells replace existing ones. Text that can't be
 * read is reported on its row.
 */
export function pasteOpening(
  form: OpeningForm,
  { grid, key, cell, text }: { grid: Grid; key: number; cell: string; text: string },
  names: OpeningNames,
): OpeningForm {
  const table = cellsOf(text, { takesCommas: true }).filter((row) => !isHead(row));
  const cells = cellsOfGrid(grid);
  const first = Math.max(0, cells.indexOf(cell));
  const rows = [...form[grid]];
  const from = rows.findIndex((row) => row.key === key);
  table.forEach((pasted, index) => {
    const at = from + index;
    const before = rows[at] ?? emptyRow(nextKey(rows), grid);
    rows[at] = filled(before, { grid, cells: cells.slice(first), pasted }, names);
  });
  return {
    ...form,
    [grid]: withLast(
      rows.filter((row, at) => !isEmptyRow(row) || at === rows.length - 1),
      grid,
    ),
  };
}

interface Pasted {
  grid: Grid;
  cells: readonly string[];
  pasted: readonly string[];
}

function filled(before: OpenRow, { grid, cells, pasted }: Pasted, names: OpeningNames): OpenRow {
  const told: string[] = [];
  const row = { ...before };
  pasted.forEach((text, at) => {
    const cell = cells[at];
    if (cell === undefined) {
      if (text !== '') told.push(`“${text}” doesn't match any column.`);
      return;
    }
    if (text === '') return;
    if (cell === 'party') Object.assign(row, partyOf(text, { grid, row, names, told }));
    if (cell === 'number') row.number = text;
    if (cell === 'date' || cell === 'due') {
      const date = parseWireDate(text);
      if (date === undefined) told.push(`“${text}” is not a date.`);
      else if (cell === 'date') row.date = date;
      else row.dueDate = date;
    }
    if (cell === 'account') row.accountId = idOf(names.accounts, { text, word: 'account', told });
    if (cell === 'tax') {
      row.scenarioId = UNTAXED.test(text) ? null : idOf(names.scenarios, { text, word: 'sales tax scenario', told });
    }
    if (cell === 'unpaid') {
      const amount = parseUsd(text.replace(/[$\s]/g, ''));
      if (amount === undefined) told.push(`“${text}” is not an amount.`);
      else row.unpaid = amount;
    }
  });
  return { ...row, ...(told.length === 0 ? { told: undefined } : { told: told.join(' ') }) };
}

function partyOf(
  text: string,
  { grid, row, names, told }: { grid: Grid; row: OpenRow; names: OpeningNames; told: string[] },
): Partial<OpenRow> {
  if (grid !== 'credits') {
    const [word, own] =
      grid === 'bills' ? (['vendor', names.vendors] as const) : (['customer', names.customers] as const);
    return { name: text, entityId: idOf(own, { text, word, told }) };
  }
  const missed: string[] = [];
  const customer = idOf(names.customers, { text, word: 'customer', told: missed });
  if (customer !== null) return { name: text, entityId: customer, isVendor: false };
  const vendor = idOf(names.vendors, { text, word: 'vendor', told: [] });
  if (vendor !== null) return { name: text, entityId: vendor, isVendor: true };
  told.push(`No customer or vendor is named “${text}”.`);
  return { name: text, entityId: null, isVendor: row.isVendor };
}
