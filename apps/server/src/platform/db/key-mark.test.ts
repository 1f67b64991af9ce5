import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { Box } from './box.ts';
import { compareKeys } from './key-mark.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** Returns the warnings that a process with this key logs. */
async function told(key: Buffer | undefined): Promise<string[]> {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await compareKeys({ pool: t.pool, box: new Box('/nowhere/secret.key', key), log });
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

test('a process with no key, or with a different key than earlier processes, logs a warning', async () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  // The database has no encrypted values yet, so no key is needed.
  expect(await told(undefined)).toEqual([]);
  expect(await told(one)).toEqual([]);
  expect(await told(one)).toEqual([]);
  expect(await told(other)).toEqual([expect.stringContaining('a different key')]);
  expect(await told(undefined)).toEqual([expect.stringContaining('has no key')]);
  // The first fingerprint stays in the database.
  expect(await told(one)).toEqual([]);
});
