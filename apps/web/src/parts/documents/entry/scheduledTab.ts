import type { ReactNode } from 'react';

/** The tab of what comes again, as a screen lays it out. */
export interface Scheduled {
  add: { label: string; onClick: () => void } | undefined;
  list: (filter: string) => ReactNode;
  panel: ReactNode;
  /** The form over the page. */
  form: ReactNode;
}
