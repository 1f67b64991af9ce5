import { ON_HOLD, VOID } from '@evenkeel/core/documents/invoice';
import {
  documentKinds,
  namesOf,
  type SettledKind,
  settledKinds,
  sides,
  type Side,
  type Source,
} from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** A record, by its kind in the audit log and its ID. */
export interface FaultyRecord {
  kind: string;
  id: number;
}

/** A problem, with its transaction and record, if any. */
export interface FaultRow {
  transactionId: number | null;
  postingNo: number | null;
  message: string;
  record?: FaultyRecord | null;
}

/** The maximum number of problems that one check lists. */
export const MOST_FAULTS = 20;

/** Returns a record as a jsonb value. `kind` is a name or an expression. */
export function recordOf(kind: string | RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<FaultyRecord> {
  return sql`jsonb_build_object('kind', ${kind}::text, 'id', ${id})`;
}

/** Returns the first problems that a query finds, each with its message and its record, if any. */
export function faults(
  message: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  record: RawBuilder<unknown> = sql`null::jsonb`,
): Runnable<FaultRow> {
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo", ${message} as message, ${record} as record
    ${from} limit ${MOST_FAULTS}`;
}

/** Returns the name of a document kind for use in messages, such as "invoice". */
const called = ({ label }: SettledKind): RawBuilder<unknown> => sql`${label.toLowerCase()}::text`;

const appliedTo = (key: RawBuilder<unknown>) => sql`coalesce((
  select sum(a.amount_cents) from payment_application a where a.company_id = ${COMPANY} and ${key}), 0)`;

const moneyOf = (key: RawBuilder<unknown>) => sql`coalesce((
  select sum(a.amount_cents - a.waived_cents) from payment_application a
  where a.company_id = ${COMPANY} and ${key}), 0)`;

/**
 * Finds documents whose applied or open amount is wrong. The applied amount must equal the total of the document's
 * applications, or the document's own total if it was paid immediately. The open amount must equal the rest of the
 * document's total.
 */
export function openAmountFaults(kind: SettledKind): Runnable<FaultRow> {
  return faults(
    sql`${called(kind)} || ' ' || number || case
      when applied_cents <> applied then ' has ' || applied_cents || ' instead of ' || applied || ' cents applied'
      else ' has ' || open_cents || ' instead of ' || wanted || ' cents open' end`,
    sql`from (
      select d.id, d.document_number as number, d.open_cents, d.applied_cents, a.applied,
        case when d.deleted or not d.is_posted then 0 else d.total_cents end - a.applied as wanted
      from document d
      cross join lateral (select ${appliedTo(sql`a.document_id = d.id`)}
        + case when d.bank_account_id is null or not d.is_posted or d.deleted then 0 else d.total_cents end
        as applied) a
      where d.company_id = ${COMPANY} and d.kind = ${kind.source}) d
    where applied_cents <> applied or open_cents <> wanted order by id`,
    recordOf(kind.source, sql`id`),
  );
}

/** Returns the totals of the company's open documents and drafts, as rows of `document_open_sum`. */
export function openSumsOfDocuments(): RawBuilder<unknown> {
  const isLate = sql`d.is_posted and d.due_date is not null and d.open_cents > 0`;
  const isUndated = sql`d.is_posted and d.due_date is null and d.open_cents > 0`;
  return sql`
    select d.company_id, d.side, d.is_draft, d.document_date,
      coalesce(d.due_date, d.invoice_date, d.document_date) as due_date, count(*) as document_count,
      sum(d.total_cents)::bigint as total_cents, sum(d.open_cents)::bigint as open_cents,
      sum(greatest(d.open_cents, 0))::bigint as positive_cents, d.kind,
      count(*) filter (where ${isLate}) as late_count,
      coalesce(sum(d.open_cents) filter (where ${isLate}), 0)::bigint as late_cents,
      count(*) filter (where ${isUndated}) as undated_count,
      coalesce(sum(d.open_cents) filter (where ${isUndated}), 0)::bigint as undated_cents,
      count(*) filter (where d.status = ${ON_HOLD} and d.open_cents <> 0) as held_count,
      coalesce(sum(d.open_cents) filter (where d.status = ${ON_HOLD}), 0)::bigint as held_cents
    from document d
    where d.company_id = ${COMPANY} and not d.deleted and (d.open_cents <> 0 or d.is_draft)
    group by d.company_id, d.side, d.kind, d.is_draft, d.document_date, 5`;
}

/** Finds stored totals that differ from the open documents. */
export function openSumFaults(kind: SettledKind): Runnable<FaultRow> {
  const told = (row: string): RawBuilder<unknown> =>
    sql.raw(`coalesce(${row}.document_count, 0) || ' of ' || coalesce(${row}.open_cents, 0) || ' cents'`);
  const own = sql`side = ${kind.side} and kind = ${kind.source}`;
  return faults(
    sql`'open ' || ${called(kind)} || 's due ' || coalesce(w.due_date, s.due_date) || ': the sums have '
      || ${told('s')} || ' instead of ' || ${told('w')}`,
    sql`from (select * from document_open_sum where company_id = ${COMPANY} and ${own}) s
    full join (select * from (${openSumsOfDocuments()}) made where ${own}) w
      on (w.is_draft, w.document_date, w.due_date) = (s.is_draft, s.document_date, s.due_date)
    where (w.document_count, w.total_cents, w.open_cents, w.positive_cents, w.late_count, w.late_cents,
        w.undated_count, w.undated_cents, w.held_count, w.held_cents)
      is distinct from (s.document_count, s.total_cents, s.open_cents, s.positive_cents, s.late_count, s.late_cents,
        s.undated_count, s.undated_cents, s.held_count, s.held_cents)
    order by coalesce(w.due_date, s.due_date)`,
  );
}

/** Finds documents and stored totals of a kind that doesn't exist on their side. */
export function kindFaults(side: Side): Runnable<FaultRow> {
  const known = namesOf(settledKinds(side));
  return faults(
    sql`'document ' || number || ' has the kind ' || kind || ', which does not exist on its side'`,
    sql`from (
      select d.document_number as number, d.kind from document d
      where d.company_id = ${COMPANY} and d.side = ${side.name} and d.kind <> all(${known}::text[])
      union all
      select 'sum due ' || s.due_date, s.kind from document_open_sum s
      where s.company_id = ${COMPANY} and s.side = ${side.name} and s.kind <> all(${known}::text[])) d
    order by number`,
  );
}

/**
 * Finds payments whose unapplied amount differs from their amount less their applications, and deleted payments with
 * applications.
 */
export function unappliedFaults({ name, payment }: Side): Runnable<FaultRow> {
  return faults(
    sql`case when deleted then 'deleted payment ' || number || ' still has applications'
      when applied_cents <> applied
        then 'payment ' || number || ' has ' || applied_cents || ' instead of ' || applied || ' cents applied'
      else 'payment ' || number || ' has ' || unapplied_cents || ' instead of ' || (amount_cents - applied)
        || ' cents unapplied' end`,
    sql`from (
      select p.*, p.payment_number as number, ${moneyOf(sql`a.payment_id = p.id`)} + coalesce((
          select sum(case f.payment_id when p.id then f.amount_cents else -f.amount_cents end) from payment_refund f
          where f.company_id = ${COMPANY} and (f.payment_id = p.id or f.refund_id = p.id)), 0) as applied
      from payment p where p.company_id = ${COMPANY} and p.side = ${name}) p
    where applied_cents <> applied
      or case when deleted then applied <> 0 else unapplied_cents <> amount_cents - applied end
    order by id`,
    recordOf(payment.source, sql`id`),
  );
}

/**
 * Finds refunds that don't pay back a positive payment of the same customer or vendor, or don't take effect on the
 * later of the two dates.
 */
export function refundFaults({ name }: Side): Runnable<FaultRow> {
  return faults(
    sql`'refund ' || r.payment_number || ' refunds payment ' || p.payment_number || case
      when f.recognition_date <> greatest(r.payment_date, p.payment_date) then ' on ' || f.recognition_date
      else ', which cannot be refunded' end`,
    sql`from payment_refund f
    join payment r on r.company_id = ${COMPANY} and r.id = f.refund_id
    join payment p on p.company_id = ${COMPANY} and p.id = f.payment_id
    where f.company_id = ${COMPANY} and r.side = ${name} and (p.side <> ${name} or r.entity_id <> p.entity_id
      or r.deleted or p.deleted or r.amount_cents >= 0 or p.amount_cents <= 0
      or f.recognition_date <> greatest(r.payment_date, p.payment_date))
    order by f.refund_id, f.payment_id`,
  );
}

/**
 * Finds applications whose previously applied amount is wrong, or that are on a different side than their document or
 * payment.
 */
export function runningSumFaults({ name, payment }: Side): Runnable<FaultRow> {
  return faults(
    sql`'payment ' || payment_number || ' on ' || document_number || case
      when before <> applied_before_cents
        then ' has ' || applied_before_cents || ' instead of ' || before || ' cents applied before it'
      else ' is not on the same side as both' end`,
    sql`from (
      select p.payment_number, d.document_number, a.*, p.side as payment_side, d.side as document_side,
        sum(a.amount_cents) over (partition by a.document_id order by a.recognition_date, a.payment_id)
          - a.amount_cents as before
      from payment_application a
      join payment p on p.company_id = ${COMPANY} and p.id = a.payment_id
      join document d on d.company_id = ${COMPANY} and d.id = a.document_id
      where a.company_id = ${COMPANY} and d.side = ${name}) a
    where before <> applied_before_cents or payment_side <> side or document_side <> side
    order by document_id, recognition_date, payment_id`,
    recordOf(payment.source, sql`payment_id`),
  );
}

/**
 * Finds payments whose money is not in the GL account of their bank account, or not in the account that they refer to.
 */
export function moneyAccountFaults({ name, payment }: Side): Runnable<FaultRow> {
  return faults(
    sql`'payment ' || p.payment_number || ' is on account ' || p.gl_account_id || ', not on its bank account'`,
    sql`from payment p
    left join banking_account b on b.company_id = ${COMPANY} and b.id = p.bank_account_id
    where p.company_id = ${COMPANY} and p.side = ${name}
      and p.gl_account_id is distinct from coalesce(b.gl_account_id, p.payment_account_id)
    order by p.id`,
    recordOf(payment.source, sql`p.id`),
  );
}

/** Finds bills that were paid immediately but are not in the GL account of their bank account. */
export function paidAtOnceFaults(kind: SettledKind): Runnable<FaultRow> {
  return faults(
    sql`${called(kind)} || ' ' || d.document_number || ' is on account ' || d.control_account_id
      || ', not on its bank account'`,
    sql`from document d
    join banking_account b on b.company_id = ${COMPANY} and b.id = d.bank_account_id
    where d.company_id = ${COMPANY} and d.kind = ${kind.source} and d.control_account_id <> b.gl_account_id
    order by d.id`,
    recordOf(kind.source, sql`d.id`),
  );
}

/**
 * Finds three kinds of lines: those whose amount is not price times quantity, rounded once; packages whose parts don't
 * add up to the line; and discounts whose price doesn't match their terms (docs/accounting.md, "Invoice amounts").
 */
export function salesLineFaults(kind: SettledKind): Runnable<FaultRow> {
  return faults(
    sql`${called(kind)} || ' ' || document_number || ', line ' || line_no || ' is ' || line_amount_cents || ' cents, '
      || case
      when line_amount_cents - rest_cents <> extended then 'not ' || item_price_cents || ' × ' || quantity
      when parts <> line_amount_cents then 'its parts ' || parts
      else 'its discount ' || discount end`,
    sql`from (
      select d.document_number, l.*, round(l.item_price_cents * l.quantity) as extended,
        case when l.package_parts is not null then (
          select coalesce(sum((p ->> 'amount')::bigint), 0) from jsonb_array_elements(l.package_parts) p) end as parts,
        case (l.discount_terms ->> 'discountType')::int
          when 0 then -(l.discount_terms ->> 'discountFlatValue')::bigint
          when 1 then -round(100 * round((l.discount_terms ->> 'base')::numeric
            * (l.discount_terms ->> 'discountPercentage')::numeric / 100, 6)) end as discount
      from invoice_line l
      join document d on d.company_id = ${COMPANY} and d.id = l.invoice_id and d.kind = ${kind.source}
      where l.company_id = ${COMPANY} and not l.deleted) l
    where line_amount_cents - rest_cents <> extended or parts <> line_amount_cents or discount <> item_price_cents
    order by invoice_id, line_no`,
    recordOf(kind.source, sql`invoice_id`),
  );
}

/**
 * The taxable amount, in cents, of a line `l` that is not a discount. For a product line, this is the whole amount. For
 * a package, it is the taxable parts less their share of the package's discounts.
 */
const TAXABLE_AMOUNT = sql`case when l.package_parts is null then l.line_amount_cents else (
              select coalesce(sum((p ->> 'amount')::numeric) filter (where (p ->> 'taxable')::boolean), 0)
                + coalesce(sum((p ->> 'amount')::numeric) filter (where p ->> 'productID' is null), 0)
                  * coalesce(sum((p ->> 'weight')::numeric) filter (where (p ->> 'taxable')::boolean), 0)
                  / coalesce(nullif(sum((p ->> 'weight')::numeric) filter (where p ->> 'productID' is not null), 0), 1)
              from jsonb_array_elements(l.package_parts) p) end`;

/**
 * Finds invoices with wrong sales tax. An invoice's tax is the sum of its tax items. Each tax item is the sum over its
 * lines, rounded once to cents. The item is found by its type if the type is unique. A line's tax is the sum of its
 * items. On a product line, the tax is calculated from the amount and the rates. The tax is 0 if the total of the
 * taxable lines is negative (docs/accounting.md, "Invoice amounts").
 */
export function salesTaxFaults(kind: SettledKind): Runnable<FaultRow> {
  // The lines of a credit memo have the opposite sign.
  const sign = kind.source === documentKinds.creditmemo.source ? -1 : 1;
  return faults(
    sql`${called(kind)} || ' ' || document_number || case
      when items <> sales_tax_cents
        then ' has ' || sales_tax_cents || ' cents of sales tax, but its items add up to ' || items
      when wrong_line is not null then ', line ' || wrong_line || ' has sales tax that does not match its rates'
      else ' has a tax item that is not the sum of its lines' end`,
    sql`from (
      select d.id, d.document_number, d.sales_tax_cents,
        coalesce((select sum((i ->> 'total')::bigint) from jsonb_array_elements(d.tax_snapshot) i), 0) as items, (
          select min(l.line_no) from invoice_line l
          where l.company_id = ${COMPANY} and l.invoice_id = d.id and not l.deleted and (
            l.line_tax <> coalesce((
              select sum((i ->> 'total')::numeric) from jsonb_array_elements(l.tax_items) i), 0)
            or num_nonnulls(l.package_id, l.discount_id) = 0 and l.line_tax <> case
              when l.taxable and not d.is_untaxed then coalesce((
              select sum(round(l.line_amount_cents / 100.0 * (i ->> 'percentage')::numeric / 100, 6))
              from jsonb_array_elements(d.tax_snapshot) i), 0) else 0 end)) as wrong_line,
        exists (
          select from jsonb_array_elements(d.tax_snapshot) i
          where (i ->> 'total')::bigint - coalesce((i ->> 'rest')::bigint, 0) <> (
            select coalesce(round(100 * sum((t ->> 'total')::numeric)), 0)
            from invoice_line l, jsonb_array_elements(l.tax_items) t
            where l.company_id = ${COMPANY} and l.invoice_id = d.id and not l.deleted
              and t ->> 'salesTaxType' = i ->> 'salesTaxType')
          and 1 = (select count(*) from jsonb_array_elements(d.tax_snapshot) same
            where same ->> 'salesTaxType' = i ->> 'salesTaxType')) as wrong_item
      from (
        select d.*, coalesce((
            select sum(${TAXABLE_AMOUNT}) from invoice_line l
            where l.company_id = ${COMPANY} and l.invoice_id = d.id and not l.deleted and l.taxable
              and l.discount_id is null), 0) * ${sql.lit(sign)} < 0 as is_untaxed
        from document d
        where d.company_id = ${COMPANY} and d.kind = ${kind.source} and not d.deleted) d) d
    where items <> sales_tax_cents or wrong_line is not null or wrong_item order by id`,
    recordOf(kind.source, sql`id`),
  );
}

/** Returns the source types of everything that a side posts. */
const sourcesOn = (side: Side): string[] => [...namesOf(settledKinds(side)), side.payment.source];

/**
 * Finds control accounts that don't equal their documents. On the accrual basis, without journal entries, a side's
 * control accounts equal its open documents less unapplied payments. On the cash basis, each control account is 0.
 * History imported from other programs is not counted on the cash basis, because the files from those programs contain
 * no entries on that basis.
 */
export function controlFaults(side: Side): Runnable<FaultRow> {
  return sql<FaultRow>`
    with control as (
      select l.amount_cents, l.basis, l.account_id, t.source_type, exists (
        select from move_in_record m
        where m.company_id = ${COMPANY} and m.kind = 'transaction' and m.is_new
          and m.record_id = case when t.source_type = ${documentKinds.journal.source} then t.source_id end) as is_moved
      from journal_line l
      join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
      join account a on a.company_id = ${COMPANY} and a.id = l.account_id
      where l.company_id = ${COMPANY} and not a.contra and a.account_type = ${side.controlType}),
    total as (
      select ${side.sign}::bigint * coalesce((
        select sum(amount_cents) from control
        where basis <> 'C' and source_type = any(${sourcesOn(side)}::text[])), 0) as ledger,
        coalesce((select sum(open_cents) from document
          where company_id = ${COMPANY} and side = ${side.name} and not deleted and is_posted), 0)
        - coalesce((select sum(unapplied_cents) from payment
          where company_id = ${COMPANY} and side = ${side.name} and not deleted), 0) as documents)
    select null::bigint as "transactionId", null::bigint as "postingNo",
      ${side.words.control}::text || ' are ' || ledger
        || ' cents, but open ${sql.raw(side.words.document)}s less unapplied payments are ' || documents as message,
      ${recordOf('account', sql`${side.controlAccountId}::bigint`)} as record
    from total where ledger <> documents
    union all
    select null, null, 'account ' || account_id || ' is ' || sum(amount_cents) || ' cents on the cash basis, not 0',
      ${recordOf('account', sql`account_id`)}
    from control where basis <> 'A' and not is_moved group by account_id having sum(amount_cents) <> 0
    limit ${MOST_FAULTS}`;
}

/** Returns the checks for gaps in the number sequences of the documents and payments on a side. */
export function numberFaults(side: Side): Runnable<FaultRow>[] {
  return [...settledKinds(side), side.payment].flatMap((kind) =>
    gapsOf(
      kind,
      kind.records === 'document' ? sql`r.kind = ${kind.source} and r.opening is null` : sql`r.side = ${side.name}`,
    ),
  );
}

/**
 * Finds gaps in the numbers that the company assigns. The numbers of deleted documents count as used, and skipped
 * numbers aren't gaps. `own` selects the records `r` of the kind from their table.
 */
export function gapsOf({ source, records, label, firstNumber, prefix = '' }: DocumentKind, own: RawBuilder<unknown>) {
  if (firstNumber === null || records === null) return [];
  const number = sql.id(`${records}_number`);
  const digits = sql`substr(r.${number}, ${prefix.length + 1})`;
  const word = label.toLowerCase();
  return [
    faults(
      sql`fault.message`,
      sql`from (
        select coalesce((
          select next_number from number_sequence
          where company_id = ${COMPANY} and kind = ${source}), ${firstNumber}::bigint) as next) s
      cross join lateral (
        select ${word}::text || ' number ' || n || ' is missing' as message, null::bigint as id
        from (
          select b.begins, coalesce((
            select min(k.first_number) from number_skip k
            where k.company_id = ${COMPANY} and k.kind = ${source} and k.first_number >= b.begins), s.next) as ends
          from (
            select ${firstNumber}::bigint as begins
            union
            select k.next_number from number_skip k where k.company_id = ${COMPANY} and k.kind = ${source}) b) part
        cross join lateral generate_series(part.begins, part.ends - 1) n
        where not exists (
          select from ${sql.table(records)} r
          where r.company_id = ${COMPANY} and ${own} and r.${number} = ${prefix} || n)
        union all
        select ${word}::text || ' number ' || r.${number} || ' was never assigned', r.id
        from ${sql.table(records)} r
        where r.company_id = ${COMPANY} and ${own} and case
          when starts_with(r.${number}, ${prefix}) and ${digits} ~ '^[1-9][0-9]{0,17}$'
            then ${digits}::bigint not between ${firstNumber} and s.next - 1 or exists (
              select from number_skip k
              where k.company_id = ${COMPANY} and k.kind = ${source}
                and ${digits}::bigint between k.first_number and k.next_number - 1)
          else true end) fault`,
      sql`case when fault.id is not null then ${recordOf(source, sql`fault.id`)} end`,
    ),
  ];
}

/** Finds transactions on a side whose document or payment doesn't exist. */
export function orphanFaults(side: Side): Runnable<FaultRow> {
  const { name, payment } = side;
  return sql<FaultRow>`
    select t.id as "transactionId", t.posting_no as "postingNo",
      'it belongs to ' || t.source_type || ' ' || t.source_id || ', which does not exist' as message
    from journal_transaction t
    where t.company_id = ${COMPANY} and t.source_type = any(${sourcesOn(side)}::text[]) and not exists (
      select from document d where d.company_id = ${COMPANY} and d.side = ${name}
        and d.kind = t.source_type and d.id = t.source_id
      union all
      select from payment p where p.company_id = ${COMPANY} and p.side = ${name}
        and t.source_type = ${payment.source} and p.id = t.source_id)
    order by t.posting_no
    limit ${MOST_FAULTS}`;
}

/**
 * Selects the documents or payments on a side whose IDs come after the given ID, in ID order. At most 500 are selected.
 */
export function nextSources(records: 'document' | 'payment', side: Side, behind: number): Runnable<Source> {
  const type = records === 'document' ? sql`r.kind` : sql`${side.payment.source}`;
  return sql<Source>`
    select ${type} as type, r.id from ${sql.table(records)} r
    where r.company_id = ${COMPANY} and r.side = ${side.name} and r.id > ${behind} order by r.id limit 500`;
}

/** Finds dates in schedules whose document is missing or belongs to two dates. */
export function templateFaults(): Runnable<FaultRow> {
  return faults(
    sql`'date ' || n || ' of schedule ' || template_id || case
      when is_missing then ' names a document that does not exist'
      else ' names the same document as another date' end`,
    sql`from (
      select o.*, t.kind, d.id is null as is_missing, count(*) over (partition by t.kind, o.source_id) > 1 as is_twice
      from template_occurrence o
      join template t on t.company_id = ${COMPANY} and t.id = o.template_id
      left join document d on d.company_id = ${COMPANY} and d.id = o.source_id and d.kind = t.kind
      where o.company_id = ${COMPANY} and o.state = 'made'
        and t.kind = any(${namesOf(sides.flatMap(settledKinds))}::text[])) o
    where is_missing or is_twice
    order by template_id, n`,
    recordOf(sql`'scheduled ' || kind`, sql`template_id`),
  );
}

/**
 * Finds stored days (`finance_charge_day`) that differ from the lines that charge interest for them. Void and deleted
 * lines charge no interest.
 */
export function financeChargeFaults(): Runnable<FaultRow> {
  return faults(
    sql`'invoice ' || invoice_id || ' of ' || day || case
      when line_id is null then ' should be charged by line ' || wanted_id
      when wanted_id is null then ' is charged by line ' || line_id || ', which does not charge it'
      else ' is charged by line ' || line_id || ', not by ' || wanted_id end`,
    sql`from (
      select coalesce(y.invoice_id, w.invoice_id) as invoice_id, coalesce(y.day, w.day) as day, y.line_id,
        w.line_id as wanted_id
      from (select * from finance_charge_day where company_id = ${COMPANY}) y
      full join (
        select f.invoice_id, n::date as day, f.line_id
        from finance_charge f
        join invoice_line l on l.company_id = ${COMPANY} and l.id = f.line_id and not l.deleted
        join document d on d.company_id = ${COMPANY} and d.id = l.invoice_id and not d.deleted and d.status <> ${VOID}
        cross join lateral generate_series(f.from_date, f.to_date, interval '1 day') n
        where f.company_id = ${COMPANY}) w on w.invoice_id = y.invoice_id and w.day = y.day
      where y.line_id is distinct from w.line_id) x
    order by invoice_id, day`,
    recordOf('invoice', sql`invoice_id`),
  );
}

/**
 * Finds work items whose amount is not price times quantity, or whose line is deleted, void, or on another customer's
 * invoice.
 */
export function workItemFaults(): Runnable<FaultRow> {
  return faults(
    sql`'work item ' || id || case
      when total_cents <> extended then ' is ' || total_cents || ' cents, not ' || item_price_cents || ' × ' || quantity
      when number is null then ' is billed on a line that does not exist'
      else ' is billed on invoice ' || number || case
        when is_void then ', which is void or deleted'
        when is_gone then ', whose line is deleted'
        else ', which belongs to another customer' end end`,
    sql`from (
      select w.*, round(w.item_price_cents * w.quantity) as extended, d.document_number as number,
        d.deleted or d.status = ${VOID} as is_void, l.deleted as is_gone, d.entity_id <> w.entity_id as is_other
      from work_item w
      left join invoice_line l on l.company_id = ${COMPANY} and l.id = w.invoice_line_id
      left join document d on d.company_id = ${COMPANY} and d.id = l.invoice_id
      where w.company_id = ${COMPANY}) w
    where total_cents <> extended or invoice_line_id is not null and (number is null or is_void or is_gone or is_other)
    order by id`,
    recordOf('workitem', sql`id`),
  );
}
