import { useEffect, useEffectEvent } from 'react';
import { type KeyAct, keyAct } from './work.ts';

const FIELDS = 'input:not([type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"]';
const OVER = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Returns whether the focused element itself handles a key. */
function isTheirs(target: EventTarget | null, { act }: KeyAct): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest(FIELDS) !== null) return true;
  const isRadio = target.matches('input');
  if (act === 'up' || act === 'down') return isRadio;
  if (act !== 'accept' || isRadio) return false;
  // While the heading of the open bank transaction or the selected tab has the focus, Enter runs that transaction's
  // button.
  const isFree = target.matches('[data-open] .rv-head, [role="tab"][aria-selected="true"]');
  return target.closest('button, a, summary') !== null && !isFree;
}

/** Handles the review's keyboard shortcuts. They work unless a field has the focus or a dialog is open. */
export function useReviewKeys(onAct: (act: KeyAct) => void, isOn: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = keyAct(event.key);
    if (act === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTheirs(event.target, act) || document.querySelector(OVER) !== null) return;
    event.preventDefault();
    // Only arrow keys repeat while they are held. Other keys act on only one transaction.
    if (!event.repeat || act.act === 'up' || act.act === 'down') onAct(act);
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [isOn]);
}
