import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { documentKinds, PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { RecordKind } from './moving.sql.ts';

/**
 * Removes an import's transactions from the end of the journal. `removed` is false if other transactions come after
 * them, or if an account's sign-off includes them.
 */
export function removalSql(moveId: number): Runnable<{ removed: boolean }> {
  return sql<{ removed: boolean }>`
    select case when exists (
      select from account_sign_off s
      where s.company_id = ${COMPANY} and s.last_transaction_id >= (
        select min(r.record_id) from move_in_record r
        where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.kind = 'transaction' and r.is_new))
    then false else move_in_remove(${COMPANY}, ${moveId}) end as removed`;
}

/** Marks an import's records as undone, so that the same files can be imported again. */
export function undoneRow(moveId: number): Runnable<unknown> {
  return sql`update move_in_record set is_undone = true where company_id = ${COMPANY} and move_id = ${moveId}`;
}

/** Lists an import's transactions by ID, with the import's first posting date. */
export function ownTransactions(
  moveId: number,
  behind: number,
  most: number,
): Runnable<{ id: number; isOfDocument: boolean; first: IsoDate }> {
  return sql<{ id: number; isOfDocument: boolean; first: IsoDate }>`
    select r.record_id as id, o.source_type <> ${documentKinds.journal.source} as "isOfDocument", (
      select min(t.posting_date) from move_in_record f
      join journal_transaction t on t.company_id = ${COMPANY} and t.id = f.record_id
      where f.company_id = ${COMPANY} and f.move_id = ${moveId} and f.kind = 'transaction' and f.is_new) as first
    from move_in_record r
    join journal_transaction o on o.company_id = ${COMPANY} and o.id = r.record_id
    where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.kind = 'transaction' and r.is_new
      and r.record_id > ${behind}
    order by r.record_id limit ${most}`;
}

/** Lists an import's open documents. */
export function ownDocuments(moveId: number): Runnable<{ id: number; kind: string }> {
  return sql<{ id: number; kind: string }>`
    select d.id, d.kind from move_in_record r
    join document d on d.company_id = ${COMPANY} and d.id = r.record_id
    where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.kind = 'document' and r.is_new
    order by d.id`;
}

/** Deletes an import's open documents after its transactions have been removed. */
export function deleteDocuments(moveId: number): Runnable<unknown>[] {
  const own = sql`(
    select r.record_id from move_in_record r
    where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.kind = 'document' and r.is_new)`;
  return [
    sql`delete from invoice_line where company_id = ${COMPANY} and invoice_id in ${own}`,
    sql`delete from expense_line where company_id = ${COMPANY} and expense_id in ${own}`,
    sql`delete from document where company_id = ${COMPANY} and id in ${own}`,
  ];
}

/**
 * Deletes the earlier versions of an import's records: those that the caller's transaction kept, and those of documents
 * that users changed. Reports of an earlier time would show the documents without their transactions. Only the owner of
 * the schema can delete versions.
 */
export function forgetVersions(moveId: number): Runnable<unknown> {
  return sql`
    delete from past_row v
    where v.company_id = ${COMPANY} and (v.until = now() or (v.relation = 'document' and v.key in (
      select r.record_id::text from move_in_record r
      where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.kind = 'document' and r.is_new)))`;
}

/**
 * Deletes an import's opening reconciliations. Later reconciliations of the same bank accounts would depend on them.
 */
export function deleteReconciliations(moveId: number): Runnable<unknown>[] {
  const own = sql`(
    select r.record_id from move_in_record r
    where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.kind = 'bankReconciliation' and r.is_new)`;
  return [
    sql`delete from reconciliation_line where company_id = ${COMPANY} and reconciliation_id in ${own}`,
    sql`delete from reconciliation where company_id = ${COMPANY} and id in ${own}`,
  ];
}

/** Lists the records that an import created, except transactions. */
export function createdRecords(moveId: number): Runnable<{ kind: RecordKind; id: number }> {
  return sql<{ kind: RecordKind; id: number }>`
    select r.kind, r.record_id as id from move_in_record r
    where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.is_new
      and r.kind not in ('transaction', 'document', 'reversal', 'bankReconciliation')
    order by r.record_id`;
}

/** Returns the records in a table that other records refer to. */
export function isUsedSql(table: string, ids: readonly number[]): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select i.id from unnest(${ids}::bigint[]) i (id)
    where record_is_used(${table}::regclass, ${COMPANY}, i.id)`;
}

export interface DependentRow {
  /** The kind of document, or the name of the record's type in the audit log. */
  source: string;
  id: number;
  number: string;
  /** The name of the customer, vendor, or bank account, or an empty string. */
  name: string;
  amount: Cents | null;
  day: IsoDate | null;
}

const MOST = 20;

/**
 * Lists later records that depend on an import: reconciliations and deposits with its entries, documents and payments
 * for its customers and vendors, bank accounts for its GL accounts, and statements, transfers, and payments in its bank
 * accounts.
 */
export function dependentsSql(moveId: number): Runnable<DependentRow> {
  const own = (kind: RecordKind) => sql`
    select r.record_id from move_in_record r
    where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.kind = ${kind} and r.is_new and not r.is_undone`;
  // Without statistics on the company, all indexes are equally good. Only one has this order.
  const ownLines = sql`
    select l.id from move_in_record r
    cross join lateral (
      select l.id from journal_line l
      where l.company_id = ${COMPANY} and l.transaction_id = r.record_id
      order by l.line_no offset 0) l
    where r.company_id = ${COMPANY} and r.move_id = ${moveId} and r.kind = 'transaction' and r.is_new
      and not r.is_undone`;
  const { reconciliation, deposit } = documentKinds;
  return sql<DependentRow>`
    (select ${reconciliation.source}::text as source, c.id, '' as number, b.name, c.statement_cents as amount,
      c.statement_date as day
    from reconciliation_line m
    join reconciliation c on c.company_id = ${COMPANY} and c.id = m.reconciliation_id
    join banking_account b on b.company_id = ${COMPANY} and b.id = c.bank_account_id
    where m.company_id = ${COMPANY} and c.id not in (${own('bankReconciliation')})
      and (m.line_id in (${ownLines}) or c.bank_account_id in (${own('bankAccount')})))
    union
    (select ${deposit.source}::text, d.id, d.bank_document_number, '', d.amount_cents, d.posting_date
    from deposit_receipt r
    join bank_document d on d.company_id = ${COMPANY} and d.id = r.deposit_id
    where r.company_id = ${COMPANY} and r.line_id in (${ownLines}))
    union
    (select d.kind, d.id, d.document_number, e.displayname, d.total_cents, d.document_date
    from document d
    join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY} and not d.deleted
      and (d.entity_id in (${own('party')}) or d.bank_account_id in (${own('bankAccount')}))
      and d.id not in (${own('document')}))
    union
    (select case p.side when ${RECEIVABLE.name} then ${RECEIVABLE.payment.source} else ${PAYABLE.payment.source} end,
      p.id, p.payment_number, e.displayname, p.amount_cents, p.payment_date
    from payment p
    join entity e on e.company_id = ${COMPANY} and e.id = p.entity_id
    where p.company_id = ${COMPANY} and not p.deleted and (p.entity_id in (${own('party')})
      or p.bank_account_id in (${own('bankAccount')}) or p.id in (
      select a.payment_id from payment_application a
      where a.company_id = ${COMPANY} and a.document_id in (${own('document')}))))
    union
    (select 'bankingaccount', b.id, '', b.name, null, null
    from banking_account b
    where b.company_id = ${COMPANY} and b.active and b.gl_account_id in (${own('account')})
      and b.id not in (${own('bankAccount')}))
    union
    (select 'bankstatement', s.id, s.file_name, b.name, s.closing_cents, s.to_date
    from bank_statement s
    join banking_account b on b.company_id = ${COMPANY} and b.id = s.bank_account_id
    where s.company_id = ${COMPANY} and s.bank_account_id in (${own('bankAccount')}))
    union
    (select d.kind, d.id, d.bank_document_number, '', d.amount_cents, d.posting_date
    from bank_document d
    where d.company_id = ${COMPANY} and not d.deleted
      and (d.bank_account_id in (${own('bankAccount')}) or d.from_bank_account_id in (${own('bankAccount')})))
    order by day desc nulls last, id desc
    limit ${MOST}`;
}
