import type { CustomerRow } from '@evenkeel/contract/entities';
import type { Cents } from '@evenkeel/core/money';
import { type RawBuilder, sql } from 'kysely';
import { containsPattern, pageClauses, type PageRequest } from '../db/page.ts';
import { COMPANY, type Runnable } from '../db/query.ts';

/** Statements on customers alone: the list, and what each owes. */

export interface CustomerAsk extends PageRequest {
  q?: string | undefined;
}

export interface ListedCustomer extends CustomerRow {
  sortKey: string;
}

const DISPLAY_NAME = { expression: sql`lower(e.displayname)`, type: 'text' } as const;
const SORTS = {
  displayname: DISPLAY_NAME,
  emailAddress: { expression: sql`lower(e.email_address)`, type: 'text' },
} as const;
/** Amounts are sorted by only where they are seen. */
const SORTS_WITH_BALANCE = {
  ...SORTS,
  currentbalance: { expression: sql`coalesce(b.balance, 0)`, type: 'bigint' },
} as const;

function found({ q }: CustomerAsk): RawBuilder<unknown> {
  const pattern = q === undefined || q.trim() === '' ? undefined : containsPattern(q.trim());
  return sql`from entity e where e.company_id = ${COMPANY} and e.kind = 0 and not e.deleted
    ${pattern === undefined ? sql`` : sql`and (e.displayname ilike ${pattern} or e.email_address ilike ${pattern})`}`;
}

/**
 * What customers owe: unpaid amounts of their invoices in the ledger less the credit left on their payments, cents.
 * `of` narrows it to one customer.
 */
function owedSql(of?: RawBuilder<unknown>): RawBuilder<unknown> {
  const one = of === undefined ? sql`` : sql`and entity_id = ${of}`;
  return sql`
    select entity_id, sum(cents)::bigint as balance from (
      select entity_id, open_cents as cents from document
        where company_id = ${COMPANY} and side = 'receivable' and not deleted and open_cents <> 0
          and status between 2 and 4 ${one}
      union all
      select entity_id, -unapplied_cents from payment
        where company_id = ${COMPANY} and side = 'receivable' and not deleted and unapplied_cents > 0 ${one}) x
    group by entity_id`;
}

const shown = sql`
  e.id, e.displayname, e.email_address as "emailAddress",
  coalesce(e.details ->> 'primaryContactPhone', '') as "primaryContactPhone"`;

const taxed = sql`, e.sales_tax_scenario_id as "salesTaxScenarioId", e.tax_exempt as "taxExempt"`;

/** What of a customer the list answers besides its names. */
export interface CustomerColumns {
  withTax: boolean;
  withBalance: boolean;
}

/** The customers that are asked for, one more than `limit`; balances, and sorting by them, only when wanted. */
export function listSql(ask: CustomerAsk, { withTax, withBalance }: CustomerColumns): Runnable<ListedCustomer> {
  const isSortedByBalance = withBalance && ask.sort?.toLowerCase() === 'currentbalance';
  const facts = withTax ? sql`${shown}${taxed}` : shown;
  const columns = withBalance ? SORTS_WITH_BALANCE : SORTS;
  const page = pageClauses(ask, columns, { id: sql`e.id`, initial: DISPLAY_NAME });
  const matching = sql`from (select e.* ${found(ask)}) e`;
  const rest = sql`where true ${page.after} ${page.orderBy} ${page.limit}`;
  if (!withBalance) return sql<ListedCustomer>`select ${facts}, ${page.key} ${matching} ${rest}`;
  if (isSortedByBalance || ask.limit === undefined) {
    return sql<ListedCustomer>`
      select ${facts}, ${page.key}, coalesce(b.balance, 0) as currentbalance
      ${matching} left join (${owedSql()}) b on b.entity_id = e.id ${rest}`;
  }
  // Only what the page's own customers owe is added up.
  return sql<ListedCustomer>`
    select e.*, coalesce(b.balance, 0) as currentbalance
    from (select ${facts}, ${page.key}, row_number() over (${page.orderBy}) as place ${matching} ${rest}) e
    left join lateral (${owedSql(sql`e.id`)}) b on true order by e.place`;
}

export function countSql(ask: CustomerAsk): Runnable<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total ${found(ask)}`;
}

export function balanceSql(id: number): Runnable<{ balance: Cents }> {
  return sql<{ balance: Cents }>`select balance from (${owedSql(sql`${id}`)}) b`;
}
