import { onlineCalls } from '@evenkeel/contract/online';
import { sendingCalls } from '@evenkeel/contract/sending';
import { toDollars } from '@evenkeel/core/money';
import { sql } from 'kysely';
import type { TestApp } from '../../../testing/app.ts';
import { PASSWORD, type WorldCompany } from '../../../testing/world.ts';
import type { FakeEvent, FakeStripe } from '../../../testing/fake-stripe.ts';

/** A company that is connected to a fake Stripe, with functions that act as its customers and as Stripe. */
export interface Paying {
  secret: string;
  connect(): Promise<unknown>;
  /** Sends an event to the company. Returns the response's status. */
  send(event: FakeEvent, how?: { secret?: string; at?: number; companyId?: number }): Promise<number>;
  /** Sends all unsent events, and posts them. */
  deliver(): Promise<void>;
  /** Runs waiting jobs until none remain. */
  post(): Promise<void>;
  /** Returns the path of a new private link. */
  link(invoiceId: number): Promise<string>;
  /** Selects Pay Now. */
  press(path: string, amount: string, headers?: Record<string, string>): Promise<{ status: number; html: string }>;
  /** Selects Pay Now, which must open a page, and returns the page's ID. */
  open(path: string, amount: string): Promise<string>;
  clearing(): Promise<{ expected: number; balance: number; sums: Record<string, number>; reasons: string[] }>;
}

let addresses = 0;

export function payingIn(t: TestApp, stripe: FakeStripe, company: WorldCompany): Paying {
  const { companyId, administrator, bookkeeper } = company;
  const secret = `whsec_${'k'.repeat(24)}${companyId}`;
  const sent = new Set<string>();
  const address = () => `10.9.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;
  const paying: Paying = {
    secret,
    connect: () =>
      t.call(onlineCalls.connectOnlinePayments, {
        token: administrator.token,
        body: { key: stripe.key, webhookSecret: secret, password: PASSWORD },
      }),
    send: async (event, how = {}) => {
      const { body, signature } = stripe.sign(event, how.secret ?? secret, how.at);
      const { status } = await t.request({
        method: 'POST',
        url: `/hooks/stripe/${how.companyId ?? companyId}`,
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        body,
        address: address(),
      });
      return status;
    },
    deliver: async () => {
      for (const event of stripe.events.filter(({ id }) => !sent.has(id))) {
        sent.add(event.id);
        if ((await paying.send(event)) !== 200) throw new Error('an event was rejected');
      }
      await paying.post();
    },
    post: async () => {
      for (;;) {
        await t.runJobs();
        const left = await t.inCompany(companyId, (tx) =>
          tx.one(sql<{ count: number }>`
            select count(*)::int as count from job
            where company_id = ${companyId} and kind = 'online payments' and done_at is null`),
        );
        if (left.count === 0) return;
      }
    },
    link: async (documentId) => {
      const { url } = await t.call(sendingCalls.renewLink, { token: bookkeeper.token, params: { documentId } });
      return new URL(url).pathname;
    },
    press: async (path, amount, headers = {}) => {
      const { status, body } = await t.request({
        method: 'POST',
        url: `${path}/pay`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ amount }).toString(),
        address: address(),
      });
      return { status, html: String(body) };
    },
    open: async (path, amount) => {
      const { status, html } = await paying.press(path, amount);
      const id = /\/c\/pay\/(cs_test_\w+)/.exec(html)?.[1];
      if (id === undefined) throw new Error(`Pay Now returned ${status}: ${html.slice(-600)}`);
      return id;
    },
    clearing: async () => {
      const { expected, balance, sums, reviews } = await t.call(onlineCalls.onlineClearing, {
        token: bookkeeper.token,
      });
      return {
        expected: toDollars(expected),
        balance: toDollars(balance),
        sums: Object.fromEntries(
          sums.filter((each) => each.amount !== 0).map((each) => [each.name, toDollars(each.amount)]),
        ),
        reasons: reviews.map(({ reason }) => reason),
      };
    },
  };
  return paying;
}
