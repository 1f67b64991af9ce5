import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { type ApplicationRow, type PaymentRow, paymentColumns } from './settlement.sql.ts';

export interface PaymentWithCustomer extends PaymentRow {
  customerDisplayName: string;
}

export function selectPayment(companyId: number, id: number): RawBuilder<PaymentWithCustomer> {
  return sql<PaymentWithCustomer>`
    select ${paymentColumns}, e.displayname as "customerDisplayName"
    from payment p join entity e on e.company_id = p.company_id and e.id = p.customer_id
    where p.company_id = ${companyId} and p.id = ${id} and not p.deleted`;
}

export interface AppliedRow {
  invoiceId: number;
  invoiceNumber: string;
  amount: Cents;
}

/** What a payment pays, one row per invoice; what was taken back sums to zero. */
export function selectApplied(companyId: number, paymentId: number): RawBuilder<AppliedRow> {
  return sql<AppliedRow>`
    select a.invoice_id as "invoiceId", i.invoice_number as "invoiceNumber", sum(a.amount_cents)::bigint as "amount"
    from payment_application a join invoice i on i.company_id = a.company_id and i.id = a.invoice_id
    where a.company_id = ${companyId} and a.payment_id = ${paymentId}
    group by a.invoice_id, i.invoice_number, i.invoice_date
    having sum(a.amount_cents) <> 0
    order by i.invoice_date, a.invoice_id`;
}

export interface PaymentReferences {
  customerName: string | null;
  customerDeleted: boolean;
  bankGlAccountId: number | null;
  bankActive: boolean;
  bankAllowsDeposits: boolean;
  paymentAccountId: number | null;
  paymentTypeId: number | null;
  closingDate: IsoDate | null;
  /** The id for a new payment. */
  nextId: number;
}

/** What a payment refers to, as far as it is the company's own and can take money. */
export function selectPaymentReferences(
  companyId: number,
  ids: { customerId: number; bankAccountId: number; paymentAccountId: number; paymentTypeId: number },
): RawBuilder<PaymentReferences> {
  return sql<PaymentReferences>`
    select e.displayname as "customerName", coalesce(e.deleted, true) as "customerDeleted",
      b.gl_account_id as "bankGlAccountId", coalesce(b.active, false) as "bankActive",
      coalesce(b.allow_deposits, false) as "bankAllowsDeposits", a.id as "paymentAccountId",
      t.id as "paymentTypeId", h.closing_date as "closingDate",
      nextval('payment_id_seq') as "nextId"
    from ledger_head h
    left join entity e on e.company_id = h.company_id and e.id = ${ids.customerId} and e.kind = 0
    left join banking_account b on b.company_id = h.company_id and b.id = ${ids.bankAccountId}
    left join account a on a.company_id = h.company_id and a.id = ${ids.paymentAccountId} and a.active
      and a.account_type = 'Cash'
    left join payment_type t on t.company_id = h.company_id and t.id = ${ids.paymentTypeId}
    where h.company_id = ${companyId}`;
}

export type PaymentRecord = Omit<PaymentRow, 'rowVersion'>;

export function insertPayment(companyId: number, payment: PaymentRecord): RawBuilder<unknown> {
  return sql`
    insert into payment (company_id, id, payment_number, customer_id, payment_date, amount_cents, unapplied_cents,
      payment_type_id, reference_number, check_number, description, bank_account_id, payment_account_id, gl_account_id,
      ar_account_id, entry_date)
    values (${companyId}, ${payment.id}, ${payment.paymentNumber}, ${payment.customerId}, ${payment.paymentDate},
      ${payment.amount}, ${payment.unapplied}, ${payment.paymentTypeId}, ${payment.referenceNumber},
      ${payment.checkNumber}, ${payment.description}, ${payment.bankAccountId}, ${payment.paymentAccountId},
      ${payment.glAccountId}, ${payment.arAccountId}, ${payment.entryDate})`;
}

export function updatePaymentRow(companyId: number, payment: PaymentRecord): RawBuilder<unknown> {
  return sql`
    update payment set customer_id = ${payment.customerId}, payment_date = ${payment.paymentDate},
      amount_cents = ${payment.amount}, unapplied_cents = ${payment.unapplied},
      payment_type_id = ${payment.paymentTypeId}, reference_number = ${payment.referenceNumber},
      check_number = ${payment.checkNumber}, description = ${payment.description},
      bank_account_id = ${payment.bankAccountId}, payment_account_id = ${payment.paymentAccountId},
      gl_account_id = ${payment.glAccountId}, row_version = row_version + 1
    where company_id = ${companyId} and id = ${payment.id}`;
}

export function markPaymentDeleted(companyId: number, id: number): RawBuilder<unknown> {
  return sql`
    update payment set deleted = true, unapplied_cents = 0, row_version = row_version + 1
    where company_id = ${companyId} and id = ${id}`;
}

/** Puts the applications of one payment, or of one invoice, in place of those that stood there. */
export function replaceApplications(
  companyId: number,
  of: { paymentId: number } | { invoiceId: number },
  applications: readonly ApplicationRow[],
): RawBuilder<unknown>[] {
  const removed =
    'paymentId' in of
      ? sql`delete from payment_application where company_id = ${companyId} and payment_id = ${of.paymentId}`
      : sql`delete from payment_application where company_id = ${companyId} and invoice_id = ${of.invoiceId}`;
  if (applications.length === 0) return [removed];
  return [removed, insertApplications(companyId, applications)];
}

export function insertApplications(companyId: number, applications: readonly ApplicationRow[]): RawBuilder<unknown> {
  return sql`
    insert into payment_application (company_id, payment_id, invoice_id, amount_cents, recognition_date)
    select c.company_id, x."paymentId", x."invoiceId", x.amount, x."recognitionDate"
    from company c, jsonb_to_recordset(${JSON.stringify(applications)}::jsonb)
      x ("paymentId" bigint, "invoiceId" bigint, amount bigint, "recognitionDate" date)
    where c.company_id = ${companyId}`;
}

/** Sets open amounts; the table's check refuses what is beyond the invoice's total. */
export function setOpenAmounts(
  companyId: number,
  invoices: readonly { id: number; openAmount: Cents }[],
): RawBuilder<unknown> {
  return sql`
    update invoice i set open_cents = x."openAmount"
    from jsonb_to_recordset(${JSON.stringify(invoices)}::jsonb) x (id bigint, "openAmount" bigint)
    where i.company_id = ${companyId} and i.id = x.id`;
}

/** The newest journal transaction of a payment. */
export function selectTransactionId(companyId: number, paymentId: number): RawBuilder<{ id: number | null }> {
  return sql<{ id: number | null }>`
    select max(t.id) as id from journal_transaction t
    where t.company_id = ${companyId} and t.source_type = 'payment' and t.source_id = ${paymentId}`;
}
