import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as z from 'zod';
import { endpoints } from './all.ts';
import { Usd } from './fields.ts';
import { decode, encode } from './wire.ts';

/** The contract loaded with the light schema library, as in the browser. */
interface Light {
  endpoints: typeof endpoints;
  decode: typeof decode;
  encode: typeof encode;
}
let light: Light;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('zod', () => import('./light.ts'));
  const all = await import('./all.ts');
  const wire = await import('./wire.ts');
  light = { endpoints: all.endpoints, decode: wire.decode, encode: wire.encode };
});

afterAll(() => {
  vi.doUnmock('zod');
  vi.resetModules();
});

type Def = {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  valueType?: z.ZodType;
  values?: unknown[];
  entries?: Record<string, string>;
};

const TEXTS = [
  '',
  '0',
  '1',
  '100',
  '2026',
  'true',
  '2026-03-09',
  '12/31/2026',
  'Oak Hollow',
  'pat@example.com',
  '5551234567',
  '13:30',
];
const SAMPLES: readonly unknown[] = [...TEXTS, 0, 1, 2, 5, 12, 12.34, 99.99, 100, -3, true, false, null, { a: 1 }];

/** Generates JSON that the schema accepts. */
function wireOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const def = schema._zod.def as Def;
  if (def.shape !== undefined) return fc.record(mapValues(def.shape, wireOf));
  if (def.element !== undefined) return fc.array(wireOf(def.element), { minLength: 1, maxLength: 2 });
  if (def.valueType !== undefined) return fc.dictionary(fc.constantFrom('1', 'a'), wireOf(def.valueType));
  if (def.options !== undefined) return fc.oneof(...def.options.map(wireOf));
  if (def.innerType !== undefined) {
    return fc.oneof(fc.constant(def.type === 'nullable' ? null : undefined), wireOf(def.innerType));
  }
  const own = [...(def.values ?? []), ...Object.values(def.entries ?? {})];
  return fc.constantFrom(...(own.length > 0 ? own : SAMPLES.filter((one) => schema.safeParse(one).success)));
}

function mapValues<In, Out>(from: Record<string, In>, change: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));
}

interface Part {
  name: string;
  full: z.ZodType;
  light: z.ZodType;
}

function parts(): Part[] {
  return endpoints.flatMap((endpoint, index) =>
    (['params', 'query', 'body', 'reply'] as const).flatMap((part) => {
      const full = endpoint[part];
      const other = light.endpoints[index]?.[part];
      if (full === undefined || typeof full === 'string') return [];
      if (other === undefined || typeof other === 'string') throw new Error(`${endpoint.path} has no ${part}`);
      return [{ name: `${endpoint.method} ${endpoint.path} ${part}`, full, light: other }];
    }),
  );
}

test('the light library reads and writes every call exactly like the full schema library', () => {
  for (const part of parts()) {
    const check = (raw: unknown): void => {
      const json: unknown = JSON.parse(JSON.stringify(raw));
      const wanted = decode(part.full, json);
      const found = light.decode(part.light, json);
      const { name } = part;
      expect({ name, read: found }).toEqual({ name, read: wanted });
      const written = encode(part.full, wanted);
      expect({ name, written: light.encode(part.light, found) }).toEqual({ name, written });
    };
    fc.assert(fc.property(wireOf(part.full), check), { numRuns: 20 });
  }
});

test('like the full library, the light library rejects a value that does not have the contract’s format', () => {
  for (const part of parts()) {
    if ((part.full._zod.def as Def).shape === undefined) continue;
    expect(() => light.decode(part.light, 'nonsense')).toThrow(/ must be of type /);
  }
  expect(() => light.decode(Usd, 1.005)).toThrow('Amount has more than 2 decimal places');
});
