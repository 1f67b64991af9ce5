import type { ClosingChecklist } from '@evenkeel/contract/closing';
import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { PAID_AT_ONCE, VOID } from '@evenkeel/core/documents/invoice';
import { documentKinds, type Side } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { openItems } from '../../books/documents/aging.sql.ts';
import { totalsOf, withLines } from '../../books/ledger/balances.sql.ts';

/**
 * SQL statements that find unfinished work dated on or before the closing date. They run before the books are closed.
 */

export interface UnreconciledRow {
  bankAccountId: number;
  name: string;
  lastReconciledDate: IsoDate | null;
  amount: Cents;
}

/**
 * Returns active bank accounts that have entries through the date but whose last statement ends before that date. The
 * amount comes from totals, because checking each line for a mark would read all lines in the account.
 */
export function unreconciledSql(date: IsoDate): Runnable<UnreconciledRow> {
  return sql<UnreconciledRow>`
    with balance as materialized (
      select account_id, sum(amount_cents) filter (where basis <> 'C') as amount
      from (${totalsOf({ to: date })}) total group by account_id ${withLines})
    select b.id as "bankAccountId", b.name, r.statement_date as "lastReconciledDate",
      (coalesce(t.amount, 0) - coalesce(r.statement_cents, 0))::bigint as amount
    from banking_account b
    join balance t on t.account_id = b.gl_account_id
    left join lateral (
      select r.statement_date, r.statement_cents from reconciliation r
      where r.company_id = ${COMPANY} and r.bank_account_id = b.id
      order by r.statement_date desc limit 1) r on true
    where b.company_id = ${COMPANY} and b.active and (r.statement_date is null or r.statement_date < ${date})
    order by lower(b.name), b.id`;
}

export interface ReviewRow {
  bankAccountId: number;
  name: string;
  count: number;
  amount: Cents;
}

/**
 * For each active bank account, returns the number and the total of the bank transactions that are for review and dated
 * on or before the date.
 */
export function reviewSql(date: IsoDate): Runnable<ReviewRow> {
  return sql<ReviewRow>`
    select b.id as "bankAccountId", b.name, count(*)::int as count, sum(l.amount_cents)::bigint as amount
    from bank_line l
    join banking_account b on b.company_id = ${COMPANY} and b.id = l.bank_account_id and b.active
    where l.company_id = ${COMPANY} and l.state = 'review' and l.line_date <= ${date}
    group by b.id, b.name order by lower(b.name), b.id`;
}

/** Returns, by document kind, the active templates whose next date is on or before the date. */
export function scheduledSql(date: IsoDate): Runnable<DraftsRow> {
  return sql<DraftsRow>`
    select t.kind, count(*)::int as count, sum(t.amount_cents)::bigint as amount
    from template t
    where t.company_id = ${COMPANY} and not t.paused and t.next_date <= ${date}
    group by t.kind order by t.kind`;
}

/** Returns the templates, including paused ones, with dates on hold through the date, sorted by the dates on hold. */
export function heldSql(date: IsoDate): Runnable<ClosingChecklist['held'][number]> {
  return sql<ClosingChecklist['held'][number]>`
    select t.id as "templateId", t.kind, t.name, o.first, o.count, (t.amount_cents * o.count)::bigint as amount
    from (
      select template_id, min(due_date) as first, count(*)::int as count from template_occurrence
      where company_id = ${COMPANY} and state = 'held' and due_date <= ${date}
      group by template_id) o
    join template t on t.company_id = ${COMPANY} and t.id = o.template_id
    where not t.deleted
    order by o.first, t.id`;
}

export interface DraftsRow {
  kind: string;
  count: number;
  amount: Cents;
}

/** Returns drafts dated on or before the date, by kind. The amount of a journal entry is its total debits. */
export function draftsSql(date: IsoDate): Runnable<DraftsRow> {
  return sql<DraftsRow>`
    select kind, sum(document_count)::int as count, sum(total_cents)::bigint as amount
    from document_open_sum
    where company_id = ${COMPANY} and is_draft and document_date <= ${date}
    group by kind having sum(document_count) > 0
    union all
    select ${documentKinds.journal.source}, count(*)::int, coalesce(sum(e.amount), 0)::bigint
    from journal_draft d, lateral (
      select sum((l ->> 'amount')::bigint) filter (where (l ->> 'debit')::boolean) as amount
      from jsonb_array_elements(d.transaction -> 'lines') l) e
    where d.company_id = ${COMPANY} and (d.transaction ->> 'postingDate')::date <= ${date}
    having count(*) > 0
    order by 1`;
}

/**
 * Returns exempt customers with posted invoices that are dated after their exemption certificate expired and not later
 * than a date. The amount is the total of these invoices.
 */
export function certificatesSql(date: IsoDate): Runnable<ClosingChecklist['certificates'][number]> {
  return sql<ClosingChecklist['certificates'][number]>`
    select e.id as "customerId", e.displayname as name, e.exempt_until as "exemptUntil",
      sum(d.total_cents)::bigint as amount
    from entity e
    join document d on d.company_id = ${COMPANY} and d.entity_id = e.id and d.kind = ${documentKinds.invoice.source}
    where e.company_id = ${COMPANY} and e.tax_exempt and e.exempt_until < ${date} and not d.deleted
      and not d.is_draft and d.status <> ${VOID} and d.document_date > e.exempt_until and d.document_date <= ${date}
      and d.tax_snapshot = '[]'
    group by e.id, e.displayname, e.exempt_until order by e.displayname, e.id`;
}

/** The terms of a tax agency, and the last day of the periods for which returns have been filed. */
export interface FiledRow {
  agencyId: number;
  name: string;
  frequency: number;
  firstMonth: number;
  startDate: IsoDate;
  filedThrough: IsoDate | null;
}

/** Returns the tax agencies, sorted by name. */
export function filedSql(): Runnable<FiledRow> {
  return sql<FiledRow>`
    select a.id as "agencyId", a.name, a.frequency, a.first_month as "firstMonth", a.start_date as "startDate",
      (select max(r.period_to) from tax_return r
        where r.company_id = ${COMPANY} and r.agency_id = a.id) as "filedThrough"
    from tax_agency a
    where a.company_id = ${COMPANY}
    order by lower(a.name), a.id`;
}

/**
 * For a date in December, returns the vendors that are tracked for 1099 forms and were paid in that year, but have no
 * tax ID or classification. The amount is the total of these payments.
 */
export function vendorTaxesSql(date: IsoDate): Runnable<ClosingChecklist['vendorTaxes'][number]> {
  return sql<ClosingChecklist['vendorTaxes'][number]>`
    select e.id as "vendorId", e.displayname as name, p.amount
    from vendor_tax v
    join entity e on e.company_id = ${COMPANY} and e.id = v.entity_id
    cross join lateral (
      select (
        (select coalesce(sum(y.amount_cents), 0) from payment y
          where y.company_id = ${COMPANY} and y.entity_id = v.entity_id and not y.deleted
            and y.payment_date between ${startOfYear(date)} and ${date})
        + (select coalesce(sum(d.total_cents), 0) from document d
          where d.company_id = ${COMPANY} and d.entity_id = v.entity_id and not d.deleted
            and d.status = ${PAID_AT_ONCE} and d.document_date between ${startOfYear(date)} and ${date})
      )::bigint as amount) p
    where v.company_id = ${COMPANY} and v.is_1099 and (v.tax_id_box is null or v.classification is null)
      and p.amount <> 0 and extract(month from ${date}::date) = 12
    order by e.displayname, e.id`;
}

const startOfYear = (date: IsoDate): IsoDate => isoDate(`${date.slice(0, 4)}-01-01`);

export interface ClosingAccount {
  id: number;
  number: string;
  name: string;
  type: string;
  contra: boolean;
  /** Whether the account holds collected sales tax. */
  isTax: boolean;
  /** Whether the account holds amounts only temporarily. */
  isClearing: boolean;
}

/** A pattern for the names of accounts that should hold amounts only temporarily. */
const CLEARS = '(uncategori[sz]ed|suspense|clearing|ask my accountant)';

/** Returns all accounts, ordered by number. Accounts with these IDs or with a matching name are clearing accounts. */
export function closingAccountsSql(clearing: readonly number[]): Runnable<ClosingAccount> {
  return sql<ClosingAccount>`
    select a.id, a.account_number as number, a.account_name as name, a.account_type as type, a.contra,
      a.account_type = 'Sales Tax Payable' or exists (
        select from sales_tax_scenario s where s.company_id = ${COMPANY} and s.gl_account_id = a.id) as "isTax",
      a.id = any(${clearing}::bigint[]) or a.account_name ~* ${CLEARS} as "isClearing"
    from account a where a.company_id = ${COMPANY}
    order by a.account_number = '', a.account_number, lower(a.account_name), a.id`;
}

export interface ControlRow {
  ledger: Cents;
  open: Cents;
}

/**
 * Returns the balance of a side's control accounts on a date, always on the accrual basis, and the total of the side's
 * open items.
 */
export function controlSql(side: Side, date: IsoDate): Runnable<ControlRow> {
  return sql<ControlRow>`
    with open as (${openItems(side, date, { hasNames: true })})
    select (
        select coalesce(sum(total.amount_cents * ${sql.lit(side.sign)}), 0)
        from (${totalsOf({ to: date })}) total
        join account a on a.company_id = ${COMPANY} and a.id = total.account_id
        where total.basis <> 'C' and a.account_type = ${side.controlType} and not a.contra)::bigint as ledger,
      (select coalesce(sum(amount), 0) from open)::bigint as open`;
}

export const closingReviews = table('closing_review', {
  date: 'review_date',
  report: 'report',
  nextPostingNo: 'next_posting_no',
  createdBy: 'created_by',
  person: 'person',
});

export interface ReviewedRow {
  report: string;
  person: string;
  at: Date;
  outdated: boolean;
}

/** Returns the sign-offs on reports for the period that ends on a date. */
export function reviewsSql(date: IsoDate): Runnable<ReviewedRow> {
  return sql<ReviewedRow>`
    select r.report, r.person, r.created_at as at, exists (
      select from journal_transaction t
      where t.company_id = ${COMPANY} and t.posting_no >= r.next_posting_no and t.posting_date <= ${date}) as outdated
    from closing_review r
    where r.company_id = ${COMPANY} and r.review_date = ${date}`;
}

/** Locks the ledger head and returns its next number. Every transaction with a lower number is then committed. */
export function lockNextPostingSql(): Runnable<{ next: number }> {
  return sql<{ next: number }>`
    select next_posting_no as next from ledger_head where company_id = ${COMPANY} for update`;
}
