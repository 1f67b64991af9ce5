import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { longJson } from './long-json.ts';

const plain = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'large' },
    fc.constantFrom(null, true, undefined, 'a "word"\n\u2028', -0),
    fc.double({ noNaN: true }),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test('converting long data in parts produces the same text as converting it in one step', async () => {
  const isText = async (value: unknown) => (await longJson(value)).join('') === JSON.stringify(value);
  await fc.assert(fc.asyncProperty(fc.array(plain), isText), { numRuns: 500 });
});

test('other requests run between the parts of a conversion', async () => {
  // A clock that advances by 1 ms with each reading, so that the number of pauses is the same on every machine.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  onTestFinished(() => clock.mockRestore());
  const lines = Array.from({ length: 20_000 }, (_, line) => ({ cells: [{ text: `line ${line}` }, { text: '12.50' }] }));
  let turns = 0;
  let isMade = false;
  const other = (): void => {
    if (isMade) return;
    turns += 1;
    setImmediate(other);
  };
  setImmediate(other);
  const parts = await longJson({ sections: [{ blocks: [{ lines }] }] });
  isMade = true;
  expect(parts.length).toBeGreaterThan(5);
  expect(JSON.parse(parts.join(''))).toEqual({ sections: [{ blocks: [{ lines }] }] });
  expect(turns).toBeGreaterThan(100);
});
