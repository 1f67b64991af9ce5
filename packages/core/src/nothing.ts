/** Stands where there is nothing to show: on screens, on paper and in files alike. */
export const NOTHING = '–';

/** Words, or the dash where there are none. */
export function orNothing(words: string | null | undefined): string {
  return words === undefined || words === null || words === '' ? NOTHING : words;
}
