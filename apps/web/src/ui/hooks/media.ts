import { useSyncExternalStore } from 'react';

/** Widths in px: below 768 the menu is a drawer, from 1224 the screen is wide. */
export const NARROW = '(max-width: 767.98px)';
export const WIDE = '(min-width: 1224px)';

/** True while the media query matches; follows the window. */
export function useMedia(query: string): boolean {
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
  return useMedia(NARROW);
}

/** 1224 px and above: the list beside its panel, lines entered in their table. */
export function useWide(): boolean {
  return useMedia(WIDE);
}
