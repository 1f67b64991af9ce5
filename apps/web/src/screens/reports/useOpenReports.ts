import { useMemo } from 'react';
import { type Change, usePlace } from '../../records/place.ts';
import { type OpenReports, readOpenReports, type ReportAsk, textOf } from './openReports.ts';

/** Makes of the newest open reports the next ones. An unchanged object means no change. */
export type OpenReportsChange = (newest: OpenReports) => OpenReports;

export interface OpenReportsPlace {
  open: OpenReports;
  /** The report that is shown. */
  ask: ReportAsk | undefined;
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
      step: (change) => go(changed(change), { step: [] }),
      replace: (change) => go(changed(change)),
    };
  }, [query, go]);
}

function addressOf({ reports, active }: OpenReports): Change {
  return {
    report: reports.map(textOf),
    active: active === undefined || active === 0 ? undefined : active,
    figure: undefined,
    entry: undefined,
  };
}
