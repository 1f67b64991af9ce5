import { useSyncExternalStore } from 'react';

/** Widths in px: up to 480 the menu closes on navigation, below 768 it is a drawer, from 1224 the screen is wide. */
export const PHONE = '(max-width: 480px)';
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

/** 480 px and below. */
export function usePhone(): boolean {
  return useMedia(PHONE);
}

/** Below 768 px: drawer, drop-down tabs, two-line rows, full-screen modals. */
export function useNarrow(): boolean {
  return useMedia(NARROW);
}

/** 1224 px and above: the list beside its panel, lines entered in their table. */
export function useWide(): boolean {
  return useMedia(WIDE);
}
