import type { IsoDate } from '@evenkeel/core/dates';
import type { Source } from '@evenkeel/core/documents/side';
import type { Cents } from '@evenkeel/core/money';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { PAYMENT_KIND } from './source.sql.ts';

/** The maximum number of days between the dates of possible duplicates. */
const DAYS_APART = 3;

/** The maximum number of duplicates that are returned. */
const AT_MOST = 10;

export interface Duplicate {
  /** The description in the ledger, such as "Invoice 10001". */
  description: string;
  date: IsoDate;
  name: string;
  amount: Cents;
}

/**
 * Selects posted documents and payments that may be duplicates of the given ones: they have the same kind, customer or
 * vendor, and amount, and their dates are at most 3 days apart. The given records aren't reported as duplicates of each
 * other.
 */
export function duplicatesOf(sources: readonly Source[]): Runnable<Duplicate> {
  const types = sources.map(({ type }) => type);
  const ids = sources.map(({ id }) => id);
  const days = (date: RawBuilder<unknown>) =>
    sql`${date} - ${DAYS_APART}::int as first, ${date} + ${DAYS_APART}::int as last`;
  // The days are computed first, because row-level security only allows simple comparisons as index conditions.
  return sql<Duplicate>`
    with given as (select * from unnest(${types}::text[], ${ids}::bigint[]) as g (type, id)),
    made as materialized (
      select g.type, d.side, d.entity_id, d.total_cents as amount, ${days(sql`d.document_date`)}
      from given g
      join document d on d.company_id = ${COMPANY} and d.id = g.id and d.kind = g.type
    ),
    paid as materialized (
      select g.type, p.side, p.entity_id, p.amount_cents as amount, ${days(sql`p.payment_date`)}
      from given g
      join payment p on p.company_id = ${COMPANY} and p.id = g.id and g.type = ${PAYMENT_KIND}
    ),
    alike as (
      select m.type, o.id, o.document_date as date, o.entity_id, o.total_cents as amount
      from made m
      join document o on o.company_id = ${COMPANY} and o.entity_id = m.entity_id and o.kind = m.type
        and o.total_cents = m.amount and o.is_posted and not o.deleted and o.document_date between m.first and m.last
      union
      select m.type, o.id, o.payment_date, o.entity_id, o.amount_cents
      from paid m
      join payment o on o.company_id = ${COMPANY} and o.entity_id = m.entity_id and o.side = m.side
        and o.amount_cents = m.amount and not o.deleted and o.payment_date between m.first and m.last
    )
    select t.description, a.date, e.displayname as name, a.amount
    from alike a
    join entity e on e.company_id = ${COMPANY} and e.id = a.entity_id
    join lateral (
      select t.description from journal_transaction t
      where t.company_id = ${COMPANY} and t.source_type = a.type and t.source_id = a.id
      order by t.id desc limit 1
    ) t on true
    where a.amount <> 0 and not exists (select from given g where g.type = a.type and g.id = a.id)
    order by a.date, a.id
    limit ${AT_MOST}`;
}
