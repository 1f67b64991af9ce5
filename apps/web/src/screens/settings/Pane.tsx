import { type ReactNode, useEffect, useRef } from 'react';

export interface PaneProps {
  label: string;
  /** Whether the part gets the focus, because the control that opened it is gone. */
  takesFocus?: boolean;
  /** Shown below the column, for example the save bar. */
  foot?: ReactNode;
  children: ReactNode;
}

/** The column of a part, which scrolls. */
export function Pane({ label, takesFocus = false, foot, children }: PaneProps) {
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) column.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <div className="st-main">
      <div className="st-scroll" ref={column} role="region" aria-label={label} tabIndex={0}>
        <div className="st-column">{children}</div>
      </div>
      {foot}
    </div>
  );
}
