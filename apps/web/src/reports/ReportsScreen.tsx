import './reports.css';
import type { IsoDate } from '@evenkeel/core/dates';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useNarrow } from '../ui/hooks/media.ts';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { SplitPane } from '../ui/overlay/SplitPane.tsx';
import { Page } from '../ui/page/Page.tsx';
import { EntriesPanel } from './EntriesPanel.tsx';
import {
  changeReport,
  closeReport,
  CUSTOM,
  openReport,
  type OpenReports,
  readOpenReports,
  type ReportAsk,
  textOf,
  writeOpenReports,
} from './openReports.ts';
import { useReport } from './queries.ts';
import { ReportAccordion } from './ReportAccordion.tsx';
import { PROFIT_AND_LOSS, reportKind } from './reportList.ts';
import { PANE_ID, ReportTabs, tabId } from './ReportTabs.tsx';
import { ReportToolbar } from './ReportToolbar.tsx';
import { type ChosenFigure, ReportViewer } from './ReportViewer.tsx';
import { type RunSettings, useRunSettings } from './useRunSettings.ts';

/** /reports: what is run, the open reports, the one that is shown (Specification part 2 §2 "Reports screen"). */
export function ReportsScreen() {
  const screen = useReportsScreen();
  const narrow = useNarrow();
  const [sheet, setSheet] = useState(false);
  const { open, ask, run } = screen;
  return (
    <Page title="Reports" primary={narrow ? { label: 'Run Report', onClick: () => setSheet(true) } : undefined}>
      <ReportToolbar
        hasPicker={!narrow}
        reportId={screen.reportId ?? null}
        onReport={screen.choose}
        complaint={screen.complaint}
        onRun={() => run(screen.reportId)}
        canRun={screen.canRun}
        settings={screen.settings}
        onSettings={screen.change}
        isRanged={reportKind(ask?.reportId ?? screen.reportId ?? PROFIT_AND_LOSS)?.isRanged === true}
        dimensions={screen.dimensions}
      />
      <ReportTabs open={open} onShow={screen.show} onClose={screen.close} onCloseAll={screen.closeAll} />
      {ask === undefined ? (
        <NothingOpen onRun={run} />
      ) : (
        <ReportPane
          key={`${open.active ?? 0} ${ask.reportId}`}
          index={open.active ?? 0}
          ask={ask}
          onRunAsk={screen.runAsk}
        />
      )}
      {sheet && (
        <AppModal opened onClose={() => setSheet(false)} title="Run Report">
          <ReportAccordion
            onRun={(reportId) => {
              setSheet(false);
              run(reportId);
            }}
          />
        </AppModal>
      )}
    </Page>
  );
}

/** The open reports are in the address: each change is a step that Back takes back, changes of dates are not. */
function useReportsScreen() {
  const [query, setQuery] = useSearchParams();
  const open = readOpenReports(query);
  const ask = open.active === undefined ? undefined : open.reports[open.active];
  const next = useRunSettings();
  const [reportId, setReportId] = useState(ask?.reportId);
  const [complaint, setComplaint] = useState<string>();
  const go = (to: OpenReports, replace = false) => setQuery(writeOpenReports(to), { replace });
  const settings: RunSettings = ask ?? next.settings;
  const choose = (id: number | null) => {
    setReportId(id ?? undefined);
    setComplaint(undefined);
  };
  const runAsk = (asked: ReportAsk) => {
    choose(asked.reportId);
    go(openReport(open, asked));
  };
  return {
    open,
    ask,
    reportId,
    complaint,
    settings,
    dimensions: next.dimensions,
    canRun: next.isLoaded,
    choose,
    runAsk,
    run: (id: number | undefined) => {
      if (id === undefined) return setComplaint('Please Select a Report to Run');
      if (next.isLoaded) runAsk(next.askFor(id, settings));
    },
    change: (patch: Partial<RunSettings>) => {
      const changed = { ...settings, ...patch };
      next.remember(changed);
      if (ask !== undefined) go(changeReport(open, next.askFor(ask.reportId, changed)), true);
    },
    show: (index: number) => {
      choose(open.reports[index]?.reportId ?? null);
      go({ ...open, active: index }, true);
    },
    close: (index: number) => go(closeReport(open, index)),
    closeAll: () => go({ reports: [], active: undefined }),
  };
}

function NothingOpen({ onRun }: { onRun: (reportId: number) => void }) {
  return (
    <div className="rp-none">
      <div className="rp-none-words">
        <h2>No Reports to Display</h2>
        <p className="ek-second">Please Select a Report to Run</p>
      </div>
      <ReportAccordion onRun={onRun} />
    </div>
  );
}

interface ReportPaneProps {
  index: number;
  ask: ReportAsk;
  onRunAsk: (ask: ReportAsk) => void;
}

/** The report that is shown, beside it the entries behind a chosen figure. */
function ReportPane({ index, ask, onRunAsk }: ReportPaneProps) {
  const { report, error, retry, isBusy } = useReport(ask);
  const [chosen, setChosen] = useState<{ of: string; figure: ChosenFigure }>();
  const figure = chosen?.of === textOf(ask) ? chosen.figure : undefined;
  const choose = (next: ChosenFigure) => setChosen({ of: textOf(ask), figure: next });
  const earnings = (from: IsoDate, to: IsoDate) =>
    onRunAsk({ ...ask, reportId: PROFIT_AND_LOSS, period: CUSTOM, from, to });
  return (
    <SplitPane
      list={
        <div className="rp-scroll" id={PANE_ID} role="tabpanel" aria-labelledby={tabId(index)} tabIndex={0}>
          <ReportViewer
            report={report}
            error={wrongDates(ask) ?? error}
            onRetry={retry}
            isBusy={isBusy}
            chosen={figure?.key}
            onFigure={choose}
          />
        </div>
      }
      panel={
        figure !== undefined &&
        report !== undefined && (
          <EntriesPanel
            key={figure.key}
            report={report}
            figure={figure}
            onFigure={choose}
            onClose={() => setChosen(undefined)}
            onEarnings={earnings}
          />
        )
      }
    />
  );
}

function wrongDates({ reportId, from, to }: ReportAsk): string | undefined {
  const isWrong = reportKind(reportId)?.isRanged === true && from > to;
  return isWrong ? 'The start date must not be after the report date' : undefined;
}
