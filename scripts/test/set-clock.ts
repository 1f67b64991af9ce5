// For `testAt` (instants.ts): starts each test within the first seconds of an instant, so that the day does not end
// during the test.
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect } from 'vitest';
import { root } from '../checkout.mjs';
import { clockOf, setClock } from './instants.ts';

const { CLOCK_FILE: file, CLOCK_PLAN: plan } = process.env;

/** The maximum number of seconds between an instant and the start of a test. */
const SECONDS = 20;

/** Sets the clock for all processes, which read the file once per second. */
async function begin(path: string, at: number): Promise<void> {
  for (;;) {
    const late = (Date.now() - at) / 1000;
    if (late >= 0 && late < SECONDS) return;
    setClock(path, Math.round(clockOf(path) - late));
    await sleep(2100);
  }
}

if (file !== undefined && plan !== undefined) {
  const moments: Record<string, number> = JSON.parse(plan);
  const path = relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/');
  const at = moments[path];
  if (at === undefined) throw new Error(`${path} has no instant`);
  beforeAll(() => begin(file, at));
  beforeEach(() => begin(file, at));
}
