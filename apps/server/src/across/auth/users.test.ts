import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { authCalls } from '@evenkeel/contract/auth';
import { installation } from '../../platform/db/tx.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';
import { findLiveToken } from './tokens.sql.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

async function roleId(company: WorldCompany, roleName: string): Promise<number> {
  const roles = await t.call(authCalls.listRoles, { token: company.administrator.token });
  const role = Array.isArray(roles) ? roles.find((each) => each.roleName === roleName) : undefined;
  if (role === undefined) throw new Error(`no role ${roleName}`);
  return role.id;
}

const isDead = async ({ token }: Person): Promise<boolean> =>
  (await t.request({ method: 'GET', url: '/api/loginroles', token })).status === 401;

test.each([
  ['no first name', { firstName: '' }, 422, 'Please enter a first name'],
  ['no last name', { lastName: null }, 422, 'Please enter a last name'],
  ['no email', { email: undefined }, 422, 'Please enter a valid email address'],
  ['an invalid address', { email: 'nobody' }, 422, 'Please enter a valid email address'],
  ['a second header in the address', { email: 'a@b.example\r\nBcc: c@d.example' }, 422, 'valid email address'],
  ['two addresses', { email: 'a@b.example,c@d.example' }, 422, 'Please enter a valid email address'],
  ['no role', { roleId: 0 }, 422, 'Please Select a User Role'],
  ['a role that does not exist', { roleId: 999_999 }, 422, 'Please Select a User Role'],
  ['an address that already has an account', { email: 'RITA@harbor-supply.example' }, 409, 'already exists'],
  ["the demo company's address", { email: 'demo@fernhollow.example' }, 409, 'already exists'],
])('a new user with %s is rejected, and nothing is saved', async (_, change, status, message) => {
  const { company } = t.world;
  const body = { firstName: 'Nick', lastName: 'New', email: 'nick@new.example', ...change };
  const role = await roleId(company, 'Read Only');
  const refusal = await t.refused(authCalls.createUser, {
    token: company.administrator.token,
    body: { roleId: role, ...body },
  });
  expect([refusal.status, refusal.message]).toEqual([status, expect.stringContaining(message)]);
  expect(await countRows(t, company.companyId, 'job')).toBe(0);
});

test("a new user with another company's role is rejected", async () => {
  const { company, other } = t.world;
  const body = { firstName: 'F', lastName: 'O', email: 'fo@new.example', roleId: await roleId(other, 'Read Only') };
  const refusal = await t.refused(authCalls.createUser, { token: company.administrator.token, body });
  expect(refusal.status).toBe(422);
});

test("a new user is invited by email, is returned as entered, and can't change the invited address", async () => {
  const { company } = t.world;
  const { token } = company.administrator;
  const user = await t.call(authCalls.createUser, {
    token,
    body: {
      id: -77,
      firstName: 'Nina',
      lastName: 'New',
      email: 'Nina@New.example',
      roleId: await roleId(company, 'Bookkeeper'),
      baseURL: 'https://evil.example',
      colonyBooksTermsAccepted: true,
    },
  });
  expect(user).toEqual({
    id: expect.any(Number),
    firstName: 'Nina',
    lastName: 'New',
    email: 'nina@new.example',
    roleId: await roleId(company, 'Bookkeeper'),
    displayName: 'Nina New',
    userRole: 'Bookkeeper',
    baseURL: 'https://books.example',
    colonyBooksTermsAccepted: true,
    status: 'invited',
    invitedAt: expect.stringMatching(/Z$/),
    lastSignInAt: null,
    secondFactor: false,
    endsOn: null,
    rowVersion: 1,
  });
  expect(user.id).not.toBe(77);
  expect(await t.call(authCalls.getUser, { token, params: { id: String(user.id) } })).toEqual(user);
  const letters = await t.runJobs();
  expect(letters.map(({ to }) => to)).toEqual(['nina@new.example']);
  expect(letters[0]?.link).toContain('https://books.example/register?token=');
});

test("another company's users can't be listed, found, changed, or removed", async () => {
  const { company, other } = t.world;
  const { token } = company.administrator;
  const users = await t.call(authCalls.listUsers, { token });
  const ids = Array.isArray(users) ? users.map(({ id }) => id) : [];
  expect(ids).toContain(company.reader.userId);
  expect(ids).not.toContain(other.reader.userId);
  const id = other.reader.userId;
  const body = { id, firstName: 'Taken', lastName: 'Over', roleId: await roleId(company, 'Read Only') };
  expect((await t.refused(authCalls.updateUser, { token, body })).status).toBe(404);
  expect((await t.refused(authCalls.deleteUser, { token, params: { id: String(id) } })).status).toBe(404);
  expect(await isDead(other.reader)).toBe(false);
});

test('a changed role applies starting with the next request, and the email address does not change', async () => {
  const { company } = t.world;
  const person = await t.signIn(company, 'Read Only');
  const users = { method: 'GET', url: '/api/useradmin', token: person.token } as const;
  expect((await t.request(users)).status).toBe(403);
  const body = { id: person.userId, firstName: 'Pat', lastName: 'Person', email: 'other@x.example' };
  const { token } = company.administrator;
  const administrator = await roleId(company, 'Administrator');
  const saved = await t.call(authCalls.updateUser, { token, body: { ...body, roleId: administrator } });
  expect([saved.email, saved.userRole, saved.rowVersion]).toEqual([person.email, 'Administrator', 2]);
  expect((await t.request(users)).status).toBe(200);
  await t.call(authCalls.updateUser, { token, body: { ...body, roleId: await roleId(company, 'Superuser') } });
  expect((await t.request(users)).status).toBe(403);
});

test('an outdated rowVersion returns 409 with the current user, and a missing rowVersion is accepted', async () => {
  const { company } = t.world;
  const person = await t.signIn(company, 'Read Only');
  const { token } = company.administrator;
  const body = { id: person.userId, firstName: 'One', lastName: 'Person' };
  await t.call(authCalls.updateUser, { token, body: { ...body, rowVersion: 1 } });
  const refusal = await t.refused(authCalls.updateUser, { token, body: { ...body, firstName: 'Two', rowVersion: 1 } });
  expect(refusal).toMatchObject({ status: 409, code: 'stale', current: { firstName: 'One', rowVersion: 2 } });
  expect((await t.call(authCalls.updateUser, { token, body: { ...body, firstName: 'Three' } })).rowVersion).toBe(3);
});

test("a user can read and rename only their own record and can't give themselves a higher role", async () => {
  const { company } = t.world;
  const person = await t.signIn(company, 'Read Only');
  const { token } = person;
  const id = String(person.userId);
  expect((await t.call(authCalls.getOwnUser, { token, params: { id } })).email).toBe(person.email);
  const others = { id: String(company.administrator.userId) };
  expect((await t.refused(authCalls.getOwnUser, { token, params: others })).status).toBe(404);
  const body = { firstName: 'New', lastName: 'Name' };
  expect((await t.refused(authCalls.updateOwnUser, { token, params: others, body })).status).toBe(404);
  const administrator = await roleId(company, 'Administrator');
  const rise = { ...body, roleId: administrator };
  expect((await t.refused(authCalls.updateOwnUser, { token, params: { id }, body: rise })).status).toBe(403);
  const saved = await t.call(authCalls.updateOwnUser, { token, params: { id }, body });
  expect([saved.displayName, saved.userRole]).toEqual(['New Name', 'Read Only']);
});

test("a change to the user's own role and the removal of the last administrator are rejected", async () => {
  const company = await t.createCompany('Lonely Hill');
  const { token, userId } = company.administrator;
  const body = { id: userId, firstName: 'Ada', lastName: 'Admin', roleId: await roleId(company, 'Read Only') };
  expect(await t.refused(authCalls.updateUser, { token, body })).toMatchObject({
    status: 409,
    message: "You can't change your own role",
  });
  const params = { id: String(userId) };
  expect(await t.refused(authCalls.deleteUser, { token, params })).toMatchObject({
    status: 409,
    message: "You can't remove or demote the last administrator",
  });
  expect(await isDead(company.administrator)).toBe(false);
});

test('a user can delete their own account, and only an administrator can delete others', async () => {
  const { company } = t.world;
  const [person, other] = [await t.signIn(company, 'Bookkeeper'), await t.signIn(company, 'Bookkeeper')];
  const remove = (id: number) => ({ token: person.token, params: { id: String(id) } });
  expect((await t.refused(authCalls.deleteOwnUser, remove(other.userId))).status).toBe(404);
  expect(await isDead(other)).toBe(false);
  await t.call(authCalls.deleteOwnUser, remove(person.userId));
  expect(await isDead(person)).toBe(true);
  const { token, userId } = company.administrator;
  expect(await t.refused(authCalls.deleteOwnUser, { token, params: { id: String(userId) } })).toMatchObject({
    status: 409,
  });
});

test("a removed user is signed out immediately, can't sign in again, and stays in the audit log", async () => {
  const { company } = t.world;
  const person = await t.signIn(company, 'Bookkeeper');
  const params = { id: String(person.userId) };
  await t.call(authCalls.deleteUser, { token: company.administrator.token, params });
  expect(await isDead(person)).toBe(true);
  const login = await t.request({
    method: 'POST',
    url: '/api/login',
    body: { email: person.email, password: 'correct horse battery' },
    address: '10.2.0.1',
  });
  expect(login.status).toBe(401);
  const entry = await t.inCompany(company.companyId, (tx) =>
    tx.row(sql<{ userId: number; before: { email: string } }>`
      select user_id as "userId", before from audit_log
      where company_id = ${company.companyId} and action = 'delete' and subject_id = ${person.userId}`),
  );
  expect(entry).toMatchObject({ userId: company.administrator.userId, before: { email: person.email } });
});

test("an invited user can be invited again by email, but a registered user can't", async () => {
  const { company, other } = t.world;
  const { token } = company.administrator;
  const body = {
    firstName: 'Ivo',
    lastName: 'Later',
    email: 'ivo@new.example',
    roleId: await roleId(company, 'Read Only'),
  };
  const { id } = await t.call(authCalls.createUser, { token, body });
  const linkOf = async (): Promise<string> =>
    new URL((await t.runJobs()).find(({ to }) => to === body.email)?.link ?? 'none:').searchParams.get('token') ?? '';
  const before = await linkOf();
  await t.call(authCalls.inviteAgain, { token, params: { id } });
  const after = await linkOf();
  const alive = async (secret: string) => installation(t.pool, findLiveToken(secret, ['invite']));
  expect([(await alive(before)).length, (await alive(after)).length]).toEqual([0, 1]);
  expect(await t.refused(authCalls.inviteAgain, { token, params: { id: company.bookkeeper.userId } })).toMatchObject({
    status: 409,
    message: 'This user has already registered',
  });
  const theirs = { token: other.administrator.token, params: { id } };
  expect((await t.refused(authCalls.inviteAgain, theirs)).status).toBe(404);
  await t.call(authCalls.deleteUser, { token, params: { id } });
});

test('"sign out everywhere" ends all of the user\'s sessions and no other user\'s sessions', async () => {
  const { company, other } = t.world;
  const theirs = { token: other.administrator.token, params: { id: company.bookkeeper.userId } };
  expect((await t.refused(authCalls.signOutEverywhere, theirs)).status).toBe(404);
  expect(await isDead(company.bookkeeper)).toBe(false);
  await t.call(authCalls.signOutEverywhere, {
    token: company.administrator.token,
    params: { id: company.bookkeeper.userId },
  });
  expect(await isDead(company.bookkeeper)).toBe(true);
  expect([await isDead(company.administrator), await isDead(company.stranger)]).toEqual([false, false]);
});
