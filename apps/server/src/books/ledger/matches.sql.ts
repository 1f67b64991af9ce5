import type { Chained } from '@evenkeel/core/books/ledger';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/**
 * Makes sure that bank transactions are matched only to live entries. If only the text of a matched line changed, the
 * match moves to the line that replaces it. Without a replacement, all bank transactions in the match return to review.
 * Must run after the new transactions are written, because they reverse lines.
 */
export function keepMatches(transactions: readonly Chained[]): Runnable<unknown>[] {
  const lines = transactions.flatMap((transaction) => transaction.lines);
  const reversed = lines.flatMap(({ reverses }) => (reverses === null ? [] : [reverses]));
  const replacing = lines.flatMap(({ id, replaces }) => (replaces === undefined ? [] : [{ id, replaces }]));
  return [...(replacing.length === 0 ? [] : [moveMatches(replacing)]), ...freeLines(reversed)];
}

function moveMatches(replacing: readonly { id: number; replaces: number }[]): Runnable<unknown> {
  return sql`
    update bank_match m set line_id = r.new_id
    from unnest(${replacing.map(({ replaces }) => replaces)}::bigint[], ${replacing.map(({ id }) => id)}::bigint[])
      r (old_id, new_id)
    where m.company_id = ${COMPANY} and m.line_id = r.old_id`;
}

/** Updates the bank transactions first, and then deletes the matches and the actions that are no longer referenced. */
function freeLines(lineIds: readonly number[]): Runnable<unknown>[] {
  const acts = sql`array(
    select m.act_id from bank_match m where m.company_id = ${COMPANY} and m.line_id = any(${lineIds}::bigint[]))`;
  return [
    sql`
      update bank_line l set state = 'review', act_id = null, row_version = l.row_version + 1
      where l.company_id = ${COMPANY} and l.act_id = any(${acts})`,
    sql`
      with gone as (
        delete from bank_match m where m.company_id = ${COMPANY} and m.act_id = any(${acts}) returning m.act_id)
      delete from bank_act a where a.company_id = ${COMPANY} and a.id in (select g.act_id from gone g)`,
  ];
}
