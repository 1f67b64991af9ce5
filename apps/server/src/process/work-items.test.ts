import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addCustomer, createCompany, must, signIn, verify } from './testing/client.ts';
import { freePort, Installation, PATIENCE_MS, type Server } from './testing/installation.ts';

/** One request bills a hundred customers, and the server is killed halfway through. */

const CUSTOMERS = 100;
const EACH = 5;
/** Another set of customers. The request that bills them is canceled. */
const MORE = 40;

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

let installation: Installation;
let environment: { DATA_DIR: string; LOG_LEVEL: string; PORT: string };
let server: Server;
let token: string;
let customers: number[];
let others: number[];

beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn', PORT: String(await freePort()) };
  await createCompany(installation, environment);
  server = await installation.start(environment);
  token = await signIn(server.address);
  const names = Array.from({ length: CUSTOMERS + MORE }, (_, index) => `Customer ${index + 1}`);
  const all = await Promise.all(names.map((name) => addCustomer(server.address, token, name)));
  await Promise.all(all.map(addItems));
  [customers, others] = [all.slice(0, CUSTOMERS), all.slice(CUSTOMERS)];
});
afterAll(() => installation.remove());

async function addItems(customerId: number): Promise<void> {
  for (let n = 1; n <= EACH; n += 1) {
    const hour = { description: `Hour ${n}`, serviceDate: '2026-03-01', itemPrice: 10, quantity: n, accountId: 140 };
    await must(server.address, '/api/workitems', { token, body: { ...hour, customerId } });
  }
}

interface Row {
  id: number;
  ok: boolean;
  invoiceId?: number;
}
const rowsOf = (ids: readonly number[]) => ids.map((id) => ({ id, invoiceDate: '2026-03-02' }));
const bill = (ids = customers, key = 'one click') =>
  must<Row[]>(server.address, '/api/workiteminvoice', { token, key, body: rowsOf(ids) });
const invoices = () =>
  must<{ id: number; invoiceNumber: string; invoiceAmount: number }[]>(
    server.address,
    '/api/billinginvoice?status=all',
    { token },
  );

/** Waits until this many invoices exist. */
async function invoicesReach(count: number): Promise<number> {
  for (;;) {
    const made = (await invoices()).length;
    if (made >= count) return made;
    await sleep(2);
  }
}

test('if a client disconnects, billing stops between customers, and a repeated request bills the rest', async () => {
  const going = new AbortController();
  const sent = fetch(`${server.address}/api/workiteminvoice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'taken back' },
    body: JSON.stringify(rowsOf(others)),
    signal: going.signal,
  }).catch(() => undefined);
  await invoicesReach(5);
  going.abort();
  expect(await sent).toBeUndefined();
  // The customer who was being billed when the request was canceled is billed completely.
  await sleep(500);
  const made = (await invoices()).length;
  await sleep(500);
  expect([(await invoices()).length, made < MORE]).toEqual([made, true]);
  expect((await bill(others, 'taken back')).map(({ ok }) => ok)).toEqual(others.map(() => true));
  expect(await invoices()).toHaveLength(MORE);
});

test('after a kill halfway through 500 items for 100 customers, a repeated request bills each item once', async () => {
  const cut = bill().catch(() => undefined);
  const made = await invoicesReach(MORE + 10);
  await server.kill();
  expect(await cut).toBeUndefined();
  server = await installation.start(environment);
  const before = await invoices();
  // If the server is killed before the first or after the last invoice, the test proves nothing.
  expect(before.length).toBeGreaterThanOrEqual(made);
  expect(before.length).toBeLessThan(MORE + CUSTOMERS);
  const left = await must<{ workItemCount: number }[]>(server.address, '/api/workiteminvoice', { token });
  expect(left.map(({ workItemCount }) => workItemCount)).toEqual(
    Array.from({ length: MORE + CUSTOMERS - before.length }, () => EACH),
  );

  const answered = await bill();
  expect(answered.map(({ id, ok }) => [id, ok])).toEqual(customers.map((id) => [id, true]));
  expect(await bill()).toEqual(answered);
  const all = await invoices();
  const there = new Set(all.map(({ id }) => id));
  expect([all.length, answered.filter(({ invoiceId = 0 }) => !there.has(invoiceId))]).toEqual([MORE + CUSTOMERS, []]);
  expect(new Set(answered.map(({ invoiceId }) => invoiceId)).size).toBe(CUSTOMERS);
  expect(new Set(all.map(({ invoiceAmount }) => invoiceAmount))).toEqual(new Set([150]));
  const numbers = all.map(({ invoiceNumber }) => Number(invoiceNumber)).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => 10_001 + index));
  const items = await must<{ invoiceId: number | null }[]>(server.address, '/api/workitems?status=all', { token });
  expect([items.length, items.filter(({ invoiceId }) => invoiceId === null)]).toEqual([(MORE + CUSTOMERS) * EACH, []]);
  const { ok, companies, err } = await verify(installation, environment);
  expect([ok, companies.map(({ faults }) => faults), err]).toEqual([true, [[]], expect.stringContaining('0 problems')]);
});
