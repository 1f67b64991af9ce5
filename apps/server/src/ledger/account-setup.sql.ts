import { sql } from 'kysely';
import type { MasterAccount } from '@evenkeel/core/accounts';
import type { Runnable } from '../db/query.ts';

/** Adding and renaming accounts stands in a line per company, so that no id and no name is taken twice. */
export function lockCompanySql(companyId: number): Runnable<unknown> {
  return sql`select company_id from company where company_id = ${companyId} for no key update`;
}

/** The highest account id in use; run it behind lockCompanySql. */
export function highestAccountSql(companyId: number): Runnable<{ id: number }> {
  return sql`select coalesce(max(id), 0)::bigint as id from account where company_id = ${companyId}`;
}

/** Another account of this name, whatever its case, inactive ones included. */
export function namesakeSql(companyId: number, account: { id: number; name: string }): Runnable<{ id: number }> {
  return sql`
    select id from account
    where company_id = ${companyId} and lower(account_name) = lower(${account.name}) and id <> ${account.id}
    limit 1`;
}

/** What keeps an account from being removed; `accrual` and `cash` are its balances in cents. */
export interface AccountUse {
  accrual: number;
  cash: number;
  bankingAccount: string | null;
  isTaxAccount: boolean;
  product: string | null;
}

/** Where an account is used. Run it behind the statement that locks the account. */
export function accountUseSql(companyId: number, id: number): Runnable<AccountUse> {
  return sql<AccountUse>`
    select
      (select coalesce(sum(amount_cents) filter (where basis <> 'C'), 0) from ledger_month
        where company_id = ${companyId} and account_id = ${id})::bigint as accrual,
      (select coalesce(sum(amount_cents) filter (where basis <> 'A'), 0) from ledger_month
        where company_id = ${companyId} and account_id = ${id})::bigint as cash,
      (select min(name) from banking_account
        where company_id = ${companyId} and gl_account_id = ${id} and active) as "bankingAccount",
      exists (select from sales_tax_scenario
        where company_id = ${companyId} and gl_account_id = ${id}) as "isTaxAccount",
      (select min(name) from product
        where company_id = ${companyId} and gl_account_id = ${id} and active) as product`;
}

export interface NewAccount {
  id: number;
  master: MasterAccount;
  number: string;
  name: string;
  description: string;
  categoryId: number;
}

/** Adds an account that behaves like its master account. */
export function insertAccountSql(companyId: number, account: NewAccount): Runnable<unknown> {
  const { id, master, number, name, description, categoryId } = account;
  return sql`
    insert into account (company_id, id, master_account_id, account_number, account_name, account_type, root, contra,
      system, description, category_id)
    values (${companyId}, ${id}, ${master.id}, ${number}, ${name}, ${master.accountTypeLabel}, ${master.root},
      ${master.contra}, false, ${description}, ${categoryId})`;
}

export interface AccountChange {
  id: number;
  number: string;
  name: string;
  description: string;
  categoryId: number;
  active: boolean;
}

/** Saves what may change of an account; type, root and base never do. */
export function updateAccountSql(companyId: number, account: AccountChange): Runnable<unknown> {
  const { id, number, name, description, categoryId, active } = account;
  return sql`
    update account
    set account_number = ${number}, account_name = ${name}, description = ${description}, category_id = ${categoryId},
      active = ${active}, row_version = row_version + 1
    where company_id = ${companyId} and id = ${id}`;
}
