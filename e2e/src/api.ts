import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@evenkeel/contract/endpoint';
import { decode, encode } from '@evenkeel/contract/wire';
import type * as z from 'zod';

type Part<Name extends string, T> = T extends undefined ? { [K in Name]?: undefined } : { [K in Name]: T };
type Input<E extends Endpoint> = Part<'params', ParamsOf<E>> & Part<'query', QueryOf<E>> & Part<'body', BodyOf<E>>;

/**
 * The API client for a journey, which creates records that the journey needs but does not test, and checks stored data.
 */
export class Api {
  readonly url: string;
  readonly token: string | undefined;

  constructor(url: string, token?: string) {
    this.url = url;
    this.token = token;
  }

  /** Calls an endpoint, with money as Cents. Throws the server's error message if the call fails. */
  async call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<ReplyOf<E>> {
    const response = await fetch(this.url + addressOf(endpoint, input), {
      method: endpoint.method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(endpoint.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(endpoint.body === undefined ? {} : { body: JSON.stringify(encode(endpoint.body, input.body)) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${endpoint.method} ${endpoint.path}: ${JSON.stringify(answer)}`);
    return decode(endpoint.reply as z.ZodType, answer) as ReplyOf<E>;
  }
}

function addressOf(endpoint: Endpoint, input: { params?: unknown; query?: unknown }): string {
  const params = wire(endpoint.params, input.params);
  const query = new URLSearchParams(
    Object.entries(wire(endpoint.query, input.query)).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  return `/api${path}?${query.toString()}`;
}

function wire(schema: z.ZodType | undefined, value: unknown): Record<string, unknown> {
  return schema === undefined || value === undefined ? {} : (encode(schema, value) as Record<string, unknown>);
}
