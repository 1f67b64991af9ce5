import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * A fake Stripe for tests. It keeps balance transactions as Stripe documents them, serves the calls that Evenkeel
 * makes, and signs events. Amounts are in cents.
 */

type Json = Record<string, unknown>;

export interface FakeObject extends Json {
  id: string;
  object: string;
}

export interface FakeEvent extends FakeObject {
  type: string;
  created: number;
  data: { object: FakeObject };
}

interface Balance extends FakeObject {
  amount: number;
  fee: number;
  net: number;
  payout: string | null;
}

/** A request that the fake has handled. */
export interface Asked {
  method: string;
  path: string;
  key: string;
  once: string | undefined;
}

export interface FakeStripe {
  url: string;
  key: string;
  /** The requests that the fake has handled so far. */
  asked: Asked[];
  /** All events so far, with the oldest event first. */
  events: FakeEvent[];
  /** The charges, fees, refunds, and payouts so far, in cents. All amounts are positive. */
  totals: { charges: number; fees: number; refunds: number; disputes: number; payouts: number };
  /** Clears the events, and excludes earlier balance transactions from future payouts. */
  reset(): void;
  /** The permissions that the key lacks, as the names of resources, such as `payouts`. */
  denied: Set<string>;
  /** Whether calls fail with 500. */
  isDown: boolean;
  /** Pays on a payment page. With `delay`, the balance transaction exists only after `settle`. */
  pay(sessionId: string, how?: { at?: Date; delay?: boolean }): FakeObject;
  settle(charge: FakeObject): void;
  /** Charges a customer without a payment page. */
  charge(amount: number, how?: { metadata?: Record<string, string>; at?: Date; currency?: string }): FakeObject;
  refund(charge: FakeObject, amount: number): FakeObject;
  failRefund(refund: FakeObject): void;
  dispute(charge: FakeObject): FakeObject;
  closeDispute(dispute: FakeObject, isWon: boolean): void;
  /** Charges one of Stripe's own fees, which no event reports. */
  ownFee(amount: number): void;
  /** Pays out everything that has not been paid out yet. Returns undefined if the balance is not positive. */
  payOut(at?: Date): FakeObject | undefined;
  failPayout(payout: FakeObject): void;
  /** Returns a payment page as it was created. */
  session(sessionId: string): FakeObject;
  /** Expires an open payment page. */
  expire(sessionId: string): void;
  /** Makes the bank debit of a completed payment page fail. */
  failDebit(sessionId: string): void;
  /** Counts the objects of a kind. */
  count(object: string): number;
  sign(event: FakeEvent, secret: string, at?: number): { body: string; signature: string };
  close(): Promise<void>;
}

/** The resource names in URLs, each with the kind of its objects. */
const KINDS: Readonly<Record<string, string>> = {
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  payouts: 'payout',
  balance_transactions: 'balance_transaction',
  'checkout/sessions': 'checkout.session',
};

const seconds = (at: Date = new Date()): number => Math.floor(at.getTime() / 1000);

/** Returns the signature that Stripe sends in `Stripe-Signature`. */
export function stripeSignature(body: string, secret: string, at: number): string {
  const digest = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${digest}`;
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const objects = new Map<string, FakeObject>();
  const balances: Balance[] = [];
  const events: FakeEvent[] = [];
  const totals = { charges: 0, fees: 0, refunds: 0, disputes: 0, payouts: 0 };
  const answers = new Map<string, { params: string; body: FakeObject }>();
  const asked: Asked[] = [];
  let count = 0;
  const idOf = (prefix: string) =>
    `${prefix}_${String((count += 1)).padStart(6, '0')}${randomBytes(5).toString('hex')}`;
  const keep = <T extends FakeObject>(object: T): T => {
    objects.set(object.id, object);
    return object;
  };
  const tell = (type: string, object: FakeObject) => {
    events.push({
      id: idOf('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: seconds(),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    });
  };
  const balance = (type: string, amount: number, fee: number, source: string, more: Json = {}): Balance => {
    const own = keep({
      id: idOf('txn'),
      object: 'balance_transaction',
      amount,
      fee,
      net: amount - fee,
      available_on: seconds(),
      created: seconds(),
      currency: 'usd',
      description: null,
      exchange_rate: null,
      fee_details: [],
      reporting_category: type,
      source,
      status: 'available',
      type,
      payout: null,
      ...more,
    });
    balances.push(own);
    return own;
  };
  /** The fee: 2.9% plus 30 cents, rounded to whole cents. */
  const feeOn = (amount: number) => Math.round(amount * 0.029) + 30;

  const settle = (charge: FakeObject): void => {
    const amount = Number(charge['amount']);
    const fee = feeOn(amount);
    const currency = String(charge['currency']);
    const own = balance('charge', amount, fee, charge.id, { created: charge['created'], currency });
    charge['balance_transaction'] = own.id;
    if (currency === 'usd') {
      totals.charges += amount;
      totals.fees += fee;
    }
  };

  const charge: FakeStripe['charge'] = (amount, { metadata = {}, at, currency = 'usd' } = {}) => {
    const own = keep({
      id: idOf('ch'),
      object: 'charge',
      amount,
      amount_captured: amount,
      amount_refunded: 0,
      balance_transaction: null,
      failure_balance_transaction: null,
      captured: true,
      created: seconds(at),
      currency,
      disputed: false,
      livemode: false,
      metadata,
      paid: true,
      payment_intent: idOf('pi'),
      refunded: false,
      status: 'succeeded',
    });
    settle(own);
    tell('charge.succeeded', own);
    return own;
  };

  const pay: FakeStripe['pay'] = (sessionId, { at, delay = false } = {}) => {
    const session = known(objects, sessionId);
    const intent = session['payment_intent_data'] as { metadata: Record<string, string> };
    const amount = Number(session['amount_total']);
    const intentId = idOf('pi');
    const own = keep({
      id: idOf('ch'),
      object: 'charge',
      amount,
      amount_refunded: 0,
      balance_transaction: null,
      failure_balance_transaction: null,
      created: seconds(at),
      currency: 'usd',
      livemode: false,
      metadata: intent.metadata,
      paid: true,
      payment_intent: intentId,
      status: 'succeeded',
    });
    if (!delay) settle(own);
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null });
    tell('charge.succeeded', own);
    tell('payment_intent.succeeded', keep({ id: intentId, object: 'payment_intent' }));
    tell('checkout.session.completed', session);
    return own;
  };

  const refund: FakeStripe['refund'] = (of, amount) => {
    const own = keep({
      id: idOf('re'),
      object: 'refund',
      amount,
      balance_transaction: null,
      charge: of.id,
      created: seconds(),
      currency: 'usd',
      metadata: {},
      payment_intent: of['payment_intent'],
      status: 'succeeded',
    } as FakeObject);
    own['balance_transaction'] = balance('refund', -amount, 0, own.id).id;
    totals.refunds += amount;
    of['amount_refunded'] = Number(of['amount_refunded']) + amount;
    tell('charge.refunded', of);
    tell('refund.created', own);
    tell('charge.refund.updated', own);
    return own;
  };

  const failRefund: FakeStripe['failRefund'] = (own) => {
    const amount = Number(own['amount']);
    own['failure_balance_transaction'] = balance('refund_failure', amount, 0, own.id).id;
    own['status'] = 'failed';
    totals.refunds -= amount;
    tell('refund.failed', own);
  };

  const dispute: FakeStripe['dispute'] = (of) => {
    const amount = Number(of['amount']);
    const own = keep({
      id: idOf('dp'),
      object: 'dispute',
      amount,
      balance_transactions: [],
      charge: of.id,
      created: seconds(),
      currency: 'usd',
      livemode: false,
      metadata: {},
      payment_intent: of['payment_intent'],
      reason: 'general',
      status: 'needs_response',
    } as FakeObject);
    const taken = balance('adjustment', -amount, 1500, own.id);
    own['balance_transactions'] = [taken];
    totals.disputes += amount;
    totals.fees += 1500;
    tell('charge.dispute.created', own);
    tell('charge.dispute.funds_withdrawn', own);
    return own;
  };

  const closeDispute: FakeStripe['closeDispute'] = (own, isWon) => {
    own['status'] = isWon ? 'won' : 'lost';
    const amount = Number(own['amount']);
    if (isWon) {
      const back = balance('adjustment', amount, -1500, own.id);
      own['balance_transactions'] = [...(own['balance_transactions'] as Balance[]), back];
      totals.disputes -= amount;
      totals.fees -= 1500;
      tell('charge.dispute.funds_reinstated', own);
    }
    tell('charge.dispute.closed', own);
  };

  const payOut: FakeStripe['payOut'] = (at) => {
    const free = balances.filter((each) => each.payout === null && each['currency'] === 'usd');
    const amount = free.reduce((total, { net }) => total + net, 0);
    if (amount <= 0) return undefined;
    const own = keep({
      id: idOf('po'),
      object: 'payout',
      amount,
      arrival_date: seconds(at),
      automatic: true,
      balance_transaction: null,
      created: seconds(at),
      currency: 'usd',
      failure_balance_transaction: null,
      livemode: false,
      metadata: {},
      method: 'standard',
      reconciliation_status: 'in_progress',
      status: 'paid',
      type: 'bank_account',
    } as FakeObject);
    const moved = balance('payout', -amount, 0, own.id);
    own['balance_transaction'] = moved.id;
    for (const each of [...free, moved]) each.payout = own.id;
    totals.payouts += amount;
    tell('payout.created', own);
    tell('payout.paid', own);
    own['reconciliation_status'] = 'completed';
    tell('payout.reconciliation_completed', own);
    return own;
  };

  const failPayout: FakeStripe['failPayout'] = (own) => {
    const amount = Number(own['amount']);
    own['failure_balance_transaction'] = balance('payout_failure', amount, 0, own.id).id;
    own['status'] = 'failed';
    totals.payouts -= amount;
    tell('payout.failed', own);
  };

  const fake: Omit<FakeStripe, 'url' | 'close'> = {
    key: `rk_test_${randomBytes(12).toString('hex')}`,
    asked,
    events,
    totals,
    reset: () => {
      events.length = 0;
      for (const each of balances) each.payout ??= 'before';
    },
    denied: new Set(),
    isDown: false,
    pay,
    settle: (own) => {
      settle(own);
      tell('charge.updated', own);
    },
    charge,
    refund,
    failRefund,
    dispute,
    closeDispute,
    ownFee: (amount) => {
      balance('stripe_fee', -amount, 0, '');
      totals.fees += amount;
    },
    payOut,
    failPayout,
    session: (id) => known(objects, id),
    expire: (id) => {
      const session = known(objects, id);
      Object.assign(session, { status: 'expired', url: null });
      tell('checkout.session.expired', session);
    },
    failDebit: (id) => {
      const session = known(objects, id);
      Object.assign(session, { status: 'complete', payment_status: 'unpaid', url: null });
      tell('checkout.session.completed', session);
      tell('checkout.session.async_payment_failed', session);
    },
    count: (object) => [...objects.values()].filter((each) => each.object === object).length,
    sign: (event, secret, at = seconds()) => {
      const body = JSON.stringify(event);
      return { body, signature: stripeSignature(body, secret, at) };
    },
  };

  const createSession = (params: URLSearchParams): FakeObject => {
    const metadata = (prefix: string) =>
      Object.fromEntries(
        [...params].flatMap(([name, value]) => {
          const found = name.startsWith(`${prefix}[`) ? name.slice(prefix.length + 1, -1) : undefined;
          return found === undefined ? [] : [[found, value]];
        }),
      );
    const id = idOf('cs_test');
    return keep({
      id,
      object: 'checkout.session',
      amount_total: [...params]
        .filter(([name]) => /^line_items\[\d+\]\[price_data\]\[unit_amount\]$/.test(name))
        .reduce((total, [, amount]) => total + Number(amount), 0),
      currency: params.get('line_items[0][price_data][currency]'),
      cancel_url: params.get('cancel_url'),
      success_url: params.get('success_url'),
      created: seconds(),
      expires_at: Number(params.get('expires_at')),
      livemode: false,
      metadata: metadata('metadata'),
      mode: params.get('mode'),
      payment_intent: null,
      payment_method_types: params.getAll('payment_method_types[0]'),
      payment_intent_data: { metadata: metadata('payment_intent_data[metadata]') },
      payment_status: 'unpaid',
      status: 'open',
      url: `https://checkout.stripe.example/c/pay/${id}`,
    });
  };

  /** Another process can pay on a payment page, pay out, and read the events. */
  const helpers: Record<string, (url: URL) => Json> = {
    '/test/pay': (url) => pay(url.searchParams.get('session') ?? ''),
    '/test/payout': () => payOut() ?? {},
    '/test/events': () => ({ events }),
  };

  const answer = async (request: IncomingMessage): Promise<[status: number, body: Json]> => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const helper = helpers[url.pathname];
    if (helper !== undefined) return [200, helper(url)];
    const [, , ...parts] = url.pathname.split('/');
    const key = (request.headers.authorization ?? '').replace('Bearer ', '');
    const once = request.headers['idempotency-key'];
    const onceText = typeof once === 'string' ? once : undefined;
    asked.push({ method: request.method ?? '', path: url.pathname, key, once: onceText });
    const sent = await text(request);
    if (fake.isDown) return [500, { error: { type: 'api_error', message: 'Something went wrong' } }];
    if (key !== fake.key)
      return [401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } }];
    const resource = parts[0] === 'checkout' ? 'checkout/sessions' : (parts[0] ?? '');
    if (fake.denied.has(resource)) {
      return [403, { error: { type: 'invalid_request_error', message: 'The provided key lacks permissions' } }];
    }
    if (request.method === 'POST') {
      const before = onceText === undefined ? undefined : answers.get(onceText);
      if (before !== undefined && before.params !== sent) {
        return [
          400,
          { error: { type: 'idempotency_error', message: 'Keys can only be used with the same parameters' } },
        ];
      }
      const body = before?.body ?? structuredClone(createSession(new URLSearchParams(sent)));
      if (onceText !== undefined) answers.set(onceText, { params: sent, body });
      return [200, body];
    }
    const expands = [...url.searchParams].flatMap(([name, value]) => (name.startsWith('expand') ? [value] : []));
    const id = parts[0] === 'checkout' ? parts[2] : parts[1];
    if (id === undefined) return [200, list(url, resource, expands)];
    const found = objects.get(id);
    // A refund can't be retrieved as if it were a charge.
    if (found === undefined || found.object !== KINDS[resource]) {
      const error = { type: 'invalid_request_error', code: 'resource_missing', message: `No such object: '${id}'` };
      return [404, { error }];
    }
    return [200, expanded(objects, found, expands)];
  };

  /** Lists objects newest first and in pages of `limit`, as Stripe does. */
  const list = (url: URL, resource: string, expands: readonly string[]): Json => {
    const payout = url.searchParams.get('payout');
    const all =
      resource === 'balance_transactions' ? balances.filter((each) => payout === null || each.payout === payout) : [];
    const newest = all.toReversed();
    const after = url.searchParams.get('starting_after');
    const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const limit = Number(url.searchParams.get('limit') ?? '10');
    const own = expands.map((path) => path.replace(/^data\./, ''));
    return {
      object: 'list',
      url: url.pathname,
      has_more: newest.length > from + limit,
      data: newest.slice(from, from + limit).map((each) => expanded(objects, each, own)),
    };
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [status, body] = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': idOf('req') });
    response.end(JSON.stringify(body));
  };
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void respond(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return Object.assign(fake, {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  });
}

function known(objects: ReadonlyMap<string, FakeObject>, id: string): FakeObject {
  const found = objects.get(id);
  if (found === undefined) throw new Error(`the fake has no ${id}`);
  return found;
}

/** Returns a copy of an object with the IDs at these paths replaced by the objects that they identify. */
function expanded(objects: ReadonlyMap<string, FakeObject>, object: FakeObject, paths: readonly string[]): Json {
  const copy: Json = structuredClone(object);
  for (const path of paths) {
    let at: Json | undefined = copy;
    for (const name of path.split('.')) {
      const value: unknown = at?.[name];
      const full = typeof value === 'string' ? objects.get(value) : undefined;
      if (at !== undefined && full !== undefined) at[name] = structuredClone(full);
      const next: unknown = at?.[name];
      at = typeof next === 'object' && next !== null ? (next as Json) : undefined;
    }
  }
  return copy;
}
