import type { ListPart } from '@evenkeel/contract/endpoint';
import {
  type ListStatus,
  type PaidBy,
  type PaymentPart,
  paymentParts,
  type PaymentRow,
  RECENT_DAYS,
} from '@evenkeel/contract/subledger';
import { UNDEPOSITED } from '@evenkeel/core/books/accounts';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { type AppliedBy, ON_HOLD, VOID } from '@evenkeel/core/documents/invoice';
import type { Cents } from '@evenkeel/core/money';
import {
  documentKinds,
  namesOf,
  offers,
  type SettledKind,
  type Side,
  type SourceType,
} from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { type RawBuilder, sql } from 'kysely';
import { pageClauses, type PageRequest, searchClause, type Searched, type SortColumn } from '../../platform/db/page.ts';
import { COMPANY, type Runnable, VARIES } from '../../platform/db/query.ts';
import { among } from '../../platform/db/search.ts';
import { APPLIES_WAIVER, MOVES_MONEY, waivers } from './waivers.sql.ts';
import { controlBalance } from '../ledger/balances.sql.ts';
import { PAYMENT_KIND } from '../ledger/source.sql.ts';
import { DISCOUNT, DOCUMENT, type DocumentRow, idList } from './settlement.sql.ts';

/** A document as shown in lists. */

export interface NamedDocument extends DocumentRow {
  /** The current name of the customer or vendor. */
  entityName: string;
  /**
   * The part of the document's amount that was returned, so that it gets no early-payment discount. 0 or undefined if
   * the document has no discount.
   */
  returned?: Cents;
}

const named = sql`${DOCUMENT}, e.displayname as "entityName"`;

/**
 * The returned amount of a document `d` with an early-payment discount. It consists of the document's credit memos and
 * of its share of other credits that were applied by payments other than `but` (0 for none). See docs/accounting.md,
 * "Early-payment discounts".
 */
const returnedBut = (but: number) => sql`case when d.discount_percent is null then 0 else
      coalesce((
        select -sum(c.total_cents) from document c
        where c.company_id = ${COMPANY} and c.credited_id = d.id and not c.deleted and c.is_posted
          and c.kind <> all(${waivers}::text[])), 0)
      + coalesce((
        select sum(round(x.credit * x.own / x.used)) from (
          select sum(o.amount_cents) filter (where o.document_id = d.id) as own,
            sum(o.amount_cents) filter (where c.total_cents > 0) as used,
            -sum(o.amount_cents) filter (where c.total_cents < 0 and c.credited_id is null
              and c.kind <> all(${waivers}::text[])) as credit
          from payment_application o
          join document c on c.company_id = ${COMPANY} and c.id = o.document_id
          where o.company_id = ${COMPANY} and o.payment_id <> ${but} and o.payment_id in (
            select a.payment_id from payment_application a
            where a.company_id = ${COMPANY} and a.document_id = d.id)
          group by o.payment_id) x
        where x.used > 0), 0) end::bigint as returned`;
const RETURNED = returnedBut(0);

/** The company's own numbers count up, so a longer number is later. Most vendors' numbers work the same way. */
const NUMBER: SortColumn = { expression: sql`lpad(d.document_number, 20, '0')`, type: 'text' };
const DATED: SortColumn = { expression: sql`coalesce(d.invoice_date, d.document_date)`, type: 'date' };
const DUE: SortColumn = { expression: sql`coalesce(d.due_date, d.invoice_date, d.document_date)`, type: 'date' };

/** The name of the customer or vendor. Its table is joined only if the list is sorted or searched by name. */
const NAME: SortColumn = { expression: sql`lower(e.displayname)`, type: 'text' };

const STATUS: SortColumn = { expression: sql`d.status::bigint`, type: 'bigint' };

/** The columns that lists can be sorted by, keyed by their API names. */
const COLUMNS: Record<string, SortColumn> = {
  invoiceNumber: NUMBER,
  customerDisplayName: NAME,
  vendorDisplayName: NAME,
  invoiceDate: DATED,
  postingDate: { expression: sql`d.document_date`, type: 'date' },
  dueDate: DUE,
  invoiceAmount: { expression: sql`d.total_cents`, type: 'bigint' },
  openAmount: { expression: sql`d.open_cents`, type: 'bigint' },
  arBillingStatus: STATUS,
  badge: STATUS,
  writeOffNumber: NUMBER,
  writeOffDate: DATED,
  amount: { expression: sql`-d.total_cents`, type: 'bigint' },
};

export type ListedDocument = NamedDocument & { sortKey: string };

export interface DocumentFilter extends PageRequest {
  q?: string | undefined;
  status?: ListStatus | undefined;
  /**
   * Limits the list to documents in this date range, sorted by date and number. With a date range, the default status
   * is `all`.
   */
  dated?: { from: IsoDate; to: IsoDate } | undefined;
}

/**
 * A list request with the current date, which determines which documents are overdue. `ids` may limit the search to
 * certain documents.
 */
export interface ListAsk extends DocumentFilter {
  today: IsoDate;
  ids?: readonly number[] | undefined;
}

const BY_DAY: SortColumn = {
  expression: sql`to_char(d.document_date, 'YYYY-MM-DD') || lpad(d.document_number, 20, '0')`,
  type: 'text',
};

const TEXTS = [sql`d.document_number`, sql`e.displayname`];
/** The columns that are searched in a side's lists. */
const SEARCHED: Record<Side['name'], Searched> = {
  receivable: { texts: TEXTS, dates: [DATED.expression], amounts: [sql`d.total_cents`] },
  payable: { texts: TEXTS, dates: [DUE.expression], amounts: [sql`d.total_cents`, sql`d.open_cents`] },
};

const IS_OPEN = sql`(d.open_cents <> 0 or d.is_draft)`;

/** The date after which a document `d` is overdue, as in core's `lateAfter`. */
export const lateAfterSql = (today: IsoDate) => sql`coalesce(d.due_date,
  case when d.document_date <= ${today} then coalesce(d.invoice_date, d.document_date) end)`;

/**
 * Whether a document is unpaid and overdue, regardless of its status. These are the documents with an overdue badge.
 */
export const isOverdue = (today: IsoDate) =>
  sql`(d.open_cents > 0 and d.is_posted and ${lateAfterSql(today)} < ${today})`;
const IS_HELD = sql`(d.open_cents <> 0 and d.status = ${ON_HOLD})`;

/** Limits a list to the documents with a status. */
function ofStatus(kind: SettledKind, { status = 'open', today }: ListAsk): RawBuilder<unknown> {
  const { offer } = kind;
  if (offer !== undefined && status === 'open') return sql`and d.status = any(${offer.pending}::smallint[])`;
  const parts: Record<ListStatus, RawBuilder<unknown>> = {
    all: sql``,
    open: sql`and ${IS_OPEN}`,
    paid: sql`and d.is_posted and d.open_cents = 0`,
    void: sql`and d.status = ${VOID}`,
    overdue: sql`and ${IS_OPEN} and ${isOverdue(today)}`,
    draft: sql`and ${IS_OPEN} and d.is_draft`,
    hold: sql`and ${IS_OPEN} and ${IS_HELD}`,
    credit: sql`and d.open_cents < 0`,
  };
  return parts[status];
}

/** Returns the documents of one kind that a list shows. */
function matching(kind: SettledKind, filter: ListAsk): RawBuilder<unknown> {
  const { source, side } = kind;
  const { q, sort, dated, ids } = filter;
  const { status = dated === undefined ? 'open' : 'all' } = filter;
  const within = dated === undefined ? sql`` : sql`and d.document_date between ${dated.from} and ${dated.to}`;
  const which = sql`${ofStatus(kind, { ...filter, status })} ${within}`;
  // The indexes for lists start with the column for the side.
  const ofKind = sql`d.side = ${side} and d.kind = ${source}`;
  const shown = sql`d.company_id = ${COMPANY} and ${ofKind} and not d.deleted ${which}`;
  const isNamed = /displayname$/i.test(sort ?? '') || (q ?? '').trim() !== '';
  const entity = sql`join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id`;
  return sql`from document d ${isNamed ? entity : sql``} where ${shown} ${among(sql`d.id`, ids)}
    ${searchClause(q, SEARCHED[side])}`;
}

/**
 * Selects open documents and drafts, or all documents, in the requested order. Selects one row more than `limit`, and
 * limits the rows before it joins other tables.
 */
export function selectList(kind: SettledKind, filter: ListAsk): RawBuilder<ListedDocument> {
  const initial = filter.dated === undefined ? NUMBER : BY_DAY;
  const page = pageClauses(filter, COLUMNS, { id: sql`d.id`, initial });
  return sql<ListedDocument>`
    with d as materialized (
      select d.*, ${page.key} ${matching(kind, filter)} ${page.after} ${page.orderBy} ${page.limit})
    select ${named}, d."sortKey"
    from d join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY}
    ${page.orderBy}`;
}

export interface ListCount {
  total: number;
  invoiceAmount: Cents;
  openAmount: Cents;
  /** The total of the drafts, which is included in `invoiceAmount`. */
  draftAmount: Cents;
  /** The total of the void documents, which is included in `invoiceAmount`. Their open amount is 0. */
  voidAmount: Cents;
}

/** Returns whether a list contains exactly the open documents. */
export const isWholeList = ({ dated, status = 'open', q }: DocumentFilter): boolean =>
  dated === undefined && status === 'open' && (q ?? '').trim() === '';

/** Returns whether a list contains exactly the overdue documents. */
export const isAllOverdue = ({ dated, status, q }: DocumentFilter): boolean =>
  dated === undefined && status === 'overdue' && (q ?? '').trim() === '';

/**
 * Selects the number of documents in a list and their totals. For all open documents, reads the stored totals.
 * Otherwise, counts the rows.
 */
export function countList(kind: SettledKind, filter: ListAsk): RawBuilder<ListCount> {
  if (isWholeList(filter) && kind.offer === undefined) {
    return sql<ListCount>`
      select coalesce(sum(document_count), 0)::bigint as total,
        coalesce(sum(total_cents), 0)::bigint as "invoiceAmount", coalesce(sum(open_cents), 0)::bigint as "openAmount",
        coalesce(sum(total_cents) filter (where is_draft), 0)::bigint as "draftAmount",
        0::bigint as "voidAmount"
      from document_open_sum
      where company_id = ${COMPANY} and side = ${kind.side} and kind = ${kind.source}`;
  }
  return sql<ListCount>`
    select count(*) as total, coalesce(sum(d.total_cents), 0)::bigint as "invoiceAmount",
      coalesce(sum(d.open_cents), 0)::bigint as "openAmount",
      coalesce(sum(d.total_cents) filter (where d.is_draft), 0)::bigint as "draftAmount",
      coalesce(sum(d.total_cents) filter (where d.status = ${VOID}), 0)::bigint as "voidAmount"
    ${matching(kind, filter)}`;
}

/**
 * Selects three figures for a kind: the number and open amount of its overdue documents, the same for its documents on
 * hold, and the number and total of its drafts.
 */
export function selectParts(
  { source, side }: SettledKind,
  today: IsoDate,
): RawBuilder<Record<'overdue' | 'draft' | 'hold', ListPart> & { credit?: ListPart }> {
  const part = (count: RawBuilder<unknown>, amount: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
    sql`json_build_object('count', coalesce(sum(${count}) filter (where ${which}), 0),
        'amount', coalesce(sum(${amount}) filter (where ${which}), 0))`;
  // Vendor credits are bills, but credit memos are a separate kind of document.
  const credits = sql`,
      (select json_build_object('count', count(*), 'amount', coalesce(sum(d.open_cents), 0)) from document d
        where d.company_id = ${COMPANY} and d.side = ${side} and d.kind = ${source} and not d.deleted
          and d.open_cents < 0) as credit`;
  // Without a due date, a document is overdue when both its document date and its posting date have passed, as in
  // `lateAfterSql`.
  const own = sql`case when document_date <= ${today} then 1 else 0 end`;
  const late = { count: sql`late_count + ${own} * undated_count`, amount: sql`late_cents + ${own} * undated_cents` };
  return sql`
    select ${part(late.count, late.amount, sql`due_date < ${today}`)} as overdue,
      ${part(sql`document_count`, sql`total_cents`, sql`is_draft`)} as draft,
      ${part(sql`held_count`, sql`held_cents`, sql`true`)} as hold${side === 'payable' ? credits : sql``}
    from document_open_sum
    where company_id = ${COMPANY} and side = ${side} and kind = ${source}`;
}

/** Selects the number and total of the documents in a date range for each list filter. */
export function selectDatedParts(kind: SettledKind, { today, dated }: ListAsk): RawBuilder<Record<string, ListPart>> {
  const parts = (['all', 'open', 'paid', 'void'] as const).map((status) => {
    const own = sql`true ${ofStatus(kind, { today, status })}`;
    return sql`json_build_object('count', count(*) filter (where ${own}),
      'amount', coalesce(sum(d.total_cents) filter (where ${own}), 0)) as ${sql.id(status)}`;
  });
  return sql`select ${sql.join(parts)} ${matching(kind, { today, dated, status: 'all' })}`;
}

/** The balances of a side's control accounts, with the side's sign, and the credits. */
export interface Controlled {
  /** The balance through the date, as shown in reports and on cards. */
  owed: Cents;
  /** The balance of the entries dated after that date. */
  later: Cents;
  unapplied: Cents;
  /** The open amount of the other kinds of documents on the side. They are credits, so this amount is negative. */
  credit: Cents;
}

export function selectControlled(side: Side, today: IsoDate): RawBuilder<Controlled> {
  return sql<Controlled>`
    select ${controlBalance(side, { to: today })} as owed,
      ${controlBalance(side, { from: addDays(today, 1) })} as later,
      (select coalesce(sum(unapplied_cents), 0)::bigint from payment
        where company_id = ${COMPANY} and side = ${side.name} and not deleted and unapplied_cents > 0)
        as unapplied,
      (select coalesce(sum(open_cents), 0)::bigint from document_open_sum
        where company_id = ${COMPANY} and side = ${side.name} and kind <> ${side.document.source}) as credit`;
}

/** Selects one document of a kind, unless it is deleted. */
export function selectDocument({ source }: Pick<DocumentKind, 'source'>, id: number): RawBuilder<NamedDocument> {
  return sql<NamedDocument>`
    select ${named}, ${RETURNED} from document d join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY} and d.kind = ${source} and d.id = ${id} and not d.deleted`;
}

/**
 * Selects a customer's or vendor's documents of a kind, newest first. With `number`, selects only documents with that
 * number, ignoring case.
 */
export function selectOfEntity(
  { source }: DocumentKind,
  entityId: number,
  number: string | undefined,
): RawBuilder<NamedDocument> {
  return sql<NamedDocument>`
    select ${named} from document d join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY} and d.kind = ${source} and d.entity_id = ${entityId} and not d.deleted
      ${number === undefined ? sql`` : sql`and lower(d.document_number) = lower(${number})`}
    order by ${DATED.expression} desc, d.id desc`;
}

/** An open document with the amount that one payment applies to it, including its discount. */
export interface OpenRow extends NamedDocument {
  paid: Cents;
  /** The discounts on the document: the one that this payment takes, and the ones that other payments have taken. */
  discountTaken: Cents;
  discountTakenBefore: Cents;
}

type OpenAsked = { entityId: number; paymentId: number } | { ids: readonly number[] };

/**
 * Selects the open documents of a customer or vendor and the documents that a payment is applied to, or the open
 * documents with the given IDs.
 */
export function selectOpen(side: Side, asked: OpenAsked): RawBuilder<OpenRow> {
  const paymentId = 'ids' in asked ? 0 : asked.paymentId;
  return sql<OpenRow>`
    select ${named}, ${returnedBut(paymentId)}, coalesce(a.paid, 0)::bigint as paid,
      coalesce(a.waived, 0)::bigint as "discountTaken",
      case when d.discount_percent is null then 0 else coalesce((
        select sum(o.waived_cents) from payment_application o
        where o.company_id = ${COMPANY} and o.document_id = d.id and o.payment_id <> ${paymentId}), 0)
      end::bigint as "discountTakenBefore"
    from document d
    join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    left join (
      select document_id, sum(amount_cents) as paid, sum(waived_cents) as waived from payment_application
      where company_id = ${COMPANY} and payment_id = ${paymentId}
      group by document_id having sum(amount_cents) <> 0
    ) a on a.document_id = d.id
    where d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted
      and ${'ids' in asked ? sql`d.id = any(${idList(asked.ids)})` : sql`d.entity_id = ${asked.entityId}`}
      and d.is_posted and (d.open_cents <> 0 or a.paid is not null)`;
}

const PAID_ON: SortColumn = { expression: sql`p.payment_date`, type: 'date' };

/** The columns that the payment list can be sorted by, keyed by their API names. */
const PAYMENT_COLUMNS: Record<string, SortColumn> = {
  paymentNumber: { expression: sql`lpad(p.payment_number, 20, '0')`, type: 'text' },
  paymentDate: PAID_ON,
  entityDisplayName: NAME,
  reference: { expression: sql`coalesce(nullif(p.check_number, ''), p.reference_number)`, type: 'text' },
  paymentAmount: { expression: sql`p.amount_cents`, type: 'bigint' },
  unappliedAmount: { expression: sql`p.unapplied_cents`, type: 'bigint' },
  paymentType: { expression: sql`coalesce(pt.display_name, '')`, type: 'text' },
  accountName: { expression: sql`coalesce(b.name, a.account_name)`, type: 'text' },
};

/**
 * The location of the money from payment `p`: in Undeposited Funds, in another account, or reconciled in another
 * account. Because of the `limit`, only the entries of the payments on the page are read. If this were an `exists`
 * condition, the planner might read the marks of all entries. Under row-level security, PostgreSQL can use an index for
 * a `case`, but not for a `coalesce`.
 */
const STATE = sql`case
    when p.payment_account_id = ${UNDEPOSITED} and r.deposit_id is null then 'undeposited'
    when (
      select true from journal_transaction t
      join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = t.id
      join reconciliation_line m on m.company_id = ${COMPANY} and m.line_id = l.id
      where t.company_id = ${COMPANY}
        and t.source_type = case when r.deposit_id is null then ${PAYMENT_KIND} else ${documentKinds.deposit.source} end
        and t.source_id = case when r.deposit_id is null then p.id else r.deposit_id end limit 1) then 'reconciled'
    else 'deposited' end`;

/** The condition under which a filter of the payment list includes payment `p` with its deposit `r`. */
function inPart(part: PaymentPart, today: IsoDate): RawBuilder<unknown> {
  switch (part) {
    case 'received':
      return sql`p.amount_cents > 0`;
    case 'recent':
      return sql`p.amount_cents > 0 and p.payment_date > ${addDays(today, -RECENT_DAYS)}`;
    case 'undeposited':
      return sql`p.amount_cents > 0 and p.payment_account_id = ${UNDEPOSITED} and r.deposit_id is null`;
    case 'unapplied':
      return sql`p.unapplied_cents > 0`;
    case 'refund':
      return sql`p.amount_cents < 0`;
  }
}

const PAYMENT_SEARCHED: Searched = {
  texts: [sql`p.payment_number`, sql`p.reference_number`, sql`p.check_number`, sql`p.description`, sql`e.displayname`],
  dates: [sql`p.payment_date`],
  amounts: [sql`p.amount_cents`],
};

interface MatchingPayments {
  /** The tables that are joined to payment `p`. */
  joins?: RawBuilder<unknown>;
  side: Side;
  filter: PaymentFilter;
}

const PAYER = sql`join entity e on e.company_id = ${COMPANY} and e.id = p.entity_id`;
/** The deposit of each payment. A subquery in a count would run once for each payment and take ten times as long. */
const DEPOSITED = sql`left join deposit_receipt r on r.company_id = ${COMPANY} and r.payment_id = p.id`;

function matchingPayments({ joins = sql``, side: { name }, filter }: MatchingPayments): RawBuilder<unknown> {
  const { q, ids, status, today } = filter;
  return sql`from payment p ${joins}
    where p.company_id = ${COMPANY} and p.side = ${name} and not p.deleted and ${MOVES_MONEY}
      ${status === undefined ? sql`` : sql`${VARIES} and ${inPart(status, today)}`}
      ${among(sql`p.id`, ids)}
      ${searchClause(q, PAYMENT_SEARCHED)}`;
}

export interface PaymentFilter extends PageRequest {
  q?: string | undefined;
  /** Limits the search to these payments, if given. */
  ids?: readonly number[] | undefined;
  status?: PaymentPart | undefined;
  today: IsoDate;
}

/** Selects all payments on a side that move money, sorted by date and then by order of creation. */
export function selectPayments(side: Side, filter: PaymentFilter): RawBuilder<PaymentRow & { sortKey: string }> {
  const page = pageClauses(filter, PAYMENT_COLUMNS, { id: sql`p.id`, initial: PAID_ON });
  const joins = sql`${PAYER}
    left join payment_type pt on pt.company_id = ${COMPANY} and pt.id = p.payment_type_id
    left join banking_account b on b.company_id = ${COMPANY} and b.id = p.bank_account_id
    left join account a on a.company_id = ${COMPANY} and a.id = p.payment_account_id
    ${DEPOSITED}`;
  return sql`
    select p.id, p.payment_number as "paymentNumber", p.payment_date as "paymentDate", p.entity_id as "entityId",
      e.displayname as "entityDisplayName", p.reference_number as "paymentRefNo", p.check_number as "paymentCheckNo",
      p.description as "paymentDescription", p.amount_cents as "paymentAmount", p.unapplied_cents as "unappliedAmount",
      coalesce(pt.display_name, '') as "paymentType", coalesce(b.name, a.account_name) as "accountName",
      ${STATE} as state,
      ${page.key}
    ${matchingPayments({ side, filter, joins })} ${page.after} ${page.orderBy} ${page.limit}`;
}

export interface PaymentCount {
  total: number;
  paymentAmount: Cents;
  unappliedAmount: Cents;
}

/** The number of counted payments that meet a condition, and their totals. */
const countOf = (which: RawBuilder<unknown>) => sql`count(*) filter (where ${which}) as total,
      coalesce(sum(p.amount_cents) filter (where ${which}), 0)::bigint as "paymentAmount",
      coalesce(sum(p.unapplied_cents) filter (where ${which}), 0)::bigint as "unappliedAmount"`;

/** Selects the number of payments in a list, and their totals. */
export function countPayments(side: Side, filter: PaymentFilter): RawBuilder<PaymentCount> {
  const payer = (filter.q ?? '').trim() === '' ? sql`` : PAYER;
  const joins = filter.status === 'undeposited' ? sql`${payer} ${DEPOSITED}` : payer;
  return sql`select ${countOf(sql`true`)} ${matchingPayments({ side, filter, joins })}`;
}

/**
 * Selects the number and amount of the payments for each list filter. Also counts the payments of a list without a
 * search, because a second pass over all payments would take as long again.
 */
export function selectPaymentParts(
  side: Side,
  { status, today }: PaymentFilter,
): RawBuilder<PaymentCount & Record<PaymentPart, ListPart>> {
  const parts = paymentParts.map((part) => {
    const amount = part === 'unapplied' ? sql`p.unapplied_cents` : sql`p.amount_cents`;
    const own = inPart(part, today);
    return sql`json_build_object('count', count(*) filter (where ${own}),
      'amount', coalesce(sum(${amount}) filter (where ${own}), 0)) as ${sql.id(part)}`;
  });
  const count = countOf(status === undefined ? sql`true` : inPart(status, today));
  return sql`select ${count}, ${sql.join(parts)} ${matchingPayments({ side, joins: DEPOSITED, filter: { today } })}`;
}

/** The type and account of the last payment or refund that a user posted. */
interface LastRow {
  isRefund: boolean;
  paymentTypeId: number | null;
  bankAccountId: number | null;
  paymentAccountId: number | null;
}

/** Selects the user's last payment and last refund on a side. */
export function selectLast({ name }: Side, userId: number): Runnable<LastRow> {
  const last = (isRefund: boolean) => sql`(
    select p.amount_cents < 0 as "isRefund", p.payment_type_id as "paymentTypeId", p.bank_account_id as "bankAccountId",
      p.payment_account_id as "paymentAccountId"
    from payment p
    where p.company_id = ${COMPANY} and p.created_by = ${userId} and p.side = ${name} and not p.deleted
      and p.amount_cents <> 0 and (p.amount_cents < 0) = ${sql.lit(isRefund)}
    order by p.id desc limit 1)`;
  return sql<LastRow>`${last(false)} union all ${last(true)}`;
}

/** A payment on a document. The discount may be 0. */
interface PaidByRow extends Omit<PaidBy, 'against'> {
  discountAmount: Cents;
  /** The documents that a payment of 0.00 applies to the document, or null for a payment that moves money. */
  against: { kind: SourceType; number: string; total: Cents }[] | null;
}

/** Selects the payments on a document, excluding reversed applications. */
export function selectPaidBy(side: Side, documentId: number): RawBuilder<PaidByRow> {
  return sql<PaidByRow>`
    select p.id, p.payment_number as "paymentNumber", p.payment_date as "paymentDate",
      (sum(a.amount_cents) - ${DISCOUNT})::bigint as amount, ${DISCOUNT}::bigint as "discountAmount",
      p.amount_cents < 0 as "isRefund", (
        select jsonb_build_object('id', w.id, 'number', w.document_number)
        from payment_application x join document w on w.company_id = ${COMPANY} and w.id = x.document_id
        where x.company_id = ${COMPANY} and x.payment_id = p.id and w.kind = any(${waivers}::text[]) limit 1)
        as "writeOff",
      case when p.amount_cents = 0 then coalesce((
        select jsonb_agg(jsonb_build_object('kind', y.kind, 'number', y.number, 'total', y.total) order by y.date, y.id)
        from (
          select w.id, w.kind, w.document_number as number, w.document_date as date, w.total_cents as total
          from payment_application x join document w on w.company_id = ${COMPANY} and w.id = x.document_id
          where x.company_id = ${COMPANY} and x.payment_id = p.id
            and w.total_cents < 0 is distinct from sum(a.amount_cents) < 0
          group by w.id, w.kind, w.document_number, w.document_date, w.total_cents
          having sum(x.amount_cents) <> 0) y), '[]'::jsonb)
        end as against
    from payment_application a
    join payment p on p.company_id = ${COMPANY} and p.id = a.payment_id
    where a.company_id = ${COMPANY} and a.document_id = ${documentId} and p.side = ${side.name} and not p.deleted
    group by p.id, p.payment_number, p.payment_date, p.amount_cents, p.discount_account_id
    having sum(a.amount_cents) <> 0
    order by p.payment_date desc, p.id desc`;
}

export interface HistoryRow {
  kind: SourceType;
  id: number;
  refNumber: string;
  historyDate: IsoDate;
  amount: Cents;
  balance: Cents;
  /** The status of a document, or null for a payment. */
  status: number | null;
}

/**
 * Selects a customer's or vendor's documents and payments, newest first. `balance` is the open or unapplied amount.
 * Documents that don't post are not included.
 */
export function selectEntityHistory(side: Side, entityId: number): RawBuilder<HistoryRow> {
  return sql<HistoryRow>`
    select * from (
      select d.kind, d.id, d.document_number as "refNumber",
        coalesce(d.invoice_date, d.document_date) as "historyDate", d.total_cents as amount, d.open_cents as balance,
        d.status
      from document d
      where d.company_id = ${COMPANY} and d.side = ${side.name} and d.entity_id = ${entityId} and not d.deleted
        and d.kind <> all(${[...waivers, ...namesOf(offers())]}::text[])
      union all
      select ${side.payment.source}, p.id, coalesce(nullif(p.reference_number, ''), p.payment_number), p.payment_date,
        p.amount_cents, p.unapplied_cents, null
      from payment p
      where p.company_id = ${COMPANY} and p.side = ${side.name} and p.entity_id = ${entityId} and not p.deleted
        and ${MOVES_MONEY}
    ) h
    order by "historyDate" desc, kind desc, id desc`;
}

export function entityExists(side: Side, entityId: number): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`
    select id from entity where company_id = ${COMPANY} and id = ${entityId} and kind = ${side.entityKind}`;
}

/** Selects the distinct kinds of applications to a document, as indexes into APPLIED_KINDS. */
export const selectAppliedBy = (documentId: number): Runnable<{ by: number }> => sql<{ by: number }>`
  select distinct case when ${APPLIES_WAIVER} then 3 when p.amount_cents < 0 then 2 when p.amount_cents = 0 then 1
    else 0 end as by
  from payment_application a
  join payment p on p.company_id = ${COMPANY} and p.id = a.payment_id
  where a.company_id = ${COMPANY} and a.document_id = ${documentId}
  order by by`;

/** The kinds of applications, in the order that `selectAppliedBy` uses. */
export const APPLIED_KINDS: readonly AppliedBy[] = ['payment', 'credit', 'refund', 'writeoff'];
