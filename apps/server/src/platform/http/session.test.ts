import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { newSecret, openSessions } from './session.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('lookups in one turn of the event loop share a query, and each finds its own session or none', async () => {
  const { company, other } = t.world;
  const people = [company.administrator, company.reader, other.administrator];
  const find = openSessions(t.services);
  const spy = vi.spyOn(t.pool, 'query');
  const lookUps = () => spy.mock.calls.filter(([sent]) => JSON.stringify(sent).includes('from session')).length;
  const found = await Promise.all([...people, ...people].map(({ token }) => find(token)).concat(find(newSecret())));
  expect(lookUps()).toBe(1);
  const expected = [...people, ...people].map(({ email, companyId }) => ({ email, companyId }));
  expect(found.slice(0, -1)).toEqual(expected.map((each) => expect.objectContaining(each)));
  expect(found.at(-1)).toBeUndefined();
  await find(company.administrator.token);
  expect(lookUps()).toBe(2);
  spy.mockRestore();
});

test('signing out takes effect with the next request, even if other requests in the session are running', async () => {
  const { company } = t.world;
  for (let round = 0; round < 10; round += 1) {
    const { token } = await t.login(company.administrator.email);
    const roles = () => t.request({ method: 'GET', url: '/api/userroles', token });
    let isOver = false;
    const busy = Array.from({ length: 8 }, async () => {
      while (!isOver) await roles();
    });
    await roles();
    await t.call(authCalls.logout, { token });
    expect((await roles()).status).toBe(401);
    isOver = true;
    await Promise.all(busy);
  }
});

test('a failed lookup affects only the requests that shared it, and the next turn tries again', async () => {
  const { token } = t.world.company.administrator;
  const find = openSessions(t.services);
  const asked = vi.spyOn(t.pool, 'query').mockImplementationOnce(() => Promise.reject(new Error('unavailable')));
  const first = await Promise.allSettled([find(token), find(token)]);
  expect(first.map((each) => each.status)).toEqual(['rejected', 'rejected']);
  expect(await find(token)).toMatchObject({ email: t.world.company.administrator.email });
  asked.mockRestore();
});
