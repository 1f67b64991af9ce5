import { isoDate } from '@evenkeel/core/dates';
import { refuse } from '@evenkeel/core/failure';
import { cents } from '@evenkeel/core/money';
import type Stripe from 'stripe';
import { requireNoTransaction } from '../../platform/waits.ts';
import type { Movement, MovementKind, News, Provider, Reference, WantedSession } from './provider.ts';

/**
 * Stripe as a provider. An event only says which object changed. The object and its balance transactions, which contain
 * the fees, are then read from the API, so that the order of the events doesn't matter.
 */

/** The maximum age in seconds of a signed event. Older events are rejected. */
const TOLERANCE = 300;

/** The names for a payment page's reference in Stripe's metadata. */
const NAMES = { companyId: 'evenkeel_company', parts: 'evenkeel_invoice', sessionId: 'evenkeel_session' } as const;

/** The events that an endpoint must receive. Others are ignored. */
const STRIPE_EVENTS = [
  // A charge has the reference, and its balance transaction has the fee. For some payment methods, the balance
  // transaction is created later and reported as an update.
  'charge.succeeded',
  'charge.updated',
  // A bank debit can fail even after it was reported as successful. The charge then has a second balance transaction.
  'charge.failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'payout.paid',
  'payout.failed',
  // Only this event completes the payout's balance transactions. They also contain fees and charges that no event was
  // sent for.
  'payout.reconciliation_completed',
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
] as const;

/** The number of clients that are kept so that their connections can be reused. */
const MOST_CLIENTS = 50;

/** Returns Stripe at an address. The SDK is loaded on the first call. */
export function openStripe(apiUrl: string): Provider {
  const clients = new Map<string, Stripe>();
  const clientOf = async (key: string): Promise<Stripe> => {
    requireNoTransaction('Stripe');
    const kept = clients.get(key);
    if (kept !== undefined) return kept;
    const { default: Client } = await import('stripe');
    const { protocol, hostname, port } = new URL(apiUrl);
    const client = new Client(key, {
      host: hostname,
      port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
      protocol: protocol === 'http:' ? 'http' : 'https',
      timeout: 20_000,
      maxNetworkRetries: 2,
      telemetry: false,
      appInfo: { name: 'Evenkeel' },
    });
    if (clients.size >= MOST_CLIENTS) clients.clear();
    clients.set(key, client);
    return client;
  };
  return {
    name: 'stripe',
    label: 'Stripe',
    events: STRIPE_EVENTS,
    tryKey: async (key) => tryKey(await clientOf(key)),
    startSession: async (key, wanted) => startSession(await clientOf(key), wanted),
    readEvent: async ({ body, signature, secret }) => {
      const { default: Client } = await import('stripe');
      // Checking a signature makes no request, so any key will do.
      const { webhooks } = new Client('rk_none');
      let event: Stripe.Event;
      try {
        event = webhooks.constructEvent(body, signature, secret, TOLERANCE);
      } catch {
        throw refuse('The signature of this event is not valid');
      }
      const { object } = event.data;
      const objectId = 'id' in object && typeof object.id === 'string' ? object.id : '';
      return { id: event.id, type: event.type, objectId, at: new Date(event.created * 1000) };
    },
    newsOf: async (key, { type, objectId }) => {
      const read = Object.entries(READERS).find(([start]) => type.startsWith(start))?.[1];
      return read === undefined ? newsOf([]) : read(await clientOf(key), objectId, type);
    },
  };
}

/**
 * Makes one small read request for each permission that Evenkeel needs. The permission to create pages can't be tested
 * without creating one.
 */
async function tryKey(stripe: Stripe): Promise<void> {
  const one = { limit: 1 };
  const reads: [permission: string, read: Promise<unknown>][] = [
    ['Checkout Sessions', stripe.checkout.sessions.list(one)],
    ['Charges and Refunds', stripe.charges.list(one)],
    ['Disputes', stripe.disputes.list(one)],
    ['Payouts', stripe.payouts.list(one)],
    ['Balance transactions', stripe.balanceTransactions.list(one)],
  ];
  const outcomes = await Promise.allSettled(reads.map(([, read]) => read));
  const missing: string[] = [];
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    const type = typeOf(outcome.reason);
    if (type === 'StripeAuthenticationError') throw invalidKey('Stripe does not accept this key');
    if (type !== 'StripePermissionError') throw outcome.reason;
    missing.push(reads[at]?.[0] ?? '');
  }
  if (missing.length > 0) throw invalidKey(`This key lacks permissions: ${missing.join(', ')}`);
}

const invalidKey = (message: string) => refuse(message, { key: message });

const typeOf = (error: unknown): string =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' ? error.type : '';

async function startSession(stripe: Stripe, { once, items, reference, ...wanted }: WantedSession) {
  const metadata = {
    [NAMES.companyId]: String(reference.companyId),
    [NAMES.parts]: partsText(reference.parts),
    [NAMES.sessionId]: String(reference.sessionId),
  };
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: items.map(({ title, amount }) => ({
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: amount, product_data: { name: title } },
      })),
      // Without a list, Stripe offers all payment methods that the company has turned on there.
      ...(wanted.isBankDebit ? { payment_method_types: ['us_bank_account'] } : {}),
      // Events refer to the charge, to which Stripe copies the payment's metadata.
      payment_intent_data: { metadata, description: items.map(({ title }) => title).join(', ') },
      metadata,
      success_url: wanted.paidUrl,
      cancel_url: wanted.canceledUrl,
      expires_at: Math.floor(wanted.expiresAt.getTime() / 1000),
    },
    { idempotencyKey: once },
  );
  if (session.url === null) throw new Error('the payment page has no address');
  return { id: session.id, url: session.url };
}

type Read = (stripe: Stripe, id: string, type: string) => Promise<News>;

/** The functions that read events, by the beginning of an event's type. The longest beginnings come first. */
const READERS: Readonly<Record<string, Read>> = {
  'charge.dispute.': disputeNews,
  'charge.': chargeNews,
  'refund.': refundNews,
  'payout.': payoutNews,
  'checkout.session.': sessionNews,
};

const [OWN, FAILURE] = ['balance_transaction', 'failure_balance_transaction'] as const;
const OF_CHARGE = [`charge.${OWN}`, `charge.${FAILURE}`];

async function chargeNews(stripe: Stripe, id: string): Promise<News> {
  const charge = await stripe.charges.retrieve(id, { expand: [OWN, FAILURE] });
  return newsOf(chargeMovements(charge));
}

type Draft = Omit<Movement, 'id' | 'amount' | 'fee' | 'at' | 'words'> & {
  balance: Stripe.BalanceTransaction;
};

/** Returns a charge's movements, which don't exist until its balance transaction does. */
function chargeMovements({ id, metadata, ...charge }: Stripe.Charge): Draft[] {
  const { balance_transaction: own, failure_balance_transaction: failure } = charge;
  const about = { sourceId: id, chargeId: id, reference: referenceIn(metadata) };
  return [
    ...(isExpanded(own) ? [{ kind: 'charge' as const, balance: own, ...about }] : []),
    ...(isExpanded(failure) ? [{ kind: 'refund' as const, balance: failure, ...about }] : []),
  ];
}

async function refundNews(stripe: Stripe, id: string): Promise<News> {
  const refund = await stripe.refunds.retrieve(id, {
    expand: [OWN, FAILURE, 'charge', ...OF_CHARGE],
  });
  const { charge, balance_transaction: own, failure_balance_transaction: failure } = refund;
  if (!isExpanded(charge)) return newsOf([]);
  const about = { sourceId: id, chargeId: charge.id, reference: null };
  return newsOf([
    ...chargeMovements(charge),
    ...(isExpanded(own) ? [{ kind: 'refund' as const, balance: own, ...about }] : []),
    ...(isExpanded(failure) ? [{ kind: 'refund' as const, balance: failure, ...about }] : []),
  ]);
}

async function disputeNews(stripe: Stripe, id: string): Promise<News> {
  const dispute = await stripe.disputes.retrieve(id, { expand: ['charge', ...OF_CHARGE] });
  const { charge, balance_transactions: balances, status, amount } = dispute;
  if (!isExpanded(charge)) return newsOf([]);
  const about = { kind: 'dispute' as const, sourceId: id, chargeId: charge.id, reference: null };
  const lost = { disputeId: id, chargeId: charge.id, amount: cents(amount) };
  return {
    ...newsOf([...chargeMovements(charge), ...balances.map((balance) => ({ ...about, balance }))]),
    lost: status === 'lost' ? lost : undefined,
  };
}

/**
 * Reads a payout. If Stripe has listed the payout's balance transactions, reads them too. They contain everything that
 * reached the bank, such as Stripe's own fees and charges whose events were lost.
 */
async function payoutNews(stripe: Stripe, id: string): Promise<News> {
  const payout = await stripe.payouts.retrieve(id, { expand: [OWN, FAILURE] });
  const { balance_transaction: own, failure_balance_transaction: failure, status, arrival_date: arrival } = payout;
  // A payout on its way hasn't reached the bank yet. A failed payout has a second balance transaction.
  if (status !== 'paid' && status !== 'failed') return newsOf([]);
  const about = { kind: 'payout' as const, sourceId: id, chargeId: null, reference: null };
  const arrivesOn = isoDate(new Date(arrival * 1000).toISOString().slice(0, 10));
  const movements = [
    ...(isExpanded(own) ? [{ ...about, balance: own, arrivesOn }] : []),
    ...(isExpanded(failure) ? [{ ...about, balance: failure }] : []),
  ];
  if (!payout.automatic || payout.reconciliation_status !== 'completed') return newsOf(movements);
  const listed = await listedIn(stripe, id);
  return joined([listed, newsOf(movements)]);
}

/** Returns the kind of a balance transaction that does not belong to a charge, refund, or dispute. */
const kindOf = (type: string): MovementKind => (/(^|_)fee$/.test(type) ? 'fee' : 'other');

async function listedIn(stripe: Stripe, payout: string): Promise<News> {
  const news: News[] = [];
  const others = new Set<string>();
  for await (const balance of stripe.balanceTransactions.list({ payout, limit: 100, expand: ['data.source'] })) {
    const { source, type } = balance;
    const sourceId = typeof source === 'string' ? source : (source?.id ?? '');
    if (type.startsWith('payout')) continue;
    if (/^(re|pyr|dp|du)_/.test(sourceId)) {
      others.add(sourceId);
    } else if (isExpanded(source) && source.object === 'charge') {
      const { balance_transaction: own, failure_balance_transaction: failure } = source;
      const full = (id: typeof own) => (id === balance.id ? balance : id);
      const charge = { ...source, balance_transaction: full(own), failure_balance_transaction: full(failure) };
      news.push(newsOf(chargeMovements(charge)));
    } else {
      news.push(newsOf([{ kind: kindOf(type), balance, sourceId, chargeId: null, reference: null }]));
    }
  }
  // A refund or dispute is read with its charge, which may belong to an earlier payout.
  for (const id of others) news.push(await (/^(re|pyr)_/.test(id) ? refundNews : disputeNews)(stripe, id));
  return joined(news);
}

const SESSION_STATUSES = ['complete', 'expired'] as const;

/** A completed page stays complete if its bank debit fails, so only the event shows that the debit failed. */
async function sessionNews(stripe: Stripe, id: string, type: string): Promise<News> {
  const { status } = await stripe.checkout.sessions.retrieve(id);
  const hasFailed = type === 'checkout.session.async_payment_failed';
  const known = hasFailed ? 'failed' : SESSION_STATUSES.find((each) => each === status);
  return { ...newsOf([]), session: known && { id, status: known } };
}

/** Returns whether a field contains the object and not only its ID. */
function isExpanded<T extends object>(value: T | string | null | undefined): value is T {
  return typeof value === 'object' && value !== null;
}

/** Writes a single invoice as its ID, and several invoices as `ID:cents`, separated by commas. */
function partsText(parts: Reference['parts']): string {
  return parts.map(({ documentId, amount }) => (amount === null ? documentId : `${documentId}:${amount}`)).join(',');
}

function partsIn(text: string): Reference['parts'] | undefined {
  const parts = text.split(',').map((part) => /^(\d{1,15})(?::(\d{1,15}))?$/.exec(part));
  return parts.every((part) => part !== null)
    ? parts.map(([, id, amount]) => ({ documentId: Number(id), amount: amount === undefined ? null : cents(+amount) }))
    : undefined;
}

function referenceIn(metadata: Stripe.Metadata): Reference | null {
  const idIn = (name: string) => {
    const text = metadata[name] ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  };
  const [companyId, sessionId] = [idIn(NAMES.companyId), idIn(NAMES.sessionId)];
  const parts = partsIn(metadata[NAMES.parts] ?? '');
  if (companyId === undefined || parts === undefined || sessionId === undefined) return null;
  return { companyId, parts, sessionId };
}

function newsOf(drafts: readonly Draft[]): News {
  const isOurs = ({ balance }: Draft) => balance.currency === 'usd';
  return {
    movements: drafts.filter(isOurs).map(({ balance, ...draft }) => ({
      ...draft,
      id: balance.id,
      amount: cents(balance.amount),
      fee: cents(balance.fee),
      at: new Date(balance.created * 1000),
      words: balance.description ?? '',
    })),
    foreign: drafts.filter((each) => !isOurs(each)).map(({ balance: { id, currency } }) => ({ id, currency })),
  };
}

const joined = (all: readonly News[]): News => ({
  movements: all.flatMap(({ movements }) => movements),
  foreign: all.flatMap(({ foreign }) => foreign),
});
