import { type RawBuilder, sql } from 'kysely';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { type SettingRow, settingsSql } from '../settings/settings.ts';
import { type InvoiceRow, invoiceColumns, type TaxSnapshot } from './settlement.sql.ts';

/** A stored line; decimals as text. */
export interface LineRow {
  id: number;
  lineNo: number;
  productId: number | null;
  productName: string | null;
  description: string;
  serviceDate: IsoDate | null;
  itemPrice: Cents;
  itemAmount: string;
  quantity: string;
  taxable: boolean;
  accountId: number;
  profitCenterId: number | null;
  locationId: number | null;
  lineItemAmount: Cents;
  lineTax: string;
  taxItems: { salesTaxType: number; total: string }[];
}

export interface InvoiceWithCustomer extends InvoiceRow {
  customerDisplayName: string;
}

/** One invoice with its customer's name; deleted ones are gone. */
export function selectInvoice(companyId: number, id: number): RawBuilder<InvoiceWithCustomer> {
  return sql<InvoiceWithCustomer>`
    select ${invoiceColumns}, e.displayname as "customerDisplayName"
    from invoice i join entity e on e.company_id = i.company_id and e.id = i.customer_id
    where i.company_id = ${companyId} and i.id = ${id} and not i.deleted`;
}

export function selectLines(companyId: number, invoiceId: number): RawBuilder<LineRow> {
  return sql<LineRow>`
    select l.id, l.line_no as "lineNo", l.product_id as "productId", p.name as "productName", l.description,
      l.service_date as "serviceDate", l.item_price_cents as "itemPrice", l.item_amount as "itemAmount", l.quantity,
      l.taxable, l.account_id as "accountId", l.profit_center_id as "profitCenterId", l.location_id as "locationId",
      l.line_amount_cents as "lineItemAmount", l.line_tax as "lineTax", l.tax_items as "taxItems"
    from invoice_line l left join product p on p.company_id = l.company_id and p.id = l.product_id
    where l.company_id = ${companyId} and l.invoice_id = ${invoiceId} and not l.deleted
    order by l.line_no`;
}

export interface CustomerRow {
  id: number;
  displayname: string;
  deleted: boolean;
  taxExempt: boolean;
  scenarioId: number | null;
  taxAccountId: number | null;
  rates: { id: number; label: string; salesTaxType: number; percentage: string }[];
}

/** The customer with the sales tax scenario that holds for it: its own, else the company's first. */
export function selectCustomer(companyId: number, customerId: number): RawBuilder<CustomerRow> {
  return sql<CustomerRow>`
    select e.id, e.displayname, e.deleted, e.tax_exempt as "taxExempt", s.id as "scenarioId",
      s.gl_account_id as "taxAccountId",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', t.id, 'label', t.label, 'salesTaxType', t.sales_tax_type,
          'percentage', t.percentage::text) order by t.id)
        from sales_tax_item t
        where t.company_id = e.company_id and t.scenario_id = s.id and not t.deleted), '[]'::jsonb) as rates
    from entity e
    left join sales_tax_scenario s on s.company_id = e.company_id and s.id = coalesce(e.sales_tax_scenario_id,
      (select min(f.id) from sales_tax_scenario f where f.company_id = ${companyId}))
    where e.company_id = ${companyId} and e.id = ${customerId} and e.kind = 0`;
}

export interface References {
  products: {
    id: number;
    name: string;
    accountId: number;
    taxable: boolean;
    profitCenterId: number | null;
    active: boolean;
  }[];
  accounts: { id: number; active: boolean; type: string; contra: boolean; system: boolean }[];
  profitCenterIds: number[];
  locationIds: number[];
}

/** What the lines of a request refer to, as far as it is the company's own. */
export function selectReferences(
  companyId: number,
  ids: { products: number[]; accounts: number[]; profitCenters: number[]; locations: number[] },
): RawBuilder<References> {
  return sql<References>`
    select
      coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'accountId', p.gl_account_id,
          'taxable', p.taxable, 'profitCenterId', p.profit_center_id, 'active', p.active))
        from product p where p.company_id = c.company_id and p.id = any(${ids.products}::bigint[])), '[]') as products,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', a.id, 'active', a.active, 'type', a.account_type, 'contra', a.contra,
          'system', a.system))
        from account a where a.company_id = c.company_id and a.id = any(${ids.accounts}::bigint[])), '[]') as accounts,
      coalesce((
        select jsonb_agg(f.id) from profit_center f
        where f.company_id = c.company_id and f.id = any(${ids.profitCenters}::bigint[])), '[]') as "profitCenterIds",
      coalesce((
        select jsonb_agg(l.id) from location l
        where l.company_id = c.company_id and l.id = any(${ids.locations}::bigint[])), '[]') as "locationIds"
    from company c where c.company_id = ${companyId}`;
}

/** Ids for a new invoice and for its lines, taken ahead so that the answer is known before the commit. */
export function takeIds(companyId: number, lineCount: number): RawBuilder<{ invoiceId: number; lineIds: number[] }> {
  return sql<{ invoiceId: number; lineIds: number[] }>`
    select nextval('invoice_id_seq') as "invoiceId", array(
      select nextval('invoice_line_id_seq') from generate_series(1, ${lineCount}::integer)
    )::text[]::float8[] as "lineIds"
    from company c where c.company_id = ${companyId}`;
}

/** What a new invoice stands on. */
export interface Ground {
  customer: CustomerRow | null;
  referenced: References;
  settings: SettingRow[];
  ids: { invoiceId: number; lineIds: number[] };
}

/** All of it in one statement: each one more would cost every new invoice a tenth of what its journal lines cost. */
export function selectGround(
  companyId: number,
  wanted: { customerId: number; references: Parameters<typeof selectReferences>[1]; lineCount: number },
): RawBuilder<Ground> {
  return sql<Ground>`
    select
      (select to_jsonb(x) from (${selectCustomer(companyId, wanted.customerId)}) x) as customer,
      (select to_jsonb(x) from (${selectReferences(companyId, wanted.references)}) x) as referenced,
      (select coalesce(jsonb_agg(x), '[]') from (${settingsSql(companyId)}) x) as settings,
      (select to_jsonb(x) from (${takeIds(companyId, wanted.lineCount)}) x) as ids`;
}

/** Everything that an invoice row holds. */
export type InvoiceRecord = Omit<InvoiceRow, 'rowVersion'>;

function insertInvoice(companyId: number, invoice: InvoiceRecord): RawBuilder<unknown> {
  return sql`
    insert into invoice (company_id, id, invoice_number, invoice_date, due_date, customer_id, status, ar_account_id,
      tax_account_id, sales_tax_scenario_id, tax_snapshot, sales_tax_cents, total_cents, open_cents, entry_date)
    values (${companyId}, ${invoice.id}, ${invoice.invoiceNumber}, ${invoice.invoiceDate}, ${invoice.dueDate},
      ${invoice.customerId}, ${invoice.status}, ${invoice.arAccountId}, ${invoice.taxAccountId}, ${invoice.scenarioId},
      ${JSON.stringify(invoice.taxSnapshot)}, ${invoice.salesTaxAmount}, ${invoice.invoiceAmount},
      ${invoice.openAmount}, ${invoice.entryDate})`;
}

/** A new invoice with its lines, in one statement. */
export function insertWhole(companyId: number, invoice: InvoiceRecord, lines: readonly LineRow[]): RawBuilder<unknown> {
  const head = insertInvoice(companyId, invoice);
  return lines.length === 0 ? head : sql`with head as (${head}) ${insertLines(companyId, invoice.id, lines)}`;
}

export function updateInvoiceRow(companyId: number, invoice: InvoiceRecord): RawBuilder<unknown> {
  return sql`
    update invoice set invoice_date = ${invoice.invoiceDate}, due_date = ${invoice.dueDate},
      customer_id = ${invoice.customerId}, status = ${invoice.status}, tax_account_id = ${invoice.taxAccountId},
      sales_tax_scenario_id = ${invoice.scenarioId}, tax_snapshot = ${JSON.stringify(invoice.taxSnapshot)},
      sales_tax_cents = ${invoice.salesTaxAmount}, total_cents = ${invoice.invoiceAmount},
      open_cents = ${invoice.openAmount}, row_version = row_version + 1
    where company_id = ${companyId} and id = ${invoice.id}`;
}

export function markInvoiceDeleted(companyId: number, id: number): RawBuilder<unknown> {
  return sql`
    update invoice set deleted = true, open_cents = 0, row_version = row_version + 1
    where company_id = ${companyId} and id = ${id}`;
}

/** Writes the live lines and marks those of the invoice that are not among them as deleted. */
export function writeLines(companyId: number, invoiceId: number, lines: readonly LineRow[]): RawBuilder<unknown>[] {
  const kept = lines.map((line) => line.id);
  return [
    sql`
      update invoice_line set deleted = true
      where company_id = ${companyId} and invoice_id = ${invoiceId} and not deleted and id <> all(${kept}::bigint[])`,
    insertLines(companyId, invoiceId, lines),
  ];
}

function insertLines(companyId: number, invoiceId: number, lines: readonly LineRow[]): RawBuilder<unknown> {
  return sql`
    insert into invoice_line (company_id, id, invoice_id, line_no, product_id, description, service_date,
      item_price_cents, item_amount, quantity, taxable, account_id, profit_center_id, location_id, line_amount_cents,
      line_tax, tax_items)
    select c.company_id, x.id, ${invoiceId}, x."lineNo", x."productId", x.description, x."serviceDate", x."itemPrice",
      x."itemAmount", x.quantity, x.taxable, x."accountId", x."profitCenterId", x."locationId", x."lineItemAmount",
      x."lineTax", x."taxItems"
    from company c, jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) x (id bigint, "lineNo" integer,
      "productId" bigint, description text, "serviceDate" date, "itemPrice" bigint, "itemAmount" numeric,
      quantity numeric, taxable boolean, "accountId" bigint, "profitCenterId" bigint, "locationId" bigint,
      "lineItemAmount" bigint, "lineTax" numeric, "taxItems" jsonb)
    where c.company_id = ${companyId}
    on conflict (company_id, id) do update set line_no = excluded.line_no, product_id = excluded.product_id,
      description = excluded.description, service_date = excluded.service_date,
      item_price_cents = excluded.item_price_cents, item_amount = excluded.item_amount, quantity = excluded.quantity,
      taxable = excluded.taxable, account_id = excluded.account_id, profit_center_id = excluded.profit_center_id,
      location_id = excluded.location_id, line_amount_cents = excluded.line_amount_cents,
      line_tax = excluded.line_tax, tax_items = excluded.tax_items`;
}

export type { TaxSnapshot };
