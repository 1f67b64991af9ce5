import { addDays, type DateRange, type IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { BadDebt } from '@evenkeel/core/taxes/bad-debts';
import type { ExemptReason } from '@evenkeel/core/taxes/ids';
import { documentKinds, namesOf, RECEIVABLE, settledKinds } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { balancesAt, inView, withoutPairs } from '../../books/ledger/balances.sql.ts';
import { EVENT, type Grain, recognised, type RecognisedAsk as TaxAsk } from './sales.sql.ts';

/** The taxable sales, in cents, of an invoice `o`, given its lines `i` and the sum `r.rate` of its tax percentages. */
const BASE = sql`coalesce(sum(case when o.opening is not null
          then (o.opening -> 'lines' ->> i.line_no - 1)::bigint
        when r.rate = 0 then i.line_amount_cents
        else round(i.line_tax * 10000 / r.rate) end), 0)`;

/**
 * Returns each tax item for each effect: the sales with that item, their taxable part, and the tax. A line's tax has
 * six decimal places, which identify the item that it belongs to. The tax is recognized in proportion to the paid part
 * of the invoice. If an invoice has no tax items, its customer is exempt, so the invoice is listed as not taxable under
 * the current items of its scenario.
 */
function taxed(ask: TaxAsk, grain: Grain): RawBuilder<unknown> {
  const { only } = ask;
  const subject = only === undefined ? sql`true` : only.by === 'tax' ? sql`tax_id = ${only.id}` : sql`false`;
  return sql`
    ${recognised(ask, grain, 'taxes')},
    bases as materialized (
      select o.document_id, ${BASE} as base
      from (select distinct document_id, tax_snapshot, opening from effects) o
      cross join lateral (
        select sum((tax ->> 'percentage')::numeric) as rate from jsonb_array_elements(o.tax_snapshot) tax) r
      join invoice_line i on i.company_id = ${COMPANY} and i.invoice_id = o.document_id and not i.deleted and i.taxable
      where r.rate is not null
      group by o.document_id),
    items as (
      select o.effect, o.dated, o.payment_id, o.document_id, o.document_kind, o.document_number, o.entity_id,
        o.tax_account_id, s.tax_no,
        (t.tax ->> 'id')::bigint as tax_id, t.tax ->> 'label' as label, (t.tax ->> 'salesTaxType')::int as type,
        trim_scale((t.tax ->> 'percentage')::numeric)::text as rate, s.share_after - s.share_before as due,
        o.after - o.before - sum(s.share_after - s.share_before) over (partition by o.effect) as gross,
        coalesce(case when o.total = 0 then b.base
          else round(b.base * o.after / o.total) - round(b.base * o.before / o.total) end, 0) as taxable
      from effects o
      join shares s on s.effect = o.effect and s.tax_no is not null
      cross join lateral (select o.tax_snapshot -> (s.tax_no - 1)::int as tax) t
      left join bases b on b.document_id = o.document_id
      union all
      select o.effect, o.dated, o.payment_id, o.document_id, o.document_kind, o.document_number, o.entity_id,
        o.tax_account_id, null,
        t.id, t.label, t.sales_tax_type, null, 0, o.after - o.before, 0
      from effects o
      join sales_tax_item t on t.company_id = ${COMPANY} and t.scenario_id = o.sales_tax_scenario_id and not t.deleted
      where o.tax_snapshot = '[]'),
    taxed as (select * from items where ${subject})`;
}

/** Sales with a tax item and the tax on these sales, or another change in the tax owed. */
export interface Taxed {
  kind: 'opening' | 'tax' | 'paid' | 'rest';
  /** The ID of the account or tax item. */
  id: number;
  label: string;
  salesTaxType: number;
  gross: Cents | null;
  exempt: Cents | null;
  taxable: Cents | null;
  due: Cents | null;
  dated: IsoDate;
  transactionId: number | null;
}

/** The opening balance, a tax item, a payment or write-off, or another change in the sales tax accounts. */
export interface LiabilityRow extends Taxed {
  rates: string[];
  paid: Cents | null;
  /** The amount added to the tax owed. */
  balance: Cents;
}

/** Returns the sales tax owed: the opening balance, the tax on sales, and the tax paid or written off in a range. */
export function selectTaxLiability(ask: TaxAsk): Runnable<LiabilityRow> {
  const { basis, from, to, through } = ask;
  const owed = (date: IsoDate): RawBuilder<unknown> => sql`
      select b."accountId" as id, -b."toDate" as balance
      from (${balancesAt({ basis, through, date, fiscalYearStart: date })}) b
      where b."accountId" in (select id from accounts)`;
  const own = [...namesOf(settledKinds(RECEIVABLE).filter(({ sells }) => sells)), RECEIVABLE.payment.source];
  return sql<LiabilityRow>`
    with ${taxed(ask, 'invoice')},
    accounts as (
      select a.id from account a where a.company_id = ${COMPANY} and a.account_type = 'Sales Tax Payable'
      union select s.gl_account_id from sales_tax_scenario s where s.company_id = ${COMPANY}
      union select tax_account_id from taxed),
    paid as (
      select l.transaction_id, l.posting_date, sum(l.amount_cents) as amount
      from journal_line l
      where l.company_id = ${COMPANY} and ${inView({ basis }, 'l.')} and l.account_id in (select id from accounts)
        and l.posting_date between ${from} and ${to}${withoutPairs()}
      group by l.transaction_id, l.posting_date),
    rows as (
      select 1 as place, 'opening' as kind, o.id, a.account_name || ' before ' || ${shown(sql`${from}::date`)} as label,
        0 as type, '[]'::jsonb as rates, null::bigint as gross, null::bigint as taxable, null::bigint as due,
        null::bigint as paid, o.balance, ${from}::date - 1 as dated, null::bigint as transaction_id
      from (${owed(addDays(from, -1))}) o
      join account a on a.company_id = ${COMPANY} and a.id = o.id
      where o.balance <> 0
      union all
      select 2, 'tax', tax_id, (array_agg(label order by document_id desc))[1],
        (array_agg(type order by document_id desc))[1],
        coalesce(jsonb_agg(distinct rate) filter (where rate is not null), ${RATE_NOW}), sum(gross), sum(taxable),
        sum(due), null, sum(due), max(dated), null
      from taxed
      group by tax_id
      union all
      select 3, 'paid', 0, ${shown(sql`p.posting_date`)} || ' ' || t.description, 0, '[]', null, null, null,
        p.amount, -p.amount, p.posting_date, t.id
      from paid p
      join journal_transaction t on t.company_id = ${COMPANY} and t.id = p.transaction_id
      where t.source_type <> all(${own}::text[]) and p.amount <> 0),
    closed as (
      select * from rows
      union all
      select 4, 'rest', 0, 'Other entries of invoices and payments', 0, '[]', null, null, null, null, balance, ${to},
        null
      from (select coalesce((select sum(balance) from (${owed(to)}) closing), 0)
        - coalesce((select sum(balance) from rows), 0) as balance) rest
      where balance <> 0)
    select kind, id, label, type as "salesTaxType", rates, gross::bigint, (gross - taxable)::bigint as exempt,
      taxable::bigint, due::bigint, paid::bigint, balance::bigint, dated, transaction_id as "transactionId"
    from closed
    order by place, dated, transaction_id, type, id`;
}

/** Marks a row that has no taxed sales for the item. */
const RATE_NOW = sql`(
          select jsonb_build_array(trim_scale(i.percentage)::text) from sales_tax_item i
          where i.company_id = ${COMPANY} and i.id = tax_id)`;

/** A date in report format. */
const shown = (date: RawBuilder<unknown>): RawBuilder<unknown> => sql`to_char(${date}, 'FMMM/FMDD/YYYY')`;

/** The tax on one invoice, or the part that one payment recognizes. */
export interface TaxEntry extends Taxed {
  type: string;
  number: string;
  customer: string;
  /** Null for a sale without tax. */
  rate: string | null;
}

/** Returns at most `limit` invoices with tax, or their payments. */
export function selectTaxed(ask: TaxAsk, limit: number): Runnable<TaxEntry> {
  return sql<TaxEntry>`
    with ${taxed(ask, 'each')},
    page as (
      select *, row_number() over (order by type, tax_id, dated, document_id, payment_id) as place from taxed
      order by place limit ${sql.lit(limit)})
    select 'tax' as kind, o.tax_id as id, o.label, o.type as "salesTaxType", e.displayname as customer, o.rate,
      o.gross::bigint, (o.gross - o.taxable)::bigint as exempt, o.taxable::bigint, o.due::bigint, ${EVENT}
    from page o
    join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
    left join payment p on p.company_id = ${COMPANY} and p.id = o.payment_id
    order by o.place`;
}

/** A sale without tax, or the part that one payment recognizes, with the customer's certificate of exemption. */
export interface ExemptEntry {
  dated: IsoDate;
  type: string;
  number: string;
  customer: string;
  reason: ExemptReason | null;
  certificate: string;
  validThrough: IsoDate | null;
  gross: Cents;
  transactionId: number | null;
}

/**
 * Returns at most `limit` invoices without tax items, or their payments, by the customer's reason for exemption. If a
 * company doesn't collect sales tax, its sales are not exempt.
 */
export function selectExempt(ask: TaxAsk, limit: number): Runnable<ExemptEntry> {
  return sql<ExemptEntry>`
    with ${recognised(ask, 'each', 'taxes')},
    sales as materialized (
      select o.*, o.after - o.before as gross from effects o
      where o.tax_snapshot = '[]' and exists (
        select from sales_tax_item t
        where t.company_id = ${COMPANY} and t.scenario_id = o.sales_tax_scenario_id and not t.deleted)
      order by o.dated, o.document_id, o.payment_id limit ${sql.lit(limit)})
    select e.displayname as customer, e.exempt_reason as reason, e.tax_permit_no as certificate,
      e.exempt_until as "validThrough", o.gross::bigint, ${EVENT}
    from sales o
    join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
    left join payment p on p.company_id = ${COMPANY} and p.id = o.payment_id
    order by e.exempt_reason, o.dated, o.document_id, o.payment_id`;
}

/** The sales of a document that an agency taxes, in two parts: before a date, and from this date on. */
export interface TaxedDocumentRow {
  documentId: number;
  kind: string;
  number: string;
  customer: string;
  date: IsoDate;
  gross: Cents;
  taxable: Cents;
  tax: Cents;
  grossBefore: Cents;
  taxableBefore: Cents;
  taxBefore: Cents;
}

/** Combines the tax items of each effect, because their sales are the same. */
const byEffect = (items: readonly number[]): RawBuilder<unknown> => sql`
    by_effect as (
      select effect, document_id, min(dated) as dated, max(gross) as gross, max(taxable) as taxable, sum(due) as tax
      from taxed where tax_id = any(${items}::bigint[])
      group by effect, document_id)`;

/** Returns a total for the dates before `since` (`<`), or for `since` and later dates (`>=`). */
const totalOf = (since: IsoDate) => (column: string, when: '>=' | '<') =>
  sql`
      coalesce(sum(${sql.ref(`b.${column}`)}) filter (where b.dated ${sql.raw(when)} ${since}), 0)::bigint`;

/** Returns the documents with any of the given tax items, in two parts: before `since`, and from this date on. */
export function selectTaxByDocument(
  ask: TaxAsk,
  { items, since }: { items: readonly number[]; since: IsoDate },
): Runnable<TaxedDocumentRow> {
  const total = totalOf(since);
  return sql<TaxedDocumentRow>`
    with ${taxed(ask, 'each')}, ${byEffect(items)}
    select b.document_id as "documentId", d.kind, d.document_number as number, e.displayname as customer,
      max(b.dated) as date, ${total('gross', '>=')} as gross, ${total('taxable', '>=')} as taxable,
      ${total('tax', '>=')} as tax, ${total('gross', '<')} as "grossBefore",
      ${total('taxable', '<')} as "taxableBefore", ${total('tax', '<')} as "taxBefore"
    from by_effect b
    join document d on d.company_id = ${COMPANY} and d.id = b.document_id
    join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    group by b.document_id, d.kind, d.document_number, e.displayname
    order by max(b.dated), b.document_id`;
}

/** The sales with a tax item, in two parts: before a date, and from this date on. */
export interface TaxedItemRow {
  itemId: number;
  label: string;
  /** The percentages on the documents. Empty if no document has tax. */
  rates: string[];
  taxable: Cents;
  tax: Cents;
  taxableBefore: Cents;
  taxBefore: Cents;
}

/** Returns the sales with each of the given tax items, in two parts: before `since`, and from this date on. */
export function selectTaxByItem(
  ask: TaxAsk,
  { items, since }: { items: readonly number[]; since: IsoDate },
): Runnable<TaxedItemRow> {
  const total = totalOf(since);
  return sql<TaxedItemRow>`
    with ${taxed(ask, 'each')}
    select b.tax_id as "itemId", (array_agg(b.label order by b.document_id desc))[1] as label,
      coalesce(array_agg(distinct b.rate) filter (where b.rate is not null and b.dated >= ${since}), '{}') as rates,
      ${total('taxable', '>=')} as taxable, ${total('due', '>=')} as tax,
      ${total('taxable', '<')} as "taxableBefore", ${total('due', '<')} as "taxBefore"
    from taxed b
    where b.tax_id = any(${items}::bigint[])
    group by b.tax_id
    order by b.tax_id`;
}

/** The sales of a month that an agency taxes. */
export interface TaxedMonth {
  month: IsoDate;
  gross: Cents;
  taxable: Cents;
  tax: Cents;
}

/** Returns the sales with the given tax items, by month. */
export function selectTaxByMonth(ask: TaxAsk, items: readonly number[]): Runnable<TaxedMonth> {
  return sql<TaxedMonth>`
    with ${taxed(ask, 'each')}, ${byEffect(items)}
    select date_trunc('month', dated)::date as month, sum(gross)::bigint as gross, sum(taxable)::bigint as taxable,
      sum(tax)::bigint as tax
    from by_effect group by 1 order by 1`;
}

/** A write-off with its invoice, for the tax that an agency refunds. */
export interface WrittenOffRow extends BadDebt {
  number: string;
  customer: string;
}

/** Returns the write-offs in a range of dates whose invoices have any of the given tax items, by invoice. */
export function selectWrittenOff({ from, to }: DateRange, items: readonly number[]): Runnable<WrittenOffRow> {
  const taxOf = (row: 'o' | 'w') => sql`(
        select coalesce(sum((t.tax ->> 'total')::bigint), 0)
        from jsonb_array_elements(${sql.ref(`${row}.tax_snapshot`)}) t (tax)
        where (t.tax ->> 'id')::bigint = any(${items}::bigint[]))::bigint`;
  return sql<WrittenOffRow>`
    select o.id as "invoiceId", o.document_number as number, o.entity_id as "customerId", e.displayname as customer,
      o.document_date as date, w.document_date as "writtenOffOn", o.total_cents as amount,
      (select ${BASE} from invoice_line i
        where i.company_id = ${COMPANY} and i.invoice_id = o.id and not i.deleted and i.taxable)::bigint as taxable,
      ${taxOf('o')} as tax, -w.total_cents as "writtenOff", -${taxOf('w')} as deducted
    from document w
    join document o on o.company_id = ${COMPANY} and o.id = w.credited_id and not o.deleted
    join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
    cross join lateral (
      select sum((tax ->> 'percentage')::numeric) as rate from jsonb_array_elements(o.tax_snapshot) tax) r
    where w.company_id = ${COMPANY} and w.kind = ${documentKinds.writeoff.source} and not w.deleted
      and w.document_date between ${from} and ${to}
    order by o.id, w.id`;
}
