import { billingCalls } from '@evenkeel/contract/billing';
import { companyCalls } from '@evenkeel/contract/company';
import { sendingCalls } from '@evenkeel/contract/sending';
import { cents } from '@evenkeel/core/money';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type FakeEvent, stripeSignature } from '../../apps/server/src/testing/fake-stripe.ts';
import { addCustomer, addInvoice } from './books.ts';
import { PASSWORD } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { checkLook, gone, seen } from './look.ts';
import { button, field } from './pages/fields.ts';

const CHECKOUT = 'https://checkout.stripe.example/';
const SECRET = `whsec_${'j'.repeat(32)}`;

/** Sends a test command to the fake Stripe. */
async function ask({ stripe }: Stage, what: string): Promise<{ events?: FakeEvent[] }> {
  const response = await fetch(`${stripe.url}/test/${what}`, { method: 'POST' });
  return (await response.json()) as { events?: FakeEvent[] };
}

/** Sends the fake's new events to the company, as Stripe would. */
function mailer(stage: Stage, companyId: number): () => Promise<void> {
  const sent = new Set<string>();
  return async () => {
    const { events = [] } = await ask(stage, 'events');
    for (const event of events.filter(({ id }) => !sent.has(id))) {
      sent.add(event.id);
      const body = JSON.stringify(event);
      const signature = stripeSignature(body, SECRET, Math.floor(Date.now() / 1000));
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
      const { status } = await fetch(`${stage.url}/hooks/stripe/${companyId}`, { method: 'POST', headers, body });
      expect(status).toBe(200);
    }
  };
}

async function connect(page: Page, key: string): Promise<void> {
  await seen(page.getByText('Not connected'));
  await checkLook(page, 'online payments, not connected');
  await button(page, 'Connect').click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Restricted Key').fill(key);
  await field(dialog, 'Webhook Signing Secret').fill(SECRET);
  await field(dialog, 'Your Password').fill(PASSWORD);
  await button(dialog, 'Connect Stripe').click();
  await gone(dialog);
  await seen(page.getByText('Connected', { exact: true }));
}

/** Pays on a phone: Pay Now on the private page, and then Stripe's page. Returns the ID of Stripe's page. */
async function payNow(stage: Stage, path: string): Promise<Page> {
  const customer = await stage.open(path, { size: 'phone' });
  await customer.route(`${CHECKOUT}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Stripe</h1>' }),
  );
  await checkLook(customer, 'private page with Pay Now');
  await customer.getByRole('button', { name: 'Pay $120.00' }).click();
  await customer.waitForURL(`${CHECKOUT}**`);
  await ask(stage, `pay?session=${new URL(customer.url()).pathname.split('/').at(-1)}`);
  return customer;
}

journey(
  'an invoice is paid with Pay Now, and the clearing account shows the charge, its fee, and the payout',
  async (stage) => {
    const { administrator } = await stage.company('Paid Online');
    const { api } = administrator;
    const { id: companyId } = await api.call(companyCalls.getCompany, {});
    const customerId = await addCustomer(api, 'Greta Goodspeed');
    const invoice = await addInvoice(api, { customerId, amount: '120.00' });
    const send = mailer(stage, companyId);
    const page = await stage.open('/onlinepayments', { as: administrator });
    await connect(page, stage.stripe.key);

    const { url } = await api.call(sendingCalls.renewLink, { params: { documentId: invoice.id } });
    const path = new URL(url).pathname;
    const customer = await payNow(stage, path);
    await send();
    const open = async () => (await api.call(billingCalls.getInvoice, { params: { id: invoice.id } })).openAmount;
    await expect.poll(open).toBe(cents(0));
    await customer.goto(path);
    await seen(customer.getByText('Paid in full'));

    await addInvoice(api, { customerId, amount: '80.00' });
    const portal = await api.call(sendingCalls.renewPortalLink, { params: { customerId } });
    await customer.goto(new URL(portal.url).pathname);
    await seen(customer.getByRole('button', { name: 'Pay $80.00' }));
    await seen(customer.getByRole('cell', { name: '120.00' }));
    await checkLook(customer, 'customer portal');

    // The fee is 2.9% plus 0.30.
    const clearing = page.getByRole('complementary', { name: 'Clearing account' });
    await page.reload();
    for (const words of ['120.00', '(3.78)', '$116.22', 'Agrees with the ledger'])
      await seen(clearing.getByText(words));
    await checkLook(page, 'online payments, money on its way');
    await ask(stage, 'payout');
    await send();
    await expect
      .poll(async () => {
        await page.reload();
        await seen(clearing.getByText('Agrees with the ledger'));
        return clearing.getByText('(116.22)').count();
      })
      .toBe(1);
  },
);
