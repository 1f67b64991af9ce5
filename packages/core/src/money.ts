import Big from 'big.js';
import { Failure } from './failure.ts';

/**
 * Money is integer cents (Cents) in memory and in the journal. Prices have 2 decimal places, item amounts have 4, and
 * tax and package calculations have 6. These exact decimals (Decimal) are converted to cents by one rounding rule: half
 * away from zero. No other file multiplies by 100 or formats with a fixed number of decimal places.
 */
declare const centsBrand: unique symbol;
export type Cents = number & { readonly [centsBrand]: true };
export type Decimal = Big;

/** Returns a whole number as cents. Throws for fractions and for values beyond ±2^53 (90 trillion dollars). */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new Failure('malformed', 'Amount is out of range');
  return (value === 0 ? 0 : value) as Cents;
}

export const ZERO: Cents = cents(0);

/** Returns the total of the amounts, or 0 if there are none. */
export function sum(amounts: Iterable<Cents>): Cents {
  let total = 0;
  for (const amount of amounts) total += amount;
  return cents(total);
}

/** Returns −amount, for example to turn a debit into a credit. */
export function negate(amount: Cents): Cents {
  return cents(-amount);
}

/** Returns the smaller of two amounts. */
export function minCents(a: Cents, b: Cents): Cents {
  return a < b ? a : b;
}

/** Returns an exact decimal from a number or text such as `9.99`. */
export function decimal(value: Decimal | number | string): Decimal {
  return new Big(value);
}

/**
 * Rounds half away from zero to `places` decimal places (0.005 → 0.01, -0.005 → -0.01). This is the only rounding rule.
 */
export function round(value: Decimal, places: number): Decimal {
  return value.round(places, Big.roundHalfUp);
}

/** Converts dollars (exact decimal) to cents, rounded half away from zero: 13.3167 → 1332. */
export function toCents(dollars: Decimal): Cents {
  return cents(Number(round(dollars.times(100), 0)));
}

/** Converts cents to dollars as an exact decimal. */
export function toDecimal(amount: Cents): Decimal {
  return new Big(amount).div(100);
}

/** Converts a decimal to whole millionths for exact proportions. Rounds to 6 decimal places. */
export function millionths(value: Decimal): bigint {
  return BigInt(round(value.times(1_000_000), 0).toFixed(0));
}

/** Returns the message for an amount or a price with fractions of a cent, or undefined if it is valid. */
export function centsFault(dollars: number | Decimal, name: 'Amount' | 'Price'): string | undefined {
  const exact = new Big(dollars).times(100);
  return exact.eq(exact.round(0)) ? undefined : `${name} has more than 2 decimal places`;
}

/** Converts dollars as a JSON number to cents: 1234.5 → 123450. Throws for more than 2 decimal places. */
export function fromDollars(dollars: number, name: 'Amount' | 'Price' = 'Amount'): Cents {
  if (!Number.isFinite(dollars)) throw new Failure('malformed', `${name} is not a number`);
  const fault = centsFault(dollars, name);
  if (fault !== undefined) throw new Failure('malformed', fault);
  const exact = new Big(dollars).times(100);
  return cents(Number(exact));
}

/** Converts cents to dollars as a JSON number: 123450 → 1234.5. Exact for every safe amount of cents. */
export function toDollars(amount: Cents): number {
  return amount / 100;
}

/**
 * Returns `part` as a percentage of the absolute value of `whole` with one decimal place: (50, −200) → "25.0". `whole`
 * must not be 0.
 */
export function percentOf(part: Cents, whole: Cents): string {
  return new Big(part).times(100).div(Math.abs(whole)).toFixed(1);
}

/** Converts cents to plain decimal text with 2 decimal places: -123450 → "-1234.50" (report cells, exports). */
export function toPlain(amount: Cents): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Converts plain decimal text to cents: "-1234.50" → -123450. The inverse of toPlain. */
export function fromPlain(text: string): Cents {
  return toCents(new Big(text));
}

/** Formats cents as US text without a currency sign: -123450 → "(1,234.50)". */
export function formatAmount(amount: Cents): string {
  const plain = toPlain(cents(Math.abs(amount)));
  const grouped = plain.replace(/\B(?=(\d{3})+(?=\.))/g, ',');
  return amount < 0 ? `(${grouped})` : grouped;
}

/**
 * Formats cents as whole dollars without a currency sign, rounded half away from zero: -123450 → "(1,235)". Totals are
 * rounded from their own cents, so rounded lines may not add up to them.
 */
export function formatWhole(amount: Cents): string {
  const dollars = Math.round(Math.abs(amount) / 100).toString();
  const grouped = dollars.replace(/\B(?=(\d{3})+$)/g, ',');
  return amount < 0 && dollars !== '0' ? `(${grouped})` : grouped;
}

/** Formats cents as US text with the dollar sign: -123450 → "($1,234.50)". */
export function formatUsd(amount: Cents): string {
  const text = formatAmount(cents(Math.abs(amount)));
  return amount < 0 ? `($${text})` : `$${text}`;
}

/** A number in US format: commas only between groups of three digits, and one decimal point. */
export const TYPED_FIGURE = /[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+/;
const TYPED_USD = new RegExp(`^(\\(?)([-−]?\\$?|\\$[-−])\\s?(${TYPED_FIGURE.source})(\\)?)$`);

/** Converts a number in US format to an exact decimal: "1,234.5" → 1234.5. */
export function typedFigure(figure: string): Decimal {
  return new Big(figure.replaceAll(',', '').replace(/\.$/, ''));
}

/**
 * Converts entered text to cents. Removes commas and the dollar sign and rounds to 2 decimal places. "(12.50)" and
 * "-12.50" are negative. Returns undefined for an ambiguous amount: "1.234,50" is not 1.23, and "1,23,4.5" is not
 * 1,234.50.
 */
export function parseUsd(text: string): Cents | undefined {
  const [, open = '', sign = '', figure, close = ''] = TYPED_USD.exec(text.trim()) ?? [];
  const isMinus = /[-−]/.test(sign);
  if (figure === undefined || open.length !== close.length || (open !== '' && isMinus)) return undefined;
  const amount = round(typedFigure(figure).times(100), 0);
  if (amount.gt(Number.MAX_SAFE_INTEGER)) return undefined;
  return cents(Number(amount) * (open !== '' || isMinus ? -1 : 1));
}

/** Returns price × quantity in cents, rounded once: 9.99 × 1.333 → 1332 (docs/accounting.md, "Invoice amounts"). */
export function extend(price: Decimal, quantity: Decimal): Cents {
  return toCents(price.times(quantity));
}

/**
 * Splits `total` in proportion to `weights` so that the parts add up exactly to the total. Each part is rounded down,
 * and the remaining cents go to the parts with the largest fractions, with ties to the lowest index (largest-remainder
 * method). Weights may be negative but must not add up to zero.
 */
export function share(total: Cents, weights: readonly number[]): Cents[] {
  const whole = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (whole === 0n) throw new Error('cannot allocate by weights that add up to zero');
  const sign = whole < 0n ? -1n : 1n;
  return roundTogether(
    weights.map((weight) => BigInt(weight) * BigInt(total) * sign),
    whole * sign,
  );
}

/**
 * Rounds exact amounts in cents so that the rounded parts have the same total as the exact amounts, which must be a
 * whole number. The amounts are numerators over one positive denominator. Each part is rounded down, and the remaining
 * cents go to the parts with the largest fractions, with ties to the lowest index.
 */
export function roundTogether(numerators: readonly bigint[], denominator: bigint): Cents[] {
  const parts = numerators.map((exact, index) => {
    const floor = floorDiv(exact, denominator);
    return { index, floor, fraction: exact - floor * denominator };
  });
  const whole = numerators.reduce((all, exact) => all + exact, 0n);
  let rest = floorDiv(whole, denominator) - parts.reduce((all, part) => all + part.floor, 0n);
  const byFraction = parts.toSorted((a, b) =>
    a.fraction === b.fraction ? a.index - b.index : a.fraction > b.fraction ? -1 : 1,
  );
  for (const part of byFraction) {
    if (rest === 0n) break;
    part.floor += 1n;
    rest -= 1n;
  }
  return parts.map((part) => cents(Number(part.floor)));
}

function floorDiv(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator !== 0n && numerator < 0n ? quotient - 1n : quotient;
}

/** Returns whether an amount is in whole dollars. */
export function isWholeDollars(amount: Cents): boolean {
  return amount % 100 === 0;
}

/** Rounds an amount to whole dollars, half away from zero. */
export function toWholeDollars(amount: Cents): Cents {
  return cents(Math.sign(amount) * Math.round(Math.abs(amount) / 100) * 100 || 0);
}

/** Splits an amount by weights, as `share` does, but into whole dollars that add up to the rounded amount. */
export function shareDollars(total: Cents, weights: readonly number[]): Cents[] {
  return share(cents(toWholeDollars(total) / 100), weights).map((part) => cents(part * 100));
}
