import { cents } from '@evenkeel/core/money';
import { Dice } from '@evenkeel/core/dice';
import { textOf, textParts } from '@evenkeel/statements/charset';
import { describe, expect, it } from 'vitest';
import type { SourceTransaction } from './books.ts';
import { read } from './read.ts';
import { Strings } from './strings.ts';
import { tableOf } from './table.ts';
import { testCompany } from './testing/company.ts';
import { dialects } from './testing/dialects.ts';
import { encoded, styleOf } from './testing/files.ts';
import { Transactions } from './transactions.ts';

const [dialect] = dialects;
const company = testCompany(5, 400);

describe('Transactions', () => {
  it('every transaction is returned as it was added, even after a thread has sent its data', () => {
    const place = { file: 'a.csv', row: 7 };
    const all: SourceTransaction[] = [
      ...read(dialect?.write(company, styleOf(2)) ?? []).books.transactions,
      {
        id: '9007199254740993001',
        date: company.from,
        type: '',
        number: '',
        memo: 'x'.repeat(400_000),
        lines: [
          { account: 'a', amount: cents(9_007_199_254_740_991), partyKind: 'vendor', basis: 'A', place },
          { account: 'b', amount: cents(-9_007_199_254_740_991), party: '', place: { file: 'b.csv', row: 8 } },
          { account: 'Größe ’', amount: cents(-1), profitCenter: 'North', location: '', memo: 'y'.repeat(100), place },
        ],
        place,
      },
    ];
    const made = Transactions.of(all);
    expect([...made]).toEqual(all);
    expect([...new Transactions(structuredClone(made.data()))]).toEqual(all);
    expect([made.length, made.at(all.length), made.dateAt(3)]).toEqual([all.length, undefined, all[3]?.date]);
  });

  it('the identities and accounts of transactions are changed in place', () => {
    const [one] = read(dialect?.write(company, styleOf(2)) ?? []).books.transactions;
    if (one === undefined) throw new Error('no transaction');
    const made = Transactions.of([one, one]);
    made.identify(1, 'own', (account) => `new ${account}`);
    const lines = one.lines.map((line) => ({ ...line, account: `new ${line.account}` }));
    expect([...made]).toEqual([one, { ...one, identity: 'own', lines }]);
  });
});

describe('Strings', () => {
  it('120,000 strings, some of them repeated, are returned as they were added', () => {
    const strings = new Strings();
    const texts = Array.from({ length: 120_000 }, (_, at) => (at % 3 === 0 ? 'again' : `text ${at} ’`));
    const names = texts.map((text) => strings.keep(text));
    expect(names.map((name) => strings.text(name))).toEqual(texts);
    expect([strings.keep(undefined), strings.text(0), strings.text(strings.keep(''))]).toEqual([0, undefined, '']);
  });
});

describe('tableOf', () => {
  const text =
    'a,b,c\r\n"1 ""x""","two\r\nlines, and more",3\r\n,,\r\n5\' pipe,"’",\n"last",,end of file without a line ending';

  it('the same table is read no matter how the text is divided', () => {
    const whole = [...tableOf('f', () => [text.replaceAll('\r\n', '\n')]).rows];
    expect(whole.map(({ row }) => row)).toEqual([1, 2, 4, 5]);
    for (const encoding of ['utf-8', 'utf-16'] as const) {
      const bytes = encoded(text, encoding);
      for (let size = 1; size < 60; size += 1) {
        for (const isLarge of [false, true]) {
          const { rows } = tableOf('f', () => textParts(bytes, size), isLarge);
          expect([...rows]).toEqual(whole);
          expect([rows.length, rows.at(-1), rows.at(1), rows.at(4)]).toEqual([4, whole[3], whole[1], undefined]);
          expect([...rows.part(1, 3)]).toEqual(whole.slice(1, 3));
        }
      }
    }
  });

  it('rows in the middle of a large file are found', () => {
    const rows = Array.from({ length: 1000 }, (_, at) => ({ row: at + 1, cells: [`row ${at + 1}`, 'x', 'y'] }));
    const large = tableOf('f', () => [rows.map(({ cells }) => cells.join(',')).join('\n')], true).rows;
    expect([0, 99, 100, 500, 899, 999].map((at) => large.at(at))).toEqual(
      [0, 99, 100, 500, 899, 999].map((at) => rows[at]),
    );
    expect([...large.part(400).part(10, 20)]).toEqual(rows.slice(410, 420));
  });

  it('the error for an unclosed quotation mark contains the row, no matter which part contains the mark', () => {
    for (const size of [1, 7, 1000]) {
      const open = () => textParts(encoded('a,b\n1,2\n"3,4\n5,6\n', 'utf-8'), size);
      expect(() => tableOf('f', open)).toThrow('f, row 3: A quotation mark is not closed');
    }
  });
});

describe('textParts', () => {
  it('the same text is returned in parts of any size, in every encoding', () => {
    const dice = new Dice(3);
    const text = Array.from({ length: 200 }, () => dice.pick(['a', '\r\n', '\n', '\r', 'ü', '’', '€'])).join('');
    for (const encoding of ['utf-8', 'utf-8 with mark', 'windows-1252', 'utf-16'] as const) {
      const bytes = encoded(text, encoding);
      const whole = textOf(bytes);
      expect(whole).toBe(text.replaceAll(/\r\n?/g, '\n'));
      for (let size = 1; size < 30; size += 1) expect([...textParts(bytes, size)].join('')).toBe(whole);
    }
  });
});
