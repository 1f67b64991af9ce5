import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { sendingCalls as calls } from '@evenkeel/contract/sending';
import { DRAFT, VOID } from '@evenkeel/core/documents/invoice';
import { encode } from '@evenkeel/contract/wire';
import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { type FakeStripe, startFakeStripe } from '../../testing/fake-stripe.ts';
import { type Paying, payingIn } from '../online/testing/paying.ts';

let t: TestApp;
let stripe: FakeStripe;
let ours: WorldCompany;
let paying: Paying;
beforeAll(async () => {
  stripe = await startFakeStripe();
  t = await startTestApp({ config: { stripeApiUrl: stripe.url } });
  ours = await t.createCompany('Fernhollow');
  paying = payingIn(t, stripe, ours);
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

const address = () => `10.7.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;
const open = async (url: string, method: 'GET' | 'HEAD' = 'GET') => {
  const { body, ...answer } = await t.request({ method, url, address: address() });
  return { ...answer, html: String(body) };
};
const press = async (url: string, fields: [string, string][], headers: Record<string, string> = {}) => {
  const { status, body } = await t.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
    address: address(),
  });
  return { status, html: String(body) };
};
const portalOf = async (customerId: number, token = ours.bookkeeper.token): Promise<string> => {
  const { url } = await t.call(calls.renewPortalLink, { token, params: { customerId } });
  expect(url).toMatch(/^https:\/\/books.example\/c\/[\w-]{22}$/);
  return new URL(url).pathname;
};
const expire = (customerId: number, days = 31) =>
  t.inCompany(ours.companyId, (tx) =>
    tx.rows(sql`
      update document_link set created_at = now() - make_interval(days => ${days})
      where company_id = ${ours.companyId} and entity_id = ${customerId}`),
  );

const addressed = async (emailAddress: string): Promise<number> => {
  const { token } = ours.bookkeeper;
  const { id } = await t.call(entityCalls.createCustomer, {
    token,
    body: { name: `Renewing ${emailAddress}`, emailAddress },
  });
  return id;
};

interface Owner {
  make: Factory;
  customerId: number;
  invoiceId: number;
  invoiceNumber: string;
  cents: number;
  estimateId: number;
  paymentId: number;
  path: string;
}

/** A customer with a portal and one record of each kind. */
async function customerWith(company: WorldCompany, amount: number, name: string): Promise<Owner> {
  const make = factoryFor(t, company);
  const customerId = await make.customer(name);
  const { id: invoiceId, invoiceNumber } = await make.invoice({ customerId, amount });
  const { id: estimateId } = await make.estimate({
    customerId,
    invoiceDate: '2026-11-01',
    dueDate: '2099-12-31',
  });
  await t.call(calls.send, { token: make.token, body: { estimateId, to: ['a@ridge.example'] } });
  const paid = await make.invoice({ customerId, amount: 40 });
  const payment = await make.payment({
    customerId,
    paymentAmount: 40,
    paymentApplications: [{ invoiceId: paid.id, amount: 40 }],
  });
  const path = await portalOf(customerId, company.bookkeeper.token);
  const cents = Math.round(amount * 100);
  return { make, customerId, invoiceId, invoiceNumber, cents, estimateId, paymentId: payment.id, path };
}

describe('a portal', () => {
  test('a portal opens nothing that belongs to another customer or company, whatever ID is guessed', async () => {
    const other = await t.createCompany('Harbor');
    const owners = [
      await customerWith(ours, 693.11, 'Greta Goodspeed'),
      await customerWith(ours, 811.22, 'Ridgeview'),
      await customerWith(other, 977.33, 'Chapel Hill'),
      await customerWith(other, 455.44, 'Fairlawn'),
    ];
    const amounts = ['693.11', '811.22', '977.33', '455.44'];
    for (const [at, { path, ...own }] of owners.entries()) {
      const { status, html } = await open(path);
      expect(status).toBe(200);
      expect(amounts.map((amount) => html.includes(amount))).toEqual(amounts.map((_, index) => index === at));
      for (const [index, their] of owners.entries()) {
        const expected = index === at ? 200 : 404;
        const pages = [
          `/documents/${their.invoiceId}`,
          `/documents/${their.invoiceId}/pdf`,
          `/documents/${their.estimateId}`,
          `/receipts/${their.paymentId}`,
        ];
        // The IDs of two companies can be equal, so only the customer's own amounts may appear.
        if (index !== at && own.make !== their.make && own.invoiceId === their.invoiceId) continue;
        const answers = await Promise.all(pages.map((page) => open(`${path}${page}`)));
        expect(answers.map((answer) => answer.status)).toEqual(pages.map(() => expected));
      }
      const strangers = owners.filter((_, index) => index !== at);
      for (const their of strangers) {
        const pay = await press(`${path}/pay`, [['invoice', `${their.invoiceId}:${their.cents}`]]);
        expect(pay.status).toBe(422);
        const single = await press(`${path}/documents/${their.invoiceId}/pay`, [['amount', amounts[at] ?? '']]);
        const answer = await press(`${path}/documents/${their.estimateId}/answer`, [
          ['answer', 'accept'],
          ['name', 'Mallory'],
          ['version', '1'],
        ]);
        expect([single.status, answer.status]).toEqual([404, 404]);
      }
      const statement = await open(
        `${path}/statement?from=2020-01-01&to=2030-01-01&customerid=${owners[0]?.customerId}`,
      );
      expect([statement.status, statement.headers['content-type']]).toEqual([200, 'application/pdf']);
      expect(statement.headers['set-cookie']).toBeUndefined();
    }
    const [first, second] = owners;
    const bothWays = [`/d/${first?.path.slice(3)}`, `/c/${(await paying.link(second?.invoiceId ?? 0)).slice(3)}`];
    expect(await Promise.all(bothWays.map(async (url) => (await open(url)).status))).toEqual([404, 404]);
    const refused = [calls.renewPortalLink, calls.revokePortalLink, calls.portalSending].map((call) =>
      t.refused(call, { token: other.bookkeeper.token, params: { customerId: first?.customerId ?? 0 } }),
    );
    // The other company can have a customer with the same ID, but the customer's links are different, so this link
    // still works.
    await Promise.allSettled(refused);
    expect((await open(first?.path ?? '')).status).toBe(200);
  });

  test('a portal shows open invoices, estimates, and payments, without scripts or third-party content', async () => {
    const { path, invoiceNumber, estimateId } = await customerWith(ours, 1328.23, 'Greta <b>Goodspeed</b>');
    const { html, headers } = await open(path);
    expect(html).toContain('Greta &lt;b&gt;Goodspeed&lt;/b&gt;');
    expect(html).toContain(`Invoice ${invoiceNumber}`);
    expect(html).toContain('1,328.23');
    expect(html).toContain(`${path}/documents/${estimateId}">Accept or Decline`);
    expect(html).toContain('Pay $1,328.23</button>');
    for (const absent of ['<script', 'style="', 'http://', 'src="https']) expect(html).not.toContain(absent);
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(String(headers['content-security-policy'])).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; /);
    expect(String(headers['content-security-policy'])).not.toContain('script-src');
  });

  test('a portal lets the customer accept an estimate on its page', async () => {
    const { path, estimateId } = await customerWith(ours, 10, 'Accepting');
    const page = `${path}/documents/${estimateId}`;
    const { html } = await open(page);
    const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
    const { status } = await press(`${page}/answer`, [
      ['answer', 'accept'],
      ['name', 'Greta'],
      ['version', version],
    ]);
    expect(status).toBe(303);
    expect((await open(page)).html).toMatch(/accepted/i);
    expect((await open(path)).html).not.toContain('Accept or Decline');
  });

  test('a portal does not show draft, deleted, or void invoices', async () => {
    const make = factoryFor(t, ours);
    const customerId = await make.customer();
    const draft = await make.invoice({ customerId, amount: 71.01, arBillingStatus: DRAFT });
    const gone = await make.invoice({ customerId, amount: 72.02 });
    const empty = await make.invoice({ customerId, amount: 73.03 });
    await t.call(billingCalls.deleteInvoice, { token: make.token, params: { id: gone.id } });
    const saved = await t.call(billingCalls.getInvoice, { token: make.token, params: { id: empty.id } });
    const body = { ...Object(encode(billingCalls.getInvoice.reply, saved)), arBillingStatus: VOID };
    await t.call(billingCalls.updateInvoice, { token: make.token, body });
    const path = await portalOf(customerId);
    const { html } = await open(path);
    for (const amount of ['71.01', '72.02', '73.03']) expect(html).not.toContain(amount);
    const pages = [draft, gone, empty].map(({ id }) => open(`${path}/documents/${id}`));
    expect((await Promise.all(pages)).map(({ status }) => status)).toEqual([404, 404, 410]);
  });

  test('a portal prints a statement for any dates, and rejects missing, invalid, or reversed dates', async () => {
    const { path } = await customerWith(ours, 5, 'Dated');
    const good = await open(`${path}/statement?from=2026-01-01&to=2026-03-31`);
    expect([good.status, good.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    for (const query of ['', '?from=2026-01-01', '?from=2026-02-31&to=2026-03-31', '?from=2026-04-01&to=2026-03-31']) {
      const { status, html } = await open(`${path}/statement${query}`);
      expect([query, status, html.includes('Enter two dates')]).toEqual([query, 422, true]);
    }
  });

  test('a portal link is valid for 30 days, and a new link replaces it', async () => {
    const { path, customerId } = await customerWith(ours, 5, 'Thirty');
    expect((await open(path)).html).toMatch(/This link was created on [\d/]+ and is valid until [\d/]+\./);
    await expire(customerId, 29);
    expect((await open(path)).status).toBe(200);
    await expire(customerId, 30);
    const over = await open(path);
    expect([over.status, over.html.includes('Email Me a New Link')]).toEqual([410, true]);
    const pages = ['/statement?from=2026-01-01&to=2026-03-31', '/logo', '/receipts/1'];
    expect(await Promise.all(pages.map(async (page) => (await open(`${path}${page}`)).status))).toEqual([
      410, 410, 410,
    ]);
    const [first, second] = [await portalOf(customerId), await portalOf(customerId)];
    expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200]);
    await t.call(calls.revokePortalLink, { token: ours.bookkeeper.token, params: { customerId } });
    expect((await open(second)).status).toBe(404);
    expect((await press(`${second}/renew`, [])).status).toBe(404);
  });

  test("a portal emails a new link only to the customer's own address, and at most once an hour", async () => {
    const customerId = await addressed('own@ridge.example');
    const path = await portalOf(customerId);
    await expire(customerId);
    const fields: [string, string][] = [
      ['to', 'mallory@evil.example'],
      ['email', 'mallory@evil.example'],
    ];
    const answers = await Promise.all([1, 2, 3].map(() => press(`${path}/renew`, fields)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0]?.html).not.toContain('ridge.example');
    const sent = (await t.runJobs()).filter(({ subject }) => subject === 'Your account with Fernhollow');
    expect(sent.map(({ to }) => to)).toEqual(['own@ridge.example']);
    const url = /https:\/\/books\.example(\/c\/[\w-]{22})/.exec(sent[0]?.text ?? '')?.[1] ?? '';
    expect((await open(url)).status).toBe(200);
    const forged = await press(`${url}/renew`, [], { 'sec-fetch-site': 'cross-site' });
    expect(forged.status).toBe(403);
  });

  test('a portal names the company to contact if the customer has no email address', async () => {
    const customerId = await addressed('gone@ridge.example');
    await t.inCompany(ours.companyId, (tx) =>
      tx.rows(sql`update entity set email_address = '' where company_id = ${ours.companyId} and id = ${customerId}`),
    );
    const { status, html } = await press(`${await portalOf(customerId)}/renew`, []);
    expect([status, html.includes('Contact Fernhollow')]).toEqual([409, true]);
  });
});

describe("a portal's limits", () => {
  const from = async (
    network: string,
    path: string,
    method: 'GET' | 'POST' = 'GET',
    fields: [string, string][] = [],
  ) => {
    const headers = method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const body = method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() };
    const answer = await t.request({ method, url: path, headers, address: network, ...body });
    return { status: answer.status, html: String(answer.body), wait: Number(answer.headers['retry-after']) };
  };
  const unknown = (at: number) => `/c/${String(at).padStart(22, 'x')}`;
  const limited = { status: 429, wait: expect.any(Number) as number };

  test('a network that opens too many pages sees nothing more, not even whether a link exists', async () => {
    const { path, invoiceId, invoiceNumber, paymentId } = await customerWith(ours, 619.17, 'Lena Limited');
    const network = '10.8.0.1';
    for (let at = 0; at < 119; at += 1) expect((await from(network, unknown(at))).status).toBe(404);
    expect((await from(network, path)).html).toContain('619.17');
    const pages = [
      '',
      '/logo',
      '/statement?from=2026-01-01&to=2026-12-31',
      `/documents/${invoiceId}`,
      `/documents/${invoiceId}/pdf`,
      `/receipts/${paymentId}`,
    ];
    const guess = await from(network, unknown(1));
    for (const page of pages) {
      const answer = await from(network, `${path}${page}`);
      expect(answer).toMatchObject(limited);
      expect(answer.html).toBe(guess.html);
      expect(answer.wait).toBeGreaterThan(0);
      expect(answer.wait).toBeLessThanOrEqual(600);
      for (const secret of ['Lena', '619.17', invoiceNumber, 'Fernhollow']) expect(answer.html).not.toContain(secret);
    }
    expect((await from('10.8.0.2', path)).status).toBe(200);
    // The addresses of one IPv6 subscriber count together.
    for (let at = 0; at < 120; at += 1) await from(`2001:4860:1:2::${at}`, unknown(at));
    expect((await from('2001:4860:1:2:ffff::9', path)).status).toBe(429);
    expect((await from('2001:4860:1:3::9', path)).status).toBe(200);
  });

  test('a network that asks for too many new links gets no email, and the customer can still get one', async () => {
    const customerId = await addressed('limited@ridge.example');
    const path = await portalOf(customerId);
    await expire(customerId);
    const network = '10.8.1.1';
    for (let at = 0; at < 10; at += 1) expect((await from(network, `${unknown(at)}/renew`, 'POST')).status).toBe(404);
    const refused = await from(network, `${path}/renew`, 'POST');
    expect(refused).toMatchObject(limited);
    expect(refused.html).toBe((await from(network, `${unknown(1)}/renew`, 'POST')).html);
    expect(refused.html).not.toContain('ridge.example');
    const mailed = async () => (await t.runJobs()).map(({ to }) => to).filter((to) => to === 'limited@ridge.example');
    expect(await mailed()).toEqual([]);
    expect((await from('10.8.1.2', `${path}/renew`, 'POST')).status).toBe(200);
    expect(await mailed()).toEqual(['limited@ridge.example']);
    // Regardless of how many networks send requests, the customer gets at most one email an hour.
    for (let at = 3; at < 20; at += 1) await from(`10.8.1.${at}`, `${path}/renew`, 'POST');
    expect(await mailed()).toEqual([]);
  });

  test("a network that uses Pay Now too often can't open a payment page for one or several invoices", async () => {
    const { path, invoiceId, cents } = await customerWith(ours, 523.09, 'Paula Limited');
    const network = '10.8.2.1';
    const all: [string, string][] = [['invoice', `${invoiceId}:${cents}`]];
    for (let at = 0; at < 20; at += 1)
      expect((await from(network, `${unknown(at)}/pay`, 'POST', all)).status).toBe(404);
    stripe.asked.length = 0;
    const presses = [
      from(network, `${path}/pay`, 'POST', all),
      from(network, `${path}/documents/${invoiceId}/pay`, 'POST', [['amount', '523.09']]),
    ];
    for (const answer of await Promise.all(presses)) {
      expect(answer).toMatchObject(limited);
      for (const secret of ['Paula', '523.09', 'stripe']) expect(answer.html).not.toContain(secret);
    }
    expect(stripe.asked).toEqual([]);
    expect((await from('10.8.2.2', `${path}/pay`, 'POST', all)).status).toBe(200);
    expect(stripe.asked.filter(({ path: asked }) => asked.endsWith('/checkout/sessions'))).toHaveLength(1);
  });
});

describe('Pay Now in a portal', () => {
  const openInvoices = async (amounts: readonly number[], name = 'Paying') => {
    const make = factoryFor(t, ours);
    const customerId = await make.customer(name);
    const invoices = [];
    for (const amount of amounts) invoices.push(await make.invoice({ customerId, amount }));
    return { make, customerId, invoices, path: await portalOf(customerId) };
  };
  const picked = (invoices: readonly { id: number }[], amounts: readonly number[]): [string, string][] =>
    invoices.map(({ id }, at) => ['invoice', `${id}:${Math.round((amounts[at] ?? 0) * 100)}`]);
  const sessionIn = (html: string) => /cs_test_\w+/.exec(html)?.[0] ?? '';
  const started = () => stripe.asked.filter(({ method }) => method === 'POST');
  const openOf = async (make: Factory, id: number) =>
    (await t.call(billingCalls.getInvoice, { token: make.token, params: { id } })).openAmount;

  test('Pay Now in a portal pays several invoices together and posts one payment that is applied to each', async () => {
    const amounts = [693, 1328.23, 1405.46];
    const { make, customerId, invoices, path } = await openInvoices(amounts);
    expect((await open(path)).html).toContain('Pay Selected Invoices');
    const { status, html } = await press(`${path}/pay`, picked(invoices, amounts));
    expect(status).toBe(200);
    const session = sessionIn(html);
    stripe.pay(session);
    const metadata = stripe.events.at(-1)?.data.object['metadata'];
    expect(metadata).toMatchObject({
      evenkeel_invoice: invoices.map(({ id }, at) => `${id}:${Math.round((amounts[at] ?? 0) * 100)}`).join(','),
    });
    const waiting = await open(`${path}?payment=${Object(metadata)['evenkeel_session']}`);
    expect(waiting.html).toContain('Your payment of $3,426.69 is on its way.');
    expect(waiting.html).not.toContain('name="invoice"');
    await paying.deliver();
    expect(await Promise.all(invoices.map(({ id }) => openOf(make, id)))).toEqual([0, 0, 0]);
    const { html: after } = await open(`${path}?payment=${Object(metadata)['evenkeel_session']}`);
    expect(after).toContain('Your payment of $3,426.69 has arrived.');
    expect(after).toContain('You have no open invoices.');
    const rows = await t.inCompany(ours.companyId, (tx) =>
      tx.rows(sql<{ amount: number }>`
        select amount_cents as amount from payment where company_id = ${ours.companyId} and entity_id = ${customerId}`),
    );
    expect(rows).toEqual([{ amount: 342_669 }]);
    const { expected, balance, reasons } = await paying.clearing();
    expect([balance, reasons]).toEqual([expected, []]);
  });

  test('Pay Now in a portal pays only the selected invoices', async () => {
    const { make, invoices, path } = await openInvoices([10, 20, 30]);
    const [first, , third] = invoices;
    const { html } = await press(
      `${path}/pay`,
      picked(
        [first, third].filter((one) => one !== undefined),
        [10, 30],
      ),
    );
    stripe.pay(sessionIn(html));
    await paying.deliver();
    expect(await Promise.all(invoices.map(({ id }) => openOf(make, id)))).toEqual([0, 2000, 0]);
  });

  test('pressing Pay Now in a portal three times at once opens one page for the same selection', async () => {
    const { invoices, path } = await openInvoices([10, 20]);
    const all = picked(invoices, [10, 20]);
    const answers = await Promise.all([1, 2, 3].map(() => press(`${path}/pay`, all)));
    const sessions = answers.map(({ html }) => sessionIn(html));
    expect([new Set(sessions).size, sessions[0]]).toEqual([1, expect.stringMatching(/^cs_test_/)]);
    expect(new Set(started().map(({ once }) => once)).size).toBe(1);
    expect(sessionIn((await press(`${path}/pay`, all.slice(0, 1))).html)).not.toBe(sessions[0]);
  });

  test("Pay Now in a portal never opens a page that returns to an invoice's own link", async () => {
    const { invoices, path } = await openInvoices([55]);
    const own = await paying.open(await paying.link(invoices[0]?.id ?? 0), '55');
    const { html } = await press(`${path}/pay`, picked(invoices, [55]));
    expect(sessionIn(html)).not.toBe(own);
  });

  test.each([
    ['paid', 'paid'],
    ['voided', 'voided'],
    ['deleted', 'deleted'],
  ])(
    'if an invoice was %s in the meantime, its part of the payment stays unapplied for review',
    async (fate, reason) => {
      const { make, customerId, invoices, path } = await openInvoices([100, 200]);
      const [first, second] = invoices;
      if (first === undefined || second === undefined) throw new Error('no invoices');
      const { html } = await press(`${path}/pay`, picked(invoices, [100, 200]));
      if (fate === 'paid') {
        const paymentApplications = [{ invoiceId: second.id, amount: 200 }];
        await make.payment({ customerId, paymentAmount: 200, paymentApplications });
      } else if (fate === 'voided') {
        const saved = await t.call(billingCalls.getInvoice, { token: make.token, params: { id: second.id } });
        const body = { ...Object(encode(billingCalls.getInvoice.reply, saved)), arBillingStatus: VOID };
        await t.call(billingCalls.updateInvoice, { token: make.token, body });
      } else {
        await t.call(billingCalls.deleteInvoice, { token: make.token, params: { id: second.id } });
      }
      stripe.pay(sessionIn(html));
      await paying.deliver();
      expect(await openOf(make, first.id)).toBe(0);
      const reviews = await t.inCompany(ours.companyId, (tx) =>
        tx.rows(sql<{ reason: string; amount: number }>`
        select reason, amount_cents as amount from online_review
        where company_id = ${ours.companyId} and entity_id = ${customerId}`),
      );
      expect(reviews).toEqual([{ reason, amount: 20_000 }]);
      const { expected, balance } = await paying.clearing();
      expect(balance).toBe(expected);
    },
  );

  test('Pay Now in a portal rejects changed amounts, invalid selections, and forms from other sites', async () => {
    const { make, customerId, invoices, path } = await openInvoices([100, 200]);
    const all = picked(invoices, [100, 200]);
    await make.payment({
      customerId,
      paymentAmount: 50,
      paymentApplications: [{ invoiceId: invoices[0]?.id ?? 0, amount: 50 }],
    });
    const changed = await press(`${path}/pay`, all);
    expect([changed.status, changed.html.includes('The amounts have changed.')]).toEqual([422, true]);
    const many = Array.from({ length: 21 }, (_, at): [string, string] => ['invoice', `${at + 1}:100`]);
    for (const fields of [[], many, [['invoice', 'x'] as [string, string]]]) {
      expect((await press(`${path}/pay`, fields)).status).toBe(422);
    }
    expect((await press(`${path}/pay`, all, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(started()).toEqual([]);
  });
});
