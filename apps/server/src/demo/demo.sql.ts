import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';

/** The company is a demonstration, and nobody is asked to set it up. */
export function markDemoSql(companyId: number): Runnable<unknown> {
  return sql`update company set demo = true, setup_completed = true where company_id = ${companyId}`;
}

/** What the story's records refer to. */
export interface DemoGround {
  checkingId: number;
  scenarioId: number;
}

export function groundSql(companyId: number): Runnable<DemoGround> {
  return sql<DemoGround>`
    select (select min(id) from banking_account where company_id = ${companyId}) as "checkingId",
      (select min(id) from sales_tax_scenario where company_id = ${companyId}) as "scenarioId"`;
}

export function paymentTypesSql(companyId: number): Runnable<{ id: number; name: string }> {
  return sql<{ id: number; name: string }>`
    select id, display_name as name from payment_type where company_id = ${companyId}`;
}
