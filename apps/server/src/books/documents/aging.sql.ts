import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { AgeBy } from '@evenkeel/core/reports/kinds';
import {
  documentKinds,
  namesOf,
  PAYABLE,
  settledKinds,
  type Side,
  type SourceType,
} from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { MOVES_MONEY } from './waivers.sql.ts';
import { firstPosted } from '../ledger/source.sql.ts';

/**
 * A customer's or vendor's balance on a date, by days past due. Journal entries that name neither are in a row without
 * a customer or vendor.
 */
export interface AgedRow {
  entityId: number | null;
  name: string;
  current: Cents;
  thirty: Cents;
  sixty: Cents;
  ninety: Cents;
}

/**
 * Returns the IDs of all items that were open on a date. These are the items that are open now and the items with later
 * applications, which are a small part of the history. Because the IDs are in an array, PostgreSQL reads them once.
 * With a plain condition, PostgreSQL would read them again for each row.
 */
export function openOrLater(isOpenNow: RawBuilder<unknown>, id: 'document_id' | 'payment_id', asOf: IsoDate) {
  return sql`any(array(
        ${isOpenNow}
        union all
        select a.${sql.ref(id)} from payment_application a
        where a.company_id = ${COMPANY} and a.recognition_date > ${asOf}
        ${id === 'payment_id' ? laterRefunds(asOf) : sql``}))`;
}

/** Payments that were partly refunded after the date, and their refunds. */
const laterRefunds = (asOf: IsoDate) => sql`
        union all
        select unnest(array[f.payment_id, f.refund_id]) from payment_refund f
        where f.company_id = ${COMPANY} and f.recognition_date > ${asOf}`;

/** The amount of a payment `p` that was refunded on or before a date. For a refund, the amount is negative. */
const refundedBy = (asOf: IsoDate) => sql`coalesce((
          select sum(case f.payment_id when p.id then f.amount_cents else -f.amount_cents end) from payment_refund f
          where f.company_id = ${COMPANY} and (f.payment_id = p.id or f.refund_id = p.id)
            and f.recognition_date <= ${asOf}), 0)`;

const JOURNAL = documentKinds.journal.source;

/** Whether a document `d` is posted and owed. A bill that was paid immediately was never owed. */
export const OWED = sql`d.is_posted and d.bank_account_id is null`;

/** The open balance that a document `d` had on a date. */
const openOn = (asOf: IsoDate) => sql`d.total_cents -
        coalesce((select sum(a.amount_cents) from payment_application a where a.company_id = ${COMPANY}
          and a.document_id = d.id and a.recognition_date <= ${asOf}), 0)`;

/** Limits a query to one customer or vendor, if one is given. */
function ofEntity(column: string, entityId: number | undefined): RawBuilder<unknown> {
  return entityId === undefined ? sql`` : sql` and ${sql.ref(column)} = ${entityId}`;
}

/**
 * Returns the documents on a side through a date, by age. Each amount is reduced by the amounts applied by that date.
 * Credits that weren't applied by that date are negative and count as current. Journal lines in the side's control
 * accounts are also current, so that the total equals the balance of these accounts (docs/accounting.md, "Reports").
 */
export function openItems(
  side: Side,
  asOf: IsoDate,
  { entityId, hasDrafts, ageBy, hasNames }: Pick<OpenItemsAsk, 'entityId' | 'hasDrafts' | 'ageBy' | 'hasNames'> = {},
): RawBuilder<unknown> {
  const openDocuments = sql`select o.id from document o where o.company_id = ${COMPANY} and o.side = ${side.name}
          and not o.deleted and (o.open_cents <> 0 or o.is_draft)
          ${ofEntity('o.entity_id', entityId)}`;
  const openPayments = sql`select o.id from payment o where o.company_id = ${COMPANY} and not o.deleted
          and o.unapplied_cents > 0${ofEntity('o.entity_id', entityId)}`;
  return sql`
      select d.entity_id, d.kind as source_type, true as is_document, d.id, d.document_number as number,
        coalesce(d.invoice_date, d.document_date) as dated, d.due_date,
        ${asOf}::date - coalesce(${ageBy === 'invoicedate' ? sql`` : sql`d.due_date, `}d.invoice_date, d.document_date)
        as late, d.total_cents as total,
        case when d.is_draft then 0 else ${openOn(asOf)} end as amount, d.is_draft
      from document d
      where d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted
        and (${hasDrafts === true ? sql`d.is_draft or ` : sql``}${OWED})
        and d.document_date <= ${asOf}${ofEntity('d.entity_id', entityId)}
        and d.id = ${openOrLater(openDocuments, 'document_id', asOf)}
      union all
      select p.entity_id, ${side.payment.source}, false, p.id, p.payment_number, p.payment_date, null, 0,
        -p.amount_cents,
        coalesce((select sum(a.amount_cents - a.waived_cents) from payment_application a
          where a.company_id = ${COMPANY} and a.payment_id = p.id and a.recognition_date <= ${asOf}), 0)
        + ${refundedBy(asOf)} - p.amount_cents, false
      from payment p
      where p.company_id = ${COMPANY} and p.side = ${side.name} and not p.deleted and p.payment_date <= ${asOf}
        ${ofEntity('p.entity_id', entityId)}
        and p.id = ${openOrLater(openPayments, 'payment_id', asOf)}
      union all
      select null, ${JOURNAL}, false, t.id, t.id::text, l.posting_date, null, 0, l.amount_cents * ${side.sign},
        l.amount_cents * ${side.sign}, false
      from journal_line l
      join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
      join account c on c.company_id = ${COMPANY} and c.id = l.account_id
      where l.company_id = ${COMPANY} and l.posting_date <= ${asOf} and l.basis in ('A', 'B')
        and c.account_type = ${side.controlType} and not c.contra and t.source_type = ${JOURNAL}${
          entityId === undefined && hasNames !== true ? sql`` : sql` and false`
        }`;
}

/**
 * The options for an aging report. By default, it covers all customers or vendors, and ages are counted from due dates.
 */
type AgedAsk = Pick<OpenItemsAsk, 'entityId' | 'ageBy'>;

/**
 * Returns the unsorted rows of an aging report. `late` is the number of days since the oldest open document was due.
 */
function aged(side: Side, asOf: IsoDate, which: AgedAsk = {}): RawBuilder<unknown> {
  return sql`
    with open as (${openItems(side, asOf, which)})
    select o.entity_id as "entityId", coalesce(e.displayname, 'Journal entries') as name,
      coalesce(sum(amount) filter (where late <= 0), 0)::bigint as current,
      coalesce(sum(amount) filter (where late between 1 and 30), 0)::bigint as thirty,
      coalesce(sum(amount) filter (where late between 31 and 60), 0)::bigint as sixty,
      coalesce(sum(amount) filter (where late > 60), 0)::bigint as ninety,
      max(late) filter (where amount > 0 and late > 0) as late, lower(e.displayname) as sorted
    from open o
    left join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
    where o.amount <> 0
    group by o.entity_id, e.displayname`;
}

/** Returns an aging report, sorted by name, for all customers or vendors, or for one customer or vendor. */
export function selectAging(side: Side, asOf: IsoDate, which: AgedAsk = {}): Runnable<AgedRow> {
  return sql<AgedRow>`
    select "entityId", name, current, thirty, sixty, ninety
    from (${aged(side, asOf, which)}) a
    order by "entityId" is null, sorted, "entityId"`;
}

/** An aging row with its days past due and the totals of all rows. */
export interface OwingRow extends AgedRow {
  late: number | null;
  allAmount: Cents;
  all: number;
}

/**
 * Returns a page of an aging report. The rows that have been overdue the longest come first, and then the rows with the
 * highest balances.
 */
export function selectOwing(side: Side, asOf: IsoDate, page: { limit: number; offset: number }): Runnable<OwingRow> {
  return sql<OwingRow>`
    select "entityId", name, current, thirty, sixty, ninety, late, count(*) over ()::int as "all",
      (sum(current + thirty + sixty + ninety) over ())::bigint as "allAmount"
    from (${aged(side, asOf)}) a
    order by "entityId" is null, late desc nulls last, current + thirty + sixty + ninety desc, sorted, "entityId"
    limit ${page.limit} offset ${page.offset}`;
}

/** An open document, an unapplied credit, or a journal line. `late` is the number of days past due. */
export interface OpenItemRow {
  entityId: number | null;
  name: string;
  sourceType: SourceType;
  isDocument: boolean;
  number: string;
  dated: IsoDate;
  dueDate: IsoDate | null;
  late: number;
  /** The full amount, with the same sign as the open amount. */
  total: Cents;
  amount: Cents;
  /** The first transaction that posted the item. */
  transactionId: number | null;
}

/** The first transaction that posted an item `o`. A journal entry is itself a transaction. */
const FIRST_POSTED = sql`case when o.source_type = ${JOURNAL} then o.id
      else ${firstPosted(sql`o.source_type`, sql`o.id`)} end`;

/**
 * Returns at most `limit` items in an aging report, sorted by entity and aging date, for all customers or vendors, or
 * for one customer or vendor.
 */
export function selectOpenItems(
  side: Side,
  asOf: IsoDate,
  { limit, ...which }: AgedAsk & { limit: number },
): Runnable<OpenItemRow> {
  const first = which.ageBy === 'invoicedate' ? sql`` : sql`coalesce(o.due_date, o.dated), `;
  const order = sql`o.entity_id is null, o.sorted, o.entity_id, ${first}o.dated, o.number`;
  return sql<OpenItemRow>`
    with open as (${openItems(side, asOf, which)}),
    page as (
      select o.* from (
        select o.*, coalesce(e.displayname, 'Journal entries') as name, lower(e.displayname) as sorted
        from open o
        left join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
        where o.amount <> 0) o
      order by ${order}
      limit ${sql.lit(limit)})
    select o.entity_id as "entityId", o.name, o.source_type as "sourceType", o.is_document as "isDocument",
      o.number, o.dated, o.due_date as "dueDate", o.late,
      o.total::bigint, o.amount::bigint,
      ${FIRST_POSTED} as "transactionId"
    from page o
    order by ${order}`;
}

/** The kinds of items: documents, documents that are credits, unapplied payments, and journal lines. */
export type ItemKind = 'document' | 'credit' | 'payment' | 'journal';

/** The filters for open items. `bucket` 0 to 3 selects one of the four aging columns. */
export interface OpenItemsAsk {
  side: Side;
  asOf: IsoDate;
  bucket?: number | undefined;
  /** Includes only items that are past due. */
  isOverdue?: boolean | undefined;
  entityId?: number | undefined;
  /** Limits the items to one kind. */
  kind?: ItemKind | undefined;
  /** Includes drafts, whose open amount is 0. */
  hasDrafts?: boolean | undefined;
  /** The date from which a document's age is counted. The default is the due date. */
  ageBy?: AgeBy | undefined;
  /** Includes only items of customers or vendors, not journal entries. */
  hasNames?: boolean | undefined;
}

/** An open item with its ID and the totals of all items that match the filters. */
export interface SummedItemRow extends OpenItemRow {
  id: number;
  allTotal: Cents;
  allAmount: Cents;
  /**
   * Totals for documents with a positive open amount. `allWeight` is the total open amount. `allDays` is the sum of
   * each open amount multiplied by the number of days since the document date.
   */
  allWeight: Cents;
  allDays: Cents;
  /** `allDays` divided by `allWeight` and rounded, or 0 if no items are open. */
  age: number;
  all: number;
}

const BUCKET_DAYS = [
  [-1_000_000, 0],
  [1, 30],
  [31, 60],
  [61, 1_000_000],
] as const;

/** Returns the source types on a side that belong to a kind of item. */
function namesOfItems(side: Side, kind: ItemKind): SourceType[] {
  // A write-off that was partly open on a past date counts as a credit on that date.
  const isCredit = ({ source, waives }: DocumentKind) => source === documentKinds.creditmemo.source || waives === true;
  if (kind === 'document') return namesOf(settledKinds(side).filter((each) => !isCredit(each)));
  if (kind === 'credit') return namesOf(settledKinds(side).filter(isCredit));
  return [kind === 'payment' ? side.payment.source : JOURNAL];
}

/** Returns a page of the open items, longest overdue first. */
export function selectOpenItemsPart(
  { side, asOf, bucket, isOverdue, kind, ...which }: OpenItemsAsk,
  { limit, offset }: { limit: number; offset: number },
): Runnable<SummedItemRow> {
  const [least, most] = BUCKET_DAYS[bucket ?? -1] ?? [isOverdue === true ? 1 : -1_000_000, 1_000_000];
  const weight = sql`greatest(o.amount, 0) * o.is_document::int`;
  return sql<SummedItemRow>`
    with open as (${openItems(side, asOf, which)}),
    part as (
      select o.*, sum(o.total) over () as "allTotal", sum(o.amount) over () as "allAmount",
        sum(${weight}) over () as "allWeight", sum(${weight} * (${asOf}::date - o.dated)) over () as "allDays",
        count(*) over () as all_items
      from open o
      where (o.amount <> 0 or o.is_draft) and o.late between ${least} and ${most}
        ${kind === undefined ? sql`` : sql`and o.source_type = any(${namesOfItems(side, kind)}::text[])`}
      order by coalesce(o.due_date, o.dated), o.dated, o.id
      limit ${limit} offset ${offset})
    select o.entity_id as "entityId", coalesce(e.displayname, 'Journal entries') as name,
      o.source_type as "sourceType", o.is_document as "isDocument", o.id, o.number, o.dated,
      o.due_date as "dueDate", o.late, o.total::bigint, o.amount::bigint, "allTotal"::bigint,
      "allAmount"::bigint, "allWeight"::bigint, "allDays"::bigint,
      coalesce(round("allDays" / nullif("allWeight", 0)), 0)::int as age, all_items::int as "all",
      ${FIRST_POSTED} as "transactionId"
    from part o
    left join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
    order by coalesce(o.due_date, o.dated), o.dated, o.id`;
}

/** An invoice, bill, or payment of one customer or vendor. A payment is negative. */
export interface AccountItemRow {
  sourceType: SourceType;
  /** Whether the row shows a payment's discount instead of the money paid. */
  isDiscount: boolean;
  number: string;
  dated: IsoDate;
  dueDate: IsoDate | null;
  amount: Cents;
  transactionId: number | null;
}

/** Returns all documents, payments, and discounts taken for one customer or vendor up to a date, earliest first. */
export function selectAccountItems(side: Side, entityId: number, to: IsoDate): Runnable<AccountItemRow> {
  return sql<AccountItemRow>`
    select i.*, ${firstPosted(sql`i."sourceType"`, sql`i.id`)} as "transactionId"
    from (
      select d.kind as "sourceType", true as is_document, false as "isDiscount", d.id,
        d.document_number as number, d.document_date as dated, d.due_date as "dueDate", d.total_cents as amount
      from document d
      where d.company_id = ${COMPANY} and d.side = ${side.name} and d.entity_id = ${entityId} and not d.deleted
        and ${OWED} and d.document_date <= ${to}
      union all
      select ${side.payment.source}, false, false, p.id, p.payment_number, p.payment_date, null, -p.amount_cents
      from payment p
      where p.company_id = ${COMPANY} and p.side = ${side.name} and p.entity_id = ${entityId} and not p.deleted
        and p.payment_date <= ${to} and ${MOVES_MONEY}
      union all
      select ${side.payment.source}, false, true, p.id, p.payment_number, a.recognition_date, null,
        -sum(a.waived_cents)::bigint
      from payment p
      join payment_application a on a.company_id = ${COMPANY} and a.payment_id = p.id and a.recognition_date <= ${to}
      where p.company_id = ${COMPANY} and p.side = ${side.name} and p.entity_id = ${entityId} and not p.deleted
        and p.discount_account_id is not null
      group by p.id, p.payment_number, a.recognition_date
      having sum(a.waived_cents) <> 0) i
    order by dated, is_document desc, number, "isDiscount"`;
}

/** The overdue amounts on a side, and the average age of open documents, weighted by open amount. */
export interface LateSums {
  thirty: Cents;
  sixty: Cents;
  ninety: Cents;
  /** The number of days since the document date, rounded, or 0 if no documents are open. */
  days: number;
}

/**
 * Multiplies each bill's open amount by the number of days between the bill's own date and its posting date, and
 * returns the sum. The stored totals use the posting date, so this sum corrects them. An invoice has only one date.
 */
function earlierDays(side: Side, asOf: IsoDate): RawBuilder<unknown> {
  if (side !== PAYABLE) return sql`0`;
  return sql`coalesce((
        select sum(d.open_cents * (d.document_date - d.invoice_date)) from document d
        where d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted and d.is_posted
          and d.open_cents > 0 and d.document_date <= ${asOf} and d.invoice_date <> d.document_date), 0)`;
}

/**
 * Returns the overdue columns of selectAging in one row. The cost depends only on the number of days with open items.
 * An amount that was open on the given date either is still open or was applied later. Amounts whose application was
 * reversed later are subtracted. Weights include only documents with a positive total. The current amount is the rest
 * of the control accounts' balance.
 */
export function sumLate(side: Side, asOf: IsoDate): Runnable<LateSums> {
  return sql<LateSums>`
    with open as (
      select due_date, document_date, open_cents as amount, positive_cents as positive
      from document_open_sum
      where company_id = ${COMPANY} and side = ${side.name} and not is_draft and document_date <= ${asOf}
      union all
      select coalesce(d.due_date, d.invoice_date, d.document_date), coalesce(d.invoice_date, d.document_date),
        a.amount_cents, case when d.total_cents > 0 then a.amount_cents else 0 end
      from payment_application a
      join document d on d.company_id = ${COMPANY} and d.id = a.document_id
      where d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted and ${OWED}
        and d.document_date <= ${asOf} and a.company_id = ${COMPANY} and a.recognition_date > ${asOf}),
    aged as (
      select amount, positive, ${asOf}::date - due_date as late, ${asOf}::date - document_date as days from open)
    select coalesce(sum(amount) filter (where late between 1 and 30), 0)::bigint as thirty,
      coalesce(sum(amount) filter (where late between 31 and 60), 0)::bigint as sixty,
      coalesce(sum(amount) filter (where late > 60), 0)::bigint as ninety,
      coalesce(round((sum(positive * days) + ${earlierDays(side, asOf)}) / nullif(sum(positive), 0)), 0)::int as days
    from aged`;
}
