import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import { ErrorReply } from '@evenkeel/contract/endpoint';
import { addCustomer, ask, createCompany, invoiceOf, must, PASSWORD, signIn } from './testing/client.ts';
import {
  freePort,
  gone,
  Installation,
  isRunning,
  ownerOf,
  postmasterPid,
  type Server,
  PATIENCE_MS,
} from './testing/installation.ts';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

let installation: Installation;
let environment: { DATA_DIR: string };
let server: Server;
beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir() };
});
afterAll(() => installation.remove());

/** Starts the server, which must end with exit code 1 and exactly one line of output. Returns the line. */
async function refusedStart(given: Record<string, string>): Promise<string> {
  const program = installation.run('main.js', [], { PORT: '0', ...environment, ...given });
  expect(await program.ended).toBe(1);
  expect(program.out()).not.toContain('listening');
  expect(program.err()).toMatch(/^Evenkeel could not start: [^\n]+\n$/);
  return program.err().trim().replace('Evenkeel could not start: ', '');
}

describe('a start that fails with one clear line and exit code 1', () => {
  test.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PUBLIC_URL', 'ftp://books.example'],
    ['DATABASE_URL', 'mysql://localhost/books'],
    ['CHAT_WIDGET_URL', 'javascript:alert(1)'],
    ['SIGN_UP', 'everybody'],
  ])('startup with %s=%s fails', async (name, value) => {
    expect(await refusedStart({ [name]: value })).toMatch(new RegExp(`^${name}: .+`));
  });

  test('if the port is in use, the error names it, and the data directory is released immediately', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const line = await refusedStart({ PORT: port });
    expect(line).toBe(`Port ${port} is already in use. Stop the other program or set PORT to a different port`);
    await new Promise((resolve) => other.close(resolve));
    expect(await isRunning(await postmasterPid(environment.DATA_DIR))).toBe(false);
  });

  test('startup fails if the configured address does not belong to this machine', async () => {
    expect(await refusedStart({ HOST: '192.0.2.1' })).toBe('The host name in HOST or DATABASE_URL could not be found');
  });

  test('a database that does not respond is reported', async () => {
    const port = await freePort();
    expect(await refusedStart({ DATABASE_URL: `postgres://app:a-secret@127.0.0.1:${port}/none` })).not.toMatch(
      /a-secret| at /,
    );
  });

  test('a data directory that is a file is reported', async () => {
    const path = join(installation.root, 'a-file');
    await writeFile(path, '');
    await refusedStart({ DATA_DIR: path });
  });
});

const registration = {
  firstname: 'Fay',
  lastname: 'Founder',
  email: 'fay@founder.example',
  companyName: 'First Books',
  password: PASSWORD,
  confirmPassword: PASSWORD,
  acceptedterms: true,
};
const linkPattern = /To register the first one, open (\S+)/g;
const tokenOf = (link: string | undefined): string => new URL(link ?? '').searchParams.get('token') ?? '';

describe('the first start', () => {
  test('the first start prints one link that registers a company once, and invalidates earlier links', async () => {
    const earlier = await installation.start(environment);
    const [, deadLink] = await earlier.says(/To register the first one, open (\S+)/);
    expect((await earlier.stop()).code).toBe(0);
    server = await installation.start(environment);
    const [, link] = await server.says(/To register the first one, open (\S+)/);
    expect(link).toContain(`${server.address}/register?token=`);
    expect(await must(server.address, '/api/installation')).toMatchObject({ empty: true });
    const register = (token: string, changes = {}) =>
      ask(server.address, '/api/register', { body: { ...registration, token, ...changes } });
    expect((await register(tokenOf(deadLink))).status).toBe(422);
    expect((await register('A'.repeat(43))).status).toBe(422);
    expect((await register('')).status).toBe(422);
    expect((await register(tokenOf(link), { email: 'nobody' })).status).toBe(422);
    // Only one of ten simultaneous requests succeeds.
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => register(tokenOf(link), { email: `fay${index}@founder.example` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(422)]);
    expect((await register(tokenOf(link))).status).toBe(422);
    expect(await must(server.address, '/api/installation')).toMatchObject({ empty: false });
    const winner = `fay${answers.findIndex(({ status }) => status === 200)}@founder.example`;
    const session = await must(server.address, '/api/login', { body: { email: winner, password: PASSWORD } });
    expect(session).toMatchObject({ termsAccepted: true, userRole: 'Administrator', companyId: 1 });
    expect([...server.out().matchAll(linkPattern)]).toHaveLength(1);
  });

  test('startup prints no link if a company exists', async () => {
    expect((await server.stop()).code).toBe(0);
    server = await installation.start(environment);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    // A link would be printed right after the address.
    await sleep(300);
    expect(server.out()).not.toMatch(linkPattern);
  });
});

describe('a running server', () => {
  test('a second server on the same data directory exits with code 1 and names the running process', async () => {
    expect(await refusedStart({})).toBe(`another Evenkeel process (${server.pid}) is using this data directory`);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  });

  test('company create works on a running server, and its administrator can sign in immediately', async () => {
    const companyId = await createCompany(installation, environment, 'beside@harbor.example');
    const body = { email: 'beside@harbor.example', password: PASSWORD };
    const session = await must(server.address, '/api/login', { body });
    expect(session).toMatchObject({ companyId, termsAccepted: false });
  });

  test('the server listens only on the loopback address', async () => {
    const { port } = new URL(server.address);
    const outside = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    for (const host of ['127.0.0.2', ...outside]) expect([host, await answers(host, port)]).toEqual([host, false]);
    expect(await answers('127.0.0.1', port)).toBe(true);
  });

  test('the server counts its requests by route and status', async () => {
    await ask(server.address, '/api/customer/17');
    const text = await must<string>(server.address, '/metrics');
    expect(text).toMatch(/^http_requests_total\{method="GET",route="\/api\/customer\/:id",status="401"\} [1-9]/m);
    expect(text).toMatch(/^http_request_duration_seconds_bucket\{le="\+Inf",method="GET",route="\/readyz"\} [1-9]/m);
    expect(text).toMatch(/^database_connections_total [1-9]/m);
  });
});

/** Returns whether a connection to the address succeeds. */
function answers(host: string, port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    const tell = (does: boolean) => {
      socket.destroy();
      resolve(does);
    };
    socket.once('connect', () => tell(true));
    socket.once('error', () => tell(false));
  });
}

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  responses: Record<string, unknown>;
}

interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

/** Returns every object in a document. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const alphabetically = (a = '', b = ''): number => (a < b ? -1 : Number(a > b));

test('/api/openapi.json is a valid OpenAPI 3.1 document with every endpoint in the contract', async () => {
  const document = await must<OpenApiDocument>(server.address, '/api/openapi.json');
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect([typeof document.info.title, typeof document.info.version]).toEqual(['string', 'string']);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const named = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect(named.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} /api${path}`).toSorted());
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.every(({ required }) => required)).toBe(true);
    const inTemplate = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect([path, inPath.map(({ name }) => name).toSorted(alphabetically)]).toEqual([
      path,
      inTemplate.toSorted(alphabetically),
    ]);
    expect(Object.keys(operation.responses)).toContain('200');
  }
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const { $ref } of objectsIn(document)) {
    if ($ref === undefined) continue;
    const name = /^#\/components\/schemas\/(\w+)$/.exec(JSON.stringify($ref).slice(1, -1))?.[1];
    expect([$ref, Object.keys(document.components.schemas)]).toEqual([$ref, expect.arrayContaining([name])]);
  }
});

test('a waiting request gets a response after SIGTERM, and the server exits with code 0 within 10 s', async () => {
  const token = await signIn(server.address, 'beside@harbor.example');
  const customerId = await addCustomer(server.address, token, 'Slow');
  const postmaster = await postmasterPid(environment.DATA_DIR);
  const owner = await ownerOf(environment.DATA_DIR);
  installation.atEnd(() => owner.end());
  await owner.query('begin');
  await owner.query('select from ledger_head for update');
  const slow = ask(server.address, '/api/billinginvoice', { token, body: invoiceOf(customerId, 'slow') });
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await owner.query(waits)).rowCount === 0) await sleep(10);
  const stopping = server.stop();
  // After the server receives the signal, it accepts no new connections.
  const late = () =>
    ask(server.address, '/healthz').then(
      ({ status }) => status,
      () => undefined,
    );
  await expect.poll(late, { timeout: 5000 }).not.toBe(200);
  expect([undefined, 503]).toContain(await late());
  await owner.query('rollback');
  await owner.end();
  expect((await slow).status).toBe(200);
  const { code, milliseconds } = await stopping;
  expect(code).toBe(0);
  // The server exits after the last response, without waiting for the keep-alive time of 7 s.
  expect(milliseconds).toBeLessThan(6500);
  expect(await gone(postmaster)).toBe(true);
  server = await installation.start(environment);
  expect(await must<unknown[]>(server.address, '/api/billinginvoice', { token })).toHaveLength(1);
});

test('the server exits about 10 s after SIGTERM even if a request never ends', async () => {
  const token = await signIn(server.address, 'beside@harbor.example');
  const postmaster = await postmasterPid(environment.DATA_DIR);
  const owner = await ownerOf(environment.DATA_DIR);
  installation.atEnd(() => owner.end());
  await owner.query('begin');
  await owner.query('lock table entity in access exclusive mode');
  const stuck = ask(server.address, '/api/customer', { token }).catch(() => undefined);
  await sleep(300);
  expect((await server.stop()).milliseconds).toBeLessThan(12_000);
  expect((await stuck)?.status ?? 503).toBe(503);
  expect(await gone(postmaster)).toBe(true);
});

test('a server with HOST=0.0.0.0 can be reached from other machines and calls itself localhost', async () => {
  const open = await installation.start({ ...environment, HOST: '0.0.0.0' });
  const { port } = new URL(open.address);
  expect(open.out()).toContain(`Evenkeel is listening on http://localhost:${port}\n`);
  expect(await answers('127.0.0.2', port)).toBe(true);
  expect((await open.stop()).code).toBe(0);
});

// Promise (access): Logs contain no password, token, cookie, or key. [at level trace]
test('the log contains no password, token, cookie, or key at any level', async () => {
  const logged = await installation.start({ ...environment, LOG_LEVEL: 'trace' });
  const { address } = logged;
  const secrets = ['a-wrong-passphrase', 'cookie-4711', 'query-secret-4711', 'header-secret-4711', PASSWORD];
  const login = { email: 'beside@harbor.example', password: 'a-wrong-passphrase' };
  expect((await ask(address, '/api/login', { body: login })).status).toBe(401);
  const token = await signIn(address, login.email);
  const headers = { cookie: 'session=cookie-4711', 'x-api-key': 'header-secret-4711' };
  await must(address, '/api/customer', { token, headers });
  await ask(address, '/api/customer?token=query-secret-4711', { headers: { authorization: 'Basic cookie-4711' } });
  await ask(address, '/register?token=query-secret-4711');
  await ask(address, '/api/register', { body: { ...registration, token: 'query-secret-4711' } });
  await ask(address, '/api/login', { body: { password: 'header-secret-4711', email: { a: 'cookie-4711' } } });
  const reset = { password: PASSWORD, confirmPassword: PASSWORD, token: 'query-secret-4711' };
  await ask(address, '/api/register/reset-password', { body: reset });
  await must(address, '/api/register/forgotpassword', { body: { Email: login.email } });
  await logged.says(/^Reset your password \S+: the email with the link is in MAIL_DIR$/m);
  const outbox = join(environment.DATA_DIR, 'outbox');
  const letters = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')));
  const links = letters.flatMap((text) => text.match(/[?&]token=([\w-]+)/)?.[1] ?? []);
  expect(links.length).toBeGreaterThan(0);
  expect((await ask(address, '/api/logout', { token, method: 'POST' })).status).toBe(200);
  expect((await logged.stop()).code).toBe(0);
  const log = `${logged.out()}${logged.err()}`;
  expect(log.match(/"route":"\/api\/login","status":401/g)).toHaveLength(1);
  for (const secret of [...secrets, token, ...links]) expect([secret, log.includes(secret)]).toEqual([secret, false]);
  const postgres = await readFile(join(environment.DATA_DIR, 'postgres.log'), 'utf8');
  for (const secret of [...secrets, token]) expect([secret, postgres.includes(secret)]).toEqual([secret, false]);
});

test('a company that is created before the server starts is available, and no link is printed', async () => {
  const fresh = { DATA_DIR: installation.dataDir() };
  await mkdir(fresh.DATA_DIR);
  await createCompany(installation, fresh);
  expect(await isRunning(await postmasterPid(fresh.DATA_DIR))).toBe(false);
  const later = await installation.start(fresh);
  expect(await signIn(later.address)).toMatch(/^[\w-]{43}$/);
  expect(later.out()).not.toMatch(linkPattern);
  expect((await later.stop()).code).toBe(0);
});

test('every error response has the same format, even for unknown routes', async () => {
  server = await installation.start(environment);
  for (const path of ['/api/nothing', '/nothing.js', '/api/customer/1/2/3', '/api/%zz']) {
    const { status, body } = await ask(server.address, path);
    expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    expect(() => ErrorReply.parse(body)).not.toThrow();
  }
});
