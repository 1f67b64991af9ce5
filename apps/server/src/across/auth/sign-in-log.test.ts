import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditCalls } from '@evenkeel/contract/audit';
import { authCalls } from '@evenkeel/contract/auth';
import { closingCalls } from '@evenkeel/contract/closing';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PASSWORD } from '../../testing/world.ts';

interface Line {
  event?: string;
  account?: string;
  network?: string;
  method?: string;
  reason?: string;
  limit?: string;
  userId?: number;
}

let t: TestApp;
const lines: string[] = [];
const log = pino(
  { level: 'info' },
  new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  }),
);
beforeAll(async () => {
  t = await startTestApp({ log });
});
afterAll(() => t.close());
beforeEach(() => void lines.splice(0));

const events = (): Line[] => lines.map((line) => JSON.parse(line) as Line).filter(({ event }) => event !== undefined);
const login = (email: string, password = PASSWORD, address = '10.2.0.1') =>
  t.request({ method: 'POST', url: '/api/login', body: { email, password }, address });

test('a sign-in is logged with pseudonyms for the account and network, and recorded in the audit log', async () => {
  const { administrator, bookkeeper } = t.world.company;
  const { status } = await login(bookkeeper.email);
  expect(status).toBe(200);
  const [told] = events();
  expect(told).toMatchObject({ event: 'signed in', userId: bookkeeper.userId, method: 'password' });
  expect([told?.account, told?.network]).toEqual([
    expect.stringMatching(/^[\da-f]{16}$/),
    t.services.pseudonym('10.2.0.1'),
  ]);
  const query = { kind: 'sign-in' } as never;
  const audit = await t.call(auditCalls.listAudit, { token: administrator.token, query });
  const [entry] = Array.isArray(audit) ? audit : audit.items;
  expect(entry).toMatchObject({ action: 'create', userId: bookkeeper.userId, title: 'password', byKind: 'session' });
  expect(entry?.changes).toContainEqual({ field: 'Network', before: null, after: told?.network });
});

test('rejected sign-ins are logged with the same pseudonym, whether or not the account exists', async () => {
  const { reader } = t.world.company;
  await login(reader.email, 'not the password');
  await login(` ${reader.email.toUpperCase()}`, 'not the password');
  await login('nobody@nowhere.example', 'not the password');
  const told = events();
  const refused = { event: 'sign-in refused', method: 'password', reason: 'unauthenticated' };
  expect(told).toEqual([
    expect.objectContaining(refused),
    expect.objectContaining(refused),
    expect.objectContaining(refused),
  ]);
  expect(told[0]?.account).toBe(told[1]?.account);
  expect(told[2]?.account).not.toBe(told[0]?.account);
});

test('an exceeded limit is logged by name', async () => {
  for (let count = 0; count < 11; count += 1) await login('limited@nowhere.example', 'wrong', '10.2.0.9');
  expect(events().at(-1)).toMatchObject({
    event: 'limit reached',
    limit: 'login',
    network: t.services.pseudonym('10.2.0.9'),
  });
});

test('a denied request and a full export of the books are logged with the user', async () => {
  const { administrator, stranger } = t.world.company;
  await t.refused(closingCalls.exportBooks, { query: {}, token: stranger.token });
  await t.call(closingCalls.exportBooks, { token: administrator.token, query: {} });
  expect(events()).toMatchObject([
    { event: 'access refused', userId: stranger.userId },
    { event: 'books exported', userId: administrator.userId },
  ]);
});

test('the log contains no email address, network address, password, or token from a sign-in', async () => {
  const { superuser } = t.world.company;
  const { body } = await login(superuser.email);
  const { token } = body as { token: string };
  await t.call(authCalls.logout, { token, query: {} });
  await login(superuser.email, 'my secret password');
  expect(events().map(({ event }) => event)).toEqual(['signed in', 'signed out', 'sign-in refused']);
  for (const secret of [superuser.email, '10.2.0.1', PASSWORD, 'my secret password', token]) {
    expect(lines.join('')).not.toContain(secret);
  }
});
