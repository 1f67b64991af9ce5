import * as fc from 'fast-check';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import { type Endpoint, ErrorReply } from '@evenkeel/contract/endpoint';
import { decode } from '@evenkeel/contract/wire';
import { installation } from '../db/tx.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { allRoutes } from '../../app/routes.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type TableDigest, tableDigests } from '../../testing/digests.ts';
import { addRecords, parametersOf, recordFor, type Records } from '../../testing/records.ts';
import { testConfig } from '../../testing/settings.ts';
import { newSecret, sessionInsert } from './session.ts';
import { hostileRequest, type HostileRequest, wrongBodies } from './testing/hostile.ts';

const RUNS = Number(process.env['TORTURE_RUNS'] ?? 500);

let t: TestApp;
let port: number;
let records: Records;
let owner: pg.Client;
let fingerprint: () => Promise<TableDigest[]>;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  t = await startTestApp({ config: { trustProxy: true } });
  records = await addRecords(t.pool, t.world.company);
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const address = t.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  owner = new pg.Client({ connectionString: t.databaseUrl });
  await owner.connect();
  fingerprint = await tableDigests(owner, 'false');
});
afterAll(async () => {
  agent.destroy();
  await owner.end();
  await t.close();
});

interface Reply {
  status: number;
  type: string;
  requestId: unknown;
  text: string;
}

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

const isGzip = ({ headers }: IncomingMessage): boolean => headers['content-encoding'] === 'gzip';

function send({ method, path, headers, body }: Sent): Promise<Reply> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const out = request(
      { port, host: '127.0.0.1', method, path, headers: { ...headers, ...length }, agent },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            type: answer.headers['content-type'] ?? '',
            requestId: answer.headers['x-request-id'],
            text: (isGzip(answer) ? gunzipSync(Buffer.concat(chunks)) : Buffer.concat(chunks)).toString(),
          }),
        );
      },
    );
    out.on('error', reject);
    out.end(body);
  });
}

/** Opens a session for a single request, because an earlier hostile request may have signed out. */
async function authorization(): Promise<string> {
  const token = newSecret();
  await installation(t.pool, sessionInsert(token, t.world.company.administrator, testConfig()));
  return `Bearer ${token}`;
}

// The form message "Please Select …" must not be mistaken for SQL, regardless of the message for the next field.
const sqlOf =
  /(?<!please )select [^"]* from|insert into|constraint|violates|relation "|column "|syntax error|evenkeel_app/i;
const codeOf = /\.ts\b|\.js\b|node_modules|\n\s+at |FST_ERR|zod/i;

/** Expects an error in the standard format, with the request ID and without internal details. */
function expectRefusal(reply: Reply): void {
  expect(reply.type).toBe('application/json; charset=utf-8');
  const error = ErrorReply.parse(JSON.parse(reply.text));
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  if (reply.requestId !== undefined) expect(error.requestId).toBe(reply.requestId);
  const { current: _, ...said } = error;
  for (const leak of [sqlOf, codeOf]) expect(JSON.stringify(said)).not.toMatch(leak);
}

const bound = new Set(allRoutes.map((route) => route.endpoint));
const served = endpoints.filter((endpoint) => bound.has(endpoint));
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const pathOf = (endpoint: Endpoint): string =>
  parametersOf(endpoint).reduce(
    (path, name) => path.replace(`{${name}}`, String(recordFor(endpoint, name, records) ?? 1)),
    `/api${endpoint.path}`,
  );

// Promise (input): Invalid input of every kind is rejected with the standard error format, and nothing is written. [no
// response with a status of 500 or above]
test(`${RUNS} hostile requests get a status below 500 in a standard format, and rejections write nothing`, async () => {
  let before = await fingerprint();
  expect(before.length).toBeGreaterThan(25);
  const seen: Record<number, number> = {};
  const check = async ({ index, ...sent }: HostileRequest): Promise<void> => {
    const schema = served[index]?.reply;
    const headers = { 'x-forwarded-for': '10.0.0.1', ...sent.headers, authorization: await authorization() };
    const reply = await send({ ...sent, headers });
    seen[reply.status] = (seen[reply.status] ?? 0) + 1;
    expect(reply.status).toBeLessThan(500);
    if (reply.status >= 400) {
      if (sent.method !== 'HEAD') expectRefusal(reply);
      expect(await fingerprint()).toEqual(before);
      return;
    }
    if (typeof schema === 'object' && sent.method === served[index]?.method) decode(schema, JSON.parse(reply.text));
    before = await fingerprint();
  };
  await fc.assert(fc.asyncProperty(hostileRequest(served, records), check), { numRuns: RUNS, endOnFailure: true });
  // Both counts matter, because a test in which all requests or none are rejected would prove nothing.
  expect(seen[400]).toBeGreaterThan(RUNS / 20);
  expect(seen[200]).toBeGreaterThan(RUNS / 50);
  for (const { companyId } of [t.world.company, t.world.other]) {
    const { faults } = await verifyCompany(t.pool, companyId);
    // The records were inserted as rows without ledger entries, so their documents don't match the ledger even before
    // the test.
    expect(
      faults.filter(({ check: name }) => ['chain', 'balance', 'ids', 'reversals', 'totals', 'head'].includes(name)),
    ).toEqual([]);
  }
});

async function expectRefused(sent: Sent, ...statuses: number[]): Promise<void> {
  const before = await fingerprint();
  const reply = await send({ ...sent, headers: { authorization: await authorization(), ...sent.headers } });
  expect([sent.method, sent.path.slice(0, 100), statuses.includes(reply.status) ? '' : reply]).toEqual([
    sent.method,
    sent.path.slice(0, 100),
    '',
  ]);
  expectRefusal(reply);
  expect(await fingerprint()).toEqual(before);
}

const json = { 'content-type': 'application/json' };
const post = { method: 'POST', path: '/api/billinginvoice', headers: json };

describe('a completely invalid body writes nothing', () => {
  test.each(Object.entries(wrongBodies))('a completely invalid body writes nothing: %s', async (_, body) => {
    await expectRefused({ ...post, body }, 400);
    await expectRefused({ method: 'POST', path: '/api/login', headers: json, body }, 400);
  });

  test('bytes that are not UTF-8, including UTF-16, return 400', async () => {
    await expectRefused({ ...post, body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }, 400);
    await expectRefused({ ...post, body: Buffer.from('{"a":1}', 'utf16le') }, 400);
  });

  test('a body of 1 MB and one byte returns 413 to every caller, and 1 MB of white space returns 400', async () => {
    for (const path of ['/api/billinginvoice', '/api/login']) {
      await expectRefused({ ...post, path, body: Buffer.alloc(1_048_577, 0x20) }, 413);
      await expectRefused({ ...post, path, body: Buffer.alloc(1_048_576, 0x20) }, 400);
    }
  });

  test('a body with another content type, or none, returns 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'json']) {
      await expectRefused({ ...post, headers: { 'content-type': type }, body: '{"customerId":1}' }, 415);
    }
    await expectRefused({ ...post, headers: {}, body: '{"customerId":1}' }, 415);
  });
});

const invoice = (changes: string): string => {
  const line = '"description":"Work","itemPrice":10,"quantity":1,"accountId":140';
  return `{"customerId":${records.ids['customer']},"invoiceDate":"2026-03-02","lineItems":[{${line}}]${changes}}`;
};
const inLine = (field: string): string => `,"lineItems":[{"description":"Work","quantity":1,"accountId":140,${field}}]`;

describe('an invalid invoice', () => {
  const dates = [
    'now',
    'today',
    'infinity',
    '-infinity',
    '2023-02-29',
    '0000-00-00',
    '2026-00-10',
    '2026-04-31',
    '',
    'epoch',
  ];
  test.each(dates)('an invoice with the date "%s" is rejected', async (date) => {
    await expectRefused({ ...post, body: invoice(`,"invoiceDate":"${date}"`) }, 400);
    await expectRefused({ ...post, body: invoice(`,"dueDate":"${date}"`) }, 400);
  });

  const amounts = ['0.001', '10.005', '1e2', '1E400', '"10"', '100000000000.01', '-100000000001', 'true', '[10]', '{}'];
  test.each(amounts)('an invoice with a price of %s is rejected', async (amount) => {
    await expectRefused({ ...post, body: invoice(inLine(`"itemPrice":${amount}`)) }, 400);
  });

  test.each(['-1', '1.5', '"1"', '9007199254740993', '1e3', 'null', '[1]', '{"id":1}', 'true'])(
    'an invoice with the customer ID %s is rejected',
    async (id) => expectRefused({ ...post, body: invoice(`,"customerId":${id}`) }, 400),
  );

  test('an invoice with 100 billion per line is rejected if its total exceeds the maximum amount', async () => {
    const line = '{"description":"Work","itemPrice":100000000000,"quantity":1000000000,"accountId":140}';
    await expectRefused({ ...post, body: invoice(`,"lineItems":[${line}]`) }, 400, 422);
    const lines = Array.from({ length: 1000 }, () => line.replace('1000000000,', '1,')).join(',');
    await expectRefused({ ...post, body: invoice(`,"lineItems":[${lines}]`) }, 400, 422);
  });
});

test('on every path, a method that is not accepted returns 404 or 405 in the standard format', async () => {
  const paths = new Map<string, string[]>();
  for (const endpoint of served) {
    const path = pathOf(endpoint).toLowerCase();
    paths.set(path, [...(paths.get(path) ?? []), endpoint.method]);
  }
  const before = await fingerprint();
  for (const [path, known] of paths) {
    for (const method of ['PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'GET', 'POST', 'PUT', 'DELETE']) {
      if (known.includes(method)) continue;
      const reply = await send({ method, path });
      // A path without parameters may also match another endpoint's path that contains a record ID. For example,
      // /user/1 matches /user/{id}.
      expect([method, path, [400, 401, 404, 405, 415].includes(reply.status)]).toEqual([method, path, true]);
      expectRefusal(reply);
    }
  }
  expect(await fingerprint()).toEqual(before);
});

describe('an invalid page', () => {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const cursors = [
    'x',
    '%00',
    '%zz',
    'bnVsbA',
    encode(['x']),
    encode([1, 1]),
    encode(['x', 1.5]),
    encode({ 0: 'x', 1: 1 }),
  ];
  const paged = served.filter(({ query }) => query !== undefined && 'after' in query.shape);
  test.each(paged.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s returns 400 for an invalid page',
    async (_, endpoint) => {
      const { method } = endpoint;
      // A list that is requested with PUT has its date range in the body.
      const asked = method === 'GET' ? {} : { headers: json, body: '{"fromDate":"2026-01-01","toDate":"2026-01-31"}' };
      for (const after of [...cursors, 'A'.repeat(501)]) {
        await expectRefused({ method, path: `${pathOf(endpoint)}?limit=2&after=${after}`, ...asked }, 400);
      }
    },
  );
});

/** Sends raw bytes over a separate socket. Returns everything that is received until the server closes the socket. */
function sendBytes(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const host = 'host: a\r\nconnection: close\r\n';
const framing: Record<string, string> = {
  'a path of 20,000 characters': `GET /api/${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
  'a query of 20,000 characters': `GET /api/customer?q=${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
  'a path of 8,000 characters': `GET /api/customer/${'1'.repeat(8000)} HTTP/1.1\r\n${host}\r\n`,
  'a header of 40,000 characters': `GET /api/customer HTTP/1.1\r\n${host}x-a: ${'a'.repeat(40_000)}\r\n\r\n`,
  'an incomplete escape': `GET /api/customer/%E0%A4%A HTTP/1.1\r\n${host}\r\n`,
  'bytes that are not valid UTF-8': `GET /api/customer/%ff%fe HTTP/1.1\r\n${host}\r\n`,
  'a path with ..': `GET /api/../../../etc/passwd HTTP/1.1\r\n${host}\r\n`,
  'a path with an escaped ..': `GET /assets/..%2f..%2f..%2fpackage.json HTTP/1.1\r\n${host}\r\n`,
  'a space in the path': `GET /api/cust omer HTTP/1.1\r\n${host}\r\n`,
  'an unknown method': `FETCH /api/customer HTTP/1.1\r\n${host}\r\n`,
  'a length that is not a number': `POST /api/login HTTP/1.1\r\n${host}content-length: ten\r\n\r\n`,
  'two lengths': `POST /api/login HTTP/1.1\r\n${host}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
  'a length and chunks': `POST /api/login HTTP/1.1\r\n${host}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
  'an invalid chunk': `POST /api/login HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nzz\r\n`,
  'another protocol': '\u0016\u0003\u0001\u0000\r\n\r\n',
  nonsense: 'hello\r\n\r\n',
};

test.each(Object.entries(framing))('%s on the socket is rejected in the standard format', async (_, bytes) => {
  const before = await fingerprint();
  const answer = await sendBytes(bytes);
  const [head = '', rest = ''] = answer.split('\r\n\r\n');
  // The body may arrive in chunks.
  const body = rest.slice(rest.indexOf('{'), rest.lastIndexOf('}') + 1);
  expect(head).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(head.toLowerCase()).toContain('content-type: application/json; charset=utf-8');
  const error = ErrorReply.parse(JSON.parse(body));
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  for (const leak of [sqlOf, codeOf]) expect(body).not.toMatch(leak);
  expect(await fingerprint()).toEqual(before);
});
