import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BillingInvoice, invoiceCalls } from '@evenkeel/contract/billing';
import { sendingCalls as calls } from '@evenkeel/contract/sending';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { ON_HOLD } from '@evenkeel/core/documents/invoice';
import { now, todayIn } from '../../platform/clock.ts';
import { inCompany } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor, setTimeZone } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { serverActor } from '../../platform/http/session.ts';
import { queueReminders, remindersSender } from './reminders.ts';

let t: TestApp;
let company: WorldCompany;
let books: Factory;
let today: IsoDate;
const before = { days: -3, subject: 'Soon: {number}', text: 'Due {due date}' };
const week = { days: 7, subject: 'Late: {number}', text: '{days overdue} days, {amount due}: {link}' };
const steps = [before, week];
/** A time zone where it is noon now. Reminders are sent from 8:00 on. */
const noonZone = () => {
  const ahead = 12 - now().getUTCHours();
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
};

beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  books = factoryFor(t, company);
  const zone = noonZone();
  await setTimeZone(t, company, zone);
  today = todayIn(zone);
});
afterAll(() => t.close());

const admin = () => ({ token: company.administrator.token });
const run = () => inCompany(t.pool, company.companyId, (tx) => remindersSender(t.services)(tx, {}));
const subjects = async () => (await t.runJobs()).map(({ subject }) => subject);
const late = (customerId: number, given: object = {}) =>
  books.invoice({ customerId, amount: 100, invoiceDate: addDays(today, -37), dueDate: addDays(today, -7), ...given });

test('reminders are off until a user turns them on, and several runners send each step only once', async () => {
  const customerId = await books.customer('Fairlawn Heights');
  const invoice: BillingInvoice = await late(customerId);
  const soon = await books.invoice({ customerId, amount: 50, invoiceDate: today, dueDate: addDays(today, 3) });
  const saved = await t.call(calls.saveReminders, { ...admin(), body: { steps } });
  expect(saved).toMatchObject({ isOn: false, steps });
  await run();
  expect(await subjects()).toEqual([]);
  await t.call(calls.saveReminders, { ...admin(), body: { isOn: true, rowVersion: saved.rowVersion } });
  expect(
    await t.refused(calls.saveReminders, { ...admin(), body: { isOn: false, rowVersion: saved.rowVersion } }),
  ).toMatchObject({ code: 'stale' });
  await Promise.all([run(), run(), run()]);
  const letters = await t.runJobs();
  expect(letters.map(({ subject }) => subject).toSorted()).toEqual([
    `Late: ${invoice.invoiceNumber}`,
    `Soon: ${soon.invoiceNumber}`,
  ]);
  expect(letters.find(({ subject }) => subject.startsWith('Late'))?.text).toContain(
    '7 days, $100.00: https://books.example/d/',
  );
  await run();
  // A step is identified by its number of days, regardless of its text.
  await t.call(calls.saveReminders, { ...admin(), body: { steps: [{ ...week, subject: 'Again' }] } });
  await run();
  expect(await subjects()).toEqual([]);
  await t.call(calls.saveReminders, { ...admin(), body: { steps } });
});

test('no reminder is sent for a held or paid invoice, or to a customer who is exempt or has credit', async () => {
  const [held, paid, credit, unwilling] = [
    await books.customer('A'),
    await books.customer('B'),
    await books.customer('C'),
    await books.customer('D'),
  ];
  await late(held, { arBillingStatus: ON_HOLD });
  const { id: invoiceId } = await late(paid);
  await books.payment({ customerId: paid, paymentAmount: 100, paymentApplications: [{ invoiceId, amount: 100 }] });
  await late(credit);
  await books.payment({ customerId: credit, paymentAmount: 150, paymentApplications: [] });
  await late(unwilling);
  const leave = (leftOut: boolean) =>
    t.call(calls.leaveOutOfReminders, { token: books.token, params: { customerId: unwilling }, body: { leftOut } });
  expect((await leave(true)).leftOut).toEqual([{ id: unwilling, displayName: 'D' }]);
  await run();
  expect(await subjects()).toEqual([]);
  expect((await leave(false)).leftOut).toEqual([]);
  await run();
  expect(await subjects()).toHaveLength(1);
});

test("tomorrow's reminders are previewed, and an invoice paid before then gets no reminder", async () => {
  const customerId = await books.customer('Ridgeview');
  const { id: invoiceId } = await late(customerId, { dueDate: addDays(today, -6) });
  const { next, tomorrow } = await t.call(calls.getReminders, admin());
  expect([tomorrow, next]).toEqual([
    addDays(today, 1),
    [expect.objectContaining({ invoiceId, days: 7, customerDisplayName: 'Ridgeview' })],
  ]);
  const other = await late(customerId);
  await run();
  const paymentApplications = [{ invoiceId: other.id, amount: 100 }];
  await books.payment({ customerId, paymentDate: today, paymentAmount: 100, paymentApplications });
  expect(await subjects()).toEqual([]);
  expect(await t.call(calls.refusedMail, admin())).toEqual([]);
  const { history } = await t.call(invoiceCalls.sending, { ...admin(), params: { id: other.id } });
  expect(history[0]?.recipients[0]).toMatchObject({ state: 'refused', answer: 'Not sent: the invoice was paid' });
});

test("a read-only user can't change reminders, and an invalid step is rejected", async () => {
  expect((await t.refused(calls.saveReminders, { token: company.bookkeeper.token, body: { isOn: true } })).status).toBe(
    403,
  );
  const body = { steps: [week, week] };
  expect((await t.refused(calls.saveReminders, { ...admin(), body })).fields).toEqual({
    'steps.1.days': "Two reminders can't be sent on the same day",
  });
});

test('a reminder that is sent by hand has its own wording, and another on the same day must be confirmed', async () => {
  const other = await t.createCompany();
  const make = factoryFor(t, other);
  const { token } = other.administrator;
  const day = todayIn('America/New_York');
  const customerId = await make.customer('Fairlawn Heights');
  const dueDate = addDays(day, -68);
  const { id, invoiceNumber } = await make.invoice({ customerId, amount: 100, invoiceDate: dueDate, dueDate });
  const upcoming = await make.invoice({ customerId, amount: 100, invoiceDate: day, dueDate: addDays(day, 9) });
  const preview = (invoiceId = id) => t.call(calls.reminderSending, { token, params: { id: invoiceId } });
  const remind = (given: object = {}) => ({ token, body: { invoiceId: id, isReminder: true, ...given } });
  expect(await preview()).toMatchObject({ kind: 'reminder', sent: 0, refusal: '', linkLabel: 'View Invoice' });
  expect(await preview(upcoming.id)).toMatchObject({ refusal: "This invoice isn't overdue" });
  await t.call(calls.send, remind());
  const [letter] = await t.runJobs();
  expect(letter?.subject).toBe(`Reminder: invoice ${invoiceNumber} is overdue`);
  expect(letter?.text).toContain('is now 68 days overdue. You can view and download it here:\nhttp');
  expect(letter?.attachments?.[0]?.name).toBe(`Invoice ${invoiceNumber}.pdf`);
  // If a request has no `sent`, invoices with a reminder sent today are skipped. A user who has seen that reminder can
  // send another one.
  expect(await t.refused(calls.send, remind())).toMatchObject({ code: 'conflict' });
  await t.call(calls.send, remind({ sent: 1, subject: 'Again', text: 'Please pay' }));
  expect((await t.runJobs()).map(({ subject }) => subject)).toEqual(['Again']);
  expect(await preview()).toMatchObject({ sent: 2, history: [{ kind: 'reminder' }, { kind: 'reminder' }] });
  // If a user already sent a reminder on the day of a step, the step's automatic reminder is not also sent.
  await t.call(calls.saveReminders, { token, body: { isOn: true, steps: [{ ...week, days: 66 }] } });
  await inCompany(t.pool, other.companyId, (tx) => {
    const actor = serverActor({ companyId: other.companyId, userId: other.administrator.userId }, day);
    return queueReminders({ ...actor, tx, services: t.services });
  });
  expect(await t.runJobs()).toEqual([]);
});

test('reminders mention ways to pay only if the company has entered them', async () => {
  const other = await t.createCompany();
  const make = factoryFor(t, other);
  const { token } = other.administrator;
  const { id } = await make.invoice({ customerId: await make.customer(), amount: 100 });
  const textOf = async () => {
    const { linkLabel, values } = await t.call(invoiceCalls.sending, { token, params: { id } });
    return [linkLabel, values.find(({ name }) => name === 'link actions')?.value];
  };
  expect(await textOf()).toEqual(['View Invoice', 'view and download']);
  await t.call(calls.saveSendingSettings, { token, body: { howToPay: 'By check' } });
  expect(await textOf()).toEqual(['View and Pay Invoice', 'view, download, and pay']);
  await t.call(calls.send, { token, body: { invoiceId: id } });
  const [letter] = await t.runJobs();
  expect(letter?.text).toContain('You can view, download, and pay it here:');
  expect(letter?.html).toContain('>View and Pay Invoice</a>');
  await make.payment({
    customerId: (await t.call(invoiceCalls.get, { token, params: { id } })).customerId,
    paymentAmount: 100,
  });
  expect(await textOf()).toEqual(['View Invoice', 'view and download']);
});
