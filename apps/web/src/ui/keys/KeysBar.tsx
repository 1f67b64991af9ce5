import './keys.css';
import type { ReactNode } from 'react';

interface KeysBarProps {
  /** The accessible name of the shortcuts, for example `Actions for this bank transaction`. */
  label: string;
  /** The shortcuts, as KeyButtons. */
  children: ReactNode;
  /** The amounts on the right. They are never truncated. */
  aside?: ReactNode;
}

/** The keyboard shortcuts of a review, each as a button that has the same label. */
export function KeysBar({ label, children, aside }: KeysBarProps) {
  return (
    <div className="ek-keysbar">
      <div className="ek-keysbar-room">
        <div className="ek-keysbar-acts" role="toolbar" aria-label={label}>
          {children}
        </div>
      </div>
      {aside}
    </div>
  );
}
