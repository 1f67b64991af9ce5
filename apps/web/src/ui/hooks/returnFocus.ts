import { useEffect, useRef } from 'react';

/**
 * Gives the focus back to what had it when `opened` began, also when the part is simply removed from the screen
 * instead of being closed first.
 */
export function useReturnFocus(opened: boolean): void {
  const before = useRef<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (opened && before.current === null) before.current = document.activeElement;
  useEffect(() => {
    clearTimeout(timer.current);
    if (!opened) return;
    return () => {
      const opener = before.current;
      timer.current = setTimeout(() => {
        before.current = null;
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      });
    };
  }, [opened]);
}
