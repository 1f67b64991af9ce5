import { describe, expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { cents } from '../money.ts';
import { fold, meantBy, mistyped, plainWords, readSearch } from './search.ts';

/** A Wednesday. */
const today = isoDate('2026-11-25');
const read = (text: string) => readSearch(text, today).terms;

test.each([
  ['ÉCOLE Straße', 'ecole strasse'],
  ['Łódź ΣΑΣ', 'łodz'.replace('ł', 'l') + ' σασ'],
  ['ﬁx ｆｕｌｌ İı', 'fix full ii'],
])('search text %s is folded to %s', (text, folded) => expect(fold(text)).toBe(folded));

describe('reads dates as ranges of days', () => {
  test.each([
    ['march 2026', '2026-03-01', '2026-03-31'],
    ['Feb 2024', '2024-02-01', '2024-02-29'],
    ['march 4, 2026', '2026-03-04', '2026-03-04'],
    ['4 march 2026', '2026-03-04', '2026-03-04'],
    ['march 4th', '2026-03-04', '2026-03-04'],
    ['9/4/2026', '2026-09-04', '2026-09-04'],
    ['09/04', '2026-09-04', '2026-09-04'],
    ['2026-09-04', '2026-09-04', '2026-09-04'],
    ['2026-09', '2026-09-01', '2026-09-30'],
    ['9/2026', '2026-09-01', '2026-09-30'],
    ['2025', '2025-01-01', '2025-12-31'],
    ['today', '2026-11-25', '2026-11-25'],
    ['yesterday', '2026-11-24', '2026-11-24'],
    ['this week', '2026-11-22', '2026-11-28'],
    ['last week', '2026-11-15', '2026-11-21'],
    ['last month', '2026-10-01', '2026-10-31'],
    ['last quarter', '2026-07-01', '2026-09-30'],
    ['last year', '2025-01-01', '2025-12-31'],
    ['q1 2026', '2026-01-01', '2026-03-31'],
    ['Q4', '2026-10-01', '2026-12-31'],
    ['next month', '2026-12-01', '2026-12-31'],
  ])('%s is read as a range of days', (text, from, to) =>
    expect(read(text)).toEqual([{ texts: [text.toLowerCase()], days: { from, to } }]),
  );

  test.each(['2/30/2026', '13/2026', 'march 32', 'marching 2026', 'lastweek', 'q5 2026', 'q1a'])(
    '%s is not read as a date',
    (text) => expect(read(text).filter(({ days, texts }) => days !== undefined && texts[0] !== '2026')).toEqual([]),
  );
});

describe('reads amounts as ranges of cents', () => {
  test.each([
    ['1,250', ' 1,250', 125_000, 125_099],
    ['1,250.00', ' 1,250.00', 125_000, 125_000],
    ['$1,250.5', ' $1,250.5', 125_050, 125_059],
    ['$12', ' $12', 1200, 1299],
    ['(125.00)', ' (125.00)', 12_500, 12_500],
    ['-125', ' -125', 12_500, 12_599],
  ])('%s is read as a range of cents', (text, asText, from, to) =>
    expect(read(text)).toEqual([{ texts: [asText], amount: { from, to } }]),
  );

  test('>500, >= 500, <500.25, and <=500 are read as ranges with one bound', () => {
    expect(read('>500 >= 500 <500.25 <=$500')).toEqual([
      { texts: [], amount: { from: cents(50_001) } },
      { texts: [], amount: { from: cents(50_000) } },
      { texts: [], amount: { to: cents(50_024) } },
      { texts: [], amount: { to: cents(50_000) } },
    ]);
  });

  test.each(['1250', '1,25', '1.250,00', '99999999999999.00', '>', '> ,', '12-50'])(
    '%s is not read as an amount',
    (text) => expect(read(text).flatMap(({ amount }) => amount ?? [])).toEqual([]),
  );
});

describe('ignores punctuation around a word, and ignores a word for a kind of document next to a number', () => {
  test.each([
    'Invoice 10002',
    '#10002',
    'invoice #10002',
    '10002,',
    'Invoice No. 10002',
    'invoice number 10002:',
    '“10002”',
    'bill 10002.',
    'Estimate # 10002',
    'credit memo 10002;',
    'payment 10002',
    '(check #10002)',
  ])('%s is read as the number 10002', (text) => {
    expect(readSearch(text, today)).toEqual({ whole: '10002', terms: [{ texts: ['10002'] }] });
  });

  test.each(['#10002', 'Invoice 10002', '10002,', 'INVOICE No. #10002:'])('a list filter reads %s as 10002', (text) => {
    expect(plainWords(text)).toEqual(['10002']);
  });

  test('a list filter without a number keeps its words', () => {
    expect(plainWords(' Credit  Memo, "Fern" ')).toEqual(['Credit', 'Memo', 'Fern']);
    expect(plainWords('#')).toEqual([]);
  });

  test('a search for a name keeps its words without punctuation', () => {
    expect(read('Smith & Sons, Inc.').map(({ texts }) => texts)).toEqual([['smith'], ['sons'], ['inc']]);
    expect(read('"O’Brien’s"')).toEqual([{ texts: ['o’brien’s'] }]);
    expect(read('invoice $1,250.00,')).toEqual([
      { texts: [' $1,250.00'], amount: { from: cents(125_000), to: cents(125_000) } },
    ]);
  });

  test('a search first includes a word for a document kind, and then omits it if other words remain', () => {
    expect(readSearch('payment processing', today)).toEqual({
      whole: 'payment processing',
      terms: [{ texts: ['payment'] }, { texts: ['processing'] }],
      ofAnyKind: { whole: 'processing', terms: [{ texts: ['processing'] }] },
    });
    expect(readSearch('invoices last week', today).ofAnyKind?.terms).toHaveLength(1);
    expect(readSearch('invoice', today)).toEqual({ whole: 'invoice', terms: [{ texts: ['invoice'] }] });
    expect(readSearch('# & -', today).terms).toEqual([]);
  });

  test.each(['2165550116', '216-555-0116', '(216) 555-0116', '+1 216.555.0116', '12165550116'])(
    'the phone number %s is searched for in all common formats',
    (text) => {
      const written = ['2165550116', '216-555-0116', '216.555.0116', '216 555 0116', '(216) 555-0116'];
      expect(read(text)).toEqual([{ texts: written }]);
    },
  );

  test.each(['5550116', '555-0116', '555.0116'])(
    'the local phone number %s is also searched for in all common formats',
    (text) => {
      expect(read(text)).toEqual([{ texts: ['5550116', '555-0116', '555.0116', '555 0116'] }]);
    },
  );
});

test('search words can be combined with a date, and at most 8 terms are read', () => {
  expect(read('fair last week 10001').map(({ texts }) => texts)).toEqual([['last week'], ['fair'], ['10001']]);
  expect(read('a b c d e f g h i j')).toHaveLength(8);
  expect(read('  ')).toEqual([]);
});

test('a search word with one missing, wrong, transposed, or extra letter is corrected', () => {
  const meant = (word: string, ...words: string[]) => {
    const wrong = mistyped(word);
    return wrong === undefined ? undefined : meantBy(wrong, words);
  };
  expect(meant('farlawn', 'fairlawn', 'lawn', 'fairlawns', 'farmland')).toEqual(['fairlawn']);
  expect(meant('faorlawn', 'fairlawn')).toEqual(['fairlawn']);
  expect(meant('fairlanw', 'fairlawn')).toEqual(['fairlawn']);
  expect(meant('fairllawn', 'fairlawn')).toEqual(['fairlawn']);
  expect(meant('fairl', 'fairlawn', 'farlow', 'fblock')).toEqual(['fairla', 'farl']);
  expect(meant('lawn', 'lawm')).toBeUndefined();
  expect(meant('10001', '10002')).toBeUndefined();
});
