import { useEffect, useEffectEvent, useState } from 'react';
import { type OpenReports, replaceReport, type ReportAsk, textOf } from './openReports.ts';

/** A date is typed sign by sign: what stands still for so long is run. */
const SETTLED_MS = 500;

/**
 * Runs the shown report again in its tab. `again` may be called for each sign that is typed; the last call counts,
 * unless another report is shown by then. `paneKey` stays what it was, so that the last answer is shown until the new
 * one is there.
 */
export function useRerun(open: OpenReports, go: (to: OpenReports) => void) {
  const { active } = open;
  const ask = active === undefined ? undefined : open.reports[active];
  const now = `${active ?? ''} ${ask === undefined ? '' : textOf(ask)}`;
  const [wanted, want] = useState<{ of: string; ask: ReportAsk }>();
  const [kept, keep] = useState<{ of: string; key: string }>();
  const paneKey = kept?.of === now ? kept.key : now;
  const rerun = useEffectEvent(() => {
    if (wanted?.of !== now) return;
    keep({ of: `${active ?? ''} ${textOf(wanted.ask)}`, key: paneKey });
    go(replaceReport(open, wanted.ask));
  });
  useEffect(() => {
    if (wanted === undefined) return;
    const timer = setTimeout(() => rerun(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  return { paneKey, again: (next: ReportAsk) => want({ of: now, ask: next }) };
}
