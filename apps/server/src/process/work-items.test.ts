import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addCustomer, createCompany, must, signIn, verify } from './testing/client.ts';
import { freePort, Installation, PATIENCE_MS, type Server } from './testing/installation.ts';

/** One click that bills a hundred customers, and a server that is killed half way. */

const CUSTOMERS = 100;
const EACH = 5;

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

let installation: Installation;
let environment: { DATA_DIR: string; LOG_LEVEL: string; PORT: string };
let server: Server;
let token: string;
let customers: number[];

beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn', PORT: String(await freePort()) };
  await createCompany(installation, environment);
  server = await installation.start(environment);
  token = await signIn(server.address);
  const names = Array.from({ length: CUSTOMERS }, (_, index) => `Customer ${index + 1}`);
  customers = await Promise.all(names.map((name) => addCustomer(server.address, token, name)));
  await Promise.all(customers.map(addItems));
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
const bill = () => {
  const body = customers.map((id) => ({ id, invoiceDate: '2026-03-02' }));
  return must<Row[]>(server.address, '/api/workiteminvoice', { token, key: 'one click', body });
};
const invoices = () =>
  must<{ id: number; invoiceNumber: string; invoiceAmount: number }[]>(
    server.address,
    '/api/billinginvoice?status=all',
    { token },
  );

test('killed half way through 500 work items of 100 customers, the same click bills each once', async () => {
  const cut = bill().catch(() => undefined);
  let made = 0;
  while (made < 10) {
    await sleep(2);
    made = (await invoices()).length;
  }
  await server.kill();
  expect(await cut).toBeUndefined();
  server = await installation.start(environment);
  const before = await invoices();
  // A kill before the first or behind the last has shown nothing.
  expect(before.length).toBeGreaterThanOrEqual(made);
  expect(before.length).toBeLessThan(CUSTOMERS);
  const left = await must<{ workItemCount: number }[]>(server.address, '/api/workiteminvoice', { token });
  expect(left.map(({ workItemCount }) => workItemCount)).toEqual(
    Array.from({ length: CUSTOMERS - before.length }, () => EACH),
  );

  const answered = await bill();
  expect(answered.map(({ id, ok }) => [id, ok])).toEqual(customers.map((id) => [id, true]));
  expect(await bill()).toEqual(answered);
  const all = await invoices();
  expect(all.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
    answered.map(({ invoiceId }) => invoiceId ?? 0).toSorted((a, b) => a - b),
  );
  expect(new Set(all.map(({ invoiceAmount }) => invoiceAmount))).toEqual(new Set([150]));
  const numbers = all.map(({ invoiceNumber }) => Number(invoiceNumber)).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => 10_001 + index));
  const items = await must<{ invoiceId: number | null }[]>(server.address, '/api/workitems?status=all', { token });
  expect([items.length, items.filter(({ invoiceId }) => invoiceId === null)]).toEqual([CUSTOMERS * EACH, []]);
  const { ok, companies, err } = await verify(installation, environment);
  expect([ok, companies.map(({ faults }) => faults), err]).toEqual([true, [[]], expect.stringContaining('0 faults')]);
});
