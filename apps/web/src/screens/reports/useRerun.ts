import { useEffect, useEffectEvent, useState } from 'react';
import { type OpenReports, replaceReport, type ReportAsk, textOf } from './openReports.ts';
import type { OpenReportsChange } from './useOpenReports.ts';

/** The delay in ms before an edited date runs the report. */
const SETTLED_MS = 500;

/**
 * Runs the displayed report again in its tab. `again` can be called for each key press. The last call applies, unless
 * another report is displayed by then. `paneKey` doesn't change, so that the last response stays visible until the new
 * one arrives. `openedAs` is the report's text before it ran again, so that further edits still belong to the report.
 */
export function useRerun(open: OpenReports, replace: (change: OpenReportsChange) => void) {
  const { active } = open;
  const ask = active === undefined ? undefined : open.reports[active];
  const textNow = ask === undefined ? '' : textOf(ask);
  const now = shownAs(open);
  const [wanted, want] = useState<{ of: string; ask: ReportAsk }>();
  // The URL changes a moment later. Until then, the report is identified by its previous text.
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

/** Distinguishes the displayed report from others, including the same report in another tab. */
function shownAs({ reports, active }: OpenReports): string {
  const ask = active === undefined ? undefined : reports[active];
  return `${active ?? ''} ${ask === undefined ? '' : textOf(ask)}`;
}
