import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { RefundPart } from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { PostedPart } from '@evenkeel/core/books/posting';
import type { RefundRow } from '@evenkeel/core/books/settlement';
import { type SettledKind, settledKinds, type Side, sides, type SourceType } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { linksOf } from '../attachments/attachments.sql.ts';
import { COMPANY, type Runnable, listOf, takeIds } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { FoundRecord } from '../ledger/references.ts';

/** The current row version of the company, as a column of a statement. */
export const COMPANY_VERSION = sql`(select c.row_version from company c where c.company_id = ${COMPANY})`;

/** A tax item as copied onto an invoice. The percentage is decimal text. */
export interface TaxSnapshot {
  id: number;
  label: string;
  salesTaxType: number;
  percentage: string;
  /** Whether the tax was rounded once at the combined rate of all items. */
  combined?: boolean | undefined;
  total: Cents;
  /** The cents of the total that the lines don't include. Undefined if there are none. */
  rest?: Cents;
}

/** The state, on the date of the opening balances, of a document that is dated earlier. Amounts are in cents. */
export interface StoredOpening {
  /** The origin of the document: imported, or entered with the opening balances, where it can be changed. */
  source: 'balances' | 'import';
  /** The amount that was settled by that date, with the document's sign. */
  settled: Cents;
  /** The original amounts of the lines and tax items, in the document's order. */
  lines: Cents[];
  taxes: Cents[];
}

/** The columns of a document header that are read when the document is saved or paid. */
export const HEAD = {
  id: 'id',
  kind: 'kind',
  side: 'side',
  number: 'document_number',
  /** The posting date, which is also used for the document's payments. */
  date: 'document_date',
  /** The vendor's date on a bill, or null if it equals the posting date. */
  invoiceDate: 'invoice_date',
  dueDate: 'due_date',
  entityId: 'entity_id',
  status: 'status',
  controlAccountId: 'control_account_id',
  taxAccountId: 'tax_account_id',
  scenarioId: 'sales_tax_scenario_id',
  taxSnapshot: 'tax_snapshot',
  salesTaxAmount: 'sales_tax_cents',
  amount: 'total_cents',
  applied: 'applied_cents',
  openAmount: 'open_cents',
  /** The location of a bill's lines, and the bank account of a bill that was paid immediately. */
  locationId: 'location_id',
  bankAccountId: 'bank_account_id',
  /** The early-payment discount and the last day when it is available. Null if the document has no discount. */
  discountPercent: 'discount_percent',
  discountUntil: 'discount_until',
  entryDate: 'entry_date',
  /** The invoice that a credit memo was created from, and the reason or note printed on the document. */
  creditedId: 'credited_id',
  note: 'note',
  /** The customer's purchase order number. */
  poNumber: 'po_number',
  /**
   * The estimate that an invoice was created from, or a customer's response to an estimate through its private link
   * (who responded, how, and when).
   */
  estimateId: 'estimate_id',
  answeredBy: 'answered_by',
  answerNote: 'answer_note',
  answeredAt: 'answered_at',
  /** Null unless the document is dated before the opening balances. */
  opening: 'opening',
  deleted: 'deleted',
  rowVersion: 'row_version',
} as const;

/** The document headers. Invoices and bills share this table. */
export const documents = table('document', HEAD).typed<{
  side: Side['name'];
  taxSnapshot: TaxSnapshot[];
  opening: StoredOpening | null;
}>();

/** A stored header. The database computes whether the document is posted. */
export interface DocumentRow extends RowOf<typeof documents> {
  isPosted: boolean;
}

/** The columns of a DocumentRow for documents `d`. */
export const DOCUMENT = sql`${documents.columns('d')}, d.is_posted as "isPosted"`;

export const payments = table('payment', {
  id: 'id',
  side: 'side',
  number: 'payment_number',
  entityId: 'entity_id',
  date: 'payment_date',
  amount: 'amount_cents',
  applied: 'applied_cents',
  unapplied: 'unapplied_cents',
  paymentTypeId: 'payment_type_id',
  referenceNumber: 'reference_number',
  checkNumber: 'check_number',
  description: 'description',
  bankAccountId: 'bank_account_id',
  paymentAccountId: 'payment_account_id',
  glAccountId: 'gl_account_id',
  controlAccountId: 'control_account_id',
  locationId: 'location_id',
  /** The account for the discounts that the payment takes. Null if the payment takes none. */
  discountAccountId: 'discount_account_id',
  entryDate: 'entry_date',
  /** The row versions that determine the names and addresses on a receipt. */
  entityVersion: 'entity_version',
  companyVersion: 'company_version',
  /** The user who posted the payment, or 0 if that is not known. */
  createdBy: 'created_by',
  deleted: 'deleted',
  rowVersion: 'row_version',
}).typed<{ side: Side['name'] }>();
export type PaymentRow = RowOf<typeof payments>;

export const applications = table('payment_application', {
  side: 'side',
  paymentId: 'payment_id',
  documentId: 'document_id',
  amount: 'amount_cents',
  recognitionDate: 'recognition_date',
  appliedBefore: 'applied_before_cents',
  /** The part of the amount that was applied without moving money. */
  waived: 'waived_cents',
}).typed<{ side: Side['name'] }>();

/** The amounts that refunds pay back from payments. */
export const refunds = table('payment_refund', {
  refundId: 'refund_id',
  paymentId: 'payment_id',
  amount: 'amount_cents',
  recognitionDate: 'recognition_date',
});

/** The dimensions that a request sets on the application of a payment to a document. */
export const applicationDimensions = table('payment_application_dimension', {
  paymentId: 'payment_id',
  documentId: 'document_id',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
});

/** The table for the lines of a kind of document. Kinds on the same side may share a table. */
export interface DocumentLines {
  kind: SettledKind;
  name: string;
  /** The column with the document ID. */
  document: string;
  /** The column with the parts that are posted instead of a package. */
  parts: string | null;
}

const LINES = {
  receivable: { name: 'invoice_line', document: 'invoice_id', parts: 'package_parts' },
  payable: { name: 'expense_line', document: 'expense_id', parts: null },
} as const;

/** Returns the table for the lines of a built-in kind. Kinds on the same side share a table. */
export const ownLines = (kind: SettledKind): DocumentLines => ({ kind, ...LINES[kind.side] });

/** The table for the lines of each kind, by its name. If a new kind has a separate table, add an entry here. */
export const linesByKind = new Map(sides.flatMap(settledKinds).map((kind) => [kind.source, ownLines(kind)]));

/** The documents and payments that a command on a payment affects. */
export interface Picked {
  documentIds: readonly number[];
  /** The payment to change, or 0 for a new one. Its documents are included. */
  paymentId: number;
  /** The payments that refunds pay back. */
  paymentIds?: readonly number[];
  /** Includes all open documents of these customers or vendors, for payments that are applied in list order. */
  openOfEntityIds: readonly number[];
  /**
   * The date from which the change affects the selected documents: the payment's new date or the date of its earliest
   * application, whichever is earlier. `own` if the payment has no new date.
   */
  from: IsoDate | 'own';
}

/**
 * Selects the IDs of the affected documents. Each branch uses an index and is omitted if it would select nothing. Use
 * the result as `= any(array(…))`, so that PostgreSQL reads the IDs once, before the rows, and the cost does not grow
 * with the company's history. A single condition with "or" would read every document.
 */
function pickedDocumentIds(side: Side, { documentIds, paymentId, openOfEntityIds }: Picked): RawBuilder<unknown> {
  const branches = [
    sql`
    select d.id from document d
    where d.company_id = ${COMPANY} and d.side = ${side.name} and d.id = any(${documentIds}::bigint[])`,
    ...(paymentId === 0 ? [] : [documentsPaidBy(sql`array[${paymentId}::bigint]`)]),
    ...(openOfEntityIds.length === 0
      ? []
      : [
          sql`
    select d.id from document d
    where d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted
      and d.entity_id = any(${openOfEntityIds}::bigint[]) and d.open_cents <> 0 and d.is_posted`,
        ]),
  ];
  return sql.join(branches, sql` union `);
}

/**
 * Locks the documents that may change. Must run before lockPayments. Both must run before the ledger head is locked.
 */
export function lockDocuments(side: Side, picked: Picked): Runnable<DocumentRow> {
  return lockDocumentsOf(sql`array(${pickedDocumentIds(side, picked)})`);
}

/** Locks the documents in an array of IDs, except deleted ones. */
export function lockDocumentsOf(ids: RawBuilder<unknown>): Runnable<DocumentRow> {
  return sql<DocumentRow>`
    select ${DOCUMENT} from document d
    where d.company_id = ${COMPANY} and not d.deleted and d.id = any(${ids})
    order by d.id for no key update`;
}

/**
 * Locks the changed payment, and the payments that take effect on an affected document after the change, because their
 * recognition depends on the change. Earlier payments are neither locked nor read, so their number doesn't matter.
 * `offset 0` prevents the planner from computing the date again for each application, and from reading the applications
 * to all documents. Must run after lockDocuments, because locked documents get no new payments.
 */
export function lockPayments(side: Side, picked: Picked): Runnable<PaymentRow> {
  const { from, paymentId, paymentIds = [] } = picked;
  const start = from === 'own' ? 'infinity' : from;
  const behindId = paymentId === 0 ? Number.MAX_SAFE_INTEGER : paymentId;
  return lockPaymentsOf(
    side,
    sql`array(
    select ${paymentId}::bigint
    ${paymentIds.length === 0 ? sql`` : sql`union select unnest(${paymentIds}::bigint[])`}
    ${paymentId === 0 ? sql`` : sql`union ${refundedWith(paymentId)}`}
    union
    select later.payment_id
    from document d
    cross join lateral (
      select least(greatest(${start}::date, d.document_date), (
        select min(o.recognition_date) from payment_application o
        where o.company_id = ${COMPANY} and o.payment_id = ${paymentId} and o.document_id = d.id)) as day
      offset 0) change
    cross join lateral (
      select a.payment_id from payment_application a
      where a.company_id = ${COMPANY} and a.document_id = d.id
        and (a.recognition_date, a.payment_id) > (change.day, ${behindId}::bigint)
      offset 0) later
    where d.company_id = ${COMPANY} and d.id = any(array(${pickedDocumentIds(side, picked)})))`,
  );
}

/** Selects the payments that a refund pays back, and the refunds of a payment. */
function refundedWith(paymentId: number): RawBuilder<unknown> {
  return sql`
    select f.payment_id from payment_refund f where f.company_id = ${COMPANY} and f.refund_id = ${paymentId}
    union
    select f.refund_id from payment_refund f where f.company_id = ${COMPANY} and f.payment_id = ${paymentId}`;
}

/** Locks the payments in an array of IDs. */
export function lockPaymentsOf(side: Side, ids: RawBuilder<unknown>): Runnable<PaymentRow> {
  return sql<PaymentRow>`
    select ${payments.columns('p')} from payment p
    where p.company_id = ${COMPANY} and p.side = ${side.name} and not p.deleted and p.id = any(${ids})
    order by p.id for no key update`;
}

export interface AppliedRow {
  paymentId: number;
  documentId: number;
  amount: Cents;
  recognitionDate: IsoDate;
  appliedBefore: Cents;
  waived: Cents;
}

/** The part of a payment that a refund pays back, with the account that the payment credited. */
export interface RefundedRow extends RefundRow {
  controlAccountId: number;
}

/** Selects all refunded parts in which one of these payments is either the refund or the refunded payment. */
export function refundsOf(ids: RawBuilder<unknown>): Runnable<RefundedRow> {
  return sql<RefundedRow>`
    select ${refunds.columns('f')}, p.control_account_id as "controlAccountId"
    from payment_refund f join payment p on p.company_id = ${COMPANY} and p.id = f.payment_id
    where f.company_id = ${COMPANY} and (f.refund_id = any(${ids}) or f.payment_id = any(${ids}))
    order by f.refund_id, f.payment_id`;
}

/** Deletes rows by their key. */
export function deleteRefunds(rows: readonly RefundRow[]): Runnable<unknown> {
  return sql`
    delete from payment_refund f using unnest(${rows.map((row) => row.refundId)}::bigint[],
      ${rows.map((row) => row.paymentId)}::bigint[]) as r (refund_id, payment_id)
    where f.company_id = ${COMPANY} and (f.refund_id, f.payment_id) = (r.refund_id, r.payment_id)`;
}

/** The columns of a stored line that posting needs. */
export interface PostedLineRow {
  documentId: number;
  lineNo: number;
  accountId: number;
  lineItemAmount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
  /** The parts that are posted instead of a package. */
  parts?: readonly PostedPart[] | null;
}

/** An ID array in the form that the statements below expect. */
export const idList = (ids: readonly number[]): RawBuilder<unknown> => sql`${ids}::bigint[]`;

/** Selects the IDs of the documents that payments are applied to. */
export function documentsPaidBy(paymentIds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select a.document_id from payment_application a
    where a.company_id = ${COMPANY} and a.payment_id = any(${paymentIds})`;
}

/** Selects the IDs of the payments applied to a document. */
export function paymentsOn(documentId: number): RawBuilder<unknown> {
  return sql`
    select a.payment_id from payment_application a
    where a.company_id = ${COMPANY} and a.document_id = ${documentId}`;
}

/** Selects documents by IDs or by a subquery of IDs, including deleted ones. */
export function documentsOf(ids: RawBuilder<unknown>): Runnable<DocumentRow> {
  return sql<DocumentRow>`
    select ${DOCUMENT} from document d where d.company_id = ${COMPANY} and d.id = any(${ids})
    order by d.id`;
}

/** Selects the current lines of a side's documents, in line order. */
export function linesOf({ name: side }: Side, ids: RawBuilder<unknown>): Runnable<PostedLineRow> {
  const own = [...linesByKind.values()].filter(({ kind }) => kind.side === side);
  const tables = [...new Map(own.map((each) => [each.name, each])).values()];
  const lines = tables.map(({ name, document, parts }) => {
    return sql`
    select l.${sql.id(document)} as "documentId", l.line_no as "lineNo", l.account_id as "accountId",
      l.line_amount_cents as "lineItemAmount", l.description, l.profit_center_id as "profitCenterId",
      l.location_id as "locationId", ${parts === null ? sql`null::jsonb` : sql`l.${sql.id(parts)}`} as parts
    from ${sql.id(name)} l
    where l.company_id = ${COMPANY} and not l.deleted and l.${sql.id(document)} = any(${ids})`;
  });
  return sql<PostedLineRow>`${sql.join(lines, sql` union all `)} order by "documentId", "lineNo"`;
}

export function paymentsOf(ids: RawBuilder<unknown>): Runnable<PaymentRow> {
  return sql<PaymentRow>`
    select ${payments.columns('p')} from payment p where p.company_id = ${COMPANY} and p.id = any(${ids})
    order by p.id`;
}

/** Selects all applications of payments. */
export function applicationsOf(ids: RawBuilder<unknown>): Runnable<AppliedRow> {
  return sql<AppliedRow>`
    select ${applications.columns('a')} from payment_application a
    where a.company_id = ${COMPANY} and a.payment_id = any(${ids})
    order by a.document_id, a.recognition_date, a.payment_id`;
}

/** Deletes rows by their key. */
export function deleteApplications(
  rows: readonly Pick<AppliedRow, 'paymentId' | 'documentId' | 'recognitionDate'>[],
): Runnable<unknown> {
  return sql`
    delete from payment_application a using unnest(${rows.map((row) => row.paymentId)}::bigint[],
      ${rows.map((row) => row.documentId)}::bigint[], ${rows.map((row) => row.recognitionDate)}::date[])
      as r (payment_id, document_id, recognition_date)
    where a.company_id = ${COMPANY} and (a.payment_id, a.document_id, a.recognition_date)
      = (r.payment_id, r.document_id, r.recognition_date)`;
}

export interface NamedPayment extends PaymentRow {
  /** The current name of the customer or vendor. */
  entityName: string;
  documentLinks: DocumentLink[];
  /** The payment amounts that a refund pays back, and the refunds of a payment. */
  refunds: RefundPart[];
  refundedBy: RefundPart[];
  /** Whether the money moved at the online payment provider. If so, the payment can't be changed here. */
  isOnline?: boolean;
}

/** The payments on the other side of refunds, with the refunded amounts, as JSON. */
function refundParts(own: 'refund_id' | 'payment_id', other: 'refund_id' | 'payment_id'): RawBuilder<unknown> {
  return sql`coalesce((
        select jsonb_agg(jsonb_build_object('paymentId', o.id, 'paymentNumber', o.payment_number,
          'amount', f.amount_cents) order by o.payment_date, o.id)
        from payment_refund f join payment o on o.company_id = ${COMPANY} and o.id = ${sql.ref(`f.${other}`)}
        where f.company_id = ${COMPANY} and ${sql.ref(`f.${own}`)} = p.id), '[]'::jsonb)`;
}

/** Selects one payment. Deleted payments are not returned. */
export function selectPayment(side: Side, id: number): RawBuilder<NamedPayment> {
  return sql<NamedPayment>`
    select ${payments.columns('p')}, e.displayname as "entityName",
      ${linksOf(side.payment.source, sql`p.id`)} as "documentLinks",
      ${refundParts('refund_id', 'payment_id')} as refunds, ${refundParts('payment_id', 'refund_id')} as "refundedBy",
      exists (select from online_movement m where m.company_id = ${COMPANY} and m.payment_id = p.id) as "isOnline"
    from payment p join entity e on e.company_id = ${COMPANY} and e.id = p.entity_id
    where p.company_id = ${COMPANY} and p.side = ${side.name} and p.id = ${id} and not p.deleted`;
}

/**
 * Selects the deposit that contains a payment. Must run after the ledger head is locked. Saving a deposit also locks
 * the head, so the result can't change afterward.
 */
export function depositOf(paymentId: number): RawBuilder<{ number: string }> {
  return sql<{ number: string }>`
    select d.bank_document_number as number
    from deposit_receipt r join bank_document d on d.company_id = ${COMPANY} and d.id = r.deposit_id
    where r.company_id = ${COMPANY} and r.payment_id = ${paymentId}`;
}

/** The part of a payment that is applied to one document. */
export interface PaidRow {
  documentId: number;
  kind: SourceType;
  number: string;
  /** The money applied, or the whole amount of an applied write-off. */
  amount: Cents;
  /** The early-payment discount, which is taken in addition to the money. */
  discount: Cents;
  profitCenterId: number | null;
  locationId: number | null;
}

/**
 * The total discount in a group of applications `a` of a payment `p`. The waived amount of a write-off is not a
 * discount.
 */
export const DISCOUNT = sql`case when p.discount_account_id is null then 0 else sum(a.waived_cents) end`;

/** Selects the documents that a payment pays, with one row per document. Reversed applications add up to zero. */
export function selectPaid(paymentId: number): RawBuilder<PaidRow> {
  return sql<PaidRow>`
    select a.document_id as "documentId", d.kind, d.document_number as number,
      (sum(a.amount_cents) - ${DISCOUNT})::bigint as amount, ${DISCOUNT}::bigint as discount,
      x.profit_center_id as "profitCenterId", x.location_id as "locationId"
    from payment_application a join document d on d.company_id = ${COMPANY} and d.id = a.document_id
    join payment p on p.company_id = ${COMPANY} and p.id = a.payment_id
    left join payment_application_dimension x
      on x.company_id = ${COMPANY} and x.payment_id = a.payment_id and x.document_id = a.document_id
    where a.company_id = ${COMPANY} and a.payment_id = ${paymentId}
    group by a.document_id, d.kind, d.document_number, d.document_date, x.profit_center_id, x.location_id,
      p.discount_account_id
    having sum(a.amount_cents) <> 0
    order by d.document_date, a.document_id`;
}

export interface PaymentReferences {
  entityName: string | null;
  entityVersion: number | null;
  companyVersion: number;
  entityDeleted: boolean;
  bankGlAccountId: number | null;
  bankActive: boolean;
  /** Whether the bank account allows deposits from customers or payments to vendors. */
  bankTakesThem: boolean;
  paymentAccountId: number | null;
  /** Whether each account and payment type belongs to the company and is inactive. */
  isAccountInactive: boolean;
  paymentTypeId: number | null;
  isTypeInactive: boolean;
  locationId: number | null;
  locationActive: boolean;
  /** The company's records that the applications refer to. */
  profitCenters: FoundRecord[];
  locations: FoundRecord[];
  closingDate: IsoDate | null;
  /** The control account of new payments. */
  controlAccountId: number;
  /** The account for the discounts of new payments, or null until the company chooses one. */
  discountAccountId: number | null;
  /** The ID for a new payment. Existing payments have lower IDs. */
  nextId: number;
  /** The payment's newest transaction, or null for a new payment. */
  transactionId: number | null;
  /** Whether a webhook receives an event when the payment settles a document. */
  tellsPaid: boolean;
}

/**
 * The bank account setting that allows payments on a side. Refunds need the setting that allows payments on the other
 * side.
 */
const bankSwitch = ({ name }: Side, isRefund: boolean) =>
  (name === 'receivable') === isRefund ? 'b.allow_payments' : 'b.allow_deposits';

/** The payment type if the request has none: the saved type, or else the company's first active type. */
const usualType = (paymentId: number): RawBuilder<number> => sql`coalesce(
  (select p.payment_type_id from payment p where p.company_id = ${COMPANY} and p.id = ${paymentId}),
  (select min(f.id) from payment_type f where f.company_id = ${COMPANY} and f.active))`;

/** Selects the company's records that a payment refers to, and the accounts that money can come from or go to. */
export function selectReferences(
  side: Side,
  ids: Record<'paymentId' | 'entityId' | 'bankAccountId' | 'paymentAccountId' | 'paymentTypeId' | 'locationId', number>,
  named: { profitCenterIds: readonly number[]; locationIds: readonly number[]; isRefund: boolean; leavesType: boolean },
): Runnable<PaymentReferences> {
  const typeId = side.hasPaymentTypes && named.leavesType ? usualType(ids.paymentId) : sql`${ids.paymentTypeId}`;
  const own = (table: 'profit_center' | 'location', list: readonly number[]) =>
    sql`(select jsonb_agg(jsonb_build_object('id', f.id, 'active', f.active)) from ${sql.id(table)} f
      where f.company_id = ${COMPANY} and f.id = any(${list}::bigint[]))`;
  return sql<PaymentReferences>`
    select e.displayname as "entityName", e.row_version as "entityVersion", ${COMPANY_VERSION} as "companyVersion",
      coalesce(e.deleted, true) as "entityDeleted",
      b.gl_account_id as "bankGlAccountId", coalesce(b.active, false) as "bankActive",
      coalesce(${sql.ref(bankSwitch(side, named.isRefund))}, false)
        as "bankTakesThem", a.id as "paymentAccountId",
      exists (select from account i where i.company_id = ${COMPANY} and i.id = ${ids.paymentAccountId}
        and not i.active) as "isAccountInactive",
      exists (select from payment_type i where i.company_id = ${COMPANY} and i.id = ${ids.paymentTypeId}
        and not i.active) as "isTypeInactive",
      t.id as "paymentTypeId", l.id as "locationId", coalesce(l.active, false) as "locationActive",
      h.closing_date as "closingDate",
      coalesce((select s.setting_value::bigint from setting s
        where s.company_id = ${COMPANY} and s.setting_name = ${side.controlSetting}), ${side.controlAccountId})
        as "controlAccountId",
      coalesce((select nullif(s.setting_value, '')::bigint from setting s
        where s.company_id = ${COMPANY} and s.setting_name = ${side.discountSetting}),
        ${side.discountAccountId}::bigint) as "discountAccountId",
      ${listOf(named.profitCenterIds, own('profit_center', named.profitCenterIds))} as "profitCenters",
      ${listOf(named.locationIds, own('location', named.locationIds))} as locations,
      (${takeIds('payment_id_seq', 1)} ->> 0)::bigint as "nextId",
      (select max(j.id) from journal_transaction j where j.company_id = ${COMPANY}
        and j.source_type = ${side.payment.source} and j.source_id = ${ids.paymentId}) as "transactionId",
      exists (select from webhook_endpoint w where w.company_id = ${COMPANY}
        and ${side.paidAct} = any(w.acts)) as "tellsPaid"
    from ledger_head h
    left join entity e on e.company_id = ${COMPANY} and e.id = ${ids.entityId} and e.kind = ${side.entityKind}
    left join banking_account b on b.company_id = ${COMPANY} and b.id = ${ids.bankAccountId}
    left join account a on a.company_id = ${COMPANY} and a.id = ${ids.paymentAccountId} and a.active
      and a.account_type = 'Cash'
    left join location l on l.company_id = ${COMPANY} and l.id = ${ids.locationId}
    left join payment_type t on t.company_id = ${COMPANY} and t.id = ${typeId} and (t.active
      or exists (select from payment p where p.company_id = ${COMPANY} and p.id = ${ids.paymentId}
        and p.payment_type_id = t.id))
    where h.company_id = ${COMPANY}`;
}
