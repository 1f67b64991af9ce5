import { LAST_DAY } from '@evenkeel/core/dates';
import { type OnlineClearing, type onlineCalls, OnlineReview, REVIEW_REASONS } from '@evenkeel/contract/online';
import { notFound, present } from '@evenkeel/core/failure';
import { type Cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { fault } from '../../books/documents/verify.ts';
import { type FaultRow, MOST_FAULTS } from '../../books/documents/verify.sql.ts';
import { bankingAccountsSql } from '../../features/banking/accounts.sql.ts';
import { onlineTroublesSql, troubleView } from '../../books/online-troubles.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Input } from '../../platform/http/route.ts';
import {
  connections,
  movementFaultsSql,
  openReviewsSql,
  type ReviewRow,
  reviews,
  type SumRow,
  sumsSql,
} from './online.sql.ts';

/** The clearing account: charges less fees, refunds, disputes, and payouts. */

export async function onlineClearing({ tx }: Ctx): Promise<OnlineClearing> {
  const [row, open, found] = await Promise.all([
    tx.row(connections.find({})),
    tx.rows(openReviewsSql()),
    tx.rows(onlineTroublesSql()),
  ]);
  const shown = { reviews: open.map(reviewView), troubles: found.map(troubleView) };
  if (row === undefined) return { account: null, sums: [], expected: ZERO, balance: ZERO, ...shown };
  const { clearingBankId: id } = row;
  const [rows, bank] = await Promise.all([
    tx.rows(sumsSql(id)),
    // Payouts can be dated later than today, and so can payments that were made in a closed month.
    tx.row(bankingAccountsSql(LAST_DAY, { id })),
  ]);
  const { name, glAccountID: accountId, balance } = present(bank, 'clearing account');
  const sums = sumsOf(rows);
  return {
    account: { bankAccountId: id, accountId, name },
    sums,
    expected: sum(sums.map(({ amount }) => amount)),
    balance,
    ...shown,
  };
}

function sumsOf(rows: readonly SumRow[]): OnlineClearing['sums'] {
  const of = (kind: SumRow['kind']): Cents => rows.find((each) => each.kind === kind)?.amount ?? ZERO;
  return [
    { name: 'charges', amount: of('charge') },
    { name: 'fees', amount: sum([of('fee'), ...rows.map(({ fee }) => negate(fee))]) },
    { name: 'refunds', amount: of('refund') },
    { name: 'disputes', amount: of('dispute') },
    { name: 'payouts', amount: of('payout') },
    { name: 'other', amount: of('other') },
  ];
}

function reviewView({ documentId, documentNumber, createdAt, ...row }: ReviewRow): OnlineClearing['reviews'][number] {
  return {
    ...row,
    reason: REVIEW_REASONS.find((each) => each === row.reason) ?? 'other',
    invoiceId: documentId,
    invoiceNumber: documentNumber,
    createdAt: createdAt.toISOString(),
  };
}

const subject: Subject<typeof OnlineReview> = { name: 'online review', schema: OnlineReview, idOf: ({ id }) => id };

/** Marks a review as done. Throws 404 if it does not exist. */
export async function finishReview(ctx: Ctx, { params }: Input<typeof onlineCalls.finishOnlineReview>) {
  const { tx, userId } = ctx;
  const { id } = params;
  const [[found], [open]] = await tx.inOrder([reviews.find({ id }, { lock: 'for update' }), openReviewsSql(id)]);
  if (found === undefined) throw notFound('Review');
  if (open !== undefined) {
    const write = reviews.update({ id }, { doneAt: sql`now()`, doneBy: userId });
    record(ctx, subject, { action: 'delete', before: reviewView(open), write });
  }
  return { ok: true as const };
}

/** Finds provider movements that don't equal the sum of their payments, transfers, and entries. */
export async function onlineFaults(tx: Tx): Promise<FaultRow[]> {
  return (await tx.rows(movementFaultsSql(MOST_FAULTS))).map(({ id, wanted, posted }) =>
    fault(`online payment ${id} posts ${posted} cents to the clearing account instead of ${wanted}`),
  );
}
