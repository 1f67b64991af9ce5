import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import type { Subject } from '@evenkeel/core/reports/report';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';

/** Whose sales: all, or what one customer bought, or what was sold of one product. */
export interface SalesAsk {
  from: IsoDate;
  to: IsoDate;
  profitCenterId?: number | undefined;
  locationId?: number | undefined;
  only?: Subject | undefined;
}

/** A line of an invoice, of a package each part of it; tax is none. */
export interface SoldPart {
  customerId: number;
  customer: string;
  productId: number;
  product: string;
  isDiscount: boolean;
  description: string;
  quantity: string;
  amount: Cents;
  profitCenterId: number;
  locationId: number;
}

/** The parts of invoices `d`, in the order in which they are posted. */
const PARTS = sql`
    join invoice_line i on i.company_id = ${COMPANY} and i.invoice_id = d.id and not i.deleted
    cross join lateral (
      select 0 as part_no, i.product_id, i.discount_id is not null as is_discount, i.quantity, i.profit_center_id,
        i.line_amount_cents as amount
      where i.package_parts is null
      union all
      select no, (part ->> 'productID')::bigint, part ->> 'productID' is null,
        (part ->> 'quantity')::numeric * i.quantity,
        coalesce(i.profit_center_id, (part ->> 'profitCenterID')::bigint), (part ->> 'amount')::bigint
      from jsonb_array_elements(i.package_parts) with ordinality parts (part, no)) s
    left join product p on p.company_id = ${COMPANY} and p.id = s.product_id
    join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id`;

const PART: RawBuilder<SoldPart> = sql`
      d.entity_id as "customerId", e.displayname as customer, coalesce(s.product_id, 0) as "productId",
      case when s.is_discount then 'Discounts' else coalesce(p.name, 'No product') end as product,
      s.is_discount as "isDiscount", i.description, trim_scale(s.quantity)::text as quantity,
      s.amount::bigint as amount, coalesce(s.profit_center_id, 0) as "profitCenterId",
      coalesce(i.location_id, 0) as "locationId"`;

const POSTED = sql`d.company_id = ${COMPANY} and d.side = 'receivable' and not d.deleted and d.status between 2 and 4`;

function wanted({ profitCenterId, locationId, only }: SalesAsk): RawBuilder<unknown> {
  const is = (column: string, id: number | undefined): RawBuilder<unknown> =>
    id === undefined ? sql`` : sql` and coalesce(${sql.ref(column)}, 0) = ${id === UNASSIGNED ? 0 : id}`;
  const key =
    only === undefined
      ? sql``
      : only.by === 'customer'
        ? sql` and d.entity_id = ${only.id}`
        : sql` and s.is_discount = ${only.by === 'discounts'} and coalesce(s.product_id, 0) = ${only.id}`;
  return sql`${is('s.profit_center_id', profitCenterId)}${is('i.location_id', locationId)}${key}`;
}

/** What a customer bought, or what was sold of a product. */
export interface SoldRow {
  only: Subject;
  name: string;
  invoices: number;
  /** '' where sales are parts of what was sold. */
  quantity: string;
  sales: Cents;
}

/** What posted invoices dated in a range come to without tax, by customer or by product. */
export function selectSales(by: 'customer' | 'product', ask: SalesAsk): Runnable<SoldRow> {
  const key = by === 'customer' ? sql`${by}` : sql`case when "isDiscount" then 'discounts' else ${by} end`;
  const [id, name] = by === 'customer' ? ['customerId', 'customer'] : ['productId', 'product'];
  return sql<SoldRow>`
    select jsonb_build_object('by', min(${key}), 'id', ${sql.ref(id)}) as only, ${sql.ref(name)} as name,
      count(distinct invoice) as invoices, trim_scale(sum(quantity::numeric))::text as quantity,
      sum(amount)::bigint as sales
    from (
      select d.id as invoice, ${PART} from document d ${PARTS}
      where ${POSTED} and d.document_date between ${ask.from} and ${ask.to}${wanted(ask)}) sold
    group by ${sql.ref(id)}, ${sql.ref(name)}, "isDiscount" and ${by === 'product'}
    order by ${sql.ref(id)} = 0, lower(${sql.ref(name)}), ${sql.ref(id)}`;
}

/** A sold part as an entry of a list. */
export interface SoldEntry extends SoldPart {
  type: 'Invoice' | 'Payment';
  invoice: string;
  dated: IsoDate;
  number: string;
  transactionId: number | null;
}

const transaction = (source: string, id: string): RawBuilder<unknown> => sql`
      (select min(t.id) from journal_transaction t
        where t.company_id = ${COMPANY} and t.source_type = ${source} and t.source_id = ${sql.ref(id)})`;

/** The parts of posted invoices dated in a range, at most `limit` of them. */
export function selectSold(ask: SalesAsk, limit: number): Runnable<SoldEntry> {
  return sql<SoldEntry>`
    select 'Invoice' as type, d.document_date as dated, d.document_number as number,
      d.document_number as invoice, ${transaction('invoice', 'd.id')} as "transactionId", ${PART}
    from document d ${PARTS}
    where ${POSTED} and d.document_date between ${ask.from} and ${ask.to}${wanted(ask)}
    order by d.document_date, d.id, i.line_no, s.part_no
    limit ${sql.lit(limit)}`;
}

/** An invoice on which money took effect in a range, with all that a payment of it is shared over. */
export interface PaidInvoice {
  invoice: string;
  dated: IsoDate;
  total: Cents;
  transactionId: number | null;
  parts: SoldPart[];
  taxes: Cents[];
  applied: {
    dated: IsoDate;
    number: string;
    amount: Cents;
    before: Cents;
    transactionId: number | null;
  }[];
}

/** Invoices paid in a range, and those of 0.00 dated in it, which are born paid. */
export function selectPaid({ from, to, only }: SalesAsk): Runnable<PaidInvoice> {
  const customer = only?.by === 'customer' ? sql` and d.entity_id = ${only.id}` : sql``;
  const range = sql`a.recognition_date between ${from} and ${to}`;
  return sql<PaidInvoice>`
    select d.document_number as invoice, d.document_date as dated, d.total_cents as total,
      ${transaction('invoice', 'd.id')} as "transactionId",
      (select jsonb_agg(to_jsonb(part) order by part.line_no, part.part_no)
        from (select i.line_no, s.part_no, ${PART} from document d ${PARTS}
          where d.company_id = ${COMPANY} and d.id = o.id) part) as parts,
      (select coalesce(jsonb_agg((tax -> 'total')::bigint order by no), '[]')
        from jsonb_array_elements(d.tax_snapshot) with ordinality taxes (tax, no)) as taxes,
      (select coalesce(jsonb_agg(jsonb_build_object('dated', a.recognition_date, 'number', p.payment_number,
          'amount', a.amount_cents, 'before', a.applied_before_cents,
          'transactionId', ${transaction('payment', 'p.id')}) order by a.recognition_date, a.payment_id), '[]')
        from payment_application a
        join payment p on p.company_id = a.company_id and p.id = a.payment_id
        where a.company_id = ${COMPANY} and a.document_id = d.id and ${range}) as applied
    from (
      select a.document_id as id from payment_application a
      where a.company_id = ${COMPANY} and a.side = 'receivable' and ${range}
      union
      select d.id from document d
      where ${POSTED} and d.total_cents = 0 and d.document_date between ${from} and ${to}) o
    join document d on d.company_id = ${COMPANY} and d.id = o.id
    where ${POSTED}${customer}
    order by d.document_date, d.id`;
}
