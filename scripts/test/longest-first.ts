import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../checkout.mjs';
import { knownDurations } from './durations.ts';

/**
 * Starts the files with the longest durations first, and the other files in vitest's order. A long file that starts
 * last leaves the other workers idle, and a file's size says little about how long it takes.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = knownDurations();
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      durations[relative(root, moduleId).replaceAll('\\', '/')] ?? 0;
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
