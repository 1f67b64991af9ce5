import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { billingCalls, invoiceCalls } from '@evenkeel/contract/billing';
import { type Sending, sendingCalls as calls } from '@evenkeel/contract/sending';
import { SENT, VOID } from '@evenkeel/core/documents/invoice';
import { sql } from 'kysely';
import { openMailer, type Mailer, type Message } from '../../platform/mail/mailer.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { requeueEmails } from './deliver.ts';
import { upload } from '../../testing/files.ts';
import { startSmtp, type TestSmtp } from './testing/smtp.ts';

let t: TestApp;
let smtp: TestSmtp;
let books: Factory;
let bySmtp: Mailer;
let customerId: number;
beforeAll(async () => {
  [t, smtp] = await Promise.all([startTestApp(), startSmtp()]);
  const mailFrom = 'Evenkeel <books@mail.example>';
  bySmtp = openMailer({ smtpUrl: smtp.url, mailFrom, mailDir: '/nowhere' }, () => undefined);
  books = factoryFor(t, t.world.company);
  customerId = await books.customer();
});
afterAll(() => Promise.all([t.close(), smtp.close()]));
beforeEach(() => {
  smtp.answers.clear();
  smtp.received.length = 0;
});

const token = () => t.world.company.bookkeeper.token;
const companyId = () => t.world.company.companyId;

const send = (body: object, headers = {}) => t.call(calls.send, { token: token(), body, headers }) as Promise<Sending>;
const sendingOf = (id: number) => t.call(invoiceCalls.sending, { token: token(), params: { id } });
const statusOf = async (id: number) =>
  (await t.call(billingCalls.getInvoice, { token: token(), params: { id } })).arBillingStatus;
/** Makes the waiting jobs due now. */
const hurry = () =>
  t.inCompany(companyId(), (tx) => tx.rows(sql`update job set run_at = now() where company_id = ${companyId()}`));
const statesOf = async (id: number) =>
  (await sendingOf(id)).history.flatMap(({ recipients }) => recipients.map(({ state }) => state));

const invoiceOf = (amount = 100) => books.invoice({ customerId, amount });

test('the customer sees the invoice that was sent, and its history shows its sender and recipient', async () => {
  const { id, invoiceNumber } = await invoiceOf(240);
  const draft = await sendingOf(id);
  expect(draft).toMatchObject({
    title: `Invoice ${invoiceNumber}`,
    to: ['billing@fairlawn.example'],
    sent: 0,
    history: [],
  });
  const sent = await send({ invoiceId: id, to: ['ruth@fairlawn.example'], cc: ['board@fairlawn.example'], sent: 0 });
  expect(sent.history).toMatchObject([
    { sentBy: 'Bob Person', step: 1, recipients: [{ state: 'queued' }, { state: 'queued', isCopy: true }] },
  ]);
  expect(await statusOf(id)).toBe(SENT);
  expect(smtp.received).toEqual([]);
  expect(await t.runMail(bySmtp)).toEqual([]);
  expect(smtp.received.map(({ to }) => to).toSorted()).toEqual(['board@fairlawn.example', 'ruth@fairlawn.example']);
  const { text: data = '', files = [] } = smtp.received.find(({ to }) => to === 'ruth@fairlawn.example') ?? {};
  expect(data).toMatch(/^From: Harbor Supply <books@mail.example>/m);
  expect(data).toMatch(/^To: ruth@fairlawn.example/m);
  expect(data).toMatch(/^Cc: board@fairlawn.example/m);
  expect(data).toMatch(/^Reply-To: bob@harbor-supply.example/m);
  expect(data).toMatch(new RegExp(`^Subject: Invoice ${invoiceNumber} from Harbor Supply`, 'm'));
  expect(data).toContain(`Your invoice ${invoiceNumber} for $240.00`);
  expect(data).toContain(`filename="Invoice ${invoiceNumber}.pdf"`);
  expect(files).toEqual(['%PDF-']);
  const { history } = await sendingOf(id);
  expect(history[0]?.recipients).toMatchObject([
    { address: 'ruth@fairlawn.example', state: 'sent', answer: expect.stringMatching(/^250/) },
    { address: 'board@fairlawn.example', state: 'sent' },
  ]);
});

test('attached files reach every recipient, stay in the history, and are limited to 10 MB in total', async () => {
  const { id } = await invoiceOf();
  const photo = await upload(t, token(), { name: 'lawn.png', bytes: Buffer.from('\u0089PNG\r\n and more', 'latin1') });
  const documentLinks = [{ documentId: photo.documentId, documentName: 'After.png' }];
  await send({ invoiceId: id, to: ['ruth@fairlawn.example', 'board@fairlawn.example'], documentLinks });
  expect(await t.runMail(bySmtp)).toEqual([]);
  for (const { text, files } of smtp.received) {
    expect(files).toEqual(['%PDF-', '\u0089PNG\r']);
    expect(text).toContain('filename=After.png');
  }
  expect((await sendingOf(id)).history[0]?.documentLinks).toMatchObject([
    { documentId: photo.documentId, documentName: 'After.png' },
  ]);
  const large = await upload(t, token(), { name: 'plans.bin', bytes: Buffer.alloc(10 * 1_048_576 + 1) });
  const tooMuch = { invoiceId: id, sent: 1, documentLinks: [{ documentId: large.documentId }] };
  const { status, body } = await t.request({ method: 'POST', url: '/api/sending', token: token(), body: tooMuch });
  const message = 'The attached files are larger than 10 MB in total. Attach fewer or smaller files.';
  expect([status, body]).toMatchObject([422, { message, fields: { documentLinks: message } }]);
  expect((await sendingOf(id)).sent).toBe(1);
});

test('a rejected copy of an email does not affect other copies and is reported until it is resent', async () => {
  const { id, invoiceNumber } = await invoiceOf();
  smtp.answers.set('gone@fairlawn.example', 'refuse');
  await send({ invoiceId: id, to: ['ruth@fairlawn.example', 'gone@fairlawn.example'] });
  expect(await t.runMail(bySmtp)).toEqual([]);
  await hurry();
  await t.runMail(bySmtp);
  expect(await statesOf(id)).toEqual(['sent', 'refused']);
  const refused = () => t.call(calls.refusedMail, { token: token() });
  const [mail] = await refused();
  expect(mail).toMatchObject({ invoiceId: id, number: invoiceNumber, sentBy: 'Bob Person' });
  expect(mail?.recipients[1]).toMatchObject({ answer: '550 5.1.1 user unknown' });
  const waiting = async () =>
    (await t.call(dashboardCalls.getDashboard, { token: token(), query: {} })).dashboard?.waiting;
  expect(await waiting()).toEqual([{ key: 'documentEmails', count: 1 }]);
  await send({ invoiceId: id, to: ['ruth@fairlawn.example'], sent: 1 });
  expect([await refused(), await waiting()]).toEqual([[], []]);
  expect(await t.runMail(bySmtp)).toEqual([]);
  smtp.answers.set('ruth@fairlawn.example', 'refuse');
  await send({ invoiceId: id, to: ['ruth@fairlawn.example'], sent: 2 });
  await t.runMail(bySmtp);
  const [last] = await refused();
  await t.call(calls.dismissMail, { token: token(), params: { id: last?.id } });
  expect(await refused()).toEqual([]);
});

test('an email is retried if the mail server is unavailable or busy, and is delivered once', async () => {
  const { id } = await invoiceOf();
  smtp.answers.set('ruth@fairlawn.example', 'later');
  await send({ invoiceId: id, to: ['ruth@fairlawn.example'] });
  const away = openMailer({ smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'b@m.example', mailDir: '' }, () => undefined);
  expect(await t.runMail(away)).toEqual([expect.stringContaining('ECONNREFUSED')]);
  await hurry();
  expect(await t.runMail(bySmtp)).toEqual([expect.stringContaining('451 4.7.1 try again later')]);
  const { history } = await sendingOf(id);
  expect(history[0]?.recipients[0]).toMatchObject({
    state: 'queued',
    attempts: 2,
    answer: '451 4.7.1 try again later',
  });
  smtp.answers.clear();
  await hurry();
  expect(await t.runMail(bySmtp)).toEqual([]);
  await t.runMail(bySmtp);
  expect([await statesOf(id), smtp.received.length]).toEqual([['sent'], 1]);
});

test('an email whose server disconnects after accepting it is marked as uncertain and is not retried', async () => {
  const { id } = await invoiceOf();
  smtp.answers.set('ruth@fairlawn.example', 'hang up');
  await send({ invoiceId: id, to: ['ruth@fairlawn.example'] });
  await t.runMail(bySmtp);
  smtp.answers.clear();
  await hurry();
  await t.runMail(bySmtp);
  expect([await statesOf(id), smtp.received.length]).toEqual([['unsure'], 1]);
});

/** Simulates a process that is killed: the call never returns. */
const never = () => new Promise<never>(() => undefined);

describe('processes that are killed', () => {
  test('if a process is killed before delivery, nothing is lost, and another process delivers the email', async () => {
    const { id } = await invoiceOf();
    await send({ invoiceId: id, to: ['ruth@fairlawn.example'] });
    const message = await new Promise<Message>((resolve) => {
      void t.runMail({ send: (given) => (resolve(given), never()) });
    });
    await hurry();
    expect(await t.runMail(bySmtp)).toEqual([]);
    await expect(bySmtp.send(message)).rejects.toThrow(Error);
    expect([await statesOf(id), smtp.received.length]).toEqual([['sent'], 1]);
  });

  test('if a process dies after delivery, nothing is sent twice, and a user decides whether to resend', async () => {
    const { id } = await invoiceOf();
    await send({ invoiceId: id, to: ['ruth@fairlawn.example'] });
    await new Promise<void>((resolve) => {
      const send = async (message: Message) => {
        await message.beforeHandover?.();
        resolve();
        return never();
      };
      void t.runMail({ send });
    });
    await hurry();
    await t.runMail(bySmtp);
    expect([await statesOf(id), smtp.received.length]).toEqual([['unsure'], 0]);
  });

  test('a failed job is requeued by the hourly check', async () => {
    const { id } = await invoiceOf();
    await send({ invoiceId: id, to: ['ruth@fairlawn.example'] });
    await t.inCompany(companyId(), (tx) => tx.rows(sql`delete from job where company_id = ${companyId()}`));
    await t.inCompany(companyId(), requeueEmails);
    await t.runMail(bySmtp);
    expect([await statesOf(id), smtp.received.length]).toEqual([['sent'], 1]);
  });
});

describe('simultaneous requests', () => {
  test('two users who send an invoice at the same time send one email, and the second user is rejected', async () => {
    const { id } = await invoiceOf();
    const { bookkeeper, superuser } = t.world.company;
    const answers = await Promise.all(
      [bookkeeper, superuser].map((person) =>
        t.request({
          method: 'POST',
          url: '/api/sending',
          token: person.token,
          body: { invoiceId: id, to: ['ruth@fairlawn.example'], sent: 0 },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      message: expect.stringMatching(/was already sent by (Bob|Sue) Person/),
    });
    await t.runMail(bySmtp);
    expect(smtp.received).toHaveLength(1);
  });

  test('four processes deliver each of 12 invoices only once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await invoiceOf()).id));
    const results = await t.call(calls.send, { token: token(), body: ids.map((invoiceId) => ({ invoiceId })) });
    expect((results as { ok: boolean }[]).every(({ ok }) => ok)).toBe(true);
    await Promise.all(Array.from({ length: 4 }, () => t.runMail(bySmtp)));
    expect(smtp.received).toHaveLength(12);
  });

  test('repeated requests with one idempotency key queue only one email', async () => {
    const { id } = await invoiceOf();
    const again = () => send({ invoiceId: id, sent: 0 }, { 'idempotency-key': `send ${id}` });
    expect(await Promise.all([again(), again()])).toHaveLength(2);
    expect((await sendingOf(id)).sent).toBe(1);
    await t.runMail(bySmtp);
  });

  test.each(['void', 'delete'])('a document is not sent if a simultaneous %s succeeds', async (way) => {
    const invoice = await invoiceOf();
    const { id, invoiceDate } = invoice;
    const line = { description: 'Mowing', itemPrice: 100, quantity: 1, accountId: 140 };
    const body = { id, invoiceDate, customerId, arBillingStatus: VOID, lineItems: [line] };
    const take =
      way === 'void'
        ? { method: 'PUT' as const, url: '/api/billinginvoice', body }
        : { method: 'DELETE' as const, url: `/api/billinginvoice/${id}` };
    const [sent, taken] = await Promise.all([
      t.request({ method: 'POST', url: '/api/sending', token: token(), body: { invoiceId: id } }),
      t.request({ ...take, token: token() }),
    ]);
    expect(taken.status).toBe(200);
    expect([200, 404, 422]).toContain(sent.status);
    await t.runMail(bySmtp);
    expect(smtp.received).toEqual([]);
    const left = await t.inCompany(companyId(), (tx) =>
      tx.rows(sql<{ answer: string }>`
        select r.answer from mail_recipient r join mail m on m.company_id = r.company_id and m.id = r.mail_id
        where m.document_id = ${id}`),
    );
    expect(left.every(({ answer }) => answer.startsWith('Not sent: '))).toBe(true);
    expect(left).toHaveLength(sent.status === 200 ? 1 : 0);
  });
});

test('sending several documents returns a result for each', async () => {
  const [open, sentBefore, draft] = [
    await invoiceOf(),
    await invoiceOf(),
    await books.invoice({ customerId, arBillingStatus: 1 }),
  ];
  await send({ invoiceId: sentBefore.id });
  const body = [open, sentBefore, draft].map(({ id: invoiceId }) => ({ invoiceId }));
  expect(await t.call(calls.send, { token: token(), body })).toMatchObject([
    { invoiceId: open.id, ok: true },
    { invoiceId: sentBefore.id, ok: false, error: { code: 'conflict' } },
    { invoiceId: draft.id, ok: false, error: { message: "A draft can't be sent. Save it as Open first." } },
  ]);
  const statement = { customerId, startdate: '2026-01-01', reportdate: '2026-03-31' };
  const next = { ...statement, reportdate: '2026-04-30' };
  expect(await t.call(calls.send, { token: token(), body: [statement, statement, next] })).toMatchObject([
    { customerId, ok: true },
    { customerId, ok: false, error: { code: 'conflict' } },
    { customerId, ok: true },
  ]);
  await t.runMail(bySmtp);
});

test('receipts and statements can also be sent', async () => {
  const own = await books.customer('Nguyen Residence');
  const { id: invoiceId } = await books.invoice({ customerId: own, amount: 80 });
  const payment = await books.payment({ customerId: own, paymentAmount: 50 });
  expect(invoiceId).toBeGreaterThan(0);
  await send({ paymentId: payment.id, text: 'Thank you for {amount}' });
  await send({ customerId: own });
  await t.runMail(bySmtp);
  const all = smtp.received.map(({ text }) => text).join('\n');
  expect(all).toContain('Thank you for $50.00');
  expect(all).toContain(`filename="Receipt ${payment.paymentNumber}.pdf"`);
  expect(all).toContain('balance is $30.00');
  expect(all).toContain('filename="Statement for Nguyen Residence.pdf"');
});

test.each([
  [{ to: [] }, 'Please enter an email address'],
  [{ to: ['ruth@fairlawn.example\r\nBcc: eve@evil.example'] }, expect.stringContaining('is not a valid email address')],
  [{ text: 'Pay {payment date}' }, expect.stringContaining('{payment date} is not a valid placeholder')],
  [{ subject: 'Two\nlines' }, 'The subject must be a single line'],
])('an email with %j is rejected, and the invoice is neither queued nor marked as sent', async (given, message) => {
  const { id, arBillingStatus } = await invoiceOf();
  const refusal = await t.refused(calls.send, { token: token(), body: { invoiceId: id, ...given } });
  expect([refusal.status, refusal.message]).toEqual([422, message]);
  expect([await statusOf(id), (await sendingOf(id)).sent]).toEqual([arBillingStatus, 0]);
});

test("the company's templates replace the defaults, and unknown placeholders are rejected", async () => {
  const { administrator } = await t.createCompany();
  const auth = { token: administrator.token };
  const before = await t.call(calls.getSendingSettings, auth);
  const mine = { kind: 'invoice', subject: 'Yours: {number}', text: '{how to pay}' };
  const payLink = 'https://pay.example/?n={number}&a={amount}';
  const body = { templates: [mine], howToPay: 'By check', payLink, rowVersion: before.rowVersion };
  const after = await t.call(calls.saveSendingSettings, { ...auth, body });
  expect(after.templates[0]).toMatchObject(mine);
  expect(after.templates[1]).toEqual(before.templates[1]);
  expect(await t.refused(calls.saveSendingSettings, { ...auth, body })).toMatchObject({ status: 409, code: 'stale' });
  const bad = { templates: [{ ...mine, text: '{vendor}' }], payLink: 'http://pay.example' };
  expect((await t.refused(calls.saveSendingSettings, { ...auth, body: bad })).fields).toEqual({
    'templates.0.text': '{vendor} is not a valid placeholder. Select one from the list.',
    payLink: 'Please enter a URL that begins with https://',
  });
});

test('the demo company sends nothing through a mail server', async () => {
  const { administrator } = await t.createCompany();
  await t.inCompany(administrator.companyId, (tx) =>
    tx.rows(sql`update app_user set email = ${DEMO_EMAIL} where id = ${administrator.userId}`),
  );
  const { config } = t.services;
  config.smtpUrl = smtp.url;
  try {
    const body = { customerId: 1, to: ['anybody@mail.example'] };
    const refusal = await t.refused(calls.send, { token: administrator.token, body });
    expect([refusal.status, refusal.message]).toEqual([422, "The demo company doesn't send email"]);
  } finally {
    config.smtpUrl = undefined;
  }
});

test('a new company can email 200 addresses in 24 hours, and an established company 2,000', async () => {
  const company = await t.createCompany();
  const { administrator } = company;
  const own = factoryFor(t, company);
  const { id } = await own.invoice({ customerId: await own.customer() });
  const addresses = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `to${from + at}@mail.example`);
  const sendTo = (sent: number, to: string[], cc: string[] = []) =>
    t.request({
      method: 'POST',
      url: '/api/sending',
      token: administrator.token,
      body: { invoiceId: id, sent, to, cc },
    });
  for (let sent = 0; sent < 20; sent += 1) {
    expect((await sendTo(sent, addresses(0, 5), addresses(5, sent < 19 ? 5 : 0))).status).toBe(200);
  }
  const refused = await sendTo(20, addresses(0, 6));
  expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
  expect((refused.body as { message: string }).message).toContain('200 addresses in 24 hours during its first 7 days');
  expect((await sendTo(20, addresses(0, 5))).status).toBe(200);
  const age = (days: number, table: string) =>
    t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`
        update ${sql.table(table)} set created_at = now() - make_interval(days => ${days})
        where company_id = ${company.companyId}`),
    );
  await age(8, 'company');
  expect((await sendTo(21, addresses(0, 10))).status).toBe(200);
  await age(0, 'company');
  expect((await sendTo(22, addresses(0, 1))).status).toBe(429);
  await age(2, 'mail');
  expect((await sendTo(22, addresses(0, 10))).status).toBe(200);
});
