// Durations of test files. `.cache/test-durations.json` contains the durations in this checkout, and `durations.json`
// contains the durations for a fresh checkout. `node_modules/.bin/tsx scripts/test/durations.ts` copies the former to
// the latter.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMain, root } from '../checkout.mjs';

/** The number of seconds that each file takes, by path. */
export type Durations = Readonly<Record<string, number>>;

const committed = join(root, 'scripts/test/durations.json');
const own = join(root, '.cache/test-durations.json');

/** For files that take less time than this, the order does not matter. */
const LEAST_SECONDS = 3;

function read(file: string): Durations {
  try {
    const found: Durations = JSON.parse(readFileSync(file, 'utf8'));
    return found;
  } catch {
    // Without durations, files start in vitest's order.
    return {};
  }
}

/** Returns the last known durations of test files. */
export const knownDurations = (): Durations => ({ ...read(committed), ...read(own) });

/** Records the durations of a run for the next run. */
export function recordDurations(durations: Durations): void {
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, JSON.stringify({ ...read(own), ...durations }));
}

/** Returns the durations for a fresh checkout: only those of existing slow files, longest first. */
export function worthKeeping(durations: Durations): Durations {
  const slow = Object.entries(durations).filter(
    ([path, seconds]) => seconds >= LEAST_SECONDS && existsSync(join(root, path)),
  );
  return Object.fromEntries(slow.toSorted(([, a], [, b]) => b - a));
}

if (isMain(import.meta.url)) {
  writeFileSync(committed, `${JSON.stringify(worthKeeping(knownDurations()), undefined, 2)}\n`);
}
