import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { Subject } from '@evenkeel/core/reports/report';
import type { SourceType } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { amountsBetween, inView, ofKnown, type Scope, withoutPairs } from '../../books/ledger/balances.sql.ts';
import { POSTED_DOCUMENT, POSTED_ENTITY, POSTED_NUMBER } from '../../books/ledger/source.sql.ts';

/** The lines in certain accounts, over a range and on one basis, optionally for only one vendor. */
export interface SpentAsk extends Scope {
  accountIds: readonly number[];
  from: IsoDate;
  to: IsoDate;
  only?: Subject | undefined;
}

/** The total of an account category, and the accounts in it that have entries. */
export interface SpentCategory {
  name: string;
  accountIds: number[];
  amount: Cents;
}

/** Returns the totals for accounts by category. */
export function selectSpentByCategory(ask: SpentAsk): Runnable<SpentCategory> {
  return sql<SpentCategory>`
    select c.category_name as name, jsonb_agg(a.id order by a.id) as "accountIds", sum(s.amount)::bigint as amount
    from (${amountsBetween(ask)}) s
    join account a on a.company_id = ${COMPANY} and a.id = s."accountId" and a.id = any(${ask.accountIds})
    join account_category c on c.company_id = ${COMPANY} and c.id = a.category_id
    group by c.id, c.category_name
    having sum(s.amount) <> 0
    order by lower(c.category_name), c.id`;
}

/**
 * Returns lines, each with a vendor ID: the line's own or, if the line has none, the document's. Without a vendor, the
 * ID is 0.
 */
function spent(ask: SpentAsk, but: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  const { only } = ask;
  const subject = only === undefined ? sql`true` : only.by === 'vendor' ? sql`vendor_id = ${only.id}` : sql`false`;
  return sql`
    with spent as materialized (
      select l.id, l.transaction_id, l.line_no, l.posting_date, l.account_id, l.amount_cents, l.description,
        t.source_type, coalesce(${POSTED_NUMBER}, t.source_id::text) as number, coalesce(v.id, 0) as vendor_id,
        coalesce(v.displayname, 'No vendor') as name
      from journal_line l
      join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id${POSTED_DOCUMENT}
      left join entity v
        on v.company_id = ${COMPANY} and v.id = coalesce(l.entity_id, ${POSTED_ENTITY}) and v.kind = 1
      where l.company_id = ${COMPANY} and ${inView(ask, 'l.')} and l.account_id = any(${ask.accountIds})
        and l.posting_date between ${ask.from} and ${ask.to}${ofKnown(ask)}${but}),
    wanted as (select * from spent where ${subject})`;
}

/** The amount spent with a vendor. */
export interface SpentVendor {
  only: Subject;
  name: string;
  amount: Cents;
}

/** Returns the totals for accounts by vendor. */
export function selectSpentByVendor(ask: SpentAsk): Runnable<SpentVendor> {
  return sql<SpentVendor>`
    ${spent(ask)}
    select jsonb_build_object('by', 'vendor', 'id', vendor_id) as only, name, sum(amount_cents)::bigint as amount
    from wanted
    group by vendor_id, name
    having sum(amount_cents) <> 0
    order by vendor_id = 0, lower(name), vendor_id`;
}

/** An expense entry. */
export interface SpentEntry {
  name: string;
  dated: IsoDate;
  sourceType: SourceType;
  number: string;
  accountId: number;
  description: string;
  amount: Cents;
  transactionId: number;
}

/** Returns at most `limit` expense entries, without pairs of entries that reverse each other on the same date. */
export function selectSpent(ask: SpentAsk, limit: number): Runnable<SpentEntry> {
  return sql<SpentEntry>`
    ${spent(ask, withoutPairs(ask))}
    select name, posting_date as dated, source_type as "sourceType",
      number, account_id as "accountId", description,
      amount_cents as amount, transaction_id as "transactionId"
    from wanted
    order by vendor_id = 0, lower(name), vendor_id, posting_date, transaction_id, line_no
    limit ${sql.lit(limit)}`;
}
