import { expect, test } from 'vitest';
import { testAt } from './instants.ts';
import { findTool } from './tools.ts';

/** `npm run torture` has all instants, and every test that knows a date (instants.torture.ts). */
test('what is due, late or over is right when a year or a month ends, and on 29 February', async ({ skip }) => {
  const { missing } = findTool('faketime');
  if (missing !== undefined) return skip(missing);
  const { status, said } = await testAt({
    'apps/server/src/across/sending/reminders.test.ts': 'the last minute of a year in New York',
    'apps/server/src/across/auth/guests.test.ts': 'the last minute of a month in UTC',
    'apps/server/src/across/dashboard/first-steps.test.ts': 'the last minute of 29 February in New York',
  });
  expect({ status, said }).toEqual({ status: 0, said });
}, 600_000);
