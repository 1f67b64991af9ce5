import type { BankStatement } from '@evenkeel/contract/statements';
import type { Cents } from '@evenkeel/core/money';
import type { IsoDate } from '@evenkeel/core/dates';
import type { StatementMapping } from '@evenkeel/statements/read';
import { sql } from 'kysely';
import { PEOPLE } from '../../platform/db/people.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { totalsOf } from '../../books/ledger/balances.sql.ts';
import type { BankActionKind } from './lines.sql.ts';

/**
 * SQL statements for imported files, saved mappings and account numbers, and the bank transactions for review in each
 * account.
 */

export const bankStatements = table('bank_statement', {
  id: 'id',
  bankAccountId: 'bank_account_id',
  documentId: 'attachment_id',
  fileName: 'file_name',
  format: 'format',
  from: 'from_date',
  to: 'to_date',
  opening: 'opening_cents',
  closing: 'closing_cents',
  count: 'line_count',
  sum: 'sum_cents',
  knownCount: 'known_count',
  importedBy: 'imported_by',
});

export const bankMappings = table('bank_mapping', {
  bankAccountId: 'bank_account_id',
  headerKey: 'header_digest',
  mapping: 'mapping',
}).typed<{ mapping: StatementMapping }>();

export const fileAccounts = table('bank_file_account', {
  id: 'id',
  bankAccountId: 'bank_account_id',
  sealedNumber: 'number_box',
});

/**
 * Returns bank statements as users see them, newest first: all statements, the statements for one account, or a single
 * statement.
 */
export function statementsSql({
  id,
  bankAccountId,
}: {
  id?: number;
  bankAccountId?: number | undefined;
}): Runnable<Omit<BankStatement, 'importedAt'> & { importedAt: Date }> {
  return sql`
    select s.id, s.bank_account_id as "bankAccountId", s.attachment_id as "documentId", s.file_name as "fileName",
      s.format, s.from_date as "from", s.to_date as "to", s.opening_cents as opening, s.closing_cents as closing,
      s.line_count as count, s.sum_cents as sum, s.known_count as "knownCount", s.imported_at as "importedAt",
      (select count(*) from bank_line l where l.company_id = ${COMPANY} and l.statement_id = s.id
        and l.state = 'review') as "reviewCount",
      coalesce((select u.name from ${PEOPLE} u where u.id = s.imported_by), '') as "importedBy"
    from bank_statement s
    where s.company_id = ${COMPANY} ${id === undefined ? sql`` : sql`and s.id = ${id}`}
      ${bankAccountId === undefined ? sql`` : sql`and s.bank_account_id = ${bankAccountId}`}
    order by s.to_date desc nulls last, s.id desc`;
}

/** Returns how often each key occurs in the account, on these dates or with a bank ID from the file. */
export function knownKeys(
  bankAccountId: number,
  { from, to, bankIds }: { from: IsoDate; to: IsoDate; bankIds: readonly string[] },
): Runnable<{ key: string; count: number }> {
  return sql`
    select l.line_key as key, count(*) as count from bank_line l
    where l.company_id = ${COMPANY} and l.bank_account_id = ${bankAccountId}
      and (l.line_date between ${from} and ${to} or (l.bank_id <> '' and l.bank_id = any(${bankIds}::text[])))
    group by l.line_key`;
}

/** Returns an account's balance in the books on a date, in cents. */
export function booksBalance(glAccountId: number, to: IsoDate): Runnable<{ balance: Cents }> {
  return sql`
    select coalesce(sum(t.amount_cents), 0)::bigint as balance from (${totalsOf({ to })}) t
    where t.account_id = ${glAccountId} and t.basis <> 'C'`;
}

/**
 * An account's review totals. The bank balance is the balance on the latest statement that has one, plus later bank
 * transactions.
 */
export interface AccountReviewRow {
  bankAccountId: number;
  bankBalance: Cents | null;
  bankDate: IsoDate | null;
  booksBalance: Cents;
  reviewCount: number;
  reviewSum: Cents;
}

/**
 * Columns for the bank's side of a bank account `b`: its latest statement `s` that has a balance, and its bank
 * transactions `r` for review. The balance is the statement's balance plus later bank transactions.
 */
const BANK_SIDE = {
  balance: sql`(s.closing_cents + coalesce((
    select sum(l.amount_cents) from bank_line l
    where l.company_id = ${COMPANY} and l.bank_account_id = b.id and l.line_date > s.to_date), 0))::bigint`,
  date: sql`case when s.to_date is not null then greatest(s.to_date, (
    select max(l.line_date) from bank_line l where l.company_id = ${COMPANY} and l.bank_account_id = b.id)) end`,
  from: sql`from banking_account b
    left join lateral (
      select s.closing_cents, s.to_date from bank_statement s
      where s.company_id = ${COMPANY} and s.bank_account_id = b.id and s.closing_cents is not null
        and s.to_date is not null
      order by s.to_date desc, s.id desc limit 1) s on true
    left join lateral (
      select count(*) as count, sum(l.amount_cents) as amount from bank_line l
      where l.company_id = ${COMPANY} and l.bank_account_id = b.id and l.state = 'review') r on true
    where b.company_id = ${COMPANY} and b.active`,
};

export function reviewAccountsSql(today: IsoDate): Runnable<AccountReviewRow> {
  return sql`
    select b.id as "bankAccountId", ${BANK_SIDE.balance} as "bankBalance", ${BANK_SIDE.date} as "bankDate",
      coalesce((
        select sum(t.amount_cents) from (${totalsOf({ to: today })}) t
        where t.account_id = b.gl_account_id and t.basis <> 'C'), 0)::bigint as "booksBalance",
      coalesce(r.count, 0) as "reviewCount", coalesce(r.amount, 0)::bigint as "reviewSum"
    ${BANK_SIDE.from}
    order by lower(b.name), b.id`;
}

/** Returns each active bank account's balance at the bank, by GL account. */
export interface BankSide {
  glAccountId: number;
  bankBalance: Cents | null;
  bankDate: IsoDate | null;
  reviewCount: number;
}

export function bankSidesSql(): Runnable<BankSide> {
  return sql`
    select b.gl_account_id as "glAccountId", ${BANK_SIDE.balance} as "bankBalance", ${BANK_SIDE.date} as "bankDate",
      coalesce(r.count, 0) as "reviewCount"
    ${BANK_SIDE.from}`;
}

/** Returns the number of bank transactions for review in active accounts, which equals the sum of `reviewCount`. */
export function reviewCountSql(): Runnable<{ count: number }> {
  return sql`
    select count(*)::int as count from bank_line l
    join banking_account b on b.company_id = ${COMPANY} and b.id = l.bank_account_id and b.active
    where l.company_id = ${COMPANY} and l.state = 'review'`;
}

/** Returns a statement's bank transactions, with the kind of action on each. */
export function linesOfStatement(id: number): Runnable<{
  id: number;
  date: IsoDate;
  amount: Cents;
  text: string;
  state: string;
  actId: number | null;
  kind: BankActionKind | null;
  sourceId: number | null;
  isReconciled: boolean;
}> {
  return sql`
    select l.id, l.line_date as date, l.amount_cents as amount, l.text, l.state, l.act_id as "actId", a.kind,
      a.source_id as "sourceId",
      exists (
        select from bank_match m
        join reconciliation_line r on r.company_id = ${COMPANY} and r.line_id = m.line_id
        where m.company_id = ${COMPANY} and m.act_id = l.act_id) as "isReconciled"
    from bank_line l left join bank_act a on a.company_id = ${COMPANY} and a.id = l.act_id
    where l.company_id = ${COMPANY} and l.statement_id = ${id}
    order by l.line_no, l.id`;
}

/** Deletes the rejected suggestions for a statement's bank transactions. */
export function forgetRefusals(statementId: number): Runnable<unknown> {
  return sql`
    delete from bank_refusal r
    where r.company_id = ${COMPANY} and r.bank_line_id = any(array(
      select l.id from bank_line l where l.company_id = ${COMPANY} and l.statement_id = ${statementId}))`;
}
