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
import { remindersSender } from './reminders.ts';

let t: TestApp;
let company: WorldCompany;
let books: Factory;
let today: IsoDate;
const before = { days: -3, subject: 'Soon: {number}', text: 'Due {due date}' };
const week = { days: 7, subject: 'Late: {number}', text: '{days overdue} days, {amount due}: {link}' };
const steps = [before, week];
/** A time zone in which it is noon. Reminders are sent from 8:00 on. */
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

test('reminders are off until turned on, and then each step is sent once even with several runners', async () => {
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

test('invoices on hold, paid invoices, customers with enough credit, and exempt customers get none', async () => {
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

test("tomorrow's reminders are previewed, and an invoice paid before then gets none", async () => {
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
    'steps.1.days': "Two reminders can't be on the same day",
  });
});
