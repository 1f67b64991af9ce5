import { keyCalls } from '@evenkeel/contract/keys';
import { eventTypes, MOST_WEBHOOKS, webhookCalls } from '@evenkeel/contract/webhooks';
import { addDays } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { endpoints as allEndpoints } from '@evenkeel/contract/all';
import { billingCalls } from '@evenkeel/contract/billing';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { todayIn } from '../../platform/clock.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { sendDue, subscribe, waiting } from './testing/delivery.ts';
import { openReceiver, type Receiver, verified } from './testing/receiver.ts';
import { deleteOldDeliveries } from './webhooks.sql.ts';

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
const body = { name: 'Web shop', url: 'https://shop.example/hooks', events: ['invoice.sent', 'customer.created'] };
const create = (changes: Partial<typeof body> = {}) =>
  t.call(webhookCalls.createWebhook, { ...admin(), body: { ...body, ...changes } });
const refused = (changes: Partial<typeof body>) =>
  t.refused(webhookCalls.createWebhook, { ...admin(), body: { ...body, ...changes } });

test('a webhook secret is shown once and stored encrypted', async () => {
  const { secret, record } = await create();
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(record).toMatchObject({ ...body, events: ['invoice.sent', 'customer.created'], status: 'active' });
  const { text } = await t.inCompany(company.companyId, (tx) =>
    tx.one(sql<{ text: string }>`
      select string_agg(e::text, '') as text from webhook_endpoint e where company_id = ${company.companyId}`),
  );
  expect(text).not.toContain(secret.slice(6));
  expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  const listed = await t.request({ method: 'GET', url: '/api/webhooks', ...admin() });
  expect(JSON.stringify(listed.body)).not.toContain('whsec_');
});

test('a webhook is rejected if it lacks a name, an address, or events, or if it exceeds the limit', async () => {
  expect(await refused({ name: ' ' })).toMatchObject({ status: 422, fields: { name: 'Please enter a name' } });
  expect(await refused({ url: 'http://shop.example' })).toMatchObject({
    status: 422,
    fields: { url: expect.anything() },
  });
  expect(await refused({ events: [] })).toMatchObject({ fields: { events: 'Please select at least one event' } });
  expect(await refused({ events: ['invoice.printed'] })).toMatchObject({
    fields: { events: 'The event "invoice.printed" does not exist' },
  });
  for (let no = 0; no < MOST_WEBHOOKS; no += 1) await create({ name: `Shop ${no}` });
  expect(await refused({})).toMatchObject({ status: 422, message: 'A company can have at most 20 webhooks' });
});

test('without the operator’s permission, private addresses are rejected', async () => {
  const strict = await startTestApp();
  try {
    const { administrator } = strict.world.company;
    const sent = { token: administrator.token, body: { ...body, url: receiver.url.replace('http', 'https') } };
    expect(await strict.refused(webhookCalls.createWebhook, sent)).toMatchObject({
      fields: { url: expect.stringMatching(/^Private addresses are not allowed/) },
    });
  } finally {
    await strict.close();
  }
});

test("only administrators can manage webhooks, and API keys can't", async () => {
  const own = allEndpoints.filter(({ path }) => path.startsWith('/webhooks'));
  expect(own).toHaveLength(11);
  expect(own.map(({ needs }) => needs)).toEqual(own.map(() => 'Administrator'));
  const key = { userId: company.administrator.userId, name: 'Key', permissions: ['Manage Billing'] };
  const endsOn = addDays(todayIn('UTC'), 3);
  const made = await t.call(keyCalls.createApiKey, { ...admin(), body: { ...key, endsOn } });
  for (const { method, path } of own) {
    const url = `/api${path.replaceAll(/\{\w+\}/g, '1')}`;
    for (const token of [made.key, company.superuser.token, company.bookkeeper.token]) {
      expect((await t.request({ method, url, token, ...(method === 'GET' ? {} : { body: {} }) })).status).toBe(403);
    }
  }
});

test('after a rotation, events are signed with both secrets for 24 hours', async () => {
  const { id, secret } = await subscribe(t, company, receiver.url, ['customer.created']);
  const make = factoryFor(t, company);
  const rotated = await t.call(webhookCalls.rotateWebhookSecret, { ...admin(), params: { id } });
  const hours = (new Date(rotated.record.oldSecretUntil ?? 0).getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
  await make.customer('Both');
  await sendDue(t);
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update webhook_endpoint set old_secret_until = now() where company_id = ${company.companyId}`),
  );
  await make.customer('New');
  await sendDue(t);
  const [both, later] = receiver.arrivals;
  if (both === undefined || later === undefined) throw new Error('two events did not arrive');
  expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
  for (const each of [secret, rotated.secret]) verified(each, both);
  verified(rotated.secret, later);
  expect(() => verified(secret, later)).toThrow('No matching signature found');
});

test('events for documents and payments are named after the action', async () => {
  await subscribe(t, company, receiver.url, eventTypes());
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  const { id } = await make.invoice({ customerId, amount: 100 });
  await t.withCtx(company.administrator, async (ctx) => {
    const { invoiceFlow, markSent } = await import('../../features/billing/invoices.ts');
    await markSent(ctx, invoiceFlow, id);
  });
  await make.payment({ customerId, paymentAmount: 100, paymentApplications: [{ invoiceId: id, amount: 100 }] });
  const estimate = await make.estimate({ customerId });
  await t.call(estimateCalls.deleteEstimate, { ...admin(), params: { id: estimate.id } });
  const vendorId = await make.vendor();
  await make.bill({ vendorId });
  await sendDue(t);
  expect(receiver.arrivals.map(({ event }) => event.type).toSorted()).toEqual([
    'bill.created',
    'customer.created',
    'estimate.created',
    'estimate.deleted',
    'invoice.created',
    'invoice.paid',
    'invoice.sent',
    'payment.created',
    'vendor.created',
  ]);
  const sent = receiver.arrivals.find(({ event }) => event.type === 'invoice.sent');
  const read = await t.request({ method: 'GET', url: `/api/billinginvoice/${id}`, ...admin() });
  expect(sent?.event.data).toMatchObject({ id, arBillingStatus: 3 });
  expect(Object.keys(sent?.event.data ?? {})).toEqual(Object.keys(read.body as object));
});

test('the events for many simultaneous invoices are queued by one statement', async () => {
  const { id } = await subscribe(t, company, receiver.url, ['invoice.created']);
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  const lineItems = [{ description: 'Work', itemPrice: 10, quantity: 1, accountId: 140 }];
  const invoice = { customerId, invoiceDate: '2026-03-10', dueDate: '2026-04-09', lineItems };
  await Promise.all(
    Array.from({ length: 60 }, () => t.call(billingCalls.createInvoice, { ...admin(), body: invoice })),
  );
  expect(await waiting(t, company.companyId)).toBe(60);
  await sendDue(t);
  const log = await t.call(webhookCalls.listWebhookDeliveries, {
    ...admin(),
    params: { id },
    query: { limit: 5, q: 'invoice' },
  });
  expect(log).toMatchObject({ total: 60, parts: { all: { count: 60 }, failed: { count: 0 }, retrying: { count: 0 } } });
});

test('a test event is sent, and a resent event keeps its ID and adds an attempt', async () => {
  const { id, secret } = await subscribe(t, company, receiver.url, ['invoice.created']);
  const test = await t.call(webhookCalls.sendTestEvent, { ...admin(), params: { id } });
  await sendDue(t);
  const params = { id, eventId: test.id };
  await t.call(webhookCalls.resendWebhookDelivery, { ...admin(), params });
  await sendDue(t);
  expect(receiver.arrivals.map((each) => each.id)).toEqual([test.webhookId, test.webhookId]);
  expect(receiver.arrivals.map(({ event }) => event.type)).toEqual(['test', 'test']);
  for (const arrival of receiver.arrivals) verified(secret, arrival);
  const detail = await t.call(webhookCalls.getWebhookDelivery, { ...admin(), params });
  expect(detail).toMatchObject({ status: 'delivered', attempts: 2, payload: receiver.arrivals[0]?.body });
  expect(
    detail.log.map(({ attempt, status, response, signature }) => ({ attempt, status, response, signature })),
  ).toEqual(
    receiver.arrivals.map(({ headers }, at) => {
      return { attempt: at + 1, status: 200, response: 'ok', signature: headers['webhook-signature'] };
    }),
  );
});

test('a paused webhook sends nothing and rejects requests to resend, and a deleted one loses its events', async () => {
  const { id } = await subscribe(t, company, receiver.url, ['customer.created']);
  await t.call(webhookCalls.pauseWebhook, { ...admin(), params: { id } });
  await factoryFor(t, company).customer();
  await sendDue(t);
  expect(await t.refused(webhookCalls.sendTestEvent, { ...admin(), params: { id } })).toMatchObject({
    status: 422,
    message: 'This webhook is paused. Resume it first.',
  });
  expect(await waiting(t, company.companyId)).toBe(1);
  await t.call(webhookCalls.deleteWebhook, { ...admin(), params: { id } });
  expect(await waiting(t, company.companyId)).toBe(0);
  expect(receiver.arrivals).toEqual([]);
});

test('a webhook of another company can’t be seen, changed, or used', async () => {
  const { id } = await subscribe(t, company, receiver.url, ['customer.created']);
  const { id: eventId } = await t.call(webhookCalls.sendTestEvent, { ...admin(), params: { id } });
  const { token } = t.world.company.administrator;
  const own = allEndpoints.filter(({ path }) => path.startsWith('/webhooks/{id}'));
  for (const { method, path } of own) {
    const url = `/api${path.replace('{id}', String(id)).replace('{eventId}', String(eventId))}`;
    const sent = method === 'GET' ? {} : { body };
    expect((await t.request({ method, url, token, ...sent })).status).toBe(404);
  }
});

test('the delivery log is kept for 30 days', async () => {
  const { id } = await subscribe(t, company, receiver.url, ['customer.created']);
  const make = factoryFor(t, company);
  for (const name of ['Old', 'New']) await make.customer(name);
  await sendDue(t);
  await t.inCompany(company.companyId, async (tx) => {
    await tx.rows(sql`
      update webhook_delivery set at = now() - interval '31 days'
      where company_id = ${company.companyId}
        and event_id = (select min(event_id) from webhook_delivery where company_id = ${company.companyId})`);
    await tx.rows(deleteOldDeliveries());
  });
  const log = await t.call(webhookCalls.listWebhookDeliveries, { ...admin(), params: { id }, query: { limit: 5 } });
  expect(log).toMatchObject({ total: 1, items: [{ title: 'New' }] });
});
