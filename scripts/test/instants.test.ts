import { expect, test } from 'vitest';
import { type Instant, testAt } from './instants.ts';
import { findTool } from './tools.ts';

/**
 * A few files in which this check has found bugs. The files in a run share companies, so they also share the instant.
 */
const plans: [instant: Instant, paths: string[]][] = [
  [
    'the last minute of a year in New York',
    [
      'apps/server/src/across/sending/reminders.test.ts',
      'apps/server/src/features/accounting/account-setup.test.ts',
      'apps/server/src/features/billing/charges.test.ts',
    ],
  ],
  ['the last minute of February 29 in New York', ['apps/server/src/across/taxes/returns.test.ts']],
  ['the minute before clocks fall back in New York', ['apps/server/src/across/sending/later.test.ts']],
];

// `npm run torture` runs every test that depends on dates at all instants (instants.torture.ts).
for (const [instant, paths] of plans) {
  test(`at ${instant}, a few tests that depend on dates pass`, async ({ skip }) => {
    const { missing } = findTool('faketime');
    if (missing !== undefined) return skip(missing);
    const { status, said } = await testAt(Object.fromEntries(paths.map((path) => [path, instant])));
    expect({ status, said }).toEqual({ status: 0, said });
  }, 600_000);
}
