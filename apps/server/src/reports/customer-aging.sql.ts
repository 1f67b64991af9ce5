import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';

/** What a customer owes on a day, by days past due; the row without a customer is what journals say of receivables. */
export interface AgedRow {
  entityId: number | null;
  name: string;
  current: Cents;
  thirty: Cents;
  sixty: Cents;
  ninety: Cents;
}

/**
 * Invoices dated on or before the day less what was applied by then, by due date; credit not applied by then is
 * negative and current. Journal lines on receivables are current too, so that all of it is the control account.
 */
export function customerAgingSql(companyId: number, asOf: IsoDate): Runnable<AgedRow> {
  return sql<AgedRow>`
    with owed as (
      select d.entity_id, ${asOf}::date - coalesce(d.due_date, d.document_date) as late, d.total_cents -
        coalesce((select sum(a.amount_cents) from payment_application a where a.company_id = ${companyId}
          and a.document_id = d.id and a.side = 'receivable' and a.recognition_date <= ${asOf}), 0) as amount
      from document d
      where d.company_id = ${companyId} and d.side = 'receivable' and not d.deleted and d.status between 2 and 4
        and d.document_date <= ${asOf}
      union all
      select p.entity_id, 0, coalesce((select sum(a.amount_cents) from payment_application a
          where a.company_id = ${companyId} and a.payment_id = p.id and a.recognition_date <= ${asOf}), 0)
        - p.amount_cents
      from payment p
      where p.company_id = ${companyId} and p.side = 'receivable' and not p.deleted and p.payment_date <= ${asOf}
      union all
      select null, 0, l.amount_cents
      from journal_line l
      join journal_transaction t on t.company_id = l.company_id and t.id = l.transaction_id
      join account c on c.company_id = l.company_id and c.id = l.account_id
      where l.company_id = ${companyId} and l.posting_date <= ${asOf} and l.basis in ('A', 'B')
        and c.account_type = 'Accounts Receivable' and not c.contra and t.source_type = 'journal')
    select o.entity_id as "entityId", coalesce(e.displayname, 'Journal entries') as name,
      coalesce(sum(amount) filter (where late <= 0), 0)::bigint as current,
      coalesce(sum(amount) filter (where late between 1 and 30), 0)::bigint as thirty,
      coalesce(sum(amount) filter (where late between 31 and 60), 0)::bigint as sixty,
      coalesce(sum(amount) filter (where late > 60), 0)::bigint as ninety
    from owed o
    left join entity e on e.company_id = ${companyId} and e.id = o.entity_id
    where o.amount <> 0
    group by o.entity_id, e.displayname
    order by o.entity_id is null, lower(e.displayname), o.entity_id`;
}
