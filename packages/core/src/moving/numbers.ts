import type { DocumentKind } from '../kinds/kind.ts';
import { documentKinds } from '../documents/side.ts';

/** Document numbers from another program, which new documents must not repeat. */

/** The first number of a kind, and the number after the highest number that another program assigned. */
export interface UsedNumbers {
  kind: string;
  first: number;
  next: number;
}

/**
 * The kinds whose imported documents keep their original numbers and whose new documents are numbered by the company.
 */
export const importedKinds: readonly DocumentKind[] = [documentKinds.invoice, documentKinds.creditmemo];

/** Returns the kind of a transaction by its type in another program, or undefined if its number doesn't matter. */
export function numberedKind(type: string): DocumentKind | undefined {
  if (/^((sales|customer|receivable|ar|a\/r) )?invoice$/i.test(type.trim())) return documentKinds.invoice;
  if (/^((sales|customer|receivable) )?credit ?(memo|note)$/i.test(type.trim())) return documentKinds.creditmemo;
  return undefined;
}

/**
 * Returns the numbers that documents use, by kind. Counts only numbers in the format that the company assigns and with
 * at most 9 digits, because longer numbers are usually dates or references.
 */
export function usedNumbers(documents: Iterable<{ kind: DocumentKind; number: string }>): UsedNumbers[] {
  const highest = new Map<DocumentKind, number>();
  for (const { kind, number } of documents) {
    const prefix = kind.prefix ?? '';
    const digits = number.trim().startsWith(prefix) ? number.trim().slice(prefix.length) : '';
    if (/^\d{1,9}$/.test(digits)) highest.set(kind, Math.max(highest.get(kind) ?? 0, Number(digits)));
  }
  return [...highest].flatMap(([{ source, firstNumber }, last]) =>
    firstNumber === null ? [] : [{ kind: source, first: firstNumber, next: last + 1 }],
  );
}

/** Returns whether a transaction type in another program is a check. */
export const isCheck = (type: string): boolean => /\bche(ck|que)\b|^(paycheck|billpmt)$/i.test(type.trim());
