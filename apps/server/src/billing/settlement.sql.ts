import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { Runnable } from '../db/query.ts';
import { liveLinesWhere, type LiveRow } from '../ledger/live.ts';

/**
 * The documents that a command on invoices or payments touches. Lock order: invoices by id, payments by id, then (in
 * ledger/post) the company's head. All statements here depend only on the command's input, so they share one round
 * trip.
 */
export interface Picked {
  companyId: number;
  invoiceIds: readonly number[];
  /** The payment being edited: its invoices are picked too. 0 for none. */
  paymentId: number;
  /** All open invoices of this customer are picked too (automatic filling). 0 for none. */
  openOfCustomerId: number;
}

/**
 * Each branch finds its ids by an index. Use it as `= any(array(…))`: the ids are then found once, before the rows, and
 * what is read does not grow with the company's history (one condition with "or" reads every invoice there ever was).
 */
function pickedInvoiceIds({ companyId, invoiceIds, paymentId, openOfCustomerId }: Picked): RawBuilder<unknown> {
  return sql`
    select i.id from invoice i
    where i.company_id = ${companyId} and not i.deleted and i.id = any(${invoiceIds}::bigint[])
    union
    select a.invoice_id from payment_application a where a.company_id = ${companyId} and a.payment_id = ${paymentId}
    union
    select i.id from invoice i
    where i.company_id = ${companyId} and not i.deleted and i.customer_id = ${openOfCustomerId}
      and i.open_cents <> 0 and i.status in (2, 3, 4)`;
}

/** Every payment with money on a picked invoice, and the edited one; a deleted one has no applications. */
function pickedPaymentIds(picked: Picked): RawBuilder<unknown> {
  return sql`
    select p.id from payment p
    where p.company_id = ${picked.companyId} and not p.deleted and p.id = ${picked.paymentId}
    union
    select a.payment_id from payment_application a
    where a.company_id = ${picked.companyId} and a.invoice_id = any(array(${pickedInvoiceIds(picked)}))`;
}

export interface InvoiceRow {
  id: number;
  invoiceNumber: string;
  invoiceDate: IsoDate;
  dueDate: IsoDate | null;
  customerId: number;
  status: number;
  arAccountId: number;
  taxAccountId: number | null;
  scenarioId: number | null;
  taxSnapshot: TaxSnapshot[];
  salesTaxAmount: Cents;
  invoiceAmount: Cents;
  openAmount: Cents;
  entryDate: IsoDate;
  rowVersion: number;
}

/** A tax item as copied onto the invoice; percentage as decimal text, total in cents. */
export interface TaxSnapshot {
  id: number;
  label: string;
  salesTaxType: number;
  percentage: string;
  total: Cents;
}

export const invoiceColumns = sql`
  i.id, i.invoice_number as "invoiceNumber", i.invoice_date as "invoiceDate", i.due_date as "dueDate",
  i.customer_id as "customerId", i.status, i.ar_account_id as "arAccountId", i.tax_account_id as "taxAccountId",
  i.sales_tax_scenario_id as "scenarioId", i.tax_snapshot as "taxSnapshot", i.sales_tax_cents as "salesTaxAmount",
  i.total_cents as "invoiceAmount", i.open_cents as "openAmount", i.entry_date as "entryDate",
  i.row_version as "rowVersion"`;

export function lockInvoices(picked: Picked): RawBuilder<InvoiceRow> {
  return sql<InvoiceRow>`
    select ${invoiceColumns} from invoice i
    where i.company_id = ${picked.companyId} and not i.deleted and i.id = any(array(${pickedInvoiceIds(picked)}))
    order by i.id for update`;
}

export interface PaymentRow {
  id: number;
  paymentNumber: string;
  customerId: number;
  paymentDate: IsoDate;
  amount: Cents;
  unapplied: Cents;
  paymentTypeId: number | null;
  referenceNumber: string;
  checkNumber: string;
  description: string;
  bankAccountId: number | null;
  paymentAccountId: number | null;
  glAccountId: number;
  arAccountId: number;
  entryDate: IsoDate;
  rowVersion: number;
}

export const paymentColumns = sql`
  p.id, p.payment_number as "paymentNumber", p.customer_id as "customerId", p.payment_date as "paymentDate",
  p.amount_cents as "amount", p.unapplied_cents as "unapplied", p.payment_type_id as "paymentTypeId",
  p.reference_number as "referenceNumber", p.check_number as "checkNumber", p.description,
  p.bank_account_id as "bankAccountId", p.payment_account_id as "paymentAccountId", p.gl_account_id as "glAccountId",
  p.ar_account_id as "arAccountId", p.entry_date as "entryDate", p.row_version as "rowVersion"`;

export function lockPayments(picked: Picked): RawBuilder<PaymentRow> {
  return sql<PaymentRow>`
    select ${paymentColumns} from payment p
    where p.company_id = ${picked.companyId} and p.id = any(array(${pickedPaymentIds(picked)}))
    order by p.id for update`;
}

export interface ApplicationRow {
  paymentId: number;
  invoiceId: number;
  amount: Cents;
  recognitionDate: IsoDate;
}

/** Picked invoices and those that a picked payment also pays: their cash recognition hangs together. */
function involvedInvoiceIds(picked: Picked): RawBuilder<unknown> {
  return sql`
    ${pickedInvoiceIds(picked)}
    union
    select a.invoice_id from payment_application a
    where a.company_id = ${picked.companyId} and a.payment_id = any(array(${pickedPaymentIds(picked)}))`;
}

export function loadApplications(picked: Picked): RawBuilder<ApplicationRow> {
  return sql<ApplicationRow>`
    select a.payment_id as "paymentId", a.invoice_id as "invoiceId", a.amount_cents as "amount",
      a.recognition_date as "recognitionDate"
    from payment_application a
    where a.company_id = ${picked.companyId} and a.invoice_id = any(array(${involvedInvoiceIds(picked)}))`;
}

/** Invoices that are only read: a picked payment pays them too. */
export function loadInvolvedInvoices(picked: Picked): RawBuilder<InvoiceRow> {
  return sql<InvoiceRow>`
    select ${invoiceColumns} from invoice i
    where i.company_id = ${picked.companyId} and i.id = any(array(${involvedInvoiceIds(picked)}))`;
}

/** What posting needs of a stored line. */
export interface PostedLineRow {
  invoiceId: number;
  lineNo: number;
  accountId: number;
  lineItemAmount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
}

export function loadLines(picked: Picked): RawBuilder<PostedLineRow> {
  return sql<PostedLineRow>`
    select l.invoice_id as "invoiceId", l.line_no as "lineNo", l.account_id as "accountId",
      l.line_amount_cents as "lineItemAmount", l.description, l.profit_center_id as "profitCenterId",
      l.location_id as "locationId"
    from invoice_line l
    where l.company_id = ${picked.companyId} and not l.deleted
      and l.invoice_id = any(array(${involvedInvoiceIds(picked)}))
    order by l.invoice_id, l.line_no`;
}

/** Live lines of the picked payments and of the invoices named by id. */
export function loadLive(picked: Picked): Runnable<LiveRow> {
  return liveLinesWhere(
    picked.companyId,
    sql`(t.source_type = 'payment' and t.source_id = any(array(${pickedPaymentIds(picked)})))
      or (t.source_type = 'invoice' and t.source_id = any(${picked.invoiceIds}::bigint[]))`,
  );
}
