import type { IsoDate } from '@evenkeel/core/dates';
import { type DiscountTerms, PERCENTAGE } from '@evenkeel/core/documents/discounts';
import { ACCEPTED, INVOICED } from '@evenkeel/core/documents/estimate';
import type { Cents } from '@evenkeel/core/money';
import type { PackagePart } from '@evenkeel/core/documents/packages';
import { documentKinds } from '@evenkeel/core/documents/side';
import type { LaterRate } from '@evenkeel/core/documents/tax';
import { type RawBuilder, sql } from 'kysely';
import { givenDiscounts, type GivenRow, type PackageRow, packagesOf } from '../catalogue/packages.sql.ts';
import { COMPANY, listOf, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import {
  documentFacts,
  type DocumentFacts,
  type FactsWanted as DocumentFactsWanted,
  type LineStore,
} from '../../books/documents/documents.sql.ts';
import { CHARGE_OF_LINE, type LineCharge } from './line-charges.sql.ts';
import { DISCOUNT, ownLines, type TaxSnapshot } from '../../books/documents/settlement.sql.ts';

/** The columns that invoice lines and work items share. */
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
  /** The invoice line that a credit memo line credits. */
  creditedLineId: 'credited_line_id',
  /** The estimate line that an invoice line bills. */
  estimateLineId: 'estimate_line_id',
  ...LINE_COLUMNS,
  lineItemAmount: 'line_amount_cents',
  /**
   * Set on the last part of a split line: the cents by which its amount differs from price × quantity or from the
   * percentage.
   */
  restAmount: 'rest_cents',
  lineTax: 'line_tax',
  taxItems: 'tax_items',
  freedItemId: 'freed_item_id',
}).typed<{
  taxItems: { salesTaxType: number; total: string }[];
  parts: LinePart[] | null;
  discountTerms: (DiscountTerms & { discountPercentage: string; base: string | null }) | null;
}>();

/** A part of a package on a line, with its posted amount. Decimals are text. */
export type LinePart = PackagePart & { amount: Cents };

/** A stored line with the name of its product, package, or discount, and its work item. Decimals are text. */
export type LineRow = Omit<RowOf<typeof lines>, 'documentId'> & {
  productName: string | null;
  workItemId: number | null;
  /** The work item that the line billed before its invoice was voided. Null if the item has been deleted. */
  freed: FreedItem | null;
  /** The overdue invoice on which the line charges interest, and the days for which it charges interest. */
  charge: LineCharge | null;
  /** The quantity of the estimate line that is on invoices, including drafts. */
  invoiced?: string;
  /** The amount for this quantity, in cents. */
  invoicedAmount?: Cents;
};

/** The fields of a line that was not created from another document's line. */
export const OF_NO_LINE = { creditedLineId: null, estimateLineId: null };

export interface FreedItem {
  customerId: number;
  /** The number of the invoice that bills the work item now. */
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
 * The quantity of an estimate line on all invoices except `but`, including drafts. Credit memos for these invoices
 * don't reduce this quantity, although the lines of credit memos from earlier versions also refer to the estimate line.
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

/**
 * Returns the lines on an estimate, with the quantity and amount of each line that are on invoices other than `but` (0
 * for none).
 */
export function selectEstimateLines(estimateId: number, but = 0): RawBuilder<LineRow> {
  const invoiced = invoicedOf(sql`l.id`, sql`${but}`);
  const amount = invoicedOf(sql`l.id`, sql`${but}`, sql`i.line_amount_cents`);
  return selectLines(estimateId, sql`, ${invoiced}::text as invoiced, ${amount}::bigint as "invoicedAmount"`);
}

/** The lines of estimates, each with its invoiced quantity. */
export const estimateLineStore: LineStore<LineRow> = {
  ...lineStore,
  table: ownLines(documentKinds.estimate),
  select: (documentId) => selectEstimateLines(documentId),
};

export interface CustomerRow {
  id: number;
  displayname: string;
  rowVersion: number;
  deleted: boolean;
  taxExempt: boolean;
  /** The number of days until the customer's invoices are due. Null if the company's setting applies. */
  termsDays: number | null;
  discountPercent: number | null;
  discountDays: number | null;
  scenarioId: number | null;
  taxAccountId: number | null;
  rates: DatedRate[];
}

/** A tax item in a scenario, with the item's future rates. */
export interface DatedRate extends Omit<TaxSnapshot, 'total' | 'rest'> {
  rates: LaterRate<string>[];
}

/** A sales tax scenario that an invoice refers to. */
export type ScenarioRow = Pick<CustomerRow, 'rates'> & { scenarioId: number; taxAccountId: number };

/** The active items in scenario `s`. */
const RATES = sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', t.id, 'label', t.label, 'salesTaxType', t.sales_tax_type,
    'percentage', t.percentage::text, 'rates', t.rates)
    || case s.tax_rounding when 'combined' then '{"combined": true}' else '{}' end::jsonb order by t.id)
  from sales_tax_item t
  where t.company_id = ${COMPANY} and t.scenario_id = s.id and not t.deleted), '[]'::jsonb)`;

function selectScenarios(ids: readonly number[]): RawBuilder<ScenarioRow> {
  return sql<ScenarioRow>`
    select s.id as "scenarioId", s.gl_account_id as "taxAccountId", ${RATES} as rates
    from sales_tax_scenario s where s.company_id = ${COMPANY} and s.id = any(${ids}::bigint[])`;
}

/** Returns customers, each with its sales tax scenario, or with the company's first one if the customer has none. */
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

/** The data that several invoices in one batch need together. */
export interface FactsWanted extends DocumentFactsWanted {
  customerIds: number[];
  /** The sales tax scenarios that invoices refer to directly. */
  scenarioIds: number[];
  /** The stored invoices whose credit memos and estimates must also be read. */
  storedIds: number[];
  references: DocumentFactsWanted['references'] & { packages: number[]; discounts: number[] };
}

/**
 * The data that is needed to save invoices, in addition to the requests. Each invoice takes its new IDs from the shared
 * lists.
 */
export interface InvoiceFacts extends DocumentFacts {
  customers: CustomerRow[];
  scenarios: ScenarioRow[];
  /** The packages and discounts on the lines, including inactive ones. */
  packages: PackageRow[];
  discounts: GivenRow['given'][];
  /** The credited quantities of the stored invoices' lines. */
  credited: CreditedRow[];
  /** The lines on the estimate that the stored invoice was created from. */
  estimated: EstimatedRow[];
  /** The tax items on that estimate and on each of its other invoices. */
  estimateTaxes: (PartTaxes & { isPart: boolean })[];
}

/** An estimate line with its quantity on all invoices except the one being saved. */
export interface EstimatedRow {
  lineId: number;
  quantity: string;
  amount: Cents;
  invoiced: string;
  /** The invoiced amount, in cents. */
  invoicedAmount: Cents;
  discountType: number | null;
  /** The estimate's status. */
  status: number;
}

/** The quantity and the amount, in cents, of an invoice line that are on credit memos, including drafts. */
export interface CreditedRow {
  lineId: number;
  quantity: string;
  amount: Cents;
}

/**
 * Returns the quantities and amounts of invoice lines that are on credit memos other than the one being edited (0 for
 * none).
 */
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

/**
 * For each kind of part, the column in which a part refers to its whole document, and the column in which a part's
 * lines refer to the lines of the whole document.
 */
const partsBy = {
  credited_id: { kind: documentKinds.creditmemo.source, line: 'credited_line_id' },
  estimate_id: { kind: documentKinds.invoice.source, line: 'estimate_line_id' },
} as const;

/** The tax items on a part of a document. */
export interface PartTaxes {
  taxSnapshot: TaxSnapshot[];
  /** Whether the part has lines that do not come from the whole document. */
  hasOtherLines: boolean;
}

/** Returns whether the part `d` has lines that do not come from the whole document. */
const hasOtherLines = (column: keyof typeof partsBy, part = sql`d.id`) => sql`exists (
  select from invoice_line x
  where x.company_id = ${COMPANY} and x.invoice_id = ${part} and not x.deleted
    and x.${sql.id(partsBy[column].line)} is null)`;

/** Returns the tax items on all other parts of a document, including drafts. Those on credit memos are negative. */
export function selectPartTaxes(column: keyof typeof partsBy, wholeId: number, but: number): RawBuilder<PartTaxes> {
  return sql`
    select d.tax_snapshot as "taxSnapshot", ${hasOtherLines(column)} as "hasOtherLines" from document d
    where d.company_id = ${COMPANY} and d.${sql.id(column)} = ${wholeId} and not d.deleted
      and (d.is_posted or d.is_draft) and d.id <> ${but} and d.kind = ${partsBy[column].kind}`;
}

/** Returns the tax items on the estimate of a stored invoice and on each of the estimate's other invoices. */
function selectEstimateTaxes(invoiceIds: readonly number[]): RawBuilder<InvoiceFacts['estimateTaxes'][number]> {
  return sql`
    select o.id <> i.estimate_id as "isPart", o.tax_snapshot as "taxSnapshot",
      ${hasOtherLines('estimate_id', sql`o.id`)} as "hasOtherLines"
    from document i
    join document o on o.company_id = ${COMPANY} and (o.id = i.estimate_id or (o.estimate_id = i.estimate_id
      and o.id <> i.id and not o.deleted and (o.is_posted or o.is_draft) and o.kind = ${partsBy.estimate_id.kind}))
    where i.company_id = ${COMPANY} and i.id = any(${invoiceIds}::bigint[])`;
}

/** Returns the lines on the estimates from which stored invoices were created. */
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

/** Returns the documents created from another document. The given column contains that document's ID. */
const madeFrom = (column: 'credited_id' | 'estimate_id', id: number): RawBuilder<{ number: string }> => sql`
    select d.document_number as number from document d
    where d.company_id = ${COMPANY} and d.${sql.id(column)} = ${id} and not d.deleted
    order by d.id`;

/** Returns the credit memos created from an invoice. */
export const selectCreditsOf = (invoiceId: number) => madeFrom('credited_id', invoiceId);

/** Returns the invoices created from an estimate. */
export const selectInvoicesOf = (estimateId: number) => madeFrom('estimate_id', estimateId);

/** An invoice created from an estimate. */
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

/**
 * Locks the estimate from which a stored invoice was created, so that no other request invoices its lines or changes
 * it.
 */
export const lockEstimateOf = (invoiceId: number): Runnable<unknown> => sql`
    select d.id from document d
    where d.company_id = ${COMPANY} and d.id = (
      select i.estimate_id from document i where i.company_id = ${COMPANY} and i.id = ${invoiceId})
    for no key update`;

/**
 * Marks a locked estimate as invoiced if nothing is left to invoice, or else as accepted. Without invoices, the
 * estimate keeps its status. Must run after the invoice is written.
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

/**
 * Everything is read in one statement, because each additional statement would add a tenth of the cost of a new
 * invoice's journal lines.
 */
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

/** A payment on an invoice, with the amount of money that is applied to the invoice. */
export interface PaidWith {
  date: IsoDate;
  /** The name of the payment type. */
  type: string;
  amount: Cents;
}

/** Selects the payments on an invoice, oldest first. Excludes payments of 0.00, which only apply a credit. */
export function selectPaidWith(documentId: number): Runnable<PaidWith> {
  return sql<PaidWith>`
    select p.payment_date as date, coalesce(t.display_name, '') as type,
      (sum(a.amount_cents) - ${DISCOUNT})::bigint as amount
    from payment_application a
    join payment p on p.company_id = ${COMPANY} and p.id = a.payment_id
    left join payment_type t on t.company_id = ${COMPANY} and t.id = p.payment_type_id
    where a.company_id = ${COMPANY} and a.document_id = ${documentId} and not p.deleted and p.amount_cents > 0
    group by p.id, p.payment_date, p.discount_account_id, t.display_name
    having sum(a.amount_cents) <> 0
    order by p.payment_date, p.id`;
}
