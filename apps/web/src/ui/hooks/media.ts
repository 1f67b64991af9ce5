import { useSyncExternalStore } from 'react';

/**
 * Widths in px from which the face is another one. Style sheets cannot read them: they repeat them, and styles.test.ts
 * holds every sheet to this list.
 */
export const BREAKPOINTS = {
  /** Menu as a rail, tabs as a bar, lists as tables; below: drawer, drop-down, two-line rows, full-screen dialogs. */
  tablet: 768,
  /** The list stands beside its panel, and lines are entered in their table. */
  wide: 1224,
  /** A home beside its list has room for facts beside what happened, and for all of its buttons. */
  home: 1360,
  /** Two words have room side by side. */
  words: 361,
  /** The filters of a report have room beside each other, first some, then all. */
  filters: 909,
  allFilters: 1000,
  /** Cards and an account's figures stand in two columns. */
  columns: 1024,
} as const;

/** True while the media query matches; follows the window. */
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

/** Below 768 px: drawer, drop-down tabs, two-line rows, full-screen modals. */
export function useNarrow(): boolean {
  return useMedia(`(max-width: ${BREAKPOINTS.tablet - 0.02}px)`);
}

/** 1360 px and above: the facts of a home stand beside what happened. */
export function useHomeRoom(): boolean {
  return useMedia(`(min-width: ${BREAKPOINTS.home}px)`);
}

/** 1224 px and above: the list beside its panel, lines entered in their table. */
export function useWide(): boolean {
  return useMedia(`(min-width: ${BREAKPOINTS.wide}px)`);
}
