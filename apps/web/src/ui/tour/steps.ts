/** A step of a walkthrough. */
export interface TourStep {
  /** A CSS selector. Steps whose element isn't on the screen are skipped. */
  element: string;
  title: string;
  text: string;
  side?: 'top' | 'bottom' | 'left' | 'right';
}
