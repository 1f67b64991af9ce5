import type { ListPart, PageQuery } from '@evenkeel/contract/endpoint';
import type * as z from 'zod';

/** The query for a page of a list. */
export type PageAsk = z.output<typeof PageQuery>;

/** Returns the query for a list, with or without inactive records. */
export function inactiveQuery(inactive: boolean): { inactive?: 'true' } {
  return inactive ? { inactive: 'true' } : {};
}

/** The subsets of a list that its filters select, by filter name. Each has its number of rows and their total. */
export type ListParts = Readonly<Record<string, ListPart>>;

/** A whole list, or a page of it. */
export type PageReply<Row> =
  | readonly Row[]
  | {
      items: readonly Row[];
      total: number;
      sums?: Readonly<Record<string, number>> | undefined;
      parts?: ListParts | undefined;
    };

/** Returns the whole list from either response format, or undefined while loading. */
export function wholeList<Row>(
  reply: readonly Row[] | { items: readonly Row[] } | undefined,
): readonly Row[] | undefined {
  if (reply === undefined) return undefined;
  return 'items' in reply ? reply.items : reply;
}

/** Returns the total number of rows from a page that was read with `limit`, or undefined while it loads. */
export function totalOf(reply: readonly unknown[] | { total: number } | undefined): number | undefined {
  if (reply === undefined) return undefined;
  return 'total' in reply ? reply.total : reply.length;
}

/** Returns the request field with an administrator's reason for changing a closed period. Empty without a reason. */
export const because = (reason: string): { closingOverrideReason?: string } =>
  reason === '' ? {} : { closingOverrideReason: reason };
