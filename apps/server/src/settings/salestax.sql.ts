import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';
import { table } from '../db/table.ts';

/** Statements on sales tax scenarios and their items. */

export const scenarios = table('sales_tax_scenario', {
  id: 'id',
  glAccountId: 'gl_account_id',
  filingFrequency: 'filing_frequency',
  rowVersion: 'row_version',
});

export interface TaxItemRow {
  id: number;
  label: string;
  salesTaxType: number;
  /** Exact decimal text, 6 places at most. */
  percentage: string;
}

export interface ScenarioRow {
  id: number;
  glAccountId: number;
  filingFrequency: number;
  items: TaxItemRow[];
  rowVersion: number;
}

/** All scenarios with their live items, the first (the default) first; or the one with `id`. */
export function scenariosSql(companyId: number, id?: number): Runnable<ScenarioRow> {
  return sql<ScenarioRow>`
    select s.id, s.gl_account_id as "glAccountId", s.filing_frequency as "filingFrequency",
      s.row_version as "rowVersion", coalesce((
        select jsonb_agg(jsonb_build_object('id', i.id, 'label', i.label, 'salesTaxType', i.sales_tax_type,
          'percentage', i.percentage::text) order by i.id)
        from sales_tax_item i
        where i.company_id = ${companyId} and i.scenario_id = s.id and not i.deleted), '[]'::jsonb) as items
    from sales_tax_scenario s
    where s.company_id = ${companyId} ${id === undefined ? sql`` : sql`and s.id = ${id}`} order by s.id`;
}

export function lockScenarioSql(companyId: number, id: number): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select id from sales_tax_scenario where company_id = ${companyId} and id = ${id} for update`;
}

/** Whether the account may hold sales tax: the company's, active, a current liability that is no document account. */
export function taxAccountSql(companyId: number, accountId: number): Runnable<{ fits: boolean }> {
  return sql<{ fits: boolean }>`
    select exists (select from account where company_id = ${companyId} and id = ${accountId} and active and not contra
      and account_type in ('Sales Tax Payable', 'Other Current Liability')) as fits`;
}

export function insertScenarioSql(
  companyId: number,
  row: { glAccountId: number; filingFrequency: number },
): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    insert into sales_tax_scenario (company_id, gl_account_id, filing_frequency)
    values (${companyId}, ${row.glAccountId}, ${row.filingFrequency}) returning id`;
}

export function updateScenarioSql(
  companyId: number,
  row: { id: number; glAccountId: number; filingFrequency: number },
): Runnable<unknown> {
  return sql`
    update sales_tax_scenario set gl_account_id = ${row.glAccountId}, filing_frequency = ${row.filingFrequency},
      row_version = row_version + 1
    where company_id = ${companyId} and id = ${row.id}`;
}

export function insertItemSql(companyId: number, scenarioId: number, item: TaxItemRow): Runnable<unknown> {
  return sql`
    insert into sales_tax_item (company_id, scenario_id, label, sales_tax_type, percentage)
    values (${companyId}, ${scenarioId}, ${item.label}, ${item.salesTaxType}, ${item.percentage})`;
}

export function updateItemSql(companyId: number, scenarioId: number, item: TaxItemRow): Runnable<unknown> {
  return sql`
    update sales_tax_item set label = ${item.label}, sales_tax_type = ${item.salesTaxType},
      percentage = ${item.percentage}
    where company_id = ${companyId} and scenario_id = ${scenarioId} and id = ${item.id}`;
}

/** Marks the scenario's items deleted that are not among `kept`; invoices name them in their own copies. */
export function deleteItemsSql(companyId: number, scenarioId: number, kept: readonly number[]): Runnable<unknown> {
  return sql`
    update sales_tax_item set deleted = true
    where company_id = ${companyId} and scenario_id = ${scenarioId} and not deleted and id <> all(${kept})`;
}
