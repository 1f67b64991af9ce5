import 'driver.js/dist/driver.css';
import './tour.css';
import { driver } from 'driver.js';
import type { TourStep } from './steps.ts';

/** Shows the steps one by one, and then returns the focus to the element that had it before. */
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
    // Back on the first step also ends the walkthrough.
    onPrevClick: () => (tour.hasPreviousStep() ? tour.movePrevious() : tour.destroy()),
    onPopoverRender: ({ previousButton }) => {
      previousButton.disabled = false;
      previousButton.classList.remove('driver-popover-btn-disabled');
    },
    // The library marks the element as if it opened a dialog, which isn't valid for a group or a label.
    onHighlighted: (element) => {
      for (const name of ['aria-haspopup', 'aria-expanded', 'aria-controls']) element?.removeAttribute(name);
    },
    onDestroyed: () => {
      if (before instanceof HTMLElement) before.focus();
    },
  });
  tour.drive();
}
