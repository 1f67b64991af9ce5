import type { Endpoint } from '@evenkeel/contract/endpoint';
import { decode } from '@evenkeel/contract/wire';
import type * as z from 'zod';
import type { Input } from './route.ts';

/** Decodes the parts of a call from the format of the API. Throws 400 for a part that its schema rejects. */
export function decodeInput(
  { params, body }: Endpoint,
  query: z.ZodObject | undefined,
  given: { params: unknown; query: unknown; body: unknown },
): Input<Endpoint> {
  const input = {
    params: params === undefined ? undefined : decode(params, given.params),
    query: query === undefined ? undefined : decode(query, given.query),
    body: body === undefined ? undefined : decode(body, given.body),
  };
  return input as Input<Endpoint>;
}
