import { useCallback, useMemo, useSyncExternalStore } from 'react';

/**
 * The widths in px at which the layout changes. Style sheets can't import these widths, so they repeat them.
 * styles.test.ts checks every style sheet against this list.
 */
export const BREAKPOINTS = {
  /**
   * At this width and above, the menu is a rail, tabs are a bar, and lists are tables. Below it, the layout uses a
   * drawer, a drop-down, two-line rows, and full-screen dialogs.
   */
  tablet: 768,
  /** At this width and above, the list is next to its panel, and lines are entered in their table. */
  wide: 1224,
  /**
   * At this width and above, a customer or vendor page next to its list has room for the details next to the activity
   * and for all of its buttons.
   */
  home: 1360,
  /** At this width and above, two labels fit next to each other. */
  words: 361,
  /** At this width and above, a report next to its panel has room for its amounts. */
  report: 1000,
  /** At this width and above, cards and an account's totals are in two columns. */
  columns: 1024,
} as const;

/** Returns whether a media query matches. Updates when the window changes. */
function useMedia(query: string): boolean {
  const list = useMemo(() => window.matchMedia(query), [query]);
  // A new function would subscribe again after every render.
  const subscribe = useCallback(
    (changed: () => void) => {
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}

/** Returns true below 768 px, where the layout has a drawer, drop-down tabs, two-line rows, and full-screen modals. */
export function useNarrow(): boolean {
  return useMedia(`(max-width: ${BREAKPOINTS.tablet - 0.02}px)`);
}

/** Returns true from 1360 px, where a customer's or vendor's details are next to the activity. */
export function useHomeRoom(): boolean {
  return useMedia(`(min-width: ${BREAKPOINTS.home}px)`);
}

/** Returns true from 1224 px, where the list is next to its panel, and lines are entered in their table. */
export function useWide(): boolean {
  return useMedia(`(min-width: ${BREAKPOINTS.wide}px)`);
}
