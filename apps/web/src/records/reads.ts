import type { ListPart, PageQuery } from '@evenkeel/contract/endpoint';
import type * as z from 'zod';

/** The request of a page of a list. */
export type PageAsk = z.output<typeof PageQuery>;

/** The query of a list, with those that were deactivated or without them. */
export function inactiveQuery(inactive: boolean): { inactive?: 'true' } {
  return inactive ? { inactive: 'true' } : {};
}

/** The parts of a list by their names: the number of rows of each and what they come to. */
export type ListParts = Readonly<Record<string, ListPart>>;

/** All of a list, or a page of it. */
export type PageReply<Row> =
  | readonly Row[]
  | {
      items: readonly Row[];
      total: number;
      sums?: Readonly<Record<string, number>> | undefined;
      parts?: ListParts | undefined;
    };

/** The whole list, whichever way it was answered; undefined while it loads. */
export function wholeList<Row>(
  reply: readonly Row[] | { items: readonly Row[] } | undefined,
): readonly Row[] | undefined {
  if (reply === undefined) return undefined;
  return 'items' in reply ? reply.items : reply;
}

/** The number of all rows, for a page that was read with `limit`; undefined while it loads. */
export function totalOf(reply: readonly unknown[] | { total: number } | undefined): number | undefined {
  if (reply === undefined) return undefined;
  return 'total' in reply ? reply.total : reply.length;
}

/** An administrator's reason for changing closed books, as a request carries it; nothing without one. */
export const because = (reason: string): { closingOverrideReason?: string } =>
  reason === '' ? {} : { closingOverrideReason: reason };
