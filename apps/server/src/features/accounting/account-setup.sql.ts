import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/**
 * Locks the company, so that requests that add or rename accounts run one at a time and no ID or name is used twice.
 */
export function lockCompanySql(): Runnable<unknown> {
  return sql`select company_id from company where company_id = ${COMPANY} for no key update`;
}

/** Returns the highest account ID in use. Must run after lockCompanySql. */
export function highestAccountSql(): Runnable<{ id: number }> {
  return sql`select coalesce(max(id), 0)::bigint as id from account where company_id = ${COMPANY}`;
}

/** Returns another account with this name, ignoring case. Includes inactive accounts. */
export function namesakeSql(account: { id: number; name: string }): Runnable<{ id: number }> {
  return sql`
    select id from account
    where company_id = ${COMPANY} and lower(account_name) = lower(${account.name}) and id <> ${account.id}
    limit 1`;
}

/** The records that prevent an account from being made inactive. */
export interface AccountUse {
  bankingAccount: string | null;
  isTaxAccount: boolean;
  product: string | null;
  discount: string | null;
  bankRule: string | null;
  chargesInterest: boolean;
  takesOnlinePayments: boolean;
}

/** Reads where an account is used. Must run after the statement that locks the account. */
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
        where company_id = ${COMPANY} and account_id = ${id}) as "chargesInterest",
      exists (select from online_connection
        where company_id = ${COMPANY} and ${id} in (fee_account_id, review_account_id)) as "takesOnlinePayments"`;
}
