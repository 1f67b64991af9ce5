import { setTimeout } from 'node:timers/promises';
import { now } from '../platform/clock.ts';

/**
 * Returns an ISO time after everything written so far and before everything written later. The database's times have
 * microseconds, and this one only milliseconds, so a write in the same millisecond would be on the wrong side.
 */
export async function moment(): Promise<string> {
  await setTimeout(2);
  const at = now().toISOString();
  await setTimeout(2);
  return at;
}
