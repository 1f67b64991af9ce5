import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { openSumsOfDocuments } from '../subledger/verify.sql.ts';
import { liveOfEdited, totalsOfLines } from './verify.sql.ts';

/** Postings of the company wait until the totals are made. */
export function lockHead(): Runnable<unknown> {
  return sql`select from ledger_head where company_id = ${COMPANY} for update`;
}

export function deleteTotals(): Runnable<unknown> {
  return sql`delete from ledger_total where company_id = ${COMPANY}`;
}

/** Makes the totals by day and month from the lines. */
export function insertTotals(): Runnable<unknown> {
  return sql`
    insert into ledger_total
      (company_id, grain, begins, account_id, basis, profit_center_id, location_id, amount_cents, line_count)
    select * from (${totalsOfLines()}) made`;
}

export function countTotals(): Runnable<{ rows: number }> {
  return sql<{ rows: number }>`select count(*) as rows from ledger_total where company_id = ${COMPANY}`;
}

/** No document changes until the transaction ends: those that are not posted ask for no head. */
export function lockDocuments(): Runnable<unknown> {
  return sql`lock table document in share row exclusive mode`;
}

/** Takes the sums of open documents away, and makes them from the documents. */
export function remakeOpenSums(): Runnable<unknown>[] {
  return [
    sql`delete from document_open_sum where company_id = ${COMPANY}`,
    sql`insert into document_open_sum select * from (${openSumsOfDocuments()}) made where company_id = ${COMPANY}`,
  ];
}

/** Takes the live lines of edited documents away, and makes them from the lines. */
export function remakeLive(): Runnable<unknown>[] {
  return [
    sql`delete from journal_live where company_id = ${COMPANY}`,
    sql`
      insert into journal_live (company_id, source_type, source_id, line_ids)
      select * from (${liveOfEdited()}) made`,
  ];
}

/** Takes the entries of the search away, and makes them from their records; who changes such a record waits. */
export function remakeSearch(): Runnable<unknown>[] {
  return [
    sql`lock table search_entry in share row exclusive mode`,
    // The index of words takes very many entries at a time.
    sql`set local gin_pending_list_limit = '256MB'`,
    sql`delete from search_entry where company_id = ${COMPANY}`,
    sql`
      insert into search_entry (company_id, kind, id, key, words, amount_cents, day, is_open)
      select w.company_id, w.kind, w.id, w.key, w.words, w.amount_cents, w.day, w.is_open
      from search_wanted(${COMPANY}::bigint) w`,
  ];
}
