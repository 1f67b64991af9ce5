import { jsonPieces } from '@evenkeel/contract/wire';
import type { Steps } from '@evenkeel/core/steps';
import type * as z from 'zod';
import { inTurns } from './turns.ts';

/**
 * The number of characters in a part of the text. Joining megabytes of text in one step would block other requests
 * again.
 */
const PART = 65_536;

function* written(value: unknown, schema?: z.ZodType): Steps<string[]> {
  const parts: string[] = [];
  let part = '';
  for (const piece of jsonPieces(value, schema)) {
    part += piece;
    if (part.length >= PART) {
      parts.push(part);
      part = '';
    }
    yield;
  }
  return [...parts, part];
}

/**
 * Converts a value to JSON in parts, and encodes it if a schema is given. The result is the same as with
 * `JSON.stringify(encode(schema, value))`. Every few milliseconds, other requests can run between the parts.
 */
export function longJson(value: unknown, schema?: z.ZodType): Promise<string[]> {
  return inTurns(written(value, schema));
}
