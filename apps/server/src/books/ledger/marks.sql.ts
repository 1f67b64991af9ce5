import type { Mark } from '@evenkeel/core/banking/marks';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { type FaultRow, MOST_FAULTS, recordOf } from '../documents/verify.sql.ts';

/**
 * Marks on reconciled lines. As long as a line is marked, it can't be deleted, and its amount, account, and date can't
 * change.
 */

export const markedLines = table('reconciliation_line', { lineId: 'line_id', reconciliationId: 'reconciliation_id' });

/** Returns the mark of a line as a jsonb value, or null if it has none. */
export function markOf(lineId: RawBuilder<unknown>): RawBuilder<Mark | null> {
  return sql`(
    select jsonb_build_object('reconciliationId', m.reconciliation_id, 'bankAccountId', c.bank_account_id,
      'name', b.name, 'statementDate', c.statement_date)
    from reconciliation_line m
    join reconciliation c on c.company_id = ${COMPANY} and c.id = m.reconciliation_id
    join banking_account b on b.company_id = ${COMPANY} and b.id = c.bank_account_id
    where m.company_id = ${COMPANY} and m.line_id = ${lineId})`;
}

/** Selects the marks on the given lines. Lines without a mark are omitted. */
export function marksSql(lineIds: readonly number[]): Runnable<{ id: number; mark: Mark | null }> {
  return sql<{ id: number; mark: Mark | null }>`
    select i.id, ${markOf(sql`i.id`)} as mark from unnest(${lineIds}::bigint[]) i (id)`;
}

/**
 * Finds incorrect reconciliations. Each one must start with the previous statement balance, and its marked lines must
 * add up to its own balance. The lines that it posted itself must equal its charge and interest. A marked line must be
 * in the reconciled account on both bases and must not be reversed on its own date.
 */
export function markFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    with one as (
      select c.id, c.last_cents, c.statement_cents, c.interest_cents - c.charge_cents as charges, b.gl_account_id,
        coalesce(lag(c.statement_cents) over (partition by c.bank_account_id order by c.statement_date), 0) as before
      from reconciliation c
      join banking_account b on b.company_id = ${COMPANY} and b.id = c.bank_account_id
      where c.company_id = ${COMPANY}
    ), line as (
      select m.line_id, m.reconciliation_id, one.gl_account_id, l.id, l.transaction_id, l.account_id, l.basis,
        l.amount_cents, t.source_type = ${documentKinds.reconciliation.source} and t.source_id = one.id as is_own,
        r.id is not null as is_reversed
      from reconciliation_line m
      left join one on one.id = m.reconciliation_id
      left join journal_line l on l.company_id = ${COMPANY} and l.id = m.line_id
      left join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
      left join journal_line r on r.company_id = ${COMPANY} and r.reverses = l.id and r.posting_date = l.posting_date
      where m.company_id = ${COMPANY}
    ), proved as (
      select one.*, coalesce(s.amount, 0) as amount, coalesce(s.own, 0) as own
      from one
      left join (
        select reconciliation_id, sum(amount_cents) as amount, sum(amount_cents) filter (where is_own) as own
        from line group by 1) s on s.reconciliation_id = one.id
    )
    select * from (
      select null::bigint as "transactionId", null::bigint as "postingNo", 'reconciliation ' || id || case
        when last_cents <> before
          then ' begins with ' || last_cents || ' cents, but the previous statement ends with ' || before
        when last_cents + amount <> statement_cents
          then ' adds up to ' || last_cents + amount || ' instead of ' || statement_cents || ' cents'
        else ' has posted ' || own || ' instead of ' || charges || ' cents of charge and interest' end as message,
        ${recordOf('reconciliation', sql`id`)} as record
      from proved
      where last_cents <> before or last_cents + amount <> statement_cents or own <> charges
      union all
      select transaction_id, null, 'line ' || line_id || ' of reconciliation ' || reconciliation_id || case
        when id is null then ' does not exist'
        when is_reversed then ' was reversed'
        else ' is not in its account' end, ${recordOf('reconciliation', sql`reconciliation_id`)}
      from line
      where id is null or is_reversed or account_id is distinct from gl_account_id or basis <> 'B') fault
    order by 3
    limit ${MOST_FAULTS}`;
}

/**
 * Moves marks to the lines that replace marked lines. Must run before the new lines are written, because the database
 * rejects changes to marked lines.
 */
export function moveMarks(moved: ReadonlyMap<number, number>): Runnable<unknown> {
  const rows = [...moved];
  return sql`
    update reconciliation_line m set line_id = r.next
    from unnest(${rows.map(([old]) => old)}::bigint[], ${rows.map(([, next]) => next)}::bigint[]) r (old, next)
    where m.company_id = ${COMPANY} and m.line_id = r.old`;
}
