import { useMemo } from 'react';
import { type Change, usePlace } from '../../records/place.ts';
import {
  type OpenReports,
  readOpenReports,
  readWhen,
  type ReportAsk,
  type When,
  whenText,
  writeOpenReports,
} from './openReports.ts';

/** Returns the next list of open reports, based on the latest list. Returning the same object means no change. */
export type OpenReportsChange = (newest: OpenReports) => OpenReports;

export interface OpenReportsPlace {
  open: OpenReports;
  /** The displayed report. */
  ask: ReportAsk | undefined;
  /** The dates selected in the report list, or undefined if the URL has none. */
  when: When | undefined;
  chooseWhen: (when: Pick<ReportAsk, 'period' | 'from' | 'to'>) => void;
  /** Applies a run or a closed tab and adds a history entry, so that Back reverts the change. */
  step: (change: OpenReportsChange) => void;
  /** Applies a tab change or new dates without adding a history entry, so that Back skips the change. */
  replace: (change: OpenReportsChange) => void;
}

/** Stores the open reports in the URL. The open details belong to the displayed report and close with it. */
export function useOpenReports(): OpenReportsPlace {
  const { query, go } = usePlace();
  return useMemo(() => {
    const open = readOpenReports(query);
    const changed = (change: OpenReportsChange) => (newest: URLSearchParams) => {
      const before = readOpenReports(newest);
      const after = change(before);
      return after === before ? {} : addressOf(after);
    };
    return {
      open,
      ask: open.active === undefined ? undefined : open.reports[open.active],
      when: readWhen(query.get('when')),
      chooseWhen: (when) => go({ when: whenText(when) }),
      step: (change) => go(changed(change), { step: [] }),
      replace: (change) => go(changed(change)),
    };
  }, [query, go]);
}

function addressOf(open: OpenReports): Change {
  const cleared = { when: undefined, figure: undefined, entry: undefined };
  return { ...writeOpenReports(open), ...cleared };
}
