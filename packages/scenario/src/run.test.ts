import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatScenario } from './format.ts';
import { parseScenario } from './parse.ts';
import { runScenario } from './run.ts';
import type { Scenario } from './scenario.ts';

const folder = join(import.meta.dirname, '../stories');
const files = readdirSync(folder).filter((name) => name.endsWith('.books'));

describe('the scenario files, run in memory', () => {
  test.each(files)('the scenario %s meets all of its expectations', (name) => {
    const scenario = parseScenario(readFileSync(join(folder, name), 'utf8'));
    expect(scenario.steps.some((step) => step.step === 'expect')).toBe(true);
    expect(runScenario(scenario).failures).toEqual([]);
  });

  test.each(files)('the scenario %s stays the same when it is written and read again', (name) => {
    const scenario = parseScenario(readFileSync(join(folder, name), 'utf8'));
    const told = (each: Scenario) => ({ ...each, steps: each.steps.map((step) => ({ ...step, at: 0 })) });
    expect(told(parseScenario(formatScenario(scenario)))).toEqual(told(scenario));
  });
});
