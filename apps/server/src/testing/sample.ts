import type * as z from 'zod';

/**
 * The parts of a schema that samples are created from. Samples are bodies that a schema accepts, so that generic tests
 * get past the validation in any endpoint.
 */

interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: z.ZodType[];
  /** The values of an enumeration. */
  entries?: Record<string, string | number>;
}

const CANDIDATES: readonly unknown[] = [
  1,
  'pat@example.com',
  '2026-01-15',
  'View Billing',
  true,
  '1',
  'true',
  0,
  null,
  [],
  {},
  undefined,
];

function accepts(schema: z.ZodType, value: unknown): boolean {
  try {
    return schema.safeParse(value).success;
  } catch {
    return false;
  }
}

/** Values for fields, by lowercase name. These fields are filled even if they are optional. */
export type Given = Readonly<Record<string, unknown>>;

/** Returns the smallest API value that the schema accepts. Optional fields without a given value are omitted. */
export function sampleOf(schema: z.ZodType, given: Given = {}): unknown {
  const def = schema._zod.def as unknown as Def;
  if (def.shape !== undefined) return sampleObject(def.shape, given);
  if (def.element !== undefined) {
    const one = [sampleOf(def.element, given)];
    return accepts(schema, one) ? one : [];
  }
  if (def.innerType !== undefined && keysOf(def.innerType).some((key) => key.toLowerCase() in given)) {
    return sampleOf(def.innerType, given);
  }
  if (def.type === 'optional' || def.type === 'nullable') return accepts(schema, undefined) ? undefined : null;
  if (def.type === 'default' || def.type === 'prefault') return undefined;
  if (def.options !== undefined)
    return def.options.map((option) => sampleOf(option, given)).find((value) => accepts(schema, value));
  if (def.entries !== undefined) return Object.values(def.entries)[0];
  const found = CANDIDATES.find((value) => accepts(schema, value));
  if (found === undefined && !accepts(schema, undefined) && def.innerType !== undefined)
    return sampleOf(def.innerType, given);
  return found;
}

function sampleObject(shape: Record<string, z.ZodType>, given: Given): Record<string, unknown> {
  const pairs = Object.entries(shape).map(([key, inner]) => {
    const value = given[key.toLowerCase()];
    return [key, value !== undefined && accepts(inner, value) ? value : sampleOf(inner, given)];
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** Returns the keys of a body's object, or of the object in its list. */
export function keysOf(schema: z.ZodType): string[] {
  const def = schema._zod.def as unknown as Def;
  if (def.shape !== undefined) return Object.keys(def.shape);
  const inner = def.element ?? def.innerType ?? def.options?.find((option) => keysOf(option).length > 0);
  return inner === undefined ? [] : keysOf(inner);
}

/** Returns every key at any depth of a schema, in lowercase. */
export function allKeysOf(schema: z.ZodType): string[] {
  const def = schema._zod.def as unknown as Def;
  const inner = [def.element, def.innerType, ...(def.options ?? []), ...Object.values(def.shape ?? {})];
  const below = inner.flatMap((each) => (each === undefined ? [] : allKeysOf(each)));
  return [...new Set([...Object.keys(def.shape ?? {}).map((key) => key.toLowerCase()), ...below])];
}
