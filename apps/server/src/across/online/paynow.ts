import { Failure, present, refuse } from '@evenkeel/core/failure';
import { posts } from '@evenkeel/core/documents/invoice';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type Cents, cents, formatUsd, parseUsd, sum, ZERO } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { documents } from '../../books/documents/settlement.sql.ts';
import { payNowSql } from '../../features/settings/paynow.ts';
import { now } from '../../platform/clock.ts';
import { COMPANY } from '../../platform/db/query.ts';
import type { RowOf } from '../../platform/db/table.ts';
import { inCompany } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { connectionOf, newOnce, providerOf, secretsOf } from './connection.ts';
import { addSession, sessions, type SessionRow, sessionsOfCustomer } from './online.sql.ts';
import { MOST_PARTS } from './provider.ts';

/** Pay Now on an invoice's private page and in the customer portal. */

/** Stripe's minimum charge. */
const LEAST: Cents = cents(50);

/** A payment page is open for an hour. During the page's last minutes, the button opens a new page. */
const OPEN_MINUTES = 60;
const LAST_MINUTES = 10;

/** The message and the amounts on a private page. */
export interface PayNow {
  /** The result of the payment that the customer returns from. */
  told?: { words: string; isGood: boolean } | undefined;
  /** The amounts that the customer can pay. Undefined if nothing can be paid online. */
  offer?: { most: Cents; least: Cents | null } | undefined;
}

/** The page's address can contain the payment that the customer returns from, or state that the customer canceled. */
export interface Returned {
  payment?: string | undefined;
  canceled?: string | undefined;
}

type Payable = Pick<Ctx, 'tx'> & { documentId: number };

/** Returns the message and the amounts for an invoice's page. */
export async function payNowOn({ tx, documentId }: Payable, returned: Returned): Promise<PayNow> {
  const [rules, document, own] = await Promise.all([
    tx.row(payNowSql()),
    tx.row(documents.find({ id: documentId, kind: documentKinds.invoice.source, deleted: false })),
    tx.rows(sessions.find({ documentId, status: ['open', 'complete', 'failed', 'paid'] })),
  ]);
  if (document === undefined) return {};
  const back = own.find(({ id }) => String(id) === returned.payment);
  const isBack = back?.status === 'open';
  // A payment that is already on its way is not requested again. The customer has just paid on an open page, and the
  // event will arrive soon.
  const coming = sum(own.filter((each) => each.status === 'complete' || each === back).flatMap(onItsWay));
  const most = cents(document.openAmount - coming);
  const isPayable = rules !== undefined && posts(document.status) && most >= LEAST && !isBack;
  return {
    told: back === undefined ? toldOf(coming, returned) : { ...toldBack(back) },
    ...(isPayable ? { offer: { most, least: leastOf(rules.leastPart, most) } } : {}),
  };
}

const onItsWay = ({ status, amount }: SessionRow): Cents[] =>
  status === 'open' || status === 'complete' ? [amount] : [];

/** The minimum amount, or null if only the whole amount can be paid. */
const leastOf = (leastPart: Cents | null, most: Cents): Cents | null =>
  leastPart === null || leastPart >= most ? null : leastPart;

function toldOf(coming: Cents, { canceled }: Returned): PayNow['told'] {
  if (coming > 0) return { words: `A payment of ${formatUsd(coming)} is on its way.`, isGood: true };
  return canceled === undefined
    ? undefined
    : { words: "You left the payment page. You haven't been charged.", isGood: false };
}

function toldBack({ status, amount }: SessionRow): { words: string; isGood: boolean } {
  const usd = formatUsd(amount);
  if (status === 'paid') return { words: `Thank you. Your payment of ${usd} has arrived.`, isGood: true };
  if (status === 'failed') return { words: `Your payment of ${usd} failed. You haven't been charged.`, isGood: false };
  return { words: `Thank you. Your payment of ${usd} is on its way.`, isGood: true };
}

interface Paying {
  services: Services;
  companyId: number;
  /** The address of the private page. */
  pageUrl: string;
}

/**
 * The customer's choice: an amount for one invoice, as the customer typed it, or several invoices in the customer
 * portal.
 */
export type Wanted =
  | { documentId: number; typed: string; customerId?: never }
  | { customerId: number; picked: readonly string[] };

/** An invoice with the amount to pay. */
interface Part {
  documentId: number;
  number: string;
  amount: Cents;
  openAmount: Cents;
}

/** A payment page to create or reopen, with the key for the provider. */
interface Prepared {
  session: SessionRow;
  parts: readonly Part[];
  key: string;
}

/**
 * Opens the provider's page for an amount or for several invoices. While the open balances are unchanged, repeated
 * requests open the same page. Throws 422 if the amount can't be paid, and 503 if the provider doesn't respond. `guard`
 * runs first, in the same transaction.
 */
export async function openPaymentPage(
  { services, companyId, pageUrl }: Paying,
  wanted: Wanted,
  guard: (tx: Ctx['tx']) => Promise<void>,
): Promise<string> {
  const { pool } = services;
  const { session, parts, key } = await inCompany(pool, companyId, async (tx) => {
    await guard(tx);
    return prepare({ services, tx, companyId }, wanted);
  });
  if (session.url !== null) return session.url;
  const { id, expiresAt, isBankDebit, key: once } = session;
  const reference = {
    companyId,
    sessionId: id,
    parts: parts.map(({ documentId, amount }) => ({ documentId, amount: parts.length === 1 ? null : amount })),
  };
  const items = parts.map(({ number, amount }) => ({ title: `Invoice ${number}`, amount }));
  const urls = { paidUrl: `${pageUrl}?payment=${id}`, canceledUrl: `${pageUrl}?canceled=1` };
  const started = await providerOf(services)
    .startSession(key, { once, items, isBankDebit, reference, expiresAt, ...urls })
    .catch((error: unknown) => {
      services.log.warn({ err: error, companyId }, 'a payment page could not be opened');
      throw new Failure('unavailable', 'The payment page is not available. Wait a few minutes and try again.');
    });
  await inCompany(pool, companyId, (tx) =>
    tx.rows(sessions.update({ key: once }, { providerId: started.id, url: started.url })),
  );
  return started.url;
}

type Preparing = Pick<Ctx, 'tx' | 'services' | 'companyId'>;

async function prepare({ tx, services, companyId }: Preparing, wanted: Wanted): Promise<Prepared> {
  const parts = await (wanted.customerId === undefined ? onePart(tx, wanted) : pickedParts(tx, wanted));
  const connection = await connectionOf(tx);
  const secrets = secretsOf(services.box, companyId, connection);
  if (secrets === undefined) throw new Failure('unavailable', 'Payments are not available. Contact the sender.');
  const total = sum(parts.map(({ amount }) => amount));
  const isBankDebit = connection.mostByCard !== null && total > connection.mostByCard;
  // A payment page opened in the portal returns to the portal, so it must not be reused for the page of a single
  // invoice, whose link shows less.
  const combination =
    wanted.customerId === undefined
      ? ''
      : parts.map((part) => `${part.documentId}:${part.amount}:${part.openAmount}`).join(',');
  const shared = {
    key: newOnce(),
    expiresAt: new Date(now().getTime() + OPEN_MINUTES * 60_000),
    combination,
    isBankDebit,
  };
  const documentIds = parts.map(({ documentId }) => documentId);
  const isOld = sql`and expires_at < now() + make_interval(mins => ${LAST_MINUTES})`;
  const amounts = parts.map(({ documentId, amount, openAmount }) => ({ documentId, amount, openAmount }));
  const [one] = amounts;
  const about = combination === '' ? { ...one, combination } : { documentId: documentIds, combination };
  await tx.inOrder([
    sql`
      update online_session set status = 'expired'
      where company_id = ${COMPANY} and document_id = any(${documentIds}::bigint[]) and status = 'open' ${isOld}`,
    ...amounts.map((each) => addSession({ ...each, ...shared })),
  ]);
  const found = await tx.rows(sessions.find({ ...about, status: 'open' }, { orderBy: sql`id` }));
  return { session: present(found[0], 'payment page'), parts, key: secrets.key };
}

async function onePart(tx: Ctx['tx'], wanted: { documentId: number; typed: string }): Promise<Part[]> {
  const { documentId, typed } = wanted;
  const [{ offer }, document] = await Promise.all([
    payNowOn({ tx, documentId }, {}),
    tx.row(documents.find({ id: documentId })),
  ]);
  if (offer === undefined || document === undefined) throw refuse('This invoice has no amount that can be paid online');
  const { number, openAmount } = document;
  return [{ documentId, number, amount: amountOf(typed, offer), openAmount }];
}

/** The amount that a customer can pay in the portal for each invoice, and the result of the last payment. */
export interface PortalPay extends Pick<PayNow, 'told'> {
  offers: ReadonlyMap<number, Cents>;
}

type OpenInvoice = Pick<RowOf<typeof documents>, 'id' | 'status' | 'openAmount'>;

/** Returns the amounts that a customer can pay in the portal. */
export async function payNowOf(
  tx: Ctx['tx'],
  customerId: number,
  { invoices, returned = {} }: { invoices: readonly OpenInvoice[]; returned?: Returned },
): Promise<PortalPay> {
  const sessionId = /^\d{1,15}$/.test(returned.payment ?? '') ? Number(returned.payment) : 0;
  const documentIds = invoices.map(({ id }) => id);
  const [rules, own] = await Promise.all([
    tx.row(payNowSql()),
    tx.rows(sessionsOfCustomer(customerId, { documentIds, sessionId })),
  ]);
  const lead = own.find(({ id }) => id === sessionId);
  const back = own.filter(({ key }) => key === lead?.key);
  const coming = own.filter((each) => each.status === 'complete' || back.includes(each));
  const offers = invoices.flatMap(({ id, status, openAmount }) => {
    const onWay = sum(coming.filter(({ documentId }) => documentId === id).flatMap(onItsWay));
    const most = cents(openAmount - onWay);
    return rules !== undefined && posts(status) && most > 0 ? [[id, most] as const] : [];
  });
  const whole = sum(back.map(({ amount }) => amount));
  return {
    told: lead === undefined ? toldOf(sum(coming.flatMap(onItsWay)), returned) : toldBack({ ...lead, amount: whole }),
    offers: new Map(sum(offers.map(([, most]) => most)) >= LEAST ? offers : []),
  };
}

/** Returns the picked invoices, each as `ID:cents`. Throws 422 if an amount has changed since the page was shown. */
async function pickedParts(tx: Ctx['tx'], { customerId, picked }: Extract<Wanted, { picked: readonly string[] }>) {
  const ids = [...new Set(picked)].flatMap((text) =>
    /^\d{1,15}:\d{1,15}$/.test(text) ? [Number.parseInt(text, 10)] : [],
  );
  if (ids.length === 0) throw refuse('Select the invoices to pay');
  if (ids.length > MOST_PARTS) throw refuse(`Select at most ${MOST_PARTS} invoices`);
  const kind = documentKinds.invoice.source;
  const invoices = await tx.rows(
    documents.find({ id: ids, entityId: customerId, kind, deleted: false }, { orderBy: sql`id` }),
  );
  const { offers } = await payNowOf(tx, customerId, { invoices });
  const isSame = ids.every((id) => picked.includes(`${id}:${offers.get(id)}`)) && invoices.length === ids.length;
  if (!isSame) throw refuse('The amounts have changed. Check them and try again.');
  const parts = invoices.map(({ id, number, openAmount }): Part => {
    return { documentId: id, number, openAmount, amount: offers.get(id) ?? ZERO };
  });
  if (sum(parts.map(({ amount }) => amount)) < LEAST) throw refuse(`You must pay at least ${formatUsd(LEAST)}`);
  return parts;
}

/** Returns the entered amount. Throws 422 if the amount can't be paid. */
function amountOf(typed: string, { most, least }: NonNullable<PayNow['offer']>): Cents {
  const amount = parseUsd(typed);
  if (amount === undefined) throw refuse('Enter an amount');
  if (amount === most) return amount;
  if (least === null) throw refuse(`You can only pay ${formatUsd(most)}`);
  if (amount < least || amount > most) throw refuse(`Enter an amount from ${formatUsd(least)} to ${formatUsd(most)}`);
  return amount;
}
