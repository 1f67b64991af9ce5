import { useEffect, useEffectEvent } from 'react';
import { type KeyAct, keyAct } from './work.ts';

const FIELDS = 'input:not([type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"]';
const OVER = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Whether a key belongs to what has the focus. */
function isTheirs(target: EventTarget | null, { act }: KeyAct): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest(FIELDS) !== null) return true;
  const isRadio = target.matches('input');
  if (act === 'up' || act === 'down') return isRadio;
  if (act !== 'accept' || isRadio) return false;
  // The head of the open line has the focus while one works on it: Enter does what its button says.
  return target.closest('button, a, summary') !== null && !target.matches('[data-open] .rv-head');
}

/** The keys of the review. They work while no field has the focus and nothing lies over the page. */
export function useReviewKeys(onAct: (act: KeyAct) => void, isOn: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = keyAct(event.key);
    if (act === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTheirs(event.target, act) || document.querySelector(OVER) !== null) return;
    event.preventDefault();
    // Only arrow keys repeat while they are held. Other keys act on one line.
    if (!event.repeat || act.act === 'up' || act.act === 'down') onAct(act);
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [isOn]);
}
