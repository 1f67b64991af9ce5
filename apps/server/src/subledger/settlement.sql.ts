import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { PostedPart } from '@evenkeel/core/posting';
import type { Side } from '@evenkeel/core/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { liveLinesWhere, type LiveRow } from '../ledger/live.ts';
import { applications, type DocumentRow, documents, lineTables, type PaymentRow, payments } from './tables.sql.ts';

/** What a command on documents or payments touches. */
export interface Picked {
  documentIds: readonly number[];
  /** The payment that is changed: its documents are picked too. 0 for none or a new one. */
  paymentId: number;
  /** All open documents of this customer or vendor are picked too (automatic filling). 0 for none. */
  openOfEntityId: number;
  /**
   * From where on the change takes effect on picked documents: a payment's new date (or its applications so far, where
   * they are earlier), `own` where it has no new date, `beginning` where a document itself changes.
   */
  from: IsoDate | 'own' | 'beginning';
}

/**
 * Each branch finds its ids by an index. Use it as `= any(array(…))`: the ids are then found once, before the rows, and
 * what is read does not grow with the company's history (one condition with "or" reads every document there ever was).
 */
function pickedDocumentIds(side: Side, { documentIds, paymentId, openOfEntityId }: Picked): RawBuilder<unknown> {
  return sql`
    select d.id from document d
    where d.company_id = ${COMPANY} and d.side = ${side.name} and d.id = any(${documentIds}::bigint[])
    union
    select a.document_id from payment_application a where a.company_id = ${COMPANY} and a.payment_id = ${paymentId}
    union
    select d.id from document d
    where d.company_id = ${COMPANY} and d.side = ${side.name} and not d.deleted and d.entity_id = ${openOfEntityId}
      and d.open_cents <> 0 and d.status in (2, 3, 4)`;
}

/**
 * The changed payment, and those with money on a picked document that takes effect behind the change: what they
 * recognise follows from it. Earlier ones are neither locked nor read, however many there are.
 */
function pickedPaymentIds(side: Side, picked: Picked): RawBuilder<unknown> {
  const { from, paymentId } = picked;
  const start = from === 'own' ? 'infinity' : from === 'beginning' ? '-infinity' : from;
  const behindId = paymentId === 0 ? Number.MAX_SAFE_INTEGER : paymentId;
  return sql`
    select p.id from payment p
    where p.company_id = ${COMPANY} and p.side = ${side.name} and not p.deleted and p.id = ${paymentId}
    union
    select a.payment_id
    from document d
    join payment_application a on a.company_id = ${COMPANY} and a.document_id = d.id
    where d.company_id = ${COMPANY} and d.id = any(array(${pickedDocumentIds(side, picked)}))
      and (a.recognition_date, a.payment_id) > (case when ${start}::date = '-infinity' then ${start}::date else
        least(greatest(${start}::date, d.document_date), (
          select min(o.recognition_date) from payment_application o
          where o.company_id = ${COMPANY} and o.payment_id = ${paymentId} and o.document_id = d.id)) end,
        ${behindId}::bigint)`;
}

/** Locks the payments; it comes before lockDocuments, and both before the ledger's head. */
export function lockPayments(side: Side, picked: Picked): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select p.id from payment p
    where p.company_id = ${COMPANY} and p.id = any(array(${pickedPaymentIds(side, picked)}))
    order by p.id for no key update`;
}

/** Locks the documents that may change. */
export function lockDocuments(side: Side, picked: Picked): Runnable<DocumentRow> {
  return sql<DocumentRow>`
    select ${documents.columns('d')} from document d
    where d.company_id = ${COMPANY} and not d.deleted and d.id = any(array(${pickedDocumentIds(side, picked)}))
    order by d.id for no key update`;
}

export interface AppliedRow {
  paymentId: number;
  documentId: number;
  amount: Cents;
  recognitionDate: IsoDate;
  appliedBefore: Cents;
}

/** What posting needs of a stored line. */
export interface PostedLineRow {
  documentId: number;
  lineNo: number;
  accountId: number;
  lineItemAmount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
  /** What is posted in place of a package. */
  parts?: readonly PostedPart[] | null;
}

/** Ids as the statements below take them. */
export const idList = (ids: readonly number[]): RawBuilder<unknown> => sql`${ids}::bigint[]`;

/** The ids of the documents on which payments have money. */
export function documentsPaidBy(paymentIds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array(select a.document_id from payment_application a
    where a.company_id = ${COMPANY} and a.payment_id = any(${paymentIds}))`;
}

/** Documents by ids or a subquery of ids, deleted ones too. */
export function documentsOf(ids: RawBuilder<unknown>): Runnable<DocumentRow> {
  return sql<DocumentRow>`
    select ${documents.columns('d')} from document d where d.company_id = ${COMPANY} and d.id = any(${ids})
    order by d.id`;
}

/** The live lines of documents, in line order. */
export function linesOf(side: Side, ids: RawBuilder<unknown>): Runnable<PostedLineRow> {
  const { name, document, parts } = lineTables[side.name];
  return sql<PostedLineRow>`
    select l.${sql.id(document)} as "documentId", l.line_no as "lineNo", l.account_id as "accountId",
      l.line_amount_cents as "lineItemAmount", l.description, l.profit_center_id as "profitCenterId",
      l.location_id as "locationId", ${parts === null ? sql`null` : sql`l.${sql.id(parts)}`} as parts
    from ${sql.id(name)} l
    where l.company_id = ${COMPANY} and not l.deleted and l.${sql.id(document)} = any(${ids})
    order by l.${sql.id(document)}, l.line_no`;
}

export function paymentsOf(ids: RawBuilder<unknown>): Runnable<PaymentRow> {
  return sql<PaymentRow>`
    select ${payments.columns('p')} from payment p where p.company_id = ${COMPANY} and p.id = any(${ids})
    order by p.id`;
}

/** All applications of payments. */
export function applicationsOf(ids: RawBuilder<unknown>): Runnable<AppliedRow> {
  return sql<AppliedRow>`
    select ${applications.columns('a')} from payment_application a
    where a.company_id = ${COMPANY} and a.payment_id = any(${ids})
    order by a.document_id, a.recognition_date, a.payment_id`;
}

/**
 * Everything that hangs together with what is picked, as it stands behind the locks. A payment that is found here and
 * was not locked came in between.
 */
export function readPicked(companyId: number, side: Side, picked: Picked) {
  const paymentIds = sql`array(${pickedPaymentIds(side, picked)})`;
  const involvedIds = sql`array(
    ${pickedDocumentIds(side, picked)}
    union
    select a.document_id from payment_application a
    where a.company_id = ${COMPANY} and a.payment_id = any(${paymentIds}))`;
  const changedIds = picked.from === 'beginning' ? picked.documentIds : [];
  const live: Runnable<LiveRow> = liveLinesWhere(
    companyId,
    sql`(t.source_type = ${side.payment.source} and t.source_id = any(${paymentIds}))
      or (t.source_type = ${side.document.source} and t.source_id = any(${changedIds}::bigint[]))`,
  );
  return [
    paymentsOf(paymentIds),
    applicationsOf(paymentIds),
    documentsOf(involvedIds),
    linesOf(side, involvedIds),
    live,
  ] as const;
}

/** Takes rows out by their key. */
export function deleteApplications(rows: readonly AppliedRow[]): Runnable<unknown> {
  return sql`
    delete from payment_application a using unnest(${rows.map((row) => row.paymentId)}::bigint[],
      ${rows.map((row) => row.documentId)}::bigint[], ${rows.map((row) => row.recognitionDate)}::date[])
      as r (payment_id, document_id, recognition_date)
    where a.company_id = ${COMPANY} and (a.payment_id, a.document_id, a.recognition_date)
      = (r.payment_id, r.document_id, r.recognition_date)`;
}
