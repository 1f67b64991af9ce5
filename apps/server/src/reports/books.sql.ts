import type { IsoDate } from '@evenkeel/core/dates';
import type { DimensionFilter } from '@evenkeel/core/reports/report';
import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';

/** An account as reports need it; inactive ones too, because no balance may be dropped. */
export interface BooksAccount {
  id: number;
  number: string;
  name: string;
  type: string;
  contra: boolean;
  category: string;
}

export function booksAccountsSql(companyId: number): Runnable<BooksAccount> {
  return sql<BooksAccount>`
    select a.id, a.account_number as number, a.account_name as name, a.account_type as type, a.contra,
      c.category_name as category
    from account a
    join account_category c on c.company_id = a.company_id and c.id = a.category_id
    where a.company_id = ${companyId}`;
}

export function companyNameSql(companyId: number): Runnable<{ name: string }> {
  return sql`select displayname as name from company where company_id = ${companyId}`;
}

export type Dimension = 'profit_center' | 'location';

/** The profit center or location that a report is filtered by; also one that is no longer active. */
export function dimensionSql(table: Dimension, companyId: number, id: number): Runnable<DimensionFilter> {
  return sql`select id, name from ${sql.table(table)} where company_id = ${companyId} and id = ${id}`;
}

/** Those that any line of a range names, by name. */
export function usedDimensionsSql(
  table: Dimension,
  { companyId, from, to }: { companyId: number; from: IsoDate; to: IsoDate },
): Runnable<DimensionFilter> {
  const column = sql.ref(`${table}_id`);
  return sql`
    select d.id, d.name from ${sql.table(table)} d
    where d.company_id = ${companyId} and exists (
      select from ledger_month m where m.company_id = ${companyId} and m.${column} = d.id
        and m.month between date_trunc('month', ${from}::date) and ${to})
    order by lower(d.name), d.id`;
}

/** A customer that a statement is for. */
export function customerNameSql(companyId: number, id: number): Runnable<{ name: string }> {
  return sql`select displayname as name from entity where company_id = ${companyId} and id = ${id} and kind = 0`;
}
