import { billingCalls, BillingPayment } from '@evenkeel/contract/billing';
import { bankingCalls } from '@evenkeel/contract/banking';
import { closingCalls } from '@evenkeel/contract/closing';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { onlineCalls } from '@evenkeel/contract/online';
import { settingsCalls } from '@evenkeel/contract/settings';
import { transferCalls } from '@evenkeel/contract/transfers';
import { encode } from '@evenkeel/contract/wire';
import { VOID } from '@evenkeel/core/documents/invoice';
import { toDollars } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor, makeInactive } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { verifyCompany } from '../health/books-verify.ts';
import { type FakeStripe, startFakeStripe } from '../../testing/fake-stripe.ts';
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
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});
let before: FakeStripe['totals'];
beforeEach(async () => {
  stripe.reset();
  before = { ...stripe.totals };
  company = await t.createCompany();
  make = factoryFor(t, company);
  customerId = await make.customer();
  paying = payingIn(t, stripe, company);
  await paying.connect();
});

const token = () => company.bookkeeper.token;
const change = async (id: number, changes: object) => {
  const invoice = await t.call(billingCalls.getInvoice, { token: token(), params: { id } });
  await t.call(billingCalls.updateInvoice, {
    token: token(),
    body: { ...Object(encode(billingCalls.getInvoice.reply, invoice)), ...changes },
  });
};
const remove = (id: number) => t.call(billingCalls.deleteInvoice, { token: token(), params: { id } });
const payByCheck = (invoiceId: number, amount: number) =>
  make.payment({ customerId, paymentAmount: amount, paymentApplications: [{ invoiceId, amount }] });
const transfersOf = async () => {
  const found = await t.call(transferCalls.listTransfers, { token: token() });
  return Array.isArray(found) ? found : found.items;
};
const openOf = async (id: number) =>
  toDollars((await t.call(billingCalls.getInvoice, { token: token(), params: { id } })).openAmount);
const customerOf = () => t.call(billingCalls.customerStanding, { token: token(), params: { customerId } });
/** Creates an invoice and pays it through its private page, without sending any events. */
const paid = async (amount: number, how: Parameters<FakeStripe['pay']>[1] = {}) => {
  const invoice = await make.invoice({ customerId, amount });
  const path = await paying.link(invoice.id);
  return { invoice, path, charge: stripe.pay(await paying.open(path, String(amount)), how) };
};
const paymentOf = async (invoiceId: number) => {
  const [paidBy] = await t.call(billingCalls.invoicePayments, { token: token(), params: { id: invoiceId } });
  const id = paidBy?.id ?? 0;
  return t.call(billingCalls.getPayment, { token: token(), params: { id } });
};
/** Posts everything that happened in Stripe, and checks that the clearing account equals Stripe's own totals. */
const settle = async () => {
  await paying.deliver();
  const { charges, fees, refunds, disputes, payouts } = stripe.totals;
  const clearing = await paying.clearing();
  const expected =
    (charges -
      before.charges -
      (fees - before.fees) -
      (refunds - before.refunds) -
      (disputes - before.disputes) -
      (payouts - before.payouts)) /
    100;
  expect([clearing.expected, clearing.balance]).toEqual([expected, expected]);
  expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
  return clearing;
};

describe('a payment', () => {
  test('a payment pays the invoice and posts the fee in a separate entry', async () => {
    const { invoice } = await paid(693);
    expect(await settle()).toEqual({
      expected: 672.6,
      balance: 672.6,
      sums: { charges: 693, fees: -20.4 },
      reasons: [],
    });
    expect(await openOf(invoice.id)).toBe(0);
    const payment = await paymentOf(invoice.id);
    expect(payment.paymentRefNo).toMatch(/^ch_/);
    expect(payment.paymentDescription).toBe(`Stripe, invoice ${invoice.invoiceNumber}`);
  });

  test('a payment is posted once, regardless of how often and in what order its events arrive', async () => {
    const { invoice } = await paid(100);
    for (const event of [...stripe.events.toReversed(), ...stripe.events]) {
      expect(await paying.send(event)).toBe(200);
    }
    await paying.post();
    for (const event of stripe.events) await paying.send({ ...event, id: `${event.id}again` });
    await paying.post();
    expect(await openOf(invoice.id)).toBe(0);
    expect((await settle()).sums).toEqual({ charges: 100, fees: -3.2 });
  });

  test('a payment whose fee Stripe reports later is posted when the fee is known', async () => {
    const { invoice, charge } = await paid(100, { delay: true });
    await paying.deliver();
    expect(await openOf(invoice.id)).toBe(100);
    stripe.settle(charge);
    await settle();
    expect(await openOf(invoice.id)).toBe(0);
  });

  test.each([
    ['voided', async (id: number) => change(id, { arBillingStatus: VOID })],
    ['deleted', async (id: number) => remove(id)],
    ['paid', async (id: number) => payByCheck(id, 100)],
  ])('a payment on a %s invoice becomes an unapplied credit and needs review', async (reason, happens) => {
    const { invoice } = await paid(100);
    await happens(invoice.id);
    expect((await settle()).reasons).toEqual([reason]);
    expect(toDollars((await customerOf()).creditAmount)).toBe(100);
    const { reviews } = await t.call(onlineCalls.onlineClearing, { token: token() });
    const [review] = reviews;
    expect(review).toMatchObject({ amount: 10_000, customerId, invoiceId: invoice.id });
    const done = { token: token(), params: { id: review?.id ?? 0 } };
    await t.call(onlineCalls.finishOnlineReview, done);
    await t.call(onlineCalls.finishOnlineReview, done);
    expect((await paying.clearing()).reasons).toEqual([]);
  });

  test('a payment above the open balance pays the invoice, and the rest becomes a credit for review', async () => {
    const { invoice } = await paid(100);
    await payByCheck(invoice.id, 70);
    expect((await settle()).reasons).toEqual(['paid']);
    expect([await openOf(invoice.id), toDollars((await customerOf()).creditAmount)]).toEqual([0, 70]);
  });

  test('a payment from an inactive customer stays in the review account', async () => {
    const { invoice } = await paid(100);
    await makeInactive(t, company.companyId, customerId);
    expect((await settle()).reasons).toEqual(['unknown']);
    expect(await openOf(invoice.id)).toBe(100);
  });

  test('a payment that did not come from an Evenkeel payment page stays in the review account', async () => {
    stripe.charge(5_000);
    stripe.charge(7_000, { metadata: { evenkeel_company: '1', evenkeel_invoice: '1', evenkeel_session: '1' } });
    expect((await settle()).reasons).toEqual(['unknown', 'unknown']);
  });

  test('a payment in another currency is not posted and needs review', async () => {
    stripe.charge(5_000, { currency: 'eur' });
    expect((await settle()).reasons).toEqual(['foreign']);
  });

  test('a payment on a closed date is posted on the first open day, and its description says so', async () => {
    const { invoice } = await paid(100, { at: new Date('2026-03-20T15:00:00Z') });
    await t.call(settingsCalls.saveSettings, {
      token: company.administrator.token,
      body: { settingName: 'closingDate', settingValue: '2026-03-31' },
    });
    await settle();
    const payment = await paymentOf(invoice.id);
    expect([payment.paymentDate, payment.paymentDescription]).toEqual([
      '2026-04-01',
      `Stripe, invoice ${invoice.invoiceNumber} (dated 3/20/2026, in a closed period)`,
    ]);
  });

  test("a payment can be applied to another invoice, but its amount can't be changed", async () => {
    const { invoice } = await paid(100);
    await settle();
    const payment = await paymentOf(invoice.id);
    const body = encode(BillingPayment, payment);
    const other = await make.invoice({ customerId, amount: 60 });
    const moved = { ...Object(body), paymentApplications: [{ invoiceId: other.id, amount: 60 }] };
    await t.call(billingCalls.updatePayment, { token: token(), body: moved });
    expect([await openOf(invoice.id), await openOf(other.id)]).toEqual([100, 0]);
    const wrong = { ...moved, paymentAmount: 90, rowVersion: payment.rowVersion + 1 };
    const refused = await t.refused(billingCalls.updatePayment, { token: token(), body: wrong });
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('Refund it in Stripe')]);
    expect((await t.refused(billingCalls.deletePayment, { token: token(), params: { id: payment.id } })).status).toBe(
      409,
    );
  });
});

describe('after the payment', () => {
  test('a refund reopens the invoice and needs review', async () => {
    const { invoice, charge } = await paid(100);
    stripe.refund(charge, 4_000);
    expect((await settle()).reasons).toEqual(['reopened']);
    expect(await openOf(invoice.id)).toBe(40);
    stripe.refund(charge, 6_000);
    expect((await settle()).sums).toEqual({ charges: 100, fees: -3.2, refunds: -100 });
    expect([await openOf(invoice.id), toDollars((await customerOf()).creditAmount)]).toEqual([100, 0]);
  });

  test('a refund of a duplicate payment uses its credit and needs no further review', async () => {
    const { invoice, charge } = await paid(100);
    await payByCheck(invoice.id, 100);
    await settle();
    stripe.refund(charge, 10_000);
    expect((await settle()).reasons).toEqual(['paid']);
    expect([await openOf(invoice.id), toDollars((await customerOf()).creditAmount)]).toEqual([0, 0]);
  });

  test('a failed refund returns to the clearing account', async () => {
    const { charge } = await paid(100);
    stripe.failRefund(stripe.refund(charge, 4_000));
    expect((await settle()).reasons).toEqual(['reopened', 'refundFailed']);
  });

  test('a disputed amount and its fee stay in the review account until the dispute is won', async () => {
    const { charge } = await paid(100);
    const dispute = stripe.dispute(charge);
    expect(await settle()).toMatchObject({ sums: { disputes: -100, fees: -18.2 }, reasons: ['dispute'] });
    stripe.closeDispute(dispute, true);
    expect(await settle()).toMatchObject({ sums: { charges: 100, fees: -3.2 }, reasons: [] });
  });

  test('a lost dispute needs a write-off', async () => {
    const { charge } = await paid(100);
    const dispute = stripe.dispute(charge);
    stripe.closeDispute(dispute, false);
    expect((await settle()).reasons).toEqual(['disputeLost']);
  });

  test('a payout is posted as a transfer to the bank, with the fees that no event reported', async () => {
    await paid(500);
    stripe.ownFee(210);
    stripe.charge(1_234);
    stripe.events.splice(-1);
    stripe.payOut(new Date('2026-11-20T00:00:00Z'));
    expect(await settle()).toMatchObject({ balance: 0, reasons: ['unknown'] });
    const [transfer] = await transfersOf();
    expect([transfer?.transferDate, transfer?.fromBankAccountName, transfer?.toBankAccountName]).toEqual([
      '2026-11-20',
      'Stripe Clearing',
      'Checking',
    ]);
    expect(
      (await t.refused(transferCalls.deleteTransfer, { token: token(), params: { id: transfer?.id } })).status,
    ).toBe(409);
  });

  test('a failed payout is transferred back', async () => {
    await paid(500);
    const payout = stripe.payOut();
    if (payout !== undefined) stripe.failPayout(payout);
    expect((await settle()).sums).toEqual({ charges: 500, fees: -14.8 });
    expect(await transfersOf()).toHaveLength(2);
  });

  test('a refund of a payment that was paid out before the connection existed needs review', async () => {
    const charge = stripe.charge(9_000);
    stripe.refund(charge, 9_000);
    expect((await settle()).reasons).toEqual(['unknown', 'refund']);
  });
});

describe('the accounts of online payments', () => {
  test('the clearing account gets the next free number after that of the payout account', async () => {
    const { account } = await t.call(onlineCalls.onlineClearing, { token: token() });
    const { number } = await t.inCompany(company.companyId, (tx) =>
      tx.one(sql<{ number: string }>`
        select account_number as number from account
        where company_id = ${company.companyId} and id = ${account?.accountId ?? 0}`),
    );
    const banks = await t.call(bankingCalls.listBankingAccounts, { token: company.administrator.token, query: {} });
    const bank = banks.find(({ bankingAccountID }) => bankingAccountID === account?.bankAccountId);
    // The chart has 1000 for Checking, and 1010, 1020, and 1050 for other accounts.
    expect([number, bank?.accountNumber]).toEqual(['1030', '1030']);
  });

  test("accounts that online payments are posted to can't be made inactive or deleted", async () => {
    const admin = { token: company.administrator.token };
    const { connection } = await t.call(onlineCalls.getOnlinePayments, admin);
    for (const customerAccountID of [connection?.feeAccountId ?? 0, connection?.reviewAccountId ?? 0]) {
      const refused = await t.refused(ledgerCalls.setupAccount, {
        ...admin,
        body: { customerAccountID, selected: false },
      });
      expect([refused.status, refused.message]).toEqual([422, expect.stringContaining('online payments are posted')]);
    }
    for (const id of [connection?.clearingBankAccountId ?? 0, connection?.payoutBankAccountId ?? 0]) {
      const deleted = await t.refused(bankingCalls.deleteBankingAccount, { ...admin, params: { id } });
      const changed = await t.refused(bankingCalls.updateBankingAccount, {
        ...admin,
        params: { id },
        body: { active: false },
      });
      expect([deleted.status, changed.status]).toEqual([422, 422]);
    }
  });
});

describe('a limit for cards', () => {
  test('all payment methods are offered up to the card limit, and only bank debit is offered above it', async () => {
    const admin = { token: company.administrator.token };
    const { connection } = await t.call(onlineCalls.getOnlinePayments, admin);
    if (connection === null) throw new Error('not connected');
    const body = { ...connection, leastPart: null, mostByCard: 500 };
    const saved = await t.call(onlineCalls.saveOnlinePayments, { ...admin, body });
    expect(saved.connection?.mostByCard).toBe(50_000);
    // A client that doesn't know about the limit saves the settings without changing the limit.
    const { mostByCard: _, ...older } = body;
    expect((await t.call(onlineCalls.saveOnlinePayments, { ...admin, body: older })).connection?.mostByCard).toBe(
      50_000,
    );
    const ways = [];
    for (const amount of [500, 500.01]) {
      const { id } = await make.invoice({ customerId, amount });
      ways.push(stripe.session(await paying.open(await paying.link(id), String(amount)))['payment_method_types']);
    }
    expect(ways).toEqual([[], ['us_bank_account']]);
    const low = { ...body, mostByCard: 0.4 };
    expect((await t.refused(onlineCalls.saveOnlinePayments, { ...admin, body: low })).fields).toHaveProperty(
      'mostByCard',
    );
  });
});

describe('trouble', () => {
  const troubles = async () => (await t.call(onlineCalls.onlineClearing, { token: token() })).troubles;
  const inMonthEnd = async () => {
    const sent = { token: company.administrator.token, query: { date: '2026-10-31' } };
    return (await t.call(closingCalls.closingChecklist, sent)).onlinePayments;
  };
  const later = (hours: number) =>
    t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`
        update online_session set created_at = created_at - make_interval(hours => ${hours})
        where company_id = ${company.companyId}`),
    );
  const connectedBefore = () =>
    t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`
        update online_connection set connected_at = now() - interval '2 days' where company_id = ${company.companyId}`),
    );

  test('if payment pages open but no event arrives for hours, a problem is shown until the next event', async () => {
    await connectedBefore();
    const { id } = await make.invoice({ customerId, amount: 60 });
    const session = await paying.open(await paying.link(id), '60');
    expect(await troubles()).toEqual([]);
    await later(4);
    const silent = { name: 'silent', count: 1, amount: 6000, since: expect.any(String) };
    expect([await troubles(), await inMonthEnd()]).toEqual([[silent], [silent]]);
    stripe.expire(session);
    await paying.deliver();
    expect(await troubles()).toEqual([]);
  });

  test('a problem is shown while a payment needs a decision or a payout omits an old balance', async () => {
    stripe.charge(4000);
    await paying.deliver();
    expect(await troubles()).toMatchObject([{ name: 'reviews', count: 1, amount: 4000 }]);
    const [review] = (await t.call(onlineCalls.onlineClearing, { token: token() })).reviews;
    await t.call(onlineCalls.finishOnlineReview, { token: token(), params: { id: review?.id ?? 0 } });
    expect(await troubles()).toEqual([]);
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`
        update online_movement set happened_on = happened_on - 30 where company_id = ${company.companyId}`),
    );
    stripe.reset();
    stripe.charge(2000);
    stripe.payOut();
    await paying.deliver();
    const found = await troubles();
    expect(found.find(({ name }) => name === 'unpaid')).toMatchObject({ count: 1 });
  });
});
