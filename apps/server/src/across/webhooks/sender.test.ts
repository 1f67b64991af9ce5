import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { auditCalls } from '@evenkeel/contract/audit';
import { webhookCalls } from '@evenkeel/contract/webhooks';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { CHECK, checkingOf, factoryFor } from '../../testing/factories.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { openSender } from './sender.ts';
import { changeCustomers, compare, QUICK, sendDue, sendUnderKills, subscribe, waiting } from './testing/delivery.ts';
import { openReceiver, type Receiver, verified } from './testing/receiver.ts';

let t: TestApp;
let company: WorldCompany;
let receiver: Receiver;
beforeAll(async () => {
  t = await startTestApp({ config: { webhookPrivateTargets: true } });
});
beforeEach(async () => {
  company = await t.createCompany();
  receiver = await openReceiver();
});
afterEach(() => receiver.close());
afterAll(() => t.close());

const admin = () => ({ token: company.administrator.token });
const UNSIGNED = 'No matching signature found';
const customerEvents = ['customer.created', 'customer.updated', 'customer.deleted'];
const bodyOf = (name: string) => ({ name, emailAddress: 'books@example.com' });
const addCustomer = (name: string, headers: Record<string, string> = {}) =>
  t.call(entityCalls.createCustomer, { ...admin(), headers, body: bodyOf(name) });
const rename = (id: number, name: string) =>
  t.call(entityCalls.updateCustomer, { ...admin(), params: { id }, body: { ...bodyOf(name), id } });

/** Makes waiting events due immediately. */
const later = () =>
  t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`
      update webhook_delivery set due_at = now() where company_id = ${company.companyId} and status = 'waiting'`),
  );

test('an event is signed, and contains the record, the request, and its idempotency key', async () => {
  const { secret, id } = await subscribe(t, company, receiver.url, ['customer.created']);
  const sent = { method: 'POST', url: '/api/customer', ...admin() } as const;
  const answer = await t.request({ ...sent, headers: { 'idempotency-key': 'shop-1' }, body: bodyOf('Fairlawn') });
  await sendDue(t);
  expect(receiver.arrivals).toHaveLength(1);
  const [arrival] = receiver.arrivals;
  if (arrival === undefined) throw new Error('nothing arrived');
  expect(verified(secret, arrival)).toMatchObject({
    type: 'customer.created',
    companyId: company.companyId,
    idempotencyKey: 'shop-1',
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    data: { id: (answer.body as { id: number }).id, displayname: 'Fairlawn' },
  });
  expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, arrival)).toThrow(UNSIGNED);
  expect(() => verified(secret, { ...arrival, body: arrival.body.replace('Fairlawn', 'Fairfield') })).toThrow(UNSIGNED);
  const listed = await t.call(webhookCalls.listWebhookDeliveries, { ...admin(), params: { id }, query: { limit: 10 } });
  expect(listed).toMatchObject({
    items: [{ webhookId: arrival.id, event: 'customer.created', status: 'delivered', title: 'Fairlawn', attempts: 1 }],
  });
});

test('a repeated request causes no second event', async () => {
  await subscribe(t, company, receiver.url, customerEvents);
  for (let no = 0; no < 3; no += 1) await addCustomer('Fairlawn', { 'idempotency-key': 'once' });
  await sendDue(t);
  expect(receiver.arrivals.map(({ event }) => event.type)).toEqual(['customer.created']);
});

test('writes that are rejected, rehearsed, not selected, or in another company cause no event', async () => {
  await subscribe(t, company, receiver.url, customerEvents);
  const rehearsed = { 'evenkeel-rehearse': 'true' };
  const other = { token: t.world.company.administrator.token };
  const body = bodyOf('Fairlawn');
  const sent = { method: 'POST', url: '/api/customer', ...admin() } as const;
  expect(await t.request({ ...sent, headers: rehearsed, body })).toMatchObject({ status: 200 });
  expect(await t.request({ ...sent, body: { name: '' } })).toMatchObject({ status: 422 });
  await t.call(entityCalls.createVendor, { ...admin(), body });
  await t.call(entityCalls.createCustomer, { ...other, body });
  await expect(
    t.withCtx(company.administrator, async (ctx) => {
      await ctx.tx.rows(sql`
        insert into audit_log (company_id, user_id, action, subject_type, subject_id, after)
        values (${company.companyId}, 1, 'create', 'customer', 1, '{}')`);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await waiting(t, company.companyId)).toBe(0);
  await sendDue(t);
  expect(receiver.arrivals).toEqual([]);
});

test('each request in a batch or shared transaction is the source of the events that it causes', async () => {
  await subscribe(t, company, receiver.url, ['invoice.created', 'payment.created']);
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  const lineItems = [{ description: 'Work', itemPrice: 10, quantity: 1, accountId: 140 }];
  const invoice = { customerId, invoiceDate: '2026-03-10', dueDate: '2026-04-09', lineItems };
  const bankAccountId = await checkingOf(t, company.companyId);
  const payment = { customerId, paymentAmount: 5, paymentDate: '2026-03-11', paymentType: CHECK, bankAccountId };
  const both = [
    { endpoint: billingCalls.createInvoice, body: invoice, name: 'invoice' },
    { endpoint: billingCalls.createPayment, body: payment, name: 'payment' },
  ];
  for (const { endpoint, body, name } of both) {
    const keys = Array.from({ length: 20 }, (_, no) => `${name}-${no}`);
    const made = await Promise.all(
      keys.map((key) => t.call(endpoint, { ...admin(), headers: { 'idempotency-key': key }, body })),
    );
    receiver.arrivals.length = 0;
    await sendDue(t);
    const causes = new Map(receiver.arrivals.map(({ event }) => [event.data['id'], event.idempotencyKey]));
    expect(made.map(({ id }) => causes.get(id))).toEqual(keys);
  }
});

test('a failed event is resent with the same ID and body, and blocks only later events for its record', async () => {
  await subscribe(t, company, receiver.url, customerEvents);
  const { id, ...stored } = await addCustomer('First');
  await rename(id, 'Changed');
  await addCustomer('Second');
  expect(stored.displayname).toBe('First');
  receiver.respond = ({ event }, reply) => {
    reply.statusCode = event.data['displayname'] === 'First' ? 503 : 200;
    reply.end('busy');
  };
  await sendDue(t, { waits: [60] });
  expect(receiver.arrivals.map(({ event }) => event.data['displayname'])).toEqual(['First', 'Second']);
  // An event that is due waits for the earlier one.
  await sendDue(t, { waits: [60] });
  expect(receiver.arrivals).toHaveLength(2);
  receiver.respond = (_arrival, reply) => void reply.end();
  await later();
  await sendDue(t);
  expect(receiver.arrivals.map(({ event }) => event.data['displayname'])).toEqual([
    'First',
    'Second',
    'First',
    'Changed',
  ]);
  const [first, , again] = receiver.arrivals;
  expect(again).toMatchObject({ id: first?.id, body: first?.body });
});

test('an event fails after ten attempts in three days, and the next event for its record is sent', async () => {
  const webhook = await subscribe(t, company, receiver.url, customerEvents);
  const { id } = await addCustomer('First');
  await rename(id, 'Changed');
  receiver.respond = ({ event }, reply) => {
    reply.statusCode = event.type === 'customer.created' ? 410 : 200;
    reply.end();
  };
  const signal = new AbortController().signal;
  const sender = openSender(t.services, { signal });
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await Promise.all(await sender());
    expect(receiver.arrivals.filter(({ event }) => event.type === 'customer.created')).toHaveLength(attempt);
    const { items } = await log(webhook.id);
    const due = items.find(({ event }) => event === 'customer.created')?.nextAt;
    if (typeof due === 'string') waits.push((new Date(due).getTime() - Date.now()) / 1000);
    if (attempt < 10) await later();
  }
  expect(waits).toHaveLength(9);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  const days = waits.reduce((sum, wait) => sum + wait, 0) / 86_400;
  expect(days).toBeGreaterThan(2.9);
  expect(days).toBeLessThan(3.1);
  await Promise.all(await sender());
  expect((await log(webhook.id)).items).toMatchObject([
    { event: 'customer.updated', status: 'delivered' },
    { event: 'customer.created', status: 'failed', attempts: 10, responseStatus: 410, nextAt: null },
  ]);
});

async function log(id: number) {
  const answer = await t.call(webhookCalls.listWebhookDeliveries, {
    ...admin(),
    params: { id },
    query: { limit: 100 },
  });
  if (Array.isArray(answer)) throw new Error('expected a page');
  return answer;
}

test('a webhook is paused after 100 failures in a row, and resuming it sends the waiting events', async () => {
  const { id } = await subscribe(t, company, receiver.url, customerEvents);
  await changeCustomers(t, company, { customers: 12, changes: 0 });
  receiver.respond = (_arrival, reply) => void reply.writeHead(500).end();
  for (let round = 0; round < 12; round += 1) await sendDue(t);
  const [paused] = await t.call(webhookCalls.listWebhooks, { ...admin(), query: {} });
  expect(paused).toMatchObject({ status: 'paused', pausedByFailures: true });
  expect(paused?.failures).toBeGreaterThanOrEqual(100);
  const sentSoFar = receiver.arrivals.length;
  expect(sentSoFar).toBeLessThan(120);
  await addCustomer('While paused');
  await sendDue(t);
  expect(receiver.arrivals).toHaveLength(sentSoFar);
  const history = await t.call(auditCalls.listAudit, { ...admin(), query: { kind: 'webhook', record: id } });
  expect(JSON.stringify(history)).toContain('"byKind":"server"');
  const letters = (await t.runJobs()).filter(({ subject }) => subject === 'A webhook was paused');
  expect(letters.map(({ to }) => to)).toEqual([company.administrator.email]);
  expect(letters[0]?.text).toContain(`${company.displayname}'s webhook ${paused?.name} was paused`);
  receiver.respond = (_arrival, reply) => void reply.end();
  await t.call(webhookCalls.resumeWebhook, { ...admin(), params: { id } });
  await sendDue(t);
  expect(await waiting(t, company.companyId)).toBe(0);
  expect(await t.call(webhookCalls.listWebhooks, { ...admin(), query: {} })).toMatchObject([
    { status: 'active', failures: 0 },
  ]);
});

test('a slow receiver delays no other webhook, and no database connection waits for the receiver', async () => {
  const slow = await openReceiver();
  slow.respond = () => undefined;
  await subscribe(t, company, slow.url, ['customer.created']);
  await subscribe(t, company, receiver.url, ['customer.created']);
  await addCustomer('Fairlawn');
  const signal = new AbortController().signal;
  const sender = openSender(t.services, { signal, ...QUICK, leaseMs: 10_000, answerMs: 3000 });
  const running = await sender();
  await expect.poll(() => [slow.arrivals.length, receiver.arrivals.length]).toEqual([1, 1]);
  await expect.poll(() => t.pool.totalCount - t.pool.idleCount).toBe(0);
  await slow.close();
  await Promise.all(running);
});

test("killing two senders loses no events, and each record's events arrive in order", async () => {
  const { secret, id } = await subscribe(t, company, receiver.url, customerEvents);
  await changeCustomers(t, company, { customers: 24, changes: 9 });
  let no = 0;
  receiver.respond = (_arrival, reply) => {
    no += 1;
    if (no % 11 === 0) reply.writeHead(503).end();
    else if (no % 17 === 0) reply.socket?.destroy();
    else if (no % 5 === 0) setTimeout(() => reply.end(), 40);
    else reply.end();
  };
  const kills = await sendUnderKills(t, company, Math.random);
  expect(kills).toBeGreaterThan(2);
  const ids = new Set(receiver.arrivals.map(({ id }) => id));
  expect(ids.size).toBe(240);
  expect(await compare(t, company.companyId, id, receiver.arrivals)).toEqual({ lost: 0, unknown: 0, outOfOrder: [] });
  for (const arrival of receiver.arrivals) verified(secret, arrival);
});

test("when a lease ends, another sender takes over, and the first sender's late result is not stored", async () => {
  const { id } = await subscribe(t, company, receiver.url, ['customer.created']);
  await addCustomer('Fairlawn');
  let answerLate: (() => void) | undefined;
  receiver.respond = (_arrival, reply) => {
    if (answerLate === undefined) answerLate = () => void reply.writeHead(500).end();
    else reply.end();
  };
  const signal = new AbortController().signal;
  const first = await openSender(t.services, { signal, ...QUICK, leaseMs: 20_000, answerMs: 9000 })();
  await expect.poll(() => receiver.arrivals.length).toBe(1);
  await sendDue(t);
  expect(receiver.arrivals).toHaveLength(1);
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update webhook_endpoint set leased_until = now() where company_id = ${company.companyId}`),
  );
  await sendDue(t);
  answerLate?.();
  await Promise.all(first);
  expect((await log(id)).items).toMatchObject([{ status: 'delivered', attempts: 1, responseStatus: 200 }]);
});
