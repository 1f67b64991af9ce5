/**
 * The lists in another program, other than accounts and names, whose records the user matches with records in Evenkeel.
 */

export const MOVE_LISTS = ['tax', 'paymentType', 'terms', 'product'] as const;
export type MoveListKind = (typeof MOVE_LISTS)[number];

/**
 * A decision: a new record, no record, or the ID of an existing one. For terms, the number of days until a payment is
 * due.
 */
export const CREATE_RECORD = 'create';
export const SKIP_RECORD = 'skip';

const USUAL_DAYS = [0, 10, 15, 30, 45, 60, 90];

/**
 * Returns the number of days until a payment is due, or undefined for terms without a number of days, such as
 * "Prepaid".
 */
export function daysOfTerms(terms: string): number | undefined {
  const days = /\b(?:net|n)\s*(\d{1,3})\b/i.exec(terms)?.[1] ?? /\b(\d{1,3})\s*days?\b/i.exec(terms)?.[1];
  if (days !== undefined) return Number(days);
  return /due (up)?on receipt|immediate/i.test(terms) ? 0 : undefined;
}

/** Returns the choices for payment terms: no terms, the usual numbers of days, and the given numbers of days. */
export function termsChoices(days: readonly number[]): { value: string; label: string }[] {
  const all = [...new Set([...USUAL_DAYS, ...days])].toSorted((a, b) => a - b);
  return [
    { value: SKIP_RECORD, label: 'No terms' },
    ...all.map((count) => ({ value: String(count), label: count === 0 ? 'Due on receipt' : `Net ${count}` })),
  ];
}
