import type { ONLINE_SUMS, OnlineReview, ReviewReason } from '@evenkeel/contract/online';
import { formatAmount } from '@evenkeel/core/money';

/** The wording of the Online Payments page. */

export const SUM_LABELS: Readonly<Record<(typeof ONLINE_SUMS)[number], string>> = {
  charges: 'Charges',
  fees: 'Fees',
  refunds: 'Refunds',
  disputes: 'Disputes',
  payouts: 'Payouts',
  other: 'Other Changes',
};

interface ReviewWords {
  title: string;
  /** Describes the posting and the next step. `of` names the invoice, and `amount` has two decimal places. */
  text: (amount: string, of: string) => string;
}

const credited = (what: string): ReviewWords => ({
  title: `Payment for ${what} invoice`,
  text: (amount, of) =>
    `${amount} for ${of} is an unapplied credit. Apply it to another invoice, or refund it in Stripe.`,
});

const REVIEW_WORDS: Readonly<Record<ReviewReason, ReviewWords>> = {
  voided: credited('a voided'),
  deleted: credited('a deleted'),
  paid: credited('a paid'),
  unapplied: credited('an'),
  unknown: {
    title: 'Payment without an invoice',
    text: (amount) =>
      `${amount} didn't come from Pay Now, so it is in the review account. Post it to the correct account.`,
  },
  reopened: {
    title: 'Refund for an invoice',
    text: (amount, of) =>
      `${amount} was refunded, so ${of} is open again. Credit or write off the amount that is not owed.`,
  },
  refund: {
    title: 'Refund without a payment',
    text: (amount) => `${amount} was refunded from the review account. Post it to the correct account.`,
  },
  refundFailed: {
    title: 'Failed refund',
    text: (amount) =>
      `The refund of ${amount} failed, so the money is in the review account. Pay the customer another way.`,
  },
  dispute: {
    title: 'Disputed payment',
    text: (amount, of) => `${amount} for ${of} is in the review account. Send your evidence in Stripe.`,
  },
  disputeLost: {
    title: 'Lost dispute',
    text: (amount, of) =>
      `The dispute over ${amount} for ${of} was lost. Move the amount from the review account to an expense account.`,
  },
  other: {
    title: 'Other Stripe balance change',
    text: (amount) => `${amount} is in the review account. Post it to the correct account.`,
  },
  foreign: {
    title: 'Payment in another currency',
    text: () => 'The payment was not posted, because the books are in US dollars. Post a journal entry.',
  },
};

export function reviewWords({ reason, amount, invoiceNumber }: OnlineReview): { title: string; text: string } {
  const { title, text } = REVIEW_WORDS[reason];
  const of = invoiceNumber === null ? 'an unknown invoice' : `invoice ${invoiceNumber}`;
  return { title, text: text(formatAmount(amount), of) };
}
