import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { authCalls } from '@evenkeel/contract/auth';
import { addDays } from '@evenkeel/core/dates';
import { todayIn } from '../../platform/clock.ts';
import { installation } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PASSWORD, type Person, type WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany('Guest House');
  ({ token } = company.administrator);
});
afterAll(() => t.close());

const today = () => todayIn('America/New_York');
const isAlive = async (person: Person): Promise<boolean> =>
  (await t.request({ method: 'GET', url: '/api/loginroles', token: person.token })).status === 200;

async function roleId(name: string): Promise<number> {
  const roles = await t.call(authCalls.listRoles, { token, query: {} });
  return (Array.isArray(roles) ? roles : roles.items).find(({ roleName }) => roleName === name)?.id ?? 0;
}

const save = (person: { userId: number }, body: Record<string, unknown>) =>
  t.request({
    method: 'PUT',
    url: `/api/user/${person.userId}`,
    token,
    body: { firstName: 'Theo', lastName: 'Guest', ...body },
  });

/** Simulates a day passing by moving the guest's last day back. */
const dayPasses = ({ userId }: { userId: number }) =>
  installation(t.pool, sql`update membership set ends_on = ends_on - 1 where user_id = ${userId}`);

test('a guest can sign in, reset the password, and get email only through the expiration date', async () => {
  const guest = await t.signIn(company, 'Read Only');
  const { email } = guest;
  expect((await save(guest, { endsOn: today() })).body).toMatchObject({ endsOn: today(), status: 'active' });
  expect(await isAlive(guest)).toBe(true);
  expect((await t.login(email)).id).toBe(guest.userId);
  await t.call(authCalls.forgotPassword, { body: { Email: email } });
  const letter = (await t.runJobs()).find(({ to, link }) => to === email && link !== undefined);
  await dayPasses(guest);
  expect(await isAlive(guest)).toBe(false);
  const entered = await t.refused(authCalls.login, { body: { email, password: PASSWORD } });
  expect([entered.status, entered.message]).toEqual([401, expect.stringMatching(/^Your access ended on \d/)]);
  const wrong = await t.refused(authCalls.login, { body: { email, password: 'a guess' } });
  expect(wrong.message).toBe('The email address or password is incorrect');
  const reset = { token: new URL(letter?.link ?? '').searchParams.get('token'), email };
  const password = { password: 'another plain phrase', confirmPassword: 'another plain phrase' };
  expect((await t.refused(authCalls.resetPassword, { body: { ...reset, ...password } })).status).toBe(422);
  await t.call(authCalls.forgotPassword, { body: { Email: email } });
  expect(await t.runJobs()).toEqual([]);
  const listed = await t.call(authCalls.getUser, { token, params: { id: guest.userId } });
  expect(listed.status).toBe('ended');
  // After a guest gets a new last day, the earlier session works again.
  expect((await save(guest, { endsOn: addDays(today(), 30) })).status).toBe(200);
  expect(await isAlive(guest)).toBe(true);
});

test('an invitation with an expiration date works through that date and expires on the next day', async () => {
  const invite = async (email: string) => {
    const body = { firstName: 'Theo', lastName: 'Guest', email, roleId: await roleId('Read Only'), endsOn: today() };
    const user = await t.call(authCalls.createUser, { token, body });
    const letter = (await t.runJobs()).find(({ to }) => to === email);
    return { userId: user.id, secret: new URL(letter?.link ?? '').searchParams.get('token') };
  };
  const register = (secret: string | null) => {
    const names = { firstname: 'Theo', lastname: 'Guest', acceptedterms: true, token: secret };
    const password = { password: 'another plain phrase', confirmPassword: 'another plain phrase' };
    return t.request({ method: 'POST', url: '/api/register', body: { ...names, ...password } });
  };
  const [late, early] = [await invite('late@guest.example'), await invite('early@guest.example')];
  await dayPasses(late);
  expect([(await register(late.secret)).status, (await register(early.secret)).status]).toEqual([422, 200]);
  expect((await t.login('early@guest.example', 'another plain phrase')).permissions).toContain('View Reports');
});

test("expiration dates can't be in the past or set for administrators, but a stored past date is kept", async () => {
  const guest = await t.signIn(company, 'Read Only');
  expect(await save(guest, { endsOn: addDays(today(), -1) })).toMatchObject({
    status: 422,
    body: { fields: { endsOn: 'The date must be today or later' } },
  });
  await save(guest, { endsOn: today() });
  const administrator = await roleId('Administrator');
  const promoted = await save(guest, { roleId: administrator });
  expect(promoted).toMatchObject({
    status: 422,
    body: { fields: { endsOn: "An administrator's access can't have an end date" } },
  });
  await dayPasses(guest);
  expect((await save(guest, { firstName: 'Theodor' })).body).toMatchObject({ status: 'ended', firstName: 'Theodor' });
  expect((await save(guest, { endsOn: null })).body).toMatchObject({ status: 'active', endsOn: null });
  expect(await isAlive(guest)).toBe(true);
});

test("a guest can't change their own expiration date", async () => {
  const guest = await t.signIn(company, 'Read Only');
  await save(guest, { endsOn: today() });
  const body = { firstName: 'Theo', lastName: 'Guest', endsOn: addDays(today(), 365) };
  const sent = { method: 'PUT', url: `/api/user/${guest.userId}`, token: guest.token } as const;
  expect((await t.request({ ...sent, body })).status).toBe(403);
  expect((await t.request({ ...sent, body: { ...body, endsOn: null } })).status).toBe(403);
  expect((await t.request({ ...sent, body: { firstName: 'Theo', lastName: 'Guest' } })).body).toMatchObject({
    endsOn: today(),
  });
});
