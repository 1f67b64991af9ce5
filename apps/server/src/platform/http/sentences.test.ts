import { expect, test } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import { queryOf } from '@evenkeel/contract/lists';
import { decode } from '@evenkeel/contract/wire';
import { Failure } from '@evenkeel/core/failure';
import type * as z from 'zod';
import { sampleOf } from '../../testing/sample.ts';

type Json = Record<string, unknown>;

const LONG = 'x'.repeat(20_000);
const GARBAGE: readonly unknown[] = [undefined, null, '', 'nonsense', '\u0000', LONG, '2026-02-30T00:00:00Z', true, -7];
const MORE: readonly unknown[] = [1.23456789, 5e15, -1e300, {}, [], [null], ['x'], [{}], Array(1_001).fill(null)];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Yields every variant of a body with one value replaced by `bad`. Each list has a single item. */
function* spoiled(schema: z.ZodType, value: unknown, bad: unknown): Generator {
  const {
    shape,
    element,
    innerType,
    options = [],
  } = schema._zod.def as unknown as {
    shape?: Record<string, z.ZodType>;
    element?: z.ZodType;
    innerType?: z.ZodType;
    options?: z.ZodType[];
  };
  // Optional and nullable fields are checked as their inner type.
  if (innerType !== undefined) return yield* spoiled(innerType, value, bad);
  yield bad;
  if (shape !== undefined) {
    const whole = isObject(value) ? value : {};
    for (const [key, inner] of Object.entries(shape)) {
      for (const each of spoiled(inner, whole[key], bad)) yield { ...whole, [key]: each };
    }
  }
  if (element !== undefined) {
    for (const each of spoiled(element, Array.isArray(value) ? value[0] : sampleOf(element), bad)) yield [each];
  }
  for (const option of options) yield* spoiled(option, value, bad);
}

/** Returns the error for a value, or undefined. */
function refusal(schema: z.ZodType, raw: unknown): Failure | undefined {
  try {
    decode(schema, raw);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

const LIBRARY = /invalid input|expected|received \w|[<>]=|unrecognized|undefined|\bNaN\b|^\S+: /i;
const SENTENCE = /^['A-Z][^\n]{3,199}$/;

test('every invalid value in a request gets a message that names its field', () => {
  const found = new Set<string>();
  let refused = 0;
  const seen = new Set<z.ZodType>();
  for (const endpoint of endpoints) {
    for (const schema of [endpoint.params, queryOf(endpoint), endpoint.body]) {
      if (schema === undefined || seen.has(schema)) continue;
      seen.add(schema);
      const sample = sampleOf(schema);
      for (const bad of [...GARBAGE, ...MORE]) {
        for (const raw of spoiled(schema, sample, bad)) {
          const failure = refusal(schema, raw);
          if (failure === undefined) continue;
          refused += 1;
          for (const message of [failure.message, ...Object.values(failure.fields ?? {})]) {
            if (LIBRARY.test(message) || !SENTENCE.test(message)) found.add(`${endpoint.path}: ${message}`);
          }
        }
      }
    }
  }
  expect([...found]).toEqual([]);
  expect(refused).toBeGreaterThan(5000);
});
