import type { ReactNode } from 'react';
import { useOpenFigure } from '../../records/place.ts';

export interface ExplainButtonProps {
  /** The figure's name in the address. */
  name: string;
  /** False where the session may not see what is behind it: then it is only text. */
  isAllowed?: boolean;
  /** For screen readers, where what is shown is a picture. */
  label?: string;
  children: ReactNode;
}

/** A figure that opens what is behind it. */
export function ExplainButton({ name, isAllowed = true, label, children }: ExplainButtonProps) {
  const { open } = useOpenFigure();
  const content = (
    <>
      {label !== undefined && <span className="ek-vh">{label}</span>}
      {children}
    </>
  );
  if (!isAllowed) return content;
  return (
    <button
      type="button"
      className="ek-explain"
      title={label === undefined ? 'Show the transactions in this amount' : undefined}
      aria-haspopup="dialog"
      onClick={(event) => {
        event.stopPropagation();
        open(name);
      }}
    >
      {content}
    </button>
  );
}
