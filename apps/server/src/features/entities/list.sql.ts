import type { EntityRow } from '@evenkeel/contract/entities';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { Side } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { pageClauses, type PageRequest, searchClause, type SortColumn } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { controlBalance } from '../../books/ledger/balances.sql.ts';
import { owedSql } from '../../books/ledger/owed.sql.ts';
import { among } from '../../platform/db/search.ts';

/** SQL statements for the lists of customers and vendors, and their balances. */

export interface EntityAsk extends PageRequest {
  q?: string | undefined;
  /** Whether to include inactive entities. */
  withInactive: boolean;
  /** The IDs that the search found. The list is limited to these entities. */
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
/** Lists can be sorted by balance only if the user can see balances. */
const SORTS_WITH_BALANCE: Record<string, SortColumn> = {
  ...SORTS,
  currentbalance: { expression: sql`coalesce(b.balance, 0)`, type: 'bigint' },
};

function found({ entityKind }: Side, { q, withInactive, ids }: EntityAsk): RawBuilder<unknown> {
  return sql`from entity e where e.company_id = ${COMPANY} and e.kind = ${entityKind}
    ${withInactive ? sql`` : sql`and not e.deleted`} ${among(sql`e.id`, ids)}
    ${searchClause(q, { texts: [], lowered: [sql`e.search_text`] })}`;
}

/** The optional columns of the list. */
export interface EntityColumns {
  /** Adds the fields that determine the tax and due date of a document for this entity. */
  withTerms: boolean;
  withBalance: boolean;
}

/** Returns the columns for a list row (of `entity e`), without balances. */
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
            e.exempt_until as "exemptUntil",
            e.terms_days as "termsDays", e.discount_percent::float8 as "discountPercent",
            e.discount_days as "discountDays"`
        : sql``
    }`;
}

/**
 * Returns the requested entities and one more row than `limit`. Balances are calculated only if they are requested or
 * used for sorting.
 */
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
  // Balances are calculated only for the entities on the page.
  return sql<ListedEntity>`
    select e.*, coalesce(b.balance, 0) as currentbalance
    from (select ${facts}, ${page.key}, row_number() over (${page.orderBy}) as place ${matching} ${rest}) e
    left join lateral (${owedSql(side, sql`e.id`)}) b on true order by e.place`;
}

/** The number of listed customers or vendors and their total balance, in cents. */
export interface EntityCount {
  total: number;
  /** Omitted if the caller can't view balances. */
  currentbalance?: Cents;
  /**
   * The balance of inactive entities, which the list excludes. This field and the next two are set only for a list
   * without a search.
   */
  inactiveAmount?: Cents;
  /** The balance of the control accounts through today, and the amounts after today. */
  owed?: Cents;
  later?: Cents;
}

/** Returns the number of entities, and their total balance if the caller can view it. */
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

/** Returns the balance of inactive entities, which is calculated for each entity separately. */
function owedByInactive(side: Side): RawBuilder<unknown> {
  return sql`(
    select coalesce(sum(b.balance), 0)::bigint from entity e
    cross join lateral (${owedSql(side, sql`e.id`)}) b
    where e.company_id = ${COMPANY} and e.kind = ${side.entityKind} and e.deleted)`;
}

/** Returns the total balance from stored totals, which takes the same time regardless of the number of entities. */
function owedByAll(side: Side): RawBuilder<unknown> {
  return sql`
    (select coalesce(sum(open_cents), 0) from document_open_sum
      where company_id = ${COMPANY} and side = ${side.name} and not is_draft)
    - (select coalesce(sum(unapplied_cents), 0) from payment
      where company_id = ${COMPANY} and side = ${side.name} and not deleted and unapplied_cents > 0)`;
}

/** Returns the balance of one customer or vendor. */
export function balanceSql(side: Side, id: number): Runnable<{ balance: Cents }> {
  return sql<{ balance: Cents }>`select balance from (${owedSql(side, sql`${id}`)}) b`;
}
