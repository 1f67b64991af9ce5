import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';
import type { EntityDetails } from '../settings/entity-details.ts';

/** Statements on customers (kind 0) and vendors (kind 1). */

export interface EntityRow {
  id: number;
  displayname: string;
  name: string;
  emailAddress: string;
  accountNumber: string;
  isIndividual: boolean;
  /** Rows that a person did not make (setup) may say less than a saved form. */
  details: Partial<EntityDetails>;
  salesTaxScenarioId: number | null;
  taxExempt: boolean;
  taxPermitNo: string;
  deleted: boolean;
  rowVersion: number;
}

/** One entity, also a deactivated one; `lock` keeps others from changing or using it until the commit. */
export function entitySql(companyId: number, kind: number, ask: { id: number; lock?: boolean }): Runnable<EntityRow> {
  return sql<EntityRow>`
    select id, displayname, name, email_address as "emailAddress", account_number as "accountNumber",
      is_individual as "isIndividual", details, sales_tax_scenario_id as "salesTaxScenarioId",
      tax_exempt as "taxExempt", tax_permit_no as "taxPermitNo", deleted, row_version as "rowVersion"
    from entity where company_id = ${companyId} and kind = ${kind} and id = ${ask.id}
    ${ask.lock === true ? sql`for update` : sql``}`;
}

export interface EntityReferences {
  /** The company has that sales tax scenario. */
  scenario: boolean;
  /** Ids of the extended properties defined for this kind. */
  properties: number[];
}

/** What an entity's body may refer to. */
export function referencesSql(companyId: number, kind: number, scenarioId: number): Runnable<EntityReferences> {
  return sql<EntityReferences>`
    select exists (select from sales_tax_scenario where company_id = ${companyId} and id = ${scenarioId}) as scenario,
      array(select id::integer from extended_property
        where company_id = ${companyId} and kind = ${kind}) as properties`;
}

export function insertEntitySql(companyId: number, kind: number, row: EntityRow): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    insert into entity (company_id, kind, displayname, name, email_address, account_number, is_individual, details,
      sales_tax_scenario_id, tax_exempt, tax_permit_no)
    values (${companyId}, ${kind}, ${row.displayname}, ${row.name}, ${row.emailAddress}, ${row.accountNumber},
      ${row.isIndividual}, ${JSON.stringify(row.details)}, ${row.salesTaxScenarioId}, ${row.taxExempt},
      ${row.taxPermitNo})
    returning id`;
}

/** Saves the row; its rowVersion is the new one. */
export function updateEntitySql(companyId: number, kind: number, row: EntityRow): Runnable<unknown> {
  return sql`
    update entity set displayname = ${row.displayname}, name = ${row.name}, email_address = ${row.emailAddress},
      account_number = ${row.accountNumber}, is_individual = ${row.isIndividual},
      details = ${JSON.stringify(row.details)}, sales_tax_scenario_id = ${row.salesTaxScenarioId},
      tax_exempt = ${row.taxExempt}, tax_permit_no = ${row.taxPermitNo}, deleted = ${row.deleted},
      row_version = ${row.rowVersion}
    where company_id = ${companyId} and kind = ${kind} and id = ${row.id}`;
}

export function deleteEntitySql(companyId: number, kind: number, id: number): Runnable<unknown> {
  return sql`delete from entity where company_id = ${companyId} and kind = ${kind} and id = ${id}`;
}
