import { Dice } from '@evenkeel/core/dice';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { MAX_BYTES } from './limits.ts';
import { recognize, read } from './read.ts';
import { testCompany } from './testing/company.ts';
import { accountList, type Dialect, dialects } from './testing/dialects.ts';
import { styleOf, type Style, workbook } from './testing/files.ts';
import type { ImportFile } from './zip.ts';

const CSV: Style = {
  ...styleOf(3),
  isWorkbook: false,
  encoding: 'utf-8',
  newline: '\n',
  dates: 'mdy',
  parentheses: false,
};

const textFile = (name: string, text: string): ImportFile => ({ name, bytes: strToU8(text) });
const textIn = (file: ImportFile | undefined): string => new TextDecoder().decode(file?.bytes);
const dialect = (name: string): Dialect => {
  const found = dialects.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no dialect ${name}`);
  return found;
};

const company = testCompany(5, 100);
const classic = dialect('QuickBooks Online Journal before 2026');
const journal = textIn(classic.write(company, CSV)[0]);

/** Returns the only error that rejects these files. */
function refusalOf(...files: ImportFile[]): string {
  const { refusals } = read(files).books;
  expect(refusals).toHaveLength(1);
  return refusals[0]?.text ?? '';
}

const HEAD = 'Journal\nBlue Inc\nAll Dates\n\n';
const COLUMNS = 'Date,Transaction Type,Num,Name,Memo/Description,Account,Debit,Credit\n';
const FOOT = '\nAccrual Basis Friday, March 6, 2026 10:15 AM GMT-05:00\n';
const entry = (date: string, { account = 'Rent', amount = '5.00' } = {}): string =>
  `${date},Check,1,Ann,,${account},${amount},\n,,,Ann,,Checking,,${amount}\n,,,,,,${amount},${amount}\n`;

describe("files that can't be imported", () => {
  it('a report without a credit column is rejected with advice', () => {
    const text = journal.replace('Account,Debit,Credit', 'Account,Debit,Total');
    expect(refusalOf(textFile('Journal.csv', text))).toMatch(
      /^Journal\.csv, row 5: The report doesn't have the column “credit”\. In QuickBooks Online, open Reports/,
    );
  });

  it('rejects a report in which a filter hides one side of a transaction, and reports the row', () => {
    const half = '02/01/2025,Check,2,Ann,,Rent,7.00,\nTOTAL,,,,,,12.00,5.00\n';
    const text = `${HEAD}${COLUMNS}${entry('01/31/2025')}${half}${FOOT}`;
    expect(refusalOf(textFile('Journal.csv', text))).toBe(
      "Journal.csv, row 9: Check 2 dated 2/1/2025 doesn't balance: its debits are greater than its credits by " +
        '7.00. If the ' +
        "report is filtered or was edited, remove the filter, export it again, and don't edit the file.",
    );
  });

  it('rejects a journal on the cash basis', () => {
    expect(refusalOf(textFile('Journal.csv', journal.replace('Accrual Basis', 'Cash Basis')))).toContain(
      'The report is on the cash basis',
    );
  });

  it('rejects a file from another company', () => {
    const other = accountList({ ...company, name: 'Other Company' }, CSV);
    const two = accountList(company, CSV);
    expect(refusalOf(textFile('Journal.csv', journal), { ...two, name: 'Accounts.csv' }, other)).toMatch(
      /^Account List\.csv: The file is for Other Company, but Journal\.csv is for .* Remove one/,
    );
  });

  it('rejects a zip bomb before it is unpacked', () => {
    const bytes = zipSync({
      'xl/workbook.xml': strToU8('<workbook/>'),
      'xl/worksheets/sheet1.xml': new Uint8Array(5_000_000),
    });
    expect(refusalOf({ name: 'Journal.xlsx', bytes })).toContain('is too large after unpacking');
    expect(refusalOf({ name: 'books.gnucash', bytes: gzipSync(new Uint8Array(5_000_000)) })).toContain(
      'is too large after unpacking',
    );
  });

  it('rejects a workbook with an XML entity', () => {
    const sheet =
      '<!DOCTYPE x [<!ENTITY a "1">]><worksheet><sheetData><row r="1"><c ' +
      'r="A1"><v>&a;</v></c></row></sheetData></worksheet>';
    const bytes = zipSync({
      'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      'xl/worksheets/sheet1.xml': strToU8(sheet),
    });
    expect(refusalOf({ name: 'Journal.xlsx', bytes })).toContain('The file has a document type');
    expect(
      refusalOf(textFile('b.gnucash', `<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a "1">]><gnc-v2>&a;</gnc-v2>`)),
    ).toContain('The file has a document type');
  });

  it('rejects a file of more than 100 MB', () => {
    expect(refusalOf({ name: 'Journal.csv', bytes: new Uint8Array(2 * MAX_BYTES) })).toContain('larger than 100 MB');
  });

  it.each([
    ['an old Excel file', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0), 'Save it as a workbook (.xlsx)'],
    ['a SQLite database in an archive', strToU8('SQLite format 3\0'), 'Choose the database itself'],
    ['a PDF', strToU8('%PDF-1.4'), 'PDF'],
    ['an empty file', strToU8('  \n'), 'The file is empty'],
    ['a web page', strToU8('<!doctype html><html></html>'), 'The file is a web page'],
    ['text that is not a report', strToU8('Dear Ann,\nplease find attached'), "Evenkeel doesn't recognize this file"],
    ['a damaged workbook', Uint8Array.of(0x50, 0x4b, 3, 4, 1, 2, 3), 'damaged or incomplete'],
  ])('rejects %s', (_, bytes, words) => {
    expect(refusalOf({ name: 'file', bytes })).toContain(words);
  });

  it('rejects dates in two different orders, and reports the row', () => {
    const text = `${HEAD}${COLUMNS}${entry('01/31/2025')}${entry('31/01/2025')}TOTAL,,,,,,10.00,10.00\n${FOOT}`;
    expect(refusalOf(textFile('Journal.csv', text))).toBe(
      'Journal.csv, row 9: The date 31/01/2025 is not in the same format as earlier dates such as 01/31/2025',
    );
  });

  it('rejects an amount with three decimal places, and reports the row', () => {
    const text = `${HEAD}${COLUMNS}${entry('01/31/2025', { amount: '5.005' })}TOTAL,,,,,,5.005,5.005\n${FOOT}`;
    expect(refusalOf(textFile('Journal.csv', text))).toBe("Journal.csv, row 6: '5.005' has more than 2 decimal places");
  });

  it('rejects an ID that a spreadsheet program has shortened, and reports the row', () => {
    const [file] = dialect('Wave').write(company, CSV);
    const text = textIn(file).replace(/^2403037\d+/m, '2.40304E+18');
    expect(refusalOf(textFile('accounting.csv', text))).toMatch(
      /^accounting\.csv, row 2: The transaction ID 2\.40304E\+18 was/,
    );
  });
});

describe('truncated files', () => {
  const WITH_TOTALS = dialects.filter(({ name }) => !/IIF|Wave|Xero Journal|hledger/.test(name));
  const dice = new Dice(4);

  it.each(WITH_TOTALS)('rejects a file no matter where it is cut off: $name', (one) => {
    const [file, ...others] = one.write(company, CSV);
    const text = textIn(file);
    const end = /\nTOTAL|\nTotal,|\nAccrual Basis/.exec(text)?.index ?? text.length;
    for (let cut = 0; cut < 6; cut += 1) {
      const bytes = strToU8(text.slice(0, dice.between(600, end)));
      expect(read([{ name: 'report.csv', bytes }, ...others]).books.refusals.length).toBeGreaterThan(0);
    }
  });

  it.each(dialects.filter((one) => !WITH_TOTALS.includes(one)))(
    'a file that is cut off is rejected, or every transaction before the cut is read completely ($name)',
    (one) => {
      const [file] = one.write(company, CSV);
      const whole = [...read([{ name: file?.name ?? '', bytes: file?.bytes ?? new Uint8Array() }]).books.transactions];
      const text = textIn(file);
      for (let cut = 0; cut < 6; cut += 1) {
        const bytes = strToU8(text.slice(0, dice.between(Math.floor(text.length / 2), text.length - 40)));
        const { books } = read([{ name: file?.name ?? '', bytes }]);
        if (books.refusals.length > 0) continue;
        const amounts = [...books.transactions].map(({ lines }) => lines.map(({ amount }) => amount));
        expect(amounts).toEqual(whole.slice(0, amounts.length).map(({ lines }) => lines.map(({ amount }) => amount)));
      }
    },
  );

  it('rejects a workbook that is cut off', () => {
    const [file] = classic.write(company, { ...CSV, isWorkbook: true });
    const bytes = file?.bytes ?? new Uint8Array();
    expect(refusalOf({ name: 'Journal.xlsx', bytes: bytes.subarray(0, bytes.length - 100) })).toContain(
      'damaged or incomplete',
    );
  });
});

describe('files that are read correctly', () => {
  it('the import asks about the order of ambiguous dates and uses the answer', () => {
    const file = textFile('Journal.csv', `${HEAD}${COLUMNS}${entry('02/03/2025')}TOTAL,,,,,,5.00,5.00\n${FOOT}`);
    const { books } = read([file]);
    expect(books.questions).toEqual([
      {
        file: 'Journal.csv',
        name: 'dateOrder',
        choices: [
          { value: 'mdy', label: 'Month/day/year: 02/03/2025 is 2025-02-03' },
          { value: 'dmy', label: 'Day/month/year: 02/03/2025 is 2025-03-02' },
        ],
      },
    ]);
    const chosen = read([file], { dateOrder: { 'Journal.csv': 'dmy' } }).books;
    expect([chosen.questions, chosen.transactions.at(0)?.date]).toEqual([[], '2025-03-02']);
  });

  it('the period of a report decides between two possible date orders', () => {
    const head = HEAD.replace('All Dates', '"February 1 - February 28, 2025"');
    const { books } = read([
      textFile('Journal.csv', `${head}${COLUMNS}${entry('02/03/2025')}TOTAL,,,,,,5.00,5.00\n${FOOT}`),
    ]);
    expect([books.questions, books.transactions.at(0)?.date]).toEqual([[], '2025-02-03']);
  });

  it('an inactive account that is not in the list is kept with a warning', () => {
    const { books } = read([textFile('Journal.csv', journal), accountList(company, CSV)]);
    expect(books.refusals).toEqual([]);
    expect(books.accounts.filter(({ isActive }) => !isActive).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Total Marketing']),
    );
    expect(books.warnings.map(({ text }) => text).join()).toContain('not in the account list');
  });

  it('an inactive account is not confused with a subaccount of the same name', () => {
    const list = accountList(company, CSV);
    const rows = entry('01/31/2025', { account: 'Fuel' }) + entry('01/31/2025', { account: 'Automobile:Fuel' });
    const title = HEAD.replace('Blue Inc', `"${company.name}"`);
    const { books } = read([textFile('Journal.csv', `${title}${COLUMNS}${rows}TOTAL,,,,,,10.00,10.00\n${FOOT}`), list]);
    expect(books.refusals).toEqual([]);
    const names = new Map(books.accounts.map(({ key, name, isActive }) => [key, [name, isActive]]));
    expect([...books.transactions].map(({ lines }) => names.get(lines[0]?.account ?? ''))).toEqual([
      ['Fuel', false],
      ['Automobile:Fuel', true],
    ]);
  });

  it('QuickBooks Desktop lists provide the account types for the transactions in a detail report', () => {
    const [lists] = dialect('QuickBooks Desktop IIF').write(company, CSV);
    const [detail] = dialect('QuickBooks Desktop Transaction Detail').write(company, CSV);
    const { books } = read([lists, detail].flatMap((file) => file ?? []));
    expect(books.refusals).toEqual([]);
    expect(books.transactions).toHaveLength(company.transactions.length);
    expect(books.accounts).toHaveLength(company.accounts.length);
    expect(books.accounts.filter(({ type }) => type === undefined)).toEqual([]);
    expect(books.accounts.filter(({ isActive }) => !isActive).map(({ name }) => name)).toEqual([
      'Prepaid Expenses',
      'Total Marketing',
    ]);
  });

  it('rejects a subaccount name that two parent accounts share, unless the report has full names', () => {
    const list = accountList(company, CSV);
    const text = `${HEAD}${COLUMNS}${entry('01/31/2025', { account: 'Insurance' })}TOTAL,,,,,,5.00,5.00\n${FOOT}`;
    expect(
      refusalOf(textFile('Journal.csv', text.replace('Blue Inc', company.name.replaceAll(/(.*,.*)/g, '"$1"'))), list),
    ).toBe(
      'Journal.csv, row 6: “Insurance” could be Automobile:Insurance and Office:Insurance. Export the ' +
        'report with full account names.',
    );
  });

  it('the files in an archive or the sheets of a workbook are read together', () => {
    const rows = (text: string): string[][] => text.split('\n').map((line) => line.split(','));
    const text = `${HEAD}${COLUMNS}${entry('01/31/2025')}TOTAL,,,,,,5.00,5.00\n${FOOT.replaceAll(',', '')}`;
    const book = workbook({ Journal: rows(text), Notes: [['nothing']] });
    const bytes = zipSync({ 'export/Journal.xlsx': book, '__MACOSX/._Journal.xlsx': strToU8('x') });
    const found = recognize([{ name: 'export.zip', bytes }]);
    expect(found.map(({ file, format, counts }) => [file, format, counts.transactions])).toEqual([
      ['export.zip/export/Journal.xlsx, sheet Journal', 'qbo-journal', 1],
      ['export.zip/export/Journal.xlsx, sheet Notes', undefined, 0],
    ]);
  });

  it('a file that is given twice is read only once, and identical transactions in one file stay separate', () => {
    const text = `${HEAD}${COLUMNS}${entry('01/31/2025')}${entry('01/31/2025')}TOTAL,,,,,,10.00,10.00\n${FOOT}`;
    const { books } = read([textFile('a.csv', text), textFile('b.csv', text)]);
    expect([books.refusals, books.transactions.length]).toEqual([[], 2]);
  });
});
