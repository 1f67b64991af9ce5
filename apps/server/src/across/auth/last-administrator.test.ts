import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { settingsCalls } from '@evenkeel/contract/settings';
import { addDays } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { todayIn } from '../../platform/clock.ts';
import { installation } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PASSWORD, type Person, type WorldCompany } from '../../testing/world.ts';

/** A company can't lock itself out: at least one administrator who can sign in always remains. */

let t: TestApp;
let company: WorldCompany;
let ada: Person;
const roleIds = new Map<string, number>();
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

beforeEach(async () => {
  company = await t.createCompany();
  ada = company.administrator;
  const roles = await t.call(authCalls.listRoles, { token: ada.token });
  for (const { id, roleName } of Array.isArray(roles) ? roles : roles.items) roleIds.set(roleName, id);
});

const LAST = "You can't remove or demote the last administrator";

type Act = (by: Person, who: { userId: number }) => Promise<{ status: number; body: unknown }>;

const remove: Act = ({ token }, { userId }) => t.request({ method: 'DELETE', url: `/api/useradmin/${userId}`, token });

const change = ({ token }: Person, { userId }: { userId: number }, body: object) =>
  t.request({
    method: 'PUT',
    url: '/api/useradmin',
    token,
    body: { id: userId, firstName: 'Ada', lastName: 'Admin', ...body },
  });
const demote: Act = (by, who) => change(by, who, { roleId: roleIds.get('Bookkeeper') });

/** Returns the administrators who have access now, through their session or by signing in with their password. */
async function whoComesIn(people: readonly Person[]): Promise<Person[]> {
  const opens = async (token: string) =>
    (await t.request({ method: 'GET', url: '/api/useradmin', token })).status === 200;
  const comes = await Promise.all(
    people.map(async ({ email }) => {
      const body = { email, password: PASSWORD };
      const entered = await t.request({ method: 'POST', url: '/api/login', body });
      return entered.status === 200 && opens((entered.body as { token: string }).token);
    }),
  );
  return people.filter((_, at) => comes[at]);
}

test.each<[string, Act, Act]>([
  ['remove', remove, remove],
  ['demote', demote, demote],
  ['remove and demote', remove, demote],
])('one administrator remains if two administrators %s each other at the same time', async (_, first, second) => {
  const bea = await t.signIn(company, 'Administrator');
  const answers = await Promise.all([first(ada, bea), second(bea, ada)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await whoComesIn([ada, bea])).toHaveLength(1);
});

test('one administrator remains if three administrators remove themselves at the same time', async () => {
  const [bea, cleo] = [await t.signIn(company, 'Administrator'), await t.signIn(company, 'Administrator')];
  const answers = await Promise.all([ada, bea, cleo].map((person) => remove(person, person)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409]);
  expect(await whoComesIn([ada, bea, cleo])).toHaveLength(1);
});

test("an invited administrator does not count, so the last active administrator can't leave", async () => {
  const email = `late@${crypto.randomUUID()}.example`;
  const body = { firstName: 'Lara', lastName: 'Late', email, roleId: roleIds.get('Administrator') };
  const invited = await t.call(authCalls.createUser, { token: ada.token, body });
  expect(await remove(ada, ada)).toMatchObject({ status: 409, body: { message: LAST } });
  // The invitation itself can be revoked.
  expect((await remove(ada, { userId: invited.id })).status).toBe(200);
  expect(await whoComesIn([ada])).toEqual([ada]);
});

test('a company always keeps an administrator, even if one leaves while another accepts an invitation', async () => {
  const elsewhere = await t.createCompany();
  const bea = await t.signIn(elsewhere, 'Bookkeeper');
  const body = { firstName: 'Bea', lastName: 'B', email: bea.email, roleId: roleIds.get('Administrator') };
  await t.call(authCalls.createUser, { token: ada.token, body });
  const { companyId } = company;
  const accept = t.request({ method: 'POST', url: `/api/account/invitations/${companyId}`, token: bea.token });
  const [left, joined] = await Promise.all([remove(ada, ada), accept]);
  expect([joined.status, [200, 409]]).toEqual([200, expect.arrayContaining([left.status])]);
  const entered = await t.call(authCalls.enterCompany, { token: bea.token, body: { companyId } });
  expect((await t.request({ method: 'GET', url: '/api/useradmin', token: entered.token })).status).toBe(200);
});

test('an administrator of another company does not count as the last administrator', async () => {
  const elsewhere = await t.createCompany();
  const { email } = elsewhere.administrator;
  const body = { firstName: 'Eve', lastName: 'E', email, roleId: roleIds.get('Bookkeeper') };
  await t.call(authCalls.createUser, { token: ada.token, body });
  const { companyId } = company;
  await t.call(authCalls.acceptInvitation, { token: elsewhere.administrator.token, params: { companyId } });
  expect(await remove(ada, ada)).toMatchObject({ status: 409, body: { message: LAST } });
});

test("a member can't leave by declining an invitation that was already accepted", async () => {
  const { companyId } = company;
  const declined = await t.refused(authCalls.declineInvitation, { token: ada.token, params: { companyId } });
  expect(declined.status).toBe(404);
  expect(await whoComesIn([ada])).toEqual([ada]);
});

test('administrator access never expires, even if a date is set before, during, or after promotion', async () => {
  const bea = await t.signIn(company, 'Bookkeeper');
  const [administrator, endsOn] = [roleIds.get('Administrator'), addDays(todayIn('America/New_York'), 3)];
  const answers = await Promise.all([
    change(ada, bea, { roleId: administrator }),
    change(ada, bea, { endsOn }),
    change(ada, bea, { roleId: administrator, endsOn }),
    change(ada, ada, { endsOn }),
  ]);
  expect(answers.filter(({ status }) => status === 422).length).toBeGreaterThan(1);
  const guests = await installation(
    t.pool,
    sql`select user_id from membership
      where company_id = ${company.companyId} and role_name = 'Administrator' and ends_on is not null`,
  );
  expect(guests).toEqual([]);
});

test("an administrator who must use two-step verification but hasn't set it up can sign in to do so", async () => {
  await t.call(accountCalls.saveSignInRules, { token: ada.token, body: { secondFactor: 'everybody' } });
  expect((await t.refused(settingsCalls.getCompany, { token: ada.token })).code).toBe('second_factor_required');
  const entered = await t.login(ada.email);
  expect(entered.secondFactorMissing).toBe(true);
  const begun = await t.call(accountCalls.beginFactor, { token: entered.token, body: { password: PASSWORD } });
  expect(begun.recoveryCodes).toHaveLength(10);
});

test('a user whose new email address is unconfirmed can still sign in with the old one', async () => {
  const body = { email: 'mistyped@nowhere.example', password: PASSWORD };
  await t.call(accountCalls.changeEmail, { token: ada.token, body });
  expect(await whoComesIn([ada])).toEqual([ada]);
  await t.call(authCalls.forgotPassword, { body: { Email: ada.email } });
  expect((await t.runJobs()).map(({ to }) => to)).toEqual(expect.arrayContaining([ada.email]));
});

test("the administrator role can't be changed or deleted, and no other role can use its name", async () => {
  const id = roleIds.get('Administrator') ?? 0;
  const { token } = ada;
  const body = { id, roleName: 'Administrator', roleProperties: [] };
  expect((await t.refused(authCalls.updateRole, { token, body })).status).toBe(409);
  expect((await t.refused(authCalls.deleteRole, { token, params: { id } })).status).toBe(409);
  expect((await t.refused(authCalls.createRole, { token, body: { ...body, id: 0 } })).status).toBe(409);
  expect(await whoComesIn([ada])).toEqual([ada]);
});
