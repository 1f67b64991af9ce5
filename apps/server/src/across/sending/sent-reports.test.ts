import { createHash } from 'node:crypto';
import { reportCalls } from '@evenkeel/contract/reports';
import { settingsCalls } from '@evenkeel/contract/settings';
import { sendingCalls as calls } from '@evenkeel/contract/sending';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Mailer, MailRefused, type Message } from '../../platform/mail/mailer.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';

let t: TestApp;
let books: Factory;
let customerId: number;
beforeAll(async () => {
  t = await startTestApp();
  books = factoryFor(t, t.world.company);
  customerId = await books.customer();
});
afterAll(() => t.close());

const token = () => t.world.company.administrator.token;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const MARCH = {
  reportParams: [
    { paramType: 1, paramName: 'startdate', paramvalue: '2026-03-01' },
    { paramType: 1, paramName: 'reportdate', paramvalue: '2026-03-31' },
  ],
};
const params = { reportId: reportKinds.profitAndLoss.id };
const bank = { ...MARCH, to: ['loans@bank.example'] };

const email = (body: object = bank, headers = {}) =>
  t.call(calls.emailReport, { token: token(), params, body, headers });
const listed = () => t.call(calls.listSentReports, { token: token() });
const fileOf = (id: number) => t.call(calls.sentReportFile, { token: token(), params: { id } });
const runNow = () => t.call(reportCalls.runReport, { token: token(), params, body: MARCH });

/** Delivers the waiting emails, and returns them. */
async function delivered(): Promise<Message[]> {
  const messages: Message[] = [];
  const mailer: Mailer = {
    send: async (message) => {
      await message.beforeHandover?.();
      messages.push(message);
      return '250 OK';
    },
  };
  expect(await t.runMail(mailer)).toEqual([]);
  return messages;
}

test('an emailed report is shown again byte for byte after its period and the company have changed', async () => {
  await books.invoice({ customerId, amount: 240, invoiceDate: '2026-03-10' });
  const sent = await email({ ...bank, cc: ['ann@bank.example'] });
  expect(sent).toMatchObject({
    kind: 'report',
    title: 'Profit & Loss Statement',
    fileName: 'Profit & Loss Statement.pdf',
    sent: 1,
  });
  const messages = await delivered();
  expect(messages.map(({ to }) => to).toSorted()).toEqual(['ann@bank.example', 'loans@bank.example']);
  expect(messages[0]).toMatchObject({
    subject: 'Profit & Loss Statement from Harbor Supply',
    fromName: 'Harbor Supply',
  });
  expect(messages[0]?.text).toContain('March 1');

  const [report] = await listed();
  expect(report).toMatchObject({
    reportId: params.reportId,
    title: 'Profit & Loss Statement',
    facts: [expect.stringContaining('March 31, 2026'), 'Accrual basis'],
    reportParams: MARCH.reportParams,
    mail: { sentBy: 'Ada Admin', recipients: [{ state: 'sent' }, { isCopy: true, state: 'sent' }] },
  });
  const id = report?.id ?? 0;
  const before = await fileOf(id);
  expect(Buffer.from(before.subarray(0, 5)).toString()).toBe('%PDF-');
  expect(sha256(before)).toBe(report?.hash);
  const ran = await runNow();
  for (const { attachments } of messages)
    expect(attachments?.map(({ bytes }) => sha256(bytes))).toEqual([report?.hash]);

  await books.invoice({ customerId, amount: 999, invoiceDate: '2026-03-20' });
  const { companyId } = t.world.company;
  await t.call(settingsCalls.updateCompany, {
    token: token(),
    params: { id: companyId },
    body: { name: 'Harbor & Sons', displayname: 'Harbor & Sons' },
  });
  expect((await runNow()).reportHeaderItems[0]?.headerText).toBe('Harbor & Sons');
  expect((await runNow()).reportSummaries).not.toEqual(ran.reportSummaries);
  expect(Buffer.from(await fileOf(id)).equals(Buffer.from(before))).toBe(true);
});

test('an email that is still waiting is delivered with the file from when it was sent', async () => {
  await email({ ...bank, to: ['later@bank.example'] });
  const ran = await runNow();
  await books.invoice({ customerId, amount: 50, invoiceDate: '2026-03-21' });
  const [message] = await delivered();
  expect(message?.to).toBe('later@bank.example');
  const [report] = await listed();
  expect(message?.attachments?.map(({ bytes }) => sha256(bytes))).toEqual([report?.hash]);
  expect((await runNow()).reportSummaries).not.toEqual(ran.reportSummaries);
});

test('a repeated request sends one email, and two requests send the report twice', async () => {
  const count = async () => (await listed()).length;
  const before = await count();
  const headers = { 'idempotency-key': 'report-once-1' };
  await Promise.all([email(bank, headers), email(bank, headers)]);
  await email(bank, headers);
  expect(await count()).toBe(before + 1);
  await Promise.all([email(), email()]);
  expect(await count()).toBe(before + 3);
  expect(await delivered()).toHaveLength(3);
});

test('a stored report cannot be changed or deleted by the server', async () => {
  const { companyId } = t.world.company;
  const change = (statement: ReturnType<typeof sql>) => t.inCompany(companyId, (tx) => tx.rows(statement));
  const denied = 'permission denied for table sent_report';
  await expect(change(sql`update sent_report set title = 'x' where company_id = ${companyId}`)).rejects.toThrow(denied);
  await expect(change(sql`delete from sent_report where company_id = ${companyId}`)).rejects.toThrow(denied);
});

test('invalid emails, unknown reports, and other companies are refused, and nothing is stored', async () => {
  const before = await listed();
  const refused = (body: object, reportId: number | string = params.reportId, person = token()) =>
    t.refused(calls.emailReport, { token: person, params: { reportId }, body });
  expect(await refused({ ...MARCH, to: [] })).toMatchObject({
    status: 422,
    fields: { to: 'Please enter an email address' },
  });
  expect(await refused({ ...bank, text: '{amount}' })).toMatchObject({
    status: 422,
    fields: { text: expect.any(String) },
  });
  expect(await refused(bank, 9999)).toMatchObject({ status: 404 });
  const wrong = [{ paramType: 1, paramName: 'reportdate', paramvalue: 'soon' }];
  expect(await refused({ reportParams: wrong, to: bank.to })).toMatchObject({ status: 400 });
  expect(await listed()).toEqual(before);
  const other = await t.createCompany('Elsewhere');
  const id = before[0]?.id ?? 0;
  const theirs = { token: other.administrator.token, params: { id } };
  expect(await t.refused(calls.sentReportFile, theirs)).toMatchObject({ status: 404 });
  expect(await t.call(calls.listSentReports, { token: other.administrator.token })).toEqual([]);
  const reader = t.world.company.reader.token;
  expect(await refused(bank, params.reportId, reader)).toMatchObject({ status: 403 });
});

test('an email that the mail server rejects is listed with the response, and its file stays available', async () => {
  await email({ ...bank, to: ['gone@bank.example'] });
  const rejecting: Mailer = {
    send: async (message) => {
      await message.beforeHandover?.();
      throw new MailRefused('550 5.1.1 user unknown', true);
    },
  };
  await t.runMail(rejecting);
  const [report] = await listed();
  expect(report?.mail.recipients).toMatchObject([
    { address: 'gone@bank.example', state: 'refused', answer: '550 5.1.1 user unknown' },
  ]);
  expect(sha256(await fileOf(report?.id ?? 0))).toBe(report?.hash);
});

test('a report without rows is emailed as a PDF', async () => {
  const { administrator } = await t.createCompany('Empty Books');
  const request = { token: administrator.token, params: { reportId: reportKinds.generalLedger.id }, body: bank };
  expect(await t.call(calls.emailReport, request)).toMatchObject({ title: 'General Ledger', sent: 1 });
  const [report] = await t.call(calls.listSentReports, { token: administrator.token });
  const file = await t.call(calls.sentReportFile, { token: administrator.token, params: { id: report?.id ?? 0 } });
  expect(Buffer.from(file.subarray(0, 5)).toString()).toBe('%PDF-');
  expect(await delivered()).toHaveLength(1);
});
