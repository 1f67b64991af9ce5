import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '@evenkeel/core/dates';
import { containsPattern, pageClauses, type PageRequest, type SortColumn } from '../db/page.ts';
import type { InvoiceWithCustomer } from './invoices.sql.ts';
import { invoiceColumns } from './settlement.sql.ts';

/** Numbers are counted up, so longer is later. */
const NUMBER: SortColumn = { expression: sql`lpad(i.invoice_number, 20, '0')`, type: 'text' };
const COLUMNS: Record<string, SortColumn> = {
  invoiceNumber: NUMBER,
  customerDisplayName: { expression: sql`lower(e.displayname)`, type: 'text' },
  invoiceDate: { expression: sql`i.invoice_date`, type: 'date' },
  dueDate: { expression: sql`coalesce(i.due_date, i.invoice_date)`, type: 'date' },
  invoiceAmount: { expression: sql`i.total_cents`, type: 'bigint' },
  openAmount: { expression: sql`i.open_cents`, type: 'bigint' },
  arBillingStatus: { expression: sql`i.status::bigint`, type: 'bigint' },
};

export type ListedInvoice = InvoiceWithCustomer & { sortKey: string };

export interface InvoiceFilter extends PageRequest {
  q?: string | undefined;
  status?: 'open' | 'all' | undefined;
}

function matching(companyId: number, { q, status }: InvoiceFilter): RawBuilder<unknown> {
  const open = status === 'all' ? sql`` : sql`and (i.open_cents <> 0 or i.status = 1) and i.status <> 5`;
  const text = (q ?? '').trim();
  const pattern = containsPattern(text);
  const words = text === '' ? sql`` : sql`and (i.invoice_number ilike ${pattern} or e.displayname ilike ${pattern})`;
  return sql`
    from invoice i join entity e on e.company_id = i.company_id and e.id = i.customer_id
    where i.company_id = ${companyId} and not i.deleted ${open} ${words}`;
}

/** Open invoices and drafts, or all, in the order asked for; one more than `limit`. */
export function selectInvoiceList(companyId: number, filter: InvoiceFilter): RawBuilder<ListedInvoice> {
  const page = pageClauses(filter, COLUMNS, { id: sql`i.id`, initial: NUMBER });
  return sql<ListedInvoice>`
    select ${invoiceColumns}, e.displayname as "customerDisplayName", ${page.key}
    ${matching(companyId, filter)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export function countInvoices(companyId: number, filter: InvoiceFilter): RawBuilder<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total ${matching(companyId, filter)}`;
}

/** Invoices dated within a window, ordered by date, then number. */
export function selectHistory(companyId: number, from: IsoDate, to: IsoDate): RawBuilder<InvoiceWithCustomer> {
  return sql<InvoiceWithCustomer>`
    select ${invoiceColumns}, e.displayname as "customerDisplayName"
    from invoice i join entity e on e.company_id = i.company_id and e.id = i.customer_id
    where i.company_id = ${companyId} and not i.deleted and i.invoice_date between ${from} and ${to}
    order by i.invoice_date, lpad(i.invoice_number, 20, '0')`;
}

export interface OpenLineRow {
  invoiceId: number;
  description: string;
  lineItemAmount: number;
  profitCenterId: number | null;
  locationId: number | null;
}

/** A customer's open invoices, and those a payment touched. */
export function selectOpen(
  companyId: number,
  customerId: number,
  paymentId: number,
): RawBuilder<InvoiceWithCustomer & { applied: number }> {
  return sql<InvoiceWithCustomer & { applied: number }>`
    select ${invoiceColumns}, e.displayname as "customerDisplayName", coalesce(a.applied, 0)::bigint as applied
    from invoice i
    join entity e on e.company_id = i.company_id and e.id = i.customer_id
    left join (
      select invoice_id, sum(amount_cents) as applied from payment_application
      where company_id = ${companyId} and payment_id = ${paymentId}
      group by invoice_id having sum(amount_cents) <> 0
    ) a on a.invoice_id = i.id
    where i.company_id = ${companyId} and i.customer_id = ${customerId} and not i.deleted and i.status in (2, 3, 4)
      and (i.open_cents <> 0 or a.applied is not null)`;
}

/** The lines of a customer's open invoices, for Application Detail. */
export function selectOpenLines(companyId: number, invoiceIds: readonly number[]): RawBuilder<OpenLineRow> {
  return sql<OpenLineRow>`
    select l.invoice_id as "invoiceId", l.description, l.line_amount_cents as "lineItemAmount",
      l.profit_center_id as "profitCenterId", l.location_id as "locationId"
    from invoice_line l
    where l.company_id = ${companyId} and l.invoice_id = any(${invoiceIds}::bigint[]) and not l.deleted
    order by l.invoice_id, l.line_no`;
}

export interface HistoryRow {
  kind: 'invoice' | 'payment';
  id: number;
  refNumber: string;
  historyDate: IsoDate;
  amount: number;
  balance: number;
}

/** A customer's invoices and payments, newest first; balance is what is unpaid or not yet applied. */
export function selectCustomerHistory(companyId: number, customerId: number): RawBuilder<HistoryRow> {
  return sql<HistoryRow>`
    select * from (
      select 'invoice' as kind, i.id, i.invoice_number as "refNumber", i.invoice_date as "historyDate",
        i.total_cents as amount, i.open_cents as balance
      from invoice i
      where i.company_id = ${companyId} and i.customer_id = ${customerId} and not i.deleted
      union all
      select 'payment', p.id, coalesce(nullif(p.reference_number, ''), p.payment_number), p.payment_date,
        p.amount_cents, p.unapplied_cents
      from payment p
      where p.company_id = ${companyId} and p.customer_id = ${customerId} and not p.deleted
    ) h
    order by "historyDate" desc, kind desc, id desc`;
}

export function customerExists(companyId: number, customerId: number): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`
    select id from entity where company_id = ${companyId} and id = ${customerId} and kind = 0`;
}
