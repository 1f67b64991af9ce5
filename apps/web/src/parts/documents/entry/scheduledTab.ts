import type { ReactNode } from 'react';

/** The parts of the Scheduled tab that a screen places in its layout. */
export interface Scheduled {
  add: { label: string; onClick: () => void } | undefined;
  list: (filter: string) => ReactNode;
  panel: ReactNode;
  /** The form, which opens on top of the page. */
  form: ReactNode;
}
