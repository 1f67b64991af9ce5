import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { STEP_SECONDS, stepOf, totpCode } from '../across/auth/totp.ts';
import { emptyDatabase } from '../testing/empty-database.ts';
import { ask, createCompany, EMAIL, must, PASSWORD, signIn } from './testing/client.ts';
import { Installation, PATIENCE_MS, type Server } from './testing/installation.ts';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

/** Ten thousand codes are one percent of all possible codes. */
const GUESSES = process.env['TORTURE'] === undefined ? 300 : 10_000;
const AT_ONCE = 12;
const KEY = '6b'.repeat(32);

let installation: Installation;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let servers: Server[];
const environment = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  DATA_DIR: installation.dataDir(),
  SECRET_KEY: KEY,
});

beforeAll(async () => {
  [installation, database] = await Promise.all([Installation.make(), emptyDatabase()]);
  await createCompany(installation, environment());
  const [first, ...others] = [await installation.start(environment()), environment(), environment()];
  servers = [first, ...(await Promise.all(others.map((own) => installation.start(own))))];
});
afterAll(async () => {
  await installation.remove();
  await database.drop();
});

const login = (at: number, code?: string) =>
  ask(servers[at % servers.length]?.address ?? '', '/api/login', { body: { email: EMAIL, password: PASSWORD, code } });

/** Returns the current code with enough time left to send it. */
async function codeNow(secret: string): Promise<string> {
  const left = () => STEP_SECONDS - ((Date.now() / 1000) % STEP_SECONDS);
  if (left() < 10) await sleep(left() * 1000 + 50);
  return totpCode(secret, stepOf(Date.now() / 1000));
}

test(`only 10 of ${GUESSES} guesses in three processes are checked, and the operator can restore access`, async () => {
  const [first] = servers;
  const token = await signIn(first?.address ?? '');
  const begun = await must<{ secret: string }>(first?.address ?? '', '/api/account/secondfactor', {
    token,
    body: { password: PASSWORD },
  });
  // Another process decrypts the value that the first process encrypted.
  await must(servers[1]?.address ?? '', '/api/account/secondfactor', {
    method: 'PUT',
    token,
    body: { code: await codeNow(begun.secret) },
  });
  expect((await login(2)).body).toMatchObject({ code: 'code_required' });

  const counts = new Map<number, number>();
  const near = new Set([-1, 0, 1, 2, 3].map((aside) => totpCode(begun.secret, stepOf(Date.now() / 1000) + aside)));
  const guesses = Array.from({ length: GUESSES + near.size }, (_, at) => String(at).padStart(6, '0'));
  const wrong = guesses.filter((code) => !near.has(code)).slice(0, GUESSES);
  const guessing = async (): Promise<void> => {
    for (let code = wrong.pop(); code !== undefined; code = wrong.pop()) {
      const { status } = await login(wrong.length, code);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, guessing));
  expect(Object.fromEntries(counts)).toEqual({ 401: 10, 429: GUESSES - 10 });
  for (const at of [0, 1, 2]) expect((await login(at, await codeNow(begun.secret))).status).toBe(429);

  const removed = await installation.cli(environment(), 'factor', 'remove', '--email', EMAIL);
  expect(removed).toMatchObject({ code: 0, result: { email: EMAIL, removed: true } });
  expect((await login(1)).status).toBe(200);
  expect((await ask(first?.address ?? '', '/api/loginroles', { token })).status).toBe(401);
  const again = await installation.cli(environment(), 'factor', 'remove', '--email', EMAIL);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("This user doesn't have two-step verification")]);
  const nobody = await installation.cli(environment(), 'factor', 'remove', '--email', 'nobody@harbor.example');
  expect([nobody.code, nobody.err]).toEqual([
    1,
    expect.stringContaining('No user has the email address nobody@harbor.example'),
  ]);
});
