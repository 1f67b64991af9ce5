// Under `testAt` (instants.ts): each test begins within the first seconds of an instant, so that its day does not end
// while it runs.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect } from 'vitest';
import { clockOf, setClock } from './instants.ts';

const { CLOCK_FILE: file, CLOCK_INSTANTS: moments } = process.env;

/** How long after its instant a test may begin. */
const SECONDS = 20;

/** Sets the clock of all processes; each looks at the file once a second. */
async function begin(path: string, at: number): Promise<void> {
  const late = (Date.now() - at) / 1000;
  if (late >= 0 && late < SECONDS) return;
  setClock(path, Math.round(clockOf(path) - late));
  while (Math.abs(Date.now() - at) > 5000) await sleep(50);
  await sleep(1100);
}

if (file !== undefined && moments !== undefined) {
  const all = moments.split(',').map((text) => Date.parse(text));
  const { testPath = '' } = expect.getState();
  const digest = createHash('sha256')
    .update(testPath.split('/').at(-1) ?? '')
    .digest();
  const at = all[digest.readUInt32BE() % all.length] ?? Number.NaN;
  beforeAll(() => begin(file, at));
  beforeEach(() => begin(file, at));
}
