import { setTimeout as sleep } from 'node:timers/promises';
import { accountCalls } from '@evenkeel/contract/account';
import { sql } from 'kysely';
import { installation } from '../../../platform/db/tx.ts';
import type { TestApp } from '../../../testing/app.ts';
import { PASSWORD, type Person } from '../../../testing/world.ts';
import { STEP_SECONDS, totpCode } from '../totp.ts';

/**
 * Returns the database's time in seconds when at least ten seconds are left in the time step, so that a code stays
 * valid.
 */
export async function steadySeconds({ pool }: Pick<TestApp, 'pool'>): Promise<number> {
  for (;;) {
    const [row] = await installation(
      pool,
      sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 as now`,
    );
    const left = STEP_SECONDS - ((row?.now ?? 0) % STEP_SECONDS);
    if (left >= 10) return row?.now ?? 0;
    await sleep(left * 1000 + 50);
  }
}

/** Returns the current code, or the code that is the given number of steps away. */
export async function codeOf(t: Pick<TestApp, 'pool'>, secret: string, aside = 0): Promise<string> {
  return totpCode(secret, Math.floor((await steadySeconds(t)) / STEP_SECONDS) + aside);
}

/** Forgets the last used code, as if 30 seconds had passed. */
export async function rest({ pool }: Pick<TestApp, 'pool'>, { userId }: Pick<Person, 'userId'>): Promise<void> {
  await installation(pool, sql`update second_factor set last_step = 0 where user_id = ${userId}`);
}

/** Turns on a user's authenticator without using up a code. Returns the secret and the recovery codes. */
export async function turnOn(
  t: TestApp,
  person: Person,
  password = PASSWORD,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { token } = person;
  const { secret, recoveryCodes } = await t.call(accountCalls.beginFactor, { token, body: { password } });
  await t.call(accountCalls.confirmFactor, { token, body: { code: await codeOf(t, secret) } });
  await rest(t, person);
  return { secret, recoveryCodes };
}
