import type * as z from 'zod';
import { type Endpoint, listOf, PageQuery } from './endpoint.ts';

/** Lists that the server searches, sorts and pages whole. */

export type ListQuery = z.output<typeof PageQuery>;
type List = Endpoint & { reply: z.ZodArray<z.ZodType> };

/** A GET whose reply is an array. Lists that may grow long page in the database and declare both shapes themselves. */
export function isWholeList(endpoint: Endpoint): endpoint is List {
  const { method, reply } = endpoint;
  return method === 'GET' && typeof reply !== 'string' && reply._zod.def.type === 'array';
}

const queries = new WeakMap<Endpoint, z.ZodObject>();

/** The query that an endpoint takes on the wire: its own, and of every list that of pages. */
export function queryOf(endpoint: Endpoint): z.ZodObject | undefined {
  if (!isWholeList(endpoint)) return endpoint.query;
  const known = queries.get(endpoint);
  if (known !== undefined) return known;
  const query = PageQuery.extend(endpoint.query?.shape ?? {});
  queries.set(endpoint, query);
  return query;
}

/** The schema of what an endpoint answers on the wire: of every list bare or a page. */
export function replyOf(endpoint: Endpoint): Endpoint['reply'] {
  return isWholeList(endpoint) ? listOf(endpoint.reply.element) : endpoint.reply;
}
