import { expect, it } from 'vitest';
import { root } from '../checkout.mjs';
import { guaranteesOf, guaranteesPage } from './guarantees.ts';
import { readTree } from '../tidy.ts';

const file = (text: string) => ({ path: 'apps/server/src/db/x.test.ts', text });

it("a tag creates a row for the test below it, with the tag's continuation lines and number", () => {
  const source = file(`
// Says nothing.
// Promise (books): Both views agree
// line by line. [every account]
it.each([[1], [2]])(\`when \${'all'} is paid\`, () => undefined);
// Promise (start): It starts.
describe('a first start', () => {});
`);
  expect(guaranteesOf(source)).toEqual([
    {
      chapter: 'books',
      promise: 'Both views agree line by line.',
      figure: 'every account',
      path: source.path,
      title: 'when … is paid',
    },
    { chapter: 'start', promise: 'It starts.', figure: '', path: source.path, title: 'a first start' },
  ]);
});

it('rejects a tag with an unknown chapter or without a test', () => {
  expect(() => guaranteesOf(file('// Promise (luck): It works.\nit("works", () => {});'))).toThrow('a promise without');
  expect(() => guaranteesOf(file('it("works", () => {});\n// Promise (books): It works.'))).toThrow(
    'a promise without',
  );
});

it('the page has at most 90 unique promises, each of which fits on a line', () => {
  const all = readTree(root).flatMap(guaranteesOf);
  const promises = all.map(({ promise }) => promise);
  expect(new Set(promises).size).toBe(promises.length);
  expect(promises.filter((promise) => promise.length > 200)).toEqual([]);
  expect(all.length).toBeGreaterThan(60);
  expect(all.length).toBeLessThanOrEqual(90);
  expect(guaranteesPage([])).toContain('## Correct books');
});
