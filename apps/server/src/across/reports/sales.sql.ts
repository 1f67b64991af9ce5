import { endOfMonth, type IsoDate, laterOf, parseDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import type { Subject } from '@evenkeel/core/reports/report';
import { documentKinds, namesOf, RECEIVABLE, REFUND, settledKinds } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { firstPosted } from '../../books/ledger/source.sql.ts';

/** The sales to read: all of them, or those for one customer, product, or other subject. */
export interface SalesAsk {
  basis: ReportBasis;
  from: IsoDate;
  to: IsoDate;
  profitCenterId?: number | undefined;
  locationId?: number | undefined;
  only?: Subject | undefined;
  /** The last transaction to include in balances. The lines of documents don't need this limit. */
  through?: number | undefined;
}

/** The posted documents `d` whose lines are sales. */
const posted = (): RawBuilder<unknown> => sql`d.company_id = ${COMPANY} and not d.deleted and d.is_posted
        and d.kind = any(${namesOf(settledKinds(RECEIVABLE).filter(({ sells }) => sells))}::text[])`;

/** The grouping of effects: none, by invoice over the range, or by invoice and month. Fewer groups cost less. */
export type Grain = 'each' | 'invoice' | 'month';

/**
 * Returns the effects in a range, and how much of the invoice each effect pays. On the accrual basis, an effect is a
 * whole invoice on its date, except for invoices from before the opening balances, whose income is part of the opening
 * balances. On the cash basis, an effect is a payment on its recognition date, or an invoice for 0.00, which needs no
 * payment.
 */
function effects({ basis, from, to, only }: RecognisedAsk, grain: Grain): RawBuilder<unknown> {
  const customer = only?.by === 'customer' ? sql` and d.entity_id = ${only.id}` : sql``;
  const taking = sql`
      d.id as document_id, d.kind as document_kind, d.total_cents + ${SETTLED} as total, d.entity_id,
      d.document_number, d.tax_snapshot, d.tax_account_id, d.sales_tax_scenario_id, d.opening`;
  const invoices = sql`
      select d.document_date as dated, null::bigint as payment_id, 0::bigint as before, d.total_cents as after,
        ${taking}
      from document d
      where ${posted()} and d.opening is null and d.document_date between ${from} and ${to}${customer}`;
  if (basis === 'accrual') return sql`select o.document_id as effect, o.* from (${invoices}) o`;
  const paid = sql`
        select a.document_id, a.recognition_date as dated, a.payment_id,
          a.applied_before_cents + least(a.waived_cents, 0) as before,
          a.amount_cents - a.waived_cents as amount,
          sum((a.waived_cents <> 0)::int) over (partition by a.document_id order by a.recognition_date, a.payment_id)
            - (a.waived_cents > 0)::int as waivings
        from payment_application a
        where a.company_id = ${COMPANY} and a.side = ${RECEIVABLE.name}
          and a.recognition_date between ${from} and ${to}`;
  const month = grain === 'month' ? sql`, date_trunc('month', dated)` : sql``;
  const together = sql`
        select document_id, max(dated) as dated, null::bigint as payment_id,
          (array_agg(before order by dated, payment_id))[1] as before, sum(amount) as amount
        from (${paid}) paid
        group by document_id, waivings${month}
        having sum(amount) <> 0`;
  return sql`
      select row_number() over () as effect, o.* from (
        select a.dated, a.payment_id, a.before + ${SETTLED} as before,
          (a.before + a.amount + ${SETTLED})::bigint as after, ${taking}
        from (${grain === 'each' ? sql`select * from (${paid}) paid where amount <> 0` : together}) a
        join document d on d.company_id = ${COMPANY} and d.id = a.document_id
        where ${posted()}${customer}
        union all
        ${invoices} and d.total_cents = 0) o`;
}

/** The amount of a document `d` that was settled before the opening balances. */
const SETTLED = sql`coalesce((d.opening ->> 'settled')::bigint, 0)`;

const OF_EFFECT =
  'effect dated payment_id document_id document_kind document_number entity_id before after total opening';
const OF_COMPONENT = `line_no part_no line_id account_id product_id is_discount package quantity profit_center_id
  location_id amount tax_no`;
const columnsOf = (name: string, columns: string): RawBuilder<unknown> =>
  sql.raw(columns.replace(/\w+/g, (column) => `${name}.${column}`).replaceAll(/\s+/g, ', '));
const EFFECT = columnsOf('o', OF_EFFECT);
const COMPONENT = columnsOf('c', `${OF_EFFECT} ${OF_COMPONENT}`);

/**
 * Returns each line on the invoices of effects `o`, and each part of their packages. Packages are rare, so they are
 * read separately.
 */
const linesOf = (effects: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      select ${EFFECT}, i.line_no, 0::bigint as part_no, i.id as line_id, i.account_id, i.product_id,
        i.discount_id is not null as is_discount, null::jsonb as package, i.quantity, i.profit_center_id, i.location_id,
        coalesce((o.opening -> 'lines' ->> i.line_no - 1)::bigint, i.line_amount_cents) as amount,
        null::bigint as tax_no
      from ${effects} o
      join invoice_line i on i.company_id = ${COMPANY} and i.invoice_id = o.document_id and not i.deleted
        and i.package_parts is null
      union all
      select ${EFFECT}, i.line_no, no, i.id, (part ->> 'GLAccountID')::bigint, (part ->> 'productID')::bigint,
        part ->> 'productID' is null,
        case when part ->> 'productID' is null then i.package_parts end, (part ->> 'quantity')::numeric * i.quantity,
        coalesce(i.profit_center_id, (part ->> 'profitCenterID')::bigint), i.location_id, (part ->> 'amount')::bigint,
        null
      from ${effects} o
      join invoice_line i on i.company_id = ${COMPANY} and i.invoice_id = o.document_id and not i.deleted
      cross join lateral jsonb_array_elements(i.package_parts) with ordinality parts (part, no)
      where i.package_parts is not null`;

/** Returns each tax item on effects `o`. */
const taxesOf = (effects: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      select ${EFFECT}, null::integer as line_no, null::bigint as part_no, null::bigint as line_id,
        null::bigint as account_id, null::bigint as product_id, false as is_discount, null::jsonb as package,
        0::numeric as quantity,
        null::bigint as profit_center_id, null::bigint as location_id,
        coalesce(o.opening -> 'taxes' -> tax_no::int - 1, tax -> 'total')::bigint as amount, tax_no
      from ${effects} o
      cross join lateral jsonb_array_elements(o.tax_snapshot) with ordinality taxes (tax, tax_no)`;

/** The components of an invoice to read. Undefined reads both lines and taxes. */
type Wanted = 'lines' | 'taxes' | undefined;

function componentsOf(effects: RawBuilder<unknown>, wanted?: Wanted): RawBuilder<unknown> {
  if (wanted === 'lines') return linesOf(effects);
  return wanted === 'taxes' ? taxesOf(effects) : sql`${linesOf(effects)} union all ${taxesOf(effects)}`;
}

type Point = 'before' | 'after';

/**
 * Returns the exact remainder of amount × point ÷ total, with the total's sign. If both amounts are below thirty
 * million dollars, their product fits into eight bytes, which makes the calculation several times faster.
 */
function restOf(point: Point): RawBuilder<unknown> {
  const at = sql.ref(point);
  return sql`case when abs(amount) < 3000000000 and abs(${at}) < 3000000000
            then ((amount * ${at}) % total + total) % total
            else ((amount::numeric * ${at} % total + total) % total)::bigint end`;
}

/** Returns the largest integer at or below amount × point ÷ total. */
function floorOf(point: Point): RawBuilder<unknown> {
  const [at, rest] = [sql.ref(point), sql.ref(`rest_${point}`)];
  return sql`case when abs(amount) < 3000000000 and abs(${at}) < 3000000000
            then (amount * ${at} - ${rest}) / total
            else div(amount::numeric * ${at} - ${rest}, total)::bigint end`;
}

/** Returns a component's share of a point by largest remainder, like core's `share`. Ties go to the first component. */
function shared(point: Point): RawBuilder<unknown> {
  const floor = sql.ref(`floor_${point}`);
  const rest = sql.ref(`rest_${point}`);
  const order = sql`partition by effect order by abs(${rest}) desc, line_no nulls last, part_no, tax_no`;
  return sql`${floor} + case when row_number() over (${order})
            <= ${sql.ref(point)} - sum(${floor}) over (partition by effect) then 1 else 0 end`;
}

/**
 * Returns the components of effects that recognize only part of an invoice, with the components' shares at the given
 * points.
 */
function partly(points: readonly Point[], which: RawBuilder<unknown>): RawBuilder<unknown> {
  const rests = points.map((point) => sql`, ${restOf(point)} as ${sql.ref(`rest_${point}`)}`);
  const floors = points.map((point) => sql`, ${floorOf(point)} as ${sql.ref(`floor_${point}`)}`);
  const at = (point: Point, known: RawBuilder<unknown>) => (points.includes(point) ? shared(point) : known);
  return sql`
      select ${COMPONENT}, ${at('before', sql`0::bigint`)} as share_before, ${at('after', sql`c.amount`)} as share_after
      from (select c.*${sql.join(floors, sql``)}
        from (select c.*${sql.join(rests, sql``)} from components c where ${which}) c) c`;
}

export type RecognisedAsk = Pick<SalesAsk, 'basis' | 'from' | 'to' | 'only' | 'through'>;

/**
 * Returns the relations `effects` and `shares`, which begin a statement. `shares` has each component of each effect
 * with the amounts recognized before and after the effect (docs/accounting.md, "What a payment recognizes"). If an
 * effect recognizes the whole invoice, these are zero and the whole amount, so other components need not be read.
 * Otherwise, they are the component's shares of the paid amounts.
 */
export function recognised(ask: RecognisedAsk, grain: Grain, wanted?: Wanted): RawBuilder<unknown> {
  const whole = (of: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      select ${COMPONENT}, 0::bigint as share_before, c.amount as share_after from (${componentsOf(of, wanted)}) c`;
  if (ask.basis === 'accrual') {
    return sql`
    effects as materialized (${effects(ask, grain)}), shares as (${whole(sql`effects`)})`;
  }
  // `is_part` is a separate column. With an inline condition, the planner expects only two full payments in a
  // hundred thousand effects and looks up the lines of each one separately.
  return sql`
    effects as materialized (
      select o.*, o.before <> 0 or o.after <> o.total as is_part from (${effects(ask, grain)}) o),
    components as materialized (${componentsOf(sql`(select o.* from effects o where o.is_part)`)}),
    shares as (${whole(sql`(select o.* from effects o where not o.is_part)`)}
      union all ${partly(['after'], sql`c.before = 0`)}
      union all ${partly(['before'], sql`c.after = c.total`)}
      union all ${partly(['before', 'after'], sql`c.before <> 0 and c.after <> c.total`)})`;
}

/**
 * Reads sales without tax. A package's own discounts reduce all of its products in proportion to their value. Other
 * discounts are separate. Deposits and passed-on costs are invoiced but are not income.
 */
function sold(ask: SalesAsk, grain: Grain): RawBuilder<unknown> {
  const isCash = ask.basis === 'cash' ? sql` and s.share_after <> s.share_before` : sql``;
  const borne = (point: 'share_after' | 'share_before'): RawBuilder<unknown> => {
    const of = sql.ref(`s.${point}`);
    return sql`(round(${of} * w.upto / w.worth) - round(${of} * (w.upto - w.own) / w.worth))`;
  };
  return sql`
    with ${recognised(narrowed(ask), grain, 'lines')},
    entries as (
      select s.dated, s.payment_id, s.document_id, s.document_kind, s.document_number, s.entity_id,
        s.line_id, s.line_no, s.part_no,
        b.product_id, b.is_discount, b.quantity, b.amount, p.product_category_id as category_id,
        a.account_type not in ('Income', 'Other Income') as is_other
      from shares s
      join account a on a.company_id = ${COMPANY} and a.id = s.account_id
      cross join lateral (
        select s.product_id, s.is_discount, s.quantity, s.share_after - s.share_before as amount
        where s.package is null
        union all
        select w.product_id, w.product_id is null, 0,
          coalesce(${borne('share_after')} - ${borne('share_before')}, s.share_after - s.share_before)::bigint
        from (select) discount
        left join lateral (
          select (part ->> 'productID')::bigint as product_id, (part ->> 'weight')::numeric as own,
            sum((part ->> 'weight')::numeric) over (order by no) as upto,
            sum((part ->> 'weight')::numeric) over () as worth
          from jsonb_array_elements(s.package) with ordinality parts (part, no)
          where part ->> 'productID' is not null) w on w.worth > 0
        where s.package is not null) b
      left join product p on p.company_id = ${COMPANY} and p.id = b.product_id
      where s.tax_no is null${isCash}
        and ${ofDimension('s.profit_center_id', ask.profitCenterId)}
        and ${ofDimension('s.location_id', ask.locationId)})`;
}

/** Limits the range to the subject's month, which is written like 202603. */
function narrowed(ask: SalesAsk): SalesAsk {
  const { only, from, to } = ask;
  const text = only?.by === 'month' ? String(only.id) : '';
  const first = parseDate(`${text.slice(0, 4)}-${text.slice(4)}-01`);
  if (first === undefined) return ask;
  const last = endOfMonth(first);
  return { ...ask, from: laterOf(from, first), to: last < to ? last : to };
}

function ofDimension(column: string, id: number | undefined): RawBuilder<unknown> {
  return id === undefined ? sql`true` : sql`coalesce(${sql.ref(column)}, 0) = ${id === UNASSIGNED ? 0 : id}`;
}

/** A way to list sales: the ID in `entries`, its name, and whether discounts are listed separately. */
interface Key {
  id: RawBuilder<unknown>;
  /** The name of `subject_id`. */
  name: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  isOffer: boolean;
}

/** The ways to list sales. */
export type SoldBy = 'customer' | 'product' | 'category' | 'month';

const named = (table: string, column: string, none: string): Pick<Key, 'name' | 'order'> => ({
  name: sql`case when is_own_discount then 'Discounts' else coalesce((
        select n.${sql.ref(column)} from ${sql.table(table)} n
        where n.company_id = ${COMPANY} and n.id = subject_id), ${none}) end`,
  order: sql`subject_id = 0, lower(name), subject_id`,
});

const KEYS: Readonly<Partial<Record<Subject['by'], Key>> & Record<SoldBy, Key>> = {
  customer: { id: sql`entity_id`, ...named('entity', 'displayname', ''), isOffer: false },
  product: { id: sql`coalesce(product_id, 0)`, ...named('product', 'name', 'No product'), isOffer: true },
  category: {
    id: sql`coalesce(category_id, 0)`,
    ...named('product_category', 'category_name', 'No category'),
    isOffer: true,
  },
  month: {
    id: sql`to_char(dated, 'YYYYMM')::int`,
    name: sql`to_char(to_date(subject_id::text, 'YYYYMM'), 'Mon YYYY')`,
    order: sql`subject_id`,
    isOffer: false,
  },
};

/**
 * Returns a subject's entries, each with the ID that it is listed under. In a summary, all amounts outside income
 * accounts are listed under ID 0.
 */
function keyed(by: SoldBy, only: Subject | undefined, isList: boolean): RawBuilder<unknown> {
  const { id, isOffer } = KEYS[by];
  const isSubject = isList ? sql`not is_other` : sql`true`;
  return sql`
    select case when ${isSubject} then ${id} else 0 end as subject_id,
      ${isOffer ? sql`is_discount and ${isSubject}` : sql`false`} as is_own_discount, entries.*
    from entries where ${ofSubject(only)}`;
}

function ofSubject(only: Subject | undefined): RawBuilder<unknown> {
  if (only === undefined) return sql`true`;
  if (only.by === 'other') return sql`is_other`;
  if (only.by === 'discounts') return sql`is_discount and not is_other`;
  const key = KEYS[only.by];
  if (key === undefined) return sql`false`;
  return sql`${key.id} = ${only.id} and not is_other${key.isOffer ? sql` and not is_discount` : sql``}`;
}

/** The sales listed under one ID. */
export interface SoldRow {
  only: Subject;
  name: string;
  invoices: number;
  quantity: string;
  sales: Cents;
  /** Whether the amount is invoiced but posted to accounts that are not income. */
  isOther: boolean;
}

/** Returns the sums of sales in a range, without tax. */
export function selectSales(by: SoldBy, ask: SalesAsk): Runnable<SoldRow> {
  const { name, order } = KEYS[by];
  return sql<SoldRow>`
    ${sold(ask, by === 'month' ? 'month' : 'invoice')}
    select jsonb_build_object('by', case when is_own_discount then 'discounts' else ${by} end, 'id', subject_id)
        as only, name, invoices, trim_scale(quantity)::text as quantity, sales::bigint, is_other as "isOther"
    from (
      select case when is_other then '' else ${name} end as name, summed.* from (
        select subject_id, is_own_discount, is_other,
          count(*) filter (where document_kind <> ${documentKinds.creditmemo.source}) as invoices,
          sum(quantity) as quantity,
          sum(amount) as sales
        from (
          select document_id, document_kind, subject_id, is_own_discount, is_other, sum(quantity) as quantity,
            sum(amount) as amount
          from (${keyed(by, ask.only, true)}) entry
          group by document_id, document_kind, subject_id, is_own_discount, is_other) invoice
        group by subject_id, is_own_discount, is_other) summed) listed
    order by ${order}`;
}

/** A sale, or a part of one, as an entry in a list. */
export interface SoldEntry {
  name: string;
  type: string;
  dated: IsoDate;
  number: string;
  customer: string;
  product: string;
  description: string;
  amount: Cents;
  transactionId: number | null;
  isOther: boolean;
}

/** Returns at most `limit` of the entries that make up these sales, in order. */
export function selectSold(by: SoldBy, ask: SalesAsk, limit: number): Runnable<SoldEntry> {
  const { name, order } = KEYS[by];
  return sql<SoldEntry>`
    ${sold(ask, 'each')},
    page as (select * from (${keyed(by, ask.only, false)}) entry limit ${sql.lit(limit)})
    select * from (
      select ${name} as name, o.subject_id, o.document_id, o.payment_id, o.line_no, o.part_no, o.product_id, ${EVENT},
        e.displayname as customer,
        case when o.is_discount then 'Discounts' else coalesce(q.name, 'No product') end as product,
        case when o.payment_id is null then '' else ${LABEL} || ' ' || o.document_number || ': ' end || i.description
          as description, o.amount, o.is_other as "isOther"
      from page o
      join invoice_line i on i.company_id = ${COMPANY} and i.id = o.line_id
      join entity e on e.company_id = ${COMPANY} and e.id = o.entity_id
      left join product q on q.company_id = ${COMPANY} and q.id = o.product_id
      left join payment p on p.company_id = ${COMPANY} and p.id = o.payment_id) listed
    order by ${order}, dated, document_id, payment_id, line_no, part_no, product_id`;
}

/** The label for the document of an effect `o`. */
const LABEL = sql`case o.document_kind ${sql.join(
  settledKinds(RECEIVABLE).map(({ source, label }) => sql`when ${source} then ${label}::text`),
  sql` `,
)} else 'Document' end`;

/**
 * Returns an effect `o` with its payment `p` as an entry, and the first transaction that posted it. `case` chooses the
 * source, because under row-level security, PostgreSQL does not use an index for a `coalesce` and would read all of the
 * company's invoices for each entry.
 */
export const EVENT = sql`
      case when o.payment_id is null then ${LABEL} when p.amount_cents < 0 then ${REFUND}
        else ${RECEIVABLE.payment.label} end as type, o.dated,
      coalesce(p.payment_number, o.document_number) as number,
      ${firstPosted(
        sql`case when o.payment_id is null then o.document_kind else ${RECEIVABLE.payment.source} end`,
        sql`case when o.payment_id is null then o.document_id else o.payment_id end`,
      )} as "transactionId"`;
