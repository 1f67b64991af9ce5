import { expect, test } from 'vitest';
import { isoDate, type IsoDate } from '../dates.ts';
import { cents } from '../money.ts';
import { closedMonths, closingFaults, openItems, type StoredMove } from './closing.ts';

const faults = (from: string | null, to: string | null, more: { note?: string; openCount?: number } = {}) =>
  closingFaults({ from: dateOf(from), to: dateOf(to), note: '', openCount: 0, ...more });

const dateOf = (text: string | null): IsoDate | null => (text === null ? null : isoDate(text));

test('closing the books requires a note only while items are open', () => {
  expect(faults('2026-09-30', '2026-10-31')).toEqual({});
  expect(faults(null, '2026-10-31', { openCount: 1 })).toEqual({
    note: 'Please enter a note, because 1 item is open',
  });
  expect(faults('2026-09-30', '2026-10-31', { openCount: 3, note: '  ' })).toEqual({
    note: 'Please enter a note, because 3 items are open',
  });
  expect(faults('2026-09-30', '2026-10-31', { openCount: 3, note: 'The statement arrives on the 30th' })).toEqual({});
});

test('reopening the books requires a reason, but saving the same closing date does not', () => {
  for (const to of ['2026-09-30', null]) {
    expect(faults('2026-10-31', to)).toEqual({ note: 'Please enter a reason' });
    expect(faults('2026-10-31', to, { note: 'Late bill', openCount: 3 })).toEqual({});
  }
  expect(faults('2026-10-31', '2026-10-31', { openCount: 3 })).toEqual({});
  expect(faults(null, null, { openCount: 3 })).toEqual({});
});

test('a signed-off account that has changed since its sign-off is an open item', () => {
  const equal = { ledger: cents(0), open: cents(0) };
  const lists = { review: [], bankAccounts: [], drafts: [], scheduled: [], held: [], certificates: [], returns: [] };
  const controls = { clearingAccounts: [], negativeAccounts: [], receivables: equal, payables: equal };
  const signOffs = [{ change: cents(0) }, { change: cents(-1) }];
  const none = { vendorTaxes: [], onlinePayments: [], reviews: [] };
  expect(openItems({ ...lists, ...controls, ...none, signOffs })).toBe(1);
});

test('a control account that does not equal its documents is an open item', () => {
  const equal = { ledger: cents(21_880), open: cents(21_880) };
  const lists = { review: [], bankAccounts: [], drafts: [], scheduled: [], held: [], certificates: [] };
  const work = {
    ...lists,
    returns: [],
    vendorTaxes: [],
    onlinePayments: [],
    clearingAccounts: [],
    negativeAccounts: [],
    reviews: [],
    signOffs: [],
  };
  expect(openItems({ ...work, receivables: equal, payables: equal })).toBe(0);
  expect(openItems({ ...work, receivables: equal, payables: { ...equal, open: cents(21_879) } })).toBe(1);
});

const move = (from: string | null, to: string | null, note = ''): StoredMove => ({
  from: dateOf(from),
  to: dateOf(to),
  note,
  person: 'Nora Lindqvist',
  at: '2026-11-05T15:00:00Z',
});
const closed = (moves: readonly StoredMove[], limit = 12) =>
  closedMonths(moves, limit).map(({ date, notes }) => [date, ...notes.map(({ note }) => note)]);

test('closing several months in one step lists each month, latest first', () => {
  const moves = [move(null, '2026-07-31', 'Opened in July'), move('2026-07-31', '2026-10-31', 'Late')];
  expect(closed(moves)).toEqual([
    ['2026-10-31', 'Late'],
    ['2026-09-30', 'Late'],
    ['2026-08-31', 'Late'],
    ['2026-07-31', 'Opened in July'],
  ]);
  expect(closed(moves, 2)).toEqual([
    ['2026-10-31', 'Late'],
    ['2026-09-30', 'Late'],
  ]);
});

test('a reopened month is not listed, and after it is closed again, it has all three notes', () => {
  const moves = [
    move(null, '2026-09-30'),
    move('2026-09-30', '2026-10-31', 'a'),
    move('2026-10-31', '2026-09-30', 'b'),
  ];
  expect(closed(moves)).toEqual([['2026-09-30']]);
  expect(closed([...moves, move('2026-09-30', '2026-10-31', 'c')])).toEqual([
    ['2026-10-31', 'a', 'b', 'c'],
    ['2026-09-30'],
  ]);
  expect(closed([...moves, move('2026-09-30', null, 'd')])).toEqual([]);
});

test('a closing date within a month closes only the months before it', () => {
  expect(closed([move('2026-08-31', '2026-10-15')])).toEqual([['2026-09-30']]);
  expect(closed([move('2026-09-30', '2026-10-15'), move('2026-10-15', '2026-10-31')])).toEqual([['2026-10-31']]);
});
