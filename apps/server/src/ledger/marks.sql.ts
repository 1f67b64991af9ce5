import type { Mark, Marks } from '@evenkeel/core/marks';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { table } from '../db/table.ts';

/** Marks of reconciled lines: their amount, account, date and existence hold. */

export const markedLines = table('reconciliation_line', { lineId: 'line_id', reconciliationId: 'reconciliation_id' });

/** The mark of a line, as a value of type jsonb; null where it has none. */
export function markOf(lineId: RawBuilder<unknown>): RawBuilder<Mark | null> {
  return sql`(
    select jsonb_build_object('reconciliationId', m.reconciliation_id, 'bankAccountId', c.bank_account_id,
      'name', b.name, 'statementDate', c.statement_date)
    from reconciliation_line m
    join reconciliation c on c.company_id = ${COMPANY} and c.id = m.reconciliation_id
    join banking_account b on b.company_id = ${COMPANY} and b.id = c.bank_account_id
    where m.company_id = ${COMPANY} and m.line_id = ${lineId})`;
}

/** The marks of those of these lines that have one. */
export function marksSql(lineIds: readonly number[]): Runnable<{ id: number; mark: Mark | null }> {
  return sql<{ id: number; mark: Mark | null }>`
    select i.id, ${markOf(sql`i.id`)} as mark from unnest(${lineIds}::bigint[]) i (id)`;
}

/** Rows with their marks → the marks of the marked ones. */
export function marksOf(rows: readonly { id: number; mark: Mark | null }[]): Marks {
  return new Map(rows.flatMap(({ id, mark }) => (mark === null ? [] : [[id, mark] as const])));
}

/** Moves marks to the lines that replace theirs. Run it before these are written: the guard refuses a marked line. */
export function moveMarks(moved: ReadonlyMap<number, number>): Runnable<unknown> {
  const rows = [...moved];
  return sql`
    update reconciliation_line m set line_id = r.next
    from unnest(${rows.map(([old]) => old)}::bigint[], ${rows.map(([, next]) => next)}::bigint[]) r (old, next)
    where m.company_id = ${COMPANY} and m.line_id = r.old`;
}
