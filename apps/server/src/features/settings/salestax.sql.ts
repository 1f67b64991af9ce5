import type { SalesTaxScenario } from '@evenkeel/contract/settings';
import type { LaterRate } from '@evenkeel/core/documents/tax';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** SQL statements for sales tax scenarios and their items. */

export const scenarios = table('sales_tax_scenario', {
  id: 'id',
  name: 'name',
  glAccountId: 'gl_account_id',
  filingFrequency: 'filing_frequency',
  taxRounding: 'tax_rounding',
  rowVersion: 'row_version',
});

/** Percentages are exact decimal text with at most 6 decimal places. */
export const taxItems = table('sales_tax_item', {
  id: 'id',
  scenarioId: 'scenario_id',
  label: 'label',
  salesTaxType: 'sales_tax_type',
  percentage: 'percentage',
  rates: 'rates',
});

export type TaxItemRow = Omit<RowOf<typeof taxItems>, 'scenarioId' | 'rates'> & { rates: LaterRate<string>[] };
export type ScenarioRow = Omit<RowOf<typeof scenarios>, 'taxRounding'> & {
  taxRounding: SalesTaxScenario['taxRounding'];
  items: TaxItemRow[];
};

/** Returns all scenarios with their active items, with the default scenario first, or only the scenario with `id`. */
export function scenariosSql(id?: number): Runnable<ScenarioRow> {
  return sql<ScenarioRow>`
    select s.id, s.name, s.gl_account_id as "glAccountId", s.filing_frequency as "filingFrequency",
      s.tax_rounding as "taxRounding", s.row_version as "rowVersion", coalesce((
        select jsonb_agg(jsonb_build_object('id', i.id, 'label', i.label, 'salesTaxType', i.sales_tax_type,
          'percentage', i.percentage::text, 'rates', i.rates) order by i.id)
        from sales_tax_item i
        where i.company_id = ${COMPANY} and i.scenario_id = s.id and not i.deleted), '[]'::jsonb) as items
    from sales_tax_scenario s
    where s.company_id = ${COMPANY} ${id === undefined ? sql`` : sql`and s.id = ${id}`} order by s.id`;
}

/** Locks and returns a new company's initial scenario if it is still the only one and was never saved. */
export function untouchedScenario(): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select s.id from sales_tax_scenario s
    where s.company_id = ${COMPANY} and s.row_version = 1 and s.name = ''
      and not exists (select from sales_tax_scenario o where o.company_id = ${COMPANY} and o.id <> s.id)
      and not exists (select from sales_tax_item i where i.company_id = ${COMPANY} and i.scenario_id = s.id)
    for update of s`;
}

/** Returns the account if it can hold sales tax. It must be a current liability and not a contra account. */
export function taxAccountSql(accountId: number): Runnable<{ active: boolean }> {
  return sql<{ active: boolean }>`
    select active from account where company_id = ${COMPANY} and id = ${accountId} and not contra
      and account_type in ('Sales Tax Payable', 'Other Current Liability')`;
}

/** Marks the scenario's items as deleted unless they are in `kept`. Invoices keep their own copies. */
export function deleteItemsSql(scenarioId: number, kept: readonly number[]): Runnable<unknown> {
  return sql`
    update sales_tax_item set deleted = true
    where company_id = ${COMPANY} and scenario_id = ${scenarioId} and not deleted and id <> all(${kept})`;
}
