import type { PostedAsk } from '@evenkeel/contract/explain';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import type { ledgerCalls } from '@evenkeel/contract/ledger';
import { malformed } from '@evenkeel/contract/sentences';
import { ZERO } from '@evenkeel/core/money';
import { assetsOf } from '../../books/ledger/register.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { selectPeople, selectPosted } from './posted.sql.ts';

/** The maximum number of transactions in a response. */
const MOST = 200;

/**
 * Returns the transactions, newest first, that make up an amount. With `through`, the amount is as it was known at the
 * given time. With `since`, it is the change in the amount since then. Throws 400 unless exactly one of the two is
 * given.
 */
export async function postedItems(ctx: Ctx, asked: PostedAsk): Promise<ReplyOf<typeof ledgerCalls.postedItems>> {
  if ((asked.through === undefined) === (asked.since === undefined)) {
    throw malformed({ since: "Enter either 'through' or 'since'" });
  }
  const { basis, profitCenterId, locationId, entityId, journals, through, since, ofAssets: which, from, to } = asked;
  const lines = {
    basis: basis === 1 ? ('cash' as const) : ('accrual' as const),
    profitCenterId: profitCenterId ?? undefined,
    locationId: locationId ?? undefined,
    through,
    since,
  };
  const ofAssets = await assetsOf(ctx, { which, from: from ?? undefined, to }, lines);
  const scope = { ...lines, entityId, journals, ofAssets };
  const [rows, people] = await Promise.all([
    ctx.tx.rows(selectPosted(asked, scope, MOST)),
    ctx.tx.rows(selectPeople()),
  ]);
  const nameOf = new Map(people.map(({ id, name }) => [id, name]));
  return {
    items: rows.map(({ count: _, total: __, userId, ...item }) => ({ ...item, person: nameOf.get(userId) ?? '' })),
    count: rows[0]?.count ?? 0,
    amount: rows[0]?.total ?? ZERO,
  };
}
