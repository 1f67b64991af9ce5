import { type RefObject, useLayoutEffect } from 'react';

/** The possible places, in order of preference. alerts.css defines their positions. */
const PLACES = ['top', 'middle', 'bottom'] as const;

/** The elements that alerts must not cover: the title and actions of a page, dialog, or panel. */
const KEPT_FREE = '.ek-page-head h1, .ek-page-actions, .ek-fab, .ek-foot, .ek-modal-head';

function covers(box: DOMRect, element: Element): boolean {
  const other = element.getBoundingClientRect();
  if (other.width === 0 || other.height === 0) return false;
  return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
}

/** Moves the alerts to the first free place. Checks again when a dialog opens or the window changes. */
export function useFreePlace(place: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  useLayoutEffect(() => {
    const alerts = place.current;
    if (alerts === null || shown.length === 0) return undefined;
    const choose = () => {
      const kept = [...document.querySelectorAll(KEPT_FREE)];
      const isFree = (name: string) => {
        alerts.setAttribute('data-place', name);
        const box = alerts.getBoundingClientRect();
        return kept.every((element) => !covers(box, element));
      };
      if (PLACES.find(isFree) === undefined) alerts.setAttribute('data-place', PLACES[0]);
    };
    choose();
    const dialogs = new MutationObserver(choose);
    dialogs.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('resize', choose);
    return () => {
      dialogs.disconnect();
      window.removeEventListener('resize', choose);
    };
  }, [place, shown]);
}
