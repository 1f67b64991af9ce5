import { expect, test } from 'vitest';
import { root } from '../checkout.mjs';
import { type Instant, instants, testAt } from './instants.ts';
import { readTree } from '../tidy.ts';
import { findTool } from './tools.ts';

const knowsDate = /\btoday|clock\.ts|new Date\(\)|Date\.now\(|current_date|\bnow\(\)|setSystemTime/;

/** With libfaketime, PostgreSQL's own timers don't fire, so a lock never times out under a set clock. */
const awaitsLockTimeout = /\block(Ms|_timeout)\b|waits too long/;

/**
 * Every test that depends on dates, except tests of whole programs, which wait for real time, and tests that wait for a
 * lock to time out.
 */
const files = readTree(root)
  .filter(({ path, text }) => /^(apps|packages)\/.*\.test\.tsx?$/.test(path) && knowsDate.test(text))
  .filter(({ text }) => !awaitsLockTimeout.test(text))
  .map(({ path }) => path)
  .filter((path) => !path.startsWith('apps/server/src/process/') && !path.startsWith('packages/postgres/'));

for (const instant of Object.keys(instants) as Instant[]) {
  test(`at ${instant}, each test file that depends on dates passes`, async ({ skip }) => {
    const { missing } = findTool('faketime');
    if (missing !== undefined) return skip(missing);
    expect(files.length).toBeGreaterThan(60);
    const { status, said } = await testAt(Object.fromEntries(files.map((path) => [path, instant])));
    // Only these lines are compared, because the complete output would be truncated.
    const failed = said.split('\n').filter((line) => / FAIL |Error: /.test(line));
    expect({ status, failed }).toEqual({ status: 0, failed: [] });
  });
}
