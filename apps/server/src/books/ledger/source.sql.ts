import { PAYABLE, RECEIVABLE, type Source } from '@evenkeel/core/documents/side';
import { openingbalance } from '@evenkeel/core/kinds/openingbalance';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/**
 * The source type of payments `p`. Only this file maps a journal source (a kind and an ID) to its document, payment, or
 * bank document (a transfer or deposit).
 */
export const PAYMENT_KIND = sql`case p.side when ${RECEIVABLE.name} then ${RECEIVABLE.payment.source}
      else ${PAYABLE.payment.source} end`;

/**
 * Joins the document `d`, payment `p`, or bank document `bd` to a transaction `t`. A journal entry has none of these.
 */
export const POSTED_DOCUMENT = sql`
    left join document d on d.company_id = ${COMPANY} and d.id = t.source_id and d.kind = t.source_type
    left join payment p on p.company_id = ${COMPANY} and p.id = t.source_id and t.source_type = ${PAYMENT_KIND}
    left join bank_document bd on bd.company_id = ${COMPANY} and bd.id = t.source_id and bd.kind = t.source_type`;

/** The number of the joined record, or null for a journal entry. */
export const POSTED_NUMBER = sql`coalesce(d.document_number, p.payment_number, bd.bank_document_number)`;

/** The customer or vendor of the joined record. */
export const POSTED_ENTITY = sql`coalesce(d.entity_id, p.entity_id)`;

/** The IDs of documents and payments. */
export interface Sources {
  documents: readonly number[];
  payments: readonly number[];
}

/**
 * Selects the kind and ID of documents and payments whose number, customer, or vendor matches a `like` pattern. With
 * `among`, includes only the given documents and payments. Matching deleted records, transfers, and deposits are always
 * included.
 */
export function sourcesLike(pattern: RawBuilder<unknown>, among: Sources | undefined): RawBuilder<unknown> {
  const named = sql`(
      select e.id from entity e where e.company_id = ${COMPANY} and lower(e.displayname) like ${pattern})`;
  const documents = (which: RawBuilder<unknown>) => sql`
    select d.kind, d.id from document d
    where d.company_id = ${COMPANY} and (lower(d.document_number) like ${pattern} or d.entity_id in ${named}) ${which}`;
  const payments = (which: RawBuilder<unknown>) => sql`
    select ${PAYMENT_KIND}, p.id from payment p
    where p.company_id = ${COMPANY} and (lower(p.payment_number) like ${pattern} or p.entity_id in ${named}) ${which}`;
  // There are few transfers and deposits, and they have no customer or vendor, so they are not in the index.
  const moves = sql`
    select bd.kind, bd.id from bank_document bd
    where bd.company_id = ${COMPANY} and lower(bd.bank_document_number) like ${pattern}`;
  if (among === undefined) return sql`${documents(sql``)} union all ${payments(sql``)} union all ${moves}`;
  return sql`
    ${documents(sql`and d.id = any(${among.documents}::bigint[])`)}
    union all ${documents(sql`and d.deleted`)}
    union all ${payments(sql`and p.id = any(${among.payments}::bigint[])`)}
    union all ${payments(sql`and p.deleted`)}
    union all ${moves}`;
}

/** Selects a row if the document or payment exists, even if it is deleted. */
export function sourceSql({ type, id }: Source): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select d.id from document d where d.company_id = ${COMPANY} and d.id = ${id} and d.kind = ${type}
    union all
    select p.id from payment p where p.company_id = ${COMPANY} and p.id = ${id} and ${type} = ${PAYMENT_KIND}
    union all
    select bd.id from bank_document bd where bd.company_id = ${COMPANY} and bd.id = ${id} and bd.kind = ${type}
    union all
    select o.id from opening_balance o
    where o.company_id = ${COMPANY} and o.id = ${id} and ${type} = ${openingbalance.source}`;
}

/** Returns the first transaction for a source, or null for a draft. */
export function firstPosted(type: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
        select min(t.id) from journal_transaction t
        where t.company_id = ${COMPANY} and t.source_type = ${type} and t.source_id = ${id})`;
}
