import type { TourStep } from '../../ui/tour/steps.ts';
import { startTour } from '../../ui/tour/Walkthrough.tsx';

/** A screen that is not there by then shows what there is of it; ms. */
const WAIT_MS = 4000;

/** Starts a walkthrough once everything it points at is on the screen, or as much as comes within some seconds. */
export async function showMe(steps: readonly TourStep[]): Promise<void> {
  await allThere(steps.map(({ element }) => element));
  await startTour(steps.map((step) => ({ ...step, element: placeOf(step.element) })));
}

/** On a phone the first action of a page is its floating button. */
function placeOf(element: string): string {
  return element === '.ek-page-actions' && document.querySelector('.ek-fab') !== null ? '.ek-fab' : element;
}

function allThere(selectors: readonly string[]): Promise<void> {
  const isThere = () => selectors.every((selector) => document.querySelector(selector) !== null);
  // The panel that asked for it is a dialog: while it fades it would hold the focus.
  const isFree = () => document.querySelector('.ek-side') === null;
  return new Promise((resolve) => {
    const end = () => {
      changes.disconnect();
      clearTimeout(clock);
      resolve();
    };
    const look = () => (isThere() && isFree() ? end() : undefined);
    const changes = new MutationObserver(look);
    const clock = setTimeout(end, WAIT_MS);
    changes.observe(document.body, { childList: true, subtree: true });
    look();
  });
}
