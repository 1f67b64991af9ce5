import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseScenario } from './parse.ts';
import { runScenario } from './run.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/accounting.md'), 'utf8');
const examples = [...page.matchAll(/^### (.+)$|```books\n([\s\S]*?)```/gm)].reduce<{ title: string; text: string }[]>(
  (found, [, heading, text]) => {
    if (heading !== undefined) return [...found, { title: heading, text: '' }];
    const title = found.at(-1)?.title ?? 'the beginning';
    return [...found.filter((each) => each.text !== ''), { title, text: text ?? '' }];
  },
  [],
);
const executed = examples.filter((each) => each.text !== '');

test('the page has examples', () => {
  expect(executed.length).toBeGreaterThan(8);
});

test.each(executed)('docs/accounting.md, "$title": the example is true', ({ text }) => {
  const scenario = parseScenario(text);
  expect(scenario.steps.some((step) => step.step === 'expect' || step.refused !== null)).toBe(true);
  expect(runScenario(scenario).failures).toEqual([]);
});
