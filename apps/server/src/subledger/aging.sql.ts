import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { Side } from '@evenkeel/core/side';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';

/** What a customer owes or a vendor is owed on a day, by days past due; the row without one is of the journal alone. */
export interface AgedRow {
  entityId: number | null;
  name: string;
  current: Cents;
  thirty: Cents;
  sixty: Cents;
  ninety: Cents;
}

/**
 * Documents of a side dated on or before the day less what was applied by then, by due date; credit not applied by then
 * is negative and current. Journal lines on its control accounts are current too, so that all of it is what these come
 * to (accounting: A11).
 */
export function selectAging(side: Side, asOf: IsoDate): Runnable<AgedRow> {
  return sql<AgedRow>`
    with open as (
      select d.entity_id, ${asOf}::date - coalesce(d.due_date, d.document_date) as late, d.total_cents -
        coalesce((select sum(a.amount_cents) from payment_application a where a.company_id = ${COMPANY}
          and a.document_id = d.id and a.recognition_date <= ${asOf}), 0) as amount
      from document d
      where d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted and d.status between 2 and 4
        and d.document_date <= ${asOf}
      union all
      select p.entity_id, 0, coalesce((select sum(a.amount_cents) from payment_application a
          where a.company_id = ${COMPANY} and a.payment_id = p.id and a.recognition_date <= ${asOf}), 0)
        - p.amount_cents
      from payment p
      where p.company_id = ${COMPANY} and p.side = ${side.name} and not p.deleted and p.payment_date <= ${asOf}
      union all
      select null, 0, l.amount_cents * ${side.sign}
      from journal_line l
      join journal_transaction t on t.company_id = l.company_id and t.id = l.transaction_id
      join account c on c.company_id = l.company_id and c.id = l.account_id
      where l.company_id = ${COMPANY} and l.posting_date <= ${asOf} and l.basis in ('A', 'B')
        and c.account_type = ${side.controlType} and not c.contra and t.source_type = 'journal')
    select o.entity_id as "entityId", coalesce(e.displayname, 'Journal entries') as name,
      coalesce(sum(amount) filter (where late <= 0), 0)::bigint as current,
      coalesce(sum(amount) filter (where late between 1 and 30), 0)::bigint as thirty,
      coalesce(sum(amount) filter (where late between 31 and 60), 0)::bigint as sixty,
      coalesce(sum(amount) filter (where late > 60), 0)::bigint as ninety
    from open o
    left join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
    where o.amount <> 0
    group by o.entity_id, e.displayname
    order by o.entity_id is null, lower(e.displayname), o.entity_id`;
}
