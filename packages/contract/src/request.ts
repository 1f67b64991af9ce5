import type * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { encode } from './wire.ts';

type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? { [K in Name]: z.output<Schema> }
  : { [K in Name]?: undefined };

/** The input of a call: the parts that its endpoint declares, with money as Cents and dates as IsoDate. */
export type CallInput<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>;

/** The input of a call whose endpoint is not known. */
export interface AnyInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** Returns the path and query of a call, which start with /api. Empty parts of the query are omitted. */
export function addressOf(endpoint: Endpoint, { params, query }: AnyInput): string {
  return wireAddressOf(endpoint, record(endpoint.params, params), record(endpoint.query, query));
}

/** Returns the path and query of a call whose parameters are in the API's format. */
export function wireAddressOf(
  { path }: Endpoint,
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const text = Object.entries(query)
    .filter(([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'number')
    .map(([name, value]) => `${formText(name)}=${formText(String(value))}`)
    .join('&');
  return `/api${filled}${text === '' ? '' : `?${text}`}`;
}

/** URLSearchParams, which exists in browsers and in Node, is not available to this package. */
const formText = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

function record(schema: z.ZodType | undefined, value: unknown): Readonly<Record<string, unknown>> {
  const encoded = schema === undefined || value === undefined ? undefined : encode(schema, value);
  return typeof encoded === 'object' && encoded !== null ? { ...encoded } : {};
}

/**
 * Returns the name of a call in the API document and on the command line. The name consists of the method and the path:
 * POST /customer/{id}/payment is `postCustomerIdPayment`.
 */
export function operationId({ method, path }: Endpoint): string {
  const words = path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, '');
  return `${method.toLowerCase()}${words}`;
}
