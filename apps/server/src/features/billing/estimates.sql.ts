import { PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { ACCEPTED, INVOICED } from '@evenkeel/core/documents/estimate';
import { documentKinds } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { faults, type FaultRow, recordOf } from '../../books/documents/verify.sql.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** SQL statements for estimates. */

/** Returns the number of accepted estimates that are not fully invoiced. */
export const acceptedCountSql = () => sql<{ count: number }>`
  select count(*)::int as count from document d
  where d.company_id = ${COMPANY} and d.kind = ${documentKinds.estimate.source} and d.status = ${ACCEPTED}
    and not d.deleted`;

/**
 * Finds estimates that are invoiced for more than their quantities or to another customer, and estimates whose status
 * does not match their invoices. Earlier versions let users invoice credited quantities again. In those versions, the
 * lines of credit memos also refer to the estimate line.
 */
export function estimateFaults(): Runnable<FaultRow> {
  return faults(
    sql`'estimate ' || number || case
      when is_over then ' has more invoiced than was estimated'
      when is_other then ' is invoiced to another customer'
      else ' has a status that differs from its invoices' end`,
    sql`from (
      select e.id, e.document_number as number, e.status, l.is_over, l.is_begun, l.is_left, exists (
          select from document v
          where v.company_id = ${COMPANY} and v.estimate_id = e.id and not v.deleted
            and v.entity_id <> e.entity_id) as is_other
      from document e
      cross join lateral (
        select coalesce(bool_or(t.taken - t.given_back > l.quantity and t.is_counted), false) as is_over,
          coalesce(bool_or(t.taken > 0), false) as is_begun,
          coalesce(bool_or(t.taken < l.quantity and t.is_counted), false) as is_left
        from invoice_line l
        cross join lateral (
          select coalesce(sum(i.quantity) filter (where v.estimate_id is not null), 0) as taken,
            coalesce(-sum(i.quantity) filter (where v.estimate_id is null), 0) as given_back,
            (l.discount_terms ->> 'discountType')::int is distinct from ${PERCENTAGE} as is_counted
          from invoice_line i join document v on v.company_id = ${COMPANY} and v.id = i.invoice_id
          where i.company_id = ${COMPANY} and i.estimate_line_id = l.id and not i.deleted and not v.deleted
            and (v.is_posted or v.is_draft)) t
        where l.company_id = ${COMPANY} and l.invoice_id = e.id and not l.deleted) l
      where e.company_id = ${COMPANY} and e.kind = ${documentKinds.estimate.source} and not e.deleted) e
    where is_over or is_other or case
      when is_begun then status <> case when is_left then ${ACCEPTED}::smallint else ${INVOICED}::smallint end
      else status = ${INVOICED}::smallint end
    order by id`,
    recordOf(documentKinds.estimate.source, sql`id`),
  );
}
