import type { ReactNode } from 'react';
import { useOpenFigure } from '../../records/place.ts';

export interface ExplainButtonProps {
  /** The amount's name in the URL. */
  name: string;
  /** False if the user can't see the transactions in the amount, which is then plain text. */
  isAllowed?: boolean;
  /** The accessible name, if the content is an image. */
  label?: string;
  children: ReactNode;
}

/** An amount that the user can select to see its transactions. */
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
