import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const create = (key: string, roleName: string, token = t.world.company.administrator.token) =>
  t.request({
    method: 'POST',
    url: '/api/userroles',
    token,
    headers: { 'idempotency-key': key },
    body: { id: 0, roleName, roleProperties: ['View Billing'] },
  });

test('an empty key or a key of 101 characters returns 400 and writes nothing', async () => {
  const before = await countRows(t, t.world.company.companyId, 'role');
  expect((await create('k'.repeat(101), 'Too long')).status).toBe(400);
  expect((await create('', 'Empty')).status).toBe(400);
  expect(await countRows(t, t.world.company.companyId, 'role')).toBe(before);
});

test('the same key with another body returns 409 and writes nothing more', async () => {
  const first = await create('other-body', 'Clerk A');
  expect(first.status).toBe(200);
  const before = await countRows(t, t.world.company.companyId, 'role');
  const second = await create('other-body', 'Clerk B');
  expect(second.status).toBe(409);
  expect(second.body).toMatchObject({
    code: 'key_reused',
    message: 'This Idempotency-Key was already used for a different request',
  });
  expect(await countRows(t, t.world.company.companyId, 'role')).toBe(before);
});

test('the same key and body return the first response, even though the first request took the role name', async () => {
  const first = await create('again', 'Clerk C');
  const second = await create('again', 'Clerk C');
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body).toEqual(first.body);
});

// Promise (together): A request that is repeated with its idempotency key has one effect and one response, even if the
// first response was lost. [20 simultaneous requests]

test('20 simultaneous requests with one key have one effect and one response', async () => {
  const { companyId } = t.world.company;
  const before = [await countRows(t, companyId, 'role'), await countRows(t, companyId, 'audit_log')];
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('twenty', 'Clerk D')));
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  const after = [await countRows(t, companyId, 'role'), await countRows(t, companyId, 'audit_log')];
  expect(after).toEqual(before.map((rows) => rows + 1));
});

test('20 simultaneous invitations with one key create one user and send one email', async () => {
  const { administrator, companyId } = t.world.company;
  const roles = await t.call(authCalls.listRoles, { token: administrator.token });
  const roleId = Array.isArray(roles) ? (roles[0]?.id ?? 0) : 0;
  const body = { firstName: 'Ida', lastName: 'Once', email: 'ida@once.example', roleId };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      t.request({
        method: 'POST',
        url: '/api/useradmin',
        token: administrator.token,
        headers: { 'idempotency-key': 'ida' },
        body,
      }),
    ),
  );
  expect(new Set(answers.map((answer) => `${answer.status} ${JSON.stringify(answer.body)}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(await countRows(t, companyId, 'job')).toBe(1);
});

test('two users, or two companies, never share a key', async () => {
  const { company, other } = t.world;
  const second = await t.signIn(company, 'Administrator');
  const mine = await create('shared', 'Clerk E');
  const colleague = await create('shared', 'Clerk F', second.token);
  const stranger = await create('shared', 'Clerk E', other.administrator.token);
  expect([mine.status, colleague.status, stranger.status]).toEqual([200, 200, 200]);
  const names = [mine, colleague, stranger].map((answer) => (answer.body as { roleName: string }).roleName);
  expect(names).toEqual(['Clerk E', 'Clerk F', 'Clerk E']);
});

test('a rejected request stores nothing under its key, so a corrected request succeeds with the same key', async () => {
  expect((await create('mended', '')).status).toBe(422);
  expect((await create('mended', 'Clerk G')).status).toBe(200);
});
