// Writes the counts for a vitest run and the reasons for skipped tests to the file COUNTS_FILE. Also records how long
// each file took.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestError } from 'vitest';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { root } from '../checkout.mjs';
import { type Durations, recordDurations } from './durations.ts';

/** The counts for one run. Each failed test is listed with the start of its error. */
export type Counts = { passed: number; failed: string[]; skipped: { name: string; reason: string }[] };

/** The maximum length of an error in the list of failures. The complete text may be thousands of lines above. */
const ERROR_LENGTH = 800;

/** Returns the start of the first error on one line, with the first positions in its stack trace. */
function errorOf(errors: readonly TestError[] = []): string {
  const [error] = errors;
  if (error === undefined) return 'no error given';
  // The message abbreviates lists, and the diff shows their contents.
  const text = [error.message, stripVTControlCharacters(error.diff ?? '')]
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, ERROR_LENGTH);
  const lines = (error.stacks ?? []).map(({ file, line }) => `${relative(root, file)}:${line}`);
  return [text, ...lines.slice(0, 3)].join(' < ');
}

/** Counts the tests in modules after a run. A module or suite that breaks outside its tests counts as one failure. */
export function countTests(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Counts {
  const counts: Counts = { passed: 0, failed: [], skipped: [] };
  for (const module of modules) {
    const broken = [module, ...module.children.allSuites()].filter((each) => each.errors().length > 0);
    for (const each of broken) {
      const name = 'fullName' in each ? each.fullName : 'the file itself';
      counts.failed.push(`${module.relativeModuleId} > ${name}: ${errorOf(each.errors())}`);
    }
    for (const test of module.children.allTests()) {
      const name = `${module.relativeModuleId} > ${test.fullName}`;
      const result = test.result();
      if (result.state === 'passed') counts.passed += 1;
      else if (result.state === 'failed') counts.failed.push(`${name}: ${errorOf(result.errors)}`);
      else counts.skipped.push({ name, reason: ('note' in result && result.note) || 'no reason given' });
    }
  }
  for (const error of unhandled) counts.failed.push(`outside any test: ${error.message}`);
  return counts;
}

/** Returns the seconds that each module in this checkout took, from its first import to its last hook. */
function durationsOf(modules: readonly TestModule[]): Durations {
  const durations = modules.map((module): [string, number] => {
    const { collectDuration, setupDuration, duration } = module.diagnostic();
    const path = relative(root, module.moduleId).replaceAll('\\', '/');
    return [path, Math.round((collectDuration + setupDuration + duration) / 100) / 10];
  });
  return Object.fromEntries(durations.filter(([path]) => !path.startsWith('..')));
}

/** The reporter, which vitest loads by the name of this file. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    recordDurations(durationsOf(modules));
    const file = process.env['COUNTS_FILE'];
    if (file) writeFileSync(file, JSON.stringify(countTests(modules, unhandled)));
  }
}
