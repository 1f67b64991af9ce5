import { describe, expect, it } from 'vitest';
import { Failure } from '@evenkeel/core/failure';
import { cents } from '@evenkeel/core/money';
import { balanceDifference, checkBalance } from './balance.ts';
import { MOST_BYTES, readInThread, readStatementFile, type ReadFile, type StatementMapping } from './read.ts';
import { encodings } from './testing/writers.ts';

const utf8 = encodings['UTF-8'];
const read = (text: string, mapping: StatementMapping = {}): ReadFile =>
  readStatementFile(utf8(text), { mapping, accountKind: 'bank' });
const amounts = (file: ReadFile): number[] => file.statements.flatMap(({ lines }) => lines.map(({ amount }) => amount));
const dates = (file: ReadFile): string[] => file.statements.flatMap(({ lines }) => lines.map(({ date }) => date));

/** Returns the expected failure's message. Any other error fails the test. */
function refusal(bytes: Uint8Array, fileName?: string): string {
  const reading = readInThread({ bytes, options: fileName === undefined ? {} : { fileName } });
  return 'refusal' in reading ? reading.refusal : `read ${JSON.stringify(reading.file.statements)}`;
}

const table = (...rows: string[]): string => ['Date,Description,Amount', ...rows, ''].join('\n');
const ofx = (...lines: string[]): string =>
  `OFXHEADER:100\nCHARSET:1252\n\n<OFX><STMTRS><BANKTRANLIST>\n${lines.join('\n')}\n</BANKTRANLIST></STMTRS></OFX>`;
const trn = (amount: string, date = '20240506'): string =>
  `<STMTTRN><DTPOSTED>${date}<TRNAMT>${amount}<FITID>1<NAME>X</STMTTRN>`;
const mt940 = (movement: string, closing = 'C240502USD90,00'): string =>
  `:20:R\n:25:123\n:28C:1\n:60F:C240501USD100,00\n:61:${movement}\n:86:TEXT\n:62F:${closing}\n`;

describe('ambiguous amounts and dates', () => {
  it('the reader asks about "1,234" if it is the only amount, because it may be 1,234.00 or 1.234', () => {
    const file = read(table('05/13/2024,Rent,"-1,234"'));
    expect(file.questions).toEqual([
      {
        name: 'decimal',
        choices: [
          { value: '.', label: '1,234 is 1,234.00' },
          { value: ',', label: '1,234 is 1.234' },
        ],
      },
    ]);
    expect(amounts(file)).toEqual([-123_400]);
    const answered = read(table('05/13/2024,Rent,"-1,230"'), { decimal: ',' });
    expect([answered.questions, amounts(answered)]).toEqual([[], [-123]]);
    expect(read(ofx(trn('-1,234'))).questions.map(({ name }) => name)).toEqual(['decimal']);
  });

  it('other amounts in the column show whether "1,234" is 1,234.00 (next to 12.50) or 1.234 (next to 12,50)', () => {
    const file = read(table('05/13/2024,Rent,"-1,234"', '05/14/2024,Tea,12.50'));
    expect([file.questions, amounts(file)]).toEqual([[], [-123_400, 1250]]);
    expect(amounts(read(table('05/13/2024,Rent,"1,230"', '05/14/2024,Tea,"12,50"')))).toEqual([123, 1250]);
    expect(amounts(read(ofx(trn('-1,234'), trn('-1,234.5'))))).toEqual([-123_400, -123_450]);
    expect(amounts(read(ofx(trn('-1.234'), trn('-7,5'))))).toEqual([-123_400, -750]);
  });

  it('the reader asks whether 05/06/2024 is in May or June, unless 05/13/2024 is in the file', () => {
    const file = read(table('05/06/2024,Tea,-1.50', '05/07/2024,Tea,-1.50'));
    expect(file.questions).toEqual([
      {
        name: 'dateOrder',
        choices: [
          { value: 'mdy', label: 'Month/day/year: 05/06/2024 is 2024-05-06' },
          { value: 'dmy', label: 'Day/month/year: 05/06/2024 is 2024-06-05' },
        ],
      },
    ]);
    expect(dates(read(table('05/06/2024,Tea,-1.50'), { dateOrder: 'dmy' }))).toEqual(['2024-06-05']);
    expect(read(table('05/06/2024,Tea,-1.50', '05/13/2024,Tea,-1.50')).questions).toEqual([]);
    expect(dates(read(table('05/06/2024,Tea,-1.50', '13/06/2024,Tea,-1.50')))).toEqual(['2024-06-05', '2024-06-13']);
    // 05/05/2024 is the same day in any order.
    expect(read(table('05/05/2024,Tea,-1.50')).questions).toEqual([]);
  });

  it.each([
    ['2024-05-06', '2024-05-06'],
    ['2024-05-06T23:59:59-08:00', '2024-05-06'],
    ['20240506', '2024-05-06'],
    ['6-May-24', '2024-05-06'],
    ['May 6, 2024', '2024-05-06'],
    ['Mon 05/13/2024', '2024-05-13'],
    ['05/13/24', '2024-05-13'],
    ['13.05.2024 08:15', '2024-05-13'],
    ['2024/5/6', '2024-05-06'],
  ])('the date %s in a table is read as %s', (written, date) => {
    const file = read(table(`"${written}",Tea,-1.50`));
    expect([dates(file), file.questions]).toEqual([[date], []]);
  });

  it.each([
    ['"1,234.56"', 123_456],
    ['"(1,234.56)"', -123_456],
    ['$5', 500],
    ['-$5.10', -510],
    ['$-5.1', -510],
    ['5.10-', -510],
    ["1'234.50", 123_450],
    ['1 234.50', 123_450],
    ['"1.234.567,89"', 123_456_789],
    ['USD 3.00', 300],
    ['3.00 EUR', 300],
    ['−3.00', -300],
    ['2.5000', 250],
    ['.75', 75],
    ['7.00DR', -700],
    ['7.00 cr', 700],
    ['"12,34,567.00"', 123_456_700],
  ])('the amount %s in a table is read as %i cents', (written, amount) => {
    expect(amounts(read(table(`05/13/2024,Tea,${written}`)))).toEqual([amount]);
  });
});

describe('an error message is one sentence with the line and the column', () => {
  const csv = table('05/13/2024,Tea,-1.50', '05/14/2024,Rent,-7.00');
  it.each([
    [
      'an invalid date',
      table('05/13/2024,Tea,-1.50', '05/33/2024,Rent,-7.00'),
      "Line 3, column 1: '05/33/2024' is not a date",
    ],
    ['a missing date', table('05/13/2024,Tea,-1.50', ',Rent,-7.00'), 'Line 3, column 1: The date is missing'],
    ['a missing amount', csv.replace('-7.00', ''), 'Line 3, column 3: The amount is missing'],
    ['words instead of an amount', csv.replace('-7.00', 'seven'), "Line 3, column 3: 'seven' is not an amount"],
    [
      'a fraction of a cent',
      csv.replace('-7.00', '-7.005'),
      "Line 3, column 3: '-7.005' has more than 2 decimal places",
    ],
    [
      'two decimal separators',
      csv.replace('-7.00', '"7,5"'),
      "Line 3, column 3: '7,5' uses a different decimal separator than '-1.50' on line 2",
    ],
    ['a truncated row', csv.slice(0, -8), 'Line 3, column 3: The amount is missing'],
    ['an unclosed quotation mark', csv.replace('Rent', '"Rent'), 'Line 3, column 2: A quotation mark is not closed'],
    [
      'a date in another format',
      csv.replace('05/14', '14/05'),
      "Line 3, column 1: '14/05/2024' is not a date in the same format as the earlier dates",
    ],
    ['an invalid OFX date', ofx(trn('1', '20240231')), "Line 5, column 20: '20240231' is not a date"],
    ['an invalid OFX amount', ofx(trn('1'), trn('1x')), "Line 6, column 36: '1x' is not an amount"],
    [
      'a missing OFX amount',
      ofx('<STMTTRN><DTPOSTED>20240506</STMTTRN>'),
      'Line 5: The transaction has no amount (TRNAMT)',
    ],
    [
      'a truncated OFX file',
      ofx(trn('1'), trn('2')).slice(0, -40),
      'Line 6: The file is incomplete: </OFX> is missing',
    ],
    ['an invalid QIF date', '!Type:Bank\nD13/32/2024\nT1\n^\n', "Line 2, column 2: '13/32/2024' is not a date"],
    ['a missing QIF amount', '!Type:Bank\nD5/13/2024\nPTea\n^\n', 'Line 2: The transaction has no amount (T)'],
    [
      'an unknown QIF code',
      '!Type:Bank\nD5/13/2024\nT1\n?x\n^\n',
      "Line 4, column 1: '?x' doesn't start with a QIF code",
    ],
    ['an invalid MT940 line', mt940('240502X10,00NMSC'), "Line 5: '240502X10,00NMSC' is not a transaction"],
    [
      'a truncated MT940 file',
      mt940('240502D10,00NMSC').slice(0, -22),
      'Line 6: The file ends before its closing balance (:62F:)',
    ],
    [
      'a wrong BAI2 total',
      '01,A,B,240601,1,1,,,2/\n02,A,B,1,240601,,USD,2/\n03,1,USD/\n16,165,500,Z/\n49,400,2/\n99,0,1,6/\n',
      "Line 5: The account's control total differs",
    ],
    [
      'a truncated BAI2 file',
      '01,A,B,240601,1,1,,,2/\n02,A,B,1,240601,,USD,2/\n03,1,USD/\n',
      'Line 3: The file ends before its last record (99)',
    ],
    [
      'an unknown BAI2 code',
      '01,A,B,240601,1,1,,,2/\n02,A,B,1,240601,,USD,2/\n03,1,USD/\n16,701,500,Z/\n49,500,2/\n99,0,1,6/\n',
      "Line 4: The code '701' does not indicate",
    ],
    ['invalid XML', '<Document>\n<BkToCstmrStmt>\n</Stmt></Document>', 'Line 3, column 8: The XML is invalid: '],
    ['XML entities', '<?xml version="1.0"?>\n<!DOCTYPE d [<!ENTITY a "b">]>\n<Document/>', 'Line 2, column '],
    [
      'an interim report',
      '<Document><BkToCstmrAcctRpt/></Document>',
      'Line 1: The file is an interim report or a notification, not a bank statement',
    ],
    ['a web page', '<!doctype html>\n<html></html>', 'Line 1: The file is a web page, not a bank statement'],
    ['prose', 'Dear customer,\nthank you.\n', 'Line 1: The file is not a bank statement in a known format'],
    ['JSON', '{"lines": []}', 'Line 1: The file is JSON, not a bank statement'],
    ['an empty file', ' \n', 'Line 1: The file is empty'],
    ['a PDF', '%PDF-1.7', 'Line 1: This file is a PDF. Download the statement from your bank'],
    ['an image', 'GIF89a\n\n\0\u0001', 'Line 3: This file is not text'],
  ])('rejects %s with a one-sentence message', (_, text, sentence) => {
    const said = refusal(utf8(text));
    expect(said.slice(0, sentence.length)).toBe(sentence);
    expect(said).not.toContain('\n');
  });

  it('rejects a file of 25 MB plus one byte or of 100,001 lines, and names the file', () => {
    expect(refusal(new Uint8Array(MOST_BYTES + 1))).toBe('Line 1: The file is larger than 25 MB');
    const rows = Array.from({ length: 100_001 }, () => '2024-05-06,T,-1.00');
    expect(refusal(utf8(table(...rows)))).toBe('Line 100002: The statement has more than 100,000 transactions');
    expect(refusal(utf8(' '), 'may.csv')).toBe('may.csv: Line 1: The file is empty');
  });

  it('reading an unreadable file throws a Failure with status 422', () => {
    const attempt = (): ReadFile => read('{"lines": []}');
    expect(attempt).toThrow(Failure);
    try {
      attempt();
    } catch (error) {
      expect(error).toMatchObject({ code: 'rule' });
    }
  });
});

describe('opening + Σ = closing', () => {
  it('rejects a statement with 100.00 − 10.00 = 89.00 and reports the difference of 1.00', () => {
    expect(amounts(read(mt940('240502D10,00NMSC')))).toEqual([-1000]);
    expect(refusal(utf8(mt940('240502D10,00NMSC', 'C240502USD89,00')))).toBe(
      "Line 5: The transactions of account …123 don't add up to the change in balance from $100.00 to $89.00. " +
        'The difference is ($1.00).',
    );
  });

  it('a duplicate page counts once, and daily statements for one account are joined in any order', () => {
    const first = mt940('240502D10,00NMSC');
    const next = first.replaceAll('240502', '240503').replace('C240501USD100,00', 'C240502USD90,00');
    const second = next.replace('C240503USD90,00', 'C240503USD80,00');
    expect(amounts(read(first + first))).toEqual([-1000]);
    for (const text of [first + second, second + first]) {
      const { statements } = read(text);
      expect(statements).toMatchObject([{ opening: 10_000, closing: 8000, from: '2024-05-01', to: '2024-05-03' }]);
      expect(statements[0]?.lines).toHaveLength(2);
    }
  });

  it('a separate function checks the balance of a table, because the user can still correct its mapping', () => {
    const rows = ['05/13/2024,Opening balance,10.00', '05/13/2024,Tea,-1.50', '05/14/2024,Closing balance,8.00'];
    const [statement] = read(table(...rows)).statements;
    if (!statement) throw new Error('no statement');
    expect([statement.opening, statement.closing, statement.lines.length]).toEqual([1000, 800, 1]);
    expect(balanceDifference(statement)).toBe(-50);
    expect(() => checkBalance(statement)).toThrow('The difference is ($0.50).');
    expect(balanceDifference({ opening: cents(1), lines: [] })).toBeUndefined();
  });
});

describe('a mapping from the user', () => {
  const text = 'When;Who;Sum;Rest\n2024-05-06;Tea;1,50;8,50\n2024-05-07;Pay;10,00;18,50\n';

  it("a user's mapping takes precedence over the guess for columns, signs, and text", () => {
    const guessed = read(text);
    expect(guessed.mapping).toMatchObject({ separator: ';', header: true, dateColumn: 0, amountColumn: 2 });
    const file = read(text, { textColumns: [1, 3], turned: true, balanceColumn: -1 });
    expect(file.statements[0]?.lines).toMatchObject([
      { amount: -150, text: 'Tea 8,50' },
      { amount: -1000, text: 'Pay 18,50' },
    ]);
  });

  it('reading a file with its guessed mapping gives the same result, with a key based on the header', () => {
    const guessed = read(text);
    expect(read(text, guessed.mapping)).toEqual(guessed);
    expect(guessed.headerKey).toBe('when|who|sum|rest');
    expect(guessed.sample).toEqual([
      ['2024-05-06', 'Tea', '1,50', '8,50'],
      ['2024-05-07', 'Pay', '10,00', '18,50'],
    ]);
  });

  it('separate columns for money out and money in are found, even if a card shows money in as negative', () => {
    const head = 'Status,Date,Description,Debit,Credit\n';
    expect(amounts(read(`${head}Cleared,05/28/2024,Store,12.00,\nCleared,05/20/2024,Paid,,-100.00\n`))).toEqual([
      -1200, 10_000,
    ]);
    expect(amounts(read(`${head}Cleared,05/28/2024,Store,-12.00,\nCleared,05/20/2024,Paid,,100.00\n`))).toEqual([
      -1200, 10_000,
    ]);
  });

  it('a file with column names but no rows requires no mapping', () => {
    expect(read('Date,Description,Amount\n').statements).toEqual([{ format: 'CSV', lines: [] }]);
  });

  it('a preamble with a name above an empty row is skipped', () => {
    const file = read('Statement of @ada\n\n,Datetime,Note,Amount (total)\n,,,\n,2024-05-28T14:01:02,Lunch,- $12.50\n');
    expect(file.mapping).toMatchObject({ skip: 2, header: true, dateColumn: 1, amountColumn: 3, textColumns: [2] });
    expect(amounts(file)).toEqual([-1250]);
  });

  it('a mapping can also reverse the signs in OFX and QIF', () => {
    expect(amounts(read(ofx(trn('5.00')), { turned: true }))).toEqual([-500]);
    expect(amounts(read('!Type:Bank\nD5/13/2024\nT5.00\n^\n', { turned: true }))).toEqual([-500]);
  });

  it('the reader asks for the amount column if no column contains only amounts', () => {
    const file = read('Day,Words\n2024-05-06,minus one\n2024-05-07,two\n');
    expect(file.questions).toEqual([
      {
        name: 'amountColumn',
        choices: [
          { value: '0', label: 'Day' },
          { value: '1', label: 'Words' },
        ],
      },
    ]);
  });
});

describe('OFX without end tags', () => {
  it('OFX without end tags is read up to its last transaction and the text at the end of the file', () => {
    const one = '<STMTTRN><DTPOSTED>20240506<TRNAMT>-1.50<NAME>';
    const file = read(`<OFX><STMTRS><CURDEF>USD<BANKTRANLIST>${one}Tea${one}Cake`);
    expect(file.statements[0]?.lines.map(({ text, amount }) => [text, amount])).toEqual([
      ['Tea', -150],
      ['Cake', -150],
    ]);
  });
});

describe('character sets', () => {
  const text = ofx('<STMTTRN><DTPOSTED>20240506<TRNAMT>-1.00<FITID>1<NAME>Café €uro – Größe</STMTTRN>');

  it.each(Object.entries(encodings))('text in %s is decoded correctly', (_, encode) => {
    expect(readStatementFile(encode(text)).statements[0]?.lines[0]?.text).toBe('Café €uro – Größe');
  });

  it('the header determines how other bytes are read: ISO-8859-2 has ł where Windows-1252 has ³', () => {
    const bytes = encodings['Windows-1252'](
      text.replace('CHARSET:1252', 'CHARSET:8859-2').replace('€uro – ', 'Z³oty '),
    );
    expect(readStatementFile(bytes).statements[0]?.lines[0]?.text).toBe('Café Złoty Größe');
  });
});
