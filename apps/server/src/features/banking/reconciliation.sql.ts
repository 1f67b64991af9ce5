import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { type RawBuilder, sql } from 'kysely';
import { linksOf } from '../../books/attachments/attachments.sql.ts';
import type { OwnerKind } from '../../books/attachments/owners.ts';
import { PEOPLE } from '../../platform/db/people.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** SQL statements for reconciliations and for each account's reconciliation in progress. */

export const reconciliations = table('reconciliation', {
  id: 'id',
  bankAccountId: 'bank_account_id',
  statementDate: 'statement_date',
  lastBalance: 'last_cents',
  statementBalance: 'statement_cents',
  bankCharge: 'charge_cents',
  bankChargeAccountID: 'charge_account_id',
  interest: 'interest_cents',
  interestAccountID: 'interest_account_id',
  savedBy: 'saved_by',
  savedAt: 'saved_at',
});

/** A bank account in a reconciliation. */
export interface ReconciledAccount {
  id: number;
  name: string;
  glAccountId: number;
  active: boolean;
}

function accountSql(where: RawBuilder<unknown>, lock: boolean): Runnable<ReconciledAccount> {
  return sql<ReconciledAccount>`
    select b.id, b.name, b.gl_account_id as "glAccountId", b.active
    from banking_account b where b.company_id = ${COMPANY} and ${where} ${lock ? sql`for no key update` : sql``}`;
}

/**
 * Returns a bank account. With `lock`, requests that reconcile the account run one at a time. If a request locks both
 * the account and the ledger head, it must lock the account second. The lock doesn't block new payments that refer to
 * the account, because those requests already hold the lock on the ledger head when they insert the payment.
 */
export function reconciledAccountSql(id: number, lock = false): Runnable<ReconciledAccount> {
  return accountSql(sql`b.id = ${id}`, lock);
}

/** Returns the bank account that uses a GL account. */
export function accountOnSql(glAccountId: number): Runnable<ReconciledAccount> {
  return accountSql(sql`b.gl_account_id = ${glAccountId}`, false);
}

/** Locks and returns a reconciliation's bank account. */
export function lockAccountOfSql(reconciliationId: number): Runnable<ReconciledAccount> {
  const own = sql`(
    select r.bank_account_id from reconciliation r where r.company_id = ${COMPANY} and r.id = ${reconciliationId})`;
  return accountSql(sql`b.id = ${own}`, true);
}

export interface ReconciliationRow extends Omit<RowOf<typeof reconciliations>, 'savedBy'> {
  glAccountId: number;
  name: string;
  savedBy: string;
  /** The date of the previous statement. */
  lastDate: IsoDate | null;
  isNewest: boolean;
  /**
   * The position among the account's reconciliations, starting with 1. The position never changes, because only the
   * newest reconciliation can be deleted.
   */
  number: number;
  /** The number of cleared lines, including the bank charge and interest. */
  lineCount: number;
  documentLinks: DocumentLink[];
}

/** Returns the name of a user as other users see it. */
const nameOf = (userId: RawBuilder<unknown>) => sql`coalesce((
  select u.name from ${PEOPLE} u where u.id = ${userId}), '')`;

/** Returns one reconciliation, or all of an account's reconciliations, newest first. */
export function reconciliationsSql(of: { id: number } | { bankAccountId: number }): Runnable<ReconciliationRow> {
  const where = 'id' in of ? sql`r.id = ${of.id}` : sql`r.bank_account_id = ${of.bankAccountId}`;
  return sql<ReconciliationRow>`
    select r.id, r.bank_account_id as "bankAccountId", r.statement_date as "statementDate",
      r.last_cents as "lastBalance", r.statement_cents as "statementBalance", r.charge_cents as "bankCharge",
      r.charge_account_id as "bankChargeAccountID", r.interest_cents as interest,
      r.interest_account_id as "interestAccountID", r.saved_at as "savedAt", ${nameOf(sql`r.saved_by`)} as "savedBy",
      b.gl_account_id as "glAccountId", b.name, (
        select max(p.statement_date) from reconciliation p
        where p.company_id = ${COMPANY} and p.bank_account_id = r.bank_account_id
          and p.statement_date < r.statement_date) as "lastDate",
      not exists (
        select from reconciliation n
        where n.company_id = ${COMPANY} and n.bank_account_id = r.bank_account_id
          and n.statement_date > r.statement_date) as "isNewest", (
        select count(*) from reconciliation e
        where e.company_id = ${COMPANY} and e.bank_account_id = r.bank_account_id
          and e.statement_date <= r.statement_date) as number, (
        select count(*) from reconciliation_line m
        where m.company_id = ${COMPANY} and m.reconciliation_id = r.id) as "lineCount",
      ${linksOf('reconciliation', sql`r.id`)} as "documentLinks"
    from reconciliation r
    join banking_account b on b.company_id = ${COMPANY} and b.id = r.bank_account_id
    where r.company_id = ${COMPANY} and ${where}
    order by r.statement_date desc`;
}

/** The date and balance of an account's last reconciliation. */
export interface LastReconciliation {
  date: IsoDate;
  balance: Cents;
}

export function lastReconciliationSql(bankAccountId: number): Runnable<LastReconciliation> {
  return sql<LastReconciliation>`
    select r.statement_date as date, r.statement_cents as balance from reconciliation r
    where r.company_id = ${COMPANY} and r.bank_account_id = ${bankAccountId}
    order by r.statement_date desc limit 1`;
}

/** A selected line, as read after the ledger head is locked. */
export interface SelectedRow {
  id: number;
  accountId: number;
  amount: Cents;
  basis: string;
  isMarked: boolean;
  /** Whether the line was reversed on its own date, or reverses another line on that date. Both lines are hidden. */
  isHidden: boolean;
}

export function selectedSql(ids: readonly number[]): Runnable<SelectedRow> {
  return sql<SelectedRow>`
    select l.id, l.account_id as "accountId", l.amount_cents as amount, l.basis,
      exists (select from reconciliation_line m where m.company_id = ${COMPANY} and m.line_id = l.id) as "isMarked",
      exists (
        select from journal_line o
        where o.company_id = ${COMPANY} and o.reverses = l.id and o.posting_date = l.posting_date)
      or l.reverses is not null and exists (
        select from journal_line o
        where o.company_id = ${COMPANY} and o.id = l.reverses and o.posting_date = l.posting_date) as "isHidden"
    from unnest(${ids}::bigint[]) i (id)
    cross join lateral (select * from journal_line l where l.company_id = ${COMPANY} and l.id = i.id offset 0) l`;
}

export function nextReconciliationSql(): Runnable<{ id: number }> {
  return sql<{ id: number }>`select nextval('reconciliation_id_seq') as id`;
}

export const progresses = table('reconciliation_progress', {
  bankAccountId: 'bank_account_id',
  statementDate: 'statement_date',
  statementBalance: 'statement_cents',
  bankCharge: 'charge_cents',
  bankChargeAccountID: 'charge_account_id',
  interest: 'interest_cents',
  interestAccountID: 'interest_account_id',
  lineIds: 'line_ids',
  savedBy: 'saved_by',
  savedAt: 'saved_at',
  rowVersion: 'row_version',
});

export interface ProgressRow extends Omit<RowOf<typeof progresses>, 'lineIds'> {
  lineIds: number[];
  openedBy: string;
}

/** Returns an account's reconciliation in progress. Includes only the selected lines that can still be selected. */
export function progressSql(bankAccountId: number): Runnable<ProgressRow> {
  const [isTaken, isBack] = [
    sql`exists (select from reconciliation_line m where m.company_id = ${COMPANY} and m.line_id = i.id)`,
    sql`exists (
      select from journal_line o
      join journal_line l on l.company_id = ${COMPANY} and l.id = o.reverses
      where o.company_id = ${COMPANY} and o.reverses = i.id and o.posting_date = l.posting_date)`,
  ];
  return sql<ProgressRow>`
    select ${progresses.columns('p', [
      'bankAccountId',
      'statementDate',
      'statementBalance',
      'bankCharge',
      'bankChargeAccountID',
      'interest',
      'interestAccountID',
      'savedBy',
      'savedAt',
      'rowVersion',
    ])}, ${nameOf(sql`p.saved_by`)} as "openedBy",
      (select coalesce(jsonb_agg(i.id order by i.id), '[]') from unnest(p.line_ids) i (id)
        where not (${isTaken} or ${isBack})) as "lineIds"
    from reconciliation_progress p
    where p.company_id = ${COMPANY} and p.bank_account_id = ${bankAccountId}`;
}

/** Attaches the files of one record to another record as well. */
export function copyLinks(
  from: { kind: OwnerKind; id: number },
  to: { kind: OwnerKind; id: number },
): Runnable<unknown> {
  return sql`
    insert into attachment_link (company_id, attachment_id, owner_kind, owner_id, file_name)
    select l.company_id, l.attachment_id, ${to.kind}, ${to.id}, l.file_name from attachment_link l
    where l.company_id = ${COMPANY} and l.owner_kind = ${from.kind} and l.owner_id = ${from.id}
    on conflict (company_id, owner_kind, owner_id, attachment_id) do nothing`;
}
