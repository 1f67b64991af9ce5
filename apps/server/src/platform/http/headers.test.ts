import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';

const addresses = { http: 'http://127.0.0.1:3000', https: 'https://books.example' };
let apps: Record<string, TestApp>;
beforeAll(async () => {
  const start = (publicUrl: string, trustProxy: boolean) => startTestApp({ config: { publicUrl, trustProxy } });
  const [plain, proxied, named] = await Promise.all([
    start(addresses.http, false),
    start(addresses.http, true),
    start(addresses.https, false),
  ]);
  apps = { plain, proxied, named };
});
afterAll(() => Promise.all(Object.values(apps).map((app) => app.close())));

const hsts = async (app: string, url: string, proto?: string) => {
  const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto };
  const answer = await apps[app]?.request({ method: 'GET', url, headers });
  return answer?.headers['strict-transport-security'];
};

test.each(['/', '/api/installation', '/healthz', '/nowhere'])(
  '%s tells browsers to keep using HTTPS if it is served over HTTPS',
  async (url) => {
    const always = 'max-age=31536000';
    expect(await hsts('named', url)).toBe(always);
    expect(await hsts('proxied', url, 'https')).toBe(always);
    expect(await hsts('proxied', url, 'http')).toBeUndefined();
    expect(await hsts('proxied', url)).toBeUndefined();
    // A client that reaches the server without a proxy could send any header.
    expect(await hsts('plain', url, 'https')).toBeUndefined();
  },
);
