import './show.css';
import type { ReactNode } from 'react';

/** The main amount of a card or panel with a muted note next to it. */
export function Figure({ children, note }: { children: ReactNode; note?: ReactNode }) {
  return (
    <div className="ek-figure">
      <span className="ek-figure-value">{children}</span>
      {note !== undefined && <span className="ek-muted ek-small">{note}</span>}
    </div>
  );
}
