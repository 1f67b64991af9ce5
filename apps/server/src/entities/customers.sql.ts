import type { CustomerRow } from '@evenkeel/contract/entities';
import type { Cents } from '@evenkeel/core/money';
import { type RawBuilder, sql } from 'kysely';
import { type Cursor, keyset, likePattern, type PageAsk } from '../db/page.ts';
import type { Runnable } from '../db/query.ts';

/** Statements on customers alone: the list, what each owes, and whether anything refers to one. */

export interface ListedCustomer extends CustomerRow, Cursor {}

const DISPLAY_NAME = sql`lower(e.displayname)`;

/** The column that a list is sorted by; amounts only for those who see them. */
function sortKey(ask: PageAsk, withBalance: boolean): RawBuilder<unknown> {
  const name = ask.sort?.toLowerCase();
  if (name === 'currentbalance' && withBalance) return sql`coalesce(b.balance, 0)`;
  return name === 'emailaddress' ? sql`lower(e.email_address)` : DISPLAY_NAME;
}

function found(companyId: number, { q }: PageAsk): RawBuilder<unknown> {
  const pattern = q === undefined || q.trim() === '' ? undefined : likePattern(q);
  return sql`from entity e where e.company_id = ${companyId} and e.kind = 0 and not e.deleted
    ${pattern === undefined ? sql`` : sql`and (e.displayname ilike ${pattern} or e.email_address ilike ${pattern})`}`;
}

/**
 * What customers owe: unpaid amounts of their invoices in the ledger less the credit left on their payments, cents.
 * `of` narrows it to one customer.
 */
function owedSql(companyId: number, of?: number): RawBuilder<unknown> {
  const one = of === undefined ? sql`` : sql`and customer_id = ${of}`;
  return sql`
    select customer_id, sum(cents)::bigint as balance from (
      select customer_id, open_cents as cents from invoice
        where company_id = ${companyId} and not deleted and open_cents <> 0 and status between 2 and 4 ${one}
      union all
      select customer_id, -unapplied_cents from payment
        where company_id = ${companyId} and not deleted and unapplied_cents > 0 ${one}) x
    group by customer_id`;
}

/** The customers that are asked for, one more than `limit`; balances, and sorting by them, only when wanted. */
export function listSql(companyId: number, ask: PageAsk, withBalance: boolean): Runnable<ListedCustomer> {
  const key = sortKey(ask, withBalance);
  const page = keyset(ask, { key, id: sql`e.id` });
  return sql<ListedCustomer>`
    select e.id, e.displayname, e.email_address as "emailAddress",
      coalesce(e.details ->> 'primaryContactPhone', '') as "primaryContactPhone", ${key} as key
      ${withBalance ? sql`, coalesce(b.balance, 0) as currentbalance` : sql``}
    from (select e.* ${found(companyId, ask)}) e
    ${withBalance ? sql`left join (${owedSql(companyId)}) b on b.customer_id = e.id` : sql``}
    where true ${page.after} ${page.orderBy} ${page.limit}`;
}

export function countSql(companyId: number, ask: PageAsk): Runnable<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total ${found(companyId, ask)}`;
}

export function balanceSql(companyId: number, id: number): Runnable<{ balance: Cents }> {
  return sql<{ balance: Cents }>`select balance from (${owedSql(companyId, id)}) b`;
}

export function historySql(companyId: number, id: number): Runnable<{ used: boolean }> {
  return sql<{ used: boolean }>`
    select exists (select from invoice where company_id = ${companyId} and customer_id = ${id})
      or exists (select from payment where company_id = ${companyId} and customer_id = ${id})
      or exists (select from journal_line where company_id = ${companyId} and entity_id = ${id}) as used`;
}
