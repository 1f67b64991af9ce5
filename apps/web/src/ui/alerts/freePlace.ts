import { type RefObject, useLayoutEffect } from 'react';

/** The possible places, in order of preference. alerts.css defines their positions. */
const PLACES = ['top', 'middle', 'bottom', 'bottom-start', 'bottom-end'] as const;

/** The elements that alerts must not cover: titles, tabs, buttons, action bars, footers, and filter fields. */
const KEPT_FREE =
  'h1, h2, [role="tab"], button, .mantine-Button-root, .ek-page-actions, .ek-fab, .ek-foot, .ek-modal-head, .ek-filter';

/** Returns the elements to keep free. While a dialog is open, only its own elements can be reached. */
function keptFree(alerts: Element): Element[] {
  const dialog = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1);
  return [...(dialog ?? document).querySelectorAll(KEPT_FREE)].filter((element) => !alerts.contains(element));
}

function covers(box: DOMRect, element: Element): boolean {
  const other = element.getBoundingClientRect();
  if (other.width === 0 || other.height === 0) return false;
  return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
}

/**
 * Moves the alerts to the first free place, or to the place where they cover the fewest elements. Checks again when a
 * dialog opens or the window changes.
 */
export function useFreePlace(place: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  useLayoutEffect(() => {
    const alerts = place.current;
    if (alerts === null || shown.length === 0) return undefined;
    const choose = () => {
      const kept = keptFree(alerts);
      const coveredAt = (name: string) => {
        alerts.setAttribute('data-place', name);
        const box = alerts.getBoundingClientRect();
        return kept.filter((element) => covers(box, element)).length;
      };
      let best: { name: string; covered: number } | undefined;
      for (const name of PLACES) {
        const covered = coveredAt(name);
        if (best === undefined || covered < best.covered) best = { name, covered };
        if (covered === 0) break;
      }
      alerts.setAttribute('data-place', best?.name ?? PLACES[0]);
    };
    let frame = 0;
    const chooseSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(choose);
    };
    choose();
    const dialogs = new MutationObserver(chooseSoon);
    dialogs.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('resize', chooseSoon);
    return () => {
      dialogs.disconnect();
      window.removeEventListener('resize', chooseSoon);
      cancelAnimationFrame(frame);
    };
  }, [place, shown]);
}
