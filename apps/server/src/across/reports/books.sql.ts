import type { IsoDate } from '@evenkeel/core/dates';
import type { DimensionFilter } from '@evenkeel/core/reports/report';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { changedSince, type Past } from '../../books/past.sql.ts';
import { type Known, totalsOf, withLines } from '../../books/ledger/balances.sql.ts';

/** An account in reports. Inactive accounts are included, because every balance must be shown. */
export interface BooksAccount {
  id: number;
  number: string;
  name: string;
  type: string;
  contra: boolean;
  category: string;
}

export function booksAccountsSql(): Runnable<BooksAccount> {
  return sql<BooksAccount>`
    select a.id, a.account_number as number, a.account_name as name, a.account_type as type, a.contra,
      c.category_name as category
    from account a
    join account_category c on c.company_id = ${COMPANY} and c.id = a.category_id
    where a.company_id = ${COMPANY}`;
}

export function companyNameSql(): Runnable<{ name: string }> {
  return sql`select displayname as name from company where company_id = ${COMPANY}`;
}

export type Dimension = 'profit_center' | 'location';

/** Returns the profit center or location in a report filter, active or inactive. */
export function dimensionSql(table: Dimension, id: number): Runnable<DimensionFilter> {
  return sql`select id, name from ${sql.table(table)} where company_id = ${COMPANY} and id = ${id}`;
}

/** Returns the profit centers or locations on any line in a range, sorted by name. */
export function usedDimensionsSql(
  table: Dimension,
  range: { from: IsoDate; to: IsoDate } & Known,
): Runnable<DimensionFilter> {
  const column = sql.ref(`${table}_id`);
  return sql`
    select d.id, d.name from ${sql.table(table)} d
    where d.company_id = ${COMPANY} and d.id in (
      select ${column} from (${totalsOf(range)}) total group by 1 ${withLines})
    order by lower(d.name), d.id`;
}

/** Returns the name of the customer on a statement. */
export function customerNameSql(id: number): Runnable<{ name: string }> {
  return sql`select displayname as name from entity where company_id = ${COMPANY} and id = ${id} and kind = 0`;
}

/** A date and time in the company's time zone. */
export interface KnownAt extends Past {
  /** Text such as "5/15/2026 9:00 AM". */
  words: string;
  /**
   * The first whole minute from which earlier versions of documents are stored, such as "5/15/2026 9:00 AM". Null
   * unless the given time is before that.
   */
  versionsFrom: string | null;
}

/**
 * Finds the last transaction that was posted by a given date and time. A date without a time means the end of that day.
 * A time without a zone is in the company's time zone. Reads backward from the newest transaction, so the cost depends
 * on how many transactions were posted after that time.
 */
export function knownAtSql(moment: string): Runnable<KnownAt> {
  const isDate = moment.length === 10;
  const local = sql`${moment}::timestamp${isDate ? sql` + interval '1 day'` : sql``}`;
  const at = moment.endsWith('Z') ? sql`${moment}::timestamptz` : sql`(${local}) at time zone c.time_zone`;
  const words = isDate
    ? sql`'the end of ' || to_char(${moment}::date, 'FMMM/FMDD/YYYY')`
    : sql`to_char(m.at at time zone c.time_zone, 'FMMM/FMDD/YYYY FMHH12:MI AM')`;
  return sql<KnownAt>`
    select ${words} as words, m.before::text as before, ${changedSince(sql`m.before`)} as changed,
      case when m.at < c.past_since then to_char(
        date_trunc('minute', c.past_since + interval '59.999999 seconds') at time zone c.time_zone,
        'FMMM/FMDD/YYYY FMHH12:MI AM') end as "versionsFrom", coalesce((
      select t.id from journal_transaction t
      where t.company_id = ${COMPANY} and t.created_at ${isDate ? sql`<` : sql`<=`} m.at
      order by t.id desc limit 1), 0) as through
    from company c, lateral (
      select n.at, n.at${isDate ? sql`` : sql` + interval '1 microsecond'`} as before from (select ${at} as at) n) m
    where c.company_id = ${COMPANY}`;
}
