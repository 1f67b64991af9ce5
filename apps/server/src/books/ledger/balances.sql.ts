import { addDays, daysBetween, endOfMonth, type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import type { AccountAmount, AccountBalance } from '@evenkeel/core/reports/balances';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { documentKinds, type Side } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** The lines of the company that count: in one view, and of one profit center or location when these are named. */
export interface Scope {
  basis: ReportBasis;
  profitCenterId?: number | undefined;
  locationId?: number | undefined;
  /** One customer's or vendor's lines alone: only where lines are read, for totals do not tell them apart. */
  entityId?: number | undefined;
  /** Lines of documents that buy or sell an asset alone, or of all others: only where lines are read, too. */
  ofAssets?: OfAssets | undefined;
  /** Lines of journal entries alone, or without these: only where lines are read, too. */
  journals?: 'only' | 'without' | undefined;
}

/** The transactions of documents that buy or sell an asset (assetTransactions), or all others. */
export interface OfAssets {
  which: 'only' | 'without';
  transactionIds: readonly number[];
}

/** The assets, and the range in which one of them moves. */
export interface AssetMoves {
  assetIds: readonly number[];
  from: IsoDate;
  to: IsoDate;
}

/**
 * The lines that move an asset in a range, with their document. Assets are few, so those with a total there are read
 * one by one (hence `offset 0`): by its dates alone a range has as many lines as the books are long.
 */
export function assetLines(
  ask: Pick<Scope, 'basis' | 'profitCenterId' | 'locationId'>,
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
        and l.account_id = asset.id and l.posting_date between ${from} and ${to}
      offset 0) l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id`;
}

/**
 * The transactions of documents whose lines move an asset over a range. They are read before the lines that they tell
 * apart, and go with those as a list of ids: asked within the other statement, a plan made on wrong statistics asked
 * for them anew at each line.
 */
export function assetTransactions(
  ask: Pick<Scope, 'basis' | 'profitCenterId' | 'locationId'>,
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

/** Sums of one account's lines: debit − credit in cents, and how many lines there are. */
export interface AccountSum {
  amount: number;
  lines: number;
}

/** The lines and totals outside the view: C in the accrual view, A in the cash view. */
export function outsideView(basis: ReportBasis): RawBuilder<unknown> {
  return sql`${basis === 'accrual' ? 'C' : 'A'}::"char"`;
}

/** A profit center's or location's lines; UNASSIGNED those that name none, which totals keep under 0. */
function ofDimension(column: string, id: number | undefined): RawBuilder<unknown> {
  if (id === undefined) return sql``;
  return id === UNASSIGNED ? sql` and coalesce(${sql.ref(column)}, 0) = 0` : sql` and ${sql.ref(column)} = ${id}`;
}

/** The condition of a scope; `of` is the table's name in front of a dot, or ''. */
export function inView(
  { basis, profitCenterId, locationId }: Omit<Scope, 'entityId' | 'ofAssets' | 'journals'>,
  of: '' | 'l.' | 't.' = '',
): RawBuilder<unknown> {
  const profitCenter = ofDimension(`${of}profit_center_id`, profitCenterId);
  const location = ofDimension(`${of}location_id`, locationId);
  return sql`${sql.ref(`${of}basis`)} <> ${outsideView(basis)}${profitCenter}${location}`;
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

/** Before the first day that the ledger takes; a range without a beginning starts here. */
const EVER = '0001-01-01';

/** Days of a range, both included; without `from` since ever, without `to` for ever. */
interface Range {
  from?: IsoDate | undefined;
  to?: IsoDate | undefined;
}

/** Days of one month, added or taken off; none where `from` is after `to`. */
interface Days {
  sign: 1 | -1;
  from: IsoDate;
  to: IsoDate;
}

/** From which month on whole months count for a range that begins on a date, and with which days of its month. */
function beginning(date: IsoDate): { month: IsoDate; days: Days } {
  const [first, last] = [startOfMonth(date), endOfMonth(date)];
  return daysBetween(first, date) <= daysBetween(date, last)
    ? { month: first, days: { sign: -1, from: first, to: addDays(date, -1) } }
    : { month: addDays(last, 1), days: { sign: 1, from: date, to: last } };
}

/** Before which month whole months count for a range that ends on a date, and with which days of its month. */
function ending(date: IsoDate): { month: IsoDate; days: Days } {
  const [first, last] = [startOfMonth(date), endOfMonth(date)];
  return daysBetween(first, date) < daysBetween(date, last)
    ? { month: first, days: { sign: 1, from: first, to: date } }
    : { month: addDays(last, 1), days: { sign: -1, from: addDays(date, 1), to: last } };
}

/**
 * The totals that a range is made of, as rows of ledger_total: its months, and day by day what it takes of the first
 * and of the last one, or lacks of them when that is less. However many lines there are, it is some thirty days at most
 * besides the months. An account with lines outside the range alone may stand here with 0, and so may its lines.
 */
export function totalsOf({ from, to }: Range): RawBuilder<unknown> {
  const total = (grain: 'D' | 'M', begins: RawBuilder<unknown>, sign: Days['sign'] = 1) => sql`
    select begins, account_id, basis, profit_center_id, location_id,
      ${sql.lit(sign)} * amount_cents as amount_cents, ${sql.lit(sign)} * line_count as line_count
    from ledger_total where company_id = ${COMPANY} and grain = ${sql.lit(grain)} and begins ${begins}`;
  const ofDays = (days: Days) => total('D', sql`between ${days.from} and ${days.to}`, days.sign);
  const begins = from === undefined ? undefined : beginning(from);
  const ends = to === undefined ? undefined : ending(to);
  // Neither month is taken whole: the days lie in one month, or there are none.
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

/** Keeps grouped totals that have lines within the range. */
export const withLines = sql`having sum(line_count) > 0`;

/**
 * Every account's balance on a date and before the fiscal year of that date, debit − credit in cents, in one statement.
 * `fiscalYearStart` is the first of a month.
 */
export function balancesAt(scope: Scope & { date: IsoDate; fiscalYearStart: IsoDate }): Runnable<AccountBalance> {
  return sql<AccountBalance>`
    select account_id as "accountId", sum(amount_cents)::bigint as "toDate",
      coalesce(sum(amount_cents) filter (where begins < ${scope.fiscalYearStart}), 0)::bigint as "beforeYear"
    from (${totalsOf({ to: scope.date })}) total
    where ${inView(scope)}
    group by account_id
    ${withLines}
    order by account_id`;
}

/** Every account's lines summed over an inclusive range of dates, debit − credit in cents, in one statement. */
export function amountsBetween(scope: Scope & { from: IsoDate; to: IsoDate }): Runnable<AccountAmount> {
  return sql<AccountAmount>`
    select account_id as "accountId", sum(amount_cents)::bigint as amount
    from (${totalsOf(scope)}) total
    where ${inView(scope)}
    group by account_id
    ${withLines}
    order by account_id`;
}

/** Some accounts' lines over an inclusive range of dates, by month, debit − credit in cents. */
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

/** The condition of a scope on the lines `l` besides its view. */
export function ofSome(scope: Scope): RawBuilder<unknown> {
  const entity = scope.entityId === undefined ? sql`` : sql` and l.entity_id = ${scope.entityId}`;
  return sql`${entity}${ofJournals(scope)}${ofDocuments(scope)}`;
}

function ofJournals({ journals }: Scope): RawBuilder<unknown> {
  if (journals === undefined) return sql``;
  return sql` and ${journals === 'only' ? sql`` : sql`not `}exists (
    select from journal_transaction t
    where t.company_id = ${COMPANY} and t.id = l.transaction_id
      and t.source_type = ${documentKinds.journal.source})`;
}

/** Whether a scope asks for lines that totals do not tell apart. */
const needsLines = ({ entityId, ofAssets, journals }: Scope): boolean =>
  entityId !== undefined || ofAssets !== undefined || journals !== undefined;

/** One account's lines over an inclusive range; without `from` since ever, without `to` for ever. Always one row. */
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

/** The balance of a side's control accounts within dates by accrual, in the side's sign: what is owed, in cents. */
export function controlBalance(side: Side, range: Parameters<typeof totalsOf>[0]): RawBuilder<Cents> {
  return sql<Cents>`(
      select ${sql.lit(side.sign)} * coalesce(sum(t.amount_cents), 0)::bigint
      from (${totalsOf(range)}) t
      where ${inView({ basis: 'accrual' }, 't.')} and t.account_id in (
        select c.id from account c
        where c.company_id = ${COMPANY} and c.account_type = ${side.controlType} and not c.contra))`;
}
