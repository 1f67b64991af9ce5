import './reports.css';
import { reportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import { Suspense, useEffect, useRef, useState } from 'react';
import { usePlace } from '../../records/place.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { ChooseCustomer, needsCustomer } from './ChooseCustomer.tsx';
import {
  closeReport,
  openReport,
  type OpenReports,
  replaceReport,
  showBoard,
  showReport,
  textOf,
} from './openReports.ts';
import { ReportBoard } from './ReportBoard.tsx';
import { ReportExports } from './ReportExports.tsx';
import { ReportPane } from './ReportPane.tsx';
import { ReportTabs, tabId } from './ReportTabs.tsx';
import { ReportToolbar } from './ReportToolbar.tsx';
import { ReportViewer } from './ReportViewer.tsx';
import { useOnceLoaded } from './useOnceLoaded.ts';
import { useOpenReports } from './useOpenReports.ts';
import { useRerun } from './useRerun.ts';
import { type RunSettings, useRunSettings } from './useRunSettings.ts';

const SentReports = lazyPart(async () => (await import('./SentReports.tsx')).default);

/** A requested report, and the settings changed by the field that requested the report. */
type Asked = [reportId: number, patch?: Partial<RunSettings>];

const NONE: OpenReports = { reports: [], active: undefined };

interface Changed {
  /** The pane that was displayed when the settings changed. */
  of: string;
  patch: Partial<RunSettings>;
}

const NO_REPORT = { report: undefined, isBusy: false, chosen: undefined, onFigure: undefined };

/** /reports: the run settings, the open reports, and the displayed report. */
export function ReportsScreen() {
  const place = useOpenReports();
  const { open, ask, step, replace } = place;
  const { query, go } = usePlace();
  const [complaint, setComplaint] = useState<string>();
  const [sheet, setSheet] = useState(false);
  const narrow = useNarrow();
  const { again, paneKey, openedAs } = useRerun(open, replace);
  const next = useRunSettings(place, openedAs);
  const focusTab = useFocusAfter(open);
  const { settings } = next;
  const opening = useOnceLoaded<Asked>(next, (all) =>
    step((newest) => all.reduce((before, asked) => openReport(before, next.askFor(...asked)), newest)),
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
    // A phone has no Run button, so selecting the requested customer runs the report.
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
      isWaiting={!next.isLoaded && next.error === undefined}
      dimensions={next.dimensions}
    />
  );
  return (
    <Page
      title="Reports"
      secondary={[{ label: 'Sent Reports', onClick: () => go({ sent: 1 }, { step: ['sent'] }), icon: null }]}
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
        onShow={(index) => replace((newest) => showReport(newest, index))}
        onBoard={() => focusTab(() => replace(showBoard))}
        onClose={(index) => focusTab(() => step((newest) => closeReport(newest, index, open)))}
        onCloseAll={() => focusTab(() => step(() => NONE))}
      />
      {narrow && toolbar}
      {ask === undefined && opening.isWaiting ? (
        <ReportViewer {...NO_REPORT} error={next.error} onRetry={next.retry} />
      ) : ask === undefined ? (
        <Board hasOpen={open.reports.length > 0} onRun={(reportId) => focusTab(() => run(reportId))} />
      ) : needsCustomer(ask) ? (
        <ChooseCustomer
          index={open.active ?? 0}
          onChoose={(customerId) => replace((newest) => replaceReport(newest, { ...ask, customerId }))}
        />
      ) : (
        <ReportPane
          key={paneKey}
          index={open.active ?? 0}
          ask={ask}
          onRunAsk={(asked) => step((newest) => openReport(newest, asked))}
        />
      )}
      {query.has('sent') && (
        <Suspense fallback={null}>
          <SentReports onClose={() => go({ sent: undefined })} />
        </Suspense>
      )}
      {sheet && (
        <AppModal opened onClose={() => setSheet(false)} title="Run Report">
          <ReportBoard
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

const BOARD_ID = 'all-reports';

/**
 * Runs an action that removes the focused button. The focus moves to the next displayed tab, or to the message for an
 * empty screen.
 */
function useFocusAfter({ reports, active }: OpenReports): (act: () => void) => void {
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    document.getElementById(active === undefined ? BOARD_ID : tabId(active))?.focus();
  }, [reports.length, active]);
  return (act) => {
    isWanted.current = true;
    act();
  };
}

function Board({ hasOpen, onRun }: { hasOpen: boolean; onRun: (reportId: number) => void }) {
  return (
    <div className="rp-none">
      <div className="rp-none-words">
        <h2 id={BOARD_ID} tabIndex={-1}>
          {hasOpen ? 'All Reports' : 'No Reports to Display'}
        </h2>
        <p className="ek-second">Please Select a Report to Run</p>
      </div>
      <ReportBoard onRun={onRun} />
    </div>
  );
}
