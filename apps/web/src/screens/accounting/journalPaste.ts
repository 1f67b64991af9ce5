import type { ChartAccount } from '@evenkeel/contract/ledger';
import { type Cents, cents, parseUsd } from '@evenkeel/core/money';
import type { Choice } from '../../parts/choices/choice.ts';
import { byName, cellsOf, idOf, type Names } from '../../ui/table/pasted.ts';
import { addLine, type FormLine, isBlank, type JournalForm } from './journalForm.ts';

/** Rows copied from a spreadsheet: account, description, optional profit center and location, and amounts. */

/** The names used to find the account, profit center, and location of a pasted row. */
export interface PasteNames {
  accounts: readonly Pick<
    ChartAccount,
    'customerAccountID' | 'displayAccountNumber' | 'displayAccountName' | 'displayAccountLabel'
  >[];
  profitCenters: readonly Choice[] | undefined;
  locations: readonly Choice[] | undefined;
}

interface Finders {
  accounts: Names;
  /** The profit centers and locations, if the company uses them. */
  places: readonly { field: 'profitCenterId' | 'locationId'; word: string; names: Names }[];
}

function findersOf({ accounts, profitCenters, locations }: PasteNames): Finders {
  const ofChoices = (choices: readonly Choice[]) =>
    byName(choices.filter(({ isRetired }) => isRetired !== true).map(({ id, label }) => [id, [label]] as const));
  const places = [
    { field: 'profitCenterId' as const, word: 'profit center', choices: profitCenters },
    { field: 'locationId' as const, word: 'location', choices: locations },
  ];
  return {
    accounts: byName(
      accounts.map((one) => {
        const { displayAccountNumber: number, displayAccountName: name, displayAccountLabel: label } = one;
        return [one.customerAccountID, [number, name, label, `${number} ${name}`]] as const;
      }),
    ),
    places: places.flatMap(({ choices, ...place }) =>
      choices === undefined ? [] : [{ ...place, names: ofChoices(choices) }],
    ),
  };
}

/**
 * Parses an amount from a spreadsheet. Returns null for an empty cell or `-`, and undefined if the amount can't be
 * read.
 */
function amountOf(cell: string | undefined): Cents | null | undefined {
  const text = (cell ?? '').replace(/\s/g, '').replace('$', '');
  if (/^[-–—−]?$/.test(text)) return null;
  const amount = parseUsd(text.replace(/^–/, '-'));
  return amount === 0 ? null : amount;
}

type Filled = Omit<FormLine, 'key'>;

/** Returns the lines for one row: none for a heading, and two if the row has both a debit and a credit. */
function linesOf(cells: readonly string[], width: number, finders: Finders): Filled[] {
  const { places } = finders;
  const told: string[] = [];
  const [account = '', description = '', ...rest] = cells;
  const line: Filled = {
    accountId: null,
    profitCenterId: null,
    locationId: null,
    description,
    debit: null,
    amount: null,
  };
  line.accountId = idOf(finders.accounts, { text: account, word: 'account', told });
  if (width > 4) {
    for (const place of places) {
      line[place.field] = idOf(place.names, { text: rest.shift() ?? '', word: place.word, told });
    }
  }
  const [debitCell, creditCell, ...beyond] = rest;
  const [debit, credit] = [amountOf(debitCell), amountOf(creditCell)];
  if (debit === undefined) told.push(`“${debitCell}” is not an amount.`);
  if (credit === undefined) told.push(`“${creditCell}” is not an amount.`);
  told.push(...beyond.filter((cell) => cell !== '').map((cell) => `“${cell}” doesn't match any column.`));
  const sides = [debit, credit === null || credit === undefined ? credit : cents(-credit)];
  const moves = sides.filter((amount) => amount !== null && amount !== undefined);
  const said = { ...line, ...(told.length === 0 ? {} : { told: told.join(' ') }) };
  if (moves.length === 0) return [said];
  return moves.map((amount) => ({ ...said, debit: amount > 0, amount: cents(Math.abs(amount)) }));
}

/** Returns whether a row contains headings, such as Debit or Amount above the numbers. */
const isHead = (row: readonly string[]): boolean =>
  row.slice(2).some((cell) => /^(debits?|credits?|amount)$/i.test(cell));

/**
 * Returns the form with the pasted rows. They replace an empty line, or come after the current line. Text that matches
 * no account, profit center, location, or amount is reported on its line, so no part of a row is lost. An empty line
 * comes last.
 */
export function pasteRows(
  form: JournalForm,
  { key, text }: { key: number; text: string },
  names: PasteNames,
): JournalForm {
  const table = cellsOf(text).filter((row) => !isHead(row));
  const width = Math.max(0, ...table.map((row) => row.length));
  const finders = findersOf(names);
  const filled = table.flatMap((row) => linesOf(row, width, finders));
  if (filled.length === 0) return form;
  const at = form.lines.findIndex((line) => line.key === key);
  const first = Math.max(0, ...form.lines.map((line) => line.key)) + 1;
  const added = filled.map((line, index): FormLine => ({ ...line, key: first + index }));
  const before = form.lines.slice(0, at + 1).filter((line) => line.key !== key || !isBlank(line));
  const after = form.lines.slice(at + 1).filter((line) => !isBlank(line));
  return addLine({ ...form, lines: [...before, ...added, ...after] });
}
