import type { EntityRow } from '@evenkeel/contract/entities';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { Side } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { pageClauses, type PageRequest, searchClause, type SortColumn } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { controlBalance } from '../../books/ledger/balances.sql.ts';
import { among } from '../../platform/db/search.ts';

/** Statements on the customers or vendors of a company together: the list, and what is owed by or to each. */

export interface EntityAsk extends PageRequest {
  q?: string | undefined;
  /** Deactivated ones too. */
  withInactive: boolean;
  /** Its search is narrowed to these. */
  ids?: readonly number[] | undefined;
}

export interface ListedEntity extends EntityRow {
  sortKey: string;
}

const DISPLAY_NAME: SortColumn = { expression: sql`lower(e.displayname)`, type: 'text' };
const DBA = sql`coalesce(e.details ->> 'dba', '')`;
const PHONE = sql`coalesce(e.details ->> 'primaryContactPhone', '')`;
const SORTS: Record<string, SortColumn> = {
  displayname: DISPLAY_NAME,
  dba: { expression: sql`lower(${DBA})`, type: 'text' },
  emailAddress: { expression: sql`lower(e.email_address)`, type: 'text' },
  phone: { expression: PHONE, type: 'text' },
};
/** Amounts are sorted by only where they are seen. */
const SORTS_WITH_BALANCE: Record<string, SortColumn> = {
  ...SORTS,
  currentbalance: { expression: sql`coalesce(b.balance, 0)`, type: 'bigint' },
};

function found({ entityKind }: Side, { q, withInactive, ids }: EntityAsk): RawBuilder<unknown> {
  return sql`from entity e where e.company_id = ${COMPANY} and e.kind = ${entityKind}
    ${withInactive ? sql`` : sql`and not e.deleted`} ${among(sql`e.id`, ids)}
    ${searchClause(q, { texts: [], lowered: [sql`e.search_text`] })}`;
}

/**
 * The balances of customers or vendors: unpaid amounts of their documents in the ledger less the credit left on
 * their payments, cents. `of` narrows it to one.
 */
export function owedSql({ name: side }: Side, of?: RawBuilder<unknown>): RawBuilder<unknown> {
  const one = of === undefined ? sql`` : sql`and entity_id = ${of}`;
  return sql`
    select entity_id, sum(cents)::bigint as balance from (
      select entity_id, open_cents as cents from document
        where company_id = ${COMPANY} and side = ${side} and not deleted and open_cents <> 0
          and is_posted ${one}
      union all
      select entity_id, -unapplied_cents from payment
        where company_id = ${COMPANY} and side = ${side} and not deleted and unapplied_cents > 0 ${one}) x
    group by entity_id`;
}

/** Columns of the list besides names. */
export interface EntityColumns {
  /** Adds the fields that decide the tax and due date of a document. */
  withTerms: boolean;
  withBalance: boolean;
}

/** The columns of a row of a list (of `entity e`), balances apart. */
export function shownColumns({
  withInactive,
  withTerms,
}: Pick<EntityAsk, 'withInactive'> & Pick<EntityColumns, 'withTerms'>): RawBuilder<unknown> {
  return sql`
    e.id, e.displayname, ${DBA} as dba, e.email_address as "emailAddress",
    ${PHONE} as "primaryContactPhone"
    ${withInactive ? sql`, e.deleted` : sql``}
    ${
      withTerms
        ? sql`, e.sales_tax_scenario_id as "salesTaxScenarioId", e.tax_exempt as "taxExempt",
            e.terms_days as "termsDays", e.discount_percent::float8 as "discountPercent",
            e.discount_days as "discountDays"`
        : sql``
    }`;
}

/** Those that are asked for, one more than `limit`; balances, and sorting by them, only when wanted. */
export function listSql(side: Side, ask: EntityAsk, wanted: EntityColumns): Runnable<ListedEntity> {
  const { withBalance } = wanted;
  const isSortedByBalance = withBalance && ask.sort?.toLowerCase() === 'currentbalance';
  const facts = shownColumns({ ...ask, ...wanted });
  const columns = withBalance ? SORTS_WITH_BALANCE : SORTS;
  const page = pageClauses(ask, columns, { id: sql`e.id`, initial: DISPLAY_NAME });
  const matching = sql`from (select e.* ${found(side, ask)}) e`;
  const rest = sql`where true ${page.after} ${page.orderBy} ${page.limit}`;
  if (!withBalance) return sql<ListedEntity>`select ${facts}, ${page.key} ${matching} ${rest}`;
  if (isSortedByBalance || ask.limit === undefined) {
    return sql<ListedEntity>`
      select ${facts}, ${page.key}, coalesce(b.balance, 0) as currentbalance
      ${matching} left join (${owedSql(side)}) b on b.entity_id = e.id ${rest}`;
  }
  // Only what the page's own customers or vendors owe is added up.
  return sql<ListedEntity>`
    select e.*, coalesce(b.balance, 0) as currentbalance
    from (select ${facts}, ${page.key}, row_number() over (${page.orderBy}) as place ${matching} ${rest}) e
    left join lateral (${owedSql(side, sql`e.id`)}) b on true order by e.place`;
}

/** The number of a list's customers or vendors, and what is owed by or to them, in cents. */
export interface EntityCount {
  total: number;
  /** Absent for who may not see it. */
  currentbalance?: Cents;
  /** Owed by or to those that were deactivated and are left out; only of a whole list, as are the next two. */
  inactiveAmount?: Cents;
  /** The control accounts up to today, and after it. */
  owed?: Cents;
  later?: Cents;
}

/** The number of entities, and their total balance where the caller may see it. */
export function countSql(
  side: Side,
  ask: EntityAsk,
  { withBalance, today }: EntityColumns & { today: IsoDate },
): Runnable<EntityCount> {
  if (!withBalance) return sql<EntityCount>`select count(*) as total ${found(side, ask)}`;
  if ((ask.q ?? '').trim() === '') {
    return sql<EntityCount>`
      select o.total, o."inactiveAmount", (o.owed_by_all - o."inactiveAmount")::bigint as currentbalance,
        ${controlBalance(side, { to: today })} as owed, ${controlBalance(side, { from: addDays(today, 1) })} as later
      from (
        select (select count(*) ${found(side, ask)}) as total, (${owedByAll(side)})::bigint as owed_by_all,
          ${ask.withInactive ? sql`0::bigint` : owedByInactive(side)} as "inactiveAmount") o`;
  }
  return sql<EntityCount>`
    select count(*) as total, coalesce(sum(b.balance), 0)::bigint as currentbalance
    from (select e.id ${found(side, ask)}) e
    left join (${owedSql(side, ask.ids === undefined ? undefined : sql`any(${ask.ids}::bigint[])`)}) b
      on b.entity_id = e.id`;
}

/** The balance of those that were deactivated, one by one. */
function owedByInactive(side: Side): RawBuilder<unknown> {
  return sql`(
    select coalesce(sum(b.balance), 0)::bigint from entity e
    cross join lateral (${owedSql(side, sql`e.id`)}) b
    where e.company_id = ${COMPANY} and e.kind = ${side.entityKind} and e.deleted)`;
}

/** The total balance from the kept sums, whatever their number. */
function owedByAll(side: Side): RawBuilder<unknown> {
  return sql`
    (select coalesce(sum(open_cents), 0) from document_open_sum
      where company_id = ${COMPANY} and side = ${side.name} and not is_draft)
    - (select coalesce(sum(unapplied_cents), 0) from payment
      where company_id = ${COMPANY} and side = ${side.name} and not deleted and unapplied_cents > 0)`;
}

/** The balance of one customer or vendor. */
export function balanceSql(side: Side, id: number): Runnable<{ balance: Cents }> {
  return sql<{ balance: Cents }>`select balance from (${owedSql(side, sql`${id}`)}) b`;
}
