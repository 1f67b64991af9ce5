import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { authCalls } from '@evenkeel/contract/auth';
import { installation } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PASSWORD, type WorldCompany } from '../../testing/world.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

let addresses = 0;
/** Each test signs in from a separate address, so that tests don't share limits. */
const newAddress = (): string => `10.0.0.${(addresses += 1)}`;

const attempt = (email: string, password: string, address: string) =>
  t.request({ method: 'POST', url: '/api/login', body: { email, password }, address });

const whoAmI = (token: string) => t.request({ method: 'GET', url: '/api/loginroles', token });

test.each([
  ['no email', { password: 'x' }, 'Email is required'],
  ['an empty email', { email: ' ', password: 'x' }, 'Email is required'],
  ['an invalid email address', { email: 'ada', password: 'x' }, 'Email is invalid'],
  ['a line break in the address', { email: 'ada@x.example\nBcc: b@x.example', password: 'x' }, 'Email is invalid'],
  ['no password', { email: 'ada@harbor-supply.example' }, 'Password is required'],
  ['an empty password', { email: 'ada@harbor-supply.example', password: '' }, 'Password is required'],
  ['a list as the password', { email: 'ada@harbor-supply.example', password: ['x'] }, 'Password is required'],
])('a sign-in with %s returns 400', async (_, body, message) => {
  const answer = await t.request({ method: 'POST', url: '/api/login', body });
  expect(answer.status).toBe(400);
  expect((answer.body as { message: string }).message).toContain(message);
});

test('an unknown address, a wrong password, and an unverified address get the same response', async () => {
  const address = newAddress();
  const company = await t.createCompany('Unverified House');
  const { email, userId } = company.bookkeeper;
  await installation(t.pool, sql`update app_user set email_verified_at = null where id = ${userId}`);
  const answers = [
    await attempt('nobody@nowhere.example', PASSWORD, address),
    await attempt(company.reader.email, 'not the password', address),
    await attempt(email, PASSWORD, address),
  ];
  const bodies = answers.map(({ status, body }) => ({
    status,
    ...(body as { code: string; message: string }),
    requestId: 0,
  }));
  expect(bodies[0]).toMatchObject({ status: 401, message: 'The email address or password is incorrect' });
  expect(bodies[1]).toEqual(bodies[0]);
  expect(bodies[2]).toEqual(bodies[0]);
  expect((await t.runJobs()).map(({ to, subject }) => [to, subject])).toEqual([[email, 'Confirm your email address']]);
});

test('the 11th attempt after 10 failures returns 429 with Retry-After, even with the correct password', async () => {
  const address = newAddress();
  const { email } = t.world.company.bookkeeper;
  for (let round = 0; round < 10; round += 1)
    expect((await attempt(email, `wrong ${round}`, address)).status).toBe(401);
  const answer = await attempt(email, PASSWORD, address);
  expect(answer.status).toBe(429);
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThan(800);
  expect(seconds).toBeLessThanOrEqual(900);
  expect((await attempt(email, PASSWORD, newAddress())).status).toBe(200);
});

test('20 simultaneous wrong passwords return 401 ten times and 429 ten times', async () => {
  const address = newAddress();
  const { email } = t.world.company.superuser;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => attempt(email, `wrong ${index}`, address)),
  );
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), ...Array.from({ length: 10 }, () => 429)]);
});

test('20 simultaneous correct passwords all sign in', async () => {
  const { email } = t.world.company.reader;
  const address = newAddress();
  const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(email, PASSWORD, address)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => (answer.body as { token: string }).token)).size).toBe(20);
});

test('an unknown address has the same limit as a known one', async () => {
  const address = newAddress();
  for (let round = 0; round < 10; round += 1) await attempt('ghost@nowhere.example', 'wrong', address);
  expect((await attempt('ghost@nowhere.example', 'wrong', address)).status).toBe(429);
});

test('100 failed sign-ins to many accounts from one network address block that address', async () => {
  const address = newAddress();
  for (let account = 0; account < 10; account += 1) {
    await Promise.all(Array.from({ length: 10 }, () => attempt(`account${account}@many.example`, 'wrong', address)));
  }
  expect((await attempt(t.world.other.reader.email, PASSWORD, address)).status).toBe(429);
});

test('X-Forwarded-For does not affect a limit unless TRUST_PROXY is on', async () => {
  const address = newAddress();
  const send = (forwarded: string) =>
    t.request({
      method: 'POST',
      url: '/api/login',
      body: { email: 'forward@nowhere.example', password: 'wrong' },
      headers: { 'x-forwarded-for': forwarded },
      address,
    });
  for (let round = 0; round < 10; round += 1) await send(`192.0.2.${round}`);
  expect((await send('192.0.2.99')).status).toBe(429);
});

test('a sign-in returns the user and their permissions in the API format', async () => {
  const { company } = t.world;
  const answer = await attempt(company.reader.email.toUpperCase(), PASSWORD, newAddress());
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    id: company.reader.userId,
    token: expect.stringMatching(/^[\w-]{43}$/),
    termsAccepted: true,
    initials: 'RP',
    email: company.reader.email,
    firstName: 'Rita',
    lastName: 'Person',
    displayName: 'Rita Person',
    companyId: company.companyId,
    companySince: expect.stringMatching(/^\d{16}$/),
    roleId: expect.any(Number),
    userRole: 'Read Only',
    permissions: expect.arrayContaining(['View Billing', 'View Reports']),
    setupCompleted: false,
    secondFactorMissing: false,
  });
});

test('the database stores only the hash of a token', async () => {
  const { token } = await t.login(t.world.other.superuser.email);
  const rows = await installation(t.pool, sql<{ text: string }>`select session::text as text from session`);
  expect(rows.some(({ text }) => text.includes(token))).toBe(false);
});

test('passwords are stored as argon2id hashes', async () => {
  const rows = await installation(
    t.pool,
    sql<{ hash: string }>`select password_hash as hash from app_user where password_hash is not null`,
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { hash } of rows) expect(hash).toMatch(/^\$argon2id\$/);
});

test("after a user signs out, the token is invalid, and the user's other session stays open", async () => {
  const [first, second] = [await t.login(t.world.other.reader.email), await t.login(t.world.other.reader.email)];
  await t.call(authCalls.logout, { token: first.token });
  expect((await whoAmI(first.token)).status).toBe(401);
  expect((await whoAmI(second.token)).status).toBe(200);
});

test.each([
  ['idle for 12 hours and a minute', sql`last_seen_at = now() - interval '12 hours 1 minute'`],
  ['older than its maximum lifetime', sql`expires_at = now() - interval '1 second'`],
])('a session %s is invalid', async (_, change) => {
  const { token, id } = await t.login(t.world.other.stranger.email);
  expect((await whoAmI(token)).status).toBe(200);
  await installation(t.pool, sql`update session set ${change} where user_id = ${id}`);
  expect((await whoAmI(token)).status).toBe(401);
});

test("a session's last use is updated at most once a minute", async () => {
  const person = t.world.other.bookkeeper;
  const seen = async () => {
    const [row] = await installation(
      t.pool,
      sql<{ at: Date }>`select last_seen_at as at from session where user_id = ${person.userId}`,
    );
    return row?.at.getTime() ?? 0;
  };
  // Simulates a session that was last used some time ago.
  const rested = (time: string) =>
    installation(
      t.pool,
      sql`update session set last_seen_at = now() - ${time}::interval where user_id = ${person.userId}`,
    );
  await rested('30 seconds');
  const before = await seen();
  await whoAmI(person.token);
  // The timestamp is written asynchronously, so the write could still be pending.
  while (t.pool.idleCount < t.pool.totalCount) await sleep(5);
  expect(await seen()).toBe(before);
  await rested('2 minutes');
  const past = await seen();
  await whoAmI(person.token);
  await expect.poll(seen, { timeout: 5000 }).toBeGreaterThan(past);
});

async function withoutTerms(company: WorldCompany) {
  const person = await t.signIn(company, 'Bookkeeper');
  await installation(t.pool, sql`update app_user set terms_version = null where id = ${person.userId}`);
  return person;
}

test('until the terms are accepted, other requests return 409, and accepting them replaces the token', async () => {
  const person = await withoutTerms(t.world.company);
  expect((await whoAmI(person.token)).body).toMatchObject({ code: 'terms_required' });
  const refused = await t.request({
    method: 'PUT',
    url: '/api/UserAdmin/UpdateUserTerms',
    token: person.token,
    body: { termsAccepted: false },
  });
  expect(refused.status).toBe(400);
  const token = await t.call(authCalls.updateUserTerms, { token: person.token, body: { termsAccepted: true } });
  expect((await whoAmI(person.token)).status).toBe(401);
  expect((await whoAmI(token)).status).toBe(200);
});

test('a new version of the terms must be accepted again', async () => {
  const person = await t.signIn(t.world.company, 'Bookkeeper');
  await installation(t.pool, sql`update app_user set terms_version = 'an older one' where id = ${person.userId}`);
  expect((await whoAmI(person.token)).status).toBe(409);
});

test('the terms and the privacy policy are public PDFs', async () => {
  for (const document of ['TermsOfService', 'privacyPolicy']) {
    const answer = await t.request({ method: 'GET', url: `/api/GlobalDocument/${document}` });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(answer.headers['content-disposition']).toMatch(/^inline/);
    expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  }
});

test('loginroles returns the role for administrators and superusers, and the permissions for other users', async () => {
  const { administrator, superuser, reader } = t.world.company;
  const namesOf = async (token: string) =>
    (await t.call(authCalls.loginRoles, { token })).map(({ roleName }) => roleName);
  expect(await namesOf(administrator.token)).toEqual(['Administrator']);
  expect(await namesOf(superuser.token)).toEqual(['Superuser']);
  expect(await namesOf(reader.token)).toEqual(
    ['Dashboard', 'Billing', 'Expenses', 'Customers', 'Vendors', 'Products', 'Banking', 'Reports', 'Accounting'].map(
      (area) => `View ${area}`,
    ),
  );
});

describe('guesses from many addresses', () => {
  const statuses = async (email: string, count: number) => {
    const answers: number[] = [];
    for (let at = 0; at < count; at += 1) answers.push((await attempt(email, `guess ${at}`, newAddress())).status);
    return answers;
  };
  const limited = [...Array<number>(30).fill(401), ...Array<number>(5).fill(429)];

  // Promise (access): Password guesses from many addresses for one account share a limit, and the owner can still sign
  // in. [30 an hour; IPv6 by /64]
  test('guesses share one limit per account, but the owner can use a known network or reset the password', async () => {
    const { email } = (await t.createCompany()).bookkeeper;
    const [home, travelling] = [newAddress(), newAddress()];
    expect((await attempt(email, PASSWORD, home)).status).toBe(200);
    // The first sign-in was one of the 30 attempts.
    expect(await statuses(email, 34)).toEqual(limited.slice(1));
    const refused = await attempt(email, PASSWORD, travelling);
    expect([refused.status, refused.body]).toEqual([
      429,
      expect.objectContaining({ message: expect.stringContaining('Forgot Password?') }),
    ]);
    expect((await attempt(email, PASSWORD, home)).status).toBe(200);
    await t.call(authCalls.forgotPassword, { body: { Email: email } });
    const letter = (await t.runJobs()).find(({ to }) => to === email);
    const token = new URL(letter?.link ?? '').searchParams.get('token');
    const body = { token, email, password: 'another plain phrase', confirmPassword: 'another plain phrase' };
    const reset = { method: 'POST', url: '/api/register/reset-password', body, address: travelling } as const;
    expect((await t.request(reset)).status).toBe(200);
    expect((await attempt(email, 'another plain phrase', travelling)).status).toBe(200);
  });

  test('guesses get the same responses whether or not the account exists', async () => {
    expect(await statuses('nobody@guessed.example', 35)).toEqual(limited);
  });

  test("each IPv6 network has one limit, and guesses don't affect neighboring networks", async () => {
    const email = 'nobody@v6.example';
    for (let at = 0; at < 10; at += 1) {
      expect((await attempt(email, 'guess', `2001:db8:1:2:${at}::${at}`)).status).toBe(401);
    }
    expect((await attempt(email, 'guess', '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await attempt(email, 'guess', '2001:db8:1:3::1')).status).toBe(401);
  });
});

describe('after a clock that was a month ahead is corrected', () => {
  const ahead = sql`now() + interval '31 days'`;

  test('a limit that starts in the future is ignored and locks out no user', async () => {
    const { email } = t.world.other.stranger;
    const address = newAddress();
    for (let at = 0; at < 10; at += 1) await attempt(email, 'wrong', address);
    expect((await attempt(email, PASSWORD, address)).status).toBe(429);
    await installation(t.pool, sql`update rate_limit set window_start = ${ahead}`);
    expect((await attempt(email, 'wrong', address)).status).toBe(401);
    expect((await attempt(email, PASSWORD, address)).status).toBe(200);
  });

  test.each([
    [
      'that began while the clock was ahead',
      sql`created_at = ${ahead}, last_seen_at = ${ahead}, expires_at = ${ahead} + interval '30 days'`,
    ],
    ['last used while the clock was ahead', sql`last_seen_at = ${ahead}`],
  ])('a session %s is invalid after the clock is corrected', async (_, change) => {
    const { token, id } = await t.login(t.world.other.bookkeeper.email);
    expect((await whoAmI(token)).status).toBe(200);
    await installation(t.pool, sql`update session set ${change} where user_id = ${id}`);
    expect((await whoAmI(token)).status).toBe(401);
  });

  test('a link dated in the future is invalid, and emails are not delayed', async () => {
    const { email, userId } = t.world.other.reader;
    await t.call(authCalls.forgotPassword, { body: { Email: email } });
    await t.inCompany(t.world.other.companyId, (tx) => tx.rows(sql`update job set run_at = ${ahead}`));
    const letter = (await t.runJobs()).find(({ to }) => to === email);
    const token = new URL(letter?.link ?? '').searchParams.get('token');
    await installation(
      t.pool,
      sql`update token set created_at = ${ahead}, expires_at = ${ahead} + interval '1 hour' where user_id = ${userId}`,
    );
    expect((await t.refused(authCalls.validateResetToken, { body: { token, email } })).status).toBe(422);
  });
});
