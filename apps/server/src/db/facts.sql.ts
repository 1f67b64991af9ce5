import { type RawBuilder, sql } from 'kysely';

/** Pieces of the one query that answers all facts: values of type jsonb. Each table in it costs, also an unread one. */

/** A query of one row as one value. */
export function asJson<F>(row: RawBuilder<F>): RawBuilder<F> {
  return sql<F>`(select to_jsonb(x) from (${row}) x)`;
}

/** The list that a query in brackets answers for these ids, without the query where there are none. */
export function listOf(ids: readonly unknown[], list: RawBuilder<unknown>): RawBuilder<unknown> {
  return ids.length === 0 ? sql`'[]'::jsonb` : sql`coalesce(${list}, '[]'::jsonb)`;
}

/** So many ids of a sequence, taken ahead so that the answer is known before the commit. */
export function takeIds(sequence: string, count: number): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(nextval(${sql.lit(sequence)})), '[]') from generate_series(1, ${count}::int))`;
}
