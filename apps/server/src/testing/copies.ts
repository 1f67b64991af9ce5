import { sql } from 'kysely';
import type { Pool } from 'pg';
import { listTables } from '../app/cli/tables.sql.ts';
import { COMPANY } from '../platform/db/query.ts';
import type { TestApp } from './app.ts';
import type { Records } from './records.ts';

/**
 * Copies all rows of a company to other company IDs, with one insert per table, to get more companies of the same size.
 * Bypasses triggers and foreign keys, and turns autovacuum off for the tables.
 */
export async function copyCompany(owner: Pool, from: number, to: readonly number[]): Promise<void> {
  const client = await owner.connect();
  try {
    const tables = (await listTables(client)).filter(({ isTenant }) => isTenant);
    await client.query('begin; set local session_replication_role = replica');
    for (const { name, columns } of tables) {
      await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
      const taken = columns.filter((column) => column !== 'company_id').join(', ');
      await client.query(
        `insert into ${name} (company_id, ${taken})
         select other.copy_id, ${taken} from ${name}, unnest($1::bigint[]) other (copy_id) where company_id = $2`,
        [to, from],
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Deletes all planner statistics, so that the tables look new to the planner. Requires a superuser. */
export async function forgetStatistics(owner: Pool): Promise<void> {
  const ours = `relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;
  await owner.query(`delete from pg_statistic where starelid in (select oid from pg_class where ${ours})`);
  await owner.query(`update pg_class set relpages = 0, relallvisible = 0,
    reltuples = case when relkind = 'r' then -1 else 0 end where ${ours}`);
}

const most = (column: string, table: string, side: string) => sql`
  (select ${sql.ref(column)} from ${sql.table(table)} where company_id = ${COMPANY} and side = ${side}
    group by 1 order by count(*) desc, 1 limit 1)`;
const first = (table: string) => sql`(select min(id) from ${sql.table(table)} where company_id = ${COMPANY})`;

/**
 * For each kind, returns the record in a company that has the most dependent records. For installation tables, returns
 * the company's user.
 */
export async function someRecords(t: TestApp, companyId: number): Promise<Records> {
  const row = await t.inCompany(companyId, (tx) =>
    tx.row(sql<Record<string, number>>`
      select ${companyId}::bigint as company, ${most('entity_id', 'document', 'receivable')} as customer,
        ${most('entity_id', 'document', 'payable')} as vendor,
        ${most('document_id', 'payment_application', 'receivable')} as billinginvoice,
        ${most('payment_id', 'payment_application', 'receivable')} as billingpayment,
        ${most('document_id', 'payment_application', 'payable')} as expenseinvoice,
        ${most('payment_id', 'payment_application', 'payable')} as expensepayment,
        ${first('product')} as product, ${first('product_category')} as productcategory,
        ${first('banking_account')} as bankingaccount, ${first('banking_account')} as "bankAccountId",
        (select min(gl_account_id) from banking_account where company_id = ${COMPANY}) as "glAccountId",
        ${first('reconciliation')} as reconciliation, ${first('sales_tax_scenario')} as salestax,
        ${first('payment_type')} as paymenttypes, ${first('account_category')} as accountcategories,
        ${first('role')} as userroles, 101 as "customerAccountId", 7 as "transactionId",
        (select min(user_id) from membership where company_id = ${COMPANY}) as "user"`),
  );
  if (row === undefined) throw new Error('the company has no records');
  const { customer = 0, vendor = 0, billinginvoice = 0, billingpayment = 0, user = 0 } = row;
  const again = { customerId: customer, vendorId: vendor, invoiceview: billinginvoice, paymentId: billingpayment };
  return { ids: { ...row, ...again, useradmin: user } };
}
