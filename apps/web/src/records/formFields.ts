import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { Cents } from '@evenkeel/core/money';
import * as z from 'zod';

/**
 * A form's schema is the only list of its fields. The blank form and the form for a saved record are derived from it.
 */

export const Money = z.custom<Cents>(Number.isSafeInteger);
export const Day = z.custom<IsoDate>((value) => typeof value === 'string' && isIsoDate(value));

/** A field of a new record gets the first of these values that its schema accepts. */
const EMPTY = [null, '', false, [], {}];

/** Returns the empty values for a new record's fields. Optional fields are omitted. */
export function emptyFields({ shape }: { shape: Readonly<Record<string, z.ZodType>> }): Record<string, unknown> {
  const wanted = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success);
  return Object.fromEntries(
    wanted.map(([name, field]) => [name, EMPTY.find((value) => field.safeParse(value).success)]),
  );
}

/**
 * Returns the form for a new record. All fields are empty except the `given` fields, and optional fields are omitted.
 * Throws for a field that has no empty value.
 */
export function blankOf<Shape extends Readonly<Record<string, z.ZodType>>>(
  schema: z.ZodObject<Shape>,
  given: Partial<z.output<z.ZodObject<Shape>>> = {},
): z.output<z.ZodObject<Shape>> {
  return asForm(schema, { ...emptyFields(schema), ...given });
}

/** Converts a record to a form with the same fields. Throws if a field is missing, because that is a bug. */
export function asForm<Form>(schema: z.ZodType<Form>, record: unknown): Form {
  const read = schema.safeParse(record);
  if (!read.success) throw new Error('The record does not have the fields of its form');
  return read.data;
}

/** Returns the form for a record with the same fields, or for a new record. */
export function sameFields<Shape extends Readonly<Record<string, z.ZodType>>>(schema: z.ZodObject<Shape>) {
  return (saved: object | undefined) => (saved === undefined ? blankOf(schema) : asForm(schema, saved));
}

/** Returns the validation for a record that only needs a name. */
export function needsName<Name extends string>(name: Name): (form: Readonly<Record<Name, string>>) => FieldMessages {
  return (form) => (form[name].trim() === '' ? { [name]: 'Please enter a name' } : {});
}
