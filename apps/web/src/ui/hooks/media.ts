import { useSyncExternalStore } from 'react';

/**
 * The widths in px at which the layout changes. Style sheets can't import them and repeat them. styles.test.ts checks
 * every style sheet against this list.
 */
export const BREAKPOINTS = {
  /**
   * From here: the menu as a rail, tabs as a bar, and lists as tables. Below: drawer, drop-down, two-line rows, and
   * full-screen dialogs.
   */
  tablet: 768,
  /** The list is next to its panel, and lines are entered in their table. */
  wide: 1224,
  /**
   * A customer or vendor page next to its list has space for facts next to the activity, and for all of its buttons.
   */
  home: 1360,
  /** Two labels fit next to each other. */
  words: 361,
  /** Some of a report's filters fit in one row, and from the second width all of them. */
  filters: 909,
  allFilters: 1000,
  /** Cards and an account's totals are in two columns. */
  columns: 1024,
} as const;

/** Returns whether a media query matches. Updates with the window. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Below 768 px: drawer, drop-down tabs, two-line rows, and full-screen modals. */
export function useNarrow(): boolean {
  return useMedia(`(max-width: ${BREAKPOINTS.tablet - 0.02}px)`);
}

/** From 1360 px: a customer's or vendor's facts are next to the activity. */
export function useHomeRoom(): boolean {
  return useMedia(`(min-width: ${BREAKPOINTS.home}px)`);
}

/** From 1224 px: the list is next to its panel, and lines are entered in their table. */
export function useWide(): boolean {
  return useMedia(`(min-width: ${BREAKPOINTS.wide}px)`);
}
