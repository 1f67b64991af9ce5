import type { TourStep } from '../../ui/tour/steps.ts';
import { startTour } from '../../ui/tour/Walkthrough.tsx';

/** The maximum wait in ms, after which the walkthrough starts with the elements that exist. */
const WAIT_MS = 4000;

/**
 * Starts a walkthrough as soon as all of its elements are on the screen, or after a few seconds with the elements that
 * have appeared.
 */
export async function showMe(steps: readonly TourStep[]): Promise<void> {
  await allThere(steps.map(({ element }) => element));
  await startTour(steps.map((step) => ({ ...step, element: placeOf(step.element) })));
}

/** On a phone, a page's first action is its floating button. */
function placeOf(element: string): string {
  return element === '.ek-page-actions' && document.querySelector('.ek-fab') !== null ? '.ek-fab' : element;
}

function allThere(selectors: readonly string[]): Promise<void> {
  const isThere = () => selectors.every((selector) => document.querySelector(selector) !== null);
  // The help panel is a dialog, which would otherwise keep the focus while it fades out.
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
