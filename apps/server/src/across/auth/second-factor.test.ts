import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { present } from '@evenkeel/core/failure';
import { installation } from '../../platform/db/tx.ts';
import { newSecret } from '../../platform/http/session.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PASSWORD, type Person, type WorldCompany } from '../../testing/world.ts';
import { findFactor, consumeTimeStep } from './second-factor.sql.ts';
import { uses } from './second-factor.ts';
import { signedIn } from './signin.ts';
import { findForSignIn } from './signin.sql.ts';
import { codeOf, rest, steadySeconds, turnOn } from './testing/factor.ts';
import { insertToken } from './tokens.sql.ts';
import { stepOf } from './totp.ts';

let t: TestApp;
let company: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany('Factor House');
});
afterAll(() => t.close());

let networks = 0;
const newAddress = (): string => `10.9.${Math.floor((networks += 1) / 250)}.${networks % 250}`;

interface Attempt {
  email: string;
  code?: string | undefined;
  password?: string;
  address?: string;
}

const signIn = ({ email, code, password = PASSWORD, address = newAddress() }: Attempt) =>
  t.request({ method: 'POST', url: '/api/login', body: { email, password, code }, address });

const isAlive = async (token: string): Promise<boolean> =>
  (await t.request({ method: 'GET', url: '/api/loginroles', token })).status === 200;

/** Creates a user who has not signed in during any other test. */
const someone = (role = 'Bookkeeper'): Promise<Person> => t.signIn(company, role);

const lettersTo = async ({ email }: Person): Promise<string[]> =>
  (await t.runJobs()).filter(({ to }) => to === email).map(({ subject }) => subject);

const NOT_RIGHT = 'This code is incorrect or was already used. Enter the latest code.';

describe('setting up an authenticator app', () => {
  test('two-step setup requires the password and a code, and turns on two-step verification', async () => {
    const person = await someone();
    const { token } = person;
    const refused = await t.refused(accountCalls.beginFactor, { token, body: { password: 'a guess' } });
    expect([refused.status, refused.fields]).toEqual([422, { password: 'The current password is incorrect' }]);
    const begun = await t.call(accountCalls.beginFactor, { token, body: { password: PASSWORD } });
    expect(begun.address).toContain(`secret=${begun.secret}`);
    expect(begun.recoveryCodes).toHaveLength(10);
    // Two-step verification is not required until the user confirms it with a code.
    expect((await signIn(person)).status).toBe(200);
    const wrong = await t.refused(accountCalls.confirmFactor, { token, body: { code: 'k4f9-2xqm' } });
    expect([wrong.status, wrong.fields]).toEqual([422, { code: NOT_RIGHT }]);
    expect((await t.call(accountCalls.getAccount, { token })).secondFactor).toMatchObject({
      isOn: false,
      codesLeft: 0,
    });
    await t.call(accountCalls.confirmFactor, { token, body: { code: await codeOf(t, begun.secret) } });
    expect((await t.call(accountCalls.getAccount, { token })).secondFactor).toEqual({
      isOn: true,
      since: expect.stringMatching(/^\d{4}-/),
      codesLeft: 10,
      isRequired: false,
    });
    expect(await lettersTo(person)).toEqual(['Two-step verification is on']);
    const [audited] = await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql<{ before: unknown; after: unknown }>`
        select before, after from audit_log
        where company_id = ${company.companyId} and subject_type = 'user' order by id desc limit 1`),
    );
    expect(audited).toMatchObject({
      before: { id: person.userId, secondFactor: false },
      after: { secondFactor: true },
    });
  });

  test('two-step setup can be repeated after a lost response, and earlier setup codes are rejected', async () => {
    const { token } = await someone();
    const first = await t.call(accountCalls.beginFactor, { token, body: { password: PASSWORD } });
    const second = await t.call(accountCalls.beginFactor, { token, body: { password: PASSWORD } });
    const confirm = async (secret: string) =>
      (
        await t.request({
          method: 'PUT',
          url: '/api/account/secondfactor',
          token,
          body: { code: await codeOf(t, secret) },
        })
      ).status;
    expect(await confirm(first.secret)).toBe(422);
    expect(await confirm(second.secret)).toBe(200);
    expect(await confirm(second.secret)).toBe(200);
    expect(await confirm(first.secret)).toBe(422);
    expect((await t.refused(accountCalls.beginFactor, { token, body: { password: PASSWORD } })).status).toBe(409);
  });

  test('two-step setup in two tabs at the same time succeeds in both and sends one email', async () => {
    const person = await someone();
    const { token } = person;
    const { secret } = await t.call(accountCalls.beginFactor, { token, body: { password: PASSWORD } });
    const code = await codeOf(t, secret);
    const both = await Promise.all(
      [1, 2].map(() => t.request({ method: 'PUT', url: '/api/account/secondfactor', token, body: { code } })),
    );
    expect(both.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(both.some(({ status }) => status === 200)).toBe(true);
    expect(await lettersTo(person)).toEqual(['Two-step verification is on']);
  });

  test('the database stores neither the secret nor a recovery code in plain text', async () => {
    const person = await someone();
    const { secret, recoveryCodes } = await turnOn(t, person);
    const rows = await installation(
      t.pool,
      sql<{ text: string }>`select f::text || c::text as text
        from second_factor f join recovery_code c on c.user_id = f.user_id where f.user_id = ${person.userId}`,
    );
    expect(rows).toHaveLength(10);
    const all = rows.map(({ text }) => text).join(' ');
    for (const hidden of [secret, ...recoveryCodes]) {
      expect(all).not.toContain(hidden);
      expect(all).not.toContain(Buffer.from(hidden).toString('hex'));
    }
  });
});

describe('sign-in with two-step verification', () => {
  test('sign-in requests the code only after a correct password', async () => {
    const person = await someone();
    await turnOn(t, person);
    const wrong = await signIn({ ...person, password: 'a guess' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    for (const code of [undefined, '', '  ']) {
      expect(await signIn({ ...person, code })).toMatchObject({ status: 401, body: { code: 'code_required' } });
    }
    const guess = await signIn({ ...person, code: '000000' });
    expect(guess).toMatchObject({ status: 401, body: { code: 'code_required', fields: { code: NOT_RIGHT } } });
  });

  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('a code with an offset of %d time steps returns status %d', async (aside, status) => {
    const person = await someone();
    const { secret } = await turnOn(t, person);
    expect((await signIn({ ...person, code: await codeOf(t, secret, aside) })).status).toBe(status);
  });

  test('a used code is rejected, and so are earlier codes', async () => {
    const person = await someone();
    const { secret } = await turnOn(t, person);
    const [before, now] = [await codeOf(t, secret, -1), await codeOf(t, secret)];
    expect((await signIn({ ...person, code: now })).status).toBe(200);
    expect((await signIn({ ...person, code: now })).status).toBe(401);
    expect((await signIn({ ...person, code: before })).status).toBe(401);
    expect((await signIn({ ...person, code: await codeOf(t, secret, 1) })).status).toBe(200);
  });

  test('only one of 10 simultaneous requests with the same code succeeds', async () => {
    const person = await someone();
    const { secret } = await turnOn(t, person);
    const code = await codeOf(t, secret);
    // Each attempt comes from a known network, because otherwise all attempts would share one limit.
    const places = Array.from({ length: 10 }, newAddress);
    for (const network of places) {
      await installation(
        t.pool,
        sql`insert into sign_in_place (user_id, network) values (${person.userId}, ${network})`,
      );
    }
    const answers = await Promise.all(places.map((address) => signIn({ ...person, code, address })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });

  test('an old code is rejected even if the clock is set back, and recovery codes still work', async () => {
    const person = await someone();
    const { secret, recoveryCodes } = await turnOn(t, person);
    const code = await codeOf(t, secret);
    // Simulates a code that was accepted while the clock was an hour ahead.
    const lastStep = sql`last_step = floor(extract(epoch from clock_timestamp()) / 30) + 120`;
    await installation(t.pool, sql`update second_factor set ${lastStep} where user_id = ${person.userId}`);
    for (let at = 0; at < 2; at += 1) expect((await signIn({ ...person, code })).status).toBe(401);
    expect((await signIn({ ...person, code: recoveryCodes[0] })).status).toBe(200);
    const [row] = await installation(
      t.pool,
      sql<{ stays: boolean }>`select last_step > extract(epoch from clock_timestamp()) / 30 + 100 as stays
        from second_factor where user_id = ${person.userId}`,
    );
    expect(row?.stays).toBe(true);
  });

  test("a time step that the database's clock has not reached is not recorded", async () => {
    const person = await someone();
    await turnOn(t, person);
    const [found] = await installation(t.pool, findFactor(person.userId));
    const step = stepOf(await steadySeconds(t));
    const note = (aside: number) => installation(t.pool, consumeTimeStep(present(found, 'factor'), step + aside));
    expect([await note(2), await note(1)].map((rows) => rows.length)).toEqual([0, 1]);
  });

  test('after a database is restored without its key, recovery codes still work', async () => {
    const person = await someone();
    const { secret, recoveryCodes } = await turnOn(t, person);
    await installation(
      t.pool,
      sql`update second_factor set secret_box = '\\x0102'::bytea where user_id = ${person.userId}`,
    );
    expect((await signIn({ ...person, code: await codeOf(t, secret) })).status).toBe(401);
    expect((await signIn({ ...person, code: recoveryCodes[0] })).status).toBe(200);
  });
});

describe('recovery codes', () => {
  test('checking a recovery code computes one hash, even if the code is wrong or the user has no codes', async () => {
    const [person, other] = [await someone(), await someone()];
    const { recoveryCodes } = await turnOn(t, person);
    await turnOn(t, other);
    await installation(t.pool, sql`delete from recovery_code where user_id = ${other.userId}`);
    const [first = ''] = recoveryCodes;
    const hashesOf = async (owner: Person, typed: string): Promise<[boolean, number]> => {
      let hashes = 0;
      const tuning = {
        ...t.services.tuning,
        get passwordCost() {
          hashes += 1;
          return t.services.tuning.passwordCost;
        },
      };
      const [found] = await installation(t.pool, findFactor(owner.userId));
      const isRight = await uses({ ...t.services, tuning }, owner, { factor: present(found, 'factor'), typed });
      return [isRight, hashes];
    };
    expect(await hashesOf(person, first)).toEqual([true, 1]);
    for (const typed of [first, 'k4f9-2xqm', 'k4f9', 'not a code at all', '§']) {
      expect(await hashesOf(person, typed)).toEqual([false, 1]);
      expect(await hashesOf(other, typed)).toEqual([false, 1]);
    }
  });

  test('each recovery code signs in once, with any spacing or case, and its use is reported by email', async () => {
    const person = await someone();
    const { recoveryCodes } = await turnOn(t, person);
    await t.runJobs();
    const [first = '', second = ''] = recoveryCodes;
    expect((await signIn({ ...person, code: ` ${first.toUpperCase()} ` })).status).toBe(200);
    expect(await lettersTo(person)).toEqual(['A recovery code was used']);
    expect((await signIn({ ...person, code: first })).status).toBe(401);
    expect((await signIn({ ...person, code: second.replace('-', '') })).status).toBe(200);
    const { token } = (await signIn({ ...person, code: recoveryCodes[2] })).body as { token: string };
    expect((await t.call(accountCalls.getAccount, { token })).secondFactor.codesLeft).toBe(7);
  });

  test('a recovery code that is used twice at the same time signs in only once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await someone();
      const { recoveryCodes } = await turnOn(t, person);
      const answers = await Promise.all([1, 2].map(() => signIn({ ...person, code: recoveryCodes[0] })));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    }
  });

  test('new recovery codes require the password and a code, replace the old ones, and end other sessions', async () => {
    const person = await someone();
    const { secret, recoveryCodes } = await turnOn(t, person);
    const elsewhere = (await signIn({ ...person, code: recoveryCodes[9] })).body as { token: string };
    await t.runJobs();
    const { token } = person;
    const refused = await t.refused(accountCalls.newRecoveryCodes, {
      token,
      body: { password: PASSWORD, code: '000000' },
    });
    expect([refused.status, refused.fields]).toEqual([422, { code: NOT_RIGHT }]);
    const body = { password: PASSWORD, code: await codeOf(t, secret) };
    const renewed = await t.call(accountCalls.newRecoveryCodes, { token, body });
    expect(renewed.recoveryCodes.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    expect(await lettersTo(person)).toEqual(['You have new recovery codes']);
    expect([await isAlive(token), await isAlive(elsewhere.token)]).toEqual([true, false]);
    const [audited] = await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql<object>`
        select user_id as "userId", subject_type as type, subject_id as id, before, after from audit_log
        where company_id = ${company.companyId} and user_id = ${person.userId} and subject_type = 'recovery codes'`),
    );
    const { userId } = person;
    const left = (codesLeft: number) => ({ id: userId, codesLeft });
    expect(audited).toEqual({ userId, type: 'recovery codes', id: userId, before: left(9), after: left(10) });
    expect((await signIn({ ...person, code: recoveryCodes[0] })).status).toBe(401);
    expect((await signIn({ ...person, code: renewed.recoveryCodes[0] })).status).toBe(200);
  });
});

describe('guesses', () => {
  const guess = (at: number): string => String(at).padStart(6, '0');

  test('guesses at codes are limited to 10 from a known network and 10 from all other networks', async () => {
    const person = await someone();
    const { secret } = await turnOn(t, person);
    const home = newAddress();
    expect((await signIn({ ...person, code: await codeOf(t, secret), address: home })).status).toBe(200);
    await rest(t, person);
    const statuses: number[] = [];
    for (let at = 0; at < 13; at += 1) statuses.push((await signIn({ ...person, code: guess(at) })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(3).fill(429)]);
    // From an unknown network, even the correct code is now rejected, but the owner can sign in from a known network.
    expect((await signIn({ ...person, code: await codeOf(t, secret) })).status).toBe(429);
    expect((await signIn({ ...person, code: await codeOf(t, secret), address: home })).status).toBe(200);
    const atHome: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      atHome.push((await signIn({ ...person, code: guess(at), address: home })).status);
    }
    expect(atHome).toEqual([...Array<number>(10).fill(401), ...Array<number>(2).fill(429)]);
  });

  test('only 10 of 30 guesses that are sent at the same time from a known network are checked', async () => {
    const person = await someone();
    await turnOn(t, person);
    const address = newAddress();
    await installation(t.pool, sql`insert into sign_in_place (user_id, network) values (${person.userId}, ${address})`);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => signIn({ ...person, code: guess(at), address })),
    );
    const counts = [401, 429].map((status) => answers.filter((answer) => answer.status === status).length);
    expect(counts).toEqual([10, 20]);
  });
});

describe('a lost authenticator', () => {
  test('the password and a recovery code turn off a lost authenticator, and the other sessions end', async () => {
    const person = await someone();
    const { recoveryCodes } = await turnOn(t, person);
    const elsewhere = (await signIn({ ...person, code: recoveryCodes[0] })).body as { token: string };
    await t.runJobs();
    const { token } = person;
    const body = { password: PASSWORD, code: recoveryCodes[1] };
    await t.call(accountCalls.removeFactor, { token, body });
    expect([await isAlive(token), await isAlive(elsewhere.token)]).toEqual([true, false]);
    expect(await lettersTo(person)).toEqual(['A recovery code was used', 'Two-step verification is off']);
    expect((await signIn(person)).status).toBe(200);
    expect((await t.refused(accountCalls.removeFactor, { token, body })).status).toBe(409);
  });

  test('turning on an authenticator ends the sessions that were opened with only the password', async () => {
    const person = await someone();
    const elsewhere = await t.login(person.email);
    await turnOn(t, person);
    expect([await isAlive(person.token), await isAlive(elsewhere.token)]).toEqual([true, false]);
  });

  test("an administrator can remove an authenticator, which ends the user's sessions and sends an email", async () => {
    const person = await someone();
    await turnOn(t, person);
    await t.runJobs();
    const { administrator } = company;
    const params = { id: person.userId };
    const listed = async () => (await t.call(authCalls.getUser, { token: administrator.token, params })).secondFactor;
    expect(await listed()).toBe(true);
    await t.call(accountCalls.liftFactor, { token: administrator.token, params });
    expect([await listed(), await isAlive(person.token)]).toEqual([false, false]);
    expect(await lettersTo(person)).toEqual(['Two-step verification was removed']);
    expect((await signIn(person)).status).toBe(200);
    expect((await t.refused(accountCalls.liftFactor, { token: administrator.token, params })).status).toBe(409);
    const own = { id: administrator.userId };
    expect((await t.refused(accountCalls.liftFactor, { token: administrator.token, params: own })).status).toBe(409);
  });

  test('a password reset also requires the code, and a wrong code does not use up the link', async () => {
    const person = await someone();
    const { email } = person;
    const { secret } = await turnOn(t, person);
    await t.call(authCalls.forgotPassword, { body: { Email: email } });
    const letter = (await t.runJobs()).find(({ to, link }) => to === email && link !== undefined);
    const token = new URL(letter?.link ?? '').searchParams.get('token');
    const password = 'another plain phrase';
    const body = { token, email, password, confirmPassword: password };
    expect(await t.refused(authCalls.resetPassword, { body })).toMatchObject({ status: 401, code: 'code_required' });
    const wrong = await t.refused(authCalls.resetPassword, { body: { ...body, code: '000000' } });
    expect(wrong).toMatchObject({ status: 401, fields: { code: NOT_RIGHT } });
    await t.call(authCalls.resetPassword, { body: { ...body, code: await codeOf(t, secret) } });
    await rest(t, person);
    expect((await signIn({ email, password, code: await codeOf(t, secret) })).status).toBe(200);
  });
});

describe('a session is opened only if the account still matches the proofs from its sign-in', () => {
  const found = async ({ email }: Person) => present((await installation(t.pool, findForSignIn(email)))[0], 'user');
  const sessionsOf = async ({ userId }: Person) =>
    (await installation(t.pool, sql`select id from session where user_id = ${userId}`)).length;
  const password = 'another plain phrase';

  test.each([
    ['two-step verification is turned on', (person: Person) => turnOn(t, person)],
    [
      'the password is changed',
      ({ token }: Person) =>
        t.call(authCalls.changePassword, {
          token,
          body: { currentPassword: PASSWORD, password, confirmPassword: password },
        }),
    ],
  ])('no session is opened if %s after the password is checked', async (_, change) => {
    const person = await someone();
    const proved = await found(person);
    await change(person);
    const origin = { device: 'Firefox', network: 'test', isNewPlace: false };
    const opened = signedIn(t.services, proved, { method: 'password', origin });
    await expect(opened).rejects.toThrow('Your account was just changed');
    expect(await sessionsOf(person)).toBe(1);
  });

  test('an old invitation opens no session if the user has since set up an authenticator', async () => {
    const person = await someone();
    await turnOn(t, person);
    const secret = newSecret();
    await installation(t.pool, insertToken('invite', secret, person.userId));
    const names = { firstname: 'Pat', lastname: 'Person', acceptedterms: true };
    const body = { token: secret, password, confirmPassword: password, ...names };
    expect((await t.refused(authCalls.register, { body })).status).toBe(422);
    expect((await signIn({ ...person })).body).toMatchObject({ code: 'code_required' });
  });
});

describe('a company that requires two-step verification', () => {
  let house: WorldCompany;
  beforeAll(async () => {
    house = await t.createCompany('Strict House');
  });
  const rule = (secondFactor: 'nobody' | 'administrators' | 'everybody') =>
    t.call(accountCalls.saveSignInRules, { token: house.administrator.token, body: { secondFactor } });

  test('if everyone must use two-step verification, users without it must set it up first', async () => {
    const { administrator, bookkeeper } = house;
    await turnOn(t, administrator);
    await rule('everybody');
    const roles = await t.refused(authCalls.loginRoles, { token: bookkeeper.token });
    expect(roles).toMatchObject({ status: 409, code: 'second_factor_required' });
    const password = { password: PASSWORD };
    const blocked = await t.refused(accountCalls.removeFactor, {
      token: bookkeeper.token,
      body: { ...password, code: '1' },
    });
    expect(blocked.code).toBe('second_factor_required');
    expect((await signIn(bookkeeper)).body).toMatchObject({ secondFactorMissing: true });
    const { secret } = await turnOn(t, bookkeeper);
    expect(await isAlive(bookkeeper.token)).toBe(true);
    const entered = await signIn({ ...bookkeeper, code: await codeOf(t, secret) });
    expect(entered.body).toMatchObject({ secondFactorMissing: false });
    // The last method can't be removed as long as two-step verification is required. If a user loses a method, an
    // administrator can remove it, and the user sets up another method.
    await rest(t, bookkeeper);
    const body = async () => ({ ...password, code: await codeOf(t, secret) });
    const kept = await t.refused(accountCalls.removeFactor, { token: bookkeeper.token, body: await body() });
    expect([kept.status, kept.message]).toEqual([409, expect.stringContaining('Add another method first')]);
    expect(await isAlive(bookkeeper.token)).toBe(true);
    await rule('nobody');
    await rest(t, bookkeeper);
    await t.call(accountCalls.removeFactor, { token: bookkeeper.token, body: await body() });
    expect(await isAlive(bookkeeper.token)).toBe(true);
  });

  test("a rule for administrators takes effect with a new administrator's next request", async () => {
    await rule('administrators');
    const { administrator } = house;
    const person = await t.signIn(house, 'Bookkeeper');
    expect(await isAlive(person.token)).toBe(true);
    const params = { id: person.userId };
    const roles = await t.call(authCalls.listRoles, { token: administrator.token, query: {} });
    const admins = (Array.isArray(roles) ? roles : roles.items).find(({ roleName }) => roleName === 'Administrator');
    const body = { firstName: 'Pat', lastName: 'Person', roleId: admins?.id };
    await t.call(authCalls.updateOwnUser, { token: administrator.token, params, body });
    expect(await isAlive(person.token)).toBe(false);
    expect((await t.refused(authCalls.loginRoles, { token: person.token })).code).toBe('second_factor_required');
    await rule('nobody');
  });

  test('a two-step verification rule applies to members invited later, and is audited', async () => {
    await rule('everybody');
    const { token } = house.administrator;
    const roles = await t.call(authCalls.listRoles, { token, query: {} });
    const [role] = Array.isArray(roles) ? roles : roles.items;
    const body = { firstName: 'Ann', lastName: 'New', email: 'ann@strict.example', roleId: role?.id };
    const { id } = await t.call(authCalls.createUser, { token, body });
    const [member] = await installation(
      t.pool,
      sql<{ rule: string }>`select second_factor_rule as rule from membership where user_id = ${id}`,
    );
    expect(member?.rule).toBe('everybody');
    const [row] = await t.inCompany(house.companyId, (tx) =>
      tx.rows(sql<{ after: unknown }>`select after from audit_log
        where company_id = ${house.companyId} and subject_type = 'sign-in rules' order by id desc limit 1`),
    );
    expect(row?.after).toEqual({ secondFactor: 'everybody' });
    expect(await t.call(accountCalls.getSignInRules, { token })).toEqual({ secondFactor: 'everybody' });
    await rule('nobody');
  });
});
