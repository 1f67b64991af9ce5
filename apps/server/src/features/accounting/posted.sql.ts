import type { PostedAsk, PostedItem } from '@evenkeel/contract/explain';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { inView, ofSome, type Scope } from '../../books/ledger/balances.sql.ts';
import { POSTED_DOCUMENT, POSTED_ENTITY, POSTED_NUMBER } from '../../books/ledger/source.sql.ts';
import { PEOPLE } from '../../platform/db/people.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** A transaction, with the number and the total of all transactions that make up the amount. */
export interface PostedRow extends Omit<PostedItem, 'person'> {
  userId: number;
  count: number;
  total: Cents;
}

/** Selects the newest of the transactions whose lines make up an amount. Transactions that add 0.00 are excluded. */
export function selectPosted(asked: PostedAsk, scope: Scope, limit: number): Runnable<PostedRow> {
  const { accountIds, from, to, earningsBefore } = asked;
  const earned =
    earningsBefore === undefined
      ? sql``
      : sql` or (l.posting_date < ${earningsBefore} and l.account_id = any(array(
          select a.id from account a where a.company_id = ${COMPANY} and a.root in ('Income', 'Expense'))))`;
  return sql<PostedRow>`
    with moved as materialized (
      select l.transaction_id, sum(l.amount_cents)::bigint as amount,
        case when min(l.entity_id) = max(l.entity_id) then min(l.entity_id) end as entity_id
      from journal_line l
      where l.company_id = ${COMPANY} and ${inView(scope, 'l.')}${ofSome(scope)}
        and ((l.account_id = any(${accountIds}::bigint[]) and l.posting_date <= ${to}
          ${from === null ? sql`` : sql`and l.posting_date >= ${from}`})${earned})
      group by l.transaction_id
      having sum(l.amount_cents) <> 0),
    page as materialized (
      select m.*, count(*) over () as count, (sum(m.amount) over ())::bigint as total
      from moved m order by m.transaction_id desc limit ${sql.lit(limit)})
    select t.id as "transactionId", t.source_type as "sourceType", t.source_id as "sourceId",
      coalesce(${POSTED_NUMBER}, t.source_id::text) as number, coalesce(e.displayname, '') as "entityName",
      t.posting_date as "postingDate", t.created_at as at,
      t.created_by as "userId", m.amount, m.count, m.total
    from page m
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = m.transaction_id${POSTED_DOCUMENT}
    left join entity e on e.company_id = ${COMPANY} and e.id = coalesce(m.entity_id, ${POSTED_ENTITY})
    order by t.id desc`;
}

/** Selects the names of the company's users. */
export const selectPeople = () => sql<{ id: number; name: string }>`select u.id, u.name from ${PEOPLE} u`;
