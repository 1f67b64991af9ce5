import type { EntityStanding } from '@evenkeel/contract/subledger';
import { addMonths, type DateRange, type IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { documentKinds, type Side, type SourceType } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { changesBalance } from '../../books/documents/waivers.sql.ts';
import { OWED } from '../../books/documents/aging.sql.ts';
import { isOverdue, lateAfterSql } from '../../books/documents/reads.sql.ts';
import { linesByKind } from '../../books/documents/settlement.sql.ts';

/** SQL statements for one customer's or vendor's balances and activity. */

/** The order of rows on the same day. The running balance depends on this order. */
export const RANKS = { document: 0, payment: 1, journal: 2 } as const;
type Rank = (typeof RANKS)[keyof typeof RANKS];

/** A row's position in the activity: its date, rank, and ID. */
export interface ActivityPlace {
  date: IsoDate;
  rank: number;
  id: number;
}

export interface ActivityQuery {
  side: Side;
  entityId: number;
  /** Whether to include journal entries. */
  withJournals: boolean;
}

interface ActivityPage extends ActivityQuery {
  /** The last row of the previous page. */
  after: ActivityPlace | undefined;
  limit: number | undefined;
}

/** A document, payment, or journal entry. The sign of its amount shows whether it increases or reduces the balance. */
export interface HappenedRow extends ActivityPlace {
  kind: SourceType;
  number: string;
  dueDate: IsoDate | null;
  /** The date of the document itself. A bill's date can differ from its posting date. */
  dated: IsoDate | null;
  amount: Cents;
  openAmount: Cents;
  /** Whether the row changes the customer's or vendor's balance. */
  counts: boolean;
  /** Set only for documents. */
  status: number | null;
  checkNumber: string;
  paymentType: string;
  reference: string;
  description: string;
  /** The part of a payment that is not money: the early-payment discounts, as zero or a negative amount. */
  discountAmount: Cents;
  /** The numbers of the documents that a payment was applied to. */
  appliedTo: string[];
}

/** An ID higher than all others. */
const LAST_ID = Number.MAX_SAFE_INTEGER;

/**
 * Returns a condition for rows after a position. Rows on the same date come after the position if they have a lower
 * rank, or the same rank and a lower ID.
 */
function behind(rank: Rank, { after }: ActivityPage, [date, id]: [RawBuilder<unknown>, RawBuilder<unknown>]) {
  if (after === undefined) return sql``;
  const bound = rank === after.rank ? after.id : rank < after.rank ? LAST_ID : 0;
  return sql`and (${date}, ${id}) < (${after.date}::date, ${bound}::bigint)`;
}

/** Reads one row more than fits on the page, to find out whether there is a next page. */
const cut = ({ limit }: ActivityPage) => (limit === undefined ? sql`` : sql`limit ${limit + 1}`);

const ofEntity = ({ side, entityId }: ActivityQuery, alias: 'd' | 'p') => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql`${of('company_id')} = ${COMPANY} and ${of('side')} = ${side.name}
      and ${of('entity_id')} = ${entityId} and not ${of('deleted')}`;
};

/** The lines `l` in journal entries `t` that refer to the entity, with their accounts `c`. */
const namedLines = ({ entityId }: Pick<ActivityQuery, 'entityId'>) => sql`
    from journal_line l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
    join account c on c.company_id = ${COMPANY} and c.id = l.account_id
    where l.company_id = ${COMPANY} and l.entity_id = ${entityId} and t.source_type = ${documentKinds.journal.source}`;

/**
 * A line in one of the side's control accounts, on the accrual basis, because the cash basis has no receivables and
 * payables.
 */
const isControl = ({ controlType }: Side) => sql`(c.account_type = ${controlType} and not c.contra and l.basis <> 'C')`;

function happenedDocuments(page: ActivityPage): RawBuilder<unknown> {
  return sql`(
      select ${RANKS.document}::int as rank, d.kind, d.id, d.document_number as number, d.document_date as date,
        d.due_date as "dueDate", coalesce(d.invoice_date, d.document_date) as dated, d.total_cents as amount,
        d.open_cents as "openAmount", ${OWED} as counts, d.status,
        '' as "checkNumber", 0::bigint as type_id, '' as reference, '' as said, 0::bigint as discount
      from document d
      where ${ofEntity(page, 'd')} ${behind(RANKS.document, page, [sql`d.document_date`, sql`d.id`])}
      order by d.document_date desc, d.id desc ${cut(page)})`;
}

/** The early-payment discounts of a payment `p`, as `t.taken`. */
const TAKEN = sql`
      cross join lateral (select case when p.discount_account_id is null then 0 else coalesce((
        select sum(a.waived_cents)::bigint from payment_application a
        where a.company_id = ${COMPANY} and a.payment_id = p.id), 0) end as taken) t`;

/** The credit memo or write-off itself is included, not the payment of 0.00 that applies it. */
function happenedPayments(page: ActivityPage): RawBuilder<unknown> {
  return sql`(
      select ${RANKS.payment}::int, ${page.side.payment.source}, p.id, p.payment_number, p.payment_date, null, null,
        -p.amount_cents - t.taken, -p.unapplied_cents, true, null, p.check_number, coalesce(p.payment_type_id, 0),
        p.reference_number, p.description, -t.taken
      from payment p ${TAKEN}
      where ${ofEntity(page, 'p')} and ${changesBalance(sql`t.taken`)}
        ${behind(RANKS.payment, page, [sql`p.payment_date`, sql`p.id`])}
      order by p.payment_date desc, p.id desc ${cut(page)})`;
}

/**
 * Returns journal entries with the total of their control account lines. If an entry has no control account lines, the
 * amount is the larger of the debit and credit totals of the lines that refer to the entity.
 */
function happenedJournals(page: ActivityPage): RawBuilder<unknown> {
  const control = isControl(page.side);
  const sumOf = (which: RawBuilder<unknown>) => sql`coalesce(sum(l.amount_cents) filter (where ${which}), 0)`;
  return sql`(
      select ${RANKS.journal}::int, ${documentKinds.journal.source}, l.transaction_id, l.transaction_id::text,
        l.posting_date, null, null,
        (case when bool_or(${control}) then ${sql.lit(page.side.sign)} * ${sumOf(control)}
          else greatest(${sumOf(sql`l.amount_cents > 0`)}, -${sumOf(sql`l.amount_cents < 0`)}) end)::bigint,
        0, false, null, '', 0, '', min(l.description), 0
      ${namedLines(page)} ${behind(RANKS.journal, page, [sql`l.posting_date`, sql`l.transaction_id`])}
      group by l.posting_date, l.transaction_id
      order by l.posting_date desc, l.transaction_id desc ${cut(page)})`;
}

/** Returns the description of the first line of a document `x`. The kind of document determines the table. */
function firstLine(side: Side): RawBuilder<unknown> {
  const own = [...linesByKind.values()].filter(({ kind }) => kind.side === side.name);
  const cases = own.map(
    ({ kind, name, document }) => sql`
      when ${kind.source} then (select l.description from ${sql.id(name)} l
        where l.company_id = ${COMPANY} and l.${sql.id(document)} = x.id and not l.deleted
        order by l.line_no limit 1)`,
  );
  return sql`case x.kind ${sql.join(cases, sql` `)} else x.said end`;
}

/** The documents that a payment `x` is still applied to, earliest first. */
const APPLIED_TO = sql`
      select jsonb_agg(d.document_number order by d.document_date, d.id) from document d
      where d.company_id = ${COMPANY} and d.id in (
        select a.document_id from payment_application a
        where a.company_id = ${COMPANY} and a.payment_id = x.id
        group by a.document_id having sum(a.amount_cents) <> 0)`;

/** Returns the activity, newest first: either all of it, or at most one row more than `limit`. */
export function selectActivity(page: ActivityPage): Runnable<HappenedRow> {
  const parts = [
    happenedDocuments(page),
    happenedPayments(page),
    ...(page.withJournals ? [happenedJournals(page)] : []),
  ];
  const order = sql`order by date desc, rank desc, id desc`;
  return sql<HappenedRow>`
    select x.rank, x.kind, x.id, x.number, x.date, x."dueDate", x.dated, x.amount, x."openAmount", x.counts, x.status,
      x."checkNumber", coalesce(y.display_name, '') as "paymentType", x.reference,
      coalesce(${firstLine(page.side)}, '') as description, x.discount as "discountAmount",
      coalesce(case when x.kind = ${page.side.payment.source} then (${APPLIED_TO}) end, '[]'::jsonb) as "appliedTo"
    from (select * from (${sql.join(parts, sql` union all `)}) a ${order} ${cut(page)}) x
    left join payment_type y on y.company_id = ${COMPANY} and y.id = x.type_id
    ${order}`;
}

/** Returns the number of rows on all pages. */
export function countActivity(ask: ActivityQuery): Runnable<{ total: number }> {
  const journals = sql`(select count(distinct l.transaction_id) ${namedLines(ask)})`;
  return sql<{ total: number }>`
    select (select count(*) from document d where ${ofEntity(ask, 'd')})
      + (select count(*) from payment p ${TAKEN}
        where ${ofEntity(ask, 'p')} and ${changesBalance(sql`t.taken`)})
      + ${ask.withJournals ? journals : sql`0`} as total`;
}

/** Returns a customer's or vendor's open amounts, unapplied credit, and amounts posted in a date range. */
export function selectStanding(
  side: Side,
  entityId: number,
  { from, to: today }: DateRange,
): Runnable<Omit<EntityStanding, 'balance' | 'journalAmount'>> {
  const ask = { side, entityId, withJournals: false };
  const late = isOverdue(today);
  const sumOf = (which: RawBuilder<unknown>) => sql`coalesce(sum(d.open_cents) filter (where ${which}), 0)::bigint`;
  return sql`
    select ${sumOf(sql`d.open_cents > 0`)} as "openAmount",
      count(*) filter (where d.open_cents > 0) as "openCount",
      ${sumOf(late)} as "overdueAmount", count(*) filter (where ${late}) as "overdueCount",
      coalesce(max(${today}::date - ${lateAfterSql(today)}) filter (where ${late}), 0) as "daysOverdue",
      (select coalesce(sum(p.unapplied_cents), 0)::bigint from payment p
        where ${ofEntity(ask, 'p')} and p.unapplied_cents > 0) - ${sumOf(sql`d.open_cents < 0`)} as "creditAmount",
      (select coalesce(sum(d.total_cents), 0)::bigint from document d
        where ${ofEntity(ask, 'd')} and d.is_posted and d.document_date between ${from} and ${today})
        as "billedThisYear",
      (select round(sum((p.payment_date - coalesce(o.due_date, o.document_date)) * a.amount_cents)
          / nullif(sum(a.amount_cents), 0))::int
        from payment p
        join payment_application a on a.company_id = ${COMPANY} and a.payment_id = p.id and a.amount_cents > 0
        join document o on o.company_id = ${COMPANY} and o.id = a.document_id
        where ${ofEntity(ask, 'p')} and p.amount_cents > 0 and p.payment_date > ${addMonths(today, -12)})
        as "averageDaysLate",
      least((select min(d.document_date) from document d where ${ofEntity(ask, 'd')}),
        (select min(p.payment_date) from payment p where ${ofEntity(ask, 'p')})) as "since"
    from document d
    where ${ofEntity(ask, 'd')} and d.is_posted and d.open_cents <> 0`;
}

/**
 * Returns the total of journal entries in control accounts that refer to the customer or vendor, with the side's sign.
 */
export function sumJournals(side: Side, entityId: number): Runnable<{ amount: Cents }> {
  return sql<{ amount: Cents }>`
    select ${sql.lit(side.sign)} * coalesce(sum(l.amount_cents), 0)::bigint as amount
    ${namedLines({ entityId })} and ${isControl(side)}`;
}
