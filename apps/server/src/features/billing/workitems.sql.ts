import { MOST_ITEMS } from '@evenkeel/contract/workitems';
import type { Cents } from '@evenkeel/core/money';
import { ON_HOLD } from '@evenkeel/core/documents/invoice';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { pageClauses, type PageRequest, searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable, takeIds } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { type FactsWanted, type InvoiceFacts, LINE_COLUMNS, type LineRow, selectFacts } from './invoices.sql.ts';

/** SQL statements for work items. */

export const workItems = table('work_item', {
  id: 'id',
  customerId: 'entity_id',
  workitemDate: 'work_date',
  dueDate: 'due_date',
  ...LINE_COLUMNS,
  totalAmount: 'total_cents',
  invoiceLineId: 'invoice_line_id',
  entryDate: 'entry_date',
  rowVersion: 'row_version',
}).typed<Pick<LineRow, 'parts' | 'discountTerms'>>();

/** A work item with the names of its records and its invoice. Decimals are text. */
export interface ItemRow extends RowOf<typeof workItems> {
  customerDisplayName: string;
  isCustomerGone: boolean;
  productName: string | null;
  invoiceId: number | null;
  invoiceNumber: string | null;
}

const NAMED = sql`${workItems.columns('w')}, e.displayname as "customerDisplayName", e.deleted as "isCustomerGone",
  coalesce(p.name, k.name, d.name) as "productName", i.id as "invoiceId", i.document_number as "invoiceNumber"`;
const JOINED = sql`
  join entity e on e.company_id = ${COMPANY} and e.id = w.entity_id
  left join product p on p.company_id = ${COMPANY} and p.id = w.product_id
  left join package k on k.company_id = ${COMPANY} and k.id = w.package_id
  left join discount d on d.company_id = ${COMPANY} and d.id = w.discount_id
  left join invoice_line l on l.company_id = ${COMPANY} and l.id = w.invoice_line_id
  left join document i on i.company_id = ${COMPANY} and i.id = l.invoice_id`;

/** Returns one work item. */
export function selectItem(id: number): Runnable<ItemRow> {
  return sql<ItemRow>`select ${NAMED} from work_item w ${JOINED} where w.company_id = ${COMPANY} and w.id = ${id}`;
}

/**
 * Locks a work item. Read the item only after it is locked. Otherwise, a request that had to wait for the lock would
 * miss an invoice created in the meantime.
 */
export function lockItem(id: number): Runnable<unknown> {
  return workItems.find({ id }, { lock: 'for no key update' });
}

/** Returns the ID of a new work item. */
export function takeItemId(): Runnable<{ ids: number[] }> {
  return sql<{ ids: number[] }>`select ${takeIds('work_item_id_seq', 1)} as ids`;
}

/** Returns the data that is needed to create work items, and the new IDs. */
export function selectItemFacts(wanted: FactsWanted, count: number): RawBuilder<InvoiceFacts & { itemIds: number[] }> {
  return sql`select f.*, ${takeIds('work_item_id_seq', count)} as "itemIds" from (${selectFacts(wanted)}) f`;
}

const BILLING_ORDER = sql`order by w.service_date, w.id`;

/** Returns the billable work items, grouped by customer in name order. */
export function selectBillable(): Runnable<ItemRow & { isOnHold: boolean }> {
  return sql<ItemRow & { isOnHold: boolean }>`
    select ${NAMED}, exists (
      select from document h where h.company_id = ${COMPANY} and h.side = ${RECEIVABLE.name}
        and h.entity_id = w.entity_id and h.status = ${ON_HOLD} and h.open_cents <> 0 and not h.deleted) as "isOnHold"
    from work_item w ${JOINED} where w.company_id = ${COMPANY} and w.invoice_line_id is null
    order by lower(e.displayname), w.entity_id, w.service_date, w.id`;
}

/**
 * Locks and returns a customer's unbilled work items. A request that waited for the lock gets only those that are still
 * unbilled.
 */
export function lockBillable(customerId: number, ids: readonly number[] | undefined): Runnable<ItemRow> {
  return sql<ItemRow>`
    select ${NAMED} from work_item w ${JOINED}
    where w.company_id = ${COMPANY} and w.entity_id = ${customerId} and w.invoice_line_id is null
      and ${named(ids)} ${BILLING_ORDER} limit ${sql.lit(MOST_ITEMS)} for no key update of w`;
}

const named = (ids: readonly number[] | undefined): RawBuilder<unknown> =>
  ids === undefined ? sql`true` : sql`w.id = any(${ids}::bigint[])`;

/** Returns the latest invoice that bills work items of the customer, if any. */
export interface BilledRow {
  customer: string;
  invoiceId: number | null;
  invoiceNumber: string;
  billedById: number | null;
  billedAt: string;
}

export function billedAlready(customerId: number, ids: readonly number[] | undefined): Runnable<BilledRow> {
  return sql<BilledRow>`
    select e.displayname as customer, x.*
    from entity e left join lateral (
      select i.id as "invoiceId", i.document_number as "invoiceNumber",
        a.user_id as "billedById",
        to_char(coalesce(a.at, now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "billedAt"
      from work_item w
      join invoice_line l on l.company_id = ${COMPANY} and l.id = w.invoice_line_id
      join document i on i.company_id = ${COMPANY} and i.id = l.invoice_id
      left join audit_log a on a.company_id = ${COMPANY} and a.subject_type = i.kind and a.subject_id = i.id
        and a.action = 'create'
      where w.company_id = ${COMPANY} and w.entity_id = ${customerId} and ${named(ids)}
      order by l.id desc limit 1) x on true
    where e.company_id = ${COMPANY} and e.id = ${customerId} and e.kind = 0`;
}

/** Links lines to the work items that they bill. */
export function linkItems(lines: readonly LineRow[]): Runnable<unknown>[] {
  const billed = lines.filter(({ workItemId }) => workItemId !== null);
  if (billed.length === 0) return [];
  const [items, own] = [billed.map(({ workItemId }) => workItemId), billed.map(({ id }) => id)];
  return [
    sql`
      update work_item w set invoice_line_id = r.line, row_version = w.row_version + 1
      from unnest(${items}::bigint[], ${own}::bigint[]) as r (id, line)
      where w.company_id = ${COMPANY} and w.id = r.id`,
  ];
}

/**
 * Makes the work items on removed lines unbilled. If another line bills one of them again, the item is linked to that
 * line.
 */
export function moveWorkItems(stored: readonly LineRow[], kept: readonly LineRow[]): Runnable<unknown>[] {
  const still = new Set(kept.map(({ workItemId }) => workItemId));
  const ids = stored.flatMap(({ workItemId }) => (workItemId === null || still.has(workItemId) ? [] : [workItemId]));
  const before = new Set(stored.map(({ workItemId }) => workItemId));
  const taken = linkItems(kept.filter(({ workItemId }) => !before.has(workItemId)));
  if (ids.length === 0) return taken;
  return [workItems.update({ id: ids }, { invoiceLineId: null, rowVersion: sql`row_version + 1` }), ...taken];
}

/** Locks the work items that a reopened invoice would bill again, in the same order in which billing locks them. */
export function lockFreed(invoiceId: number): Runnable<unknown> {
  return sql`
    select w.id from work_item w
    where w.company_id = ${COMPANY} and w.id = any(array(
      select l.freed_item_id from invoice_line l
      where l.company_id = ${COMPANY} and l.invoice_id = ${invoiceId} and not l.deleted
        and l.freed_item_id is not null))
    ${BILLING_ORDER} for no key update`;
}

export interface ListFilter extends PageRequest {
  q?: string | undefined;
  status?: 'open' | 'billed' | 'all' | undefined;
  customerId?: number | undefined;
}

const CUSTOMER = { expression: sql`lower(e.displayname)`, type: 'text' } as const;
const COLUMNS = {
  customerDisplayName: CUSTOMER,
  displayName: { expression: sql`lower(w.description)`, type: 'text' },
  serviceDate: { expression: sql`w.service_date`, type: 'date' },
  itemPrice: { expression: sql`w.item_price_cents`, type: 'bigint' },
  quantity: { expression: sql`(w.quantity * 1000000)::bigint`, type: 'bigint' },
  totalAmount: { expression: sql`w.total_cents`, type: 'bigint' },
  invoiceNumber: { expression: sql`coalesce(lpad(i.document_number, 20, '0'), '')`, type: 'text' },
} as const;

const OF_STATUS = {
  open: sql`and w.invoice_line_id is null`,
  billed: sql`and w.invoice_line_id is not null`,
  all: sql``,
};

function matching({ q, status = 'open', customerId }: ListFilter): RawBuilder<unknown> {
  const ofCustomer = customerId === undefined ? sql`` : sql`and w.entity_id = ${customerId}`;
  const searched = searchClause(q, {
    texts: [sql`e.displayname`, sql`w.description`, sql`coalesce(p.name, k.name, d.name, '')`],
    dates: [sql`w.service_date`],
    amounts: [sql`w.total_cents`, sql`w.item_price_cents`],
  });
  return sql`from work_item w ${JOINED} where w.company_id = ${COMPANY} ${OF_STATUS[status]} ${ofCustomer} ${searched}`;
}

export interface ListRow extends ItemRow {
  sortKey: string;
}

/** Lists work items by customer. */
export function selectItems(filter: ListFilter): Runnable<ListRow> {
  const page = pageClauses(filter, COLUMNS, { id: sql`w.id`, initial: CUSTOMER });
  return sql<ListRow>`
    select ${NAMED}, ${page.key} ${matching(filter)} ${page.after} ${page.orderBy} ${page.limit}`;
}

/** Returns the number of work items and customers, and the total amount. */
export function countItems(filter: ListFilter): Runnable<{ total: number; customers: number; totalAmount: Cents }> {
  return sql`
    select count(*) as total, count(distinct w.entity_id) as customers,
      coalesce(sum(w.total_cents), 0)::bigint as "totalAmount" ${matching(filter)}`;
}
