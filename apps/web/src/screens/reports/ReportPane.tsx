import { addMonths, type IsoDate } from '@evenkeel/core/dates';
import { reportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import type { ReportData } from '@evenkeel/contract/reports';
import { pageRows } from '@evenkeel/core/reports/page';
import { useMemo } from 'react';
import { TransactionModal } from '../../parts/ledger/TransactionModal.tsx';
import { useOpenRecord } from '../../records/openRecord.ts';
import { useOpenFigure } from '../../records/place.ts';
import { SidePanel } from '../../ui/overlay/SidePanel.tsx';
import { SplitPane } from '../../ui/overlay/SplitPane.tsx';
import { EntriesPanel } from './EntriesPanel.tsx';
import { figureNamed, nameOfFigure, wordsOfName } from './figureName.ts';
import { CUSTOM, type ReportAsk } from './openReports.ts';
import { takenFrom } from './parameters.ts';
import { useReport } from './queries.ts';
import type { ChosenFigure } from './reportRows.ts';
import { PANE_ID, tabId } from './ReportTabs.tsx';
import { ReportViewer } from './ReportViewer.tsx';

export interface ReportPaneProps {
  index: number;
  ask: ReportAsk;
  onRunAsk: (ask: ReportAsk) => void;
}

/**
 * The displayed report, with the entries in the selected amount next to it and the transaction from the URL on top of
 * it.
 */
export function ReportPane({ index, ask, onRunAsk }: ReportPaneProps) {
  const { value: report, error, retry, isStale: isBusy } = useReport(ask);
  const wrong = wrongDates(ask) ?? error;
  const drill = useDrill(report);
  const { figure, entry } = drill;
  return (
    <>
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
              error={wrong}
              onRetry={retry}
              isBusy={isBusy}
              chosen={figure?.key}
              onFigure={drill.open}
            />
          </div>
        }
        panel={
          drill.name === undefined || wrong !== undefined ? undefined : figure === undefined || report === undefined ? (
            <NoFigure name={drill.name} isComing={report === undefined || isBusy} onClose={drill.close} />
          ) : (
            <EntriesPanel
              key={figure.key}
              report={report}
              figure={figure}
              onFigure={drill.open}
              onEntry={entry.open}
              onClose={drill.close}
              {...runsOf(ask, onRunAsk)}
            />
          )
        }
      />
      {entry.id !== undefined && <TransactionModal transactionId={entry.id} onClose={entry.close} />}
    </>
  );
}

/** Stores the selected amount, by name, and the open transaction in the URL. */
function useDrill(report: ReportData | undefined) {
  const { name, open, close } = useOpenFigure();
  const entry = useOpenRecord('entry', { hasNew: false });
  const rows = useMemo(() => (report === undefined ? [] : pageRows(report)), [report]);
  const figure = useMemo(() => (name === undefined ? undefined : figureNamed(rows, name)), [rows, name]);
  return {
    name,
    figure,
    entry,
    close,
    // A single transaction opens directly. Other amounts open their entries.
    open: (wanted: ChosenFigure) => {
      if (wanted.source.transactionId !== undefined) return entry.open(wanted.source.transactionId);
      const next = nameOfFigure(rows, wanted);
      if (next !== undefined) open(next);
    },
  };
}

interface NoFigureProps {
  name: string;
  /** Whether the report is still loading. */
  isComing: boolean;
  onClose: () => void;
}

/**
 * Reserves the space for the panel while the report loads. Shows a message if the report has no amount with this name.
 */
function NoFigure({ name, isComing, onClose }: NoFigureProps) {
  return (
    <SidePanel title={wordsOfName(name)} onClose={onClose}>
      {isComing ? <p role="status">Loading...</p> : <p>This amount is no longer in the report.</p>}
    </SidePanel>
  );
}

/** Returns the reports that can be opened from the entries in an amount. */
function runsOf(ask: ReportAsk, onRunAsk: (ask: ReportAsk) => void) {
  const run = (change: Partial<ReportAsk>) =>
    onRunAsk({ ...ask, period: CUSTOM, ...takenFrom([], undefined), ...change });
  const { customerStatement, profitAndLoss } = reportKinds;
  const from = addMonths(ask.to, -12);
  return {
    onEarnings: (first: IsoDate, to: IsoDate) => run({ reportId: profitAndLoss.id, from: first, to }),
    onStatement:
      reportKind(ask.reportId)?.group === 'Billing'
        ? (customerId: number) => run({ reportId: customerStatement.id, from, customerId })
        : undefined,
  };
}

function wrongDates({ reportId, from, to }: ReportAsk): string | undefined {
  const isWrong = reportKind(reportId)?.dates === 'range' && from > to;
  return isWrong ? 'The start date must be on or before the report date' : undefined;
}
