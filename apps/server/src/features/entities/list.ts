import { isTrue } from '@evenkeel/contract/endpoint';
import type { EntityChoices, EntityListQuery, EntityRow } from '@evenkeel/contract/entities';
import { type Cents, cents, negate } from '@evenkeel/core/money';
import { pageOf } from '../../platform/db/page.ts';
import { narrowedTo } from '../../platform/db/search.ts';
import { holds } from '../../platform/http/session.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { selectBeginning, selectChoice, selectContaining } from './choices.sql.ts';
import type { EntityBook } from './entities.ts';
import { countSql, type EntityCount, type ListedEntity, listSql } from './list.sql.ts';

/** Fields that decide the tax and due date of a document are also for those who may view the area's documents. */
const mayViewTerms = (ctx: Ctx, area: EntityBook['area'], documents: EntityBook['documents']): boolean =>
  holds(ctx, `View ${area}`) || holds(ctx, `View ${documents}`);

/**
 * Customers or vendors by display name, bare or a page; sort is displayname, dba, emailAddress or currentbalance;
 * `inactive` adds those that were deactivated. `currentbalance` (unpaid documents less credit) only for those who may
 * view the area; what decides tax and due date also for those who may view its documents.
 */
export async function listEntities(ctx: Ctx, { side, area, documents }: EntityBook, query: EntityListQuery) {
  const withInactive = isTrue(query.inactive);
  // An entry of the search has the kind of its customer or vendor; those that were deactivated have none.
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
 * The sum of a list; of a whole one it leads to what is owed today, for those who may see that elsewhere:
 * currentbalance + inactiveAmount + journalAmount + laterAmount = owedAmount.
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

/** Number of choices in an answer. */
const MOST_CHOICES = 50;

/**
 * At most 50 active customers or vendors whose name begins with `q`, then those that have its words elsewhere; or the
 * one with `id`, deactivated or not.
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
  return { items: found.slice(0, MOST_CHOICES), hasMore: found.length > MOST_CHOICES };
}
