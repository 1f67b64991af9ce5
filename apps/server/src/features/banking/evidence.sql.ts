import type { IsoDate } from '@evenkeel/core/dates';
import type { BookedPart } from '@evenkeel/core/banking/matching/rules';
import { type Cents, cents, ZERO } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { discountLeft } from '@evenkeel/core/documents/terms';
import { type RawBuilder, sql } from 'kysely';
import { searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { POSTED_DOCUMENT, POSTED_ENTITY } from '../../books/ledger/source.sql.ts';

/** The data that suggested matches use in addition to the account's entries. */

/** An open invoice or bill. `open` is the bank amount that pays it: positive for invoices, negative for bills. */
export interface OpenRow {
  id: number;
  kind: string;
  number: string;
  date: IsoDate;
  open: Cents;
  entityId: number;
  entityName: string;
  /**
   * The early-payment discount in percent, the last day on which it is available, and the amount that it applies to.
   * Null if there is none.
   */
  discountPercent: string | null;
  discountUntil: IsoDate | null;
  total: Cents;
  discountTaken: Cents;
}

/** Returns the discount for a payment on a date, as a positive amount, or 0 if there is none. */
export function discountOn(row: OpenRow, day: IsoDate): Cents {
  const { discountPercent: percent, discountUntil: until, total, discountTaken: taken, open } = row;
  if (percent === null || until === null || day > until) return ZERO;
  return discountLeft(Number(percent), { total, taken, unpaid: cents(Math.abs(open)) });
}

/** Returns open invoices for money in, and open bills for money out. Credits are excluded because they are not paid. */
export function openDocuments({ hasIn, hasOut }: { hasIn: boolean; hasOut: boolean }): RawBuilder<OpenRow> {
  return sql`
    select d.id, d.kind, d.document_number as number, coalesce(d.invoice_date, d.document_date) as date,
      case when d.side = ${RECEIVABLE.name} then d.open_cents else -d.open_cents end as open,
      d.entity_id as "entityId", e.displayname as "entityName", d.discount_percent::text as "discountPercent",
      d.discount_until as "discountUntil", d.total_cents as total,
      case when d.discount_percent is null then 0 else coalesce((
        select sum(a.waived_cents) from payment_application a
        where a.company_id = ${COMPANY} and a.document_id = d.id), 0) end::bigint as "discountTaken"
    from document d join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY} and not d.deleted and d.is_posted and d.open_cents > 0
      and case when d.side = ${RECEIVABLE.name} then ${hasIn}::boolean else ${hasOut}::boolean end
    order by d.id`;
}

/**
 * Returns the open documents that match a search and could be paid by the bank transaction, given its direction. The
 * documents closest in time come first.
 */
export function searchDocuments({ amount, date }: { amount: Cents; date: IsoDate }, q: string): Runnable<OpenRow> {
  const found = searchClause(q, {
    texts: [sql`d.number`, sql`d."entityName"`],
    amounts: [sql`abs(d.open)`],
    dates: [sql`d.date`],
  });
  return sql`
    select d.* from (${openDocuments({ hasIn: amount > 0, hasOut: amount < 0 })}) d
    where true ${found} order by abs(d.date - ${date}::date), d.id limit 50`;
}

/** Returns the customers and vendors that the payees were previously matched to. */
export function aliasesSql(payees: readonly string[]): Runnable<{ payee: string; entityIds: number[] }> {
  return sql`
    select l.payee, array_agg(distinct coalesce(o.entity_id, ${POSTED_ENTITY}))
        filter (where coalesce(o.entity_id, ${POSTED_ENTITY}) is not null) as "entityIds"
    from bank_line l
    join bank_match m on m.company_id = ${COMPANY} and m.act_id = l.act_id
    join journal_line o on o.company_id = ${COMPANY} and o.id = m.line_id
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = o.transaction_id
    ${POSTED_DOCUMENT}
    where l.company_id = ${COMPANY} and l.act_id is not null and l.payee <> '' and l.payee = any(${payees}::text[])
    group by l.payee
    having count(coalesce(o.entity_id, ${POSTED_ENTITY})) > 0`;
}

/** Part of a categorized bank transaction, with the name of its customer or vendor. */
export interface NamedPart extends BookedPart {
  entityName: string;
}

/** A user's categorization of a payee's bank transaction, either for money in or for money out. */
export interface BookedRow {
  payee: string;
  isIn: boolean;
  parts: NamedPart[];
}

/** The number of recent bank transactions that are used for each payee. */
const LATEST = 24;

/** Returns how users categorized these payees' latest bank transactions, newest first. */
export function bookedBefore(payees: readonly string[]): Runnable<BookedRow> {
  return sql`
    with booked as (
      select l.payee, l.amount_cents > 0 as is_in, a.id, a.source_type, a.source_id, b.gl_account_id,
        row_number() over (partition by l.payee, l.amount_cents > 0 order by a.id desc) as nth
      from bank_line l
      join bank_act a on a.company_id = ${COMPANY} and a.id = l.act_id and a.kind = 'add' and not a.is_automatic
      join banking_account b on b.company_id = ${COMPANY} and b.id = l.bank_account_id
      where l.company_id = ${COMPANY} and l.act_id is not null and l.payee <> '' and l.payee = any(${payees}::text[]))
    select k.payee, k.is_in as "isIn", jsonb_agg(jsonb_build_object('accountId', o.account_id,
      'amount', -o.amount_cents, 'profitCenterId', o.profit_center_id, 'locationId', o.location_id,
      'entityId', o.entity_id, 'entityName', coalesce(e.displayname, '')) order by o.id) as parts
    from booked k
    join journal_transaction t
      on t.company_id = ${COMPANY} and t.source_type = k.source_type and t.source_id = k.source_id
    join journal_line o
      on o.company_id = ${COMPANY} and o.transaction_id = t.id and o.reverses is null and o.basis <> 'C'
    left join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
    where k.nth <= ${LATEST} and o.account_id <> k.gl_account_id
    group by k.id, k.payee, k.is_in
    order by k.id desc`;
}

/** Returns other accounts' bank transactions that are for review and have the opposite amounts. */
export function otherSides(bankAccountId: number, amounts: readonly Cents[]): Runnable<OtherSide> {
  return sql`
    select l.id, l.bank_account_id as "bankAccountId", l.line_date as date, l.amount_cents as amount, l.text
    from bank_line l join banking_account b on b.company_id = ${COMPANY} and b.id = l.bank_account_id and b.active
    where l.company_id = ${COMPANY} and l.bank_account_id <> ${bankAccountId} and l.state = 'review'
      and l.amount_cents = any(${amounts}::bigint[])
    order by l.id`;
}

export interface OtherSide {
  id: number;
  bankAccountId: number;
  date: IsoDate;
  amount: Cents;
  text: string;
}

/** Returns the suggestions that users have rejected for the bank transactions in an account that are for review. */
export function refusalsSql(bankAccountId: number): Runnable<{ lineId: number; candidate: string }> {
  return sql`
    select r.bank_line_id as "lineId", r.candidate from bank_refusal r
    join bank_line l on l.company_id = ${COMPANY} and l.id = r.bank_line_id
    where r.company_id = ${COMPANY} and l.bank_account_id = ${bankAccountId} and l.state = 'review'`;
}
