import { formatDate, addDays, type IsoDate, laterOf } from '@evenkeel/core/dates';
import { Failure, present } from '@evenkeel/core/failure';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type Cents, cents, minCents, negate, sum, ZERO } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { createWithin } from '../../books/ledger/batch.ts';
import { journalCreation } from '../../books/ledger/journal-posting.ts';
import { bankingAccounts } from '../../features/banking/accounts.sql.ts';
import { createTransfer } from '../../features/banking/transfers.ts';
import { billingPayments } from '../../features/billing/views.ts';
import { todayIn } from '../../platform/clock.ts';
import { inCompany } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { serverActor } from '../../platform/http/session.ts';
import type { ReviewReason } from '@evenkeel/contract/online';
import {
  addReview,
  type ChargedRow,
  chargedSql,
  type ConnectionRow,
  connections,
  datesSql,
  type MovementRow,
  movements,
  paidSession,
  postedSql,
  reviews,
  sessions,
} from './online.sql.ts';
import type { Movement, News, Reference, SessionStatus } from './provider.ts';

/**
 * Posts each change to the company's balance at the provider exactly once, in a separate transaction, and with the
 * commands that people also use: customer payments, refunds, transfers, and journal entries.
 */

/** The movement being posted. */
interface Posting {
  ctx: Ctx;
  connection: ConnectionRow;
  /** The clearing account's GL account. */
  clearingAccountId: number;
  movement: Movement;
  happenedOn: IsoDate;
  /**
   * The day on which the movement is posted: the day when it happened or, if the books are closed through that day, the
   * first open day.
   */
  date: IsoDate;
}

/** The records of a posted movement. */
type Records = Partial<Pick<MovementRow, 'paymentId' | 'transferId' | 'documentId'>> & {
  /** Whether the amount was posted, so that the journal entry has only the fee. */
  isPosted?: boolean;
};

type Way = (posting: Posting) => Promise<Records>;

/**
 * The ways to post each kind of movement, best first. If one way is rejected, the next one is used. The last way always
 * works.
 */
const WAYS: Readonly<Record<Movement['kind'], readonly Way[]>> = {
  charge: [(posting) => receive(posting, true), (posting) => receive(posting, false), hold],
  refund: [giveBack, hold],
  dispute: [dispute],
  fee: [async () => ({})],
  payout: [payOut],
  other: [hold],
};

/** Posts the changes that an event reports. Repeating the call posts nothing. */
export async function postNews(services: Services, companyId: number, news: News): Promise<void> {
  const { pool } = services;
  const { session, lost, foreign } = news;
  const ids = news.movements.map(({ id }) => id);
  const posted = ids.length === 0 ? [] : await inCompany(pool, companyId, (tx) => tx.rows(postedSql(ids)));
  const done = new Set(posted.map(({ id }) => id));
  for (const movement of news.movements) {
    if (!done.has(movement.id)) await postMovement(services, companyId, movement);
  }
  if (session === undefined && lost === undefined && foreign.length === 0) return;
  await inCompany(pool, companyId, async (tx) => {
    if (session !== undefined) {
      const { id: providerId, status } = session;
      tx.atEnd(sessions.update({ providerId, status: BEFORE[status] }, { status }));
    }
    for (const { id } of foreign) tx.atEnd(addReview({ reason: 'foreign', about: id, amount: ZERO }));
    if (lost === undefined) return;
    const charge = await tx.row(chargeSql(lost.chargeId));
    const about = { documentId: charge?.documentId ?? null, paymentId: charge?.paymentId ?? null };
    tx.atEnd(
      addReview({ reason: 'disputeLost', about: lost.disputeId, amount: lost.amount, ...about }),
      finishReview('dispute', lost.disputeId),
    );
  });
}

/**
 * The statuses that a page can change from, by new status. After the payment of a page is posted, the page stays paid.
 */
const BEFORE: Readonly<Record<SessionStatus, readonly string[]>> = {
  complete: ['open', 'expired'],
  failed: ['open', 'expired', 'complete'],
  expired: ['open'],
};

async function postMovement(services: Services, companyId: number, movement: Movement): Promise<void> {
  const ways = WAYS[movement.kind];
  for (const [at, way] of ways.entries()) {
    try {
      await inCompany(services.pool, companyId, async (tx) => {
        // A company's postings run one at a time, so that no other process can post the same movement.
        const connection = present(await tx.row(connections.find({}, { lock: 'for update' })), 'connection');
        if ((await tx.row(movements.find({ id: movement.id }))) !== undefined) return;
        const posting = await postingOf(services, { tx, companyId, connection, movement });
        await write(posting, await way(posting));
      });
      return;
    } catch (error) {
      const isRejected = error instanceof Failure && error.code !== 'unavailable' && error.code !== 'rate_limited';
      if (!isRejected || at === ways.length - 1) throw error;
    }
  }
}

type Found = Pick<Ctx, 'tx' | 'companyId'> & Pick<Posting, 'connection' | 'movement'>;

async function postingOf(services: Services, { tx, companyId, connection, movement }: Found): Promise<Posting> {
  const [{ closingDate, timeZone }, bank] = await Promise.all([
    tx.one(datesSql()),
    tx.row(bankingAccounts.find({ id: connection.clearingBankId })),
  ]);
  const actor = serverActor({ companyId, userId: connection.connectedBy }, todayIn(timeZone), BY);
  const happenedOn = movement.arrivesOn ?? todayIn(timeZone, movement.at);
  return {
    ctx: { ...actor, tx, services },
    connection,
    clearingAccountId: present(bank, 'clearing account').glAccountId,
    movement,
    happenedOn,
    date: closingDate === null || happenedOn > closingDate ? happenedOn : addDays(closingDate, 1),
  };
}

const BY = { kind: 'job', name: 'Stripe' } as const;

/** Posts the fee, and the amount if no document contains it, and stores the movement. */
async function write(posting: Posting, { isPosted = false, ...records }: Records): Promise<void> {
  const { ctx, connection, clearingAccountId: clearing, movement, happenedOn, date } = posting;
  const { id, kind, amount, fee, sourceId, chargeId } = movement;
  const other = kind === 'fee' ? connection.feeAccountId : connection.reviewAccountId;
  const lines = [
    ...(isPosted ? [] : opposite(amount, clearing, other)),
    ...opposite(fee, connection.feeAccountId, clearing),
  ];
  const description = described(posting, isPosted ? `Stripe fee, ${sourceId}` : `${WORDS[kind]}, ${sourceId}`);
  const entry =
    lines.length === 0
      ? undefined
      : await createWithin(ctx, journalCreation, {
          input: {
            postingDate: date,
            generalLedgerEntries: lines.map((line) => ({ ...line, description })),
          },
        });
  ctx.tx.atEnd(
    movements.insert({
      id,
      kind,
      amount,
      fee,
      happenedOn,
      postedOn: date,
      sourceId,
      chargeId,
      clearingBankId: connection.clearingBankId,
      paymentId: records.paymentId ?? null,
      transferId: records.transferId ?? null,
      entryId: entry?.transactionID ?? null,
      documentId: records.documentId ?? null,
    }),
  );
}

const WORDS = {
  charge: 'Stripe payment for review',
  refund: 'Stripe refund for review',
  dispute: 'Disputed Stripe payment',
  fee: 'Stripe fee',
  payout: 'Stripe payout',
  other: 'Stripe balance change',
} as const;

/** Returns lines that debit one account and credit another. A negative amount reverses the sides. */
function opposite(amount: Cents, debited: number, credited: number) {
  if (amount === 0) return [];
  const [to, from] = amount > 0 ? [debited, credited] : [credited, debited];
  const size = cents(Math.abs(amount));
  return [
    { accountID: to, debit: true, amount: size },
    { accountID: from, debit: false, amount: size },
  ];
}

/** Adds the provider's date to the text if the books are closed on that date. */
function described({ happenedOn, date }: Posting, words: string): string {
  return happenedOn === date ? words : `${words} (dated ${formatDate(happenedOn)}, in a closed period)`;
}

function note({ ctx, movement }: Posting, reason: ReviewReason, about: Partial<ReviewAbout> = {}): void {
  const { about: named = movement.id, amount = movement.amount, ...ids } = about;
  ctx.tx.atEnd(addReview({ reason, about: named, amount: cents(Math.abs(amount)), ...ids }));
}

interface ReviewAbout {
  about: string;
  amount: Cents;
  entityId: number;
  documentId: number | null;
  paymentId: number | null;
}

const finishReview = (reason: ReviewReason, about: string) =>
  reviews.update({ reason, about, doneAt: null }, { doneAt: sql`now()` });

/**
 * Posts a charge as one customer payment and applies it to its invoices, up to their open balances. The rest is
 * unapplied, and a person must decide about it.
 */
async function receive(posting: Posting, applies: boolean): Promise<Records> {
  const { ctx, connection, movement, date } = posting;
  const { amount, sourceId } = movement;
  const reference = movement.reference?.companyId === ctx.companyId ? movement.reference : null;
  const { parts = [], sessionId = 0 } = reference ?? {};
  const documentIds = parts.map(({ documentId }) => documentId);
  const invoice = documentKinds.invoice.source;
  const all = reference === null ? [] : await ctx.tx.rows(chargedSql(documentIds, invoice));
  const entityId = all.find(({ id }) => id === documentIds[0])?.entityId ?? all[0]?.entityId;
  // A payment belongs to one customer.
  const charged = all.filter((each) => each.entityId === entityId);
  const [first] = charged;
  if (first === undefined || entityId === undefined || amount <= 0) return hold(posting);
  const shares = applies ? sharesOf({ amount, parts }, charged) : [];
  const { id: paymentId } = await billingPayments.creation.create(ctx, {
    body: {
      id: 0,
      customerId: entityId,
      paymentDate: date,
      paymentAmount: amount,
      paymentTypeId: connection.paymentTypeId,
      paymentRefNo: sourceId,
      paymentDescription: described(posting, descriptionOf(charged)),
      bankAccountId: connection.clearingBankId,
      paymentApplications: shares,
    },
  });
  const rest = cents(amount - sum(shares.map((each) => each.amount)));
  if (rest > 0) {
    const { id: documentId, reason } = unpaidReason({ amount, parts }, { charged, shares });
    note(posting, reason, { amount: rest, entityId, documentId, paymentId });
  }
  ctx.tx.atEnd(paidSession(sessionId, documentIds));
  return { paymentId, documentId: first.id, isPosted: true };
}

const descriptionOf = (charged: readonly ChargedRow[]): string =>
  `Stripe, ${charged.length === 1 ? 'invoice' : 'invoices'} ${charged.map(({ number }) => number).join(', ')}`;

type Charge = Pick<Reference, 'parts'> & { amount: Cents };

const wantedOf = ({ amount, parts }: Charge, id: number): Cents =>
  parts.find(({ documentId }) => documentId === id)?.amount ?? amount;

/** Returns the applications. Each invoice gets its part, but no more than its open balance or the amount paid. */
function sharesOf(charge: Charge, charged: readonly ChargedRow[]): Applied[] {
  let left = charge.amount;
  return charged.flatMap(({ id, open }) => {
    const amount = minCents(left, minCents(open, wantedOf(charge, id)));
    left = cents(left - amount);
    return amount > 0 ? [{ invoiceId: id, amount }] : [];
  });
}

interface Outcome {
  charged: readonly ChargedRow[];
  shares: readonly Applied[];
}

/** Returns the first invoice that got less than its part, and the reason. */
function unpaidReason(charge: Charge, { charged, shares }: Outcome): { id: number | null; reason: ReviewReason } {
  const short = charged.find(({ id }) => {
    const applied = shares.find(({ invoiceId }) => invoiceId === id)?.amount ?? ZERO;
    return applied < wantedOf(charge, id);
  });
  if (short === undefined) return { id: charged[0]?.id ?? null, reason: 'unapplied' };
  const { id, isDeleted, isVoid, open } = short;
  const isPaid = open < wantedOf(charge, id);
  return { id, reason: isDeleted ? 'deleted' : isVoid ? 'voided' : isPaid ? 'paid' : 'unapplied' };
}

const chargeSql = (chargeId: string) => movements.find({ kind: 'charge', sourceId: chargeId });

/**
 * Posts a refund of a charge's payment. If the payment is applied, its last applications are removed first. This
 * reopens those invoices, and a person must decide about them.
 */
async function giveBack(posting: Posting): Promise<Records> {
  const { ctx, connection, movement, date } = posting;
  const { amount, chargeId, sourceId } = movement;
  const charge = chargeId === null ? undefined : await ctx.tx.row(chargeSql(chargeId));
  const { paymentId = null, documentId = null } = charge ?? {};
  if (paymentId === null || amount >= 0) return hold(posting);
  const payment = await billingPayments.get(ctx, { params: { id: paymentId } });
  const { customerId, unappliedAmount, paymentApplications } = payment;
  const lacking = cents(-amount - unappliedAmount);
  if (lacking > 0) {
    const { paymentTypeId, ...body } = payment;
    const kept = without(lacking, paymentApplications);
    await billingPayments.update(ctx, {
      body: { ...body, paymentTypeId: paymentTypeId ?? 0, paymentApplications: kept },
    });
    note(posting, 'reopened', { amount: lacking, entityId: customerId, documentId, paymentId });
  }
  const refund = await billingPayments.creation.create(ctx, {
    body: {
      id: 0,
      customerId,
      paymentDate: laterOf(date, payment.paymentDate),
      paymentAmount: amount,
      paymentTypeId: connection.paymentTypeId,
      paymentRefNo: sourceId,
      paymentDescription: described(posting, `Stripe refund of payment ${payment.paymentNumber}`),
      bankAccountId: connection.clearingBankId,
      paymentApplications: [],
      paymentRefunds: [{ paymentId, amount: negate(amount) }],
    },
  });
  return { paymentId: refund.id, documentId, isPosted: true };
}

interface Applied {
  invoiceId: number;
  amount: Cents;
}

/** Returns the applications reduced by an amount, starting with the last ones. */
function without<A extends Applied>(amount: Cents, applications: readonly A[]): A[] {
  const kept: A[] = [];
  let left = amount;
  for (const each of applications.toReversed()) {
    const taken = minCents(left, each.amount);
    left = cents(left - taken);
    if (each.amount > taken) kept.unshift({ ...each, amount: cents(each.amount - taken) });
  }
  return kept;
}

/** Leaves the amount in the review account and asks a person to decide. */
async function hold(posting: Posting): Promise<Records> {
  const { kind, amount, chargeId } = posting.movement;
  const charge = chargeId === null ? undefined : await posting.ctx.tx.row(chargeSql(chargeId));
  const reason = kind === 'charge' ? 'unknown' : kind !== 'refund' ? 'other' : amount < 0 ? 'refund' : 'refundFailed';
  note(posting, reason, { documentId: charge?.documentId ?? null, paymentId: charge?.paymentId ?? null });
  return { documentId: charge?.documentId ?? null };
}

/** Moves a disputed amount to the review account, or moves it back when the dispute is won. */
async function dispute(posting: Posting): Promise<Records> {
  const { ctx, movement } = posting;
  const { amount, sourceId, chargeId } = movement;
  const charge = chargeId === null ? undefined : await ctx.tx.row(chargeSql(chargeId));
  const { documentId = null, paymentId = null } = charge ?? {};
  if (amount < 0) note(posting, 'dispute', { about: sourceId, documentId, paymentId });
  // The money is moved back only after the dispute has moved it out, regardless of which event is handled first.
  const all = await ctx.tx.rows(movements.find({ kind: 'dispute', sourceId }));
  if (sum([amount, ...all.map((each) => each.amount)]) === 0) ctx.tx.atEnd(finishReview('dispute', sourceId));
  return { documentId };
}

/**
 * Posts a payout as a transfer to the bank. A failed payout, or a debit from the bank, is posted as a transfer in the
 * other direction.
 */
async function payOut(posting: Posting): Promise<Records> {
  const { ctx, connection, movement, date } = posting;
  const { amount, sourceId } = movement;
  if (amount === 0) return {};
  const { clearingBankId, payoutBankId } = connection;
  const [from, to] = amount < 0 ? [clearingBankId, payoutBankId] : [payoutBankId, clearingBankId];
  const transfer = await createTransfer(ctx, {
    transferDate: date,
    fromBankAccountId: from,
    toBankAccountId: to,
    amount: cents(Math.abs(amount)),
    referenceNumber: sourceId,
    memo: described(posting, 'Stripe payout'),
  });
  return { transferId: transfer.id, isPosted: true };
}
