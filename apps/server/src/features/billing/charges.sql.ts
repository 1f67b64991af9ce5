import type { DateRange, IsoDate } from '@evenkeel/core/dates';
import { OPEN, SENT } from '@evenkeel/core/documents/invoice';
import type { Cents } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { openItems, openOrLater } from '../../books/documents/aging.sql.ts';

/** SQL statements for finance charges. */

/** The company's single row, which is created when the settings are first saved. */
export const chargeSettings = table('finance_charge_settings', {
  kind: 'kind',
  annualRate: 'annual_rate',
  amount: 'amount_cents',
  graceDays: 'grace_days',
  minimum: 'minimum_cents',
  accountId: 'account_id',
  chargesCharges: 'charges_charges',
  rowVersion: 'row_version',
}).typed<{ kind: 'rate' | 'amount' }>();

export const accounts = table('account', {
  id: 'id',
  active: 'active',
  type: 'account_type',
  contra: 'contra',
  system: 'system',
});

export const chargeOff = table('finance_charge_off', { customerId: 'entity_id' });

export const selectChargeOff = (): Runnable<{ id: number; displayName: string }> => sql`
  select e.id, e.displayname as "displayName" from finance_charge_off o
  join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
  where o.company_id = ${COMPANY} order by lower(e.displayname), e.id`;

/** Returns a customer's unapplied payments and credit memos. `customer` is a SQL expression. */
const creditOf = (entityId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  coalesce((
    select sum(p.unapplied_cents) from payment p
    where p.company_id = ${COMPANY} and p.entity_id = ${entityId} and p.side = ${RECEIVABLE.name} and not p.deleted
      and p.unapplied_cents > 0), 0)
  - coalesce((
    select sum(c.open_cents) from document c
    where c.company_id = ${COMPANY} and c.entity_id = ${entityId} and c.side = ${RECEIVABLE.name} and not c.deleted
      and c.is_posted and c.open_cents < 0), 0))::bigint`;

/** Returns whether a customer owes more than its total credits. `customer` is a SQL expression. */
export const hasOpenBalance = (entityId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select sum(c.open_cents) from document c
  where c.company_id = ${COMPANY} and c.entity_id = ${entityId} and c.side = ${RECEIVABLE.name} and not c.deleted
    and c.is_posted and c.open_cents > 0) > ${creditOf(entityId)}`;

/** Whether document `d` is itself a finance charge. */
const isCharge = sql`exists (
  select from invoice_line l join finance_charge f on f.company_id = ${COMPANY} and f.line_id = l.id
  where l.company_id = ${COMPANY} and l.invoice_id = d.id and not l.deleted)`;

interface Wanted {
  /** The date of the charge. */
  date: IsoDate;
  /** Only invoices due before this date are charged. */
  dueBefore: IsoDate;
  chargesCharges: boolean;
  /** If given, only this customer is charged. */
  customerId?: number | undefined;
}

/**
 * The condition for invoices that can be charged if they had an open balance on the date. They must be overdue and not
 * on hold.
 */
const mayBeCharged = ({ dueBefore, chargesCharges, customerId }: Wanted): RawBuilder<unknown> => sql`
  d.company_id = ${COMPANY} and d.kind = ${RECEIVABLE.document.source} and not d.deleted
  and d.status = any(${[OPEN, SENT]}::int[]) and d.due_date < ${dueBefore}
  and (${customerId ?? null}::bigint is null or d.entity_id = ${customerId ?? null})
  and (${chargesCharges}::boolean or not ${isCharge})`;

const openNow = sql`select o.id from document o where o.company_id = ${COMPANY} and o.side = ${RECEIVABLE.name}
        and not o.deleted and o.open_cents > 0`;

/**
 * Locks a customer's invoices that can be charged, so that a request that waited for the lock sees the days that have
 * already been charged for.
 */
export const lockLate = (wanted: Wanted): Runnable<{ id: number }> => sql<{ id: number }>`
  select d.id from document d
  where ${mayBeCharged(wanted)} and d.id = ${openOrLater(openNow, 'document_id', wanted.date)}
  order by d.id for no key update`;

/** An overdue invoice with its customer, profit center, and location. */
export interface OverdueInvoiceRow {
  customerId: number;
  customerDisplayName: string;
  isCustomerGone: boolean;
  creditAmount: Cents;
  invoiceId: number;
  invoiceNumber: string;
  dueDate: IsoDate;
  openAmount: Cents;
  charged: DateRange[];
  profitCenterId: number | null;
  locationId: number | null;
}

/**
 * Returns overdue invoices with their open balance on the charge date, for customers whose credits were lower than
 * their balance on that date.
 */
export const selectLate = (wanted: Wanted): Runnable<OverdueInvoiceRow> => sql<OverdueInvoiceRow>`
  with items as (${openItems(RECEIVABLE, wanted.date, { entityId: wanted.customerId, hasNames: true })}),
  standing as (
    select entity_id, -coalesce(sum(amount) filter (where amount < 0), 0)::bigint as credit
    from items group by entity_id having sum(amount) > 0)
  select e.id as "customerId", e.displayname as "customerDisplayName", e.deleted as "isCustomerGone",
    s.credit as "creditAmount",
    d.id as "invoiceId", d.document_number as "invoiceNumber", d.due_date as "dueDate",
    i.amount::bigint as "openAmount",
    coalesce((
      select jsonb_agg(jsonb_build_object('from', f.from_date, 'to', f.to_date))
      from finance_charge f
      where f.company_id = ${COMPANY} and f.invoice_id = d.id and exists (
        select from finance_charge_day y where y.company_id = ${COMPANY} and y.line_id = f.line_id)), '[]') as charged,
    first."profitCenterId", first."locationId"
  from items i
  join standing s on s.entity_id = i.entity_id
  join lateral (select * from document o where o.company_id = ${COMPANY} and o.id = i.id limit 1) d on true
  join lateral (select * from entity o where o.company_id = ${COMPANY} and o.id = i.entity_id limit 1) e on true
  left join lateral (
    select c.id as "profitCenterId", k.id as "locationId"
    from invoice_line l
    left join profit_center c on c.company_id = ${COMPANY} and c.id = l.profit_center_id and c.active
    left join location k on k.company_id = ${COMPANY} and k.id = l.location_id and k.active
    where l.company_id = ${COMPANY} and l.invoice_id = d.id and not l.deleted
    order by l.line_no limit 1) first on true
  where i.is_document and i.amount > 0 and ${mayBeCharged(wanted)}
    and not exists (select from finance_charge_off o where o.company_id = ${COMPANY} and o.entity_id = e.id)
  order by lower(e.displayname), e.id, d.due_date, d.id`;

/** Returns the latest invoice that charges a customer for the date or a later date, and the user who created it. */
export const chargedAlready = (customerId: number, day: IsoDate) => sql<{
  customer: string;
  invoiceId: number | null;
  invoiceNumber: string;
  billedById: number | null;
  billedAt: string;
}>`
  select e.displayname as customer, x.*
  from entity e left join lateral (
    select i.id as "invoiceId", i.document_number as "invoiceNumber",
      a.user_id as "billedById",
      to_char(coalesce(a.at, now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "billedAt"
    from finance_charge_day y
    join invoice_line l on l.company_id = ${COMPANY} and l.id = y.line_id
    join document i on i.company_id = ${COMPANY} and i.id = l.invoice_id
    left join audit_log a on a.company_id = ${COMPANY} and a.subject_type = i.kind and a.subject_id = i.id
      and a.action = 'create'
    where y.company_id = ${COMPANY} and y.day = ${day} and i.entity_id = ${customerId}
    order by i.id desc limit 1) x on true
  where e.company_id = ${COMPANY} and e.id = ${customerId} and e.kind = 0`;
