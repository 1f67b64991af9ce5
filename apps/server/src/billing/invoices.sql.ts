import type { IsoDate } from '@evenkeel/core/dates';
import { type RawBuilder, sql } from 'kysely';
import { listOf, takeIds } from '../db/facts.sql.ts';
import { COMPANY, type Runnable } from '../db/query.ts';
import { type RowOf, table } from '../db/table.ts';
import { type SettingRow, settingsSql } from '../settings/settings.ts';
import { type DocumentRow, documents } from '../subledger/tables.sql.ts';

const lines = table('invoice_line', {
  id: 'id',
  documentId: 'invoice_id',
  lineNo: 'line_no',
  productId: 'product_id',
  description: 'description',
  serviceDate: 'service_date',
  itemPrice: 'item_price_cents',
  itemAmount: 'item_amount',
  quantity: 'quantity',
  taxable: 'taxable',
  accountId: 'account_id',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
  lineItemAmount: 'line_amount_cents',
  lineTax: 'line_tax',
  taxItems: 'tax_items',
}).typed<{ taxItems: { salesTaxType: number; total: string }[] }>();

/** A stored line with its product's name; decimals as text. */
export type LineRow = Omit<RowOf<typeof lines>, 'documentId'> & { productName: string | null };

export interface NamedInvoice extends DocumentRow {
  /** The customer, as it is called now. */
  entityName: string;
}

const SIDE = 'receivable';

/** One invoice with its customer's name; deleted ones are gone. */
export function selectInvoice(id: number): RawBuilder<NamedInvoice> {
  return sql<NamedInvoice>`
    select ${documents.columns('d')}, e.displayname as "entityName"
    from document d join entity e on e.company_id = d.company_id and e.id = d.entity_id
    where d.company_id = ${COMPANY} and d.side = ${SIDE} and d.id = ${id} and not d.deleted`;
}

export function selectLines(invoiceId: number): RawBuilder<LineRow> {
  return sql<LineRow>`
    select ${lines.columns('l')}, p.name as "productName"
    from invoice_line l left join product p on p.company_id = l.company_id and p.id = l.product_id
    where l.company_id = ${COMPANY} and l.invoice_id = ${invoiceId} and not l.deleted
    order by l.line_no`;
}

export interface CustomerRow {
  id: number;
  displayname: string;
  deleted: boolean;
  taxExempt: boolean;
  /** Days until its invoices are due; null is the company's. */
  termsDays: number | null;
  scenarioId: number | null;
  taxAccountId: number | null;
  rates: { id: number; label: string; salesTaxType: number; percentage: string }[];
}

/** Customers with the sales tax scenario that holds for each: its own, else the company's first. */
function selectCustomers(customerIds: readonly number[]): RawBuilder<CustomerRow> {
  return sql<CustomerRow>`
    select e.id, e.displayname, e.deleted, e.tax_exempt as "taxExempt", e.terms_days as "termsDays",
      s.id as "scenarioId",
      s.gl_account_id as "taxAccountId",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', t.id, 'label', t.label, 'salesTaxType', t.sales_tax_type,
          'percentage', t.percentage::text) order by t.id)
        from sales_tax_item t
        where t.company_id = e.company_id and t.scenario_id = s.id and not t.deleted), '[]'::jsonb) as rates
    from entity e
    left join sales_tax_scenario s on s.company_id = e.company_id and s.id = coalesce(e.sales_tax_scenario_id,
      (select min(f.id) from sales_tax_scenario f where f.company_id = ${COMPANY}))
    where e.company_id = ${COMPANY} and e.id = any(${customerIds}::bigint[]) and e.kind = 0`;
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
  /** 1 where there is an active one at all, else 0. */
  activeProfitCenters: number;
  activeLocations: number;
}

export interface ReferencedIds {
  products: number[];
  accounts: number[];
  profitCenters: number[];
  locations: number[];
}

/** What the lines of requests refer to, as far as it is the company's own. */
function references(ids: ReferencedIds): RawBuilder<unknown> {
  const own = (alias: string, list: readonly number[]) =>
    sql`${sql.ref(alias)}.company_id = ${COMPANY} and ${sql.ref(alias)}.id = any(${list}::bigint[])`;
  const products = sql`(
    select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'accountId', p.gl_account_id,
      'taxable', p.taxable, 'profitCenterId', p.profit_center_id, 'active', p.active))
    from product p where ${own('p', ids.products)})`;
  const accounts = sql`(
    select jsonb_agg(jsonb_build_object('id', a.id, 'active', a.active, 'type', a.account_type, 'contra', a.contra,
      'system', a.system))
    from account a where ${own('a', ids.accounts)})`;
  const profitCenters = sql`(select jsonb_agg(f.id) from profit_center f where ${own('f', ids.profitCenters)})`;
  const locations = sql`(select jsonb_agg(l.id) from location l where ${own('l', ids.locations)})`;
  return sql`jsonb_build_object(
    'products', ${listOf(ids.products, products)}, 'accounts', ${listOf(ids.accounts, accounts)},
    'profitCenterIds', ${listOf(ids.profitCenters, profitCenters)},
    'locationIds', ${listOf(ids.locations, locations)},
    'activeProfitCenters', (select count(*) from (
      select from profit_center f where f.company_id = ${COMPANY} and f.active limit 1) x),
    'activeLocations', (select count(*) from (
      select from location l where l.company_id = ${COMPANY} and l.active limit 1) x))`;
}

/** What several invoices together ask for. */
export interface FactsWanted {
  customerIds: number[];
  references: ReferencedIds;
  /** How many invoices and lines are new. */
  invoiceCount: number;
  lineCount: number;
}

/** What invoices that are saved depend on besides their input; each takes its new ids out of those for all. */
export interface InvoiceFacts {
  customers: CustomerRow[];
  references: References;
  settings: SettingRow[];
  /** For an edit; a new invoice is dated by the head that its batch holds. */
  closingDate: IsoDate | null;
  ids: { invoices: number[]; lines: number[] };
}

/** All of it in one statement: each one more would cost every new invoice a tenth of what its journal lines cost. */
export function selectFacts(companyId: number, wanted: FactsWanted): RawBuilder<InvoiceFacts> {
  const { invoiceCount, lineCount } = wanted;
  const closing = sql`(select h.closing_date from ledger_head h where h.company_id = ${COMPANY})`;
  return sql<InvoiceFacts>`
    select
      (select coalesce(jsonb_agg(x), '[]') from (${selectCustomers(wanted.customerIds)}) x) as customers,
      ${references(wanted.references)} as "references",
      (select coalesce(jsonb_agg(x), '[]') from (${settingsSql(companyId)}) x) as settings,
      ${invoiceCount > 0 ? sql`null::date` : closing} as "closingDate",
      jsonb_build_object('invoices', ${takeIds('document_id_seq', invoiceCount)},
        'lines', ${takeIds('invoice_line_id_seq', lineCount)}) as ids`;
}

/** Everything that an invoice's head holds and the program sets. */
export type InvoiceRecord = Omit<DocumentRow, 'rowVersion' | 'deleted'>;

export type InvoiceLine = LineRow & { documentId: number };

/** New invoices with their lines. */
export function insertInvoices(invoices: readonly InvoiceRecord[], own: readonly InvoiceLine[]): Runnable<unknown>[] {
  return [documents.insertMany(invoices), ...(own.length === 0 ? [] : [lines.insertMany(own)])];
}

/** Writes the head and the live lines; stored ones that are not among them are marked as deleted. */
export function updateInvoice(
  invoice: InvoiceRecord,
  own: readonly InvoiceLine[],
  stored: readonly LineRow[],
): Runnable<unknown>[] {
  const before = new Set(stored.map(({ id }) => id));
  const kept = own.filter(({ id }) => before.has(id));
  const added = own.filter(({ id }) => !before.has(id));
  return [
    documents.update({ id: invoice.id }, { ...invoice, rowVersion: sql`row_version + 1` }),
    sql`
      update invoice_line set deleted = true
      where company_id = ${COMPANY} and invoice_id = ${invoice.id} and not deleted
        and id <> all(${kept.map(({ id }) => id)}::bigint[])`,
    ...(kept.length === 0 ? [] : [lines.updateMany(kept, ['id'])]),
    ...(added.length === 0 ? [] : [lines.insertMany(added)]),
  ];
}

export function markInvoiceDeleted(id: number): Runnable<unknown> {
  const changes = { deleted: true, openAmount: sql`0`, rowVersion: sql`row_version + 1` };
  return documents.update({ id }, changes);
}
