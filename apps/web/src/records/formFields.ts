import { type IsoDate, isIsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { Cents } from '@evenkeel/core/money';
import * as z from 'zod';

/** A form's fields are listed once, in its schema: the empty form and the form of a saved record follow from it. */

export const Money = z.custom<Cents>(Number.isSafeInteger);
export const Day = z.custom<IsoDate>((value) => typeof value === 'string' && isIsoDate(value));

/** A new record's value of a field is the first of these that the field takes. */
const EMPTY = [null, '', false, [], {}];

/** The empty values of a new record's fields; one that may be missing is. */
export function emptyFields({ shape }: { shape: Readonly<Record<string, z.ZodType>> }): Record<string, unknown> {
  const wanted = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success);
  return Object.fromEntries(
    wanted.map(([name, field]) => [name, EMPTY.find((value) => field.safeParse(value).success)]),
  );
}

/**
 * The form of a new record: every field is empty but the `given` ones, and one that may be missing is. Throws for a
 * field that has no empty value.
 */
export function blankOf<Shape extends Readonly<Record<string, z.ZodType>>>(
  schema: z.ZodObject<Shape>,
  given: Partial<z.output<z.ZodObject<Shape>>> = {},
): z.output<z.ZodObject<Shape>> {
  return asForm(schema, { ...emptyFields(schema), ...given });
}

/** Reads a record as a form that has the same fields. Throws when the record lacks one: a defect of ours. */
export function asForm<Form>(schema: z.ZodType<Form>, record: unknown): Form {
  const read = schema.safeParse(record);
  if (!read.success) throw new Error('The record does not have the fields of its form');
  return read.data;
}

/** The form of a record that has the same fields, or of a new one. */
export function sameFields<Shape extends Readonly<Record<string, z.ZodType>>>(schema: z.ZodObject<Shape>) {
  return (saved: object | undefined) => (saved === undefined ? blankOf(schema) : asForm(schema, saved));
}

/** The check of a record that needs no more than a name. */
export function needsName<Name extends string>(name: Name): (form: Readonly<Record<Name, string>>) => FieldMessages {
  return (form) => (form[name].trim() === '' ? { [name]: 'Please enter a name' } : {});
}
