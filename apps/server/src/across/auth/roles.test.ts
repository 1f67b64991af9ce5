import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { PERMISSIONS_HEADER, permissionsVersion } from '@evenkeel/contract/wire';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  ({ token } = t.world.company.administrator);
});
afterAll(() => t.close());

const create = (roleName: string, roleProperties: string[]) =>
  t.call(authCalls.createRole, { token, body: { id: 0, roleName, roleProperties } });

test.each([
  ['no name', { roleName: '' }, 422, 'Please enter a role name'],
  ['a blank name', { roleName: '   ' }, 422, 'Please enter a role name'],
  ['the name of a system role', { roleName: 'administrator' }, 409, 'A role with this name already exists'],
  [
    'a permission that does not exist',
    { roleProperties: ['Manage Users'] },
    422,
    'The permission "Manage Users" does not exist',
  ],
])('a role with %s is rejected, and nothing is saved', async (_, change, status, message) => {
  const before = await countRows(t, t.world.company.companyId, 'role');
  const body = { id: 0, roleName: 'Fresh', roleProperties: [], ...change };
  const refusal = await t.refused(authCalls.createRole, { token, body });
  expect([refusal.status, refusal.message]).toEqual([status, expect.stringContaining(message)]);
  expect(await countRows(t, t.world.company.companyId, 'role')).toBe(before);
});

test('Manage includes View, and each permission appears once, in the order of the areas', async () => {
  const role = await create('Cashier', ['Manage Banking', 'View Billing', 'View Billing']);
  expect(role.roleProperties).toEqual(['View Billing', 'View Banking', 'Manage Banking']);
  expect([role.systemRole, role.rowVersion]).toEqual([false, 1]);
  expect(await t.call(authCalls.getRole, { token, params: { id: String(role.id) } })).toEqual(role);
});

test("system roles come first and can't be changed or deleted", async () => {
  const roles = await t.call(authCalls.listRoles, { token });
  const list = Array.isArray(roles) ? roles : [];
  expect(list.slice(0, 4).map(({ roleName }) => roleName)).toEqual([
    'Administrator',
    'Superuser',
    'Bookkeeper',
    'Read Only',
  ]);
  const body = { id: list[3]?.id ?? 0, roleName: 'Read Only', roleProperties: ['Manage Billing'] };
  expect((await t.refused(authCalls.updateRole, { token, body })).status).toBe(409);
  expect((await t.refused(authCalls.deleteRole, { token, params: { id: String(body.id) } })).status).toBe(409);
});

/** Returns the version of the permissions from a response, and the account's role and permissions. */
async function permissionsNow({ token }: { token: string }) {
  const answer = await t.request({ method: 'GET', url: '/api/customersettings', token });
  const { roleId, userRole, permissions } = await t.call(accountCalls.getAccount, { token });
  return { version: String(answer.headers[PERMISSIONS_HEADER]), roleId, userRole, permissions };
}

test('each response contains the version of the permissions, which changes when the role does', async () => {
  const [role, other] = [await create('Clerk', ['View Billing']), await create('Buyer', ['View Expenses'])];
  const person = await t.signIn(t.world.company, 'Clerk');
  const atFirst = await permissionsNow(person);
  expect(atFirst).toMatchObject({ roleId: role.id, userRole: 'Clerk', permissions: ['View Billing'] });
  await t.call(authCalls.updateRole, { token, body: { ...role, roleProperties: ['View Billing', 'View Reports'] } });
  const withReports = await permissionsNow(person);
  expect(withReports.permissions).toEqual(['View Billing', 'View Reports']);
  const params = { id: String(person.userId) };
  const user = await t.call(authCalls.getUser, { token, params });
  await t.call(authCalls.updateUser, { token, params, body: { ...user, roleId: other.id } });
  const asBuyer = await permissionsNow(person);
  expect(asBuyer).toMatchObject({ roleId: other.id, userRole: 'Buyer', permissions: ['View Expenses'] });
  const all = [atFirst, withReports, asBuyer];
  expect(new Set(all.map(({ version }) => version)).size).toBe(3);
  expect(all.map(({ version }) => version)).toEqual(all.map(permissionsVersion));
});

test("a changed role takes effect with its users' next request", async () => {
  const role = await create('Runner', ['View Billing']);
  const person = await t.signIn(t.world.company, 'Runner');
  const namesOf = async () =>
    (await t.call(authCalls.loginRoles, { token: person.token })).map((each) => each.roleName);
  expect(await namesOf()).toEqual(['View Billing']);
  const body = { id: role.id, roleName: 'Walker', roleProperties: ['View Reports'], rowVersion: 1 };
  expect(await t.call(authCalls.updateRole, { token, body })).toMatchObject({ roleName: 'Walker', rowVersion: 2 });
  expect(await namesOf()).toEqual(['View Reports']);
  const stale = await t.refused(authCalls.updateRole, { token, body });
  expect(stale).toMatchObject({ status: 409, code: 'stale', current: { rowVersion: 2 } });
});

test("a role with users can't be deleted, but an unused role can", async () => {
  const role = await create('Temp', []);
  const person = await t.signIn(t.world.company, 'Temp');
  const params = { id: String(role.id) };
  expect((await t.refused(authCalls.deleteRole, { token, params })).message).toContain('users have it');
  await t.call(authCalls.deleteUser, { token, params: { id: String(person.userId) } });
  await t.call(authCalls.deleteRole, { token, params });
  expect((await t.refused(authCalls.getRole, { token, params })).status).toBe(404);
});

test("another company's roles return 404", async () => {
  const role = await create('Mine alone', []);
  const params = { id: String(role.id) };
  const stranger = t.world.other.administrator.token;
  expect((await t.refused(authCalls.getRole, { token: stranger, params })).status).toBe(404);
  expect((await t.refused(authCalls.deleteRole, { token: stranger, params })).status).toBe(404);
  const body = { id: role.id, roleName: 'Taken', roleProperties: [] };
  expect((await t.refused(authCalls.updateRole, { token: stranger, body })).status).toBe(404);
});
