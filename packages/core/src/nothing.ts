/** The placeholder for a missing value on screens, in documents, and in files. */
export const NOTHING = '–';

/** Returns the text, or the placeholder if the text is empty. */
export function orNothing(words: string | null | undefined): string {
  return words === undefined || words === null || words === '' ? NOTHING : words;
}
