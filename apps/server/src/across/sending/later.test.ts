import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billingCalls, invoiceCalls } from '@evenkeel/contract/billing';
import { type Sending, sendingCalls as calls } from '@evenkeel/contract/sending';
import { OPEN, SENT } from '@evenkeel/core/documents/invoice';
import { sql } from 'kysely';
import { openMailer, type Mailer } from '../../platform/mail/mailer.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { requeueEmails } from './deliver.ts';
import { startSmtp, type TestSmtp } from './testing/smtp.ts';

let t: TestApp;
let smtp: TestSmtp;
let books: Factory;
let bySmtp: Mailer;
let customerId: number;
beforeAll(async () => {
  [t, smtp] = await Promise.all([startTestApp(), startSmtp()]);
  bySmtp = openMailer({ smtpUrl: smtp.url, mailFrom: 'books@mail.example', mailDir: '/nowhere' }, () => undefined);
  books = factoryFor(t, t.world.company);
  customerId = await books.customer();
});
afterAll(() => Promise.all([t.close(), smtp.close()]));

const token = () => t.world.company.bookkeeper.token;
const companyId = () => t.world.company.companyId;
const send = (body: object) => t.call(calls.send, { token: token(), body }) as Promise<Sending>;
const sendingOf = (id: number) => t.call(invoiceCalls.sending, { token: token(), params: { id } });
const statusOf = async (id: number) =>
  (await t.call(billingCalls.getInvoice, { token: token(), params: { id } })).arBillingStatus;
const invoiceOf = () => books.invoice({ customerId, amount: 100 });

describe('an email that is sent later', () => {
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  /** Makes the scheduled emails due. */
  const arrive = () =>
    t.inCompany(companyId(), (tx) =>
      tx.rows(sql`update job set not_before = now() where company_id = ${companyId()} and not_before is not null`),
    );
  const to = ['later@fairlawn.example'];
  /** Delivers the waiting emails. Returns their number and the invoice's status. */
  const delivered = async (id: number) => {
    await t.runMail(bySmtp);
    return [smtp.received.filter((mail) => mail.to === to[0]).length, await statusOf(id)];
  };

  test('a scheduled email waits for its time, and only then marks the invoice as sent', async () => {
    const { id } = await invoiceOf();
    const { history } = await send({ invoiceId: id, to, sendOn: dayIn(30), sendTime: '13:30' });
    expect(history[0]?.sendAt).toMatch(new RegExp(`^${dayIn(30)}T`));
    // The hourly pass that queues emails without a job does not change the scheduled time.
    await t.inCompany(companyId(), (tx) => tx.rows(sql`delete from job where company_id = ${companyId()}`));
    await t.inCompany(companyId(), requeueEmails);
    expect(await delivered(id)).toEqual([0, OPEN]);
    await arrive();
    expect(await delivered(id)).toEqual([1, SENT]);
    expect((await sendingOf(id)).history[0]?.recipients).toMatchObject([{ state: 'sent' }]);
  });

  test('a scheduled email can be canceled, and only one of two simultaneous cancellations succeeds', async () => {
    const { id } = await invoiceOf();
    const { history } = await send({ invoiceId: id, to, sendOn: dayIn(2) });
    const cancel = () =>
      t
        .request({ method: 'DELETE', url: `/api/sending/${history[0]?.id}`, token: token() })
        .then(({ status }) => status);
    expect((await Promise.all([cancel(), cancel()])).toSorted()).toEqual([200, 404]);
    await arrive();
    expect((await delivered(id))[1]).toBe(OPEN);
    const [mail] = (await sendingOf(id)).history;
    expect(mail?.recipients[0]).toMatchObject({ state: 'refused', answer: 'Not sent: canceled by Bob Person' });
    const refused = await t.call(calls.refusedMail, { token: token() });
    expect(refused.filter(({ invoiceId }) => invoiceId === id)).toEqual([]);
  });

  test('a scheduled email requires a time in the future, within one year', async () => {
    const { id } = await invoiceOf();
    const refusal = async (sendOn: string) => {
      const body = { invoiceId: id, to, sendOn };
      const answer = await t.request({ method: 'POST', url: '/api/sending', token: token(), body });
      return [answer.status, (answer.body as { fields?: object }).fields];
    };
    expect(await refusal(dayIn(-2))).toEqual([422, { sendOn: 'Must be in the future' }]);
    expect(await refusal(dayIn(400))).toEqual([422, { sendOn: 'Must be within one year' }]);
    expect((await sendingOf(id)).history).toEqual([]);
  });
});
