import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { installation } from '../../platform/db/tx.ts';
import type { Message } from '../../platform/mail/mailer.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PASSWORD, type Person, type WorldCompany } from '../../testing/world.ts';
import { codeOf, turnOn } from './testing/factor.ts';

let t: TestApp;
let company: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany('Account House');
});
afterAll(() => t.close());

const someone = (): Promise<Person> => t.signIn(company, 'Bookkeeper');
const accountOf = ({ token }: { token: string }) => t.call(accountCalls.getAccount, { token });
const isAlive = async (token: string): Promise<boolean> =>
  (await t.request({ method: 'GET', url: '/api/loginroles', token })).status === 200;

interface From {
  address: string;
  agent: string;
}

const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Gecko/20100101 Firefox/126.0';
const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1';

async function signIn({ email }: Person, { address, agent }: From): Promise<string> {
  const sent = { method: 'POST', url: '/api/login', body: { email, password: PASSWORD } } as const;
  const answer = await t.request({ ...sent, address, headers: { 'user-agent': agent } });
  return (answer.body as { token: string }).token;
}

describe('sessions', () => {
  test('sessions are listed newest first with their device and network, and the current one is marked', async () => {
    const person = await someone();
    await installation(t.pool, sql`delete from session where user_id = ${person.userId}`);
    await signIn(person, { address: '192.0.2.1', agent: FIREFOX });
    const token = await signIn(person, { address: '2001:db8:1:2:3::4', agent: SAFARI });
    const { sessions } = await accountOf({ token });
    expect(sessions.map(({ device, network, isThis, isNewPlace }) => [device, network, isThis, isNewPlace])).toEqual([
      ['Safari on iPhone', '2001:db8:1:2::/64', true, true],
      ['Firefox on Mac', '192.0.2.1', false, false],
    ]);
  });

  test("a user can end their own session immediately, but can't end another user's session", async () => {
    const [person, other] = [await someone(), await someone()];
    const second = await t.login(person.email);
    const idOf = async (token: string) => (await accountOf({ token })).sessions.find(({ isThis }) => isThis)?.id ?? 0;
    const [id, others] = [await idOf(second.token), await idOf(other.token)];
    const { token } = person;
    await t.call(accountCalls.endSession, { token, params: { id } });
    expect([await isAlive(token), await isAlive(second.token)]).toEqual([true, false]);
    for (const gone of [id, others]) {
      expect((await t.refused(accountCalls.endSession, { token, params: { id: gone } })).status).toBe(404);
    }
    expect(await isAlive(other.token)).toBe(true);
  });

  test('a user can end all sessions except the current one', async () => {
    const person = await someone();
    const others = [await t.login(person.email), await t.login(person.email)];
    await t.call(accountCalls.endOtherSessions, { token: person.token });
    const alive = await Promise.all([person, ...others].map(({ token }) => isAlive(token)));
    expect(alive).toEqual([true, false, false]);
    expect((await accountOf(person)).sessions).toHaveLength(1);
  });

  test('a user can end sessions only shortly after signing in, and can do so again after a new sign-in', async () => {
    const person = await someone();
    const other = await t.login(person.email);
    const { sessions } = await accountOf(other);
    const id = sessions.find(({ isThis }) => !isThis)?.id ?? 0;
    await installation(
      t.pool,
      sql`update session set expires_at = expires_at - interval '16 minutes' where user_id = ${person.userId}`,
    );
    const { token } = other;
    const refused = [
      await t.refused(accountCalls.endSession, { token, params: { id } }),
      await t.refused(accountCalls.endOtherSessions, { token }),
    ];
    for (const { status, message } of refused) {
      expect([status, message]).toEqual([422, expect.stringContaining('Sign out, sign in again')]);
    }
    expect(await isAlive(person.token)).toBe(true);
    const again = await t.login(person.email);
    await t.call(accountCalls.endOtherSessions, { token: again.token });
    expect([await isAlive(person.token), await isAlive(token), await isAlive(again.token)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('expired and idle sessions are not listed', async () => {
    const person = await someone();
    await t.login(person.email);
    await t.login(person.email);
    await installation(
      t.pool,
      sql`with two as (
          select id, row_number() over (order by id desc) as no from session where user_id = ${person.userId})
        update session s set
          expires_at = case when two.no = 1 then now() - interval '1 second' else s.expires_at end,
          last_seen_at = case when two.no = 2 then now() - interval '13 hours' else s.last_seen_at end
        from two where two.id = s.id and two.no < 3`,
    );
    expect((await accountOf(person)).sessions).toHaveLength(1);
  });

  test('except for the first sign-in, every sign-in on a new device and network sends an email', async () => {
    const person = await someone();
    const told = async (from: From) => {
      await signIn(person, from);
      return (await t.runJobs()).filter(({ to }) => to === person.email).map(({ subject }) => subject);
    };
    expect(await told({ address: '192.0.2.1', agent: FIREFOX })).toEqual([]);
    expect(await told({ address: '192.0.2.1', agent: SAFARI })).toEqual([]);
    expect(await told({ address: '192.0.2.9', agent: SAFARI })).toEqual([]);
    expect(await told({ address: '192.0.2.77', agent: 'curl/8' })).toEqual(['New sign-in to your account']);
    expect(await told({ address: '192.0.2.77', agent: 'curl/8' })).toEqual([]);
  });

  test('a device without a name counts as new on every new network', async () => {
    const person = await someone();
    const nameless = async (address: string, agent: string) => {
      const token = await signIn(person, { address, agent });
      const told = (await t.runJobs()).filter(({ to }) => to === person.email).map(({ subject }) => subject);
      const { device, isNewPlace } = (await accountOf({ token })).sessions.find(({ isThis }) => isThis) ?? {};
      return { told, device, isNewPlace };
    };
    const device = 'Unknown device';
    expect(await nameless('192.0.2.31', '')).toEqual({ told: [], device, isNewPlace: false });
    expect(await nameless('192.0.2.31', '<?>')).toEqual({ told: [], device, isNewPlace: false });
    const told = ['New sign-in to your account'];
    expect(await nameless('192.0.2.32', '')).toEqual({ told, device, isNewPlace: true });
  });
});

test('the account page shows when the password was last changed', async () => {
  const person = await someone();
  const { token } = person;
  expect((await accountOf(person)).passwordChangedAt).toBeNull();
  const password = 'another plain phrase';
  const body = { currentPassword: PASSWORD, password, confirmPassword: password };
  await t.call(authCalls.changePassword, { token, body });
  expect(Date.parse((await accountOf(person)).passwordChangedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

describe('changing the email address', () => {
  let count = 0;
  const newAddress = (): string => `new${(count += 1)}@account.example`;
  const ask = ({ token }: Person, email: string, password = PASSWORD) =>
    t.request({ method: 'POST', url: '/api/account/email', token, body: { email, password } });
  const linkTo = (letters: readonly Message[], email: string): string =>
    new URL(letters.find(({ to, link }) => to === email && link !== undefined)?.link ?? '').searchParams.get('token') ??
    '';
  const open = (token: string) => t.request({ method: 'POST', url: '/api/verify-email', body: { token } });
  const signsIn = async (email: string) =>
    (await t.request({ method: 'POST', url: '/api/login', body: { email, password: PASSWORD } })).status;

  test('confirming a new email address notifies the old address and invalidates the links sent to it', async () => {
    const person = await someone();
    const email = newAddress();
    await t.call(authCalls.forgotPassword, { body: { Email: person.email } });
    const reset = linkTo(await t.runJobs(), person.email);
    expect((await ask(person, ` ${email.toUpperCase()} `)).status).toBe(200);
    expect(await accountOf(person)).toMatchObject({ email: person.email, newEmail: email });
    const letters = await t.runJobs();
    expect(letters.map(({ to, subject }) => [to, subject])).toEqual([[email, 'Confirm your new email address']]);
    expect(await signsIn(email)).toBe(401);
    expect((await open(linkTo(letters, email))).status).toBe(200);
    expect(await accountOf(person)).toMatchObject({ email, newEmail: null });
    expect((await t.runJobs()).map(({ to, subject }) => [to, subject])).toEqual([
      [person.email, 'Your email address was changed'],
    ]);
    expect([await signsIn(email), await signsIn(person.email)]).toEqual([200, 401]);
    const password = 'another plain phrase';
    const body = { token: reset, password, confirmPassword: password };
    expect((await t.refused(authCalls.resetPassword, { body })).status).toBe(422);
    expect((await open(linkTo(letters, email))).status).toBe(422);
    const [audited] = await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql<{ before: unknown; after: unknown }>`
        select before, after from audit_log
        where company_id = ${company.companyId} and subject_type = 'user' order by id desc limit 1`),
    );
    expect(audited).toMatchObject({ before: { email: person.email }, after: { email } });
  });

  test('changing the email address requires the password and a different, valid email address', async () => {
    const person = await someone();
    expect(await ask(person, newAddress(), 'a guess')).toMatchObject({
      status: 422,
      body: { fields: { password: 'The current password is incorrect' } },
    });
    expect(await ask(person, 'nobody')).toMatchObject({ status: 422, body: { fields: { email: 'Email is invalid' } } });
    expect((await ask(person, person.email.toUpperCase())).status).toBe(422);
    expect((await accountOf(person)).newEmail).toBeNull();
  });

  test('a second request for a new email address invalidates the first link', async () => {
    const person = await someone();
    const [first, second] = [newAddress(), newAddress()];
    await ask(person, first);
    const before = await t.runJobs();
    await ask(person, second);
    expect((await open(linkTo(before, first))).status).toBe(422);
    expect((await open(linkTo(await t.runJobs(), second))).status).toBe(200);
    expect((await accountOf(person)).email).toBe(second);
  });

  test('only the second of two requested address changes works, and the first new address is notified', async () => {
    const person = await someone();
    const [first, second] = [newAddress(), newAddress()];
    await t.runJobs();
    await ask(person, first);
    await ask(person, second);
    const letters = await t.runJobs();
    const told = letters.map(({ to, subject, link }) => [to, subject, link !== undefined]);
    expect(told).toEqual(
      expect.arrayContaining([
        [first, 'Your email address was not changed', false],
        [second, 'Confirm your new email address', true],
      ]),
    );
    expect(told).toHaveLength(2);
    expect((await open(linkTo(letters, second))).status).toBe(200);
    expect((await accountOf(person)).email).toBe(second);
  });

  test('a link confirms only the email address that it was sent to', async () => {
    const person = await someone();
    const [first, second] = [newAddress(), newAddress()];
    await ask(person, first);
    const link = linkTo(await t.runJobs(), first);
    // Simulates a link that has become valid again or was created late.
    await ask(person, second);
    await installation(t.pool, sql`update token set used_at = null where user_id = ${person.userId}`);
    expect((await open(link)).status).toBe(422);
    expect(await accountOf(person)).toMatchObject({ email: person.email, newEmail: second });
  });

  test.each(['changed', 'reset'])('a pending email address change is canceled when the password is %s', async (how) => {
    const person = await someone();
    const email = newAddress();
    await ask(person, email);
    const link = linkTo(await t.runJobs(), email);
    const password = 'another plain phrase';
    const passwords = { password, confirmPassword: password };
    if (how === 'changed') {
      const body = { currentPassword: PASSWORD, ...passwords };
      await t.call(authCalls.changePassword, { token: person.token, body });
    } else {
      await t.call(authCalls.forgotPassword, { body: { Email: person.email } });
      const token = linkTo(await t.runJobs(), person.email);
      await t.call(authCalls.resetPassword, { body: { token, ...passwords } });
    }
    expect((await open(link)).status).toBe(422);
    const { token } = await t.login(person.email, password);
    expect(await accountOf({ token })).toMatchObject({ email: person.email, newEmail: null });
  });

  test('with two-step verification, changing the email address requires a code that works only once', async () => {
    const person = await someone();
    const { secret } = await turnOn(t, person);
    const email = newAddress();
    const change = (code?: string, to = email) =>
      t.request({
        method: 'POST',
        url: '/api/account/email',
        token: person.token,
        body: { email: to, password: PASSWORD, code },
      });
    for (const code of [undefined, '', '000000']) {
      expect(await change(code)).toMatchObject({ status: 422, body: { fields: { code: expect.any(String) } } });
    }
    expect((await accountOf(person)).newEmail).toBeNull();
    const code = await codeOf(t, secret);
    expect((await change(code)).status).toBe(200);
    expect((await change(code, newAddress())).status).toBe(422);
    expect((await accountOf(person)).newEmail).toBe(email);
  });

  test('canceling a new email address invalidates its link', async () => {
    const person = await someone();
    const email = newAddress();
    await ask(person, email);
    const letters = await t.runJobs();
    await t.call(accountCalls.keepEmail, { token: person.token });
    expect((await open(linkTo(letters, email))).status).toBe(422);
    expect(await accountOf(person)).toMatchObject({ email: person.email, newEmail: null });
  });

  test('a new address that already has an account gets the usual response, and its owner gets an email', async () => {
    const [person, other] = [await someone(), await someone()];
    expect((await ask(person, other.email)).status).toBe(200);
    expect((await t.runJobs()).map(({ to, subject }) => [to, subject])).toEqual([
      [other.email, 'You already have an account'],
    ]);
  });

  test('if two users request the same email address, only one gets it, and the other gets an error', async () => {
    const [one, two] = [await someone(), await someone()];
    const email = newAddress();
    await ask(one, email);
    await ask(two, email);
    const links = (await t.runJobs()).map(({ link }) => new URL(link ?? '').searchParams.get('token') ?? '');
    const answers = await Promise.all(links.map((link) => open(link)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const addresses = [(await accountOf(one)).email, (await accountOf(two)).email];
    expect(addresses.filter((address) => address === email)).toHaveLength(1);
  });

  test('a link that is opened twice at once changes the email address only once and sends one email', async () => {
    const person = await someone();
    const email = newAddress();
    await ask(person, email);
    const link = linkTo(await t.runJobs(), email);
    const answers = await Promise.all([open(link), open(link)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect(await t.runJobs()).toHaveLength(1);
  });

  test('requests to change an email address are limited to five an hour, to protect strangers from spam', async () => {
    const person = await someone();
    const statuses: number[] = [];
    for (let at = 0; at < 7; at += 1) statuses.push((await ask(person, newAddress())).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });
});
