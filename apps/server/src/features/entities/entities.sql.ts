import type { ExemptReason } from '@evenkeel/core/taxes/ids';
import { offers } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { EntityDetails } from '../settings/entity-details.ts';

/**
 * The columns of customers (kind 0) and vendors (kind 1). Rows that setup created can have fewer values than saved
 * forms.
 */
export const entities = table('entity', {
  id: 'id',
  kind: 'kind',
  displayname: 'displayname',
  name: 'name',
  emailAddress: 'email_address',
  accountNumber: 'account_number',
  isIndividual: 'is_individual',
  details: 'details',
  salesTaxScenarioId: 'sales_tax_scenario_id',
  taxExempt: 'tax_exempt',
  taxPermitNo: 'tax_permit_no',
  exemptReason: 'exempt_reason',
  exemptUntil: 'exempt_until',
  termsDays: 'terms_days',
  discountPercent: 'discount_percent',
  discountDays: 'discount_days',
  deleted: 'deleted',
  rowVersion: 'row_version',
}).typed<{ details: Partial<EntityDetails>; exemptReason: ExemptReason | null }>();

export type EntityRow = RowOf<typeof entities>;

/** The open records of a customer or vendor, by kind. A customer or vendor with open records can't be made inactive. */
export function openSql(entityId: number): Runnable<{ open: string[] }> {
  const owned = (alias: string) => sql`${sql.ref(`${alias}.company_id`)} = ${COMPANY}
        and ${sql.ref(`${alias}.entity_id`)} = ${entityId}`;
  const pending = offers().map(
    ({ words, offer }) => sql`
      (select ${`open ${words.many}`}::text from document d where ${owned('d')} and not d.deleted
        and d.status = any(${offer.pending}::int[]) limit 1)`,
  );
  return sql<{ open: string[] }>`
    select array_remove(array[
      (select case d.side when 'payable' then 'open bills' else 'open invoices' end from document d
        where ${owned('d')} and not d.deleted and d.open_cents > 0 limit 1),
      case when exists (select from document d where ${owned('d')} and not d.deleted and d.open_cents < 0)
        or exists (select from payment p where ${owned('p')} and not p.deleted and p.unapplied_cents > 0)
        then 'unused credits' end,
      (select 'drafts' from document d where ${owned('d')} and not d.deleted and d.is_draft limit 1),
      ${sql.join(pending)},
      (select 'unbilled work items' from work_item w where ${owned('w')} and w.invoice_line_id is null limit 1),
      (select 'schedules' from template s where ${owned('s')} and not s.deleted and s.next_date is not null limit 1)
    ], null) as open`;
}

/** Returns whether the company has the sales tax scenario. */
export function scenarioSql(scenarioId: number): Runnable<{ known: boolean }> {
  return sql<{ known: boolean }>`
    select exists (select from sales_tax_scenario where company_id = ${COMPANY} and id = ${scenarioId}) as known`;
}

/** Selects the data that determines where documents for these customers are sent. */
export function emailFactsSql(
  ids: readonly number[],
): Runnable<Pick<EntityRow, 'emailAddress' | 'details'> & { id: number }> {
  return sql`select e.id, e.email_address as "emailAddress", e.details from entity e
    where e.company_id = ${COMPANY} and e.id = any(${ids}::bigint[])`;
}
