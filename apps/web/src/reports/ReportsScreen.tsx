import './reports.css';
import { addMonths, type IsoDate } from '@evenkeel/core/dates';
import { reportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { TransactionModal } from '../ledger/TransactionModal.tsx';
import { useNarrow } from '../ui/hooks/media.ts';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { SplitPane } from '../ui/overlay/SplitPane.tsx';
import { Page } from '../ui/page/Page.tsx';
import { ChooseCustomer, needsCustomer } from './ChooseCustomer.tsx';
import { EntriesPanel } from './EntriesPanel.tsx';
import {
  closeReport,
  CUSTOM,
  openReport,
  type OpenReports,
  readOpenReports,
  replaceReport,
  type ReportAsk,
  textOf,
  writeOpenReports,
} from './openReports.ts';
import { useReport } from './queries.ts';
import { ReportAccordion } from './ReportAccordion.tsx';
import { ReportExports } from './ReportExports.tsx';
import type { ChosenFigure } from './reportRows.ts';
import { PANE_ID, ReportTabs, tabId } from './ReportTabs.tsx';
import { ReportToolbar } from './ReportToolbar.tsx';
import { ReportViewer } from './ReportViewer.tsx';
import { useOnceLoaded } from './useOnceLoaded.ts';
import { useRerun } from './useRerun.ts';
import { type RunSettings, useRunSettings } from './useRunSettings.ts';

/** A report that was asked for, and what a field that asked for it makes of the settings. */
type Asked = [reportId: number, patch?: Partial<RunSettings>];

interface Changed {
  /** The pane that was shown. */
  of: string;
  patch: Partial<RunSettings>;
}

const NO_REPORT = { report: undefined, isBusy: false, chosen: undefined, onFigure: undefined };

/** /reports: what is run, the open reports, the one that is shown (Specification part 2 §2 "Reports screen"). */
export function ReportsScreen() {
  const { open, ask, go } = useOpenReports();
  const [complaint, setComplaint] = useState<string>();
  const [sheet, setSheet] = useState(false);
  const narrow = useNarrow();
  const { again, paneKey, openedAs } = useRerun(open, (to) => go(to, true));
  const next = useRunSettings(ask, openedAs);
  const focusTab = useFocusAfter(open);
  const { settings } = next;
  const opening = useOnceLoaded<Asked>(next, (all) =>
    go(all.reduce((before, asked) => openReport(before, next.askFor(...asked)), open)),
  );
  const changing = useOnceLoaded<Changed>(next, (all) => {
    const last = all.at(-1);
    if (ask !== undefined && last?.of === paneKey) again(next.askFor(ask.reportId, last.patch));
  });
  const run = (reportId: number | undefined) => {
    if (reportId === undefined) return setComplaint('Please Select a Report to Run');
    const asked = next.askFor(reportId);
    if (reportKind(reportId)?.of === 'customer' && asked.customerId === undefined) {
      next.change({ reportId });
      return setComplaint('Please Select a Customer');
    }
    opening.ask([reportId]);
  };
  const change = (patch: Partial<RunSettings>) => {
    setComplaint(undefined);
    next.change(patch);
    // There is no Run beside the fields of a phone; a customer who was asked for is its answer.
    if (!narrow) return;
    if (patch.customerId !== undefined && settings.reportId !== ask?.reportId) {
      opening.ask([reportKinds.customerStatement.id, patch]);
    } else if (ask !== undefined) changing.ask({ of: paneKey, patch });
  };
  const toolbar = (
    <ReportToolbar
      isNarrow={narrow}
      complaint={complaint}
      onRun={() => run(settings.reportId)}
      settings={settings}
      onSettings={change}
      isRanged={next.isRanged}
      dimensions={next.dimensions}
    />
  );
  return (
    <Page
      title="Reports"
      primary={narrow ? { label: 'Run Report', onClick: () => setSheet(true) } : undefined}
      aside={
        ask === undefined || needsCustomer(ask) ? undefined : (
          <ReportExports key={textOf(ask)} ask={ask} isNarrow={narrow} />
        )
      }
    >
      {!narrow && toolbar}
      <ReportTabs
        open={open}
        onShow={(index) => go({ ...open, active: index }, true)}
        onClose={(index) => focusTab(() => go(closeReport(open, index)))}
        onCloseAll={() => focusTab(() => go({ reports: [], active: undefined }))}
      />
      {narrow && toolbar}
      {ask === undefined && opening.isWaiting ? (
        <ReportViewer {...NO_REPORT} error={next.error} onRetry={next.retry} />
      ) : ask === undefined ? (
        <NothingOpen onRun={(reportId) => focusTab(() => run(reportId))} />
      ) : needsCustomer(ask) ? (
        <ChooseCustomer
          index={open.active ?? 0}
          onChoose={(customerId) => go(replaceReport(open, { ...ask, customerId }), true)}
        />
      ) : (
        <ReportPane
          key={paneKey}
          index={open.active ?? 0}
          ask={ask}
          onRunAsk={(asked) => go(openReport(open, asked))}
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

/** The open reports are in the address: each run and each closing is a step that Back takes back. */
function useOpenReports() {
  const [query, setQuery] = useSearchParams();
  const open = readOpenReports(query);
  const ask = open.active === undefined ? undefined : open.reports[open.active];
  return { open, ask, go: (to: OpenReports, replace = false) => setQuery(writeOpenReports(to), { replace }) };
}

const NOTHING_ID = 'no-reports';

/** What is done here takes the focused button away: the tab that is then shown has the focus, or the words instead. */
function useFocusAfter({ reports, active }: OpenReports): (act: () => void) => void {
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    document.getElementById(active === undefined ? NOTHING_ID : tabId(active))?.focus();
  }, [reports.length, active]);
  return (act) => {
    isWanted.current = true;
    act();
  };
}

function NothingOpen({ onRun }: { onRun: (reportId: number) => void }) {
  return (
    <div className="rp-none">
      <div className="rp-none-words">
        <h2 id={NOTHING_ID} tabIndex={-1}>
          No Reports to Display
        </h2>
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
  const [transactionId, setTransactionId] = useState<number>();
  // Of a report that was run again no figure is chosen.
  const figure = chosen?.of === textOf(ask) ? chosen.figure : undefined;
  // One transaction is opened at once; behind any other figure are entries.
  const open = (wanted: ChosenFigure) => {
    if (wanted.source.transactionId === undefined) setChosen({ of: textOf(ask), figure: wanted });
    else setTransactionId(wanted.source.transactionId);
  };
  const statement = (customerId: number) =>
    onRunAsk({
      ...ask,
      reportId: reportKinds.customerStatement.id,
      period: CUSTOM,
      from: addMonths(ask.to, -12),
      customerId,
      compare: undefined,
    });
  const earnings = (from: IsoDate, to: IsoDate) =>
    onRunAsk({ ...ask, reportId: reportKinds.profitAndLoss.id, compare: undefined, period: CUSTOM, from, to });
  return (
    <SplitPane
      list={
        <div
          className="rp-scroll"
          data-print=""
          id={PANE_ID}
          role="tabpanel"
          aria-labelledby={tabId(index)}
          tabIndex={0}
        >
          <ReportViewer
            report={report}
            error={wrongDates(ask) ?? error}
            onRetry={retry}
            isBusy={isBusy}
            chosen={figure?.key}
            onFigure={open}
          />
          {transactionId !== undefined && (
            <TransactionModal transactionId={transactionId} onClose={() => setTransactionId(undefined)} />
          )}
        </div>
      }
      panel={
        figure !== undefined &&
        report !== undefined && (
          <EntriesPanel
            key={figure.key}
            report={report}
            figure={figure}
            onFigure={open}
            onClose={() => setChosen(undefined)}
            onEarnings={earnings}
            onStatement={reportKind(ask.reportId)?.group === 'Billing' ? statement : undefined}
          />
        )
      }
    />
  );
}

function wrongDates({ reportId, from, to }: ReportAsk): string | undefined {
  const isWrong = reportKind(reportId)?.dates === 'range' && from > to;
  return isWrong ? 'The start date must not be after the report date' : undefined;
}
