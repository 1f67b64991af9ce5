// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest';
import { dropOwnerless, keepFor, readLocal, writeLocal } from './localState.ts';

afterEach(() => {
  localStorage.clear();
  keepFor(undefined);
});

it("another user, or the same user in another company, can't find a stored value", () => {
  keepFor('3.7');
  writeLocal('draft:company', 'ours');
  for (const other of ['3.8', '4.7', undefined]) {
    keepFor(other);
    expect(readLocal('draft:company')).toBeUndefined();
  }
  keepFor('3.7');
  expect(readLocal('draft:company')).toBe('ours');
});

it('nothing is stored when no user is signed in', () => {
  keepFor(undefined);
  writeLocal('draft:company', 'whose?');
  expect(Object.keys(localStorage)).toEqual([]);
});

it('keys without an owner are removed, except the session and the theme, and keys with an owner stay', () => {
  for (const key of [
    'draft:company',
    'draft:3.7:billing:0',
    'drawer',
    'reportingReportPCID',
    'user',
    'theme',
    'clock',
    '3.7:drawer',
    '3.7.1795376494653123:drawer',
  ])
    localStorage.setItem(key, '1');
  dropOwnerless();
  expect(Object.keys(localStorage).toSorted()).toEqual([
    '3.7.1795376494653123:drawer',
    '3.7:drawer',
    'clock',
    'theme',
    'user',
  ]);
});
