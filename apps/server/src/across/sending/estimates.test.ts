import { auditCalls } from '@evenkeel/contract/audit';
import { creditCalls } from '@evenkeel/contract/credits';
import { dashboardCalls } from '@evenkeel/contract/dashboard';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { sendingCalls as calls } from '@evenkeel/contract/sending';
import { ACCEPTED, DECLINED, ESTIMATE_DRAFT, ESTIMATE_SENT, ESTIMATE_VOID } from '@evenkeel/core/documents/estimate';
import { SENT } from '@evenkeel/core/documents/invoice';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyCompany } from '../health/books-verify.ts';
import { openMailer, type Mailer } from '../../platform/mail/mailer.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { startSmtp, type TestSmtp } from './testing/smtp.ts';

let t: TestApp;
let smtp: TestSmtp;
let bySmtp: Mailer;
let books: Factory;
let customerId: number;
/** Each test uses its own address, so that tests don't share limits. */
let address: string;
let tests = 0;
beforeAll(async () => {
  [t, smtp] = await Promise.all([startTestApp(), startSmtp()]);
  const mailFrom = 'Evenkeel <books@mail.example>';
  bySmtp = openMailer({ smtpUrl: smtp.url, mailFrom, mailDir: '/nowhere' }, () => undefined);
  books = factoryFor(t, t.world.company);
  customerId = await books.customer('Harper & Quill');
});
afterAll(() => Promise.all([t.close(), smtp.close()]));
beforeEach(() => {
  smtp.received.length = 0;
  tests += 1;
  address = `10.1.0.${tests}`;
});

const token = () => t.world.company.bookkeeper.token;
const read = (id: number) => t.call(estimateCalls.getEstimate, { token: token(), params: { id } });
const offer = (given: object = {}) => {
  return books.estimate({ customerId, amount: 480, arBillingStatus: ESTIMATE_SENT, dueDate: '2199-12-31', ...given });
};
const linkTo = async (documentId: number): Promise<string> => {
  const { url } = await t.call(calls.renewLink, { token: token(), params: { documentId } });
  return new URL(url).pathname;
};
const open = (path: string) => t.request({ method: 'GET', url: path, address });
const versionOn = (html: unknown): string => /name="version" value="(\d+)"/.exec(String(html))?.[1] ?? '';

/** Submits the page's form as a browser does. Uses the page's version unless another one is given. */
async function answer(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const version = fields['version'] ?? versionOn((await open(path)).body);
  const body = new URLSearchParams({ version, ...fields }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = { method: 'POST' as const, url: `${path}/answer`, address, headers: { ...type, ...headers } };
  const reply = await t.request({ ...sent, body });
  return { status: reply.status, to: reply.headers['location'], html: String(reply.body) };
}
const accept = (path: string, name: string, more: Record<string, string> = {}) =>
  answer(path, { name, answer: 'accept', ...more });

test('a draft estimate is sent with its link, marked as sent, and accepted only once, by name', async () => {
  const estimate = await offer({ arBillingStatus: ESTIMATE_DRAFT, note: 'We begin within three weeks' });
  const sent = await t.call(calls.send, { token: token(), body: { estimateId: estimate.id, sent: 0 } });
  expect(sent).toMatchObject({ kind: 'estimate', title: 'Estimate E-101', sent: 1 });
  expect(await read(estimate.id)).toMatchObject({ arBillingStatus: ESTIMATE_SENT });
  expect(await t.runMail(bySmtp)).toEqual([]);
  const [mail] = smtp.received;
  expect(mail?.text).toContain('Here is estimate E-101 for $480.00');
  expect(mail?.files).toEqual(['%PDF-']);
  const path = /\/d\/[\w-]{22}/.exec(mail?.text ?? '')?.[0] ?? '';
  const page = await open(path);
  for (const words of ['Estimate E-101', '$480.00', 'Accept Estimate', 'We begin within three weeks', 'Valid until']) {
    expect(String(page.body)).toContain(words);
  }
  expect(String(page.body)).not.toContain('<script');
  expect(page.headers['content-security-policy']).toContain("form-action 'self'");
  const done = await accept(path, '  Nora <b>Quill</b> ', { note: 'Please ring first' });
  expect([done.status, done.to]).toEqual([303, path]);
  const accepted = await read(estimate.id);
  expect(accepted).toMatchObject({
    arBillingStatus: ACCEPTED,
    answeredBy: 'Nora <b>Quill</b>',
    answerNote: 'Please ring first',
  });
  expect(String((await open(path)).body)).toContain('Accepted by Nora &lt;b&gt;Quill&lt;/b&gt; on ');
  const filter = { kind: 'estimate', recordId: String(estimate.id) };
  const { administrator } = t.world.company;
  const query = { ...filter, limit: 10, sort: 'at', desc: 'true' as const };
  const log = await t.call(auditCalls.listAudit, { token: administrator.token, query });
  const entries = 'items' in log ? log.items : log;
  expect(entries.map(({ byKind, byName }) => [byKind, byName])).toContainEqual(['link', 'Nora <b>Quill</b>']);
  const { dashboard } = await t.call(dashboardCalls.getDashboard, { token: administrator.token, query: {} });
  expect(dashboard?.waiting).toContainEqual({ key: 'acceptedEstimates', count: 1 });
});

test('only the first of two simultaneous responses counts, and the second customer sees who responded', async () => {
  const { id } = await offer();
  const path = await linkTo(id);
  const version = versionOn((await open(path)).body);
  const answers = await Promise.all([
    answer(path, { name: 'Ann', answer: 'accept', version }),
    answer(path, { name: 'Ben', answer: 'decline', version }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409]);
  const { answeredBy, badge } = await read(id);
  expect([answeredBy, badge]).toEqual(answers[0].status === 303 ? ['Ann', 'Accepted'] : ['Ben', 'Declined']);
  const told = answers.find(({ status }) => status === 409)?.html;
  expect(told).toMatch(/This estimate has already been (accepted|declined)/);
  expect(told).toContain(`${badge} by ${answeredBy}`);
});

test("an estimate can't be accepted if it has changed since it was read, has expired, or is void", async () => {
  const { id, lineItems } = await offer();
  const path = await linkTo(id);
  const version = versionOn((await open(path)).body);
  const save = async (given: object) => {
    const { invoiceDate, rowVersion } = await read(id);
    const lines = lineItems.map(({ description, accountId, id: line }) => {
      return { id: line, description, accountId, itemPrice: 500, quantity: 1 };
    });
    const body = { id, customerId, invoiceDate, lineItems: lines, rowVersion, ...given };
    await t.call(estimateCalls.updateEstimate, { token: token(), body });
  };
  await save({});
  const changed = await accept(path, 'Nora', { version });
  expect(changed.status).toBe(409);
  // The entered name is kept, and the page shows the new price.
  for (const words of ['This estimate was changed', 'value="Nora"', '$500.00']) expect(changed.html).toContain(words);
  await save({ dueDate: '2026-03-11' });
  const expired = await accept(path, 'Nora', { version: '3' });
  expect([expired.status, expired.html.includes('This estimate has expired'), expired.html.includes('<form')]).toEqual([
    409,
    true,
    false,
  ]);
  await save({ arBillingStatus: ESTIMATE_VOID });
  expect(await accept(path, 'Nora', { version: '4' })).toMatchObject({ status: 410 });
  expect(await read(id)).toMatchObject({ arBillingStatus: ESTIMATE_VOID, answeredBy: '' });
  await save({ arBillingStatus: ESTIMATE_DRAFT });
  expect(await accept(path, 'Nora', { version: '5' })).toMatchObject({ status: 410 });
  await t.call(estimateCalls.deleteEstimate, { token: token(), params: { id }, query: {} });
  expect(await accept(path, 'Nora', { version: '6' })).toMatchObject({ status: 410 });
});

test('a response without a name or valid link, or from another site, fails and changes nothing', async () => {
  const { id } = await offer();
  const path = await linkTo(id);
  expect(await accept(path, '   ')).toMatchObject({ status: 422, html: expect.stringContaining('enter your name') });
  expect(await answer(path, { name: 'Nora', answer: 'maybe' })).toMatchObject({ status: 422 });
  const elsewhere = { 'sec-fetch-site': 'cross-site' };
  expect(await answer(path, { name: 'Nora', answer: 'accept' }, elsewhere)).toMatchObject({ status: 403 });
  const invoice = await books.invoice({ customerId, amount: 10 });
  expect(await accept(await linkTo(invoice.id), 'Nora', { version: '1' })).toMatchObject({ status: 409 });
  const json = { 'content-type': 'application/json' };
  expect((await answer(path, { name: 'Nora', answer: 'accept' }, json)).status).toBeGreaterThanOrEqual(400);
  await t.call(calls.revokeLink, { token: token(), params: { documentId: id } });
  expect(await accept(path, 'Nora', { version: '1' })).toMatchObject({ status: 404 });
  expect(await read(id)).toMatchObject({ badge: 'Sent', answeredBy: '' });
  for (let count = 0; count < 20; count += 1) await answer(path, { name: 'Nora', version: '1' });
  expect(await accept(path, 'Nora', { version: '1' })).toMatchObject({ status: 429 });
});

test("resetting the status deletes the customer's response, and a user can also record a response", async () => {
  const estimate = await offer();
  const path = await linkTo(estimate.id);
  await answer(path, { name: 'Nora', answer: 'decline', note: 'Too dear' });
  const declined = await read(estimate.id);
  expect(declined).toMatchObject({ arBillingStatus: DECLINED, answeredBy: 'Nora', answerNote: 'Too dear' });
  const lineItems = declined.lineItems.map(({ id, description, accountId }) => {
    return { id, description, accountId, itemPrice: 400, quantity: 1 };
  });
  const { id, invoiceDate, rowVersion } = declined;
  const body = { id, customerId, invoiceDate, rowVersion, lineItems, arBillingStatus: ACCEPTED };
  const back = await t.call(estimateCalls.updateEstimate, { token: token(), body });
  expect(back).toMatchObject({ badge: 'Accepted', answeredBy: '', answerNote: '', answeredAt: null });
});

test('credit memos can be sent, and several documents that are sent together get separate results', async () => {
  const memo = await books.credit({ customerId, amount: 30, reason: 'Returned <plants>' });
  const [first, second] = [
    await offer({ arBillingStatus: ESTIMATE_DRAFT }),
    await offer({ arBillingStatus: DECLINED }),
  ];
  const body = [{ creditId: memo.id }, { estimateId: first.id }, { estimateId: second.id }];
  expect(await t.call(calls.send, { token: token(), body })).toMatchObject([
    { creditId: memo.id, estimateId: null, ok: true },
    { estimateId: first.id, ok: true },
    { estimateId: second.id, ok: false, error: { message: expect.stringContaining('declined') as unknown } },
  ]);
  const params = { id: memo.id };
  expect(await t.call(creditCalls.getCredit, { token: token(), params })).toMatchObject({ arBillingStatus: SENT });
  expect(await t.runMail(bySmtp)).toEqual([]);
  const mail = smtp.received.find(({ text }) => text.includes('credit memo'));
  expect(mail?.text).toContain('Your remaining credit is $30.00');
  const page = await open(await linkTo(memo.id));
  for (const words of [`Credit Memo ${memo.invoiceNumber}`, 'Remaining credit', 'Returned &lt;plants&gt;']) {
    expect(String(page.body)).toContain(words);
  }
  expect(String(page.body)).not.toContain('<form');
  expect((await verifyCompany(t.pool, t.world.company.companyId)).faults).toEqual([]);
});
