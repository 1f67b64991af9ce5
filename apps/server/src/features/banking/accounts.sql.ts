import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { Cents } from '@evenkeel/core/money';
import type { IsoDate } from '@evenkeel/core/dates';
import { type RawBuilder, sql } from 'kysely';
import { linksOf } from '../../books/attachments/attachments.sql.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { totalsOf } from '../../books/ledger/balances.sql.ts';

/** SQL statements for bank accounts and payment types. */

export const bankingAccounts = table('banking_account', {
  id: 'id',
  name: 'name',
  plainNumber: 'account_number',
  sealedNumber: 'account_number_box',
  routingNumber: 'routing_number',
  glAccountId: 'gl_account_id',
  allowPayments: 'allow_payments',
  allowDeposits: 'allow_deposits',
  isCalledCard: 'credit_cards',
  active: 'active',
  rowVersion: 'row_version',
});

export interface BankingAccountRow {
  bankingAccountID: number;
  sealedNumber: Buffer | null;
  /** An account number that was stored by an earlier version and is not encrypted yet. Empty if there is none. */
  plainNumber: string;
  routingNumber: string;
  name: string;
  glAccountID: number;
  allowPayments: boolean;
  allowDeposits: boolean;
  /** Whether the GL account has the type Credit Card or a user has marked the bank account as a credit card. */
  isOnCard: boolean;
  isCalledCard: boolean;
  documentLinks: DocumentLink[];
  lastReconciledDate: IsoDate | null;
  lastReconciledBalance: Cents;
  hasEntries: boolean;
  active: boolean;
  rowVersion: number;
  /**
   * Debits minus credits of the GL account through `today`, in cents. If $310.00 is owed on a card, the balance is
   * -$310.00.
   */
  balance: Cents;
}

/** The accounts to return: all active accounts, all accounts, or the account with `id`. */
interface AccountsAsk {
  id?: number;
  withInactive?: boolean;
  /** Locks the account against changes until the commit. */
  lock?: boolean;
}

/**
 * Returns bank accounts, sorted by name. Balances use the accrual basis, because entries in money accounts are posted
 * on both bases.
 */
export function bankingAccountsSql(
  today: IsoDate,
  { id, withInactive = id !== undefined, lock = false }: AccountsAsk = {},
): Runnable<BankingAccountRow> {
  return sql<BankingAccountRow>`
    select b.id as "bankingAccountID", b.account_number_box as "sealedNumber", b.account_number as "plainNumber",
      b.routing_number as "routingNumber", b.name, b.gl_account_id as "glAccountID",
      b.allow_payments as "allowPayments", b.allow_deposits as "allowDeposits",
      a.account_type = 'Credit Card' as "isOnCard", b.credit_cards as "isCalledCard",
      ${linksOf('bankingaccount', sql`b.id`)} as "documentLinks", r.statement_date as "lastReconciledDate",
      coalesce(r.statement_cents, 0)::bigint as "lastReconciledBalance",
      ${hasEntries(sql`b.gl_account_id`)} as "hasEntries",
      b.active, b.row_version as "rowVersion",
      coalesce((
        select sum(t.amount_cents) from (${totalsOf({ to: today })}) t
        where t.account_id = b.gl_account_id and t.basis <> 'C'), 0)::bigint as balance
    from banking_account b
    join account a on a.company_id = ${COMPANY} and a.id = b.gl_account_id
    left join lateral (
      select r.statement_date, r.statement_cents from reconciliation r
      where r.company_id = ${COMPANY} and r.bank_account_id = b.id
      order by r.statement_date desc limit 1) r on true
    where b.company_id = ${COMPANY} ${id === undefined ? sql`` : sql`and b.id = ${id}`}
      ${withInactive ? sql`` : sql`and b.active`}
    order by lower(b.name), b.id
    ${lock ? sql`for update of b` : sql``}`;
}

/** Returns whether anything was ever posted to a GL account. */
function hasEntries(accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from ledger_total t where t.company_id = ${COMPANY} and t.grain = 'M' and t.account_id = ${accountId})`;
}

/** A GL account that a bank account can use. `usedBy` is the bank account that uses the GL account now. */
export interface MoneyAccountRow {
  type: string;
  active: boolean;
  usedBy: number | null;
}

export function moneyAccountSql(id: number): Runnable<MoneyAccountRow> {
  return sql<MoneyAccountRow>`
    select a.account_type as type, a.active, b.id as "usedBy"
    from account a
    left join banking_account b on b.company_id = ${COMPANY} and b.gl_account_id = a.id
    where a.company_id = ${COMPANY} and a.id = ${id}`;
}

/** Reserves the ID of a new account, because its number is encrypted for that ID. */
export function nextBankingAccountSql(): Runnable<{ id: number }> {
  return sql<{ id: number }>`select nextval('banking_account_id_seq') as id`;
}

export interface GlAccountRow {
  id: number;
  number: string;
  name: string;
  type: string;
  description: string;
  active: boolean;
}

/**
 * Returns the active money accounts that no bank account uses, and the given account, which may be in use by the
 * caller's own bank account.
 */
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
