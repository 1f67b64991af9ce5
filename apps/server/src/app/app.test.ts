import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveMetrics } from '../platform/http/operations.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';

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

test('the fourth request from one address in a minute returns 429 with Retry-After, and others succeed', async () => {
  const statuses: number[] = [];
  for (let round = 0; round < 4; round += 1) statuses.push((await get(t, '10.3.0.1')).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refused = await get(t, '10.3.0.1');
  expect(refused.body).toMatchObject({ code: 'rate_limited', requestId: refused.headers['x-request-id'] });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await get(t, '10.3.0.2')).status).toBe(200);
});

test('METRICS turns the metrics off or serves them on a separate address', async () => {
  const table = { endpoints: [], routes: [] };
  const apart = await startTestApp({ table, config: { metrics: { host: '127.0.0.1', port: 0 } } });
  try {
    expect((await apart.request({ method: 'GET', url: '/metrics' })).status).toBe(404);
    const { port, close } = await serveMetrics(apart.app, { host: '127.0.0.1', port: 0 });
    const answers = await Promise.all(
      ['/metrics', '/healthz', '/'].map((path) => fetch(`http://127.0.0.1:${port}${path}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
    expect(await answers[0]?.text()).toContain('http_requests_total{method="GET",route="/metrics",status="404"} 1');
    await close();
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('fetch failed');
  } finally {
    await apart.close();
  }
});

test('without TRUST_PROXY, a forged X-Forwarded-For changes nothing', async () => {
  for (let round = 0; round < 3; round += 1) await get(t, '10.3.0.3', `192.0.2.${round}`);
  expect((await get(t, '10.3.0.3', '192.0.2.9')).status).toBe(429);
});

test('with TRUST_PROXY, only the address from the nearest proxy counts', async () => {
  for (let round = 0; round < 3; round += 1) await get(proxied, '10.3.0.4', `192.0.2.${round}, 203.0.113.7`);
  expect((await get(proxied, '10.3.0.4', '192.0.2.9, 203.0.113.7')).status).toBe(429);
  expect((await get(proxied, '10.3.0.4', '192.0.2.9, 203.0.113.8')).status).toBe(200);
});

test('by default, /metrics is open only on the loopback address and not through a proxy', async () => {
  const table = { endpoints: [], routes: [] };
  const own = await startTestApp({ table });
  try {
    await own.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = own.app.server.address() as { port: number };
    const ask = (headers = {}) => fetch(`http://127.0.0.1:${port}/metrics`, { headers });
    expect((await ask()).status).toBe(200);
    expect((await ask({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
  } finally {
    await own.close();
  }
  const wide = await startTestApp({ table });
  try {
    await wide.app.listen({ host: '0.0.0.0', port: 0 });
    const { port } = wide.app.server.address() as { port: number };
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
  } finally {
    await wide.close();
  }
});
