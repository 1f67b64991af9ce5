import type { CreditRow } from '@evenkeel/contract/credits';
import { invoiceBadge } from '@evenkeel/core/documents/invoice';
import { kindOf } from '@evenkeel/core/documents/side';
import { cents, negate, sum } from '@evenkeel/core/money';
import { pageOf } from '../../platform/db/page.ts';
import type { Ctx } from '../../platform/http/context.ts';
import {
  countCredits,
  type CreditFilter,
  type CreditUse,
  type ListedCredit,
  selectAppliedTo,
  selectCreditParts,
  selectCredits,
  selectPaidBack,
  selectUses,
  type Used,
} from './credit-list.sql.ts';

/** The maximum number of documents that are listed for a credit. */
const MOST_USED = 3;

/**
 * Lists credit memos, write-offs, and refunds, each with the documents that the credit was used for. With `limit`,
 * returns one page and, unless there is a search, the number and amount for each filter. Otherwise, returns an array.
 */
export async function listAllCredits(ctx: Ctx, filter: CreditFilter) {
  const isPage = filter.limit !== undefined;
  const isWhole = isPage && (filter.q ?? '').trim() === '';
  const [rows, count, parts] = await Promise.all([
    ctx.tx.rows(selectCredits(filter)),
    isPage ? ctx.tx.row(countCredits(filter)) : undefined,
    isWhole ? ctx.tx.row(selectCreditParts()) : undefined,
  ]);
  const idsOf = (isRefund: boolean) =>
    rows.filter(({ kind }) => (kind === 'refund') === isRefund).map(({ recordId }) => recordId);
  const [uses, appliedTo, paidBack] = await Promise.all([
    ctx.tx.rows(selectUses(idsOf(false))),
    ctx.tx.rows(selectAppliedTo(idsOf(false))),
    ctx.tx.rows(selectPaidBack(idsOf(true))),
  ]);
  const { total, ...sums } = count ?? { total: rows.length };
  return pageOf(filter, { rows, total, sums, ...(parts && { parts }) }, (row) =>
    creditRow(row, row.kind === 'refund' ? { uses: [], used: paidBack } : { uses, used: appliedTo }, ctx),
  );
}

interface Usage {
  uses: readonly CreditUse[];
  used: readonly Used[];
}

function creditRow(row: ListedCredit, { uses, used }: Usage, { today }: Pick<Ctx, 'today'>): CreditRow {
  const { sortKey: _, recordId, status, ...shown } = row;
  const own = used.filter(({ id }) => id === recordId);
  const amountOf = (wanted: boolean) =>
    sum(uses.filter(({ id, isRefund }) => id === recordId && isRefund === wanted).map(({ amount }) => amount));
  return {
    ...shown,
    id: recordId,
    arBillingStatus: status,
    badge: badgeOf(row, today),
    usedFor: own.slice(0, MOST_USED).map(({ kind, number }) => `${kindOf(kind).label.toLowerCase()} ${number}`),
    usedCount: own.length,
    appliedAmount: amountOf(false),
    refundedAmount: amountOf(true),
  };
}

/** Returns the badge of a credit memo. Write-offs and refunds are always posted. */
function badgeOf({ status, amount, remainingAmount }: ListedCredit, today: Ctx['today']): string {
  if (status === null) return 'Posted';
  const [invoiceAmount, openAmount] = [negate(amount), negate(cents(remainingAmount))];
  return invoiceBadge({ status, invoiceAmount, openAmount, dueDate: null, today }).badge;
}
