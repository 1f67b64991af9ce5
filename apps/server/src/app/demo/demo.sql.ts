import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** Marks the company as a demo company whose setup is complete. */
export function markDemoSql(): Runnable<unknown> {
  return sql`update company set demo = true, setup_completed = true where company_id = ${COMPANY}`;
}

/** Records that the story's records refer to. */
export interface DemoGround {
  checkingId: number;
  scenarioId: number;
}

export function groundSql(): Runnable<DemoGround> {
  return sql<DemoGround>`
    select (select min(id) from banking_account where company_id = ${COMPANY}) as "checkingId",
      (select min(id) from sales_tax_scenario where company_id = ${COMPANY}) as "scenarioId"`;
}

export function paymentTypesSql(): Runnable<{ id: number; name: string }> {
  return sql<{ id: number; name: string }>`
    select id, display_name as name from payment_type where company_id = ${COMPANY}`;
}

/** Tables whose rows are written in bulk for the demo company, with IDs that other rows refer to. */
export type NumberedTable = 'attachment' | 'bank_statement' | 'bank_act' | 'reconciliation';

/** Returns the requested number of IDs for new rows in a table. */
export function nextIds(table: NumberedTable, count: number): Runnable<{ id: number }> {
  return sql<{
    id: number;
  }>`select nextval(${`${table}_id_seq`}::regclass) as id from generate_series(1, ${count}::int)`;
}
