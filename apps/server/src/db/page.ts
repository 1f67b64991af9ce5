import { Failure } from '@evenkeel/core/failure';

/** What a list is asked for: contract's PageQuery. Without `limit` the whole list is answered. */
export interface PageAsk {
  limit?: number | undefined;
  after?: string | undefined;
  q?: string | undefined;
  sort?: string | undefined;
  desc?: string | undefined;
}

/** Where a keyset page begins: the sort value and the id of the row before it. */
export interface Cursor {
  key: string | number;
  id: number;
}

export function isDescending(ask: PageAsk): boolean {
  return ask.desc === 'true' || ask.desc === '1' || ask.desc === '';
}

/** The cursor that `after` carries. Throws 'malformed' when it was not made by pageOf. */
export function cursorOf({ after }: PageAsk): Cursor | undefined {
  if (after === undefined || after === '') return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(after, 'base64url').toString('utf8'));
    if (Array.isArray(value)) {
      const [key, id] = value as unknown[];
      if ((typeof key === 'string' || Number.isSafeInteger(key)) && Number.isSafeInteger(id)) {
        return { key, id } as Cursor;
      }
    }
  } catch {
    // Answered below: not JSON is as wrong as another shape.
  }
  throw new Failure('malformed', "after: must be the 'next' of an earlier page", { after: 'is not a page' });
}

/** One page of rows that were read with `limit` + 1: the items, and the cursor of the following page. */
export function pageOf<R extends Cursor>(rows: readonly R[], limit: number, total: number) {
  const items = rows.slice(0, limit);
  const end = items.at(-1);
  const next =
    rows.length > limit && end !== undefined
      ? Buffer.from(JSON.stringify([end.key, end.id]), 'utf8').toString('base64url')
      : null;
  return { items, next, total };
}

/** Text that a person looks for → a pattern for `ilike`; its own % and _ stand for themselves. */
export function likePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
