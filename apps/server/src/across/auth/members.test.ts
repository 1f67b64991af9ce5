import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { entityCalls } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { present } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool, type Pool } from '../../platform/db/connect.ts';
import { installation } from '../../platform/db/tx.ts';
import { hashOf, newSecret, sessionBeside, sessions } from '../../platform/http/session.ts';
import { createCompany } from '../setup/company.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PASSWORD, type Person, type WorldCompany } from '../../testing/world.ts';
import { lockProofs } from './signin.sql.ts';
import { codeOf, turnOn } from './testing/factor.ts';

let t: TestApp;
let owner: Pool;
let [home, away]: WorldCompany[] = [];
beforeAll(async () => {
  t = await startTestApp();
  owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 1 });
  [home, away] = [await t.createCompany('Home Street'), await t.createCompany('Away Road')];
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

/** A user who belongs to only one company, Home Street. */
let person: Person;
beforeEach(async () => {
  person = await t.signIn(at('home'), 'Bookkeeper');
});

const at = (name: 'home' | 'away'): WorldCompany => present(name === 'home' ? home : away, name);
const params = (company: WorldCompany) => ({ companyId: company.companyId });

async function roleId(company: WorldCompany, name: string): Promise<number> {
  const roles = await t.call(authCalls.listRoles, { token: company.administrator.token });
  return (Array.isArray(roles) ? roles : roles.items).find(({ roleName }) => roleName === name)?.id ?? 0;
}

interface Invited {
  company?: WorldCompany;
  email?: string;
  role?: string;
  endsOn?: string;
}

/** Invites a user under the name that the inviter entered, because the inviter doesn't know the name in the account. */
async function invite({ company = at('away'), email = person.email, role = 'Read Only', ...more }: Invited = {}) {
  const body = { firstName: 'P.', lastName: 'From Home', email, roleId: await roleId(company, role), ...more };
  return t.call(authCalls.createUser, { token: company.administrator.token, body });
}

const accept = (token: string, company = at('away')) =>
  t.call(authCalls.acceptInvitation, { token, params: params(company) });

const enter = (token: string, company = at('away')) => t.call(authCalls.enterCompany, { token, body: params(company) });

/** A user who belongs to both companies. The token is for Home Street. */
async function memberOfBoth(role?: string): Promise<Person> {
  await invite(role === undefined ? {} : { role });
  await accept(person.token);
  await t.runJobs();
  return person;
}

/** Turns on two-step verification for a user, without waiting 30 seconds between codes. */
const haveFactor = ({ userId, companyId }: Person) =>
  installation(
    t.pool,
    sql`
    insert into second_factor (user_id, box_company_id, secret_box, salt, confirmed_at)
    values (${userId}, ${companyId}, '\\x01', '\\x02', now())`,
  );

const isAlive = async (token: string): Promise<boolean> =>
  (await t.request({ method: 'GET', url: '/api/loginroles', token })).status === 200;

const signIn = (body: { join?: string | null; password?: string; email?: string } = {}) =>
  t.request({ method: 'POST', url: '/api/login', body: { email: person.email, password: PASSWORD, ...body } });

const companyOf = async (token: string): Promise<string> =>
  (await t.call(settingsCalls.getCompany, { token })).displayname;

const listed = (company: WorldCompany, { userId }: { userId: number }) =>
  t.call(authCalls.getUser, { token: company.administrator.token, params: { id: userId } });

const waiting = async (): Promise<boolean> => {
  const { rowCount } = await owner.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount !== 0;
};

const linkTo = async (email: string): Promise<URL> =>
  new URL((await t.runJobs()).find(({ to, link }) => to === email && link !== undefined)?.link ?? 'none:');

describe('an invitation for an existing account', () => {
  test('an invitation gives no access until it is accepted, and reveals nothing about the account', async () => {
    await haveFactor(person);
    const user = await invite();
    expect(user).toMatchObject({
      id: person.userId,
      displayName: 'P. From Home',
      status: 'invited',
      userRole: 'Read Only',
    });
    expect([user.lastSignInAt, user.secondFactor]).toEqual([null, false]);
    expect((await t.refused(authCalls.enterCompany, { token: person.token, body: params(at('away')) })).status).toBe(
      404,
    );
    const signOut = { token: at('away').administrator.token, params: { id: person.userId } };
    await t.call(authCalls.signOutEverywhere, signOut);
    const { companies, invitations } = await t.call(authCalls.listCompanies, { token: person.token });
    expect(companies.map(({ companyName, isThis }) => [companyName, isThis])).toEqual([['Home Street', true]]);
    expect(invitations).toEqual([
      { companyId: at('away').companyId, companyName: 'Away Road', userRole: 'Read Only', endsOn: null },
    ]);
    await accept(person.token);
    expect(await listed(at('away'), person)).toMatchObject({
      displayName: 'Pat Person',
      status: 'active',
      secondFactor: true,
    });
    expect((await enter(person.token)).userRole).toBe('Read Only');
    expect(
      (await t.refused(authCalls.acceptInvitation, { token: person.token, params: params(at('away')) })).status,
    ).toBe(404);
  });

  test('an invitation can be accepted only once, and only by signing in through its link', async () => {
    await invite();
    const link = await linkTo(person.email);
    expect(link.pathname).toBe('/login');
    const join = link.searchParams.get('join');
    expect((await signIn({ join, password: 'a guess' })).status).toBe(401);
    const other = await t.signIn(at('home'), 'Read Only');
    expect((await signIn({ join, email: other.email })).body).toMatchObject({ companyId: at('home').companyId });
    expect((await signIn()).body).toMatchObject({ companyId: at('home').companyId });
    expect((await listed(at('away'), person)).status).toBe('invited');
    expect((await signIn({ join })).body).toMatchObject({ companyId: at('away').companyId, userRole: 'Read Only' });
    expect((await listed(at('away'), person)).status).toBe('active');
    const audited = await t.inCompany(at('away').companyId, (tx) =>
      tx.rows(sql<{ status: string; who: string }>`
        select after ->> 'status' as status, person as who from audit_log
        where company_id = ${at('away').companyId} and subject_type = 'user' and subject_id = ${person.userId}
        order by id`),
    );
    expect(audited).toEqual([
      { status: 'invited', who: 'Ada Admin' },
      { status: 'active', who: 'Pat Person' },
    ]);
    // Opening the link again after it was used has the same result as signing in without the link.
    await enter(person.token, at('home'));
    expect((await signIn({ join })).body).toMatchObject({ companyId: at('home').companyId });
  });

  test('accepting an invitation requires two-step verification, as every sign-in does', async () => {
    await haveFactor(person);
    await invite();
    const join = (await linkTo(person.email)).searchParams.get('join');
    expect((await signIn({ join })).body).toMatchObject({ code: 'code_required' });
    expect((await listed(at('away'), person)).status).toBe('invited');
  });

  test('an invitation can be declined or revoked, and neither action leaves a trace in the account', async () => {
    await invite();
    const { token } = person;
    await t.call(authCalls.declineInvitation, { token, params: params(at('away')) });
    const gone = { token: at('away').administrator.token, params: { id: person.userId } };
    expect((await t.refused(authCalls.getUser, gone)).status).toBe(404);
    await invite();
    await t.call(authCalls.deleteUser, gone);
    expect((await t.refused(authCalls.acceptInvitation, { token, params: params(at('away')) })).status).toBe(404);
    expect([await isAlive(token), (await t.login(person.email)).companyId]).toEqual([true, at('home').companyId]);
  });

  test("an invitation can't be seen or accepted after its expiration date", async () => {
    await invite();
    await installation(
      t.pool,
      sql`
      update membership set ends_on = '2020-01-31'
      where user_id = ${person.userId} and company_id = ${at('away').companyId}`,
    );
    expect((await t.call(authCalls.listCompanies, { token: person.token })).invitations).toEqual([]);
    expect(
      (await t.refused(authCalls.acceptInvitation, { token: person.token, params: params(at('away')) })).status,
    ).toBe(404);
  });

  test("an invitation's link lets a user without another company sign in", async () => {
    await invite();
    const join = (await linkTo(person.email)).searchParams.get('join');
    const removed = { token: at('home').administrator.token, params: { id: person.userId } };
    await t.call(authCalls.deleteUser, removed);
    const without = await signIn();
    expect([without.status, without.body]).toEqual([401, expect.objectContaining({ code: 'unauthenticated' })]);
    expect(JSON.stringify(without.body)).toContain('open the link in the invitation email');
    expect((await signIn({ join })).body).toMatchObject({ companyId: at('away').companyId });
  });

  test('a guest whose access to another company has expired can reset the password through an invitation', async () => {
    await invite();
    await installation(
      t.pool,
      sql`update membership set ends_on = '2020-01-31'
        where user_id = ${person.userId} and company_id = ${at('home').companyId}`,
    );
    await t.runJobs();
    expect(JSON.stringify((await signIn()).body)).toContain('open the link in the invitation email');
    await t.call(authCalls.forgotPassword, { body: { Email: person.email } });
    expect((await t.runJobs()).map(({ to, subject }) => [to, subject])).toEqual([
      [person.email, 'Reset your password'],
    ]);
  });

  test('invitations from two companies create one account, which joins the company whose link was opened', async () => {
    const email = `new.${person.email}`;
    const both = await Promise.all([invite({ email, company: at('home') }), invite({ email })]);
    expect(both[0].id).toBe(both[1].id);
    const letters = await t.runJobs();
    expect(letters.map(({ to }) => to)).toEqual([email, email]);
    const tokens = letters.map(({ link }) => new URL(link ?? '').searchParams.get('token'));
    const names = { firstname: 'Nia', lastname: 'New', acceptedterms: true };
    const passwords = { password: 'a plain long phrase', confirmPassword: 'a plain long phrase' };
    const register = (token: string | null | undefined) =>
      t.request({ method: 'POST', url: '/api/register', body: { ...names, ...passwords, token } });
    const answers = await Promise.all(tokens.map(register));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const { token } = await t.login(email, 'a plain long phrase');
    const { companies, invitations } = await t.call(authCalls.listCompanies, { token });
    expect([companies.length, invitations.length]).toEqual([1, 1]);
  });

  test('two simultaneous invitations from a company create one membership and cause one error', async () => {
    const body = { firstName: 'P', lastName: 'H', email: person.email, roleId: await roleId(at('away'), 'Read Only') };
    const sent = { method: 'POST', url: '/api/useradmin', token: at('away').administrator.token, body } as const;
    const answers = await Promise.all([t.request(sent), t.request(sent)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('entering another company', () => {
  test('entering a company opens a separate session with a token for that company and role', async () => {
    await memberOfBoth();
    const there = await enter(person.token);
    expect(there.token).not.toBe(person.token);
    expect(await Promise.all([companyOf(person.token), companyOf(there.token)])).toEqual(['Home Street', 'Away Road']);
    const customer = { name: 'Of Home', emailAddress: 'of@home.example' };
    const { id } = await t.call(entityCalls.createCustomer, { token: person.token, body: customer });
    expect((await t.refused(entityCalls.getCustomer, { token: there.token, params: { id } })).status).toBe(404);
    expect((await t.refused(entityCalls.createCustomer, { token: there.token, body: customer })).status).toBe(403);
  });

  test('entering a company requires a valid session and membership', async () => {
    const body = params(at('away'));
    expect((await t.refused(authCalls.enterCompany, { body })).status).toBe(401);
    expect((await t.refused(authCalls.enterCompany, { token: person.token, body })).status).toBe(404);
    expect(
      (await t.refused(authCalls.enterCompany, { token: person.token, body: { companyId: 999_999 } })).status,
    ).toBe(404);
  });

  test('signing out ends the sessions in all companies, or only the current session if requested', async () => {
    await memberOfBoth();
    const other = (await t.login(person.email)).token;
    const there = (await enter(other)).token;
    const further = (await enter(there, at('home'))).token;
    const alive = async (token: string) =>
      (await t.request({ method: 'GET', url: '/api/loginroles', token })).status === 200;
    await t.call(authCalls.logout, { token: further, query: { only: 'this' } });
    expect(await Promise.all([other, there, further, person.token].map(alive))).toEqual([true, true, false, true]);
    await t.call(authCalls.logout, { token: there, query: {} });
    expect(await Promise.all([other, there, person.token].map(alive))).toEqual([false, false, true]);
  });

  test('the next sign-in opens the company that was entered last', async () => {
    await memberOfBoth();
    expect((await t.login(person.email)).companyId).toBe(at('home').companyId);
    await enter(person.token);
    expect((await t.login(person.email)).companyId).toBe(at('away').companyId);
    await enter(person.token, at('home'));
    expect((await t.login(person.email)).companyId).toBe(at('home').companyId);
  });

  test('a session in another company ends no later than the session from which it was opened', async () => {
    await memberOfBoth();
    await installation(
      t.pool,
      sql`
      update session set expires_at = now() + interval '1 hour' where user_id = ${person.userId}`,
    );
    await enter(person.token);
    const longest = await installation(
      t.pool,
      sql<{ isLonger: boolean }>`
        select bool_or(expires_at > now() + interval '1 hour') as "isLonger" from session
        where user_id = ${person.userId}`,
    );
    expect(longest).toEqual([{ isLonger: false }]);
  });

  test("the list of companies shows a company's current name", async () => {
    const company = await t.createCompany('Old Name');
    await invite({ company });
    await t.request({
      method: 'PUT',
      url: `/api/company/${company.companyId}`,
      token: company.administrator.token,
      body: { displayname: 'New Name', name: 'New Name' },
    });
    const { invitations } = await t.call(authCalls.listCompanies, { token: person.token });
    expect(invitations.map(({ companyName }) => companyName)).toEqual(['New Name']);
  });

  /** The change that ends the session happens after the new session is opened and before it is committed. */
  test.each<[string, (token: string) => Promise<unknown>]>([
    [
      'the membership ends',
      () => t.call(authCalls.deleteUser, { token: at('away').administrator.token, params: { id: person.userId } }),
    ],
    ['all other sessions are ended elsewhere', (token) => t.call(accountCalls.endOtherSessions, { token })],
    [
      'an administrator signs the user out',
      () =>
        t.call(authCalls.signOutEverywhere, { token: at('away').administrator.token, params: { id: person.userId } }),
    ],
  ])('entering a company while %s does not open a session', async (cause, end) => {
    await memberOfBoth();
    const elsewhere = await t.login(person.email);
    const { companyId } = at('away');
    const opened = { token: newSecret(), companyId, device: '', network: '' };
    const ending = await t.inCompany(companyId, async (tx) => {
      await tx.inOrder([lockProofs(person.userId), sessionBeside(hashOf(person.token), opened)]);
      const begun = end(elsewhere.token);
      await expect.poll(waiting, { timeout: 5000, message: 'the request waits for the session lock' }).toBe(true);
      return { begun };
    });
    await ending.begun;
    expect([await isAlive(person.token), await isAlive(opened.token)]).toEqual([
      cause === 'the membership ends',
      false,
    ]);
  });

  test('entering a company is rejected after the session ends, even if the request began earlier', async () => {
    await memberOfBoth();
    const body = params(at('away'));
    const entering = await t.inCompany(at('home').companyId, async (tx) => {
      await tx.inOrder([lockProofs(person.userId), sessions.delete({ userId: person.userId })]);
      const begun = t.request({ method: 'POST', url: '/api/account/companies', token: person.token, body });
      await expect.poll(waiting, { timeout: 5000 }).toBe(true);
      return { begun };
    });
    expect((await entering.begun).status).toBe(401);
  });
});

describe("a user's company", () => {
  test('a company can remove a user who stays in another one, and the last removal deletes the account', async () => {
    await memberOfBoth();
    const there = await enter(person.token);
    await t.call(authCalls.deleteUser, { token: at('away').administrator.token, params: { id: person.userId } });
    expect([await isAlive(there.token), await isAlive(person.token)]).toEqual([false, true]);
    expect((await t.login(person.email)).companyId).toBe(at('home').companyId);
    await t.call(authCalls.deleteUser, { token: at('home').administrator.token, params: { id: person.userId } });
    const left = sql<{ id: number }>`select id from app_user where id = ${person.userId}`;
    expect([await isAlive(person.token), (await installation(t.pool, left)).length]).toEqual([false, 0]);
  });

  test("a company can end a guest's access, and the guest keeps access to another company", async () => {
    await memberOfBoth();
    const there = await enter(person.token);
    await installation(
      t.pool,
      sql`
      update membership set ends_on = '2020-01-31'
      where user_id = ${person.userId} and company_id = ${at('away').companyId}`,
    );
    expect([await isAlive(there.token), await isAlive(person.token)]).toEqual([false, true]);
    expect((await t.refused(authCalls.enterCompany, { token: person.token, body: params(at('away')) })).status).toBe(
      404,
    );
    expect((await t.login(person.email)).companyId).toBe(at('home').companyId);
  });

  test('one company can require two-step verification, which stays on while any company requires it', async () => {
    const strict = await t.createCompany('Strict Lane');
    await invite({ company: strict });
    await accept(person.token, strict);
    const rules = { token: strict.administrator.token, body: { secondFactor: 'everybody' } };
    await t.call(accountCalls.saveSignInRules, rules);
    const there = await enter(person.token, strict);
    expect(there.secondFactorMissing).toBe(true);
    expect((await t.refused(settingsCalls.getCompany, { token: there.token })).code).toBe('second_factor_required');
    expect(await companyOf(person.token)).toBe('Home Street');
    // Switching back still works.
    expect((await enter(there.token, at('home'))).companyId).toBe(at('home').companyId);
    const { secret, recoveryCodes } = await turnOn(t, person);
    const now = await t.call(accountCalls.getAccount, { token: person.token });
    expect(now.secondFactor.isRequired).toBe(true);
    const removal = { token: person.token, body: { password: PASSWORD, code: recoveryCodes[0] } };
    expect((await t.refused(accountCalls.removeFactor, removal)).status).toBe(409);
    // A secret that was encrypted in one company can be read when the user signs in to the other company.
    await enter(person.token, strict);
    const codes = { email: person.email, password: PASSWORD, code: await codeOf(t, secret) };
    expect((await t.call(authCalls.login, { body: codes })).companyId).toBe(strict.companyId);
  });

  test("a company can't rename a shared user or remove two-step verification that another one requires", async () => {
    await memberOfBoth();
    await haveFactor(person);
    const { token } = at('away').administrator;
    const id = person.userId;
    const change = { id, firstName: 'Renamed', lastName: 'Person' };
    expect((await t.refused(authCalls.updateUser, { token, body: change })).status).toBe(409);
    const lift = await t.refused(accountCalls.liftFactor, { token, params: { id } });
    expect([lift.status, lift.message]).toEqual([409, expect.stringContaining('another company')]);
    const role = await roleId(at('away'), 'Bookkeeper');
    const same = { id, firstName: 'Pat', lastName: 'Person', roleId: role };
    expect((await t.call(authCalls.updateUser, { token, body: same })).userRole).toBe('Bookkeeper');
    expect((await listed(at('home'), person)).userRole).toBe('Bookkeeper');
    const own = { token: person.token, params: { id }, body: { firstName: 'Patricia', lastName: 'Person' } };
    expect((await t.call(authCalls.updateOwnUser, own)).displayName).toBe('Patricia Person');
    expect((await listed(at('away'), person)).displayName).toBe('Patricia Person');
  });

  test('another company can be created for an existing account, which does not change', async () => {
    const { companyId } = await createCompany(t.pool, { displayname: 'Third Wharf', administrator: person });
    const there = await t.call(authCalls.enterCompany, { token: person.token, body: { companyId } });
    expect([there.userRole, await companyOf(there.token)]).toEqual(['Administrator', 'Third Wharf']);
    expect(await companyOf(person.token)).toBe('Home Street');
  });
});
