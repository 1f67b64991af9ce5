import type { IsoDate } from '@evenkeel/core/dates';
import type { DimensionFilter } from '@evenkeel/core/reports/report';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { totalsOf, withLines } from '../../books/ledger/balances.sql.ts';

/** An account in reports. Inactive accounts are included, because every balance must be shown. */
export interface BooksAccount {
  id: number;
  number: string;
  name: string;
  type: string;
  contra: boolean;
  category: string;
}

export function booksAccountsSql(): Runnable<BooksAccount> {
  return sql<BooksAccount>`
    select a.id, a.account_number as number, a.account_name as name, a.account_type as type, a.contra,
      c.category_name as category
    from account a
    join account_category c on c.company_id = ${COMPANY} and c.id = a.category_id
    where a.company_id = ${COMPANY}`;
}

export function companyNameSql(): Runnable<{ name: string }> {
  return sql`select displayname as name from company where company_id = ${COMPANY}`;
}

export type Dimension = 'profit_center' | 'location';

/** Returns the profit center or location in a report filter, active or inactive. */
export function dimensionSql(table: Dimension, id: number): Runnable<DimensionFilter> {
  return sql`select id, name from ${sql.table(table)} where company_id = ${COMPANY} and id = ${id}`;
}

/** Returns the profit centers or locations on any line in a range, by name. */
export function usedDimensionsSql(table: Dimension, range: { from: IsoDate; to: IsoDate }): Runnable<DimensionFilter> {
  const column = sql.ref(`${table}_id`);
  return sql`
    select d.id, d.name from ${sql.table(table)} d
    where d.company_id = ${COMPANY} and d.id in (
      select ${column} from (${totalsOf(range)}) total group by 1 ${withLines})
    order by lower(d.name), d.id`;
}

/** Returns the name of the customer on a statement. */
export function customerNameSql(id: number): Runnable<{ name: string }> {
  return sql`select displayname as name from entity where company_id = ${COMPANY} and id = ${id} and kind = 0`;
}
