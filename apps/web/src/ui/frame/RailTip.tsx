import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/** The delay before a tooltip opens, in ms. */
const SHOW_MS = 250;
const HIDE_MS = 400;

/**
 * Returns the tooltip for an icon in the rail, shown on hover and focus. The icon's link already has an accessible
 * name.
 */
export function useRailTip(label: string, enabled: boolean) {
  const [place, setPlace] = useState<{ left: number; top: number }>();
  const clock = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(clock.current), []);
  if (!enabled) return { handlers: {}, tip: null };
  const later = (ms: number, run: () => void) => {
    clearTimeout(clock.current);
    clock.current = setTimeout(run, ms);
  };
  const enter = ({ currentTarget }: PointerEvent | FocusEvent) => {
    const { right, top, height } = currentTarget.getBoundingClientRect();
    later(SHOW_MS, () => setPlace({ left: right + 8, top: top + height / 2 }));
  };
  const leave = () => later(HIDE_MS, () => setPlace(undefined));
  const tip = place !== undefined && (
    <span className="ek-rail-tip" aria-hidden="true" style={place}>
      {label}
    </span>
  );
  return {
    handlers: { onPointerEnter: enter, onPointerLeave: leave, onFocus: enter, onBlur: leave },
    tip: tip === false ? null : createPortal(tip, document.body),
  };
}
