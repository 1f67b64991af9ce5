import { useEffect, useEffectEvent } from 'react';

const FIELDS = 'input:not([type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"]';
const OVER = '[role="dialog"], [role="menu"], [role="listbox"]';

interface ReviewKeys<K extends { act: string }> {
  /** Returns the action that a key triggers. `accept`, `up`, and `down` have the same meaning in every review. */
  read: (key: string) => K | undefined;
  /**
   * The selector for the heading of the open record. While the heading or the selected tab has the focus, Enter accepts
   * the record.
   */
  head: string;
  isOn: boolean;
  onAct: (act: K) => void;
}

/** Handles a review's keyboard shortcuts. They work unless a field has the focus or a dialog is open. */
export function useReviewKeys<K extends { act: string }>({ read, head, isOn, onAct }: ReviewKeys<K>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = read(event.key);
    if (act === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTheirs(event.target, act, head) || document.querySelector(OVER) !== null) return;
    event.preventDefault();
    // Only arrow keys repeat while they are held. Other keys act on only one record.
    if (!event.repeat || act.act === 'up' || act.act === 'down') onAct(act);
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [isOn]);
}

/** Returns whether the focused element itself handles a key. */
function isTheirs(target: EventTarget | null, { act }: { act: string }, head: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest(FIELDS) !== null) return true;
  const isRadio = target.matches('input');
  if (act === 'up' || act === 'down') return isRadio;
  if (act !== 'accept' || isRadio) return false;
  const isFree = target.matches(`${head}, [role="tab"][aria-selected="true"]`);
  return target.closest('button, a, summary') !== null && !isFree;
}
