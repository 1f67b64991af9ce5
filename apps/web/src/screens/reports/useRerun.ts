import { useEffect, useEffectEvent, useState } from 'react';
import { type OpenReports, replaceReport, type ReportAsk, textOf } from './openReports.ts';
import type { OpenReportsChange } from './useOpenReports.ts';

/** A date is typed sign by sign: what stands still for so long is run. */
const SETTLED_MS = 500;

/**
 * Runs the shown report again in its tab. `again` may be called for each sign that is typed; the last call counts,
 * unless another report is shown by then. `paneKey` stays what it was, so that the last answer is shown until the new
 * one is there; `openedAs` is the report's text before it was run again, so that what is typed meanwhile stays its own.
 */
export function useRerun(open: OpenReports, replace: (change: OpenReportsChange) => void) {
  const { active } = open;
  const ask = active === undefined ? undefined : open.reports[active];
  const textNow = ask === undefined ? '' : textOf(ask);
  const now = shownAs(open);
  const [wanted, want] = useState<{ of: string; ask: ReportAsk }>();
  // The address changes a moment after this does: until then the report is shown by its text from before.
  const [kept, keep] = useState<{ of: readonly string[]; key: string; openedAs: string }>();
  const { key: paneKey, openedAs } = kept?.of.includes(now) === true ? kept : { key: now, openedAs: textNow };
  const rerun = useEffectEvent(() => {
    if (wanted?.of !== paneKey) return;
    keep({ of: [now, `${active ?? ''} ${textOf(wanted.ask)}`], key: paneKey, openedAs });
    replace((newest) => (shownAs(newest) === now ? replaceReport(newest, wanted.ask) : newest));
  });
  useEffect(() => {
    if (wanted === undefined) return;
    const timer = setTimeout(() => rerun(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  return { paneKey, openedAs, again: (next: ReportAsk) => want({ of: paneKey, ask: next }) };
}

/** Tells one shown report from another, also from the same one in another tab. */
function shownAs({ reports, active }: OpenReports): string {
  const ask = active === undefined ? undefined : reports[active];
  return `${active ?? ''} ${ask === undefined ? '' : textOf(ask)}`;
}
