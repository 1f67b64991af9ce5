import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

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

/** Records that keep an account from being removed. */
export interface AccountUse {
  bankingAccount: string | null;
  isTaxAccount: boolean;
  product: string | null;
  discount: string | null;
  bankRule: string | null;
  chargesInterest: boolean;
}

/** Reads the uses of an account. Run it behind the statement that locks the account. */
export function accountUseSql(id: number): Runnable<AccountUse> {
  return sql<AccountUse>`
    select
      (select min(name) from banking_account
        where company_id = ${COMPANY} and gl_account_id = ${id} and active) as "bankingAccount",
      exists (select from sales_tax_scenario
        where company_id = ${COMPANY} and gl_account_id = ${id}) as "isTaxAccount",
      (select min(name) from product
        where company_id = ${COMPANY} and gl_account_id = ${id} and active) as product,
      (select min(name) from discount
        where company_id = ${COMPANY} and gl_account_id = ${id} and active) as discount,
      (select min(r.name) from bank_rule r
        join bank_rule_line l on l.company_id = ${COMPANY} and l.rule_id = r.id
        where r.company_id = ${COMPANY} and l.account_id = ${id} and r.active) as "bankRule",
      exists (select from finance_charge_settings
        where company_id = ${COMPANY} and account_id = ${id}) as "chargesInterest"`;
}
