import './overlay.css';
import type { ReactNode } from 'react';
import { useNarrow } from '../hooks/media.ts';

export interface SplitPaneProps {
  list: ReactNode;
  /** A SidePanel, or nothing. */
  panel?: ReactNode;
}

/**
 * Shows a list and a panel. At 1224 px and wider, they are next to each other, and the panel is 424 px wide.
 * Below 1224 px, the panel is on top of the list, and below 768 px, it covers the list completely.
 */
export function SplitPane({ list, panel }: SplitPaneProps) {
  const narrow = useNarrow();
  const open = panel !== undefined && panel !== null && panel !== false;
  return (
    <div className="ek-split" data-open={open ? '' : undefined}>
      <div className="ek-split-list" inert={narrow && open}>
        {list}
      </div>
      {open && panel}
    </div>
  );
}
