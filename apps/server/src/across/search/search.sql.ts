import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { AmountRange, Mistyped, Search, Term } from '@evenkeel/core/words/search';
import type { Side, SourceType } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable, VARIES } from '../../platform/db/query.ts';
import { MOVES_MONEY } from '../../books/documents/waivers.sql.ts';
import { holdsText } from '../../platform/db/search.ts';
import { owedSql } from '../../books/ledger/owed.sql.ts';

/** SQL statements for the search over all records. */

/** A search entry that was found. */
export interface Found {
  kind: number;
  id: number;
}

export const MOST_RESULTS = 50;
/** The maximum number of matches that are ranked completely. */
const MOST_RANKED = 1000;
/** If there are more matches, only the newest entries of each kind are searched, at most this many. */
const NEWEST = 300;

/**
 * The highest Unicode character. A prefix search uses the range from the text itself to the text followed by this
 * character.
 */
const HIGHEST = String.fromCodePoint(0x10_ffff);

/**
 * Returns whether an entry `s` of one of the given kinds matches a term. Dates are compared in the format of their
 * index, so that PostgreSQL can combine that index with the word index.
 */
function meets({ texts, amount, days }: Term, { kinds, common }: FoundAmong): RawBuilder<unknown> {
  const conditions = texts.map((text) => holdsText(text, common));
  if (amount !== undefined) conditions.push(...amountConditions(amount));
  if (days !== undefined) {
    conditions.push(sql`(s.company_id = ${COMPANY} and s.kind = any(${kinds}::smallint[])
      and s.is_open = any('{true,false}'::boolean[]) and s.day between ${days.from} and ${days.to})`);
  }
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** A credit can also be found by its positive amount. */
function amountConditions({ from, to }: AmountRange): RawBuilder<unknown>[] {
  const within = (low: RawBuilder<unknown>, high: RawBuilder<unknown>) => sql`(s.company_id = ${COMPANY}
      and s.amount_cents ${low} and s.amount_cents ${high})`;
  if (from === undefined) return [within(sql`>= 0`, sql`<= ${to ?? 0}::bigint`)];
  if (to === undefined) return [within(sql`>= ${from}::bigint`, sql`is not null`)];
  return [
    within(sql`>= ${from}::bigint`, sql`<= ${to}::bigint`),
    within(sql`>= ${-to}::bigint`, sql`<= ${-from}::bigint`),
  ];
}

/** The kinds to search, and the terms that are too common for the index. */
export interface FoundAmong {
  kinds: readonly number[];
  /** The kind for accounts. An account's entry starts with its number and then has its name. */
  account: number;
  common: ReadonlySet<string>;
}

/**
 * Returns the first entries of the given kinds that match every term. An exact number or name comes first, followed by
 * entries or words that begin with the text, open records before paid ones, names before dated records, and newer
 * records before older ones. Up to a thousand entries are ranked completely. If there are more matches, only the
 * entries that begin with the text and the newest of each kind are ranked, so that searching for a common word costs no
 * more than searching for a rare word.
 */
export function selectFound({ whole, terms }: Search, among: FoundAmong): Runnable<Found> {
  const { kinds, account } = among;
  const all = sql.join(
    terms.map((term) => meets(term, among)),
    sql` and `,
  );
  const columns = sql`s.kind, s.id, s.key, s.is_open, s.day`;
  const ofKinds = sql`s.company_id = ${COMPANY} and s.kind = any(${kinds}::smallint[])`;
  const areMany = sql`(select count(*) from met) > ${sql.lit(MOST_RANKED)}`;
  return sql<Found>`${VARIES}
    with met as materialized (
      select ${columns} from search_entry s where ${ofKinds} and ${all} limit ${sql.lit(MOST_RANKED + 1)}),
    found as (
      select * from met
      union
      (select ${columns} from search_entry s
        where ${ofKinds} and s.key >= ${whole} and s.key < ${whole + HIGHEST} and ${all} and ${areMany}
        order by s.key limit ${sql.lit(MOST_RESULTS)})
      union
      (select ${columns} from unnest(${kinds}::smallint[]) k (kind) cross join lateral (
          select * from search_entry s where s.company_id = ${COMPANY} and s.kind = k.kind
          order by s.is_open desc, s.day desc, s.id desc limit ${sql.lit(NEWEST)}) s
        where ${all} and ${areMany}))
    select f.kind, f.id from found f
    order by case when f.key = ${whole} or (f.kind = ${account}::smallint and starts_with(f.key, ${`${whole} `})) then 0
        when position(${` ${whole}`} in ' ' || f.key) > 0 then 1 else 2 end,
      f.is_open desc, f.day desc, f.kind, f.id desc
    limit ${sql.lit(MOST_RESULTS)}`;
}

const MOST_LOOKED_AT = 200;

/** Returns words that a mistyped word could mean, from the names of records of the given kinds. */
export function selectMeant(
  { halves, meant }: Mistyped,
  { kinds, common }: Pick<FoundAmong, 'kinds' | 'common'>,
): Runnable<{ words: string }> {
  const [start, rest] = halves.map((half) => holdsText(half, common));
  return sql`${VARIES}
    select s.words from search_entry s
    where s.company_id = ${COMPANY} and s.kind = any(${kinds}::smallint[])
      and (${start} or ${rest}) and s.words ~ ${`(^| )${meant}`}
    limit ${sql.lit(MOST_LOOKED_AT)}`;
}

/** A customer or vendor in a search result. The balance is the open balance less unapplied credit. */
export interface NamedRow {
  id: number;
  name: string;
  email: string;
  phone: string;
  balance: Cents;
  besides: string[];
}

export function selectEntities(side: Side, ids: readonly number[]): Runnable<NamedRow> {
  return sql`
    select e.id, e.displayname as name, e.email_address as email,
      coalesce(e.details ->> 'primaryContactPhone', '') as phone,
      coalesce((select owed.balance from (${owedSql(side, sql`e.id`)}) owed), 0)::bigint as balance,
      array[e.name, e.account_number, coalesce(e.details ->> 'dba', ''),
        coalesce(e.details ->> 'primaryContactName', '')] as besides
    from entity e where e.company_id = ${COMPANY} and e.id = any(${ids}::bigint[])`;
}

/** A document or payment in a search result. `left` is the amount left to pay or apply. */
export interface DatedRow {
  id: number;
  kind: SourceType;
  number: string;
  name: string;
  day: IsoDate;
  amount: Cents;
  left: Cents;
  isDraft: boolean;
  besides: string[];
}

export function selectDocuments(ids: readonly number[]): Runnable<DatedRow> {
  return sql`
    select d.id, d.kind, d.document_number as number, e.displayname as name,
      coalesce(d.invoice_date, d.document_date) as day, d.total_cents as amount, d.open_cents as "left",
      d.is_draft as "isDraft", '{}'::text[] as besides
    from document d join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY} and d.id = any(${ids}::bigint[])`;
}

export function selectPaid({ name, payment }: Side, ids: readonly number[]): Runnable<DatedRow> {
  return sql`
    select p.id, ${payment.source} as kind, p.payment_number as number, e.displayname as name, p.payment_date as day,
      p.amount_cents as amount, p.unapplied_cents as "left", false as "isDraft",
      array[p.reference_number, p.check_number, p.description] as besides
    from payment p join entity e on e.company_id = ${COMPANY} and e.id = p.entity_id
    where p.company_id = ${COMPANY} and p.side = ${name} and p.id = any(${ids}::bigint[])
      and ${MOVES_MONEY}`;
}

/** A product or package deal in a search result. A package's price is the total of its products. */
export interface OfferedRow {
  id: number;
  name: string;
  description: string;
  price: Cents | null;
  besides: string[];
}

export function selectProducts(ids: readonly number[]): Runnable<OfferedRow> {
  return sql`
    select p.id, p.name, p.description, p.sales_price_cents as price, array[p.version] as besides
    from product p where p.company_id = ${COMPANY} and p.id = any(${ids}::bigint[])`;
}

export function selectPackages(ids: readonly number[]): Runnable<OfferedRow> {
  return sql`
    select k.id, k.name, k.description, null::bigint as price, '{}'::text[] as besides
    from package k where k.company_id = ${COMPANY} and k.id = any(${ids}::bigint[])`;
}

export interface JournalRow {
  id: number;
  description: string;
  day: IsoDate;
  amount: Cents;
  besides: string[];
}

export function selectJournals(kind: number, ids: readonly number[]): Runnable<JournalRow> {
  return sql`
    select t.id, t.description, t.posting_date as day, s.amount_cents as amount,
      array(select distinct l.description from journal_line l
        where l.company_id = ${COMPANY} and l.transaction_id = t.id) as besides
    from journal_transaction t
    join search_entry s on s.company_id = ${COMPANY} and s.kind = ${kind}::smallint and s.id = t.id
    where t.company_id = ${COMPANY} and t.id = any(${ids}::bigint[])`;
}

export interface AccountRow {
  id: number;
  number: string;
  name: string;
  type: string;
  besides: string[];
}

export function selectAccounts(ids: readonly number[]): Runnable<AccountRow> {
  return sql`
    select a.id, a.account_number as number, a.account_name as name, a.account_type as type,
      array[a.account_number, a.description] as besides
    from account a where a.company_id = ${COMPANY} and a.id = any(${ids}::bigint[])`;
}

export interface WorkRow {
  id: number;
  description: string;
  name: string;
  day: IsoDate;
  amount: Cents;
  besides: string[];
}

export function selectWork(ids: readonly number[]): Runnable<WorkRow> {
  return sql`
    select w.id, w.description, e.displayname as name, w.service_date as day, w.total_cents as amount,
      '{}'::text[] as besides
    from work_item w join entity e on e.company_id = ${COMPANY} and e.id = w.entity_id
    where w.company_id = ${COMPANY} and w.id = any(${ids}::bigint[])`;
}

/** A template in a search result. The name is empty if the template has no customer or vendor. */
export interface TemplateRow {
  id: number;
  template: string;
  name: string;
  next: IsoDate | null;
  paused: boolean;
  amount: Cents;
  besides: string[];
}

export function selectScheduled(ids: readonly number[]): Runnable<TemplateRow> {
  return sql`
    select t.id, t.name as template, coalesce(e.displayname, '') as name, t.next_date as next, t.paused,
      t.amount_cents as amount, '{}'::text[] as besides
    from template t left join entity e on e.company_id = ${COMPANY} and e.id = t.entity_id
    where t.company_id = ${COMPANY} and t.id = any(${ids}::bigint[])`;
}
