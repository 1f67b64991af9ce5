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

/** The profit center that a report is filtered by; also one that is no longer active. */
export function profitCenterSql(companyId: number, id: number): Runnable<DimensionFilter> {
  return sql`select id, name from profit_center where company_id = ${companyId} and id = ${id}`;
}

/** The location that a report is filtered by; also one that is no longer active. */
export function locationSql(companyId: number, id: number): Runnable<DimensionFilter> {
  return sql`select id, name from location where company_id = ${companyId} and id = ${id}`;
}
