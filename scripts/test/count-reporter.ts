// Counts what a vitest run did and writes it, with the reasons of what was skipped, to the file COUNTS_FILE.
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The counts of one run. */
export type Counts = { passed: number; failed: string[]; skipped: { name: string; reason: string }[] };

/** Sums up modules after a run. A module or suite that broke outside of its tests counts as one failure. */
export function countTests(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Counts {
  const counts: Counts = { passed: 0, failed: [], skipped: [] };
  for (const module of modules) {
    const broken = [module, ...module.children.allSuites()].filter((each) => each.errors().length > 0);
    for (const each of broken) {
      counts.failed.push(`${module.relativeModuleId} > ${'fullName' in each ? each.fullName : 'the file itself'}`);
    }
    for (const test of module.children.allTests()) {
      const name = `${module.relativeModuleId} > ${test.fullName}`;
      const result = test.result();
      if (result.state === 'passed') counts.passed += 1;
      else if (result.state === 'failed') counts.failed.push(name);
      else counts.skipped.push({ name, reason: ('note' in result && result.note) || 'no reason given' });
    }
  }
  for (const error of unhandled) counts.failed.push(`outside of any test: ${error.message}`);
  return counts;
}

/** The reporter that vitest loads by this file's name. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env['COUNTS_FILE'];
    if (file) writeFileSync(file, JSON.stringify(countTests(modules, unhandled)));
  }
}
