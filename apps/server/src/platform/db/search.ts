import { fold } from '@evenkeel/core/words/search';
import { type RawBuilder, sql } from 'kysely';
import { AMOUNT, containsPattern, DATE, wordsOf } from './page.ts';
import { COMPANY, VARIES } from './query.ts';
import type { Tx } from './tx.ts';

/**
 * Returns whether the words in a search entry `s` contain a folded string. The query uses the word index, except for
 * common strings. Database triggers update the entries (migrations/20261127_010_search.sql and
 * 20261126_999_search_kinds.sql).
 */
export function holdsText(text: string, common: ReadonlySet<string> = NONE): RawBuilder<unknown> {
  return sql`s.words ${common.has(text) ? sql`like` : sql`@~`} ${containsPattern(text)}`;
}
const NONE: ReadonlySet<string> = new Set();

/**
 * A condition that matches this many times more entries than the rarest condition is checked only on the rows that the
 * other conditions find.
 */
const FAR_COMMONER = 20;
/** A number of entries that can always be found quickly. */
const FEW = 50;

/**
 * Returns the common strings in a search in which each condition needs one of several strings. If a common string were
 * looked up together with a rare string, the index would read all letter groups of both, which takes 40 times as long.
 * The planner would still choose this plan, so this function gets the expected number of entries for each string from
 * the planner.
 */
export async function commonTexts(tx: Tx, conditions: readonly (readonly string[])[]): Promise<ReadonlySet<string>> {
  if (conditions.length < 2) return NONE;
  const expected = await Promise.all(conditions.map(async (texts) => (await tx.one(planOf(texts)))['QUERY PLAN']));
  const counts = expected.map(([{ Plan: plan }]) => plan['Plan Rows']);
  const most = FAR_COMMONER * Math.max(FEW, Math.min(...counts));
  return new Set(conditions.filter((_, at) => (counts[at] ?? 0) > most).flat());
}

function planOf(texts: readonly string[]): RawBuilder<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }> {
  const holds = texts.map((text) => holdsText(text));
  return sql`${VARIES}
    explain (format json) select from search_entry s
    where s.company_id = ${COMPANY} and (${sql.join(holds, sql` or `)})`;
}

/** If there are more entries than this, a list searches its own rows instead, because there are fewer of them. */
const MOST_NARROWED = 2000;

/**
 * Returns the IDs of search entries that include all records that a list's search finds. The search words are in these
 * entries, perhaps with other accents or in another field. Returns undefined if the IDs don't help, because no word is
 * in the index or because very many entries contain the words. Deleted and inactive records have no entry.
 */
export async function narrowedTo(
  tx: Tx,
  kinds: readonly number[],
  q: string | undefined,
): Promise<number[] | undefined> {
  const words = wordsOf(q)
    .map(textsOf)
    .filter((texts) => texts.length > 0);
  if (words.length === 0) return undefined;
  const common = await commonTexts(tx, words);
  const conditions = words.map(
    (texts) =>
      sql`(${sql.join(
        texts.map((text) => holdsText(text, common)),
        sql` or `,
      )})`,
  );
  const rows = await tx.rows(sql<{ id: number }>`${VARIES}
    select s.id from search_entry s
    where s.company_id = ${COMPANY} and s.kind = any(${kinds}::smallint[]) and ${sql.join(conditions, sql` and `)}
    limit ${sql.lit(MOST_NARROWED + 1)}`);
  return rows.length > MOST_NARROWED ? undefined : rows.map(({ id }) => id);
}

/** Returns a condition `and …` that limits a search to these IDs. */
export function among(id: RawBuilder<unknown>, ids: readonly number[] | undefined): RawBuilder<unknown> {
  return ids === undefined ? sql`` : sql`and ${id} = any(${ids}::bigint[])`;
}

/** The index contains groups of three letters or digits. */
const isIndexed = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);

/**
 * Returns a list of strings. Every entry with the word contains at least one of these strings. Returns none for parts
 * of dates, and for strings that the index doesn't contain.
 */
function textsOf(word: string): string[] {
  const [, , dollars = '', point = ''] = AMOUNT.exec(word) ?? [];
  const texts = new Set([fold(word), ...(/\d/.test(dollars) ? [dollars.replaceAll(',', '') + point] : [])]);
  if (DATE.test(word) || ![...texts].every(isIndexed)) return [];
  return [...texts];
}
