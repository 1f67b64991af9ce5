import { useEffect, useEffectEvent } from 'react';
import { isTyped } from './keys.ts';

const OVER = '[role="dialog"], [role="menu"], [role="listbox"]';

/**
 * Handles keyboard shortcuts of a step before the app's own shortcuts. `onKey` returns whether it handled the key.
 * Ignores keys that are typed into a field without Ctrl or ⌘, and all keys while a dialog or list is open.
 */
export function useKeysHere(onKey: (event: KeyboardEvent) => boolean): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector(OVER) !== null) return;
    if (isTyped(event.target) && !event.ctrlKey && !event.metaKey) return;
    if (onKey(event)) event.preventDefault();
  });
  useEffect(() => {
    const listening = new AbortController();
    const listener = (event: KeyboardEvent) => hear(event);
    // The search also listens for `/` on the window, and its listener was registered first.
    window.addEventListener('keydown', listener, { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, []);
}
