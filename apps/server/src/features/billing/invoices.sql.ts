import type { IsoDate } from '@evenkeel/core/dates';
import { type DiscountTerms, PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { ACCEPTED, INVOICED } from '@evenkeel/core/documents/estimate';
import type { Cents } from '@evenkeel/core/money';
import type { PackagePart } from '@evenkeel/core/documents/packages';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { givenDiscounts, type GivenRow, type PackageRow, packagesOf } from '../catalogue/packages.sql.ts';
import { COMPANY, listOf, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { LineStore } from '../../books/documents/documents.sql.ts';
import {
  documentFacts,
  type DocumentFacts,
  type FactsWanted as DocumentFactsWanted,
} from '../../books/ledger/references.sql.ts';
import { CHARGE_OF_LINE, type LineCharge } from './line-charges.sql.ts';
import { ownLines, type TaxSnapshot } from '../../books/documents/settlement.sql.ts';

/** Columns that lines and work items have alike. */
export const LINE_COLUMNS = {
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
  packageId: 'package_id',
  discountId: 'discount_id',
  parts: 'package_parts',
  discountTerms: 'discount_terms',
} as const;

const lines = table('invoice_line', {
  id: 'id',
  documentId: 'invoice_id',
  lineNo: 'line_no',
  /** The line of an invoice that a credit memo's line credits. */
  creditedLineId: 'credited_line_id',
  /** The line of an estimate that an invoice's line invoices. */
  estimateLineId: 'estimate_line_id',
  ...LINE_COLUMNS,
  lineItemAmount: 'line_amount_cents',
  /** The cents of the amount that the last part of a line took of what the others left. */
  restAmount: 'rest_cents',
  lineTax: 'line_tax',
  taxItems: 'tax_items',
  freedItemId: 'freed_item_id',
}).typed<{
  taxItems: { salesTaxType: number; total: string }[];
  parts: LinePart[] | null;
  discountTerms: (DiscountTerms & { discountPercentage: string; base: string | null }) | null;
}>();

/** A part of a package on a line, with its posted amount; decimals as text. */
export type LinePart = PackagePart & { amount: Cents };

/** A stored line with the name of its product, package or discount, and its work item; decimals as text. */
export type LineRow = Omit<RowOf<typeof lines>, 'documentId'> & {
  productName: string | null;
  workItemId: number | null;
  /** The item that it billed before its invoice was void; null once that is removed. */
  freed: FreedItem | null;
  /** The days of an overdue invoice that it charges. */
  charge: LineCharge | null;
  /** The quantity that invoices have of an estimate's line, drafts too. */
  invoiced?: string;
  /** The cents of this quantity. */
  invoicedAmount?: Cents;
};

/** The fields of a line that was made from no line of another document. */
export const OF_NO_LINE = { creditedLineId: null, estimateLineId: null };

export interface FreedItem {
  customerId: number;
  /** The number of the invoice that bills it now. */
  billedOn: string | null;
}

function selectLines(invoiceId: number, also = sql``): RawBuilder<LineRow> {
  return sql<LineRow>`
    select ${lines.columns('l')} ${also}, coalesce(p.name, k.name, d.name) as "productName", w.id as "workItemId",
      (select jsonb_build_object('customerId', f.entity_id, 'billedOn', d.document_number)
        from work_item f
        left join invoice_line b on b.company_id = ${COMPANY} and b.id = f.invoice_line_id
        left join document d on d.company_id = ${COMPANY} and d.id = b.invoice_id
        where f.company_id = ${COMPANY} and f.id = l.freed_item_id) as freed,
      ${CHARGE_OF_LINE} as charge
    from invoice_line l
    left join work_item w on w.company_id = ${COMPANY} and w.invoice_line_id = l.id
    left join product p on p.company_id = ${COMPANY} and p.id = l.product_id
    left join package k on k.company_id = ${COMPANY} and k.id = l.package_id
    left join discount d on d.company_id = ${COMPANY} and d.id = l.discount_id
    where l.company_id = ${COMPANY} and l.invoice_id = ${invoiceId} and not l.deleted
    order by l.line_no`;
}

export const lineStore: LineStore<LineRow> = {
  table: ownLines(documentKinds.invoice),
  select: (documentId) => selectLines(documentId),
  insertMany: (rows) => lines.insertMany(rows),
  updateMany: (rows, by) => lines.updateMany(rows, by),
};

/**
 * The quantity that invoices other than `but` have of a line of an estimate, drafts too. Credit memos of these invoices
 * give nothing back, though old ones name the line as well.
 */
const invoicedOf = (
  lineId: RawBuilder<unknown>,
  but: RawBuilder<unknown> = sql`0`,
  what = sql`i.quantity`,
) => sql`coalesce((
  select sum(${what}) from invoice_line i
  join document v on v.company_id = ${COMPANY} and v.id = i.invoice_id
  where i.company_id = ${COMPANY} and i.estimate_line_id = ${lineId} and not i.deleted and not v.deleted
    and v.estimate_id is not null and (v.is_posted or v.is_draft) and v.id <> ${but}), 0)`;

/** The lines of estimates, with what is invoiced of each. */
export const estimateLineStore: LineStore<LineRow> = {
  ...lineStore,
  table: ownLines(documentKinds.estimate),
  select: (documentId) =>
    selectLines(
      documentId,
      sql`, ${invoicedOf(sql`l.id`)}::text as invoiced,
      ${invoicedOf(sql`l.id`, sql`0`, sql`i.line_amount_cents`)}::bigint as "invoicedAmount"`,
    ),
};

export interface CustomerRow {
  id: number;
  displayname: string;
  rowVersion: number;
  deleted: boolean;
  taxExempt: boolean;
  /** Days until its invoices are due; null is the company's. */
  termsDays: number | null;
  discountPercent: number | null;
  discountDays: number | null;
  scenarioId: number | null;
  taxAccountId: number | null;
  rates: { id: number; label: string; salesTaxType: number; percentage: string }[];
}

/** A sales tax scenario that an invoice names. */
export type ScenarioRow = Pick<CustomerRow, 'rates'> & { scenarioId: number; taxAccountId: number };

/** The live items of scenario `s`. */
const RATES = sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', t.id, 'label', t.label, 'salesTaxType', t.sales_tax_type,
    'percentage', t.percentage::text) order by t.id)
  from sales_tax_item t
  where t.company_id = ${COMPANY} and t.scenario_id = s.id and not t.deleted), '[]'::jsonb)`;

function selectScenarios(ids: readonly number[]): RawBuilder<ScenarioRow> {
  return sql<ScenarioRow>`
    select s.id as "scenarioId", s.gl_account_id as "taxAccountId", ${RATES} as rates
    from sales_tax_scenario s where s.company_id = ${COMPANY} and s.id = any(${ids}::bigint[])`;
}

/** Customers with the sales tax scenario that holds for each: its own, else the company's first. */
function selectCustomers(customerIds: readonly number[]): RawBuilder<CustomerRow> {
  return sql<CustomerRow>`
    select e.id, e.displayname, e.row_version as "rowVersion", e.deleted, e.tax_exempt as "taxExempt",
      e.terms_days as "termsDays",
      e.discount_percent as "discountPercent", e.discount_days as "discountDays", s.id as "scenarioId",
      s.gl_account_id as "taxAccountId", ${RATES} as rates
    from entity e
    left join sales_tax_scenario s on s.company_id = ${COMPANY} and s.id = coalesce(e.sales_tax_scenario_id,
      (select min(f.id) from sales_tax_scenario f where f.company_id = ${COMPANY}))
    where e.company_id = ${COMPANY} and e.id = any(${customerIds}::bigint[]) and e.kind = 0`;
}

/** The facts that several invoices together ask for. */
export interface FactsWanted extends DocumentFactsWanted {
  customerIds: number[];
  /** Sales tax scenarios that invoices name themselves. */
  scenarioIds: number[];
  /** Stored invoices, whose credit memos are asked for, and the estimates that they were made from. */
  storedIds: number[];
  references: DocumentFactsWanted['references'] & { packages: number[]; discounts: number[] };
}

/** Facts that saved invoices depend on besides their input; each takes its new ids out of those for all. */
export interface InvoiceFacts extends DocumentFacts {
  customers: CustomerRow[];
  scenarios: ScenarioRow[];
  /** Packages and discounts that the lines name, deactivated ones too. */
  packages: PackageRow[];
  discounts: GivenRow['given'][];
  /** Quantities of the lines of stored invoices that credit memos have. */
  credited: CreditedRow[];
  /** Lines of the estimate that a stored invoice was made from. */
  estimated: EstimatedRow[];
  /** The tax items of that estimate, and of each other invoice of it. */
  estimateTaxes: { isPart: boolean; taxSnapshot: TaxSnapshot[] }[];
}

/** A line of an estimate, with the quantity that invoices other than the one that is saved have of it. */
export interface EstimatedRow {
  lineId: number;
  quantity: string;
  amount: Cents;
  invoiced: string;
  /** The cents of the invoiced quantity. */
  invoicedAmount: Cents;
  discountType: number | null;
  /** The state of the estimate. */
  status: number;
}

/** The quantity and cents of an invoice's line that its credit memos have, drafts too. */
export interface CreditedRow {
  lineId: number;
  quantity: string;
  amount: Cents;
}

/** Quantities and amounts of the lines of invoices that credit memos have, but for one that is edited (0: none). */
export function selectCredited(invoiceIds: readonly number[], but = 0): RawBuilder<CreditedRow> {
  return sql<CreditedRow>`
    select l.credited_line_id as "lineId", (-sum(l.quantity))::text as quantity,
      -sum(l.line_amount_cents)::bigint as amount
    from document d
    join invoice_line l on l.company_id = ${COMPANY} and l.invoice_id = d.id and not l.deleted
    where d.company_id = ${COMPANY} and d.credited_id = any(${invoiceIds}::bigint[]) and not d.deleted
      and (d.is_posted or d.is_draft) and d.id <> ${but} and l.credited_line_id is not null
    group by l.credited_line_id`;
}

const partKinds = { credited_id: documentKinds.creditmemo.source, estimate_id: documentKinds.invoice.source };

/** The tax items of the other parts of a document, drafts too; those of credit memos are negative. */
export function selectPartTaxes(
  column: keyof typeof partKinds,
  wholeId: number,
  but: number,
): RawBuilder<{ taxSnapshot: TaxSnapshot[] }> {
  return sql`
    select d.tax_snapshot as "taxSnapshot" from document d
    where d.company_id = ${COMPANY} and d.${sql.id(column)} = ${wholeId} and not d.deleted
      and (d.is_posted or d.is_draft) and d.id <> ${but} and d.kind = ${partKinds[column]}`;
}

/** The tax items of the estimate of a stored invoice, and of each other invoice of it. */
function selectEstimateTaxes(invoiceIds: readonly number[]): RawBuilder<InvoiceFacts['estimateTaxes'][number]> {
  return sql`
    select o.id <> i.estimate_id as "isPart", o.tax_snapshot as "taxSnapshot"
    from document i
    join document o on o.company_id = ${COMPANY} and (o.id = i.estimate_id or (o.estimate_id = i.estimate_id
      and o.id <> i.id and not o.deleted and (o.is_posted or o.is_draft) and o.kind = ${partKinds.estimate_id}))
    where i.company_id = ${COMPANY} and i.id = any(${invoiceIds}::bigint[])`;
}

/** The lines of the estimates that stored invoices were made from. */
function selectEstimated(invoiceIds: readonly number[]): RawBuilder<EstimatedRow> {
  return sql<EstimatedRow>`
    select l.id as "lineId", l.quantity::text as quantity, l.line_amount_cents as amount,
      ${invoicedOf(sql`l.id`, sql`d.id`)}::text as invoiced,
      ${invoicedOf(sql`l.id`, sql`d.id`, sql`i.line_amount_cents`)}::bigint as "invoicedAmount",
      (l.discount_terms ->> 'discountType')::int as "discountType", e.status
    from document d
    join document e on e.company_id = ${COMPANY} and e.id = d.estimate_id
    join invoice_line l on l.company_id = ${COMPANY} and l.invoice_id = d.estimate_id and not l.deleted
    where d.company_id = ${COMPANY} and d.id = any(${invoiceIds}::bigint[])`;
}

/** The documents that were made from another and have its id in a column. */
const madeFrom = (column: 'credited_id' | 'estimate_id', id: number): RawBuilder<{ number: string }> => sql`
    select d.document_number as number from document d
    where d.company_id = ${COMPANY} and d.${sql.id(column)} = ${id} and not d.deleted
    order by d.id`;

/** The credit memos that were made from an invoice. */
export const selectCreditsOf = (invoiceId: number) => madeFrom('credited_id', invoiceId);

/** The invoices that were made from an estimate. */
export const selectInvoicesOf = (estimateId: number) => madeFrom('estimate_id', estimateId);

/** An invoice that was made from an estimate. */
export interface MadeInvoice {
  id: number;
  invoiceNumber: string;
  invoiceDate: IsoDate;
  invoiceAmount: Cents;
  badge: string;
}

export function selectMadeInvoices(estimateId: number): RawBuilder<Omit<MadeInvoice, 'badge'> & { status: number }> {
  return sql`
    select d.id, d.document_number as "invoiceNumber", d.document_date as "invoiceDate",
      d.total_cents as "invoiceAmount", d.status
    from document d
    where d.company_id = ${COMPANY} and d.estimate_id = ${estimateId} and not d.deleted
    order by d.document_date, d.id`;
}

/** Locks the estimate that a stored invoice was made from: nobody invoices its lines, or changes it, meanwhile. */
export const lockEstimateOf = (invoiceId: number): Runnable<unknown> => sql`
    select d.id from document d
    where d.company_id = ${COMPANY} and d.id = (
      select i.estimate_id from document i where i.company_id = ${COMPANY} and i.id = ${invoiceId})
    for no key update`;

/**
 * Marks an estimate, which is locked, as invoiced where nothing of it is left, else as accepted; without an invoice it
 * keeps the state that it was given. It runs behind the writes of an invoice.
 */
export function settleEstimate(estimateId: number): Runnable<unknown> {
  return sql`
    update document d set row_version = d.row_version + 1,
      status = coalesce(n.status, case when d.status = ${INVOICED} then ${ACCEPTED}::smallint else d.status end)
    from (
      select case when coalesce(bool_or(l.invoiced > 0), false) and not coalesce(bool_or(l.is_left), false)
          then ${INVOICED}::smallint
        when coalesce(bool_or(l.invoiced > 0), false) then ${ACCEPTED}::smallint end as status
      from (
        select o.invoiced, o.invoiced < l.quantity
          and (l.discount_terms ->> 'discountType')::int is distinct from ${PERCENTAGE} as is_left
        from invoice_line l
        cross join lateral (select ${invoicedOf(sql`l.id`)} as invoiced) o
        where l.company_id = ${COMPANY} and l.invoice_id = ${estimateId} and not l.deleted) l) n
    where d.company_id = ${COMPANY} and d.id = ${estimateId}
      and case when n.status is null then d.status = ${INVOICED} else d.status <> n.status end`;
}

/** All of it in one statement: each one more would cost every new invoice a tenth of what its journal lines cost. */
export function selectFacts(wanted: FactsWanted): RawBuilder<InvoiceFacts> {
  const { storedIds, scenarioIds } = wanted;
  const { packages, discounts } = wanted.references;
  return sql<InvoiceFacts>`
    select
      (select coalesce(jsonb_agg(x), '[]') from (${selectCustomers(wanted.customerIds)}) x) as customers,
      ${listOf(scenarioIds, sql`(select jsonb_agg(x) from (${selectScenarios(scenarioIds)}) x)`)} as scenarios,
      ${listOf(packages, sql`(select jsonb_agg(x) from (${packagesOf(packages)}) x)`)} as packages,
      ${listOf(storedIds, sql`(select jsonb_agg(x) from (${selectCredited(storedIds)}) x)`)} as credited,
      ${listOf(storedIds, sql`(select jsonb_agg(x) from (${selectEstimated(storedIds)}) x)`)} as estimated,
      ${listOf(storedIds, sql`(select jsonb_agg(x) from (${selectEstimateTaxes(storedIds)}) x)`)} as "estimateTaxes",
      ${listOf(discounts, sql`(select jsonb_agg(x.given) from (${givenDiscounts(discounts)}) x)`)} as discounts,
      ${documentFacts('invoice_line', wanted)}`;
}
