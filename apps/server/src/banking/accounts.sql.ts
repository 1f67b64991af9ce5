import type { Cents } from '@evenkeel/core/money';
import type { IsoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { table } from '../db/table.ts';
import { totalsOf } from '../ledger/balances.sql.ts';

/** Statements on banking accounts and payment types. */

export const bankingAccounts = table('banking_account', {
  id: 'id',
  name: 'name',
  glAccountId: 'gl_account_id',
  active: 'active',
});

export interface BankingAccountRow {
  bankingAccountID: number;
  accountNumber: string;
  routingNumber: string;
  name: string;
  glAccountID: number;
  allowPayments: boolean;
  allowDeposits: boolean;
  /** Its GL account is of type Credit Card. */
  creditCards: boolean;
  rowVersion: number;
  /** Debits less credits of its GL account through `today`, cents; a card that owes 310.00 has -310.00. */
  balance: Cents;
}

/**
 * The active banking accounts by name, or the one with `id`. Balances are in the accrual view (lines on money accounts
 * stand in both views).
 */
export function bankingAccountsSql(today: IsoDate, id?: number): Runnable<BankingAccountRow> {
  return sql<BankingAccountRow>`
    select b.id as "bankingAccountID", b.account_number as "accountNumber", b.routing_number as "routingNumber", b.name,
      b.gl_account_id as "glAccountID", b.allow_payments as "allowPayments", b.allow_deposits as "allowDeposits",
      a.account_type = 'Credit Card' as "creditCards", b.row_version as "rowVersion",
      coalesce((
        select sum(t.amount_cents) from (${totalsOf({ to: today })}) t
        where t.account_id = b.gl_account_id and t.basis <> 'C'), 0)::bigint as balance
    from banking_account b join account a on a.company_id = b.company_id and a.id = b.gl_account_id
    where b.company_id = ${COMPANY} and ${id === undefined ? sql`b.active` : sql`b.id = ${id}`}
    order by lower(b.name), b.id`;
}

export interface GlAccountRow {
  id: number;
  number: string;
  name: string;
  type: string;
  description: string;
  active: boolean;
}

/** Active money accounts that no banking account uses, and the one in use. */
export function availableAccountsSql(inUse: number): Runnable<GlAccountRow> {
  return sql<GlAccountRow>`
    select a.id, a.account_number as number, a.account_name as name, a.account_type as type,
      a.description, a.active
    from account a
    where a.company_id = ${COMPANY} and a.account_type in ('Bank', 'Cash', 'Credit Card')
      and (a.id = ${inUse} or (a.active and not exists (
        select from banking_account b where b.company_id = ${COMPANY} and b.gl_account_id = a.id)))
    order by a.account_number, lower(a.account_name), a.id`;
}
