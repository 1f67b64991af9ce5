import { type Cents, type Decimal, decimal, fromDollars, round, toDollars } from '@evenkeel/core/money';
import { type IsoDate, parseWireDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import * as z from 'zod';

/** Field codecs, which convert between the API format (left) and the internal value (right). */

/** Dollars as a JSON number with at most 2 decimal places ↔ Cents. At most ±100 billion dollars. */
export const Usd = dollars('Amount');
/** A price. Error messages call the field "Price", as the forms do. */
export const Price = dollars('Price');

function dollars(name: 'Amount' | 'Price') {
  return z
    .codec(z.number().min(-100_000_000_000).max(100_000_000_000), z.custom<Cents>(Number.isSafeInteger), {
      decode: (given, context) => guarded(context, () => fromDollars(given, name)),
      encode: (amount) => toDollars(amount),
    })
    .describe('US dollars, at most 2 decimal places');
}

/** Returns the codec between a JSON number with at most `places` decimal places and an exact Decimal. */
export function decimalField(places: number, limit = 1_000_000_000) {
  return z
    .codec(z.number().min(-limit).max(limit), z.custom<Decimal>(isDecimal), {
      decode: (value, context) =>
        guarded(context, () => {
          const exact = decimal(value);
          if (!round(exact, places).eq(exact)) throw new Failure('malformed', `has more than ${places} decimal places`);
          return exact;
        }),
      encode: (value) => Number(round(value, places)),
    })
    .describe(`number with at most ${places} decimal places`);
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'times' in value;
}

/** Calls `make`. A Failure becomes an issue for the field instead of an exception in the parser. */
function guarded<T>(context: z.core.ParsePayload, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.issues.push({ code: 'custom', message: error.message, input: context.value });
    return z.NEVER;
  }
}

/** Returns an object with one value for each text field. `lengths` has the maximum length of each field. */
export function textFields<Name extends string, Value>(
  lengths: Readonly<Record<Name, number>>,
  valueOf: (name: Name, maxLength: number) => Value,
): Record<Name, Value> {
  const names = Object.keys(lengths) as Name[];
  return Object.fromEntries(names.map((name) => [name, valueOf(name, lengths[name])])) as Record<Name, Value>;
}

/**
 * Returns the ID of the record that a field refers to, or null for no record. Clients send null or 0 for no record, or
 * omit the field.
 */
export function idOrNull(id: number | null | undefined): number | null {
  return id === undefined || id === 0 ? null : id;
}

/** A calendar date `YYYY-MM-DD` ↔ IsoDate. Requests may also send `M/D/YYYY`, and either format may include a time. */
export const DateField = z
  .codec(
    z.string().max(40, 'Please enter a valid date'),
    z.custom<IsoDate>((value) => typeof value === 'string'),
    {
      decode: (text, context) => {
        const date = parseWireDate(text);
        if (date !== undefined) return date;
        context.issues.push({ code: 'custom', message: 'Please enter a valid date', input: text });
        return z.NEVER;
      },
      encode: (date) => date,
    },
  )
  .describe('date, YYYY-MM-DD');

/** A timestamp in ISO 8601 format (UTC). */
export const Moment = z.string().describe('Timestamp in ISO 8601 format (UTC)');

/** An ID. 0 means that a new record is created. */
export const Id = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Returns the schema for an ID that a user selects. Any other value is rejected with a message for the user. */
export function chosenId(message: string) {
  return z.number(message).int(message).min(0, message).max(Number.MAX_SAFE_INTEGER, message);
}
/**
 * The ID of the record or item in a body. A positive ID refers to a saved record or item, and any other ID means a new
 * one (temporary IDs count down from -1).
 */
export const LineId = z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** An ID in a path or query, where all values are strings. */
export const IdText = z
  .codec(z.string().regex(/^\d{1,15}$/, 'must be a whole number'), z.number().int(), {
    decode: (text) => Number(text),
    encode: (id) => String(id),
  })
  .describe('identifier');

/**
 * Returns the schema for user text: no NUL, no lone surrogates, and at most `max` characters. Surrounding white space
 * is removed.
 */
export function text(max: number) {
  return z
    .string()
    .max(max, `must have at most ${max.toLocaleString('en-US')} characters`)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'contains invalid characters')
    .overwrite((value) => value.trim());
}

/** A flag in a query. */
export const flag = z.enum(['true', 'false', '1', '0']).optional();

/** Makes a field in a request body optional and nullable. A missing field stays undefined. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

/** The row version of an editable record. A PUT with an outdated version returns 409 with the current record. */
export const RowVersion = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The response for calls without a result. */
export const Done = z.object({ ok: z.literal(true) });
