import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../checkout.mjs';
import { knownDurations } from './durations.ts';

/** Returns the files by project, in the order of the projects, with each project's slowest files first. */
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
 * Starts each project's slowest files first. If a slow file started last, the other workers would be idle. The order
 * doesn't depend on file sizes, because a file's size says little about its duration. A project's files stay together,
 * because vitest ends a worker whose next file belongs to another project, and a new worker loads all modules again.
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
