import { fold } from '@evenkeel/core/words/search';
import { type RawBuilder, sql } from 'kysely';
import { AMOUNT, containsPattern, DATE, wordsOf } from './page.ts';
import { COMPANY, VARIES } from './query.ts';
import type { Tx } from './tx.ts';

/**
 * The entries of the search, which triggers of the database keep: migrations/20261127_010_search.sql and
 * 20261126_999_search_kinds.sql.
 */

/**
 * Whether the words of an entry `s` hold a folded text; the index of words answers it where there is one, but for those
 * that are among the common ones.
 */
export function holdsText(text: string, common: ReadonlySet<string> = NONE): RawBuilder<unknown> {
  return sql`s.words ${common.has(text) ? sql`like` : sql`@~`} ${containsPattern(text)}`;
}
const NONE: ReadonlySet<string> = new Set();

/** A condition that so many times more entries meet than the rarest is left to be tried on what the others find. */
const FAR_COMMONER = 20;
/** Fewer entries are found at no cost. */
const FEW = 50;

/**
 * The common texts of a search whose conditions each hold one of some texts. The index reads all groups of letters of a
 * common text beside those of a rare one, which took forty times as long; the planner, who would ask it for both, is
 * asked how many entries it expects of each.
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

/** `and …`: among the ids that a search was narrowed to. */
export function among(id: RawBuilder<unknown>, ids: readonly number[] | undefined): RawBuilder<unknown> {
  return ids === undefined ? sql`` : sql`and ${id} = any(${ids}::bigint[])`;
}

/** Groups of three letters or digits are what the index knows. */
const isIndexed = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text);

/** Texts of which an entry holds one if it has a word; none for parts of dates, and what the index does not know. */
function textsOf(word: string): string[] {
  const [, , dollars = '', point = ''] = AMOUNT.exec(word) ?? [];
  const texts = new Set([fold(word), ...(/\d/.test(dollars) ? [dollars.replaceAll(',', '') + point] : [])]);
  if (DATE.test(word) || ![...texts].every(isIndexed)) return [];
  return [...texts];
}
