import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { type RowOf, table } from '../db/table.ts';
import type { EntityDetails } from '../settings/entity-details.ts';

/** Customers (kind 0) and vendors (kind 1). Rows that a person did not make (setup) may say less than a saved form. */
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
  termsDays: 'terms_days',
  discountPercent: 'discount_percent',
  discountDays: 'discount_days',
  deleted: 'deleted',
  rowVersion: 'row_version',
}).typed<{ details: Partial<EntityDetails> }>();

export type EntityRow = RowOf<typeof entities>;

/** Whether the company has that sales tax scenario. */
export function scenarioSql(scenarioId: number): Runnable<{ known: boolean }> {
  return sql<{ known: boolean }>`
    select exists (select from sales_tax_scenario where company_id = ${COMPANY} and id = ${scenarioId}) as known`;
}
