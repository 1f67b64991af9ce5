import type { PostedAsk } from '@evenkeel/contract/explain';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import type { ledgerCalls } from '@evenkeel/contract/ledger';
import { malformed } from '@evenkeel/contract/sentences';
import { ZERO } from '@evenkeel/core/money';
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
  const [rows, people] = await Promise.all([ctx.tx.rows(selectPosted(asked, MOST)), ctx.tx.rows(selectPeople())]);
  const nameOf = new Map(people.map(({ id, name }) => [id, name]));
  return {
    items: rows.map(({ count: _, total: __, userId, ...item }) => ({ ...item, person: nameOf.get(userId) ?? '' })),
    count: rows[0]?.count ?? 0,
    amount: rows[0]?.total ?? ZERO,
  };
}
