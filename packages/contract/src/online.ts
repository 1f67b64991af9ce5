import * as z from 'zod';
import { CurrentPassword } from './account.ts';
import { endpoint } from './endpoint.ts';
import { Done, Id, IdText, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/**
 * Online payments: the connection to Stripe, the accounts that Stripe transactions post to, and the payments for
 * review.
 */

/** The kinds of changes to the Stripe balance, in the order in which the clearing account's equation lists them. */
export const ONLINE_SUMS = ['charges', 'fees', 'refunds', 'disputes', 'payouts', 'other'] as const;

/** The reasons why a person must make a decision (docs/accounting.md, "Online payments"). */
export const REVIEW_REASONS = [
  'voided',
  'deleted',
  'paid',
  'unapplied',
  'unknown',
  'reopened',
  'refund',
  'refundFailed',
  'dispute',
  'disputeLost',
  'other',
  'foreign',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

export const OnlineReview = z.object({
  id: Id,
  reason: z.enum(REVIEW_REASONS),
  amount: Usd,
  customerId: Id.nullable(),
  customerDisplayName: z.string().nullable(),
  invoiceId: Id.nullable(),
  invoiceNumber: z.string().nullable(),
  paymentId: Id.nullable(),
  createdAt: Moment,
});
export type OnlineReview = z.output<typeof OnlineReview>;

/** Problems with online payments that a person must resolve. */
export const OnlineTrouble = z.object({
  /**
   * `reviews` counts online payments to review. `silent` counts payment pages that customers have opened since the last
   * event arrived. `unpaid` counts charges that the last payout should have included.
   */
  name: z.enum(['reviews', 'silent', 'unpaid']),
  count: z.number().int(),
  amount: Usd,
  /** The time of the first review or payment page. Null for `unpaid`. */
  since: Moment.nullable(),
});
export type OnlineTrouble = z.output<typeof OnlineTrouble>;

/** The accounts and rules of online payments. */
const settings = {
  /** Whether the private pages of invoices offer Pay Now. */
  paysNow: z.boolean(),
  /** The smallest partial payment that a customer may make on an invoice. Null if only the full amount can be paid. */
  leastPart: Usd.nullable(),
  /**
   * The maximum amount that can be paid by card. A higher amount can be paid only by bank debit. Null means no limit.
   */
  mostByCard: Usd.nullable().optional(),
  clearingBankAccountId: Id,
  payoutBankAccountId: Id,
  feeAccountId: Id,
  /** Holds disputed payments, and money that doesn't belong to any invoice, until a person makes a decision. */
  reviewAccountId: Id,
};

export const OnlineConnection = z.object({
  ...settings,
  id: Id,
  isConnected: z.boolean(),
  /** The first and last characters of the restricted key. */
  keyHint: z.string(),
  /** False in Stripe's test mode. */
  isLive: z.boolean(),
  connectedAt: Moment,
});
export type OnlineConnection = z.output<typeof OnlineConnection>;

export const OnlinePayments = z.object({
  /** Null if the company has never connected a provider. */
  connection: OnlineConnection.nullable(),
  lastEventAt: Moment.nullable(),
  /** The number of events that have not been posted yet, and the reason why the first of them failed. */
  waiting: z.number().int(),
  waitingError: z.string().nullable(),
  /** The URL to which Stripe must send these events. */
  webhookUrl: z.string(),
  events: z.array(z.string()),
  rowVersion: RowVersion,
});
export type OnlinePayments = z.output<typeof OnlinePayments>;

export const OnlineClearing = z.object({
  /** Null if the company has no clearing account. */
  account: z.object({ bankAccountId: Id, accountId: Id, name: z.string() }).nullable(),
  sums: z.array(z.object({ name: z.enum(ONLINE_SUMS), amount: Usd })),
  /** The total of `sums`. */
  expected: Usd,
  /**
   * The balance in the ledger. This balance differs from `expected` only by entries that were posted to the account
   * manually.
   */
  balance: Usd,
  reviews: z.array(OnlineReview),
  troubles: z.array(OnlineTrouble),
});
export type OnlineClearing = z.output<typeof OnlineClearing>;

export const onlineCalls = {
  getOnlinePayments: endpoint({
    method: 'GET',
    path: '/onlinepayments',
    needs: 'Administrator',
    summary: 'Returns the connection to Stripe and its settings.',
    reply: OnlinePayments,
  }),
  connectOnlinePayments: endpoint({
    method: 'PUT',
    path: '/onlinepayments/connection',
    needs: 'Administrator',
    summary: 'Connects Stripe or replaces its key. Creates the clearing and review accounts if they are missing.',
    body: z.object({ key: maybe(text(300)), webhookSecret: maybe(text(300)), password: CurrentPassword }),
    reply: OnlinePayments,
    ofPerson: true,
    noRehearsal: true,
  }),
  disconnectOnlinePayments: endpoint({
    method: 'PUT',
    path: '/onlinepayments/disconnection',
    needs: 'Administrator',
    summary: "Removes the key and the webhook secret. The accounts and their entries don't change.",
    body: z.object({ password: CurrentPassword }),
    reply: OnlinePayments,
    ofPerson: true,
    noRehearsal: true,
  }),
  saveOnlinePayments: endpoint({
    method: 'PUT',
    path: '/onlinepayments',
    needs: 'Administrator',
    summary: 'Saves the customer options and the accounts for online payments.',
    body: z.object({ ...settings, rowVersion: maybe(RowVersion) }),
    reply: OnlinePayments,
  }),
  onlineClearing: endpoint({
    method: 'GET',
    path: '/onlineclearing',
    needs: 'View Billing',
    summary: "Returns the amounts that make up the clearing account's balance, and the online payments to review.",
    reply: OnlineClearing,
  }),
  finishOnlineReview: endpoint({
    method: 'PUT',
    path: '/onlinereviews/{id}',
    needs: 'Manage Billing',
    summary: 'Marks an online payment as reviewed. Repeating the call changes nothing.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
};
