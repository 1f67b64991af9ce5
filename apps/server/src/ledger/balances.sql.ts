import { addDays, addMonths, endOfMonth, type IsoDate, partsOf, startOfMonth } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { AccountAmount, AccountBalance } from '@evenkeel/core/reports/balances';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';

/** Which lines of the company count: in one view, and of one profit center or location when these are named. */
export interface Scope {
  basis: ReportBasis;
  profitCenterId?: number | undefined;
  locationId?: number | undefined;
  /** One customer's or vendor's lines alone: only where lines are read, for months do not tell them apart. */
  entityId?: number | undefined;
  /** Lines of documents that buy or sell an asset alone, or of all others: only where lines are read, too. */
  ofAssets?: OfAssets | undefined;
}

/** Documents that move one of the assets within a range (accounting: A10 "Cash Flow"). */
export interface OfAssets {
  which: 'only' | 'without';
  assetIds: readonly number[];
  from: IsoDate;
  to: IsoDate;
}

/** The documents whose lines move an asset over a range, by source; read from the assets, of which there are few. */
export function assetDocuments(
  ask: Pick<Scope, 'basis' | 'profitCenterId' | 'locationId'>,
  { assetIds, from, to }: Omit<OfAssets, 'which'>,
): RawBuilder<unknown> {
  return sql`
    select source_type, source_id from (
      select t.source_type, t.source_id, l.account_id
      from journal_line l
      join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
      where l.company_id = ${COMPANY} and ${inView(ask, 'l.')}
        and l.account_id = any(${assetIds}) and l.posting_date between ${from} and ${to}
      group by 1, 2, 3
      having sum(l.amount_cents) <> 0) accounts
    group by 1, 2`;
}

function ofDocuments(scope: Scope): RawBuilder<unknown> {
  const { ofAssets } = scope;
  if (ofAssets === undefined) return sql``;
  const not = ofAssets.which === 'without' ? sql`not ` : sql``;
  return sql` and ${not}exists (
    select from journal_transaction t
    where t.company_id = ${COMPANY} and t.id = l.transaction_id
      and (t.source_type, t.source_id) in (${assetDocuments(scope, ofAssets)}))`;
}

/** Sums of one account's lines: debit − credit in cents, and how many lines there are. */
export interface AccountSum {
  amount: number;
  lines: number;
}

/**
 * A day in ledger_month's terms: the lines on or before it are the months before `monthsBefore` and `sign` times the
 * lines from `first` to `last`. Late days are reached backwards from the month's end, so at most half a month is read.
 */
interface DayOfMonths {
  monthsBefore: IsoDate;
  sign: 1 | -1;
  first: IsoDate;
  last: IsoDate;
}

const HALF_MONTH = 15;

function upTo(date: IsoDate): DayOfMonths {
  const month = startOfMonth(date);
  if (partsOf(date).day <= HALF_MONTH) return { monthsBefore: month, sign: 1, first: month, last: date };
  return { monthsBefore: addMonths(month, 1), sign: -1, first: addDays(date, 1), last: endOfMonth(date) };
}

/** The line and month rows outside the view: C in the accrual view, A in the cash view. */
export function outsideView(basis: ReportBasis): RawBuilder<unknown> {
  return sql`${basis === 'accrual' ? 'C' : 'A'}::"char"`;
}

/** A profit center's or location's lines; UNASSIGNED those that name none, which months keep under 0. */
function ofDimension(column: string, id: number | undefined): RawBuilder<unknown> {
  if (id === undefined) return sql``;
  return id === UNASSIGNED ? sql` and coalesce(${sql.ref(column)}, 0) = 0` : sql` and ${sql.ref(column)} = ${id}`;
}

/** What a scope says; `of` is the table's name in front of a dot, or ''. */
export function inView(
  { basis, profitCenterId, locationId }: Omit<Scope, 'entityId' | 'ofAssets'>,
  of: '' | 'l.' = '',
): RawBuilder<unknown> {
  const profitCenter = ofDimension(`${of}profit_center_id`, profitCenterId);
  const location = ofDimension(`${of}location_id`, locationId);
  return sql`${sql.ref(`${of}basis`)} <> ${outsideView(basis)}${profitCenter}${location}`;
}

function inScope(scope: Scope): RawBuilder<unknown> {
  return sql`company_id = ${COMPANY} and ${inView(scope)}`;
}

/** Without the pairs of a line `l` and its reversal on one date: they add nothing to any balance at a day's end. */
export function withoutPairs(): RawBuilder<unknown> {
  return sql`
    and (l.reverses is null or not exists (
      select from journal_line o
      where o.company_id = ${COMPANY} and o.id = l.reverses and o.posting_date = l.posting_date))
    and not exists (
      select from journal_line o
      where o.company_id = ${COMPANY} and o.reverses = l.id and o.posting_date = l.posting_date)`;
}

/** The part of a month that a day cuts off; `factor` -1 takes it away. */
function cutOff(scope: Scope, day: DayOfMonths, factor: 1 | -1): RawBuilder<unknown> {
  const sign = sql.lit(day.sign * factor);
  return sql`
    select account_id, ${sign} * sum(amount_cents) as amount, ${sign} * count(*) as lines
    from journal_line
    where ${inScope(scope)} and posting_date between ${day.first} and ${day.last}
    group by account_id`;
}

/**
 * Every account's balance on a date and before the fiscal year of that date, debit − credit in cents, in one statement:
 * whole months from ledger_month and at most half a month of lines. `fiscalYearStart` is the first of a month.
 */
export function balancesAt(scope: Scope & { date: IsoDate; fiscalYearStart: IsoDate }): Runnable<AccountBalance> {
  const day = upTo(scope.date);
  return sql<AccountBalance>`
    select account_id as "accountId", sum(amount)::bigint as "toDate", sum(before)::bigint as "beforeYear"
    from (
      select account_id, sum(amount_cents) as amount,
        coalesce(sum(amount_cents) filter (where month < ${scope.fiscalYearStart}), 0) as before
      from ledger_month
      where ${inScope(scope)} and month < ${day.monthsBefore}
      group by account_id
      union all
      select account_id, amount, 0 from (${cutOff(scope, day, 1)}) cut
    ) parts
    group by account_id
    order by account_id`;
}

/** Every account's lines summed over an inclusive range of dates, debit − credit in cents, in one statement. */
export function amountsBetween(scope: Scope & { from: IsoDate; to: IsoDate }): Runnable<AccountAmount> {
  const [start, end] = [upTo(addDays(scope.from, -1)), upTo(scope.to)];
  return sql<AccountAmount>`
    select account_id as "accountId", sum(amount)::bigint as amount
    from (
      select account_id, sum(amount_cents) as amount
      from ledger_month
      where ${inScope(scope)} and month >= ${start.monthsBefore} and month < ${end.monthsBefore}
      group by account_id
      union all
      select account_id, amount from (${cutOff(scope, end, 1)}) last_part
      union all
      select account_id, amount from (${cutOff(scope, start, -1)}) first_part
    ) parts
    group by account_id
    order by account_id`;
}

/** Some accounts' lines over an inclusive range of dates, by month, debit − credit in cents. */
export function amountsByMonth(
  scope: Scope & { accountIds: readonly number[]; from: IsoDate; to: IsoDate },
): Runnable<{ month: IsoDate; amount: Cents }> {
  const { accountIds, from, to } = scope;
  const outside = sql`posting_date between ${startOfMonth(from)} and ${addDays(from, -1)}
    or posting_date between ${addDays(to, 1)} and ${endOfMonth(to)}`;
  return sql<{ month: IsoDate; amount: Cents }>`
    select month, sum(amount)::bigint as amount
    from (
      select month, sum(amount_cents) as amount
      from ledger_month
      where ${inScope(scope)} and account_id = any(${accountIds})
        and month between ${startOfMonth(from)} and ${to}
      group by month
      union all
      select date_trunc('month', posting_date)::date, -sum(amount_cents)
      from journal_line
      where ${inScope(scope)} and account_id = any(${accountIds}) and (${outside})
      group by 1
    ) parts
    group by month
    order by month`;
}

/** What a scope leaves of the lines `l` besides its view. */
export function ofSome(scope: Scope): RawBuilder<unknown> {
  const entity = scope.entityId === undefined ? sql`` : sql` and l.entity_id = ${scope.entityId}`;
  return sql`${entity}${ofDocuments(scope)}`;
}

/** Before the first day that the ledger takes; a range without a beginning starts here. */
const EVER = '0001-01-01';

/** One account's lines over an inclusive range; without `from` since ever, without `to` for ever. Always one row. */
export function accountSum(
  scope: Scope & { accountId: number; from?: IsoDate | undefined; to?: IsoDate | undefined },
): Runnable<AccountSum> {
  if (scope.entityId !== undefined || scope.ofAssets !== undefined) {
    return sql<AccountSum>`
      select coalesce(sum(l.amount_cents), 0)::bigint as amount, count(*)::bigint as lines
      from journal_line l
      where l.company_id = ${COMPANY} and ${inView(scope, 'l.')} and l.account_id = ${scope.accountId}
        ${ofSome(scope)} and l.posting_date between ${scope.from ?? EVER} and ${scope.to ?? 'infinity'}`;
  }
  const start = scope.from === undefined ? undefined : upTo(addDays(scope.from, -1));
  const end = scope.to === undefined ? undefined : upTo(scope.to);
  const until = end === undefined ? sql`` : sql` and month < ${end.monthsBefore}`;
  return sql<AccountSum>`
    select coalesce(sum(amount), 0)::bigint as amount, coalesce(sum(lines), 0)::bigint as lines
    from (
      select sum(amount_cents) as amount, sum(line_count) as lines
      from ledger_month
      where ${inScope(scope)} and account_id = ${scope.accountId} and month >= ${start?.monthsBefore ?? EVER}${until}
      ${accountCut(scope, end, 1)}
      ${accountCut(scope, start, -1)}
    ) parts`;
}

function accountCut(
  scope: Scope & { accountId: number },
  day: DayOfMonths | undefined,
  factor: 1 | -1,
): RawBuilder<unknown> {
  if (day === undefined) return sql``;
  const sign = sql.lit(day.sign * factor);
  return sql`
      union all
      select ${sign} * sum(amount_cents), ${sign} * count(*)
      from journal_line
      where ${inScope(scope)} and account_id = ${scope.accountId}
        and posting_date between ${day.first} and ${day.last}`;
}
