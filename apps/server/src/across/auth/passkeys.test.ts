import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { accountCalls } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { installation } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PASSWORD, type Person, type WorldCompany } from '../../testing/world.ts';
import { deleteOldChallenges } from './passkeys.sql.ts';
import { type Odd, SoftKey } from './testing/authenticator.ts';
import { codeOf, rest, turnOn } from './testing/factor.ts';
import { partyOf } from './webauthn.ts';

let t: TestApp;
let company: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany('Passkey House');
});
afterAll(() => t.close());

const ORIGIN = 'https://books.example';
const newKey = (counts = true) => new SoftKey({ origin: ORIGIN, counts });
const someone = (house = company): Promise<Person> => t.signIn(house, 'Bookkeeper');
const isAlive = async (token: string): Promise<boolean> =>
  (await t.request({ method: 'GET', url: '/api/loginroles', token })).status === 200;

let networks = 0;
const newAddress = (): string => `10.8.${Math.floor((networks += 1) / 250)}.${networks % 250}`;

type Purpose = 'sign in' | 'prove';
const challenge = (purpose: Purpose) => t.call(authCalls.passkeyChallenge, { body: { purpose } });

/** Adds a passkey. `proof` is for a user who already uses two-step verification. */
async function add({ token }: Person, proof: object = {}, key = newKey()): Promise<SoftKey> {
  const begun = await t.call(accountCalls.beginPasskey, { token, body: { password: PASSWORD, ...proof } });
  await t.call(accountCalls.addPasskey, { token, body: { name: 'Maya’s phone', passkey: key.make(begun) } });
  return key;
}

/** Signs in with only the passkey. */
async function enter(key: SoftKey, odd: Odd = {}, purpose: Purpose = 'sign in') {
  const passkey = key.answer(await challenge(purpose), odd);
  return t.request({ method: 'POST', url: '/api/login/passkey', body: { passkey }, address: newAddress() });
}

const proofOf = async (key: SoftKey, odd: Odd = {}) => ({ passkey: key.answer(await challenge('prove'), odd) });

const signIn = ({ email }: Person, proof: object = {}) =>
  t.request({
    method: 'POST',
    url: '/api/login',
    body: { email, password: PASSWORD, ...proof },
    address: newAddress(),
  });

const accountOf = ({ token }: { token: string }) => t.call(accountCalls.getAccount, { token });
const lettersTo = async ({ email }: Person): Promise<string[]> =>
  (await t.runJobs()).filter(({ to }) => to === email).map(({ subject }) => subject);

interface Audited {
  action: string;
  before: { name: string; signCount: number } | null;
  after: { name: string; signCount: number } | null;
  reason: string | null;
}
const auditOf = ({ userId }: Person) =>
  t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<Audited>`select action, before, after, reason from audit_log
      where company_id = ${company.companyId} and user_id = ${userId} and subject_type = 'passkey' order by id`),
  );

describe('a passkey', () => {
  test('adding a passkey requires the password, sends an email, and ends other sessions', async () => {
    const person = await someone();
    const elsewhere = await t.login(person.email);
    const refused = await t.refused(accountCalls.beginPasskey, { token: person.token, body: { password: 'a guess' } });
    expect([refused.status, refused.fields]).toEqual([422, { password: 'The current password is incorrect' }]);
    const key = await add(person);
    expect([await isAlive(person.token), await isAlive(elsewhere.token)]).toEqual([true, false]);
    expect(await lettersTo(person)).toEqual(['A passkey was added']);
    expect(await auditOf(person)).toMatchObject([{ action: 'create', before: null, after: { name: 'Maya’s phone' } }]);
    const named = { name: 'Maya’s phone', createdAt: expect.stringMatching(/^\d{4}-/), lastUsedAt: null };
    expect((await accountOf(person)).passkeys).toMatchObject([named]);
    const answer = await enter(key);
    expect(answer).toMatchObject({ status: 200, body: { id: person.userId, companyId: person.companyId } });
    const { token } = answer.body as { token: string };
    expect((await accountOf({ token })).passkeys).toMatchObject([{ lastUsedAt: expect.stringMatching(/^\d{4}-/) }]);
    expect((await enter(key)).status).toBe(200);
  });

  test('a passkey without a use counter can sign in repeatedly', async () => {
    const key = await add(await someone(), {}, newKey(false));
    for (let at = 0; at < 3; at += 1) expect((await enter(key)).status).toBe(200);
  });

  test('a passkey that is sent again after a lost response is added only once', async () => {
    const person = await someone();
    const { token } = person;
    const begun = await t.call(accountCalls.beginPasskey, { token, body: { password: PASSWORD } });
    const body = { name: 'Key', passkey: newKey().make(begun) };
    for (let at = 0; at < 2; at += 1) await t.call(accountCalls.addPasskey, { token, body });
    expect((await accountOf(person)).passkeys).toHaveLength(1);
  });

  test.each<[string, Odd]>([
    ['for another origin', { origin: 'https://books.example.evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without user verification', { isUnverified: true }],
  ])('a passkey created %s is rejected', async (_, odd) => {
    const { token } = await someone();
    const begun = await t.call(accountCalls.beginPasskey, { token, body: { password: PASSWORD } });
    const body = { name: 'Key', passkey: newKey().make(begun, odd) };
    expect((await t.refused(accountCalls.addPasskey, { token, body })).status).toBe(422);
    expect((await accountOf({ token })).passkeys).toEqual([]);
  });

  test('a passkey is rejected if its challenge was for another user or from before a password change', async () => {
    const [one, two] = [await someone(), await someone()];
    const begun = await t.call(accountCalls.beginPasskey, { token: one.token, body: { password: PASSWORD } });
    const body = { name: 'Key', passkey: newKey().make(begun) };
    expect((await t.refused(accountCalls.addPasskey, { token: two.token, body })).status).toBe(422);
    const again = await t.call(accountCalls.beginPasskey, { token: one.token, body: { password: PASSWORD } });
    const password = 'another plain phrase';
    const change = { currentPassword: PASSWORD, password, confirmPassword: password };
    await t.call(authCalls.changePassword, { token: one.token, body: change });
    const late = { name: 'Key', passkey: newKey().make(again) };
    expect((await t.refused(accountCalls.addPasskey, { token: one.token, body: late })).status).toBe(409);
  });
});

describe('a passkey sign-in', () => {
  test.each<[string, Odd]>([
    ['for another origin', { origin: 'http://books.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without user verification', { isUnverified: true }],
    ['with a signature from another key', { isForged: true }],
  ])('a passkey sign-in %s is rejected', async (_, odd) => {
    const person = await someone();
    const key = await add(person);
    expect(await enter(key, odd)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect((await enter(key)).status).toBe(200);
    expect(await auditOf(person)).toHaveLength(1);
  });

  test('a passkey sign-in is rejected if the challenge was used, is too old, or is of the wrong kind', async () => {
    const key = await add(await someone());
    expect((await enter(key, {}, 'prove')).status).toBe(401);
    const passkey = key.answer(await challenge('sign in'));
    const send = (sent: object) => t.request({ method: 'POST', url: '/api/login/passkey', body: { passkey: sent } });
    const both = await Promise.all([send(passkey), send(passkey)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await send(passkey)).status).toBe(401);
    const asked = await challenge('sign in');
    await installation(t.pool, sql`update passkey_challenge set created_at = now() - interval '301 seconds'`);
    expect((await send(key.answer(asked))).status).toBe(401);
    await installation(t.pool, deleteOldChallenges());
    const [left] = await installation(t.pool, sql<{ no: number }>`select count(*)::int as no from passkey_challenge`);
    expect(left?.no).toBe(0);
  });

  test('a passkey whose use count did not increase is rejected, audited, and reported by email', async () => {
    const person = await someone();
    const key = await add(person);
    expect((await enter(key)).status).toBe(200);
    await t.runJobs();
    for (const signCount of [key.signCount, 1, 0]) expect((await enter(key, { signCount })).status).toBe(401);
    expect(await lettersTo(person)).toEqual(['A passkey was rejected']);
    const [, ...copies] = await auditOf(person);
    expect(copies).toHaveLength(3);
    expect(copies[0]).toMatchObject({
      action: 'update',
      reason: expect.stringContaining('so the passkey may have been copied'),
    });
    expect((await enter(key)).status).toBe(200);
  });

  test("a removed passkey is rejected, and the account's password still works", async () => {
    const person = await someone();
    const key = await add(person);
    const [{ id } = { id: 0 }] = (await accountOf(person)).passkeys;
    const { token } = person;
    const call = { token, params: { id } };
    const missing = await t.refused(accountCalls.removePasskey, { ...call, body: { password: PASSWORD } });
    expect([missing.status, Object.keys(missing.fields ?? {})]).toEqual([422, ['passkey']]);
    await t.runJobs();
    await t.call(accountCalls.removePasskey, { ...call, body: { password: PASSWORD, ...(await proofOf(key)) } });
    expect(await lettersTo(person)).toEqual(['A passkey was removed']);
    expect(await enter(key)).toMatchObject({ status: 401 });
    expect(await auditOf(person)).toMatchObject([{ action: 'create' }, { action: 'delete', after: null }]);
    expect((await signIn(person)).status).toBe(200);
    expect((await t.refused(accountCalls.removePasskey, { ...call, body: { password: PASSWORD } })).status).toBe(404);
  });

  test("another user can't remove a passkey (404)", async () => {
    const [person, other] = [await someone(), await someone()];
    await add(person);
    const [{ id } = { id: 0 }] = (await accountOf(person)).passkeys;
    const call = { token: other.token, params: { id }, body: { password: PASSWORD } };
    expect((await t.refused(accountCalls.removePasskey, call)).status).toBe(404);
  });

  test("a guest's passkey sign-in is rejected after the guest's expiration date", async () => {
    const person = await someone();
    const key = await add(person);
    await installation(t.pool, sql`update membership set ends_on = '2020-01-31' where user_id = ${person.userId}`);
    const message = expect.stringContaining('Your access ended on');
    expect(await enter(key)).toMatchObject({ status: 401, body: { message } });
  });
});

describe('two-step verification with a passkey', () => {
  test('a passkey that is requested after the password does not require user verification', async () => {
    const person = await someone();
    const key = await add(person);
    const asked = await signIn(person);
    expect(asked).toMatchObject({
      status: 401,
      body: { code: 'code_required', fields: { passkey: expect.anything() } },
    });
    expect((await signIn(person, await proofOf(key))).status).toBe(200);
    expect((await signIn(person, await proofOf(key, { isUnverified: true }))).status).toBe(200);
    const wrong = await signIn(person, await proofOf(key, { isForged: true }));
    expect(wrong).toMatchObject({ status: 401, body: { code: 'code_required' } });
    const other = await add(await someone());
    expect((await signIn(person, await proofOf(other))).status).toBe(401);
    expect((await signIn(person, { code: 'k4f9-2xqm' })).status).toBe(401);
  });

  test('a user with a passkey must use it to add another method, and afterward either method works', async () => {
    const person = await someone();
    const key = await add(person);
    const { token } = person;
    const password = { password: PASSWORD };
    for (const call of [accountCalls.beginFactor, accountCalls.beginPasskey]) {
      expect((await t.refused(call, { token, body: password })).fields).toEqual({
        passkey: 'Use your passkey to continue',
      });
    }
    const proof = await proofOf(key);
    const { secret } = await t.call(accountCalls.beginFactor, { token, body: { ...password, ...proof } });
    await t.call(accountCalls.confirmFactor, { token, body: { code: await codeOf(t, secret) } });
    await rest(t, person);
    const asked = (await signIn(person)).body as { fields: object };
    expect(Object.keys(asked.fields)).toEqual(['code', 'passkey']);
    expect((await signIn(person, { code: await codeOf(t, secret) })).status).toBe(200);
    expect((await signIn(person, await proofOf(key))).status).toBe(200);
  });

  test('a password reset requires the passkey', async () => {
    const person = await someone();
    const key = await add(person);
    await t.call(authCalls.forgotPassword, { body: { Email: person.email } });
    const letter = (await t.runJobs()).find(({ to, link }) => to === person.email && link !== undefined);
    const token = new URL(letter?.link ?? '').searchParams.get('token');
    const password = 'another plain phrase';
    const body = { token, password, confirmPassword: password };
    expect((await t.refused(authCalls.resetPassword, { body })).code).toBe('code_required');
    await t.call(authCalls.resetPassword, { body: { ...body, ...(await proofOf(key)) } });
  });

  test('passkey attempts have the same limit as code attempts', async () => {
    const person = await someone();
    const key = await add(person);
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      statuses.push((await signIn(person, await proofOf(key, { isForged: true }))).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });
});

describe('a company that requires two-step verification', () => {
  test('a passkey meets the two-step requirement, and only administrators can remove the last method', async () => {
    const house = await t.createCompany('Strict Keys');
    const { administrator } = house;
    const rule = { secondFactor: 'everybody' };
    await turnOn(t, administrator);
    await t.call(accountCalls.saveSignInRules, { token: administrator.token, body: rule });
    const person = await someone(house);
    expect(await isAlive(person.token)).toBe(false);
    const key = await add(person);
    expect(await isAlive(person.token)).toBe(true);
    expect((await enter(key)).body).toMatchObject({ secondFactorMissing: false });
    const [{ id } = { id: 0 }] = (await accountOf(person)).passkeys;
    const { token } = person;
    const remove = async () =>
      t.request({
        method: 'POST',
        url: `/api/account/passkeys/${id}/remove`,
        token,
        body: { password: PASSWORD, ...(await proofOf(key)) },
      });
    expect(await remove()).toMatchObject({ status: 409, body: { message: expect.stringContaining('requires') } });
    expect((await accountOf(person)).passkeys).toHaveLength(1);
    const proof = await proofOf(key);
    const begun = await t.call(accountCalls.beginFactor, { token, body: { password: PASSWORD, ...proof } });
    await t.call(accountCalls.confirmFactor, { token, body: { code: await codeOf(t, begun.secret) } });
    // Two simultaneous requests try to remove the last two methods.
    const off = async () =>
      t.request({
        method: 'POST',
        url: '/api/account/secondfactor/remove',
        token,
        body: { password: PASSWORD, ...(await proofOf(key)) },
      });
    const both = await Promise.all([remove(), off()]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await isAlive(token)).toBe(true);
    const call = { token: administrator.token, params: { id: person.userId } };
    expect((await t.call(authCalls.getUser, call)).secondFactor).toBe(true);
    await t.call(accountCalls.liftFactor, call);
    expect((await t.call(authCalls.getUser, call)).secondFactor).toBe(false);
    expect((await enter(key)).status).toBe(401);
    expect((await signIn(person)).body).toMatchObject({ secondFactorMissing: true });
  });
});

test.each([
  ['https://books.example', 'books.example', 'https://books.example'],
  ['https://books.example:8443', 'books.example', 'https://books.example:8443'],
  ['http://127.0.0.1:3000', 'localhost', 'http://localhost:3000'],
  ['http://[::1]:3000', 'localhost', 'http://localhost:3000'],
  ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
])('passkeys for an installation at %s belong to %s', (publicUrl, id, origin) => {
  expect(partyOf({ publicUrl })).toEqual({ id, origins: [origin] });
});
