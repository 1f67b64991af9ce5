import { type ReactNode, useRef } from 'react';
import { useNarrow } from '../hooks/media.ts';
import { useOverflow } from '../hooks/overflow.ts';
import { type BarAction, type BarActions, BarButtons, BarMenu, tightened, useBar } from './ActionBar.tsx';

export type FooterAction = BarAction;

export interface FooterBarProps extends BarActions {
  /** A total or hint next to the menu. On a phone and in a narrow dialog, it is above the buttons. */
  total?: ReactNode;
  /** An error that stays next to the button that caused it. */
  error?: ReactNode;
}

/**
 * The footer of a modal or panel: the ⋯ menu with Delete last, then at most two buttons, of which the filled one is the
 * user's next step. The footer never wraps: if space is limited, the bordered button moves into the menu.
 */
export function FooterBar({ total, error, ...actions }: FooterBarProps) {
  const narrow = useNarrow();
  const row = useRef<HTMLDivElement>(null);
  const { bar, question } = useBar(actions);
  const missing = useOverflow(row, bar.buttons.map(({ label }) => label).join());
  if (question !== undefined) return question;
  const shown = missing === 0 ? bar : tightened(bar);
  const isAbove = narrow || missing > 1;
  const words = total !== undefined && <div className="ek-foot-total">{total}</div>;
  return (
    <div className="ek-foot">
      {error !== undefined && error !== null && <div className="ek-foot-error">{error}</div>}
      {isAbove && words}
      <div ref={row} className="ek-foot-row">
        <BarMenu bar={shown} position="top-start" size={narrow ? 48 : 36} />
        {!isAbove && words}
        <span className="ek-foot-space" />
        <BarButtons bar={shown} />
      </div>
    </div>
  );
}
