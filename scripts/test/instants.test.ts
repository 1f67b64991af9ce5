import { expect, test } from 'vitest';
import { testAt } from './instants.ts';
import { findTool } from './tools.ts';

/** `npm run torture` runs every test that depends on dates at all instants (instants.torture.ts). */
test('due documents in two time zones are correct in the last minute of a year', async ({ skip }) => {
  const { missing } = findTool('faketime');
  if (missing !== undefined) return skip(missing);
  const { status, said } = await testAt({
    'apps/server/src/across/sending/reminders.test.ts': 'the last minute of a year in New York',
  });
  expect({ status, said }).toEqual({ status: 0, said });
}, 600_000);
