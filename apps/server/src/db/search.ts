import { type RawBuilder, sql } from 'kysely';
import { containsPattern } from './page.ts';

/** The entries of the search, which triggers of the database keep: migrations/20261125_700_search.sql. */

/** Whether the words of an entry `s` hold a folded text; the index of words answers it where there is one. */
export function holdsText(text: string): RawBuilder<unknown> {
  return sql`s.words @~ ${containsPattern(text)}`;
}
