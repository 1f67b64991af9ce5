import { type Cents, type Decimal, decimal, fromDollars, round, toDollars } from '@evenkeel/core/money';
import { type IsoDate, parseWireDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import * as z from 'zod';

/** Field codecs: what stands on the wire (left) and what the program holds (right). */

/** Dollars as a JSON number with at most 2 decimals ↔ Cents. At most ±100 billion dollars. */
export const Usd = dollars('Amount');
/** A price: its refusals say so, as the forms do. */
export const Price = dollars('Price');

function dollars(name: 'Amount' | 'Price') {
  return z
    .codec(z.number().min(-100_000_000_000).max(100_000_000_000), z.custom<Cents>(Number.isSafeInteger), {
      decode: (given, context) => guarded(context, () => fromDollars(given, name)),
      encode: (amount) => toDollars(amount),
    })
    .describe('US dollars, at most 2 decimals');
}

/** A JSON number with at most `places` decimals ↔ exact Decimal. */
export function decimalField(places: number, limit = 1_000_000_000) {
  return z
    .codec(z.number().min(-limit).max(limit), z.custom<Decimal>(isDecimal), {
      decode: (value, context) =>
        guarded(context, () => {
          const exact = decimal(value);
          if (!round(exact, places).eq(exact)) throw new Failure('malformed', `has more than ${places} decimals`);
          return exact;
        }),
      encode: (value) => Number(round(value, places)),
    })
    .describe(`number with at most ${places} decimals`);
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'times' in value;
}

/** Calls `make`; a Failure becomes an issue of the field instead of escaping the parser. */
function guarded<T>(context: z.core.ParsePayload, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.issues.push({ code: 'custom', message: error.message, input: context.value });
    return z.NEVER;
  }
}

/** The record that a field names; clients say "none" as null, 0 or by leaving the field out. */
export function idOrNull(id: number | null | undefined): number | null {
  return id === undefined || id === 0 ? null : id;
}

/** `YYYY-MM-DD` that exists in the calendar ↔ IsoDate; on the way in also `M/D/YYYY`, and either with a time part. */
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

/** A moment, ISO 8601 in UTC. */
export const Moment = z.string().describe('Timestamp in ISO 8601 format (UTC)');

/** An identifier; 0 means new where a record is created. */
export const Id = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** An identifier that a person chooses; anything else is refused with a sentence for that person. */
export function chosenId(message: string) {
  return z.number(message).int(message).min(0, message).max(Number.MAX_SAFE_INTEGER, message);
}
/** Names the record or item that a body is: above 0 a saved one, else a new one (temporary ids count down from -1). */
export const LineId = z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** An identifier in a path or query, where everything is text. */
export const IdText = z
  .codec(z.string().regex(/^\d{1,15}$/, 'must be a whole number'), z.number().int(), {
    decode: (text) => Number(text),
    encode: (id) => String(id),
  })
  .describe('identifier');

/** User text: no NUL, no lone surrogates, at most `max` characters; white space around it is kept out. */
export function text(max: number) {
  return z
    .string()
    .max(max, `must have at most ${max.toLocaleString('en-US')} characters`)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'contains characters that are not text')
    .overwrite((value) => value.trim());
}

/** A switch in a query. */
export const flag = z.enum(['true', 'false', '1', '0']).optional();

/** Optional or null in a request body; absent stays undefined. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

/** Version of an editable object: a PUT with a stale one answers 409 with the current object. */
export const RowVersion = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Reply of calls that have nothing to say. */
export const Done = z.object({ ok: z.literal(true) });
