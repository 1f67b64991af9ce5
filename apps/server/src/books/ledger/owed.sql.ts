import type { Side } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';

/**
 * Returns customer or vendor balances in cents: the open balances of posted documents less unapplied payments. `of`
 * limits the result to one entity or, with `any(…)`, to several.
 */
export function owedSql({ name: side }: Side, of?: RawBuilder<unknown>): RawBuilder<unknown> {
  const one = of === undefined ? sql`` : sql`and entity_id = ${of}`;
  return sql`
    select entity_id, sum(cents)::bigint as balance from (
      select entity_id, open_cents as cents from document
        where company_id = ${COMPANY} and side = ${side} and not deleted and open_cents <> 0
          and is_posted ${one}
      union all
      select entity_id, -unapplied_cents from payment
        where company_id = ${COMPANY} and side = ${side} and not deleted and unapplied_cents > 0 ${one}) x
    group by entity_id`;
}
