import { calls } from '@evenkeel/contract/all';
import { expect, it } from 'vitest';
import { root } from '../checkout.mjs';
import { Places, specificationRows } from './specification.ts';
import { readTree } from '../tidy.ts';

const sources = readTree(root);
const rows = specificationRows(sources, calls);

it('every fact in the specification is in a file and a test, or its absence has a reason', () => {
  const lost = rows.filter(({ where, open }) => where === undefined && open === undefined);
  const untested = rows.filter(
    ({ where, shown, open }) => where !== undefined && shown === undefined && open === undefined,
  );
  expect([lost, untested]).toEqual([[], []]);
  expect(rows.length).toBeGreaterThan(300);
  // Each fact is listed once in its area.
  expect(new Set(rows.map(({ area, fact }) => `${area} ${fact}`)).size).toBe(rows.length);
});

it('only facts without a file or a test have a reason, and there are only a few of these facts', () => {
  const excused = rows.filter(({ open }) => open !== undefined);
  expect(excused.filter(({ where, shown }) => where !== undefined && shown !== undefined)).toEqual([]);
  expect(excused.length).toBeLessThan(20);
});

it('nothing is found for an unknown call or sentence', () => {
  const places = new Places(sources);
  const nowhere = ['Please Select a', 'Zebra'].join(' ');
  expect([places.file(nowhere), places.test(nowhere)]).toEqual([undefined, undefined]);
  const one = { path: 'apps/web/src/x.ts', text: `const words = '${nowhere}';` };
  const test = {
    path: 'apps/web/src/x.test.ts',
    text: `const say = () => '${nowhere}';\nit('first', () => {});\nit('says it', () => { say(); });`,
  };
  const found = new Places([one, test]);
  expect([found.file(nowhere), found.test(nowhere)?.title]).toEqual([one.path, 'says it']);
});
