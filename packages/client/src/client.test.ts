import { createServer, type IncomingMessage, type Server } from 'node:http';
import { bankingCalls } from '@evenkeel/contract/banking';
import { authCalls } from '@evenkeel/contract/auth';
import { calls, endpoints } from '@evenkeel/contract/all';
import { addressOf, operationId } from '@evenkeel/contract/request';
import { openApi } from '@evenkeel/contract/openapi';
import { cents } from '@evenkeel/core/money';
import { isoDate } from '@evenkeel/core/dates';
import { afterEach, expect, test } from 'vitest';
import { Client, Refused, Unreachable } from './client.ts';

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A response, or 'lost' if the connection breaks after the request has arrived. */
type Answer = 'lost' | { status: number; body?: unknown; headers?: Record<string, string> };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server that returns these responses in turn and then repeats the last response. */
async function serverWith(...answers: [Answer, ...Answer[]]): Promise<{ client: Client; seen: Seen[] }> {
  const seen: Seen[] = [];
  const made = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      const answer = answers[Math.min(seen.length, answers.length) - 1] ?? 'lost';
      if (answer === 'lost') return response.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      return response.end(JSON.stringify(answer.body ?? []));
    });
  });
  await new Promise<void>((done) => made.listen(0, '127.0.0.1', done));
  server = made;
  const address = made.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { client: new Client({ address: `http://127.0.0.1:${port}`, key: 'ek_test' }), seen };
}

const payment = {
  body: { customerId: 7, paymentDate: isoDate('2026-03-05'), paymentAmount: cents(1250), paymentApplications: [] },
};
const again = { status: 503, body: { message: 'Try again', code: 'unavailable', requestId: 'r' } };

test('a read sends the key and the query, and returns the decoded response', async () => {
  const { client, seen } = await serverWith({ status: 200, body: [] });
  expect(await client.call(bankingCalls.listBankingAccounts, { query: { inactive: 'true' } })).toEqual([]);
  expect(seen.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
    ['GET', '/api/bankingaccount?inactive=true', 'Bearer ek_test'],
  ]);
});

test('a write without a response is retried with the same key, and its amounts are in dollars', async () => {
  const { client, seen } = await serverWith('lost', again, {
    status: 409,
    body: { message: 'No', code: 'c', requestId: 'r' },
  });
  const sent = client.call(calls.createPayment, payment);
  await expect(sent).rejects.toMatchObject({ name: 'Refused', status: 409, message: 'No' });
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ paymentAmount: 12.5, paymentDate: '2026-03-05' });
});

test('a write that takes no idempotency key is never repeated, so its outcome may be unknown', async () => {
  const { client, seen } = await serverWith('lost');
  await expect(client.call(calls.deleteInvoice, { params: { id: 5 }, query: {} })).rejects.toMatchObject({
    name: 'Unreachable',
    isUnsure: true,
  });
  expect(seen).toHaveLength(1);
});

test("a rejected call throws the server's error and is not repeated", async () => {
  const body = {
    message: 'Please enter a date',
    code: 'invalid',
    fields: { date: 'Please enter a date' },
    requestId: 'r',
  };
  const { client, seen } = await serverWith({ status: 422, body });
  const error: unknown = await client.call(calls.createPayment, payment).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(Refused);
  expect(error).toMatchObject({ status: 422, body });
  expect(seen).toHaveLength(1);
});

test('a rehearsed call sends the rehearsal header and is retried like a read', async () => {
  const { client, seen } = await serverWith('lost', {
    status: 422,
    body: { message: 'No', code: 'c', requestId: 'r' },
  });
  await expect(client.rehearse(calls.deleteInvoice, { params: { id: 5 }, query: {} })).rejects.toThrow('No');
  expect(seen.map(({ headers }) => headers['evenkeel-rehearse'])).toEqual(['true', 'true']);
});

test('a call throws Unreachable after three attempts without a response', async () => {
  const { client, seen } = await serverWith('lost');
  const error: unknown = await client
    .call(bankingCalls.listBankingAccounts, { query: {} })
    .catch((one: unknown) => one);
  expect(error).toBeInstanceOf(Unreachable);
  expect(error).toMatchObject({ isUnsure: false });
  expect(seen).toHaveLength(3);
});

test('every call has a URL and its own operation ID, which the API document lists', () => {
  const ids = endpoints.map(operationId);
  expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
  const document = openApi(endpoints);
  const listed = Object.values(document.paths).flatMap((path) => Object.values(path).map((each) => each.operationId));
  expect(listed.toSorted()).toEqual(ids.toSorted());
  expect(Object.values(calls)).toEqual(endpoints);
  expect(operationId(authCalls.logout)).toBe('postLogout');
  expect(addressOf(calls.getInvoice, { params: { id: 5 } })).toBe('/api/billinginvoice/5');
});
