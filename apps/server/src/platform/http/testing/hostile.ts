import * as fc from 'fast-check';
import type * as z from 'zod';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { parametersOf, recordFor, type Records, references } from '../../../testing/records.ts';
import { keysOf, sampleOf } from '../../../testing/sample.ts';

/** A request to send over the socket. */
export interface HostileRequest {
  /** The index of the request's endpoint in the list of endpoints. */
  index: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** JSON fragments, or strings that resemble them, which replace a value. */
const fragments: readonly string[] = [
  ['null', 'true', '-0', '0', '-1', '1.5', '1e400', '1E5', '1e-7', 'NaN', '-Infinity', 'undefined', '0x10', '01'],
  ['0.001', '100.005', '-0.01', '99999999999.99', '100000000000.01', '90071992547409.93', '1000000000001'],
  ['2147483648', '4294967296', '9007199254740991', '9007199254740993', '9223372036854775808', '1'.repeat(400)],
  ['"now"', '"today"', '"infinity"', '"-infinity"', '"epoch"', '"2023-02-29"', '"0000-00-00"', '"2026-13-01"'],
  ['"10000-01-01"', '"0001-01-01"', '"9999-12-31"', '"2026-1-1"', '"2/29/2023"', '"20260101"', '"2026-01-01 BC"'],
  ['"\\u0000"', '"\\ud800"', '"a\\udc00b"', '"\\ud83d\\ude00"', '"\u202e\u05d0\u200d"', '"\ufeff"', '"\u2028"'],
  ['""', '" "', '"1"', '"-1"', '"1.5"', '"1e3"', '"NaN"', '"true"', '"null"', '"=1+1"', '"\'; select 1; --"'],
  ['"__proto__"', '"constructor"', '"../../etc/passwd"', '"<b>&amp;"', '"%00%zz"', `"${'x'.repeat(10_000)}"`],
  ['[]', '{}', '[null]', '[[]]', '{"id":1}', '{"length":1}', '[{},{}]', `[${'0,'.repeat(1100)}0]`, deep(28)],
  ['{"__proto__":{"id":1}}', '{"constructor":{"prototype":{}}}', '{"toString":1}', '{"id":1,"id":"2"}'],
].flat();

/** Bodies that are completely invalid. */
export const wrongBodies: Readonly<Record<string, string>> = {
  'an empty body': '',
  'white space': '  \n',
  'an incomplete object': '{"a":',
  'a word': 'hello',
  'a comment': '{} // more',
  'two values': '{}{}',
  'single quotes': "{'a':1}",
  'a trailing comma': '{"a":1,}',
  null: 'null',
  'a string': '"text"',
  'a number': '17',
  'lists nested 33 levels deep': deep(33),
  'lists nested 100,000 levels deep': deep(100_000),
  'objects nested 40 levels deep': `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  'unclosed lists': '['.repeat(50_000),
  'a list of 10,001 items': `[${'1,'.repeat(10_000)}1]`,
  'an escaped NUL': '{"a":"\\u0000"}',
  'a literal NUL': '{"a":"\u0000"}',
  'a lone surrogate': '{"a":"\\ud800"}',
  'a key with NUL': '{"a\\u0000":1}',
  '1e400': '{"a":1e400}',
  NaN: '{"a":NaN}',
  'prototype keys': '{"__proto__":{"customerId":1},"constructor":{"prototype":{"x":1}}}',
};

const fragment: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...fragments) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.double().map(String) },
);

type Path = readonly (string | number)[];

interface Def {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
}

/** Returns every path in the values that a schema accepts: keys at any depth, and the first item of each list. */
function placesIn(schema: z.ZodType, above: Path = []): Path[] {
  const def = schema._zod.def as unknown as Def;
  if (above.length > 6) return [];
  if (def.shape !== undefined) {
    return Object.entries(def.shape).flatMap(([key, inner]) => [[...above, key], ...placesIn(inner, [...above, key])]);
  }
  if (def.element !== undefined) return [[...above, 0], ...placesIn(def.element, [...above, 0])];
  const inner = def.innerType ?? def.options?.find((option) => keysOf(option).length > 0);
  return inner === undefined ? [] : placesIn(inner, above);
}

type Container = Record<string | number, unknown>;

/** Sets a nested value and creates the objects and lists along the way. */
function put(whole: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const empty: unknown = typeof first === 'number' ? [] : {};
  const container = (typeof whole === 'object' && whole !== null ? whole : empty) as Container;
  container[first] = put(container[first], rest, value);
  return container;
}

/**
 * Returns bodies that match the contract except in one to three places. When a body is serialized, each placeholder is
 * replaced with a fragment.
 */
function bodyOf(endpoint: Endpoint, records: Records): fc.Arbitrary<string | undefined> {
  const { body } = endpoint;
  if (body === undefined) return fc.option(fragment, { nil: undefined, freq: 2 });
  const places = placesIn(body);
  const valid = () => sampleOf(body, references(records));
  const whole = fc.oneof(fragment, fc.constantFrom(...Object.values(wrongBodies)));
  if (places.length === 0) return whole;
  const spoilt = fc
    .array(fc.tuple(fc.constantFrom(...places), fragment), { minLength: 1, maxLength: 3 })
    .map((changes) => {
      const marked = changes.reduce<unknown>((made, [place], index) => put(made, place, `@${index}@`), valid());
      const text = JSON.stringify(marked);
      return changes.reduce((made, [, piece], index) => made.replace(`"@${index}@"`, () => piece), text);
    });
  return fc.oneof({ weight: 8, arbitrary: spoilt }, { weight: 1, arbitrary: whole });
}

const cursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Strings for a path or query, percent-encoded or not, as they are sent over the socket. */
const words: readonly string[] = [
  ['0', '-1', '1.5', '1e3', '0x1', '99999999999999999999', '999999999999999', '%31', 'NaN', 'null', 'undefined'],
  ['%00', '%zz', '%', '%ff%fe', '%ed%a0%80', '%2e%2e%2f', '..', '.', '%2f', '%5c', '%0d%0aset-cookie:a=b'],
  ["1'--", '1;select', '(1)', '*', '%F0%9F%98%80', '__proto__', 'constructor', 'toString', 'x'.repeat(199)],
  ['x'.repeat(300), '%41'.repeat(600), '2023-02-29', 'infinity', 'true', '501', '500', '00', 'NAME', 'id'],
  [[], ['x', 1], ['', null], [['a'], 1], [1, 2], ['2023-02-29', 1], ['0000-00-00', 1], ['\ud800', 1]].map(cursor),
  [['1', 1e21], ['1', -1], ['9'.repeat(19), 1], ['x\u0000', 1], { 0: 'x', 1: 1 }, null, 'x', ['x', 1, 2]].map(cursor),
].flat();
const word = fc.constantFrom(...words);

function pathOf(endpoint: Endpoint, records: Records): fc.Arbitrary<string> {
  const segments = parametersOf(endpoint).map((name) => {
    const known = String(recordFor(endpoint, name, records) ?? '1');
    return fc.oneof({ weight: 3, arbitrary: fc.constant(known) }, { weight: 2, arbitrary: word });
  });
  return fc
    .tuple(...segments)
    .map((values) => `/api${values.reduce((path, value) => path.replace(/\{\w+\}/, () => value), endpoint.path)}`);
}

function queryOf(endpoint: Endpoint): fc.Arbitrary<string> {
  const names = [...Object.keys(endpoint.query?.shape ?? {}), '__proto__', 'limit[]', 'id'];
  const pair = fc.tuple(fc.constantFrom(...names), word).map(([name, value]) => `${name}=${value}`);
  const most = endpoint.query === undefined ? 1 : 4;
  return fc.array(pair, { maxLength: most }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
}

const types = ['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json;'];
const otherTypes = [
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  '/',
  'a',
];
const keys = ['key', '', ' ', 'k'.repeat(100), 'k'.repeat(101), 'caf\u00e9', '__proto__', "';--"];

const headers = fc.record(
  {
    'content-type': fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...types) }, fc.constantFrom(...otherTypes)),
    'idempotency-key': fc.constantFrom(...keys),
    accept: fc.constantFrom('*/*', 'text/html', 'a', ''),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', 'nonsense', '::1, 10.0.0.1', ''),
    'accept-encoding': fc.constantFrom('gzip', 'br;q=1e400', 'identity;q=0', '*'),
  },
  { requiredKeys: ['content-type'] },
);

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'];

/** Returns requests to an endpoint that are partly or completely invalid. */
export function hostileRequest(endpoints: readonly Endpoint[], records: Records): fc.Arbitrary<HostileRequest> {
  const all = [...endpoints.entries()];
  const writes = all.filter(([, { body }]) => body !== undefined);
  const one = fc.oneof(fc.constantFrom(...all), { weight: 2, arbitrary: fc.constantFrom(...writes) });
  return one.chain(([index, endpoint]) =>
    fc.record({
      index: fc.constant(index),
      method: fc.oneof(
        { weight: 20, arbitrary: fc.constant(endpoint.method as string) },
        { weight: 1, arbitrary: fc.constantFrom(...methods) },
      ),
      path: fc.tuple(pathOf(endpoint, records), queryOf(endpoint)).map(([path, query]) => path + query),
      headers,
      body: bodyOf(endpoint, records),
    }),
  );
}
