import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { MenuAction } from '../overlay/MenuBox.tsx';

/** A list on a page, with its actions in the page's ⋯ menu. */
export interface PageList {
  label: string;
  /** Called when the menu opens. */
  actions: () => readonly MenuAction[];
}

/** Adds a list to the page's ⋯ menu, and returns a function that removes it. Undefined outside a page. */
export const PageLists = createContext<((list: PageList) => () => void) | undefined>(undefined);

/**
 * Puts a list's actions into the ⋯ menu of its page. Returns false if the list isn't on a page, for example in a
 * dialog, and has to show the actions itself.
 */
export function usePageList(label: string, actions: readonly MenuAction[]): boolean {
  const add = useContext(PageLists);
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const count = actions.length;
  useLayoutEffect(
    () => (count === 0 ? undefined : add?.({ label, actions: () => latest.current })),
    [add, label, count],
  );
  return add !== undefined;
}
