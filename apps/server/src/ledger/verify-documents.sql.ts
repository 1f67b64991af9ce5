import { sql } from 'kysely';
import type { Runnable } from '../db/query.ts';
import type { FaultRow } from './verify.sql.ts';

const MOST = 20;
const FIRST_INVOICE = 10_001;

/** An invoice's open amount is its total less what payments apply to it; 0 when draft, void or deleted. */
export function openAmountFaults(companyId: number): Runnable<FaultRow> {
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo",
      'invoice ' || invoice_number || ' has ' || open_cents || ' instead of ' || wanted || ' cents open' as message
    from (
      select i.id, i.invoice_number, i.open_cents,
        case when i.deleted or i.status in (1, 5) then 0 else i.total_cents end - coalesce((
          select sum(a.amount_cents) from payment_application a
          where a.company_id = ${companyId} and a.invoice_id = i.id), 0) as wanted
      from invoice i where i.company_id = ${companyId}) i
    where open_cents <> wanted
    order by id
    limit ${MOST}`;
}

/** A payment's unapplied amount is its amount less its applications; a deleted payment has none. */
export function unappliedFaults(companyId: number): Runnable<FaultRow> {
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo",
      case when deleted then 'deleted payment ' || payment_number || ' still has applications'
        else 'payment ' || payment_number || ' has ' || unapplied_cents || ' instead of ' || (amount_cents - applied)
          || ' cents unapplied' end as message
    from (
      select p.*, coalesce((
        select sum(a.amount_cents) from payment_application a
        where a.company_id = ${companyId} and a.payment_id = p.id), 0) as applied
      from payment p where p.company_id = ${companyId}) p
    where case when deleted then applied <> 0 else unapplied_cents <> amount_cents - applied end
    order by id
    limit ${MOST}`;
}

/**
 * Accounts receivable in the accrual view are the open invoices less unapplied payments, apart from what journal
 * entries put there; in the cash view every receivable and payable account is 0 (accounting: A17).
 */
export function controlFaults(companyId: number): Runnable<FaultRow> {
  return sql<FaultRow>`
    with control as (
      select l.amount_cents, l.basis, l.account_id, a.account_type, t.source_type
      from journal_line l
      join journal_transaction t on t.company_id = ${companyId} and t.id = l.transaction_id
      join account a on a.company_id = ${companyId} and a.id = l.account_id
      where l.company_id = ${companyId} and not a.contra
        and a.account_type in ('Accounts Receivable', 'Accounts Payable')),
    receivable as (
      select coalesce((
        select sum(amount_cents) from control
        where account_type = 'Accounts Receivable' and basis <> 'C'
          and source_type in ('invoice', 'payment')), 0) as ledger,
        coalesce((select sum(open_cents) from invoice
          where company_id = ${companyId} and not deleted and status in (2, 3, 4)), 0)
        - coalesce((select sum(unapplied_cents) from payment
          where company_id = ${companyId} and not deleted), 0) as documents)
    select null::bigint as "transactionId", null::bigint as "postingNo",
      'accounts receivable are ' || ledger || ' cents, open invoices less unapplied payments ' || documents as message
    from receivable where ledger <> documents
    union all
    select null, null, 'account ' || account_id || ' is ' || sum(amount_cents) || ' cents in the cash view, not 0'
    from control where basis <> 'A' group by account_id having sum(amount_cents) <> 0
    limit ${MOST}`;
}

/** Invoice and payment numbers run from the first to the head's next one, deleted documents included, without a gap. */
export function numberFaults(companyId: number): Runnable<FaultRow> {
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo", fault.message
    from ledger_head h
    cross join lateral (
      select 'invoice number ' || n || ' is missing' as message
      from generate_series(${FIRST_INVOICE}::bigint, h.next_invoice_number - 1) n
      where not exists (
        select from invoice i where i.company_id = ${companyId} and i.invoice_number = n::text)
      union all
      select 'payment number ' || n || ' is missing' from generate_series(1, h.next_payment_number - 1) n
      where not exists (
        select from payment p where p.company_id = ${companyId} and p.payment_number = n::text)
      union all
      select 'invoice number ' || i.invoice_number || ' is not one that was given out'
      from invoice i
      where i.company_id = ${companyId} and case
        when i.invoice_number ~ '^[1-9][0-9]{0,17}$'
          then i.invoice_number::bigint not between ${FIRST_INVOICE} and h.next_invoice_number - 1
        else true end) fault
    where h.company_id = ${companyId}
    limit ${MOST}`;
}
