import type { ReactNode } from 'react';
import { PageLists } from './pageLists.ts';

/**
 * Lists inside this component, for example in a dialog, show their actions themselves instead of in the page's ⋯ menu.
 */
export function OwnLists({ children }: { children: ReactNode }) {
  return <PageLists value={undefined}>{children}</PageLists>;
}
