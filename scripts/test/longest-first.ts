import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../checkout.mjs';
import { knownDurations } from './durations.ts';

/** Projects in their order, and the slowest files of each first. */
export function slowestFirst<T>(
  files: readonly T[],
  projectOf: (file: T) => string,
  secondsOf: (file: T) => number,
): T[] {
  const projects = [...new Set(files.map(projectOf))];
  return projects.flatMap((project) =>
    files.filter((file) => projectOf(file) === project).toSorted((a, b) => secondsOf(b) - secondsOf(a)),
  );
}

/**
 * Starts the slowest files of each project first. A slow file that starts last leaves the other workers without work,
 * and a file's size says little about its duration. A project's files stay together: vitest ends a worker whose next
 * file is another project's, and a new worker loads all modules again.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = knownDurations();
    return slowestFirst(
      await super.sort(files),
      ({ project }) => project.name,
      ({ moduleId }) => durations[relative(root, moduleId).replaceAll('\\', '/')] ?? 0,
    );
  }
}
