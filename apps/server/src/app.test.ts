import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './testing/app.ts';

let t: TestApp;
let proxied: TestApp;
beforeAll(async () => {
  const tuning = { requestsPerMinute: 3 };
  const table = { endpoints: [], routes: [] };
  [t, proxied] = await Promise.all([
    startTestApp({ tuning, table }),
    startTestApp({ tuning, table, config: { trustProxy: true } }),
  ]);
});
afterAll(() => Promise.all([t.close(), proxied.close()]));

const get = (app: TestApp, address: string, forwarded?: string) =>
  app.request({
    method: 'GET',
    url: '/healthz',
    address,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });

test('the 4th request of an address in a minute answers 429 with Retry-After; another address goes on', async () => {
  const statuses: number[] = [];
  for (let round = 0; round < 4; round += 1) statuses.push((await get(t, '10.3.0.1')).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refused = await get(t, '10.3.0.1');
  expect(refused.body).toMatchObject({ code: 'rate_limited', requestId: refused.headers['x-request-id'] });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await get(t, '10.3.0.2')).status).toBe(200);
});

test('without TRUST_PROXY an invented X-Forwarded-For changes nothing', async () => {
  for (let round = 0; round < 3; round += 1) await get(t, '10.3.0.3', `192.0.2.${round}`);
  expect((await get(t, '10.3.0.3', '192.0.2.9')).status).toBe(429);
});

test('with TRUST_PROXY the nearest hop says who calls; what the client wrote before it does not count', async () => {
  for (let round = 0; round < 3; round += 1) await get(proxied, '10.3.0.4', `192.0.2.${round}, 203.0.113.7`);
  expect((await get(proxied, '10.3.0.4', '192.0.2.9, 203.0.113.7')).status).toBe(429);
  expect((await get(proxied, '10.3.0.4', '192.0.2.9, 203.0.113.8')).status).toBe(200);
});
