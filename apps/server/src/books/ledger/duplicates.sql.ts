import type { IsoDate } from '@evenkeel/core/dates';
import type { Source } from '@evenkeel/core/documents/side';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { PAYMENT_KIND } from './source.sql.ts';

/** The maximum number of days between the dates of two records that may be the same. */
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
 * Selects posted documents and payments that may be the same as the given ones: of the same kind, customer or vendor,
 * and amount, with dates at most 3 days apart. Records among the given ones aren't duplicates of each other.
 */
export function duplicatesOf(sources: readonly Source[]): Runnable<Duplicate> {
  const types = sources.map(({ type }) => type);
  const ids = sources.map(({ id }) => id);
  const given = sql`unnest(${types}::text[], ${ids}::bigint[])`;
  return sql<Duplicate>`
    with given as (select * from ${given} as g (type, id)),
    alike as (
      select d.kind as type, o.id, o.document_date as date, o.entity_id, o.total_cents as amount
      from given g
      join document d on d.company_id = ${COMPANY} and d.id = g.id and d.kind = g.type
      join document o on o.company_id = ${COMPANY} and o.entity_id = d.entity_id and o.kind = d.kind
        and o.total_cents = d.total_cents and o.is_posted and not o.deleted
        and o.document_date between d.document_date - ${DAYS_APART}::int and d.document_date + ${DAYS_APART}::int
      union
      select g.type, o.id, o.payment_date, o.entity_id, o.amount_cents
      from given g
      join payment p on p.company_id = ${COMPANY} and p.id = g.id and g.type = ${PAYMENT_KIND}
      join payment o on o.company_id = ${COMPANY} and o.entity_id = p.entity_id and o.side = p.side
        and o.amount_cents = p.amount_cents and not o.deleted
        and o.payment_date between p.payment_date - ${DAYS_APART}::int and p.payment_date + ${DAYS_APART}::int
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
