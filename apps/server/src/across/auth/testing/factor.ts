import { setTimeout as sleep } from 'node:timers/promises';
import { accountCalls } from '@evenkeel/contract/account';
import { sql } from 'kysely';
import { installation } from '../../../platform/db/tx.ts';
import type { TestApp } from '../../../testing/app.ts';
import { PASSWORD, type Person } from '../../../testing/world.ts';
import { STEP_SECONDS, totpCode } from '../totp.ts';

/** The seconds of the database's clock, with at least ten left of the step: what is computed now is still so then. */
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

/** The code of now, or of so many steps aside. */
export async function codeOf(t: Pick<TestApp, 'pool'>, secret: string, aside = 0): Promise<string> {
  return totpCode(secret, Math.floor((await steadySeconds(t)) / STEP_SECONDS) + aside);
}

/** Forgets which code was the last, as half a minute would. */
export async function rest({ pool }: Pick<TestApp, 'pool'>, { userId }: Pick<Person, 'userId'>): Promise<void> {
  await installation(pool, sql`update second_factor set last_step = 0 where user_id = ${userId}`);
}

/** Turns a person's second factor on; answers the secret and the recovery codes. No code is used up. */
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
