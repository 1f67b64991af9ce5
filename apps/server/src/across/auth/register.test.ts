import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { authCalls } from '@evenkeel/contract/auth';
import { settingsCalls } from '@evenkeel/contract/settings';
import { installation } from '../../platform/db/tx.ts';
import { type RawAnswer, startTestApp, type TestApp } from '../../testing/app.ts';
import type { Message } from '../../platform/mail/mailer.ts';
import { PASSWORD } from '../../testing/world.ts';

let t: TestApp;
/** A second server with SIGN_UP=open. */
let open: TestApp;
beforeAll(async () => {
  [t, open] = await Promise.all([startTestApp(), startTestApp({ config: { signUp: 'open', passwordMin: 8 } })]);
});
afterAll(() => Promise.all([t.close(), open.close()]));
afterEach(() => t.runJobs());

let addresses = 0;
const post = (app: TestApp, path: string, body: unknown): Promise<RawAnswer> =>
  app.request({ method: 'POST', url: `/api/${path}`, body, address: `10.1.0.${(addresses += 1)}` });

const tokenIn = (letter: Message | undefined): string => new URL(letter?.link ?? '').searchParams.get('token') ?? '';

const person = {
  firstname: 'Ines',
  lastname: 'Vited',
  password: 'a long enough one',
  confirmPassword: 'a long enough one',
  acceptedterms: true,
};

async function invite(email: string): Promise<string> {
  const { token } = t.world.company.administrator;
  const roles = await t.call(authCalls.listRoles, { token });
  const role = Array.isArray(roles) ? roles.find(({ roleName }) => roleName === 'Read Only') : undefined;
  await t.call(authCalls.createUser, { token, body: { firstName: 'I', lastName: 'V', email, roleId: role?.id ?? 0 } });
  const [letter] = await t.runJobs();
  expect(letter?.to).toBe(email);
  return tokenIn(letter);
}

async function userCount(app: TestApp): Promise<number> {
  const [row] = await installation(app.pool, sql<{ count: number }>`select count(*)::int as count from app_user`);
  return row?.count ?? 0;
}

test.each([
  ['no first name', { firstname: '' }, 'First Name is required'],
  ['no last name', { lastname: undefined }, 'Last Name is required'],
  [
    'a password of 5 characters',
    { password: 'abcde', confirmPassword: 'abcde' },
    'Password must be at least 6 characters',
  ],
  ['a common password', { password: '123456', confirmPassword: '123456' }, 'This password is easy to guess'],
  ['a leaked password', { password: 'Juggalo', confirmPassword: 'Juggalo' }, 'This password is easy to guess'],
  ['no password', { password: '', confirmPassword: '' }, 'Password is required'],
  ['two different passwords', { confirmPassword: 'something else' }, 'Passwords must match'],
  ['a password of 257 bytes', { password: 'x'.repeat(257), confirmPassword: 'x'.repeat(257) }, 'at most 256 bytes'],
  ['unaccepted terms', { acceptedterms: false }, 'Accept Terms & Conditions is required'],
  ['an unknown token', {}, 'This registration link is no longer valid'],
  ['no token if sign-up requires an invitation', { token: '' }, 'You need an invitation to register'],
])('registration with %s returns 422 and saves nothing', async (_, change, message) => {
  const before = await userCount(t);
  const answer = await post(t, 'register', { ...person, token: 'x'.repeat(43), ...change });
  expect(answer.status).toBe(422);
  expect((answer.body as { message: string }).message).toContain(message);
  expect(await userCount(t)).toBe(before);
});

test('PASSWORD_MIN raises the minimum length, and the error message states the new length', async () => {
  const answer = await post(open, 'register', { ...person, password: '1234567', confirmPassword: '1234567' });
  expect(answer.body).toMatchObject({ message: 'Password must be at least 8 characters' });
});

test("until it is used, an invitation's link returns the name, address, and company", async () => {
  const email = 'named@harbor.example';
  const token = await invite(email);
  const { displayname: companyName } = t.world.company;
  const named = { email, firstName: 'I', lastName: 'V', companyName };
  expect(await t.call(authCalls.invitation, { body: { token } })).toEqual(named);
  await post(t, 'register', { ...person, token });
  for (const spent of [token, 'x'.repeat(43)]) {
    expect((await post(t, 'register/invitation', { token: spent })).status).toBe(422);
  }
});

test('an invitation registers only the invited email address, and only once', async () => {
  const email = 'ines@harbor.example';
  const token = await invite(email);
  const first = await post(t, 'register', { ...person, token, email: 'somebody@else.example' });
  expect(first.status).toBe(200);
  const again = await post(t, 'register', {
    ...person,
    token,
    password: 'another one',
    confirmPassword: 'another one',
  });
  expect(again.status).toBe(422);
  const signedIn = await t.login(email, person.password);
  expect(signedIn).toMatchObject({ displayName: 'Ines Vited', userRole: 'Read Only', termsAccepted: true });
});

test('only one of 10 simultaneous registrations with one invitation succeeds', async () => {
  const token = await invite('race@harbor.example');
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(t, 'register', { ...person, token })));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
});

test.each([
  ['an invitation', 'invite', '7 days'],
  ['a reset link', 'reset', '60 minutes'],
  ['a verification link', 'verify', '60 minutes'],
])('%s is valid for %s', async (_, kind, life) => {
  const { userId } = t.world.company.reader;
  await installation(t.pool, sql`delete from token`);
  if (kind === 'invite') await invite(`life-${kind}@harbor.example`);
  else if (kind === 'reset') await post(t, 'register/forgotpassword', { Email: t.world.company.reader.email });
  else {
    await installation(t.pool, sql`update app_user set email_verified_at = null where id = ${userId}`);
    await post(t, 'login', { email: t.world.company.reader.email, password: PASSWORD });
  }
  await t.runJobs();
  const [row] = await installation(
    t.pool,
    sql<{ exact: boolean; kind: string }>`
      select kind, abs(extract(epoch from expires_at - created_at - ${life}::interval)) < 1 as exact from token`,
  );
  expect(row).toEqual({ kind, exact: true });
  await installation(t.pool, sql`update app_user set email_verified_at = now() where id = ${userId}`);
});

test('"forgot password" returns the same response for all addresses, but sends emails only to known ones', async () => {
  const { email } = t.world.other.reader;
  const known = await post(t, 'register/forgotpassword', { Email: email, Baseurl: 'https://evil.example' });
  const unknown = await post(t, 'register/forgotpassword', { Email: 'ghost@nowhere.example' });
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  expect(known.body).toEqual({ message: 'Please check your email for password reset instructions' });
  const letters = await t.runJobs();
  expect(letters.map(({ to }) => to)).toEqual([email]);
  expect(letters[0]?.link).toMatch(/^https:\/\/books\.example\/reset-password\?token=[\w-]{43}&email=/);
  expect(JSON.stringify(letters)).not.toContain('evil');
});

test('responses that must not reveal an account take at least the minimum time for any address', async () => {
  const slow = await startTestApp({ tuning: { answerFloorMs: 150 } });
  for (const email of [slow.world.company.reader.email, 'ghost@nowhere.example']) {
    const began = performance.now();
    await post(slow, 'register/forgotpassword', { Email: email });
    expect(performance.now() - began).toBeGreaterThanOrEqual(149);
  }
  await slow.close();
});

test('the sixth "forgot password" request in an hour returns 429 for known and unknown addresses', async () => {
  for (const Email of [t.world.other.superuser.email, 'ghost6@nowhere.example']) {
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await post(t, 'register/forgotpassword', { Email })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  }
  // All five emails were queued together and are sent as one email.
  expect(await t.runJobs()).toHaveLength(1);
});

async function resetLink(email: string): Promise<string> {
  await post(t, 'register/forgotpassword', { Email: email });
  const [letter] = await t.runJobs();
  return tokenIn(letter);
}

test('a reset link sets the password once, ends every session, and invalidates the other links', async () => {
  const user = t.world.other.bookkeeper;
  const [first, token] = [await resetLink(user.email), await resetLink(user.email)];
  const passwords = { password: 'brand new one', confirmPassword: 'brand new one' };
  expect((await post(t, 'validate-reset-token', { token, email: user.email })).status).toBe(200);
  expect((await post(t, 'validate-reset-token', { token, email: 'else@where.example' })).status).toBe(422);
  expect((await post(t, 'register/reset-password', { token, email: 'else@where.example', ...passwords })).status).toBe(
    422,
  );
  const short = { password: 'short', confirmPassword: 'short' };
  expect((await post(t, 'register/reset-password', { token, email: user.email, ...short })).status).toBe(422);
  expect((await post(t, 'register/reset-password', { token, email: user.email, ...passwords })).status).toBe(200);
  for (const used of [token, first]) {
    expect((await post(t, 'register/reset-password', { token: used, email: user.email, ...passwords })).status).toBe(
      422,
    );
    expect((await post(t, 'validate-reset-token', { token: used })).status).toBe(422);
  }
  expect((await t.request({ method: 'GET', url: '/api/loginroles', token: user.token })).status).toBe(401);
  expect((await post(t, 'login', { email: user.email, password: PASSWORD })).status).toBe(401);
  expect((await t.login(user.email, 'brand new one')).id).toBe(user.userId);
  expect((await t.runJobs()).map(({ to, subject, link }) => [to, subject, link])).toEqual([
    [user.email, 'Your password was changed', undefined],
  ]);
});

const easy = 'This password is easy to guess. Choose another password, such as a few unrelated words.';

test("a reset link rejects the email address or the company's name as the new password", async () => {
  const { email } = t.world.other.reader;
  const token = await resetLink(email);
  for (const password of [email, email.split('@', 1)[0] ?? '', 'SecondStreet']) {
    const answer = await post(t, 'register/reset-password', { token, password, confirmPassword: password });
    const fields = password.length < 6 ? undefined : { password: easy };
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining(fields === undefined ? {} : { fields }),
    ]);
  }
  const invitation = await invite('harriet@harbor.example');
  for (const password of ['harriet', 'Harbor Supply']) {
    const answer = await post(t, 'register', { ...person, token: invitation, password, confirmPassword: password });
    expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ fields: { password: easy } })]);
  }
});

describe("the user's own password", () => {
  const passwords = { currentPassword: PASSWORD, password: 'harbor at dawn', confirmPassword: 'harbor at dawn' };
  const change = (token: string, more: Partial<typeof passwords> = {}) =>
    t.request({ method: 'PUT', url: '/api/UserAdmin/ChangePassword', token, body: { ...passwords, ...more } });
  const isAlive = async (token: string) =>
    (await t.request({ method: 'GET', url: '/api/loginroles', token })).status === 200;

  // Promise (access): Changing a password requires the current one, ends other sessions, and sends an email.
  test('changing a password keeps this session, ends the others, invalidates links, and sends an email', async () => {
    const { email, userId } = t.world.company.superuser;
    const [here, there] = [await t.login(email), await t.login(email)];
    const link = await resetLink(email);
    expect((await change(here.token)).status).toBe(200);
    expect([await isAlive(here.token), await isAlive(there.token)]).toEqual([true, false]);
    expect((await t.runJobs()).map(({ to, subject }) => [to, subject])).toEqual([[email, 'Your password was changed']]);
    expect((await post(t, 'validate-reset-token', { token: link })).status).toBe(422);
    expect((await post(t, 'login', { email, password: PASSWORD })).status).toBe(401);
    expect((await t.login(email, 'harbor at dawn')).id).toBe(userId);
  });

  test.each<[string, Partial<typeof passwords>, object]>([
    [
      'with a wrong current password',
      { currentPassword: 'a guess' },
      { currentPassword: 'The current password is incorrect' },
    ],
    [
      'with two different passwords',
      { confirmPassword: 'harbor at dusk' },
      { confirmPassword: 'Passwords must match' },
    ],
    ['to a common password', { password: 'Password1', confirmPassword: 'Password1' }, { password: easy }],
    ['to the company name', { password: 'harbor-supply', confirmPassword: 'harbor-supply' }, { password: easy }],
    [
      'to the same password',
      { password: PASSWORD, confirmPassword: PASSWORD },
      { password: 'The new password must be different from the current one' },
    ],
  ])('a password is not changed %s: the field shows the error, and the session stays open', async (_, more, fields) => {
    const { token, email } = t.world.company.reader;
    const answer = await change(token, more);
    expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ fields })]);
    expect(await isAlive(token)).toBe(true);
    expect(await t.runJobs()).toEqual([]);
    expect((await t.login(email)).email).toBe(email);
  });

  test('guessing a password returns 429 after 10 attempts in a session, and 401 without a session', async () => {
    const { token } = t.world.company.stranger;
    const statuses: number[] = [];
    for (let at = 0; at < 11; at += 1) statuses.push((await change(token, { currentPassword: `guess ${at}` })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
    expect((await change('x'.repeat(43))).status).toBe(401);
  });
});

test('a link that is 61 minutes old has expired', async () => {
  const token = await resetLink(t.world.other.stranger.email);
  await installation(t.pool, sql`update token set expires_at = now() - interval '1 minute' where used_at is null`);
  expect((await post(t, 'validate-reset-token', { token })).status).toBe(422);
});

test("a token of one kind can't be used as a token of another kind", async () => {
  const reset = await resetLink(t.world.company.stranger.email);
  expect((await post(t, 'verify-email', { token: reset })).status).toBe(422);
  expect((await post(t, 'register', { ...person, token: reset })).status).toBe(422);
  const invitation = await invite('doors@harbor.example');
  const passwords = { password: 'brand new one', confirmPassword: 'brand new one' };
  expect((await post(t, 'register/reset-password', { token: invitation, ...passwords })).status).toBe(422);
});

test('open sign-up creates a company whose administrator must first verify the email address', async () => {
  const email = 'owner@fresh.example';
  const body = { ...person, email: 'Owner@Fresh.example', companyName: 'Fresh Start' };
  expect((await post(open, 'register', { ...body, companyName: '' })).status).toBe(422);
  expect((await post(open, 'register', { ...body, email: 'no address' })).status).toBe(422);
  const made = await post(open, 'register', body);
  expect([made.status, made.body]).toEqual([
    200,
    { message: 'Registration successful, please check your email for verification instructions' },
  ]);
  expect((await post(open, 'login', { email, password: person.password })).status).toBe(401);
  const letters = await open.runJobs();
  expect(letters[0]?.link).toContain('https://books.example/verify-email?token=');
  expect((await post(open, 'verify-email', { token: 'y'.repeat(43) })).body).toMatchObject({
    message: 'Verification failed, you can also verify your account using the forgot password page.',
  });
  expect((await post(open, 'verify-email', { token: tokenIn(letters[0]) })).status).toBe(200);
  expect((await post(open, 'verify-email', { token: tokenIn(letters[0]) })).status).toBe(422);
  expect(await open.login(email, person.password)).toMatchObject({ userRole: 'Administrator', termsAccepted: true });
});

test('with a known address, open sign-up returns the usual response, but only emails the owner', async () => {
  const { email } = open.world.company.administrator;
  const before = await userCount(open);
  const answer = await post(open, 'register', { ...person, email, companyName: 'Twice' });
  expect([answer.status, answer.body]).toEqual([
    200,
    { message: 'Registration successful, please check your email for verification instructions' },
  ]);
  expect(await userCount(open)).toBe(before);
  expect((await open.runJobs()).map(({ to, subject, link }) => [to, subject, link])).toEqual([
    [email, 'You already have an account', undefined],
  ]);
  expect((await open.login(email)).companyId).toBe(open.world.company.companyId);
});

describe('another company for an existing account', () => {
  const add = (token: string, companyName: string, key?: string) =>
    open.request({
      method: 'POST',
      url: '/api/account/companies/new',
      token,
      body: { companyName, timeZone: 'America/Denver' },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });

  test('with open sign-up, a user can create a second company and enter it for first-time setup', async () => {
    const { token, userId } = open.world.company.reader;
    expect(await open.call(authCalls.listCompanies, { token })).toMatchObject({ mayAdd: true });
    const before = await userCount(open);
    const made = await add(token, ' Second Street ');
    expect([made.status, await userCount(open)]).toEqual([200, before]);
    const entered = await open.call(authCalls.enterCompany, { token, body: made.body });
    expect(entered).toMatchObject({
      id: userId,
      userRole: 'Administrator',
      setupCompleted: false,
      ...(made.body as object),
    });
    const company = await open.call(settingsCalls.getCompany, { token: entered.token });
    expect(company).toMatchObject({ displayname: 'Second Street', timeZone: 'America/Denver' });
    // The session in the first company continues.
    expect((await open.call(settingsCalls.getCompany, { token })).displayname).not.toBe('Second Street');
    expect((await add(token, '   ')).status).toBe(422);
  });

  test('a second company is created only once, even if the request is repeated with the same key', async () => {
    const { token } = open.world.company.superuser;
    const answers = await Promise.all(Array.from({ length: 4 }, () => add(token, 'Once Road', 'one key')));
    const again = await add(token, 'Once Road', 'one key');
    expect(new Set([...answers, again].map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set([...answers, again].map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { companies } = await open.call(authCalls.listCompanies, { token });
    expect(companies.filter(({ companyName }) => companyName === 'Once Road')).toHaveLength(1);
    expect((await add(token, 'Twice Road', 'one key')).body).toMatchObject({ code: 'key_reused' });
    // An idempotency key belongs to one user. Another user's request with the same key creates another company.
    const other = await add(open.world.company.reader.token, 'Once Road', 'one key');
    expect([other.status, other.body]).not.toEqual([200, again.body]);
  });

  test('a second company is rejected if registration requires an invitation or the limit is reached', async () => {
    const { token } = t.world.company.administrator;
    const url = '/api/account/companies/new';
    const refused = await t.request({ method: 'POST', url, token, body: { companyName: 'Third Wharf' } });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { message: expect.stringContaining('Only the operator') },
    ]);
    const { companies, mayAdd } = await t.call(authCalls.listCompanies, { token });
    expect([companies.length, mayAdd]).toEqual([1, false]);
    const { bookkeeper } = open.world.company;
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await add(bookkeeper.token, `Wharf ${count}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});
