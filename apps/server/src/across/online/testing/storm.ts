import { billingCalls } from '@evenkeel/contract/billing';
import { encode } from '@evenkeel/contract/wire';
import { Dice } from '@evenkeel/core/dice';
import { VOID } from '@evenkeel/core/documents/invoice';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestApp } from '../../../testing/app.ts';
import { factoryFor } from '../../../testing/factories.ts';
import { verifyCompany } from '../../health/books-verify.ts';
import { type FakeObject, type FakeStripe, startFakeStripe } from '../../../testing/fake-stripe.ts';
import { payingIn } from './paying.ts';

/** Random payments, and everything that can happen to payments. Each event is sent twice, in random order. */

/**
 * Sends at least this many events and checks that the clearing account equals Stripe's own totals to the cent, that
 * every charge is in the books once, and that the books pass verification. Returns the number of events.
 */
export async function storm(t: TestApp, { events, seed }: { events: number; seed: number }): Promise<number> {
  const stripe = await startFakeStripe();
  Object.assign(t.services.config, { stripeApiUrl: stripe.url });
  const company = await t.createCompany();
  const { companyId } = company;
  const paying = payingIn(t, stripe, company);
  await paying.connect();
  const dice = new Dice(seed);
  await happen(t, stripe, { company, dice, events: Math.ceil(events / 2) });
  const sent = shuffled(dice, [...stripe.events, ...stripe.events]);
  for (let at = 0; at < sent.length; at += 20) {
    const statuses = await Promise.all(sent.slice(at, at + 20).map((event) => paying.send(event)));
    expect(statuses.every((status) => status === 200)).toBe(true);
    // Two processes post while events still arrive.
    if (at % 400 === 0) await Promise.all([t.runJobs(), t.runJobs()]);
  }
  await paying.post();
  const { charges, fees, refunds, disputes, payouts } = stripe.totals;
  const expected = (charges - fees - refunds - disputes - payouts) / 100;
  const { expected: summed, balance } = await paying.clearing();
  expect([summed, balance]).toEqual([expected, expected]);
  const rows = await t.inCompany(companyId, (tx) =>
    tx.one(sql<{ waiting: number; charges: number; sum: number; held: number }>`
      select
        (select count(*)::int from online_event where company_id = ${companyId} and handled_at is null) as waiting,
        (select count(*)::int from online_movement where company_id = ${companyId} and kind = 'charge') as charges,
        (select sum(amount_cents)::bigint from online_movement
          where company_id = ${companyId} and kind = 'charge') as sum,
        (select count(*)::int from online_movement m where company_id = ${companyId} and kind = 'charge'
          and payment_id is null and not exists (
            select from online_review r where r.company_id = ${companyId} and r.about = m.id)) as held`),
  );
  expect(rows).toEqual({ waiting: 0, charges: stripe.count('charge'), sum: charges, held: 0 });
  expect((await verifyCompany(t.pool, companyId)).faults).toEqual([]);
  await stripe.close();
  return sent.length;
}

interface Happening {
  company: Parameters<typeof factoryFor>[1];
  dice: Dice;
  events: number;
}

/**
 * Creates invoices, pays them in various ways, and simulates refunds, disputes, and payouts until there are enough
 * events.
 */
async function happen(t: TestApp, stripe: FakeStripe, { company, dice, events }: Happening): Promise<void> {
  const make = factoryFor(t, company);
  const { token } = make;
  const customers = await Promise.all(['Ridgeview', 'Fairlawn', 'Chapel'].map((name) => make.customer(name)));
  const charges: FakeObject[] = [];
  const refundable = new Map<string, number>();
  const reference = (documentId: number) => ({
    evenkeel_company: String(company.companyId),
    evenkeel_invoice: String(documentId),
    evenkeel_session: '0',
  });
  const pay = (documentId: number, amount: number) => {
    const charge = stripe.charge(amount, { metadata: reference(documentId) });
    charges.push(charge);
    refundable.set(charge.id, amount);
  };
  while (stripe.events.length < events) {
    const customerId = dice.any(customers) ?? 0;
    const amount = dice.between(100, 90_000);
    const invoice = await make.invoice({ customerId, amount: amount / 100 });
    const fate = dice.between(1, 12);
    pay(invoice.id, fate === 1 ? Math.ceil(amount / 2) : amount);
    if (fate === 2) pay(invoice.id, amount);
    if (fate === 3) await t.call(billingCalls.deleteInvoice, { token, params: { id: invoice.id } });
    if (fate === 4) {
      const saved = await t.call(billingCalls.getInvoice, { token, params: { id: invoice.id } });
      const body = { ...Object(encode(billingCalls.getInvoice.reply, saved)), arBillingStatus: VOID };
      await t.call(billingCalls.updateInvoice, { token, body });
    }
    if (fate === 5) {
      const paymentApplications = [{ invoiceId: invoice.id, amount: amount / 100 }];
      await make.payment({ customerId, paymentAmount: amount / 100, paymentApplications });
    }
    if (fate === 6) stripe.charge(dice.between(100, 5000));
    if (fate === 7) stripe.ownFee(dice.between(1, 900));
    const charge = dice.any(charges);
    const left = charge === undefined ? 0 : (refundable.get(charge.id) ?? 0);
    if (charge !== undefined && left > 0 && dice.chance(40)) {
      if (dice.chance(20)) {
        refundable.set(charge.id, 0);
        // Only a charge without refunds is disputed.
        if (left === charge['amount']) {
          const dispute = stripe.dispute(charge);
          if (dice.chance(70)) stripe.closeDispute(dispute, dice.chance(50));
        }
      } else {
        const refunded = dice.chance(50) ? left : dice.between(1, left);
        refundable.set(charge.id, left - refunded);
        const refund = stripe.refund(charge, refunded);
        if (dice.chance(10)) stripe.failRefund(refund);
      }
    }
    if (dice.chance(8)) {
      const payout = stripe.payOut();
      if (payout !== undefined && dice.chance(20)) stripe.failPayout(payout);
    }
  }
  // The last payout contains everything that no event was sent for.
  stripe.charge(1_000_000);
  stripe.payOut();
}

function shuffled<T>(dice: Dice, all: T[]): T[] {
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = dice.between(0, at);
    const [one, two] = [all[at], all[other]];
    if (one !== undefined && two !== undefined) [all[at], all[other]] = [two, one];
  }
  return all;
}
