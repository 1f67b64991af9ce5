import { catalogue, filled, type ScreenPlaces } from '../../apps/web/src/testing/catalogue.ts';
import { daysAgo, today } from './books.ts';
import type { Saved } from './oneOfEach.ts';

/** Path and heading of each screen. */
export const SCREENS = catalogue.map(({ path, heading }) => [path, heading] as const);

export type Part = 'makes' | 'edits' | 'shows';

/** A place of the catalogue over these books. */
export interface Place {
  address: string;
  /** As the catalogue has it, e.g. `/billing?edit={invoice}`. */
  name: string;
}

/** All that opens on the screens of the catalogue, of these parts of it; `saved` has the ids. */
export function placesIn(saved: Saved, ...parts: readonly Part[]): Place[] {
  const of = (subject: string): string | number => {
    const words: Record<string, string> = { from: daysAgo(300), to: today(), income: 'Income' };
    const found = words[subject] ?? saved[subject];
    if (found === undefined) throw new Error(`these books have no ${subject}`);
    return found;
  };
  return catalogue.flatMap((screen: ScreenPlaces) =>
    parts
      .flatMap((part) => screen[part])
      .map((query) => ({ address: filled(screen.path, query, of), name: `${screen.path}?${query}` })),
  );
}

/** Forms of something new, and those of the company's own; reminders have no box before their first step. */
export const newForms = (saved: Saved): Place[] => [
  ...placesIn(saved, 'makes'),
  ...placesIn(saved, 'edits').filter(({ name }) => !name.includes('{') && !name.endsWith('reminders=1')),
];
