import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { ReportBasis } from '@evenkeel/core/ledger';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import type { Subject } from '@evenkeel/core/reports/report';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';

/** Whose sales: all, or of one subject alone. */
export interface SalesAsk {
  basis: ReportBasis;
  from: IsoDate;
  to: IsoDate;
  profitCenterId?: number | undefined;
  locationId?: number | undefined;
  only?: Subject | undefined;
}

const POSTED = sql`d.company_id = ${COMPANY} and d.side = 'receivable' and not d.deleted and d.status between 2 and 4`;

/**
 * What takes effect in a range, and how far it pays its invoice: by accrual each invoice as a whole, by its date; by
 * cash each payment of it, by the day on which it is recognised, and an invoice of 0.00, which is born paid.
 */
export function effects({ basis, from, to }: Pick<SalesAsk, 'basis' | 'from' | 'to'>): RawBuilder<unknown> {
  const invoice = sql`
      select d.id as document_id, d.document_date as dated, null::bigint as payment_id, 0::bigint as before,
        d.total_cents as after
      from document d
      where ${POSTED} and d.document_date between ${from} and ${to}`;
  const taking = sql`select row_number() over () as effect, o.document_id, o.dated, o.payment_id, o.before, o.after,
        d.total_cents as total, d.entity_id, d.document_number, d.tax_snapshot, d.tax_account_id`;
  if (basis === 'accrual') {
    return sql`
      ${taking} from (${invoice}) o
      join document d on d.company_id = ${COMPANY} and d.id = o.document_id`;
  }
  return sql`
      ${taking} from (
        select a.document_id, a.recognition_date as dated, a.payment_id, a.applied_before_cents as before,
          a.applied_before_cents + a.amount_cents as after
        from payment_application a
        where a.company_id = ${COMPANY} and a.side = 'receivable' and a.recognition_date between ${from} and ${to}
        union all
        ${invoice} and d.total_cents = 0) o
      join document d on d.company_id = ${COMPANY} and d.id = o.document_id
      where ${POSTED}`;
}

/**
 * What an invoice is posted as, in the order that decides the ties of a cent: each line, of a package each part of it,
 * then each tax item.
 */
const COMPONENTS = sql`
      select o.effect, o.before, o.after, o.total, i.line_no, s.part_no, i.id as line_id, s.product_id, s.is_discount,
        s.quantity, s.profit_center_id, i.location_id, s.amount, null::bigint as tax_no
      from effects o
      join invoice_line i on i.company_id = ${COMPANY} and i.invoice_id = o.document_id and not i.deleted
      cross join lateral (
        select 0 as part_no, i.product_id, i.discount_id is not null as is_discount, i.quantity, i.profit_center_id,
          i.line_amount_cents as amount
        where i.package_parts is null
        union all
        select no, (part ->> 'productID')::bigint, part ->> 'productID' is null,
          (part ->> 'quantity')::numeric * i.quantity,
          coalesce(i.profit_center_id, (part ->> 'profitCenterID')::bigint), (part ->> 'amount')::bigint
        from jsonb_array_elements(i.package_parts) with ordinality parts (part, no)) s
      union all
      select o.effect, o.before, o.after, o.total, null, null, null, null, false, 0, null, null,
        (tax -> 'total')::bigint, tax_no
      from effects o
      cross join lateral jsonb_array_elements(o.tax_snapshot) with ordinality taxes (tax, tax_no)`;

/** The whole numbers at or below amount × point ÷ total, exactly. */
function floored(point: 'before' | 'after'): RawBuilder<unknown> {
  const product = sql`amount::numeric * ${sql.ref(point)}`;
  return sql`case when ${product} >= 0 then div(${product}, total) else -div(total - 1 - ${product}, total) end`;
}

/** What a point comes to for a component by largest remainder, as core's `share` reckons it. */
function shared(point: 'before' | 'after'): RawBuilder<unknown> {
  const floor = sql.ref(`floor_${point}`);
  const order = sql`partition by effect order by amount::numeric * ${sql.ref(point)} - ${floor} * total desc,
            line_no nulls last, part_no, tax_no`;
  return sql`(${floor} + case when row_number() over (${order})
            <= ${sql.ref(point)} - sum(${floor}) over (partition by effect) then 1 else 0 end)`;
}

/**
 * The components with what an effect recognises of each as `share` (accounting: A5): all of it where it pays the whole,
 * else the share of what is paid after it less the share of what was paid before.
 */
function shares(basis: ReportBasis): RawBuilder<unknown> {
  const whole = sql`
      select c.*, 0::numeric as floor_after, 0::numeric as floor_before, c.amount as share
      from components c where c.before = 0 and c.after = c.total`;
  if (basis === 'accrual') return whole;
  return sql`
      ${whole}
      union all
      select c.*, (${shared('after')} - ${shared('before')})::bigint
      from (select c.*, ${floored('after')} as floor_after, ${floored('before')} as floor_before
        from components c where c.before <> 0 or c.after <> c.total) c`;
}

/** The relations `effects` and `shares` of an ask, for a statement to begin with. */
export function recognised(ask: Pick<SalesAsk, 'basis' | 'from' | 'to'>): RawBuilder<unknown> {
  return sql`
    effects as materialized (${effects(ask)}),
    components as materialized (${COMPONENTS}),
    shares as (${shares(ask.basis)})`;
}

/**
 * What was sold, without tax. A package's own discounts were taken off all that is in it, so each product bears its
 * part by what it is worth; other discounts stand by themselves (accounting: A10).
 */
function sold(ask: SalesAsk): RawBuilder<unknown> {
  const isCash = ask.basis === 'cash' ? sql` and s.share <> 0` : sql``;
  return sql`
    with ${recognised(ask)},
    sold as (
      select s.effect, s.line_id, s.line_no, s.part_no, s.product_id, s.is_discount, s.quantity, s.share as amount,
        s.profit_center_id, s.location_id
      from shares s
      where s.tax_no is null and not (s.is_discount and s.part_no > 0)${isCash}
      union all
      select s.effect, s.line_id, s.line_no, s.part_no, b.product_id, b.product_id is null, 0,
        coalesce(round(s.share * b.upto / b.worth) - round(s.share * (b.upto - b.own) / b.worth), s.share)::bigint,
        s.profit_center_id, s.location_id
      from shares s
      join invoice_line i on i.company_id = ${COMPANY} and i.id = s.line_id
      left join lateral (
        select (part ->> 'productID')::bigint as product_id, (part ->> 'weight')::numeric as own,
          sum((part ->> 'weight')::numeric) over (order by no) as upto,
          sum((part ->> 'weight')::numeric) over () as worth
        from jsonb_array_elements(i.package_parts) with ordinality parts (part, no)
        where part ->> 'productID' is not null) b on b.worth > 0
      where s.is_discount and s.part_no > 0${isCash}),
    named as (
      select s.*, o.dated, o.payment_id, o.document_id, o.document_number, o.entity_id, e.displayname as customer,
        case when s.is_discount then 'Discounts' else coalesce(p.name, 'No product') end as product,
        p.product_category_id as category_id,
        case when s.is_discount then 'Discounts' else coalesce(c.category_name, 'No category') end as category
      from sold s
      join effects o on o.effect = s.effect
      join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
      left join product p on p.company_id = ${COMPANY} and p.id = s.product_id
      left join product_category c on c.company_id = ${COMPANY} and c.id = p.product_category_id
      where ${ofDimension('s.profit_center_id', ask.profitCenterId)}
        and ${ofDimension('s.location_id', ask.locationId)})`;
}

function ofDimension(column: string, id: number | undefined): RawBuilder<unknown> {
  return id === undefined ? sql`true` : sql`coalesce(${sql.ref(column)}, 0) = ${id === UNASSIGNED ? 0 : id}`;
}

/** What sales are listed by: id and name in `named`, the order, and whether discounts stand for themselves there. */
interface Key {
  id: RawBuilder<unknown>;
  name: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  isOffer: boolean;
}

/** What sales can be listed by. */
export type SoldBy = 'customer' | 'product' | 'category' | 'month';

const BY_NAME = sql`id = 0, lower(name), id`;

const KEYS: Readonly<Partial<Record<Subject['by'], Key>> & Record<SoldBy, Key>> = {
  customer: { id: sql`entity_id`, name: sql`customer`, order: BY_NAME, isOffer: false },
  product: { id: sql`coalesce(product_id, 0)`, name: sql`product`, order: BY_NAME, isOffer: true },
  category: { id: sql`coalesce(category_id, 0)`, name: sql`category`, order: BY_NAME, isOffer: true },
  month: {
    id: sql`to_char(dated, 'YYYYMM')::int`,
    name: sql`to_char(dated, 'Mon YYYY')`,
    order: sql`id`,
    isOffer: false,
  },
};

/** The rows of `named` that are of a subject, each with the id and the name of what they are listed by. */
function keyed(by: SoldBy, only: Subject | undefined): RawBuilder<unknown> {
  const { id, name, isOffer } = KEYS[by];
  return sql`
    select ${id} as id, ${name} as name, ${isOffer ? sql`is_discount` : sql`false`} as is_own_discount, named.*
    from named where ${ofSubject(only)}`;
}

function ofSubject(only: Subject | undefined): RawBuilder<unknown> {
  if (only === undefined) return sql`true`;
  if (only.by === 'discounts') return sql`is_discount`;
  const key = KEYS[only.by];
  if (key === undefined) return sql`false`;
  return sql`${key.id} = ${only.id}${key.isOffer ? sql` and not is_discount` : sql``}`;
}

/** What was sold of one thing that sales are listed by. */
export interface SoldRow {
  only: Subject;
  name: string;
  invoices: number;
  quantity: string;
  sales: Cents;
}

/** What sales of a range come to without tax. */
export function selectSales(by: SoldBy, ask: SalesAsk): Runnable<SoldRow> {
  return sql<SoldRow>`
    ${sold(ask)}
    select jsonb_build_object('by', case when is_own_discount then 'discounts' else ${by} end, 'id', id) as only, name,
      count(distinct document_id) as invoices, trim_scale(sum(quantity))::text as quantity,
      sum(amount)::bigint as sales
    from (${keyed(by, ask.only)}) sales
    group by id, name, is_own_discount
    order by ${KEYS[by].order}`;
}

/** A sold part as an entry of a list. */
export interface SoldEntry {
  name: string;
  type: 'Invoice' | 'Payment';
  dated: IsoDate;
  number: string;
  customer: string;
  product: string;
  description: string;
  amount: Cents;
  transactionId: number | null;
}

/** The parts that these sales are made of, at most `limit` of them. */
export function selectSold(by: SoldBy, ask: SalesAsk, limit: number): Runnable<SoldEntry> {
  return sql<SoldEntry>`
    ${sold(ask)},
    page as (
      select *,
        row_number() over (order by ${KEYS[by].order}, dated, document_id, payment_id, line_no, part_no) as place
      from (${keyed(by, ask.only)}) sales
      order by place
      limit ${sql.lit(limit)})
    select o.name, ${EVENT}, o.customer, o.product,
      case when o.payment_id is null then '' else 'Invoice ' || o.document_number || ': ' end || i.description
        as description, o.amount
    from page o
    join invoice_line i on i.company_id = ${COMPANY} and i.id = o.line_id
    left join payment p on p.company_id = ${COMPANY} and p.id = o.payment_id
    order by o.place`;
}

/** What an effect `o` with its payment `p` is as an entry, and the first transaction that it was posted with. */
export const EVENT = sql`
      case when o.payment_id is null then 'Invoice' else 'Payment' end as type, o.dated,
      coalesce(p.payment_number, o.document_number) as number,
      (select min(t.id) from journal_transaction t
        where t.company_id = ${COMPANY} and t.source_id = coalesce(o.payment_id, o.document_id)
          and t.source_type = case when o.payment_id is null then 'invoice' else 'payment' end) as "transactionId"`;
