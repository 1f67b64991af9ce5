import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

export const accounts = table('account', {
  id: 'id',
  masterAccountId: 'master_account_id',
  number: 'account_number',
  name: 'account_name',
  type: 'account_type',
  root: 'root',
  contra: 'contra',
  system: 'system',
  description: 'description',
  categoryId: 'category_id',
  active: 'active',
  rowVersion: 'row_version',
});

/** A company's stored account, with the name of its category. */
export interface AccountRow {
  id: number;
  masterAccountId: number;
  number: string;
  name: string;
  type: string;
  contra: boolean;
  system: boolean;
  description: string;
  categoryId: number;
  categoryName: string;
  active: boolean;
  rowVersion: number;
}

/** The accounts to select: all accounts, or those in the payment or revenue picker. */
export type AccountChoice = 'every' | 'payment' | 'revenue';

const CHOICES = {
  every: sql`true`,
  payment: sql`a.account_type = 'Cash' and not exists (
      select from banking_account b where b.company_id = ${COMPANY} and b.gl_account_id = a.id and b.active)`,
  revenue: sql`not a.system and a.account_type in ('Income', 'Other Income')`,
};

const columns = sql`
  a.id, a.master_account_id as "masterAccountId", a.account_number as number, a.account_name as name,
  a.account_type as type, a.contra, a.system, a.description, a.category_id as "categoryId",
  c.category_name as "categoryName", a.active, a.row_version as "rowVersion"`;

/** Selects active accounts, or all accounts, sorted by number (accounts without a number last) and then by name. */
export function accountsSql(choice: AccountChoice, withInactive: boolean): Runnable<AccountRow> {
  return sql<AccountRow>`
    select ${columns}
    from account a
    join account_category c on c.company_id = ${COMPANY} and c.id = a.category_id
    where a.company_id = ${COMPANY} and ${CHOICES[choice]} ${withInactive ? sql`` : sql`and a.active`}
    order by a.account_number = '', a.account_number, lower(a.account_name), a.id`;
}

/** Selects accounts by ID. Unknown IDs and IDs from other companies are omitted. */
export function accountsByIdSql(ids: readonly number[]): Runnable<AccountRow> {
  return sql<AccountRow>`
    select ${columns}
    from account a
    join account_category c on c.company_id = ${COMPANY} and c.id = a.category_id
    where a.company_id = ${COMPANY} and a.id = any(${ids}::bigint[])`;
}

/** Selects one account. Locks it, so that the account can't change and no new lines can refer to it. */
export function lockAccountSql(id: number): Runnable<AccountRow> {
  return sql<AccountRow>`
    select ${columns}
    from account a
    join account_category c on c.company_id = ${COMPANY} and c.id = a.category_id
    where a.company_id = ${COMPANY} and a.id = ${id}
    for update of a`;
}
