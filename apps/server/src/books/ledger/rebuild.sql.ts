import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { openSumsOfDocuments } from '../documents/verify.sql.ts';
import { liveOfEdited, searchWanted, totalsOfLines } from './verify.sql.ts';

/** Blocks the company's postings until the totals are rebuilt. */
export function lockHead(): Runnable<unknown> {
  return sql`select from ledger_head where company_id = ${COMPANY} for update`;
}

export function deleteTotals(): Runnable<unknown> {
  return sql`delete from ledger_total where company_id = ${COMPANY}`;
}

/** Creates the totals by day and month from the lines. */
export function insertTotals(): Runnable<unknown> {
  return sql`
    insert into ledger_total
      (company_id, grain, begins, account_id, basis, profit_center_id, location_id, amount_cents, line_count)
    select h.company_id, made.grain, made.begins, made.account_id, made.basis, made.profit_center_id, made.location_id,
      made.amount_cents, made.line_count
    from ledger_head h, (${totalsOfLines()}) made where h.company_id = ${COMPANY}`;
}

export function countTotals(): Runnable<{ rows: number }> {
  return sql<{ rows: number }>`select count(*) as rows from ledger_total where company_id = ${COMPANY}`;
}

/**
 * Blocks changes to documents until the transaction ends. The ledger head's lock isn't enough, because unposted
 * documents don't take it.
 */
export function lockDocuments(): Runnable<unknown> {
  return sql`lock table document in share row exclusive mode`;
}

/** Deletes the totals of open documents and creates them again from the documents. */
export function remakeOpenSums(): Runnable<unknown>[] {
  return [
    sql`delete from document_open_sum where company_id = ${COMPANY}`,
    sql`
      insert into document_open_sum (company_id, side, is_draft, document_date, due_date, document_count, total_cents,
        open_cents, positive_cents, kind, late_count, late_cents, undated_count, undated_cents, held_count, held_cents)
      select h.company_id, made.side, made.is_draft, made.document_date, made.due_date, made.document_count,
        made.total_cents, made.open_cents, made.positive_cents, made.kind, made.late_count, made.late_cents,
        made.undated_count, made.undated_cents, made.held_count, made.held_cents
      from ledger_head h, (${openSumsOfDocuments()}) made where h.company_id = ${COMPANY}`,
  ];
}

/** Deletes the live lines of edited documents and creates them again from the journal lines. */
export function rebuildCurrentLines(): Runnable<unknown>[] {
  return [
    sql`delete from journal_live where company_id = ${COMPANY}`,
    sql`
      insert into journal_live (company_id, source_type, source_id, line_ids)
      select h.company_id, made.source_type, made.source_id, made.line_ids
      from ledger_head h, (${liveOfEdited()}) made where h.company_id = ${COMPANY}`,
  ];
}

/**
 * Deletes the search entries and creates them again from their records. Changes to these records wait until the
 * transaction ends.
 */
export function remakeSearch(queries: readonly { query: string }[]): Runnable<unknown>[] {
  return [
    sql`lock table search_entry in share row exclusive mode`,
    // A larger pending list lets the word index add many entries at a time.
    sql`set local gin_pending_list_limit = '256MB'`,
    sql`delete from search_entry where company_id = ${COMPANY}`,
    sql`
      insert into search_entry (company_id, kind, id, key, words, amount_cents, day, is_open)
      select h.company_id, w.kind, w.id, w.key, w.words, w.amount_cents, w.day, w.is_open
      from ledger_head h, ${searchWanted(queries)} where h.company_id = ${COMPANY}`,
  ];
}
