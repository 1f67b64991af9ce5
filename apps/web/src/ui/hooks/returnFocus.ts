import { useEffect, useRef } from 'react';

/**
 * Returns the focus to the element that had it when `opened` became true, even if the component is unmounted without
 * closing first.
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
