import { billingCalls } from '@evenkeel/contract/billing';
import { creditCalls } from '@evenkeel/contract/credits';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { webhookCalls } from '@evenkeel/contract/webhooks';
import { encode } from '@evenkeel/contract/wire';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { toDollars } from '@evenkeel/core/money';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { CHECK, checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import { type FakeStripe, startFakeStripe } from '../../testing/fake-stripe.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { payingIn } from '../online/testing/paying.ts';
import { sendDue, subscribe, waiting } from './testing/delivery.ts';
import { openReceiver, type Receiver, verified } from './testing/receiver.ts';

let t: TestApp;
let stripe: FakeStripe;
let company: WorldCompany;
let receiver: Receiver;
let make: Factory;
let customerId: number;
let webhook: { id: number; secret: string };
beforeAll(async () => {
  stripe = await startFakeStripe();
  t = await startTestApp({ config: { webhookPrivateTargets: true, stripeApiUrl: stripe.url } });
});
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  customerId = await make.customer();
  receiver = await openReceiver();
  webhook = await subscribe(t, company, receiver.url, ['invoice.paid', 'bill.paid']);
});
afterEach(() => receiver.close());
afterAll(async () => {
  await t.close();
  await stripe.close();
});

const sentBy = () => ({ token: make.token });
const rehearsed = { 'evenkeel-rehearse': 'true' };

/** Sends the waiting events. Returns everything that arrived, once per event, in order. */
async function sentEvents() {
  while ((await waiting(t, company.companyId)) > 0) await sendDue(t);
  return [...new Map(receiver.arrivals.toReversed().map((arrival) => [arrival.id, arrival])).values()].toReversed();
}

/** Sends the waiting events. Returns the ones that arrived since the last call, as "type number". */
async function arrived(): Promise<string[]> {
  receiver.arrivals.length = 0;
  return (await sentEvents()).map(({ event: { type, data } }) => `${type} ${String(data['invoiceNumber'])}`);
}

/** The body of a payment that is applied to invoices, by ID. */
async function paymentOf(parts: Readonly<Record<number, number>>, given: object = {}) {
  const paymentApplications = Object.entries(parts).map(([id, amount]) => ({ invoiceId: Number(id), amount }));
  const paymentAmount = paymentApplications.reduce((sum, { amount }) => sum + amount, 0);
  const bankAccountId = await checkingOf(t, company.companyId);
  const [paymentDate, paymentType] = ['2026-03-20', CHECK];
  return { customerId, paymentAmount, paymentDate, paymentType, bankAccountId, paymentApplications, ...given };
}
const pay = async (parts: Readonly<Record<number, number>>, headers: Record<string, string> = {}) =>
  t.call(billingCalls.createPayment, { ...sentBy(), headers, body: await paymentOf(parts) });
const invoiceOf = (id: number) => t.call(billingCalls.getInvoice, { ...sentBy(), params: { id } });
const change = async (id: number, changes: object) =>
  t.call(billingCalls.updateInvoice, {
    ...sentBy(),
    body: { ...Object(encode(billingCalls.getInvoice.reply, await invoiceOf(id))), ...changes },
  });

test('invoice.paid contains the paid invoice and the request ID of the payment that settled it', async () => {
  const { id, invoiceNumber } = await make.invoice({ customerId, amount: 100 });
  await pay({ [id]: 60 }, { 'idempotency-key': 'first' });
  expect(await arrived()).toEqual([]);
  await pay({ [id]: 40 }, { 'idempotency-key': 'second' });
  expect(await arrived()).toEqual([`invoice.paid ${invoiceNumber}`]);
  const [arrival] = receiver.arrivals;
  if (arrival === undefined) throw new Error('nothing arrived');
  expect(verified(webhook.secret, arrival)).toMatchObject({
    type: 'invoice.paid',
    companyId: company.companyId,
    idempotencyKey: 'second',
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  const listed = await t.call(billingCalls.listInvoices, { ...sentBy(), query: { status: 'paid', limit: 5 } });
  const [row] = Object(encode(billingCalls.listInvoices.reply, listed)).items;
  expect(arrival.event.data).toEqual(row);
  expect(row).toMatchObject({ id, openAmount: 0, badge: 'Paid' });
  const log = await t.call(webhookCalls.listWebhookDeliveries, {
    token: company.administrator.token,
    params: { id: webhook.id },
    query: { limit: 5, q: invoiceNumber },
  });
  expect(log).toMatchObject({ total: 1, items: [{ event: 'invoice.paid', title: invoiceNumber, recordId: id }] });
});

test('a payment of several invoices sends an event for each one that it settles', async () => {
  const [a, b, c] = [
    await make.invoice({ customerId, amount: 10 }),
    await make.invoice({ customerId, amount: 20 }),
    await make.invoice({ customerId, amount: 30 }),
  ];
  await pay({ [a.id]: 10, [b.id]: 19, [c.id]: 30 });
  expect((await arrived()).toSorted()).toEqual([`invoice.paid ${a.invoiceNumber}`, `invoice.paid ${c.invoiceNumber}`]);
});

test('a payment that is applied in list order sends events for the invoices that it settles', async () => {
  const [a] = [await make.invoice({ customerId, amount: 10 }), await make.invoice({ customerId, amount: 20 })];
  await make.payment({ customerId, paymentAmount: 15 });
  expect(await arrived()).toEqual([`invoice.paid ${a.invoiceNumber}`]);
});

test('an invoice that is opened again and settled again sends another event, in order', async () => {
  const { id, invoiceNumber } = await make.invoice({ customerId, amount: 100 });
  const first = await pay({ [id]: 100 });
  const edited = { ...(await paymentOf({ [id]: 99 })), id: first.id, rowVersion: first.rowVersion };
  const smaller = await t.call(billingCalls.updatePayment, { ...sentBy(), body: edited });
  expect(toDollars((await invoiceOf(id)).openAmount)).toBe(1);
  const whole = { ...(await paymentOf({ [id]: 100 })), id: first.id, rowVersion: smaller.rowVersion };
  await t.call(billingCalls.updatePayment, { ...sentBy(), body: whole });
  await t.call(billingCalls.deletePayment, { ...sentBy(), params: { id: first.id } });
  await pay({ [id]: 100 }, { 'idempotency-key': 'again' });
  const sent = await sentEvents();
  expect(new Set(sent.map(({ event }) => event.requestId)).size).toBe(3);
  expect(sent.map(({ event }) => [event.type, event.data['invoiceNumber'], event.idempotencyKey])).toEqual(
    [null, null, 'again'].map((key) => ['invoice.paid', invoiceNumber, key]),
  );
});

test('changing a payment that keeps an invoice settled sends no event', async () => {
  const { id } = await make.invoice({ customerId, amount: 100 });
  const first = await pay({ [id]: 100 });
  await arrived();
  const edited = { ...(await paymentOf({ [id]: 100 }, { paymentDate: '2026-03-21' })), id: first.id };
  await t.call(billingCalls.updatePayment, { ...sentBy(), body: { ...edited, rowVersion: first.rowVersion } });
  expect(await arrived()).toEqual([]);
});

test('an invoice that is reduced to the amount already paid sends invoice.paid after invoice.updated', async () => {
  await t.call(webhookCalls.deleteWebhook, { token: company.administrator.token, params: { id: webhook.id } });
  await subscribe(t, company, receiver.url, ['invoice.updated', 'invoice.paid']);
  const { id, invoiceNumber } = await make.invoice({ customerId, amount: 100 });
  await pay({ [id]: 80 });
  const lineItems = [{ description: 'Work', itemPrice: 80, quantity: 1, accountId: 140 }];
  await change(id, { lineItems });
  receiver.arrivals.length = 0;
  const sent = await sentEvents();
  expect(sent.map(({ event }) => event.type)).toEqual(['invoice.updated', 'invoice.paid']);
  expect(sent[1]?.event.data).toMatchObject({ invoiceNumber, invoiceAmount: 80, openAmount: 0, badge: 'Paid' });
  expect(sent[1]?.event.requestId).toBe(sent[0]?.event.requestId);
});

test('a credit memo settles an invoice, but a write-off doesn’t', async () => {
  const [a, b] = [await make.invoice({ customerId, amount: 50 }), await make.invoice({ customerId, amount: 70 })];
  const credit = await make.credit({ customerId, amount: 50 });
  const paymentApplications = [
    { invoiceId: a.id, amount: 50 },
    { invoiceId: credit.id, amount: -50 },
  ];
  await make.payment({ customerId, paymentAmount: 0, paymentApplications });
  expect(await arrived()).toEqual([`invoice.paid ${a.invoiceNumber}`]);
  const body = { invoiceId: b.id, amount: 70, writeOffDate: '2026-05-01' };
  await t.call(writeOffCalls.createWriteOff, { ...sentBy(), body });
  expect(toDollars((await invoiceOf(b.id)).openAmount)).toBe(0);
  expect(await arrived()).toEqual([]);
});

test('deleted invoices, void invoices, invoices for 0.00, and refunds of credit memos send no event', async () => {
  const [a, b] = [await make.invoice({ customerId, amount: 50 }), await make.invoice({ customerId, amount: 70 })];
  await make.invoice({ customerId, amount: 0 });
  await t.call(billingCalls.deleteInvoice, { ...sentBy(), params: { id: a.id } });
  await change(b.id, { arBillingStatus: 5 });
  const credit = await make.credit({ customerId, amount: 50 });
  await make.payment({
    customerId,
    paymentAmount: -50,
    paymentApplications: [{ invoiceId: credit.id, amount: -50 }],
  });
  const left = await t.call(creditCalls.getCredit, { ...sentBy(), params: { id: credit.id } });
  expect(toDollars(left.openAmount)).toBe(0);
  expect(await arrived()).toEqual([]);
});

test('bill.paid is sent for a settled bill, and not for a vendor credit that was used', async () => {
  const vendorId = await make.vendor();
  const [bill, credit] = [await make.bill({ vendorId, amount: 90 }), await make.bill({ vendorId, amount: -30 })];
  const paymentApplications = [
    { invoiceId: bill.id, amount: 90 },
    { invoiceId: credit.id, amount: -30 },
  ];
  await make.billPayment({ vendorId, paymentAmount: 60, paymentApplications });
  expect(await arrived()).toEqual([`bill.paid ${bill.invoiceNumber}`]);
  const listed = await t.call(expenseCalls.listExpenses, { ...sentBy(), query: { status: 'all', limit: 5 } });
  const { items } = Object(encode(expenseCalls.listExpenses.reply, listed)) as { items: { id: number }[] };
  expect(receiver.arrivals[0]?.event.data).toEqual(items.find(({ id }) => id === bill.id));
});

test('a rejected, rehearsed, or repeated payment sends no further event', async () => {
  const { id } = await make.invoice({ customerId, amount: 100 });
  const body = await paymentOf({ [id]: 100 });
  const sent = { method: 'POST', url: '/api/billingpayment', ...sentBy() } as const;
  expect(await t.request({ ...sent, headers: rehearsed, body })).toMatchObject({ status: 200 });
  expect(await t.request({ ...sent, body: await paymentOf({ [id]: 101 }) })).toMatchObject({ status: 422 });
  expect(await waiting(t, company.companyId)).toBe(0);
  for (let no = 0; no < 3; no += 1) await pay({ [id]: 100 }, { 'idempotency-key': 'once' });
  expect(await waiting(t, company.companyId)).toBe(1);
});

test('of two simultaneous payments of the same balance, only one sends the event', async () => {
  const { id, invoiceNumber } = await make.invoice({ customerId, amount: 100 });
  const body = await paymentOf({ [id]: 100 });
  const sent = { method: 'POST', url: '/api/billingpayment', ...sentBy(), body } as const;
  const answers = await Promise.all([t.request(sent), t.request(sent)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(await arrived()).toEqual([`invoice.paid ${invoiceNumber}`]);
});

test('simultaneous payments send one event for each invoice, with the key of the payment that settled it', async () => {
  const invoices = [];
  for (let no = 0; no < 8; no += 1) invoices.push(await make.invoice({ customerId, amount: 100 }));
  const keys = invoices.flatMap(({ id }) => [`${id} a`, `${id} b`]);
  const made = await Promise.all(
    keys.map((key) => pay({ [Number.parseInt(key, 10)]: 50 }, { 'idempotency-key': key })),
  );
  const settled = keys.filter((_, at) => made[at]?.affectedInvoices[0]?.openAmount === 0);
  expect(settled).toHaveLength(8);
  expect((await sentEvents()).map(({ event }) => String(event.idempotencyKey)).toSorted()).toEqual(settled.toSorted());
});

test('payments that are posted together send an event for each settled invoice', async () => {
  const [a, b] = [await make.invoice({ customerId, amount: 10 }), await make.invoice({ customerId, amount: 20 })];
  const payments = [await paymentOf({ [a.id]: 4 }), await paymentOf({ [a.id]: 6 }), await paymentOf({ [b.id]: 20 })];
  await t.call(billingCalls.createPayments, { ...sentBy(), body: { payments } });
  expect((await arrived()).toSorted()).toEqual([`invoice.paid ${a.invoiceNumber}`, `invoice.paid ${b.invoiceNumber}`]);
});

test('an online payment sends invoice.paid without a request', async () => {
  stripe.reset();
  const paying = payingIn(t, stripe, company);
  await paying.connect();
  const { id, invoiceNumber } = await make.invoice({ customerId, amount: 100 });
  stripe.pay(await paying.open(await paying.link(id), '100'));
  await paying.deliver();
  expect(await arrived()).toEqual([`invoice.paid ${invoiceNumber}`]);
  expect(receiver.arrivals[0]?.event).toMatchObject({ requestId: null, idempotencyKey: null });
});

test('webhooks that did not select invoice.paid and webhooks of other companies get no event', async () => {
  await t.call(webhookCalls.deleteWebhook, { token: company.administrator.token, params: { id: webhook.id } });
  await subscribe(t, company, receiver.url, ['estimate.created']);
  await subscribe(t, await t.createCompany(), receiver.url, ['invoice.paid']);
  const { id } = await make.invoice({ customerId, amount: 100 });
  await pay({ [id]: 100 });
  expect(await arrived()).toEqual([]);
});
