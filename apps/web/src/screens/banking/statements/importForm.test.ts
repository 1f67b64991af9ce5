import type { StatementPreview } from '@evenkeel/contract/statements';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import {
  answered,
  askedQuestion,
  columnsOf,
  figuresOf,
  firstRows,
  openPoint,
  otherDoubtful,
  type QuestionRow,
  questionRows,
  shownMapping,
  statementFields,
  withColumns,
} from './importForm.ts';

const line = (amount: number, state: 'new' | 'known' | 'doubtful' = 'new') => ({
  date: isoDate('2026-06-01'),
  amount: cents(amount),
  text: 'COFFEE',
  state,
});

const preview: StatementPreview = {
  format: 'CSV',
  asksAccountNumber: false,
  from: isoDate('2026-06-01'),
  to: isoDate('2026-06-12'),
  opening: cents(4_949_945),
  closing: cents(5_000_000),
  count: 3,
  sum: cents(50_055),
  newCount: 1,
  knownCount: 1,
  doubtfulCount: 1,
  newSum: cents(50_000),
  booksBalance: cents(0),
  booksDate: isoDate('2026-06-12'),
  lines: [line(60_055), line(-10_500, 'known'), line(500, 'doubtful')],
  questions: [],
  answers: [],
  mapping: { dateColumn: 0, textColumns: [1, 4], amountColumn: -1, debitColumn: 2, creditColumn: 3 },
  columns: ['Day', 'Words', 'Out', 'In', 'More'],
  sample: [
    ['06/01/2026', 'COFFEE', '4.50', '', 'AKRON'],
    ['06/02/2026', 'PAY', '', '100.00'],
  ],
  sampleLines: [1, null],
  notes: [],
};

test('file columns are shown with their fields, including 2 text columns, and sent back unchanged', () => {
  const shown = shownMapping(preview.mapping ?? {});
  expect(shown).toEqual({ 0: 'date', 1: 'text', 2: 'debit', 3: 'credit', 4: 'text2' });
  const back = withColumns({ dateOrder: 'mdy' }, shown);
  expect(back).toMatchObject({ dateOrder: 'mdy', dateColumn: 0, debitColumn: 2, creditColumn: 3, textColumns: [1, 4] });
  expect([back.amountColumn, back.balanceColumn]).toEqual([-1, -1]);
});

test('an amount column is required unless money in or money out has its own column', () => {
  const required = (shown: Parameters<typeof statementFields>[0]) =>
    statementFields(shown).flatMap(({ id, isRequired }) => (isRequired === true ? [id] : []));
  expect(required({})).toEqual(['date', 'text', 'amount']);
  expect(required({ 2: 'debit' })).toEqual(['date', 'text']);
});

test('a column shows its first values, and shows none for a row that is too short', () => {
  expect(columnsOf(preview)[4]).toEqual({ id: '4', header: 'More', samples: ['AKRON', ''] });
});

test('each sample row shows its bank transaction, and a doubtful one outside the sample is listed separately', () => {
  expect(firstRows(preview)).toEqual([preview.lines[1], undefined]);
  expect(otherDoubtful(preview)).toEqual([preview.lines[2]]);
  expect(otherDoubtful({ ...preview, sampleLines: [2, 0] })).toEqual([]);
  // The bank shows money out without a sign in a separate column.
  expect(columnsOf(preview)[2]).toMatchObject({ samples: ['4.50', ''], becomes: '4.50 becomes (105.00)' });
  expect(columnsOf(preview)[0]).not.toHaveProperty('becomes');
});

test('a question keeps its position and shows whether the user, the file, or an earlier import answered it', () => {
  const turned = { name: 'turned', choices: [{ value: 'true', label: '64.20 SHELL is money out' }] };
  const asking = { ...preview, questions: [turned] };
  const none = new Map<string, QuestionRow>();
  expect(questionRows(asking, none)).toMatchObject([
    {
      name: 'turned',
      reason: '2 of 3 amounts are positive. If a column shows the direction, choose “Debit or Credit” for that column.',
    },
  ]);
  expect(questionRows(asking, none)[0]).not.toHaveProperty('value');
  const dates = { name: 'dateOrder', choices: [{ value: 'mdy', label: 'Month/day/year: 05/06/2026 is 2026-05-06' }] };
  const answers = [
    { ...dates, value: 'mdy', proved: false },
    { ...turned, value: 'true', proved: true },
  ];
  expect(questionRows({ ...preview, answers }, none)).toMatchObject([
    { name: 'turned', value: 'true', reason: 'This is clear from the file. 2 of 3 amounts are positive.' },
    { name: 'dateOrder', value: 'mdy', reason: 'You gave this answer last time.' },
  ]);
  const own: QuestionRow = { name: 'dateOrder', title: 'Which date?', reason: 'Own', choices: [], value: 'dmy' };
  const rows = questionRows({ ...preview, answers }, new Map([['dateOrder', own]]));
  expect(rows.map(({ name, value }) => [name, value])).toEqual([
    ['turned', 'true'],
    ['dateOrder', 'dmy'],
  ]);
});

test('an answer that selects a column is a number, and an answer that selects an order is a string', () => {
  expect(answered({}, 'amountColumn', '2')).toEqual({ amountColumn: 2 });
  expect(answered({ decimal: '.' }, 'dateOrder', 'dmy')).toEqual({ decimal: '.', dateOrder: 'dmy' });
});

test('49,499.45 plus 605.55 in less 105.00 out is 50,000.00, and the 2 added rows include a doubtful row', () => {
  const figures = figuresOf(preview);
  expect(figures).toMatchObject({ reached: 5_000_000, difference: 0, added: 2 });
  expect([figures.in, figures.out]).toEqual([
    { count: 2, amount: 60_555 },
    { count: 1, amount: -10_500 },
  ]);
});

test('if not all rows are loaded, money in and money out are unknown', () => {
  expect(figuresOf({ ...preview, count: 501 })).toMatchObject({ in: undefined, out: undefined, total: 50_055 });
});

test('an open question, a missing account, a difference of 1 cent, or no new rows prevents the import', () => {
  expect(openPoint(preview, false)).toBeUndefined();
  expect(openPoint({ ...preview, questions: [{ name: 'dateOrder', choices: [] }] }, false)).toMatch(/questions/);
  const asking = { ...preview, asksAccountNumber: true };
  expect([openPoint(asking, false), openPoint(asking, true)]).toEqual([expect.stringMatching(/account/), undefined]);
  expect(openPoint({ ...preview, closing: cents(5_000_001) }, false)).toMatch(/closing/);
  expect(openPoint({ ...preview, newCount: 0, doubtfulCount: 0 }, false)).toMatch(/have been imported/);
});

test('the import asks whether 05/06/2026 is in May or June, and offers both dates', () => {
  const choices = [
    { value: 'mdy', label: 'Month/day/year: 05/06/2026 is 2026-05-06' },
    { value: 'dmy', label: 'Day/month/year: 05/06/2026 is 2026-06-05' },
  ];
  expect(askedQuestion({ name: 'dateOrder', choices })).toMatchObject({
    title: 'Which date is 05/06/2026?',
    choices: [
      { value: 'mdy', label: 'May 6, 2026' },
      { value: 'dmy', label: 'June 5, 2026' },
    ],
  });
});

test('the question about signs asks whether 64.20 for OFFICE DEPOT is money in or money out', () => {
  const choices = [
    { value: 'false', label: '64.20 OFFICE DEPOT is money in' },
    { value: 'true', label: '64.20 OFFICE DEPOT is money out' },
  ];
  expect(askedQuestion({ name: 'turned', choices })).toMatchObject({
    title: 'Is 64.20 OFFICE DEPOT money in or money out?',
    choices: [
      { value: 'false', label: 'Money in' },
      { value: 'true', label: 'Money out' },
    ],
  });
  expect(answered({ amountColumn: 3 }, 'turned', 'true')).toEqual({ amountColumn: 3, turned: true });
});

test('the import asks which of two unknown words means money out, or whether a single unknown word does', () => {
  const of = (...words: string[]) => words.map((word) => ({ value: word, label: `${word} is money out` }));
  expect(askedQuestion({ name: 'outWord', choices: of('Ab', 'Zu') })).toMatchObject({
    title: 'Which word means money out?',
    choices: [
      { value: 'Ab', label: 'Ab' },
      { value: 'Zu', label: 'Zu' },
    ],
  });
  expect(
    askedQuestion({ name: 'outWord', choices: [...of('Zu'), { value: '', label: 'Zu is money in' }] }),
  ).toMatchObject({
    title: 'Is Zu money in or money out?',
    choices: [
      { value: 'Zu', label: 'Money out' },
      { value: '', label: 'Money in' },
    ],
  });
  // Changing the answer for one word also changes the answer for the other word.
  const mapping = { directionColumn: 3, outWord: 'ab', inWord: 'zu' };
  expect(answered(mapping, 'outWord', 'Zu')).toEqual({ directionColumn: 3, outWord: 'Zu' });
});

test('the question about money out leaves the other column for money in', () => {
  const choices = [
    { value: '2', label: 'Column 3 (12.50)' },
    { value: '3', label: 'Column 4 (100.00)' },
  ];
  expect(askedQuestion({ name: 'debitColumn', choices })).toMatchObject({
    title: 'Which column is money out?',
    choices,
  });
  expect(answered({}, 'debitColumn', '3')).toEqual({ debitColumn: 3 });
});
