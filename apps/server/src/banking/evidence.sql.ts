import type { IsoDate } from '@evenkeel/core/dates';
import type { Booking } from '@evenkeel/core/matching/rules';
import type { Cents } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/side';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { POSTED_DOCUMENT, POSTED_ENTITY } from '../subledger/source.sql.ts';

/** All that bank lines are explained by, besides the entries of their account. */

/** An open invoice or bill; `open` is what paying it moves on the bank: in for invoices, out for bills. */
export interface OpenRow {
  id: number;
  kind: string;
  number: string;
  date: IsoDate;
  open: Cents;
  entityId: number;
  entityName: string;
}

/** Open invoices where money came in, open bills where money went out. Credits are left out: nobody pays them. */
export function openDocuments({ hasIn, hasOut }: { hasIn: boolean; hasOut: boolean }): Runnable<OpenRow> {
  return sql`
    select d.id, d.kind, d.document_number as number, coalesce(d.invoice_date, d.document_date) as date,
      case when d.side = ${RECEIVABLE.name} then d.open_cents else -d.open_cents end as open,
      d.entity_id as "entityId", e.displayname as "entityName"
    from document d join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY} and not d.deleted and d.is_posted and d.open_cents > 0
      and case when d.side = ${RECEIVABLE.name} then ${hasIn}::boolean else ${hasOut}::boolean end
    order by d.id`;
}

/** The customers and vendors that payees were matched to before. */
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

/** A booking of a payee's lines by people, for one direction of money. */
export interface BookedRow extends Booking {
  payee: string;
  isIn: boolean;
}

/** The accounts that people booked the lines of these payees to, and how often. */
export function bookedBefore(payees: readonly string[]): Runnable<BookedRow> {
  return sql`
    select l.payee, l.amount_cents > 0 as "isIn", o.account_id as "accountId", o.profit_center_id as "profitCenterId",
      o.location_id as "locationId", o.entity_id as "entityId", count(distinct l.id) as count
    from bank_line l
    join bank_act a on a.company_id = ${COMPANY} and a.id = l.act_id and a.kind = 'add' and not a.is_automatic
    join journal_transaction t
      on t.company_id = ${COMPANY} and t.source_type = a.source_type and t.source_id = a.source_id
    join journal_line o on o.company_id = ${COMPANY} and o.transaction_id = t.id and o.reverses is null
    join banking_account b on b.company_id = ${COMPANY} and b.id = l.bank_account_id
    where l.company_id = ${COMPANY} and l.act_id is not null and l.payee <> '' and l.payee = any(${payees}::text[])
      and o.account_id <> b.gl_account_id
    group by 1, 2, 3, 4, 5, 6
    order by 1, 2, count desc, 3, 4, 5, 6`;
}

/** Bank lines for review of other accounts, of the amounts turned. */
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

/** Candidates that people refused, for the lines of an account that are for review. */
export function refusalsSql(bankAccountId: number): Runnable<{ lineId: number; candidate: string }> {
  return sql`
    select r.bank_line_id as "lineId", r.candidate from bank_refusal r
    join bank_line l on l.company_id = ${COMPANY} and l.id = r.bank_line_id
    where r.company_id = ${COMPANY} and l.bank_account_id = ${bankAccountId} and l.state = 'review'`;
}
