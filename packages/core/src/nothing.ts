/** Shown where there is no value, on screens, in documents, and in files. */
export const NOTHING = '–';

/** Returns the text, or a dash if it is empty. */
export function orNothing(words: string | null | undefined): string {
  return words === undefined || words === null || words === '' ? NOTHING : words;
}
