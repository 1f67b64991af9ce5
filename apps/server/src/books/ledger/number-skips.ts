import type { UsedNumbers } from '@evenkeel/core/moving/numbers';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';

/**
 * Numbers that the company skips, because documents from another program already use them. The caller has locked the
 * ledger head. Skipped numbers are stored, so that `verify` knows that they were never assigned.
 */

export const numberSkips = table('number_skip', {
  kind: 'kind',
  first: 'first_number',
  next: 'next_number',
  moveId: 'move_id',
});

const rowsOf = (used: readonly UsedNumbers[]): RawBuilder<unknown> => sql`
  unnest(${used.map(({ kind }) => kind)}::text[], ${used.map(({ first }) => first)}::bigint[],
    ${used.map(({ next }) => next)}::bigint[]) w (kind, first, next)`;

/** Moves the next numbers past the numbers in use, but never backward. `moveId` is null for the opening balances. */
export function skipNumbers(used: readonly UsedNumbers[], moveId: number | null): Runnable<unknown>[] {
  return [
    sql`
      insert into number_skip (company_id, kind, first_number, next_number, move_id)
      select ${COMPANY}, w.kind, coalesce(s.next_number, w.first), w.next, ${moveId}::bigint
      from ${rowsOf(used)}
      left join number_sequence s on s.company_id = ${COMPANY} and s.kind = w.kind
      where w.next > coalesce(s.next_number, w.first)`,
    sql`
      insert into number_sequence as s (company_id, kind, next_number)
      select ${COMPANY}, w.kind, w.next from ${rowsOf(used)} where w.next > w.first
      on conflict (company_id, kind) do update set next_number = excluded.next_number
        where excluded.next_number > s.next_number`,
  ];
}

const isOf = (moveId: number | null): RawBuilder<unknown> =>
  moveId === null ? sql`k.move_id is null` : sql`k.move_id = ${moveId}`;

/** Restores the next numbers to their values before the skip, if no document has used a number since then. */
export function releaseNumbers(moveId: number | null): Runnable<unknown>[] {
  return [
    sql`
      update number_sequence s set next_number = k.first_number from number_skip k
      where s.company_id = ${COMPANY} and k.company_id = ${COMPANY} and k.kind = s.kind and ${isOf(moveId)}
        and k.next_number = s.next_number`,
    sql`
      delete from number_skip k
      where k.company_id = ${COMPANY} and ${isOf(moveId)} and not exists (
        select from number_sequence s
        where s.company_id = ${COMPANY} and s.kind = k.kind and s.next_number <> k.first_number)`,
  ];
}

/** Deletes the next numbers that were set only by an import. Only the owner of the schema may do this. */
export function forgetNumbers(
  firsts: readonly Pick<UsedNumbers, 'kind' | 'first'>[],
  moveId: number,
): Runnable<unknown> {
  const used = firsts.map((one) => ({ ...one, next: 0 }));
  return sql`
    delete from number_sequence s
    where s.company_id = ${COMPANY} and exists (
      select from number_skip k join ${rowsOf(used)} on w.kind = k.kind and w.first = k.first_number
      where k.company_id = ${COMPANY} and k.kind = s.kind and ${isOf(moveId)} and k.next_number = s.next_number)`;
}
