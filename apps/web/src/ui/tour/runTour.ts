import 'driver.js/dist/driver.css';
import './tour.css';
import { driver } from 'driver.js';
import type { TourStep } from './steps.ts';

/** Shows the steps one after the other; returns the focus to where it was. */
export function runTour(steps: readonly TourStep[]): void {
  const before = document.activeElement;
  const tour = driver({
    steps: steps.map((step) => ({
      element: step.element,
      popover: { title: step.title, description: step.text, side: step.side ?? 'bottom', align: 'start' },
    })),
    popoverClass: 'ek-tour',
    showProgress: true,
    progressText: '{{current}} of {{total}}',
    nextBtnText: 'Next',
    prevBtnText: 'Back',
    doneBtnText: 'Done',
    animate: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    stagePadding: 6,
    stageRadius: 8,
    // Back on the first step leaves as well (going past either end exits).
    onPrevClick: () => (tour.hasPreviousStep() ? tour.movePrevious() : tour.destroy()),
    onPopoverRender: ({ previousButton }) => {
      previousButton.disabled = false;
      previousButton.classList.remove('driver-popover-btn-disabled');
    },
    // The library marks the element as if it opened a dialog, which a group or a label may not claim.
    onHighlighted: (element) => {
      for (const name of ['aria-haspopup', 'aria-expanded', 'aria-controls']) element?.removeAttribute(name);
    },
    onDestroyed: () => {
      if (before instanceof HTMLElement) before.focus();
    },
  });
  tour.drive();
}
