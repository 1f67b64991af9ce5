import { expect, it } from 'vitest';
import { wholeList } from './whole-list.ts';

const rows = [
  { id: 1, name: 'Shop 10', amount: 5.5, active: true, note: null },
  { id: 2, name: 'shop 9', amount: -3, active: false, note: 'By the river' },
  { id: 3, name: 'Yard', amount: 100, active: true, note: 'North' },
];
const ids = (answer: ReturnType<typeof wholeList>): unknown[] =>
  (Array.isArray(answer) ? answer : answer.items).map((row) => (row as { id: number }).id);

it('a list that is requested without parameters is returned unchanged', () => {
  expect(wholeList(rows, {})).toEqual(rows);
  expect(wholeList([], { limit: 5, sort: 'name', q: 'x' })).toEqual({ items: [], next: null, total: 0 });
  expect(wholeList(['Billing', 'Banking'], { limit: 1 })).toMatchObject({ items: ['Billing'], total: 2 });
});

it('a list can be sorted by any field: names naturally, amounts by size, and missing values first', () => {
  expect(ids(wholeList(rows, { sort: 'NAME' }))).toEqual([2, 1, 3]);
  expect(ids(wholeList(rows, { sort: 'amount' }))).toEqual([2, 1, 3]);
  expect(ids(wholeList(rows, { sort: 'amount', desc: 'true' }))).toEqual([3, 1, 2]);
  expect(ids(wholeList(rows, { sort: 'note' }))).toEqual([1, 2, 3]);
  expect(ids(wholeList(rows, { sort: 'nothing', desc: '1' }))).toEqual([3, 2, 1]);
});

it('a search requires every word, in any of the text fields', () => {
  expect(ids(wholeList(rows, { q: ' RIVER shop ' }))).toEqual([2]);
  expect(ids(wholeList(rows, { q: 'shop yard' }))).toEqual([]);
  expect(wholeList(rows, { q: 'shop', limit: 1 })).toMatchObject({ total: 2 });
});

it('the next page starts after the last row of the previous one, even if rows were added or removed', () => {
  const first = wholeList(rows, { limit: 2, sort: 'id' });
  const after = Array.isArray(first) ? '' : (first.next ?? '');
  expect(ids(wholeList(rows.slice(1), { limit: 2, sort: 'id', after }))).toEqual([3]);
  const come = [{ id: 0, name: 'A', amount: 0, active: true, note: '' }, ...rows];
  expect(ids(wholeList(come, { limit: 2, sort: 'id', after }))).toEqual([3]);
  expect(ids(wholeList([rows[0], rows[2]], { limit: 2, sort: 'id', after }))).toEqual([3]);
});

it('a page can skip a given number of rows', () => {
  expect(wholeList(rows, { limit: 1, skip: 2 })).toEqual({ items: [rows[2]], next: null, total: 3 });
});
