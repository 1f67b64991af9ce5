/** One step of a walkthrough. */
export interface TourStep {
  /** A css selector; steps whose element is not on the screen are left out. */
  element: string;
  title: string;
  text: string;
  side?: 'top' | 'bottom' | 'left' | 'right';
}
