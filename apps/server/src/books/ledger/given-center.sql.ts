import { type RawBuilder, sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';

/**
 * Selects the profit center that a product or discount gives to new lines, or null if the profit center is inactive.
 */
export function givenCenter(item: 'p' | 'd' | 'product'): RawBuilder<number | null> {
  return sql`(select g.id from profit_center g
    where g.company_id = ${COMPANY} and g.id = ${sql.ref(`${item}.profit_center_id`)} and g.active)`;
}
