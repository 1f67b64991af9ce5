import type * as z from 'zod';
import { type Endpoint, listOf, PageQuery } from './endpoint.ts';

/** Lists that the server searches, sorts, and pages in memory. */

export type ListQuery = z.output<typeof PageQuery>;
type List = Endpoint & { reply: z.ZodArray<z.ZodType> };

/**
 * Returns whether an endpoint is a GET that returns an array. Lists that may grow long are paged in the database and
 * declare both response formats.
 */
export function isWholeList(endpoint: Endpoint): endpoint is List {
  const { method, reply } = endpoint;
  return method === 'GET' && typeof reply !== 'string' && reply._zod.def.type === 'array';
}

const queries = new WeakMap<Endpoint, z.ZodObject>();

/** Returns the query that an endpoint accepts: the endpoint's own query and, for a list, the page parameters. */
export function queryOf(endpoint: Endpoint): z.ZodObject | undefined {
  if (!isWholeList(endpoint)) return endpoint.query;
  const known = queries.get(endpoint);
  if (known !== undefined) return known;
  const query = PageQuery.extend(endpoint.query?.shape ?? {});
  queries.set(endpoint, query);
  return query;
}

/** Returns the response schema of an endpoint. For a list, the response is an array or a page. */
export function replyOf(endpoint: Endpoint): Endpoint['reply'] {
  return isWholeList(endpoint) ? listOf(endpoint.reply.element) : endpoint.reply;
}
