import { Failure, present, refuse } from '@evenkeel/core/failure';
import { posts } from '@evenkeel/core/documents/invoice';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type Cents, cents, formatUsd, parseUsd, sum } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { documents } from '../../books/documents/settlement.sql.ts';
import { payNowSql } from '../../features/settings/paynow.ts';
import { now } from '../../platform/clock.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { inCompany } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { connectionOf, newOnce, providerOf, secretsOf } from './connection.ts';
import { addSession, sessions, type SessionRow } from './online.sql.ts';

/** Pay Now on an invoice's private page. */

/** Stripe's minimum charge. */
const LEAST: Cents = cents(50);

/** A payment page is open for an hour. During the page's last minutes, the button opens a new one. */
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
  // Doesn't ask for a payment that is already on its way. The customer has just paid on an open page, and the event
  // arrives soon.
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
  documentId: number;
  /** The address of the private page. */
  pageUrl: string;
}

/** A payment page to create or reopen, with the key for the provider. */
interface Prepared {
  session: SessionRow;
  key: string;
  title: string;
}

/**
 * Opens the provider's page for an amount, as the customer entered it. While the invoice's open balance is unchanged,
 * repeated requests open the same page. Throws 422 if the amount can't be paid, and 503 if the provider doesn't
 * respond. `guard` runs first, in the same transaction.
 */
export async function openPaymentPage(
  { services, companyId, documentId, pageUrl }: Paying,
  typed: string,
  guard: (tx: Ctx['tx']) => Promise<void>,
): Promise<string> {
  const { pool } = services;
  const { session, key, title } = await inCompany(pool, companyId, async (tx) => {
    await guard(tx);
    return prepare({ services, tx, companyId, documentId }, typed);
  });
  if (session.url !== null) return session.url;
  const { id, amount, expiresAt, key: once } = session;
  const reference = { companyId, documentId, sessionId: id };
  const urls = { paidUrl: `${pageUrl}?payment=${id}`, canceledUrl: `${pageUrl}?canceled=1` };
  const wanted = { once, amount, title, reference, expiresAt, ...urls };
  const started = await providerOf(services)
    .startSession(key, wanted)
    .catch((error: unknown) => {
      services.log.warn({ err: error, companyId }, 'a payment page could not be opened');
      throw new Failure('unavailable', 'The payment page is not available. Wait a few minutes and try again.');
    });
  await inCompany(pool, companyId, (tx) =>
    tx.rows(sessions.update({ id }, { providerId: started.id, url: started.url })),
  );
  return started.url;
}

type Preparing = Pick<Ctx, 'tx' | 'services' | 'companyId'> & { documentId: number };

async function prepare({ tx, services, companyId, documentId }: Preparing, typed: string): Promise<Prepared> {
  const [{ offer }, document] = await Promise.all([
    payNowOn({ tx, documentId }, {}),
    tx.row(documents.find({ id: documentId })),
  ]);
  if (offer === undefined || document === undefined) throw refuse('This invoice has no amount that can be paid online');
  const amount = amountOf(typed, offer);
  const secrets = secretsOf(services.box, companyId, await connectionOf(tx));
  if (secrets === undefined) throw new Failure('unavailable', 'Payments are not available. Contact the sender.');
  const about = { documentId, amount, openAmount: document.openAmount, status: 'open' };
  const expiresAt = new Date(now().getTime() + OPEN_MINUTES * 60_000);
  const isOld = sql`and expires_at < now() + make_interval(mins => ${LAST_MINUTES})`;
  const [, , found] = await tx.inOrder([
    sql`
      update online_session set status = 'expired'
      where company_id = ${COMPANY} and document_id = ${documentId} and status = 'open' ${isOld}`,
    addSession({ documentId, amount, openAmount: document.openAmount, key: newOnce(), expiresAt }),
    sessions.find(about),
  ]);
  const title = `Invoice ${document.number}`;
  return { session: present(found[0], 'payment page'), key: secrets.key, title };
}

/** Returns the entered amount. Throws 422 if the amount can't be paid. */
function amountOf(typed: string, { most, least }: NonNullable<PayNow['offer']>): Cents {
  const amount = parseUsd(typed);
  if (amount === undefined) throw refuse('Enter an amount');
  if (amount === most) return amount;
  if (least === null) throw refuse(`You can pay ${formatUsd(most)}`);
  if (amount < least || amount > most) throw refuse(`You can pay from ${formatUsd(least)} to ${formatUsd(most)}`);
  return amount;
}
