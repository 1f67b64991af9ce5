import { isTrue } from '@evenkeel/contract/endpoint';
import type { EntityChoice, EntityChoices, EntityListQuery, EntityRow } from '@evenkeel/contract/entities';
import { type Cents, cents, negate } from '@evenkeel/core/money';
import { pageOf } from '../../platform/db/page.ts';
import { narrowedTo } from '../../platform/db/search.ts';
import { holds } from '../../platform/http/session.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { selectBeginning, selectChoice, selectContaining } from './choices.sql.ts';
import type { EntityBook } from './entities.ts';
import { countSql, type EntityCount, type ListedEntity, listSql } from './list.sql.ts';

/** Users who can view the area's documents can also view the fields that determine a document's tax and due date. */
const mayViewTerms = (ctx: Ctx, area: EntityBook['area'], documents: EntityBook['documents']): boolean =>
  holds(ctx, `View ${area}`) || holds(ctx, `View ${documents}`);

/**
 * Lists customers or vendors, by default sorted by display name. Returns all of them, or one page if `limit` is given.
 * Can be sorted by displayname, dba, emailAddress, or currentbalance. `inactive` includes inactive customers or
 * vendors. `currentbalance` (open documents less credits) is included only for users who can view the area. The fields
 * that determine tax and due date are also included for users who can view the area's documents.
 */
export async function listEntities(ctx: Ctx, { side, area, documents }: EntityBook, query: EntityListQuery) {
  const withInactive = isTrue(query.inactive);
  // The search entry for a customer or vendor has the same kind. Inactive ones have no search entry.
  const ids = withInactive ? undefined : await narrowedTo(ctx.tx, [side.entityKind], query.q);
  const ask = { ...query, withInactive, ids };
  const withBalance = holds(ctx, `View ${area}`);
  const withTerms = mayViewTerms(ctx, area, documents);
  const wanted = { withTerms, withBalance };
  const [rows, count] = await Promise.all([
    ctx.tx.rows(listSql(side, ask, wanted)),
    ask.limit === undefined ? undefined : ctx.tx.row(countSql(side, ask, { ...wanted, today: ctx.today })),
  ]);
  const mayTie = [documents, 'Reports', 'Accounting'].some((one) => holds(ctx, `View ${one}`));
  const { total, ...sums } = count ?? { total: 0 };
  return pageOf(
    ask,
    { rows, total, sums: sumsOf(sums, mayTie) },
    ({ sortKey: _, ...row }: ListedEntity): EntityRow => row,
  );
}

/**
 * Returns the totals of a list. Without a search, the totals also explain the amount owed today, but only for users who
 * can view that amount elsewhere: currentbalance + inactiveAmount + journalAmount + laterAmount = owedAmount.
 */
function sumsOf(count: Omit<EntityCount, 'total'>, mayTie: boolean): Record<string, Cents> {
  const { currentbalance, inactiveAmount, owed, later } = count;
  if (currentbalance === undefined) return {};
  if (!mayTie || inactiveAmount === undefined || owed === undefined || later === undefined) return { currentbalance };
  return {
    currentbalance,
    inactiveAmount,
    journalAmount: cents(owed + later - currentbalance - inactiveAmount),
    laterAmount: negate(later),
    owedAmount: owed,
  };
}

/** The maximum number of choices in a response. */
const MOST_CHOICES = 50;

/**
 * Returns at most 50 active customers or vendors whose name begins with `q`, followed by others that contain the words
 * of `q`. With `id`, returns only the customer or vendor with that ID, active or inactive.
 */
export async function entityChoices(
  ctx: Ctx,
  { side, area, documents }: EntityBook,
  { q = '', id }: { q?: string | undefined; id?: number | undefined },
): Promise<EntityChoices> {
  const ask = { side, withTerms: mayViewTerms(ctx, area, documents) };
  if (id !== undefined) return { items: await ctx.tx.rows(selectChoice(ask, id)), hasMore: false };
  const text = q.trim();
  const found = await ctx.tx.rows(selectBeginning(ask, text, MOST_CHOICES + 1));
  if (text !== '' && found.length <= MOST_CHOICES) {
    found.push(...(await ctx.tx.rows(selectContaining(ask, text, MOST_CHOICES + 1 - found.length))));
  }
  return { items: found.slice(0, MOST_CHOICES).map(withoutEmpty), hasMore: found.length > MOST_CHOICES };
}

/** Returns a choice, omitting `exemptUntil` if it is empty, because most customers have no certificate. */
function withoutEmpty({ exemptUntil, ...choice }: EntityChoice): EntityChoice {
  return exemptUntil ? { ...choice, exemptUntil } : choice;
}
