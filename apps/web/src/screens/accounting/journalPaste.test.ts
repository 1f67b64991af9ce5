import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FormLine, type JournalForm, patchLine, startForm } from './journalForm.ts';
import { isTable } from '../../ui/table/pasted.ts';
import { type PasteNames, pasteRows } from './journalPaste.ts';

const account = (id: number, number: string, name: string) => ({
  customerAccountID: id,
  displayAccountNumber: number,
  displayAccountName: name,
  displayAccountLabel: `${number} – ${name}`,
});
const NAMES: PasteNames = {
  accounts: [
    account(1, '1000', 'Checking'),
    account(2, '6700', 'Rent'),
    account(3, '6710', 'Fees'),
    account(4, '6720', 'Fees'),
  ],
  profitCenters: undefined,
  locations: undefined,
};
const PLACES: PasteNames = {
  ...NAMES,
  profitCenters: [{ id: 7, label: 'Upkeep' }],
  locations: [{ id: 9, label: 'Yard' }],
};
const START = startForm(isoDate('2026-06-12'));

const paste = (text: string, names = NAMES, form: JournalForm = START) =>
  pasteRows(form, { key: form.at, text }, names);
const told = ({ lines }: JournalForm) =>
  lines.map(({ accountId, description, debit, amount, told: why = '' }) => {
    const side = debit === null ? '' : debit ? 'D' : 'C';
    return [accountId ?? '', description, side, debit === null ? '' : amount, why].join('|');
  });

it('a single cell is not treated as a table', () => {
  expect([isTable('12.00'), isTable('two\nlines'), isTable('a\tb')]).toEqual([false, false, true]);
});

describe('reading a pasted row', () => {
  it.each([
    ['6700\tJune\t1,200.00\t', '2|June|D|120000|'],
    ['6700 – Rent\tJune\t\t$1,200.5', '2|June|C|120050|'],
    ['6700 - RENT\tJune\t(12.00)\t', '2|June|C|1200|'],
    ['rent\tJune\t\t-12', '2|June|D|1200|'],
    ['rent\tJune\t $ (1,200.00)\t $ -   ', '2|June|C|120000|'],
    ['rent\tJune\t−5', '2|June|C|500|'],
    ['"rent"\t"said ""so""\nof June"\t5\t', '2|said "so" of June|D|500|'],
    ['Rental\tJune\t5\t', '|June|D|500|No account is named “Rental”.'],
    ['Fees\tJune\t5\t', '|June|D|500|More than one account is named “Fees”.'],
    ['Rent\tJune\tfive\t', '2|June|||“five” is not an amount.'],
    ['Rent\tJune\t5\t\tpaid', "2|June|D|500|“paid” doesn't match any column."],
    ['\t\t5\t', '||D|500|'],
  ])('a pasted row is read: %j', (text, line) => {
    expect(told(paste(text))).toEqual([line, '||||']);
  });

  it('a pasted row with a debit and a credit is split into two lines', () => {
    expect(told(paste('Rent\tJune\t5\t3'))).toEqual(['2|June|D|500|', '2|June|C|300|', '||||']);
  });

  it('a pasted row can have a profit center and location between the description and the amounts', () => {
    const [long] = paste('Rent\tJune\tupkeep\tYard\t5\t', PLACES).lines;
    expect(long).toMatchObject({ accountId: 2, profitCenterId: 7, locationId: 9, debit: true, amount: 500 });
    const [short] = paste('Rent\tJune\t5\t', PLACES).lines;
    expect(short).toMatchObject({ profitCenterId: null, locationId: null, debit: true, amount: 500 });
    expect(told(paste('Rent\tJune\tShop\tYard\t5\t', PLACES))[0]).toBe(
      '2|June|D|500|No profit center is named “Shop”.',
    );
  });
});

it('pasting skips headings and empty rows, and keeps existing lines in place', () => {
  const text = 'Account\tDescription\tDebit\tCredit\r\n\t\t\t\r\nRent\tJune\t5\t\r\nChecking\tJune\t\t5\r\n';
  expect(told(paste(text))).toEqual(['2|June|D|500|', '1|June|C|500|', '||||']);
  const typed = patchLine(START, { accountId: 3, description: 'First', debit: true, amount: cents(100) });
  expect(told(paste(text, NAMES, typed))).toEqual(['3|First|D|100|', '2|June|D|500|', '1|June|C|500|', '||||']);
});

it('a pasted table loses no rows or text, whatever it contains', () => {
  const word = fc.constantFrom('', 'Rent', 'Rental', '6700', '5.00', '(7.25)', '-3', 'five', '1.234,50');
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, word, word), { minLength: 1, maxLength: 8 }), (rows) => {
      const { lines } = paste(rows.map((row) => row.join('\t')).join('\n'));
      const whole = lines.map(textOf).join('\n');
      for (const row of rows) for (const text of row) expect(whole).toContain(readAs.get(text) ?? text);
      const kept = rows.filter((row) => row.some((text) => text !== ''));
      expect(lines.length).toBeGreaterThanOrEqual(kept.length + 1);
      expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
    }),
  );
});

/**
 * Text that is read as an account or amount if it is in the right column. In other columns, it becomes a message or a
 * description.
 */
const readAs = new Map([
  ['Rent', 'Rent'],
  ['6700', '6700'],
  ['5.00', '5'],
  ['(7.25)', '7.25'],
  ['-3', '3'],
]);

function textOf({ accountId, description, amount, debit, told: why = '' }: FormLine): string {
  const named = accountId === 2 ? 'Rent 6700' : '';
  return [named, description, debit === null || amount === null ? '' : amount / 100, why].join(' ');
}
