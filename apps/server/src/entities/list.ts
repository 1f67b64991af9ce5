import { isTrue } from '@evenkeel/contract/endpoint';
import type { EntityListQuery, EntityRow } from '@evenkeel/contract/entities';
import { pageOf } from '../db/page.ts';
import { holds } from '../http/authorise.ts';
import type { Ctx } from '../http/context.ts';
import type { EntityBook } from './entities.ts';
import { countSql, type ListedEntity, listSql } from './list.sql.ts';

/**
 * Customers or vendors by display name, bare or a page (wire.md "Lists"); sort is displayname, dba, emailAddress or
 * currentbalance; `inactive` adds those that were deactivated. `currentbalance` (unpaid documents less credit) only for
 * those who may view the area; what decides tax and due date also for those who may view its documents.
 */
export async function listEntities(ctx: Ctx, { side, area, documents }: EntityBook, query: EntityListQuery) {
  const ask = { ...query, withInactive: isTrue(query.inactive) };
  const withBalance = holds(ctx.user, `View ${area}`);
  const withTerms = withBalance || holds(ctx.user, `View ${documents}`);
  const wanted = { withTerms, withBalance };
  const [rows, count] = await Promise.all([
    ctx.tx.rows(listSql(side, ask, wanted)),
    ask.limit === undefined ? undefined : ctx.tx.row(countSql(side, ask, wanted)),
  ]);
  const { total, ...sums } = count ?? { total: 0 };
  return pageOf(ask, { rows, total, sums }, ({ sortKey: _, ...row }: ListedEntity): EntityRow => row);
}
