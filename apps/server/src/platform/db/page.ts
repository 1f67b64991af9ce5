import { dateSpellings } from '@evenkeel/core/dates';
import type { ListPart } from '@evenkeel/contract/endpoint';
import type { Failure } from '@evenkeel/core/failure';
import { malformed } from '@evenkeel/contract/sentences';
import type { Cents } from '@evenkeel/core/money';
import { plainWords } from '@evenkeel/core/words/search';
import { type RawBuilder, sql } from 'kysely';
import { VARIES } from './query.ts';

/** A client's request for a page in a list, with `?limit=`. */
export interface PageRequest {
  limit?: number | undefined;
  after?: string | undefined;
  skip?: number | undefined;
  sort?: string | undefined;
  desc?: string | undefined;
}

/** A column for sorting a list, with its expression and type. The expression must not be null. */
export interface SortColumn {
  expression: RawBuilder<unknown>;
  type: 'text' | 'bigint' | 'date';
}

export interface PageClauses {
  /** The condition `and (…) > (…)`. Empty on the first page. */
  after: RawBuilder<unknown>;
  orderBy: RawBuilder<unknown>;
  /** Selects the row's sort value. The next page starts after the last row's sort value. */
  key: RawBuilder<unknown>;
  /**
   * Limits the rows to one more than the requested number, so that the extra row indicates a next page. Also skips rows
   * if requested. Empty if the whole list is requested.
   */
  limit: RawBuilder<unknown>;
}

/**
 * Returns the clauses for keyset paging. Rows are sorted by the chosen column and then by ID. The next page starts
 * after the last row of this page, so every page costs the same. For an unknown sort name, the list's default order is
 * used.
 */
export function pageClauses(
  request: PageRequest,
  columns: Readonly<Record<string, SortColumn>>,
  { id, initial }: { id: RawBuilder<unknown>; initial: SortColumn },
): PageClauses {
  const wanted = request.sort?.toLowerCase();
  const column = Object.entries(columns).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? initial;
  const isDescending = request.desc === 'true' || request.desc === '1' || request.desc === '';
  const direction = isDescending ? sql`desc` : sql`asc`;
  return {
    after: request.after === undefined ? sql`` : behind({ after: request.after, column, id, isDescending }),
    orderBy: sql`${VARIES} order by ${column.expression} ${direction}, ${id} ${direction}`,
    key: sql`(${column.expression})::text as "sortKey"`,
    limit: request.limit === undefined ? sql`` : sql`limit ${request.limit + 1} offset ${request.skip ?? 0}`,
  };
}

interface Behind {
  after: string;
  column: SortColumn;
  id: RawBuilder<unknown>;
  isDescending: boolean;
}

function behind({ after, column, id, isDescending }: Behind): RawBuilder<unknown> {
  const [key, lastId] = readCursor(after, column.type);
  const value = sql`${key}::${sql.raw(column.type)}`;
  return sql`and (${column.expression}, ${id}) ${isDescending ? sql`<` : sql`>`} (${value}, ${lastId}::bigint)`;
}

const KEY_SHAPES = { text: /^[^\0]*$/, bigint: /^-?\d{1,18}$/, date: /^\d{4}-\d\d-\d\d$/ };

function readCursor(after: string, type: SortColumn['type']): [string, number] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString('utf8'));
    if (Array.isArray(parts) && typeof parts[0] === 'string' && KEY_SHAPES[type].test(parts[0])) {
      if (Number.isSafeInteger(parts[1])) return [parts[0], Number(parts[1])];
    }
  } catch {
    // An unreadable cursor is the client's mistake, so the error below is thrown.
  }
  throw notAPage();
}

/** Returns the error (400) for an `after` value that does not come from a page of the list. */
export function notAPage(): Failure {
  return malformed({ after: "'after' must be the 'next' value from an earlier page of this list" });
}

/** The number of rows in a list, and the totals of certain amounts. */
export interface Counted {
  total: number;
  sums?: Record<string, Cents>;
  parts?: Record<string, ListPart>;
}

/** Converts the rows from a page query and their count to a page, or to an array if no limit was requested. */
export function pageOf<R extends { id: number; sortKey: string }, V>(
  request: PageRequest,
  { rows, ...counted }: { rows: readonly R[] } & Counted,
  view: (row: R) => V,
): V[] | ({ items: V[]; next: string | null } & Counted) {
  const { limit } = request;
  if (limit === undefined) return rows.map(view);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  const next = hasMore ? Buffer.from(JSON.stringify([last.sortKey, last.id])).toString('base64url') : null;
  return { items: shown.map(view), next, ...counted };
}

/** Returns the pattern for a search string. Its special characters are matched literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** The expressions that a search covers. They must not be null. */
export interface Searched {
  texts: readonly RawBuilder<unknown>[];
  /** Expressions for text that is stored in lowercase. */
  lowered?: readonly RawBuilder<unknown>[];
  dates?: readonly RawBuilder<unknown>[];
  /** Expressions for amounts in cents. */
  amounts?: readonly RawBuilder<unknown>[];
  /** Returns conditions on other tables for a lowercase pattern and the word that the pattern was created from. */
  elsewhere?: (pattern: RawBuilder<unknown>, word: string) => readonly RawBuilder<unknown>[];
}

const MOST_WORDS = 8;

/** Returns the words in a list's search, at most eight. */
export const wordsOf = (q: string | undefined): string[] => plainWords(q ?? '').slice(0, MOST_WORDS);

/** Matches a word that may be a date or part of a date. */
export const DATE = /^(\d+[-/][-/\d]*|(19|20|21)\d\d)$/;

/**
 * Returns `and …`: every search word must be in one of the text, date, or amount expressions as users write them, in
 * any letter case. Returns an empty clause if the search has no words. Dates and amounts are converted to text only for
 * words that may be part of a date or an amount.
 */
export function searchClause(q: string | undefined, searched: Searched): RawBuilder<unknown> {
  const clauses = wordsOf(q).map((word) => sql`and (${sql.join(conditionsOf(word, searched), sql` or `)})`);
  return clauses.length === 0 ? sql`` : sql.join([VARIES, ...clauses], sql` `);
}

function conditionsOf(
  word: string,
  { texts, lowered = [], dates = [], amounts = [], elsewhere = () => [] }: Searched,
): RawBuilder<unknown>[] {
  const pattern = containsPattern(word);
  const inSmall = sql`lower(${pattern}::text)`;
  const found = [
    ...texts.map((text) => sql`${text} ilike ${pattern}`),
    ...lowered.map((text) => sql`${text} like ${inSmall}`),
    ...elsewhere(inSmall, word),
  ];
  if (DATE.test(word)) {
    const texts = dates.map((date) => sql`to_char(${date}, 'MM/DD/YYYY FMMM/FMDD/YYYY YYYY-MM-DD')`);
    found.push(...texts.flatMap((text) => dateSpellings(word).map((one) => sql`${text} like ${`%${one}%`}`)));
  }
  found.push(...amounts.flatMap((amount) => amountConditions(word, amount)));
  return found;
}

/** Matches a word that may be an amount or part of an amount: sign, dollars, cents. */
export const AMOUNT = /^(\(?[-−]?\$?[-−]?)([\d,]*)(\.\d{0,2})?\)?$/;

/**
 * Returns conditions that find a word such as `$1,248.7` in amounts that are stored in cents. The conditions match
 * exactly the same rows as the filter of a complete list.
 */
function amountConditions(word: string, amount: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const [, sign = '', dollars = '', point] = AMOUNT.exec(word) ?? [];
  if (!/\d/.test(dollars + (point ?? ''))) return [];
  const patterns = [`%${dollars}${point === undefined ? '%__' : point.slice(1).padEnd(2, '_')}`];
  // Without a decimal point, the word may be all or part of the cents.
  if (point === undefined && sign === '') {
    if (dollars.length <= 2) patterns.push(`%${dollars}`);
    if (dollars.length === 1) patterns.push(`%${dollars}_`);
  }
  const grouped = sql`to_char(abs(${amount}) / 100, 'FM999,999,999,999,990') || to_char(abs(${amount}) % 100, 'FM00')`;
  const text = dollars.includes(',') ? grouped : sql`to_char(abs(${amount}), 'FM999999999999999000')`;
  const like = patterns.map((pattern) => sql`${text} like ${pattern}`);
  const isNegative = /[-−(]/.test(sign) ? sql`${amount} < 0 and` : sql``;
  return [sql`(${isNegative} (${sql.join(like, sql` or `)}))`];
}
