import { isTrue } from '@evenkeel/contract/endpoint';
import type { ListQuery } from '@evenkeel/contract/lists';
import { notAPage } from '../db/page.ts';

/** A row in a list, in the form in which the API returns it: an object or a string. */
type Row = unknown;

/** One page in the API format. */
interface Page {
  items: Row[];
  next: string | null;
  total: number;
}

/**
 * Searches, sorts, and pages a complete list as requested. Without `limit`, returns an array. Lists that may grow long
 * are searched, sorted, and paged in the database (platform/db/page.ts).
 */
export function wholeList(rows: readonly Row[], query: ListQuery): Row[] | Page {
  const asked = sorted(matching(rows, query.q ?? ''), query);
  const { limit } = query;
  if (limit === undefined) return asked;
  const start = query.after === undefined ? (query.skip ?? 0) : startBehind(asked, query.after);
  const items = asked.slice(start, start + limit);
  const end = start + items.length;
  return { items, next: end < asked.length ? cursorAt(asked, end) : null, total: asked.length };
}

/** Returns the rows whose text contains every search word, in any letter case. */
function matching(rows: readonly Row[], q: string): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = textsOf(row).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function textsOf(row: Row): string[] {
  return (isObject(row) ? Object.values(row) : [row]).filter((value) => typeof value === 'string');
}

const inWords = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Sorts rows by the field in `sort`, in any letter case. Rows with the same value, and rows without this field, keep
 * the list's own order.
 */
function sorted(rows: Row[], { sort, desc }: ListQuery): Row[] {
  const isDescending = isTrue(desc) || desc === '';
  const first = rows.find(isObject);
  const field = Object.keys(first ?? {}).find((name) => name.toLowerCase() === sort?.toLowerCase());
  if (field === undefined) return isDescending ? rows.toReversed() : rows;
  const turn = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => turn * compare(valueOf(a, field), valueOf(b, field)));
}

/** Compares numbers by size and everything else as text. Missing values come first. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return inWords.compare(wordOf(a), wordOf(b));
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function valueOf(row: Row, field: string): unknown {
  return isObject(row) ? row[field] : undefined;
}

/** Identifies a row by its IDs and keys, because the list may change between requests for two pages. */
function nameOf(row: Row): string {
  if (!isObject(row)) return String(row);
  const names = Object.entries(row).filter(([name, value]) => /id$|key$/i.test(name) && !isObject(value));
  return names
    .map(([, value]) => String(value))
    .join(' ')
    .slice(0, 200);
}

const cursorAt = (rows: readonly Row[], end: number): string =>
  Buffer.from(JSON.stringify([end, nameOf(rows[end - 1])])).toString('base64url');

/** Returns the index after the last row of the previous page, wherever that row is now. */
function startBehind(rows: readonly Row[], after: string): number {
  const [end, name] = readCursor(after);
  if (end > 0 && end <= rows.length && nameOf(rows[end - 1]) === name) return end;
  const moved = rows.findIndex((row) => nameOf(row) === name);
  // If the row has been removed, the rows after it have moved up.
  return moved === -1 ? Math.max(0, end - 1) : moved + 1;
}

function readCursor(after: string): [number, string] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString('utf8'));
    if (Array.isArray(parts) && Number.isSafeInteger(parts[0]) && typeof parts[1] === 'string') {
      return [Math.max(0, Number(parts[0])), parts[1]];
    }
  } catch {
    // An unreadable cursor is the client's mistake, so the error below is thrown.
  }
  throw notAPage();
}
