import { expect, test } from 'vitest';
import { testAt } from './instants.ts';
import { findTool } from './tools.ts';

/** `npm run torture` has twelve instants, and every test that knows a date (instants.torture.ts). */
test('what is due is right when a year or a month ends, and on 29 February', async ({ skip }) => {
  const { missing } = findTool('faketime');
  if (missing !== undefined) return skip(missing);
  const chosen = [
    'the last minute of a year in New York',
    'the last minute of a month in UTC',
    'the last minute of 29 February in New York',
  ] as const;
  const { status, said } = await testAt(chosen, ['--project', 'server', 'apps/server/src/sending/reminders.test.ts']);
  expect(status, said).toBe(0);
});
