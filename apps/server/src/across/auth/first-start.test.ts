import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { authCalls } from '@evenkeel/contract/auth';
import { installation } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { firstStartLink } from './first-start.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  await installation(t.pool, sql`delete from app_user`);
});
afterAll(() => t.close());

const registration = {
  firstname: 'Fay',
  lastname: 'Founder',
  email: 'fay@founder.example',
  companyName: 'First Books',
  password: 'a first password',
  confirmPassword: 'a first password',
  acceptedterms: true,
};

async function printedToken(): Promise<string | undefined> {
  const link = await firstStartLink(t.services);
  return link === undefined ? undefined : (new URL(link).searchParams.get('token') ?? undefined);
}

const register = (body: unknown) => t.request({ method: 'POST', url: '/api/register', body });

test('the first-start link can be used only once to register a company and its administrator', async () => {
  expect(await t.call(authCalls.installation)).toMatchObject({ empty: true, signUp: 'invite', passwordMin: 6 });
  const older = await printedToken();
  const token = await printedToken();
  expect((await register({ ...registration, token: older })).status).toBe(422);
  expect((await register({ ...registration, token, companyName: '' })).status).toBe(422);
  expect((await register({ ...registration, token, timeZone: 'Mars/Olympus' })).status).toBe(422);
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((each) => register({ ...registration, token, email: `fay${each}@founder.example` })),
  );
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422]);
  expect((await register({ ...registration, token, email: 'late@founder.example' })).status).toBe(422);
  const [user] = await installation(t.pool, sql<{ email: string }>`select email from app_user`);
  const login = await t.login(user?.email ?? '', registration.password);
  expect(login).toMatchObject({ userRole: 'Administrator', termsAccepted: true, setupCompleted: false });
  expect(await printedToken()).toBeUndefined();
  expect(await t.call(authCalls.installation)).toMatchObject({ empty: false });
});
