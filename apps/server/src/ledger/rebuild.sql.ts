import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { openSumsOfDocuments } from '../subledger/verify.sql.ts';
import { monthsOfLines } from './verify.sql.ts';

/** Postings of the company wait until the totals are made. */
export function lockHead(): Runnable<unknown> {
  return sql`select from ledger_head where company_id = ${COMPANY} for update`;
}

export function deleteMonths(): Runnable<unknown> {
  return sql`delete from ledger_month where company_id = ${COMPANY}`;
}

/** Makes the monthly totals from the lines. */
export function insertMonths(): Runnable<unknown> {
  return sql`
    insert into ledger_month
      (company_id, account_id, month, basis, profit_center_id, location_id, amount_cents, line_count)
    select * from (${monthsOfLines()}) made`;
}

export function countMonths(): Runnable<{ rows: number }> {
  return sql<{ rows: number }>`select count(*) as rows from ledger_month where company_id = ${COMPANY}`;
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
