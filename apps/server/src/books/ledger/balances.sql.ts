import { addDays, daysBetween, endOfMonth, type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { AccountAmount, AccountBalance } from '@evenkeel/core/reports/balances';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { documentKinds, type Side } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** Limits lines by posting time. The limits are transaction IDs, because transactions are numbered in posting order. */
export interface Known {
  /** The last transaction that was posted at or before a given time. Later transactions are excluded. */
  through?: number | undefined;
  /** Only transactions after this one. */
  since?: number | undefined;
}

/** The company's lines to include: the lines on one basis, optionally for one profit center or location. */
export interface Scope extends Known {
  basis: ReportBasis;
  profitCenterId?: number | undefined;
  locationId?: number | undefined;
  /**
   * Limits the lines to one customer or vendor. Allowed only for queries that read lines, because totals aren't stored
   * by customer or vendor.
   */
  entityId?: number | undefined;
  /**
   * Limits the lines to lines of documents that buy or sell an asset, or to all other lines. Allowed only for queries
   * that read lines.
   */
  ofAssets?: OfAssets | undefined;
  /** Limits the lines to those of journal entries, or to all other lines. Allowed only for queries that read lines. */
  journals?: 'only' | 'without' | undefined;
}

/** The transactions of documents that buy or sell an asset (assetTransactions), or all other transactions. */
export interface OfAssets {
  which: 'only' | 'without';
  transactionIds: readonly number[];
}

/** The asset accounts, and the date range of their entries. */
export interface AssetMoves {
  assetIds: readonly number[];
  from: IsoDate;
  to: IsoDate;
}

/**
 * Selects the lines in asset accounts in a date range, with their documents. There are few asset accounts. The accounts
 * that have a total in the range are read one by one (hence `offset 0`). Selecting by date first would read all lines
 * in the range.
 */
export function assetLines(
  ask: Pick<Scope, 'basis' | 'profitCenterId' | 'locationId' | keyof Known>,
  { assetIds, from, to }: AssetMoves,
): RawBuilder<unknown> {
  return sql`
    select t.source_type, t.source_id, l.account_id, l.posting_date, l.amount_cents
    from (
      select account_id as id from (${totalsOf({ from, to })}) total where account_id = any(${assetIds})
      group by 1 ${withLines}
    ) asset, lateral (
      select * from journal_line l
      where l.company_id = ${COMPANY} and ${inView(ask, 'l.')}
        and l.account_id = asset.id and l.posting_date between ${from} and ${to}${ofKnown(ask)}
      offset 0) l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id`;
}

/**
 * Selects the transactions of documents whose lines change an asset account in a range. Must run before the query that
 * needs them, which takes the IDs as a list. If both were a single statement, a plan based on wrong statistics would
 * read the transactions again for each line.
 */
export function assetTransactions(
  ask: Pick<Scope, 'basis' | 'profitCenterId' | 'locationId' | keyof Known>,
  moves: AssetMoves,
): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    with asset_document as materialized (
      select distinct source_type, source_id from (
        select source_type, source_id from (${assetLines(ask, moves)}) asset_line
        group by source_type, source_id, account_id
        having sum(amount_cents) <> 0) accounts)
    select t.id
    from asset_document d, lateral (
      select t.id from journal_transaction t
      where t.company_id = ${COMPANY} and t.source_type = d.source_type and t.source_id = d.source_id
      offset 0) t`;
}

function ofDocuments({ ofAssets }: Scope): RawBuilder<unknown> {
  if (ofAssets === undefined) return sql``;
  const { which, transactionIds } = ofAssets;
  return sql` and l.transaction_id ${which === 'only' ? sql`= any` : sql`<> all`}(${transactionIds}::bigint[])`;
}

/** The total of one account's lines (debits − credits, in cents), and the number of lines. */
export interface AccountSum {
  amount: number;
  lines: number;
}

/** Returns the basis whose lines and totals are excluded: C on the accrual basis, A on the cash basis. */
export function outsideView(basis: ReportBasis): RawBuilder<unknown> {
  return sql`${basis === 'accrual' ? 'C' : 'A'}::"char"`;
}

/** Limits a query to a profit center or location. UNASSIGNED selects lines without one, which totals store as 0. */
function ofDimension(column: string, id: number | undefined): RawBuilder<unknown> {
  if (id === undefined) return sql``;
  return id === UNASSIGNED ? sql` and coalesce(${sql.ref(column)}, 0) = 0` : sql` and ${sql.ref(column)} = ${id}`;
}

/** Returns the condition for the lines to include. `of` is the table alias followed by a dot, or ''. */
export function inView(
  { basis, profitCenterId, locationId }: Omit<Scope, 'entityId' | 'ofAssets' | 'journals'>,
  of: '' | 'l.' | 't.' = '',
): RawBuilder<unknown> {
  const profitCenter = ofDimension(`${of}profit_center_id`, profitCenterId);
  const location = ofDimension(`${of}location_id`, locationId);
  return sql`${sql.ref(`${of}basis`)} <> ${outsideView(basis)}${profitCenter}${location}`;
}

/** Returns the condition that limits lines `l` or `o` by posting time. */
export function ofKnown({ through, since }: Known, of: 'l.' | 'o.' = 'l.'): RawBuilder<unknown> {
  const id = sql.ref(`${of}transaction_id`);
  const last = through === undefined ? sql`` : sql` and ${id} <= ${through}`;
  return sql`${last}${since === undefined ? sql`` : sql` and ${id} > ${since}`}`;
}

/**
 * Excludes a line `l` if it and its reversal have the same date. These pairs don't affect any end-of-day balance. A
 * reversal that was posted after `through` excludes nothing. With `since`, lines can reverse earlier lines, so no lines
 * are excluded.
 */
export function withoutPairs({ through, since }: Known = {}): RawBuilder<unknown> {
  if (since !== undefined) return sql``;
  return sql`
    and (l.reverses is null or not exists (
      select from journal_line o
      where o.company_id = ${COMPANY} and o.id = l.reverses and o.posting_date = l.posting_date))
    and not exists (
      select from journal_line o
      where o.company_id = ${COMPANY} and o.reverses = l.id and o.posting_date = l.posting_date
        ${ofKnown({ through }, 'o.')})`;
}

/** A date before all posting dates. A range without a start begins on this date. */
const EVER = '0001-01-01';

/** An inclusive date range. Without `from`, it begins with the first entry. Without `to`, it has no end. */
interface Range {
  from?: IsoDate | undefined;
  to?: IsoDate | undefined;
}

/** Days in one month that are added or subtracted. Empty if `from` is after `to`. */
interface Days {
  sign: 1 | -1;
  from: IsoDate;
  to: IsoDate;
}

/**
 * Returns the first whole month in a range that starts on a date, and the days in the first month to add or subtract.
 */
function beginning(date: IsoDate): { month: IsoDate; days: Days } {
  const [first, last] = [startOfMonth(date), endOfMonth(date)];
  return daysBetween(first, date) <= daysBetween(date, last)
    ? { month: first, days: { sign: -1, from: first, to: addDays(date, -1) } }
    : { month: addDays(last, 1), days: { sign: 1, from: date, to: last } };
}

/** Returns the month after the last whole month in a range that ends on a date, and the days to add or subtract. */
function ending(date: IsoDate): { month: IsoDate; days: Days } {
  const [first, last] = [startOfMonth(date), endOfMonth(date)];
  return daysBetween(first, date) < daysBetween(date, last)
    ? { month: first, days: { sign: 1, from: first, to: date } }
    : { month: addDays(last, 1), days: { sign: -1, from: addDays(date, 1), to: last } };
}

/**
 * Returns rows like those of ledger_total that make up a range. Lines that were posted after `through` are subtracted.
 * An earlier state of a report therefore costs as much as the report itself plus the lines that were posted since then.
 */
export function totalsOf({ from, to, through, since }: Range & Known): RawBuilder<unknown> {
  if (since !== undefined) return linesSince({ from, to, since }, 1);
  if (through === undefined) return allTotals({ from, to });
  return sql`${allTotals({ from, to })} union all ${linesSince({ from, to, since: through }, -1)}`;
}

/**
 * Returns the lines of a range that were posted after a transaction, as rows of totalsOf. The schema is named because
 * a report of an earlier time hides later lines (past.sql.ts).
 */
function linesSince({ from, to, since }: Range & { since: number }, sign: Days['sign']): RawBuilder<unknown> {
  return sql`
    select l.posting_date as begins, l.account_id, l.basis, coalesce(l.profit_center_id, 0) as profit_center_id,
      coalesce(l.location_id, 0) as location_id, ${sql.lit(sign)} * l.amount_cents as amount_cents,
      ${sql.lit(sign)}::bigint as line_count
    from public.journal_line l
    where l.company_id = ${COMPANY}${ofKnown({ since })}
      and l.posting_date between ${from ?? EVER} and ${to ?? 'infinity'}`;
}

/**
 * Returns the rows of ledger_total that make up a range: the whole months, and either the days of the first and last
 * month that are in the range, which are added, or the other days of those months, which are subtracted. The smaller
 * number of days is used. In addition to the months, at most about thirty days are read, regardless of the number of
 * lines. An account that has lines only outside the range may be included with an amount and line count of 0.
 */
function allTotals({ from, to }: Range): RawBuilder<unknown> {
  const total = (grain: 'D' | 'M', begins: RawBuilder<unknown>, sign: Days['sign'] = 1) => sql`
    select begins, account_id, basis, profit_center_id, location_id,
      ${sql.lit(sign)} * amount_cents as amount_cents, ${sql.lit(sign)} * line_count as line_count
    from ledger_total where company_id = ${COMPANY} and grain = ${sql.lit(grain)} and begins ${begins}`;
  const ofDays = (days: Days) => total('D', sql`between ${days.from} and ${days.to}`, days.sign);
  const begins = from === undefined ? undefined : beginning(from);
  const ends = to === undefined ? undefined : ending(to);
  // The range lies within one month or is empty, so it contains no whole month.
  if (from !== undefined && to !== undefined && begins !== undefined && ends !== undefined) {
    if (from > to || (startOfMonth(from) === startOfMonth(to) && begins.month >= ends.month)) {
      return ofDays({ sign: 1, from, to });
    }
  }
  const months = total('M', sql`>= ${begins?.month ?? EVER} and begins < ${ends?.month ?? 'infinity'}`);
  const days = [begins, ends].flatMap((edge) =>
    edge === undefined || edge.days.from > edge.days.to ? [] : [edge.days],
  );
  return sql.join([months, ...days.map(ofDays)], sql` union all `);
}

/** Keeps only grouped totals that have lines in the range. */
export const withLines = sql`having sum(line_count) > 0`;

/**
 * Selects two balances of every account (debits − credits, in cents) in one statement: on a date, and before the fiscal
 * year that contains the date. `fiscalYearStart` is the first day of a month.
 */
export function balancesAt(scope: Scope & { date: IsoDate; fiscalYearStart: IsoDate }): Runnable<AccountBalance> {
  return sql<AccountBalance>`
    select account_id as "accountId", sum(amount_cents)::bigint as "toDate",
      coalesce(sum(amount_cents) filter (where begins < ${scope.fiscalYearStart}), 0)::bigint as "beforeYear"
    from (${totalsOf({ to: scope.date, through: scope.through, since: scope.since })}) total
    where ${inView(scope)}
    group by account_id
    ${withLines}
    order by account_id`;
}

/**
 * Selects the total of every account's lines (debits − credits, in cents) in an inclusive date range, in one statement.
 */
export function amountsBetween(scope: Scope & { from: IsoDate; to: IsoDate }): Runnable<AccountAmount> {
  return sql<AccountAmount>`
    select account_id as "accountId", sum(amount_cents)::bigint as amount
    from (${totalsOf(scope)}) total
    where ${inView(scope)}
    group by account_id
    ${withLines}
    order by account_id`;
}

/**
 * Selects the totals of the given accounts' lines (debits − credits, in cents) in an inclusive date range, by month.
 */
export function amountsByMonth(
  scope: Scope & { accountIds: readonly number[]; from: IsoDate; to: IsoDate },
): Runnable<{ month: IsoDate; amount: Cents }> {
  return sql<{ month: IsoDate; amount: Cents }>`
    select ledger_month_of(begins) as month, sum(amount_cents)::bigint as amount
    from (${totalsOf(scope)}) total
    where ${inView(scope)} and account_id = any(${scope.accountIds})
    group by 1
    ${withLines}
    order by 1`;
}

/** Selects the totals of every account's lines (debits − credits, in cents) in an inclusive date range, by month. */
export function accountsByMonth(
  scope: Scope & { from: IsoDate; to: IsoDate },
): Runnable<AccountAmount & { month: IsoDate }> {
  return sql<AccountAmount & { month: IsoDate }>`
    select account_id as "accountId", ledger_month_of(begins) as month, sum(amount_cents)::bigint as amount
    from (${totalsOf(scope)}) total
    where ${inView(scope)}
    group by 1, 2
    ${withLines}
    order by 1, 2`;
}

/** Returns the conditions on the lines `l`, except for the basis. */
export function ofSome(scope: Scope): RawBuilder<unknown> {
  const entity = scope.entityId === undefined ? sql`` : sql` and l.entity_id = ${scope.entityId}`;
  return sql`${entity}${ofKnown(scope)}${ofJournals(scope)}${ofDocuments(scope)}`;
}

function ofJournals({ journals }: Scope): RawBuilder<unknown> {
  if (journals === undefined) return sql``;
  return sql` and ${journals === 'only' ? sql`` : sql`not `}exists (
    select from journal_transaction t
    where t.company_id = ${COMPANY} and t.id = l.transaction_id
      and t.source_type = ${documentKinds.journal.source})`;
}

/** Returns whether a query must read lines, because totals are not detailed enough. */
const needsLines = ({ entityId, ofAssets, journals }: Scope): boolean =>
  entityId !== undefined || ofAssets !== undefined || journals !== undefined;

/**
 * Selects the total of one account's lines in an inclusive range. Without `from`, the range begins with the first
 * entry. Without
 * `to`, it has no end. Always returns one row.
 */
export function accountSum(scope: Scope & Range & { accountId: number }): Runnable<AccountSum> {
  const { accountId, from, to } = scope;
  if (needsLines(scope)) {
    return sql<AccountSum>`
      select coalesce(sum(l.amount_cents), 0)::bigint as amount, count(*)::bigint as lines
      from journal_line l
      where l.company_id = ${COMPANY} and ${inView(scope, 'l.')} and l.account_id = ${accountId}
        ${ofSome(scope)} and l.posting_date between ${from ?? EVER} and ${to ?? 'infinity'}`;
  }
  return sql<AccountSum>`
    select coalesce(sum(amount_cents), 0)::bigint as amount, coalesce(sum(line_count), 0)::bigint as lines
    from (${totalsOf({ from, to })}) total
    where ${inView(scope)} and account_id = ${accountId}`;
}

/**
 * Returns the balance of a side's control accounts in a date range, on the accrual basis and with the side's sign. This
 * is the amount owed, in cents.
 */
export function controlBalance(side: Side, range: Parameters<typeof totalsOf>[0]): RawBuilder<Cents> {
  return sql<Cents>`(
      select ${sql.lit(side.sign)} * coalesce(sum(t.amount_cents), 0)::bigint
      from (${totalsOf(range)}) t
      where ${inView({ basis: 'accrual' }, 't.')} and t.account_id in (
        select c.id from account c
        where c.company_id = ${COMPANY} and c.account_type = ${side.controlType} and not c.contra))`;
}
