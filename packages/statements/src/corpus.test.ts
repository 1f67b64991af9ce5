import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isoDate } from '@evenkeel/core/dates';
import { cents, type Cents, sum } from '@evenkeel/core/money';
import { checkBalance } from './balance.ts';
import { inOneGo } from '@evenkeel/core/steps';
import { newLines } from './lineKey.ts';
import { readStatementFile, type ReadFile, type ReadOptions, type ReadStatement, type StatementLine } from './read.ts';
import { encodings, type PlainStatement, writeCamt } from './testing/writers.ts';

const folder = join(import.meta.dirname, '../corpus');
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));
/**
 * Without column names or a balance, the account type must be given. In the other files, the signs can be determined
 * from the data.
 */
const options = (name: string): ReadOptions => (name === 'no-header.csv' ? { accountKind: 'bank' } : {});
const read = (name: string): ReadFile => readStatementFile(bytesOf(name), options(name));
const sumOf = ({ lines }: ReadStatement): Cents => sum(lines.map(({ amount }) => amount));

/**
 * Files with the totals for their accounts: the count, the sum, and, if the file contains them, the opening and closing
 * balances, in cents.
 */
type Account = [count: number, sum: number, opening?: number | undefined, closing?: number];
const corpus: [name: string, format: string, ...accounts: Account[]][] = [
  ['bank-sgml-1252.ofx', 'OFX', [5, 157_270, undefined, 531_022]],
  ['bank-one-line.ofx', 'OFX', [2, 48_001, undefined, 148_001]],
  ['two-accounts-xml.ofx', 'OFX', [2, -115_124, undefined, 84_876], [1, 321]],
  ['card-utf8.qfx', 'QFX', [4, 21_090]],
  ['corrections.ofx', 'OFX', [1, -1300]],
  ['quicken.qif', 'QIF', [3, -106_310, 150_000], [2, 0]],
  ['bank-download.qif', 'QIF', [3, 75_850]],
  ['bank-preamble.csv', 'CSV', [3, 68_775, 100_000, 168_775]],
  ['debit-credit.csv', 'CSV', [4, 173_540, 100_900, 274_440]],
  ['direction.csv', 'CSV', [2, 124_680, 10_000, 134_680]],
  ['no-header.csv', 'CSV', [3, 22_900]],
  ['card-positive.csv', 'CSV', [3, 11_580]],
  ['signs.tsv', 'TSV', [6, -95_775]],
  ['german.csv', 'CSV', [2, 115_010, 100_000, 215_010]],
  ['swift.mt940', 'MT940', [4, 23_050, 100_000, 123_050]],
  ['one-line.mt940', 'MT940', [2, 11_901, -2000, 9901]],
  ['lockbox.bai2', 'BAI2', [4, 37_755, 150_000, 187_755], [1, -500, 0, -500]],
];

describe('each file in the corpus', () => {
  it('the table of expected totals lists every file in the corpus', () => {
    expect(readdirSync(folder).toSorted()).toEqual(corpus.map(([name]) => name).toSorted());
  });

  it.each(corpus)(
    '%s is read as %s with its exact count and sum, which agree with the opening and closing balances',
    (name, ...rest) => {
      const [format, ...accounts] = rest;
      const { statements, questions } = read(name);
      expect(questions).toEqual([]);
      expect(statements.map((one) => [one.lines.length, sumOf(one), one.opening, one.closing])).toEqual(
        accounts.map(([count, total, opening, closing]) => [count, total, opening, closing]),
      );
      for (const one of statements) {
        expect(one.format).toBe(format);
        expect([one.from, one.to].every((day) => day !== undefined)).toBe(true);
        checkBalance(one);
      }
    },
  );

  it.each(corpus)('importing %s again adds nothing', (name) => {
    for (const { lines } of read(name).statements) {
      const known = new Map<string, number>();
      for (const { key } of inOneGo(newLines(lines, known))) known.set(key, (known.get(key) ?? 0) + 1);
      expect(inOneGo(newLines(lines, known)).filter(({ state }) => state !== 'known')).toEqual([]);
    }
  });

  it.each(corpus.filter(([name]) => !name.includes('1252') && name !== 'direction.csv'))(
    '%s is read the same way in UTF-16',
    (name) => {
      const text = new TextDecoder().decode(bytesOf(name));
      expect(readStatementFile(encodings['UTF-16 big endian'](text), options(name))).toEqual(read(name));
    },
  );
});

const first = (name: string): ReadStatement => read(name).statements[0] ?? { format: 'OFX', lines: [] };
const line = (name: string, index: number): StatementLine | undefined => first(name).lines[index];

describe('text from the bank', () => {
  it('OFX keeps Windows-1252 letters, the name and memo, and the date in DTPOSTED regardless of its time zone', () => {
    expect(line('bank-sgml-1252.ofx', 0)).toEqual({
      row: 20,
      date: '2024-05-31',
      amount: 215_000,
      text: 'Müller & Söhne Rechnung 1042',
      bankId: '2024053101',
    });
    expect(line('bank-sgml-1252.ofx', 1)).toMatchObject({ date: '2024-05-22', checkNumber: '1018', amount: -48_050 });
    expect(line('bank-sgml-1252.ofx', 4)?.text).toBe('Monthly service fee');
    expect(first('bank-sgml-1252.ofx')).toMatchObject({
      accountNumber: '000123456789',
      routingNumber: '121000358',
      currency: 'USD',
      from: '2024-05-01',
      to: '2024-05-31',
    });
  });

  it('entities are decoded, even if escaped twice or in CDATA, and pending transactions are excluded', () => {
    expect(first('two-accounts-xml.ofx').lines.map(({ text }) => text)).toEqual([
      'Rent & Utilities Smith & Sons <LLC> café',
      "Ada O'Neil Refund <A&B>",
    ]);
  });

  it("the payee's account is not confused with the statement's account", () => {
    expect(first('bank-one-line.ofx').accountNumber).toBe('9988776655');
  });

  it('two transactions with the same FITID are kept, but a correction replaces the original', () => {
    expect(first('card-utf8.qfx').lines.map(({ bankId }) => bankId)).toEqual(['cc1', 'cc2', 'cc2', 'cc3']);
    expect(line('card-utf8.qfx', 0)?.text).toBe('Café Zoë €5 off Zürich – CHF');
    expect(first('corrections.ofx').lines).toMatchObject([{ bankId: 'k3', corrects: 'k1', amount: -1300 }]);
  });

  it("two-digit and apostrophe years in QIF are read: 12/20/18, 1/ 5'19, 12/31/99", () => {
    expect(first('quicken.qif').lines.map(({ date }) => date)).toEqual(['2018-12-20', '2019-01-05', '1999-12-31']);
    expect(line('quicken.qif', 0)).toMatchObject({ checkNumber: '1001', text: 'Garden Center Roses' });
    expect(read('quicken.qif').statements.map(({ accountName }) => accountName)).toEqual(['House Checking', 'Visa']);
    expect(read('bank-download.qif').mapping).toEqual({ dateOrder: 'dmy', decimal: ',' });
  });

  it('MT940 text that the bank wrapped at 65 characters is joined, without its part numbers', () => {
    expect(first('swift.mt940').lines.map(({ text }) => text)).toEqual([
      'MARKT AM ECK GMBH EREF+9921 SVWZ+Einkauf Markt KARTENZAHLUNG',
      '/NAME/ADA KING/REMI/INVOICE 1042 FOR MAY AND A TEXT THAT IS AS LONG AS TWO LINES/EREF/NOTPROVIDED INV1042',
      '000123',
      'SUPPLEMENTARY DETAILS',
    ]);
    // The entry date is in the year before the value date.
    expect(line('swift.mt940', 2)).toMatchObject({ date: '2023-12-31', amount: -750, checkNumber: '000123' });
  });

  it('BAI2 text continues in continuation records and keeps its commas and slashes', () => {
    expect(line('lockbox.bai2', 0)?.text).toBe('ACME CORP PAYMENT, WITH A COMMA/SLASH INV1042 BR77');
    expect(line('lockbox.bai2', 1)).toMatchObject({ checkNumber: '1021', amount: -10_000, row: 7 });
    expect(line('lockbox.bai2', 3)).toMatchObject({ date: '2024-06-08', text: 'SPLIT FUNDS' });
  });
});

describe('bank tables', () => {
  it("a table's preamble, totals, trailing column, and running balance are recognized", () => {
    const { mapping, columns } = read('debit-credit.csv');
    expect(mapping).toEqual({
      separator: ',',
      skip: 3,
      header: true,
      dateColumn: 1,
      debitColumn: 4,
      creditColumn: 5,
      balanceColumn: 6,
      checkColumn: 2,
      textColumns: [3],
      dateOrder: 'mdy',
      decimal: '.',
      turned: false,
    });
    expect(columns?.at(-1)).toBe('Column 8');
    expect(first('debit-credit.csv')).toMatchObject({
      accountNumber: '12345678',
      from: '2024-05-13',
      to: '2024-05-31',
    });
    expect(line('debit-credit.csv', 1)).toMatchObject({ amount: -15_560, checkNumber: '1019', row: 6 });
  });

  it('the columns of a table without headings are identified by the contents of their cells', () => {
    expect(read('no-header.csv').columns).toEqual(['Column 1', 'Column 2', 'Column 3', 'Column 4', 'Column 5']);
    expect(line('no-header.csv', 1)).toMatchObject({
      amount: -10_000,
      date: '2024-05-12',
      text: '* 1020 CHECK # 1020',
    });
  });

  it("the signs in a card's table that shows purchases as positive are reversed", () => {
    expect(read('card-positive.csv').mapping?.turned).toBe(true);
    expect(first('card-positive.csv').lines.map(({ amount }) => amount)).toEqual([-6420, 50_000, -32_000]);
  });

  it('amounts in a table may have parentheses, a trailing minus, dollar signs, DR, or CR', () => {
    expect(first('signs.tsv').lines.map(({ amount }) => amount)).toEqual([-1250, -325, -100_000, -700, 2000, 4500]);
  });

  it('a table may have a line break inside quotes, and its rows are located by lines in the file', () => {
    expect(first('german.csv').lines).toMatchObject([
      { row: 4, text: 'Kunde Groß RE 77 Danke', amount: 120_000 },
      { row: 6, date: '2024-05-03', amount: -4990 },
    ]);
  });
});

describe('camt.053', () => {
  const plain: PlainStatement = {
    accountNumber: 'DE1',
    opening: cents(-500),
    lines: [
      { date: isoDate('2024-05-02'), amount: cents(12_345), text: 'Ada & Söhne <1042>', bankId: 'R1' },
      { date: isoDate('2024-05-03'), amount: cents(-99), text: 'Fee', bankId: 'R2' },
    ],
  };
  const of = (xml: string): ReadStatement | undefined => readStatementFile(encodings['UTF-8'](xml)).statements[0];

  it.each([2, 3, 4, 5, 6, 7, 8])(
    'camt.053 version %i is read as 2 lines with a total of 122.46, even with a namespace prefix',
    (version) => {
      const whole = of(writeCamt(plain, version));
      expect(whole).toEqual({
        format: 'CAMT',
        accountNumber: 'DE1',
        currency: 'USD',
        opening: -500,
        closing: 11_746,
        from: '2024-05-02',
        to: '2024-05-03',
        lines: plain.lines.map((one, index) => ({ ...one, row: 6 + 3 * index })),
      });
      expect(of(writeCamt(plain, version, 'ns2:'))).toEqual(whole);
    },
  );

  it('camt.053 excludes pending entries and keeps names, the value date, and a reversal as written', () => {
    const xml = writeCamt(plain, 2)
      .replace('<Sts>BOOK</Sts>', '<Sts>PDNG</Sts>')
      .replace('<BookgDt><Dt>2024-05-03</Dt></BookgDt>', '<RvslInd>true</RvslInd>')
      .replace(
        '<TxDtls><RmtInf><Ustrd>Fee',
        '<TxDtls><RltdPties><Cdtr><Nm>Grid Co</Nm></Cdtr></RltdPties><RmtInf><Ustrd>Fee',
      );
    const closing = xml.replace(
      '<Amt Ccy="USD">117.46</Amt><CdtDbtInd>CRDT',
      '<Amt Ccy="USD">5.99</Amt><CdtDbtInd>DBIT',
    );
    expect(of(closing)?.lines).toMatchObject([{ date: '2024-05-03', amount: -99, text: 'Grid Co Fee', bankId: 'R2' }]);
  });
});
