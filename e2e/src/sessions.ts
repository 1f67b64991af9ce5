import type { Page } from 'playwright-core';
import type { Place } from './company.ts';
import { onDatabase } from './database.ts';

interface Kept {
  id: number;
  token: string;
}

/** Returns the session that a browser stores: the user's ID and the token. */
export async function sessionOf(page: Page): Promise<Kept> {
  const kept: unknown = JSON.parse(await page.evaluate(() => localStorage.getItem('user') ?? 'null'));
  if (!isKept(kept)) throw new Error('no user is signed in');
  return { id: kept.id, token: kept.token };
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'number' &&
  'token' in value &&
  typeof value.token === 'string';

/** Moves the last activity in a user's sessions back by a day, which is longer than a session may be idle. */
export function expireSessions({ dataDir }: Place, userId: number): Promise<void> {
  return onDatabase(
    dataDir,
    `update session set last_seen_at = now() - interval '1 day', expires_at = now() - interval '1 minute'
     where user_id = $1`,
    { values: [userId] },
  );
}
