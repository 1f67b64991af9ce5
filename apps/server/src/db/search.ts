import { fold } from '@evenkeel/core/search';
import { type RawBuilder, sql } from 'kysely';
import { AMOUNT, containsPattern, DATE, wordsOf } from './page.ts';
import { COMPANY, VARIES } from './query.ts';
import type { Tx } from './tx.ts';

/** The entries of the search, which triggers of the database keep: migrations/20261125_700_search.sql. */

/** Kinds of entries, as the API numbers them; customers and vendors have those of their own. */
export const ENTRY = {
  invoice: 2,
  bill: 3,
  customerPayment: 6,
  billPayment: 7,
} as const;

/** Whether the words of an entry `s` hold a folded text; the index of words answers it where there is one. */
export function holdsText(text: string): RawBuilder<unknown> {
  return sql`s.words @~ ${containsPattern(text)}`;
}

/** Above this a list looks through its own rows: they are no more than those that the entries lead to. */
const MOST_NARROWED = 2000;

/**
 * The ids of the entries of some kinds among which are all records that a list's search finds: its words stand in them,
 * perhaps with other accents or in another place. Undefined where that is no help: without a word that an index finds,
 * or where very many have it. Records that are deleted or deactivated have no entry.
 */
export async function narrowedTo(
  tx: Tx,
  kinds: readonly number[],
  q: string | undefined,
): Promise<number[] | undefined> {
  const conditions = wordsOf(q).flatMap(mayHold);
  if (conditions.length === 0) return undefined;
  const rows = await tx.rows(sql<{ id: number }>`${VARIES}
    select s.id from search_entry s
    where s.company_id = ${COMPANY} and s.kind = any(${kinds}::smallint[]) and ${sql.join(conditions, sql` and `)}
    limit ${sql.lit(MOST_NARROWED + 1)}`);
  return rows.length > MOST_NARROWED ? undefined : rows.map(({ id }) => id);
}

/** `and …`: among the ids that a search was narrowed to. */
export function among(id: RawBuilder<unknown>, ids: readonly number[] | undefined): RawBuilder<unknown> {
  return ids === undefined ? sql`` : sql`and ${id} = any(${ids}::bigint[])`;
}

/** Groups of three letters or digits are what the index knows. */
const isIndexed = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);

/** The condition that a word puts on its entry; none for parts of dates, and for what the index does not know. */
function mayHold(word: string): RawBuilder<unknown>[] {
  const [, , dollars = '', point = ''] = AMOUNT.exec(word) ?? [];
  const texts = new Set([fold(word), ...(/\d/.test(dollars) ? [dollars.replaceAll(',', '') + point] : [])]);
  if (DATE.test(word) || ![...texts].every(isIndexed)) return [];
  return [sql`(${sql.join([...texts].map(holdsText), sql` or `)})`];
}
