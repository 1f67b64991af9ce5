import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('an unknown path under /api answers 404 in the one error shape', async () => {
  const answer = await t.request({ method: 'GET', url: '/api/nothing' });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ code: 'not_found' });
});

test('a reader may list areas, and may not list users', async () => {
  const { reader } = t.world.company;
  expect((await t.request({ method: 'GET', url: '/API/Roles/', token: reader.token })).status).toBe(200);
  expect((await t.request({ method: 'GET', url: '/api/useradmin', token: reader.token })).status).toBe(403);
});
