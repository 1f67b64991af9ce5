import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { Side } from '@evenkeel/core/side';
import { type RawBuilder, sql } from 'kysely';
import { linksOf } from '../attachments/attachments.sql.ts';
import { listOf } from '../db/facts.sql.ts';
import { COMPANY, type Runnable } from '../db/query.ts';
import { type SettingRow, settingsSql } from '../settings/settings.ts';
import { type PaymentRow, payments } from './tables.sql.ts';

export interface NamedPayment extends PaymentRow {
  /** Of the customer or vendor, as it is called now. */
  entityName: string;
  documentLinks: DocumentLink[];
}

/** One payment; deleted ones are gone. */
export function selectPayment(side: Side, id: number): RawBuilder<NamedPayment> {
  return sql<NamedPayment>`
    select ${payments.columns('p')}, e.displayname as "entityName",
      ${linksOf(side.payment.source, sql`p.id`)} as "documentLinks"
    from payment p join entity e on e.company_id = p.company_id and e.id = p.entity_id
    where p.company_id = ${COMPANY} and p.side = ${side.name} and p.id = ${id} and not p.deleted`;
}

/** What a payment pays of one document. */
export interface PaidRow {
  documentId: number;
  number: string;
  amount: Cents;
  profitCenterId: number | null;
  locationId: number | null;
}

/** What a payment pays, one row per document; what was taken back sums to zero. */
export function selectPaid(paymentId: number): RawBuilder<PaidRow> {
  return sql<PaidRow>`
    select a.document_id as "documentId", d.document_number as number, sum(a.amount_cents)::bigint as amount,
      x.profit_center_id as "profitCenterId", x.location_id as "locationId"
    from payment_application a join document d on d.company_id = a.company_id and d.id = a.document_id
    left join payment_application_dimension x
      on x.company_id = a.company_id and x.payment_id = a.payment_id and x.document_id = a.document_id
    where a.company_id = ${COMPANY} and a.payment_id = ${paymentId}
    group by a.document_id, d.document_number, d.document_date, x.profit_center_id, x.location_id
    having sum(a.amount_cents) <> 0
    order by d.document_date, a.document_id`;
}

export interface PaymentReferences {
  entityName: string | null;
  entityDeleted: boolean;
  bankGlAccountId: number | null;
  bankActive: boolean;
  /** Deposits of customers, payments to vendors. */
  bankTakesThem: boolean;
  paymentAccountId: number | null;
  paymentTypeId: number | null;
  locationId: number | null;
  /** Of those that applications name. */
  profitCenterIds: number[];
  locationIds: number[];
  closingDate: IsoDate | null;
  settings: SettingRow[];
  /** The id for a new payment; ids of the old ones are lower. */
  nextId: number;
  /** The payment's newest transaction so far; null for a new one. */
  transactionId: number | null;
}

/** What a payment refers to, as far as it is the company's own and can take or give money. */
export function selectReferences(
  side: Side,
  ids: Record<'paymentId' | 'entityId' | 'bankAccountId' | 'paymentAccountId' | 'paymentTypeId' | 'locationId', number>,
  named: { profitCenterIds: readonly number[]; locationIds: readonly number[] },
  companyId: number,
): Runnable<PaymentReferences> {
  const own = (table: 'profit_center' | 'location', list: readonly number[]) =>
    sql`(select jsonb_agg(f.id) from ${sql.id(table)} f
      where f.company_id = ${COMPANY} and f.id = any(${list}::bigint[]))`;
  return sql<PaymentReferences>`
    select e.displayname as "entityName", coalesce(e.deleted, true) as "entityDeleted",
      b.gl_account_id as "bankGlAccountId", coalesce(b.active, false) as "bankActive",
      coalesce(${sql.ref(side.name === 'receivable' ? 'b.allow_deposits' : 'b.allow_payments')}, false)
        as "bankTakesThem", a.id as "paymentAccountId",
      t.id as "paymentTypeId", l.id as "locationId", h.closing_date as "closingDate",
      (select coalesce(jsonb_agg(x), '[]') from (${settingsSql(companyId)}) x) as settings,
      ${listOf(named.profitCenterIds, own('profit_center', named.profitCenterIds))} as "profitCenterIds",
      ${listOf(named.locationIds, own('location', named.locationIds))} as "locationIds",
      nextval('payment_id_seq') as "nextId",
      (select max(j.id) from journal_transaction j where j.company_id = h.company_id
        and j.source_type = ${side.payment.source} and j.source_id = ${ids.paymentId}) as "transactionId"
    from ledger_head h
    left join entity e on e.company_id = h.company_id and e.id = ${ids.entityId} and e.kind = ${side.entityKind}
    left join banking_account b on b.company_id = h.company_id and b.id = ${ids.bankAccountId}
    left join account a on a.company_id = h.company_id and a.id = ${ids.paymentAccountId} and a.active
      and a.account_type = 'Cash'
    left join location l on l.company_id = h.company_id and l.id = ${ids.locationId}
    left join payment_type t on t.company_id = h.company_id and t.id = ${ids.paymentTypeId} and (t.active
      or exists (select from payment p where p.company_id = h.company_id and p.id = ${ids.paymentId}
        and p.payment_type_id = t.id))
    where h.company_id = ${COMPANY}`;
}
