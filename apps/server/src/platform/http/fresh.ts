import { Failure } from '@evenkeel/core/failure';
import { encode } from '@evenkeel/contract/wire';
import type * as z from 'zod';

/**
 * Throws 409 'stale' with the current record if the request edits an older version than the stored version. Accepts an
 * edit without a version.
 */
export function requireFresh<T extends z.ZodType<{ rowVersion: number }>>(
  schema: T,
  current: z.output<T>,
  given: number | null | undefined,
): void {
  if (given !== null && given !== undefined && given !== current.rowVersion) throw stale(schema, current);
}

/** Returns the error for an edit of an older version. The error contains the current record. */
export function stale<T extends z.ZodType>(schema: T, current: z.output<T>): Failure {
  const message = 'Someone else saved changes to this record. Review the changes and try again.';
  return new Failure('stale', message, undefined, { current: encode(schema, current) });
}
