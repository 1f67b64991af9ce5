import './overlay.css';
import type { ReactNode } from 'react';
import { useNarrow } from '../hooks/media.ts';

export interface SplitPaneProps {
  list: ReactNode;
  /** A SidePanel, or nothing. */
  panel?: ReactNode;
}

/** 1224 px and more: the list beside a panel of 424 px. Below: the panel over the list, below 768 px over all of it. */
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
