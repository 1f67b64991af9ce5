import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { documentKinds, RECEIVABLE } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { NamedDocument } from '../../books/documents/reads.sql.ts';
import { DOCUMENT } from '../../books/documents/settlement.sql.ts';

export interface CandidatesAsk {
  invoiceId?: number | undefined;
  /** The maximum open balance of the invoices to return. */
  most?: Cents | undefined;
  /** Only invoices due before this date are returned. */
  before?: IsoDate | undefined;
}

/** Returns open invoices, most overdue first. */
export function selectCandidates({ invoiceId, most, before }: CandidatesAsk, limit: number): Runnable<NamedDocument> {
  const due = sql`coalesce(d.due_date, d.document_date)`;
  return sql<NamedDocument>`
    select ${DOCUMENT}, e.displayname as "entityName"
    from document d join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY} and d.side = ${RECEIVABLE.name} and d.kind = ${RECEIVABLE.document.source}
      and not d.deleted and d.is_posted and d.open_cents > 0
      ${invoiceId === undefined ? sql`` : sql`and d.id = ${invoiceId}`}
      ${most === undefined ? sql`` : sql`and d.open_cents <= ${most}`}
      ${before === undefined ? sql`` : sql`and ${due} < ${before}`}
    order by ${due}, d.id limit ${sql.lit(limit)}`;
}

/** Returns the payment that applies a write-off, or null if it is deleted. */
export function paymentOfWriteOff(id: number): Runnable<{ paymentId: number }> {
  return sql<{ paymentId: number }>`
    select (select min(a.payment_id) from payment_application a
      where a.company_id = ${COMPANY} and a.document_id = d.id) as "paymentId"
    from document d
    where d.company_id = ${COMPANY} and d.id = ${id} and d.kind = ${documentKinds.writeoff.source} and not d.deleted`;
}

/** Returns the numbers of the written-off invoices. */
export function selectNumbers(invoiceIds: readonly number[]): Runnable<{ id: number; number: string }> {
  return sql`
    select d.id, d.document_number as number from document d
    where d.company_id = ${COMPANY} and d.id = any(${invoiceIds}::bigint[]) and not d.deleted`;
}
