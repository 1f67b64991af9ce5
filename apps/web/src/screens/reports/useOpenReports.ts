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

/** Makes of the newest open reports the next ones. An unchanged object means no change. */
export type OpenReportsChange = (newest: OpenReports) => OpenReports;

export interface OpenReportsPlace {
  open: OpenReports;
  /** The report that is shown. */
  ask: ReportAsk | undefined;
  /** The dates chosen beside the board; undefined where the address says none. */
  when: When | undefined;
  chooseWhen: (when: Pick<ReportAsk, 'period' | 'from' | 'to'>) => void;
  /** A run, a closing: Back undoes it. */
  step: (change: OpenReportsChange) => void;
  /** Another tab, the same tab for other dates: Back passes it by. */
  replace: (change: OpenReportsChange) => void;
}

/** The open reports stand in the address; what is drilled into belongs to the shown one and closes with it. */
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
