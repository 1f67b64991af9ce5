import type { IsoDate } from '@evenkeel/core/dates';
import type { Basis } from '@evenkeel/core/books/ledger';
import type { Cents } from '@evenkeel/core/money';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { POSTED_DOCUMENT, POSTED_NUMBER, type Sources, sourcesLike } from './source.sql.ts';
import { inView, ofSome, type Scope, withoutPairs } from './balances.sql.ts';

/** A posted line with the details that lists show. */
export interface LineRow {
  id: number;
  transactionId: number;
  lineNo: number;
  postingDate: IsoDate;
  description: string;
  amount: Cents;
  accountId: number;
  profitCenterId: number | null;
  locationId: number | null;
  entityId: number | null;
  entityName: string | null;
  basis: Basis;
  sourceType: string;
  sourceId: number;
  reverses: number | null;
  reversedBy: number | null;
  /** The reconciliation that contains the line. */
  reconciliationId: number | null;
  /** The number of the document or journal entry. Set only for registers. */
  number?: string;
}

/** The columns of a LineRow. `l` is the line, and `e` is its customer or vendor. */
export const lineColumns = sql`
  l.id, l.transaction_id as "transactionId", l.line_no as "lineNo", l.posting_date as "postingDate", l.description,
  l.amount_cents as amount, l.account_id as "accountId", l.profit_center_id as "profitCenterId",
  l.location_id as "locationId", e.id as "entityId", e.displayname as "entityName", l.basis,
  t.source_type as "sourceType", t.source_id as "sourceId", l.reverses, r.id as "reversedBy",
  m.reconciliation_id as "reconciliationId"`;

const transactionOf = sql`
  join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
  left join lateral (
    select * from journal_line r where r.company_id = ${COMPANY} and r.reverses = l.id offset 0) r on true
  left join lateral (
    select * from reconciliation_line m where m.company_id = ${COMPANY} and m.line_id = l.id offset 0) m on true`;

/** The joins for lineColumns. They use only the customer or vendor on the line itself. */
export const lineNeighbours = sql`
  ${transactionOf}
  left join entity e on e.company_id = ${COMPANY} and e.id = l.entity_id`;

/** The only customer or vendor on lines `o`, or null if they have several or none. */
const theOne = sql`case when min(o.entity_id) = max(o.entity_id) then min(o.entity_id) end`;

/**
 * The joins that also find a customer or vendor for a line that has none, such as a bank or sales line. They use the
 * customer or vendor on the transaction's other lines, or else on the lines of the document's other transactions,
 * because an edit that only moves a payment to another account posts no line with a customer or vendor. The lookup runs
 * once per line.
 */
function payerNeighbours(): RawBuilder<unknown> {
  return sql`
    ${transactionOf}
    cross join lateral (
      select coalesce(
        l.entity_id,
        (select ${theOne} from journal_line o where o.company_id = ${COMPANY} and o.transaction_id = l.transaction_id),
        (select ${theOne}
          from journal_transaction d
          join journal_line o on o.company_id = ${COMPANY} and o.transaction_id = d.id
          where d.company_id = ${COMPANY} and d.source_type = t.source_type and d.source_id = t.source_id)) as id
      offset 0) y
    left join entity e on e.company_id = ${COMPANY} and e.id = y.id`;
}

/** A position in a register, directly after the given line. */
export interface Place {
  postingDate: IsoDate;
  transactionId: number;
  lineNo: number;
}

/**
 * Selects the lines of one reconciliation, the lines of any reconciliation, or the lines that are in no reconciliation.
 * The lines can be limited to lines dated on or before a statement date.
 */
export type Reconciled = { by: number } | { notThrough: IsoDate | null } | 'any';

/** A request for the lines of one or more accounts, such as the lines that make up an amount. */
export interface LinesAsk extends Scope {
  accountId: number | readonly number[];
  from?: IsoDate | undefined;
  to?: IsoDate | undefined;
  after?: Place | undefined;
  /** Whether to read from the end. In that case, "after" a position means before it. */
  desc: boolean;
  /** Whether to include lines that were reversed on their own date, and the reversals. */
  showReversed: boolean;
  reconciled?: Reconciled | undefined;
  /** Search words. Each word must be in the memo, the amount, or the document's number or name. */
  q?: string | undefined;
  /** The documents and payments that contain a rare word. */
  sources?: ReadonlyMap<string, Sources>;
}

/** A request for the lines of one account's register. */
export interface RegisterAsk extends LinesAsk {
  accountId: number;
}

function ofAccount(ask: LinesAsk): RawBuilder<unknown> {
  const { accountId } = ask;
  const account = typeof accountId === 'number' ? sql`= ${accountId}` : sql`= any(${accountId}::bigint[])`;
  return sql`l.company_id = ${COMPANY} and ${inView(ask, 'l.')} and l.account_id ${account}${ofSome(ask)}`;
}

/** Returns the journal, or only the lines of one reconciliation, which are looked up by line ID. */
function linesToRead({ reconciled }: LinesAsk): RawBuilder<unknown> {
  if (typeof reconciled !== 'object' || !('by' in reconciled)) return sql`journal_line`;
  return sql`(
        select o.* from journal_line o
        where o.company_id = ${COMPANY} and o.id = any(array(
          select m.line_id from reconciliation_line m
          where m.company_id = ${COMPANY} and m.reconciliation_id = ${reconciled.by})))`;
}

function markedBy({ reconciled }: LinesAsk): RawBuilder<unknown> {
  if (reconciled === undefined) return sql``;
  if (reconciled === 'any') {
    return sql`and exists (
      select from reconciliation_line m where m.company_id = ${COMPANY} and m.line_id = l.id)`;
  }
  if ('by' in reconciled) return sql``;
  const { notThrough } = reconciled;
  const through = sql`
      join reconciliation c on c.company_id = ${COMPANY} and c.id = m.reconciliation_id
        and c.statement_date <= ${notThrough}`;
  return sql`and l.basis = 'B' and not exists (
      select from reconciliation_line m ${notThrough === null ? sql`` : through}
      where m.company_id = ${COMPANY} and m.line_id = l.id)`;
}

/** Excludes pairs of lines that were reversed on the same date, unless they are requested. */
function shown({ showReversed, through, since }: LinesAsk): RawBuilder<unknown> {
  return showReversed ? sql`` : withoutPairs({ through, since });
}

function dated({ from, to }: LinesAsk): RawBuilder<unknown> {
  const since = from === undefined ? sql`` : sql`and l.posting_date >= ${from}`;
  const until = to === undefined ? sql`` : sql`and l.posting_date <= ${to}`;
  return sql`${since} ${until}`;
}

function behind({ after, desc }: LinesAsk): RawBuilder<unknown> {
  if (after === undefined) return sql``;
  const { postingDate, transactionId, lineNo } = after;
  return sql`and (l.posting_date, l.transaction_id, l.line_no) ${desc ? sql`<` : sql`>`}
    (${postingDate}::date, ${transactionId}::bigint, ${lineNo}::integer)`;
}

/**
 * Returns the lines that match a pattern by number or name, either in their transaction or on another line of the same
 * journal entry.
 */
function namedLike(pattern: RawBuilder<unknown>, among: Sources | undefined): RawBuilder<unknown>[] {
  const journal = documentKinds.journal.source;
  const named = sql`select e.id from entity e where e.company_id = ${COMPANY} and lower(e.displayname) like ${pattern}`;
  return [
    sql`l.entity_id in (${named})`,
    sql`l.transaction_id in (
      select t.id from (${sourcesLike(pattern, among)}) s
      join journal_transaction t on t.company_id = ${COMPANY} and t.source_type = s.kind and t.source_id = s.id
      union all
      select t.id from journal_transaction t
      where t.company_id = ${COMPANY} and t.source_type = ${journal} and t.source_id::text like ${pattern}
      union all
      select o.transaction_id from journal_line o
      join journal_transaction t on t.company_id = ${COMPANY} and t.id = o.transaction_id and t.source_type = ${journal}
      where o.company_id = ${COMPANY} and o.entity_id in (${named}))`,
  ];
}

/** Returns the condition for the search words. One account has few enough lines to read all of them. */
function found({ q, sources }: LinesAsk): RawBuilder<unknown> {
  return searchClause(q, {
    texts: [],
    lowered: [sql`lower(l.description)`],
    amounts: [sql`l.amount_cents`],
    elsewhere: (pattern, word) => namedLike(pattern, sources?.get(word)),
  });
}

/** Counts the lines that a search finds, up to a limit, so that the first rows don't wait for the full count. */
export function foundLinesSql(ask: RegisterAsk, most: number): Runnable<{ lines: number }> {
  return sql`
    select count(*) as lines from (
      select from journal_line l
      where ${ofAccount(ask)} ${dated(ask)} ${shown(ask)} ${markedBy(ask)} ${found(ask)}
      limit ${sql.lit(most)}) f`;
}

/**
 * A line, and the first date that the account's running balance includes. Null means that the balance includes
 * everything.
 */
export interface BalanceAsk extends Place {
  id: number;
  since: IsoDate | null;
}

/**
 * Selects the balances (debits − credits) after the given lines. Whole months and earlier days are read from totals.
 * Lines are read only for the given line's own day. `since` is the first day of a month.
 */
export function balancesBehindSql(
  ask: RegisterAsk,
  lines: readonly BalanceAsk[],
): Runnable<{ id: number; amount: Cents }> {
  const totals = (grain: 'D' | 'M', begins: RawBuilder<unknown>) => sql`
    (select coalesce(sum(t.amount_cents), 0) from ledger_total t
      where t.company_id = ${COMPANY} and t.grain = ${sql.lit(grain)} and t.account_id = ${ask.accountId}
        and ${inView(ask, 't.')} and t.begins ${begins})`;
  return sql`
    select h.id, (
      ${totals('M', sql`>= coalesce(h.since, '-infinity') and t.begins < ledger_month_of(h.day)`)}
      + ${totals('D', sql`>= ledger_month_of(h.day) and t.begins < h.day`)}
      + (select coalesce(sum(l.amount_cents), 0) from journal_line l
        where ${ofAccount(ask)} and l.posting_date = h.day and (l.transaction_id, l.line_no) <= (h.transaction, h.line)
          ${shown(ask)}))::bigint as amount
    from unnest(${lines.map(({ id }) => id)}::bigint[], ${lines.map(({ since }) => since)}::date[],
      ${lines.map(({ postingDate }) => postingDate)}::date[],
      ${lines.map(({ transactionId }) => transactionId)}::bigint[],
      ${lines.map(({ lineNo }) => lineNo)}::integer[]) h (id, since, day, transaction, line)`;
}

/**
 * Selects at most `limit` register lines from the start of the request, earliest first. The rows are limited before
 * other tables are joined.
 */
export function registerSql(ask: LinesAsk, limit: number | undefined): Runnable<LineRow> {
  const order = ask.desc ? sql` desc` : sql``;
  return sql<LineRow>`
    with page as materialized (
      select l.*
      from ${linesToRead(ask)} l
      where ${ofAccount(ask)}
        ${behind(ask)}
        ${dated(ask)}
        ${shown(ask)}
        ${markedBy(ask)}
        ${found(ask)}
      order by l.posting_date${order}, l.transaction_id${order}, l.line_no${order}
      ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`}
    )
    select ${lineColumns}, coalesce(${POSTED_NUMBER}, t.source_id::text) as number
    from page l
    ${payerNeighbours()}
    ${POSTED_DOCUMENT}
    order by l.posting_date, l.transaction_id, l.line_no`;
}

/**
 * Selects the total of the lines that are shown for the position's day, up to and including the position. The opening
 * balance is this total plus the balance of the day before.
 */
export function sameDaySql(ask: RegisterAsk, place: Place): Runnable<{ amount: number }> {
  return sql`
    select coalesce(sum(l.amount_cents), 0)::bigint as amount
    from journal_line l
    where ${ofAccount(ask)} and l.posting_date = ${place.postingDate}
      and (l.transaction_id, l.line_no) <= (${place.transactionId}::bigint, ${place.lineNo}::integer)
      ${shown(ask)}`;
}

/**
 * Selects the hidden lines in a register's range: both lines of every pair that was reversed on the same date. Their
 * debits equal their credits.
 */
export function hiddenLinesSql(ask: RegisterAsk): Runnable<{ lines: number; amount: Cents }> {
  return sql`
    select (2 * count(*))::bigint as lines, coalesce(sum(abs(l.amount_cents)), 0)::bigint as amount
    from journal_line l
    join journal_line o on o.company_id = ${COMPANY} and o.id = l.reverses and o.posting_date = l.posting_date
    where ${ofAccount(ask)} and l.reverses is not null
      ${dated(ask)}`;
}

/** Selects the debits and credits of all lines in the range (both positive), and the date of the last line. */
export function movedSql(ask: LinesAsk): Runnable<{ debits: Cents; credits: Cents; last: IsoDate | null }> {
  return sql`
    select coalesce(sum(l.amount_cents) filter (where l.amount_cents > 0), 0)::bigint as debits,
      coalesce(-sum(l.amount_cents) filter (where l.amount_cents < 0), 0)::bigint as credits,
      max(l.posting_date) as last
    from journal_line l
    where ${ofAccount(ask)}
      ${dated(ask)}`;
}
