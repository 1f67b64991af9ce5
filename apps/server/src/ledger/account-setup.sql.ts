import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';

/** Adding and renaming accounts stands in a line per company, so that no id and no name is taken twice. */
export function lockCompanySql(): Runnable<unknown> {
  return sql`select company_id from company where company_id = ${COMPANY} for no key update`;
}

/** The highest account id in use; run it behind lockCompanySql. */
export function highestAccountSql(): Runnable<{ id: number }> {
  return sql`select coalesce(max(id), 0)::bigint as id from account where company_id = ${COMPANY}`;
}

/** Another account of this name, whatever its case, inactive ones included. */
export function namesakeSql(account: { id: number; name: string }): Runnable<{ id: number }> {
  return sql`
    select id from account
    where company_id = ${COMPANY} and lower(account_name) = lower(${account.name}) and id <> ${account.id}
    limit 1`;
}

/** Uses that keep an account from being removed; `accrual` and `cash` are its balances in cents. */
export interface AccountUse {
  accrual: number;
  cash: number;
  bankingAccount: string | null;
  isTaxAccount: boolean;
  product: string | null;
}

/** Reads the uses of an account. Run it behind the statement that locks the account. */
export function accountUseSql(id: number): Runnable<AccountUse> {
  return sql<AccountUse>`
    select
      (select coalesce(sum(amount_cents) filter (where basis <> 'C'), 0) from ledger_total
        where company_id = ${COMPANY} and grain = 'M' and account_id = ${id})::bigint as accrual,
      (select coalesce(sum(amount_cents) filter (where basis <> 'A'), 0) from ledger_total
        where company_id = ${COMPANY} and grain = 'M' and account_id = ${id})::bigint as cash,
      (select min(name) from banking_account
        where company_id = ${COMPANY} and gl_account_id = ${id} and active) as "bankingAccount",
      exists (select from sales_tax_scenario
        where company_id = ${COMPANY} and gl_account_id = ${id}) as "isTaxAccount",
      (select min(name) from product
        where company_id = ${COMPANY} and gl_account_id = ${id} and active) as product`;
}
