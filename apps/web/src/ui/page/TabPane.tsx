import type { ReactNode } from 'react';
import { goToUnread } from '../fields/unread.ts';
import { useSwipe } from '../hooks/swipe.ts';

export interface TabPaneProps {
  /** The prefix for element IDs. Use the same prefix as for Tabs. */
  idBase: string;
  value: string;
  /** Called with +1 for a swipe to the left (the next tab) and -1 for a swipe to the right. */
  onSwipe?: ((step: 1 | -1) => void) | undefined;
  children: ReactNode;
}

/** The content of a tab. A swipe of at least 150 px moves to an adjacent tab. */
export function TabPane({ idBase, value, onSwipe, children }: TabPaneProps) {
  const swipe = useSwipe((step) => {
    if (!goToUnread('[role="dialog"]')) onSwipe?.(step);
  });
  return (
    <div
      role="tabpanel"
      id={`${idBase}-pane`}
      aria-labelledby={`${idBase}-tab-${value}`}
      className="ek-pane"
      {...(onSwipe === undefined ? {} : swipe)}
    >
      {children}
    </div>
  );
}
