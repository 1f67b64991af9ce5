import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { type RawBuilder, sql } from 'kysely';
import { type FaultRow, MOST_FAULTS } from '../../books/documents/verify.sql.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

/** The stored sign-offs of account balances. */

export const signOffs = table('account_sign_off', {
  id: 'id',
  accountId: 'account_id',
  date: 'through_date',
  from: 'from_date',
  basis: 'basis',
  balance: 'balance_cents',
  lastTransactionId: 'last_transaction_id',
  note: 'note',
  createdBy: 'created_by',
  person: 'person',
});

export interface SignOffRow {
  id: number;
  accountId: number;
  number: string;
  name: string;
  type: string;
  contra: boolean;
  date: IsoDate;
  from: IsoDate | null;
  basis: string;
  /** The signed-off balance and the current balance on the same date, as debits less credits. */
  balance: Cents;
  current: Cents;
  lastTransactionId: number;
  note: string;
  person: string;
  at: Date;
}

/** The current balance of a sign-off's account on the sign-off's date, calculated from the totals by month and day. */
const current: RawBuilder<Cents> = sql`(
  select coalesce(sum(t.amount_cents), 0) from (
    select m.amount_cents from ledger_total m
    where m.company_id = ${COMPANY} and m.grain = 'M' and m.account_id = s.account_id
      and m.basis <> case s.basis when 'A' then 'C' else 'A' end::"char"
      and m.begins >= coalesce(s.from_date, '0001-01-01') and m.begins < ledger_month_of(s.through_date)
    union all
    select d.amount_cents from ledger_total d
    where d.company_id = ${COMPANY} and d.grain = 'D' and d.account_id = s.account_id
      and d.basis <> case s.basis when 'A' then 'C' else 'A' end::"char"
      and d.begins between ledger_month_of(s.through_date) and s.through_date) t)::bigint`;

function rows(of: RawBuilder<unknown>, order: RawBuilder<unknown>): Runnable<SignOffRow> {
  return sql<SignOffRow>`
    select s.id, s.account_id as "accountId", a.account_number as number, a.account_name as name,
      a.account_type as type, a.contra, s.through_date as date, s.from_date as from, s.basis,
      s.balance_cents as balance, ${current} as current, s.last_transaction_id as "lastTransactionId", s.note, s.person,
      s.created_at as at
    from account_sign_off s
    join account a on a.company_id = ${COMPANY} and a.id = s.account_id
    where s.company_id = ${COMPANY} ${of}
    order by ${order}`;
}

/** The maximum number of sign-offs that are listed for an account. */
const MOST = 24;

/** Returns an account's sign-offs, latest date first. */
export function accountSignOffsSql(accountId: number): Runnable<SignOffRow> {
  return rows(sql`and s.account_id = ${accountId}`, sql`s.through_date desc limit ${MOST}`);
}

/** Returns each account's latest sign-off dated on or before a date. */
export function lastSignOffsSql(date: IsoDate): Runnable<SignOffRow> {
  const last = sql`and s.through_date = (
    select max(l.through_date) from account_sign_off l
    where l.company_id = ${COMPANY} and l.account_id = s.account_id and l.through_date <= ${date})`;
  return rows(last, sql`a.account_number = '', a.account_number, lower(a.account_name), a.id`);
}

/** Returns the last transaction. Must run after the ledger head is locked. */
export function lastTransactionSql(): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select next_transaction_id - 1 as id from ledger_head where company_id = ${COMPANY}`;
}

/** Finds sign-offs whose balance differs from the account's balance as of the last transaction that they include. */
export function signOffFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo",
      'account ' || s.account_id || ' was signed off through ' || s.through_date || ' with ' || s.balance_cents
        || ' cents instead of ' || k.known as message
    from account_sign_off s, lateral (
      select coalesce(sum(l.amount_cents), 0) as known from journal_line l
      where l.company_id = ${COMPANY} and l.account_id = s.account_id and l.transaction_id <= s.last_transaction_id
        and l.basis <> case s.basis when 'A' then 'C' else 'A' end::"char"
        and l.posting_date between coalesce(s.from_date, '0001-01-01') and s.through_date) k
    where s.company_id = ${COMPANY} and k.known <> s.balance_cents
    order by s.id limit ${MOST_FAULTS}`;
}
