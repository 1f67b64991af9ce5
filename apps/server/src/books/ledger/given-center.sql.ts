import { type RawBuilder, sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';

/** The profit center of a product or discount, for new lines; none once it is removed. */
export function givenCenter(item: 'p' | 'd' | 'product'): RawBuilder<number | null> {
  return sql`(select g.id from profit_center g
    where g.company_id = ${COMPANY} and g.id = ${sql.ref(`${item}.profit_center_id`)} and g.active)`;
}
