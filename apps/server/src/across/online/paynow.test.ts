import { billingCalls } from '@evenkeel/contract/billing';
import { onlineCalls } from '@evenkeel/contract/online';
import { VOID } from '@evenkeel/core/documents/invoice';
import { toDollars } from '@evenkeel/core/money';
import { encode } from '@evenkeel/contract/wire';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { PASSWORD, type WorldCompany } from '../../testing/world.ts';
import { type FakeStripe, startFakeStripe, stripeSignature } from '../../testing/fake-stripe.ts';
import { type Paying, payingIn } from './testing/paying.ts';

let t: TestApp;
let stripe: FakeStripe;
let company: WorldCompany;
let make: Factory;
let customerId: number;
let paying: Paying;
beforeAll(async () => {
  stripe = await startFakeStripe();
  t = await startTestApp({ config: { stripeApiUrl: stripe.url } });
  company = await t.createCompany('Fernhollow');
  make = factoryFor(t, company);
  customerId = await make.customer();
  paying = payingIn(t, stripe, company);
  await paying.connect();
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});
beforeEach(() => {
  stripe.reset();
  stripe.asked.length = 0;
});

const admin = () => company.administrator.token;
let visits = 0;
const see = async (url: string) => {
  const { status, body } = await t.request({ method: 'GET', url, address: `10.8.0.${(visits += 1) % 250}` });
  return { status, html: String(body) };
};
const invoiceOf = async (amount = 693) => {
  const invoice = await make.invoice({ customerId, amount });
  return { invoice, path: await paying.link(invoice.id) };
};
const change = async (id: number, changes: object) => {
  const { token } = company.bookkeeper;
  const invoice = await t.call(billingCalls.getInvoice, { token, params: { id } });
  const body = { ...Object(encode(billingCalls.getInvoice.reply, invoice)), ...changes };
  return t.call(billingCalls.updateInvoice, { token, body });
};
const rules = async (given: { paysNow?: boolean; leastPart?: number | null }) => {
  const { connection } = await t.call(onlineCalls.getOnlinePayments, { token: admin() });
  if (connection === null) throw new Error('not connected');
  const { leastPart, ...saved } = connection;
  const body = { ...saved, leastPart: leastPart && toDollars(leastPart), ...given };
  return t.call(onlineCalls.saveOnlinePayments, { token: admin(), body });
};
const started = () => stripe.asked.filter(({ method }) => method === 'POST');

describe('Pay Now', () => {
  test('Pay Now opens a page for the whole open balance, with the invoice and company in its metadata', async () => {
    const { invoice, path } = await invoiceOf();
    const { html } = await see(path);
    expect(html).toContain('value="693.00">Pay $693.00</button>');
    const { status, html: page } = await paying.press(path, '693.00');
    expect(status).toBe(200);
    expect(page).toMatch(
      /http-equiv="refresh" content="0;url=https:\/\/checkout\.stripe\.example\/c\/pay\/cs_test_\w+"/,
    );
    stripe.pay(/cs_test_\w+/.exec(page)?.[0] ?? '');
    const [event] = stripe.events;
    expect(event?.data.object['metadata']).toEqual({
      evenkeel_company: String(company.companyId),
      evenkeel_invoice: String(invoice.id),
      evenkeel_session: expect.stringMatching(/^\d+$/),
    });
    await paying.deliver();
    expect((await see(path)).html).toContain('Paid in full');
  });

  test('selecting Pay Now twice, or in several tabs at once, opens only one page', async () => {
    const { path } = await invoiceOf();
    const ids = await Promise.all([1, 2, 3].map(() => paying.open(path, '693')));
    expect([...new Set([...ids, await paying.open(path, '693')])]).toHaveLength(1);
    expect(new Set(started().map(({ once }) => once)).size).toBe(1);
  });

  test('Pay Now is not offered without a connection, or if the invoice is paid, void, or deleted', async () => {
    const other = await t.createCompany();
    const theirs = factoryFor(t, other);
    const invoice = await theirs.invoice({ customerId: await theirs.customer(), amount: 50 });
    const strangers = payingIn(t, stripe, other);
    const path = await strangers.link(invoice.id);
    expect((await see(path)).html).not.toContain('/pay"');
    expect((await strangers.press(path, '50')).status).toBe(422);

    const gone = await invoiceOf();
    await t.call(billingCalls.deleteInvoice, { token: make.token, params: { id: gone.invoice.id } });
    expect([(await see(gone.path)).status, (await paying.press(gone.path, '693')).status]).toEqual([410, 410]);
    const empty = await invoiceOf();
    await change(empty.invoice.id, { arBillingStatus: VOID });
    expect([(await see(empty.path)).status, (await paying.press(empty.path, '693')).status]).toEqual([410, 410]);
    const paid = await invoiceOf();
    await make.payment({
      customerId,
      paymentAmount: 693,
      paymentApplications: [{ invoiceId: paid.invoice.id, amount: 693 }],
    });
    expect((await see(paid.path)).html).not.toContain('/pay"');
    expect((await paying.press(paid.path, '693')).status).toBe(422);
    expect(started()).toEqual([]);
  });

  test('Pay Now rejects amounts other than the open balance, unless the company allows partial payments', async () => {
    const { path } = await invoiceOf();
    for (const amount of ['1', '692.99', '693.01', '-693', '0', 'all', '', '1e3']) {
      const { status, html } = await paying.press(path, amount);
      expect([status, html.includes('role="alert"')]).toEqual([422, true]);
    }
    await rules({ leastPart: 50 });
    expect((await see(path)).html).toContain('From $50.00 to $693.00');
    for (const amount of ['49.99', '693.01']) expect((await paying.press(path, amount)).status).toBe(422);
    expect(started()).toEqual([]);
    stripe.pay(await paying.open(path, '300'));
    await paying.deliver();
    expect((await see(path)).html).toContain('Pay $393.00');
    await rules({ leastPart: null });
  });

  test("Pay Now does not open another company's invoice", async () => {
    const { path } = await invoiceOf();
    const { status } = await paying.press(path.replace(/.{4}$/, 'AAAA'), '693');
    expect([status, started()]).toEqual([404, []]);
  });

  test('Pay Now rejects forms from other sites and links that have been revoked', async () => {
    const { invoice, path } = await invoiceOf();
    expect((await paying.press(path, '693', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    await paying.link(invoice.id);
    expect([(await paying.press(path, '693')).status, started()]).toEqual([404, []]);
  });

  test('if two payment pages are paid, the invoice is paid once, and the rest is a credit for review', async () => {
    const { invoice, path } = await invoiceOf();
    const first = await paying.open(path, '693');
    await change(invoice.id, { lineItems: [{ description: 'Work', itemPrice: 600, quantity: 1, accountId: 140 }] });
    const second = await paying.open(path, String((await reload(invoice.id)) / 100));
    expect(first).not.toBe(second);
    stripe.pay(first);
    stripe.pay(second);
    await paying.deliver();
    expect(await reload(invoice.id)).toBe(0);
    const { reviews } = await t.call(onlineCalls.onlineClearing, { token: make.token });
    expect(reviews.at(-1)).toMatchObject({ reason: 'paid', invoiceId: invoice.id, customerId });
  });

  test('the page that the customer returns to shows the result of the payment', async () => {
    const { path } = await invoiceOf();
    const id = await paying.open(path, '693');
    const { searchParams } = new URL(String(await urlOf(id)));
    const back = `${path}?${searchParams}`;
    const arriving = (await see(back)).html;
    expect(arriving).toContain('Thank you. Your payment of $693.00 is on its way.');
    expect(arriving).not.toContain('/pay"');
    expect((await see(`${path}?canceled=1`)).html).toContain('You left the payment page');
    expect((await see(`${path}?payment=999999`)).html).toContain('Pay $693.00');
    stripe.failDebit(id);
    await paying.deliver();
    expect((await see(back)).html).toContain('Your payment of $693.00 failed.');
    const again = await paying.open(path, '693');
    stripe.pay(again, { delay: true });
    await paying.deliver();
    expect((await see(path)).html).toContain('A payment of $693.00 is on its way.');
    expect((await paying.press(path, '693')).status).toBe(422);
  });

  test('Pay Now opens a new page if the last page has expired or is about to expire', async () => {
    const { path } = await invoiceOf();
    const first = await paying.open(path, '693');
    stripe.expire(first);
    await paying.deliver();
    const second = await paying.open(path, '693');
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`
        update online_session set expires_at = now() + interval '5 minutes'
        where company_id = ${company.companyId} and provider_id = ${second}`),
    );
    expect(new Set([first, second, await paying.open(path, '693')]).size).toBe(3);
  });

  test("if Stripe doesn't respond, the page says so, and the next attempt opens the same page", async () => {
    const { path } = await invoiceOf();
    stripe.isDown = true;
    const { status, html } = await paying.press(path, '693');
    expect([status, html.includes('The payment page is not available')]).toEqual([503, true]);
    stripe.isDown = false;
    await paying.open(path, '693');
    expect(new Set(started().map(({ once }) => once)).size).toBe(1);
  }, 20_000);

  test('Pay Now opens at most 20 pages in 10 minutes from one network', async () => {
    const { path } = await invoiceOf();
    const press = () =>
      t.request({
        method: 'POST',
        url: `${path}/pay`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'amount=693',
        address: '10.7.7.7',
      });
    for (let at = 0; at < 20; at += 1) expect((await press()).status).toBe(200);
    expect((await press()).status).toBe(429);
  });

  async function reload(id: number): Promise<number> {
    return (await t.call(billingCalls.getInvoice, { token: make.token, params: { id } })).openAmount;
  }
  const urlOf = async (id: string): Promise<unknown> => {
    const answer = await fetch(`${stripe.url}/v1/checkout/sessions/${id}`, {
      headers: { authorization: `Bearer ${stripe.key}` },
    });
    return Object(await answer.json()).success_url;
  };
});

describe('an event', () => {
  const charged = () => {
    stripe.charge(1_000);
    const [event] = stripe.events;
    if (event === undefined) throw new Error('no event');
    return event;
  };
  const waiting = () =>
    t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`select id from online_event where company_id = ${company.companyId} and handled_at is null`),
    );

  test("an event requires the company's signature, made within the last 5 minutes", async () => {
    const event = charged();
    const at = Math.floor(Date.now() / 1000);
    expect(await paying.send(event, { secret: 'whsec_somebodyelse0000' })).toBe(422);
    expect(await paying.send(event, { at: at - 320 })).toBe(422);
    expect(await paying.send(event, { companyId: t.world.other.companyId })).toBe(422);
    expect(await paying.send(event, { companyId: 987_654_321 })).toBe(422);
    const { body, signature } = stripe.sign(event, paying.secret);
    const post = (headers: Record<string, string>, text: string) =>
      t.request({
        method: 'POST',
        url: `/hooks/stripe/${company.companyId}`,
        headers: { 'content-type': 'application/json', ...headers },
        body: text,
        address: '10.6.0.1',
      });
    expect((await post({}, body)).status).toBe(422);
    expect((await post({ 'stripe-signature': signature }, body.replace('1000', '9000'))).status).toBe(422);
    expect((await post({ 'stripe-signature': 't=1,v1=00' }, body)).status).toBe(422);
    expect(await waiting()).toEqual([]);
    expect(await paying.send(event, { at: at - 280 })).toBe(200);
    expect(await waiting()).toHaveLength(1);
    await paying.post();
  });

  test('events without a valid signature are limited by network, but valid events are not', async () => {
    const event = charged();
    const { body, signature } = stripe.sign(event, paying.secret);
    const post = (given: string) =>
      t.request({
        method: 'POST',
        url: `/hooks/stripe/${company.companyId}`,
        headers: { 'content-type': 'application/json', 'stripe-signature': given },
        body,
        address: '10.6.0.2',
      });
    for (let at = 0; at < 61; at += 1) expect((await post(signature)).status).toBe(200);
    for (let at = 0; at < 60; at += 1) expect((await post('t=1,v1=00')).status).toBe(422);
    expect((await post('t=1,v1=00')).status).toBe(429);
    await paying.post();
  });

  test('an event waits while Stripe is down, and is posted later', async () => {
    const event = charged();
    await paying.send(event);
    stripe.isDown = true;
    await expect(t.runJobs()).rejects.toThrow('Something went wrong');
    const { waiting: count, waitingError } = await t.call(onlineCalls.getOnlinePayments, { token: admin() });
    expect([count, waitingError]).toEqual([1, 'Something went wrong']);
    stripe.isDown = false;
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update job set run_at = now() where company_id = ${company.companyId}`),
    );
    await paying.post();
    expect(await waiting()).toEqual([]);
  }, 20_000);

  test('an event waits while the company is disconnected, and is posted after the company reconnects', async () => {
    const event = charged();
    await paying.send(event);
    await t.call(onlineCalls.disconnectOnlinePayments, { token: admin(), body: { password: PASSWORD } });
    await paying.post();
    expect(await waiting()).toHaveLength(1);
    expect(await paying.send({ ...event, id: 'evt_later' })).toBe(422);
    await paying.connect();
    await paying.post();
    expect(await waiting()).toEqual([]);
  });

  test('the fake Stripe and the SDK create the same signature for an event', async () => {
    const { default: Stripe } = await import('stripe');
    const [payload, secret, timestamp] = ['{"id":"evt_1"}', 'whsec_0000000000', 1_700_000_000];
    const made = new Stripe('rk_none').webhooks.generateTestHeaderString({ payload, secret, timestamp });
    expect(stripeSignature(payload, secret, timestamp)).toBe(made);
  });
});

describe('the connection', () => {
  const connect = (body: object, token = admin()) =>
    t.refused(onlineCalls.connectOnlinePayments, {
      token,
      body: { key: stripe.key, webhookSecret: paying.secret, password: PASSWORD, ...body },
    });

  test('connecting requires an administrator, the password, a restricted key, and a signing secret', async () => {
    expect((await connect({}, company.bookkeeper.token)).status).toBe(403);
    expect((await connect({ password: 'wrong' })).fields).toEqual({ password: 'The current password is incorrect' });
    expect(Object.keys((await connect({ key: 'sk_live_1234567890', webhookSecret: 'x' })).fields ?? {})).toEqual([
      'key',
      'webhookSecret',
    ]);
    const wrong = { key: 'rk_test_00000000000' };
    expect((await connect(wrong)).fields).toEqual({ key: 'Stripe does not accept this key' });
    stripe.denied.add('payouts').add('disputes');
    expect((await connect({})).fields).toEqual({ key: 'This key lacks permissions: Disputes, Payouts' });
    stripe.denied.clear();
    const disconnect = { token: admin(), body: { password: 'wrong' } };
    expect((await t.refused(onlineCalls.disconnectOnlinePayments, disconnect)).status).toBe(422);
  });

  test('a connection shows its key only in masked form, and stores its key and secret encrypted', async () => {
    const found = await t.call(onlineCalls.getOnlinePayments, { token: admin() });
    expect(found.connection?.keyHint).toBe(`rk_test_…${stripe.key.slice(-4)}`);
    const rows = await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`select * from online_connection where company_id = ${company.companyId}`),
    );
    const logged = await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`select before, after from audit_log where company_id = ${company.companyId}`),
    );
    const stored = JSON.stringify([found, logged]) + rows.map((row) => Object.values(Object(row)).map(String)).join();
    for (const secret of [stripe.key, paying.secret]) expect(stored).not.toContain(secret);
  });

  test('a connection with invalid accounts or amounts is rejected', async () => {
    const { connection } = await t.call(onlineCalls.getOnlinePayments, { token: admin() });
    const { payoutBankAccountId: bank = 0, feeAccountId: fees = 0 } = connection ?? {};
    await make.payment({ customerId, paymentAmount: 10 });
    const save = async (given: object) => {
      const body = { ...connection, leastPart: null, ...given };
      return (await t.refused(onlineCalls.saveOnlinePayments, { token: admin(), body })).fields;
    };
    expect(await save({ clearingBankAccountId: bank })).toEqual({
      clearingBankAccountId: 'This account already has entries. Select an account that only Stripe uses.',
      payoutBankAccountId: 'Payouts need an account other than the clearing account',
    });
    expect(await save({ reviewAccountId: fees })).toEqual({
      reviewAccountId: 'Select an account other than the fee account',
    });
    expect(await save({ leastPart: 0.2, payoutBankAccountId: 4711 })).toEqual({
      leastPart: 'Please enter an amount of at least 0.50',
      payoutBankAccountId: 'Please Select a Bank Account',
    });
  });
});
