import { catalogue, filled, type ScreenPlaces } from '../../apps/web/src/testing/catalogue.ts';
import { daysAgo, today } from './books.ts';
import type { Saved } from './oneOfEach.ts';

/** The path and heading of each screen. */
export const SCREENS = catalogue.map(({ path, heading }) => [path, heading] as const);

export type Part = 'makes' | 'edits' | 'shows';

/** A URL in the catalog, with the IDs of records in these books. */
export interface Place {
  address: string;
  /** The name in the catalog, for example `/billing?edit={invoice}`. */
  name: string;
}

/** Returns all URLs in these parts of the catalog. `saved` contains the IDs. */
export function placesIn(saved: Saved, ...parts: readonly Part[]): Place[] {
  const of = (subject: string): string | number => {
    const words: Record<string, string> = { from: daysAgo(300), to: today(), income: 'Income' };
    const found = words[subject] ?? saved[subject];
    if (found === undefined) throw new Error(`the company has no ${subject}`);
    return found;
  };
  return catalogue.flatMap((screen: ScreenPlaces) =>
    parts
      .flatMap((part) => screen[part])
      .map((query) => ({ address: filled(screen.path, query, of), name: `${screen.path}?${query}` })),
  );
}

/** Returns the forms for new records, and the company's own forms, which need no record ID. */
export const newForms = (saved: Saved): Place[] => [
  ...placesIn(saved, 'makes'),
  ...placesIn(saved, 'edits').filter(({ name }) => !name.includes('{')),
];

/** The settings sections whose forms are on the page. */
export const PAGE_FORMS = ['/settings?tab=email', '/settings?tab=reminders'];
