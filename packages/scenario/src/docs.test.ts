import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseScenario } from './parse.ts';
import { runScenario } from './run.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/accounting.md'), 'utf8');
const executed = page.split(/^(?=###? )/m).flatMap((part) => {
  const title = /^###? (.+)$/m.exec(part)?.[1] ?? 'the beginning';
  return [...part.matchAll(/```books\n([\s\S]*?)```/g)].map(([, text = '']) => ({ title, text }));
});

test('docs/accounting.md has examples', () => {
  expect(executed.length).toBeGreaterThan(8);
});

// Promise (books): The examples in docs/accounting.md are correct. [18 examples]
test.each(executed)('the example "$title" in docs/accounting.md is correct', ({ text }) => {
  const scenario = parseScenario(text);
  expect(scenario.steps.some((step) => step.step === 'expect' || step.refused !== null)).toBe(true);
  expect(runScenario(scenario).failures).toEqual([]);
});
