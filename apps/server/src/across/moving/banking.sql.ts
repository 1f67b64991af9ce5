import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { HeldLine } from '@evenkeel/core/moving/receipts';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** SQL statements for opening reconciliations and for Undeposited Funds. */

export interface MovedReconciliation {
  id: number;
  accountId: number;
  date: IsoDate;
}

/** Marks every entry of an account through a date as cleared, and returns the sum of the entries. */
export function clearThrough({ id, accountId, date }: MovedReconciliation): Runnable<{ amount: Cents }> {
  return sql<{ amount: Cents }>`
    with line as (
      select l.id, l.amount_cents from journal_line l
      where l.company_id = ${COMPANY} and l.account_id = ${accountId} and l.posting_date <= ${date} and l.basis = 'B'
        and not exists (select from reconciliation_line m where m.company_id = ${COMPANY} and m.line_id = l.id)
        and not exists (
          select from journal_line o
          where o.company_id = ${COMPANY} and o.reverses = l.id and o.posting_date = l.posting_date)
        and not exists (
          select from journal_line o
          where o.company_id = ${COMPANY} and o.id = l.reverses and o.posting_date = l.posting_date)),
    cleared as (
      insert into reconciliation_line (company_id, line_id, reconciliation_id)
      select ${COMPANY}, line.id, ${id} from line)
    select coalesce(sum(line.amount_cents), 0)::bigint as amount from line`;
}

/** Returns an account's lines from transactions that were not reversed. */
export function heldLines(ids: readonly number[], accountId: number): Runnable<HeldLine> {
  return sql<HeldLine>`
    select l.id, l.posting_date as date, l.amount_cents as amount, l.entity_id as "entityId"
    from unnest(${ids}::bigint[]) i (id)
    join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = i.id and l.account_id = ${accountId}
    where l.basis <> 'C'
      and not exists (select from journal_line o where o.company_id = ${COMPANY} and o.reverses = l.id)`;
}
