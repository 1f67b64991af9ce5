import { type Reconciliation, reconciliationCalls } from '@evenkeel/contract/reconciliation';
import type { ReportData } from '@evenkeel/contract/reports';
import { formatDate } from '@evenkeel/core/dates';
import { type ComponentType, useState } from 'react';
import { ask, messageOf, send, useClearCache, useRead, useReadNow, useStale } from '../../client/api.ts';
import { attachmentsFormOf } from '../../parts/attachments/attachmentForm.ts';
import { AttachedFiles } from '../../parts/attachments/AttachmentList.tsx';
import { usePdf } from '../../parts/documents/panel/usePdf.tsx';
import { saveReportCsv } from '../../parts/ledger/saveReportCsv.ts';
import { useManages } from '../../records/active.tsx';
import { FoldedHistory } from '../../records/History.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { FooterBar } from '../../ui/overlay/FooterBar.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { progressOf, reconciliationOf, reportOf } from './banking.ts';

/** The component that renders a report as a printed page. */
export type ReportPart = ComponentType<{
  report: ReportData | undefined;
  error: string | undefined;
  onRetry: () => void;
  isBusy: boolean;
  chosen: string | undefined;
  onFigure: undefined;
}>;

export interface ReconciliationReportProps {
  id: number;
  Report: ReportPart;
  onClose: () => void;
}

const TOLD = { alert: 'There was an error loading your data!' };
const SEQUENCE = 'Reconciliations must be deleted sequentially.';

/** The report for a saved reconciliation, which can be printed. The newest reconciliation can be deleted. */
export function ReconciliationReport({ id, Report, onClose }: ReconciliationReportProps) {
  const one = useRead(reconciliationOf(id), TOLD);
  const report = useRead(reportOf(id), TOLD);
  const date = one.value === undefined ? '' : formatDate(one.value.reconciliationDate);
  // The number counts only this account's reconciliations, but IDs are numbered across all accounts.
  const title = one.value === undefined ? 'Reconciliation' : `Reconciliation ${one.value.number}`;
  const paper = ask(reconciliationCalls.reconciliationReportPdf, { params: { id } });
  const pdf = usePdf(paper, {
    title,
    fileName: `reconciliation-${id}.pdf`,
  });
  const readNow = useReadNow();
  const alerts = useAlerts();
  const savePdf = () =>
    readNow(paper).then(
      (bytes) => saveFile(`${title}.pdf`, [new Uint8Array(bytes)]),
      (failure: unknown) => alerts.error(messageOf(failure)),
    );
  const exports = [
    { label: 'PDF', onClick: () => void savePdf() },
    { label: 'CSV', onClick: () => report.value && saveReportCsv(report.value), disabled: report.value === undefined },
    { label: 'Print', onClick: pdf.open },
  ];
  const error = one.error ?? report.error;
  const retry = () => void Promise.all([one.retry(), report.retry()]);
  return (
    <Page
      title={title}
      meta={date === '' ? undefined : `Statement dated ${date}`}
      secondary={[{ label: 'Export', menu: exports }]}
      onClose={onClose}
    >
      <div className="bk-report" role="region" aria-label="Report" tabIndex={0}>
        <Report
          report={one.value === undefined ? undefined : report.value}
          error={error}
          onRetry={retry}
          isBusy={false}
          chosen={undefined}
          onFigure={undefined}
        />
        {one.value !== undefined && one.value.documentLinks.length > 0 && (
          <div className="bk-report-files">
            <AttachedFiles links={attachmentsFormOf(one.value.documentLinks)} />
          </div>
        )}
        {/* Hidden until the report loads, because this element would otherwise move. */}
        {one.value !== undefined && report.value !== undefined && (
          <div className="bk-report-files">
            <p className="ek-muted ek-small">Reconciliation ID {id}</p>
            <FoldedHistory kind="reconciliation" id={id} />
          </div>
        )}
      </div>
      {one.value !== undefined && <Foot one={one.value} onDeleted={onClose} />}
      {pdf.panel}
    </Page>
  );
}

function Foot({ one, onDeleted }: { one: Reconciliation; onDeleted: () => void }) {
  const manages = useManages('Manage Banking');
  const alerts = useAlerts();
  const forget = useClearCache();
  const stale = useStale();
  const [busy, setBusy] = useState(false);
  if (!manages) return null;
  const run = async () => {
    setBusy(true);
    try {
      const params = { id: one.reconciliationID };
      await send(ask(reconciliationCalls.deleteReconciliation, { params, query: {} }));
      alerts.success('Recon deleted');
      // The reconciliation no longer exists, and its cleared entries belong to the reconciliation in progress again.
      forget(reconciliationOf(one.reconciliationID));
      forget(reportOf(one.reconciliationID));
      forget(progressOf(one.bankAccountID));
      onDeleted();
      stale();
    } catch (error) {
      alerts.error(messageOf(error));
      setBusy(false);
    }
  };
  const date = formatDate(one.reconciliationDate);
  const question = `Delete the reconciliation dated ${date}? You can then select its entries again.`;
  return (
    <FooterBar
      total={one.isDeletable ? undefined : <span className="ek-muted">{SEQUENCE}</span>}
      remove={{ question, onConfirm: () => void run(), busy, disabled: !one.isDeletable }}
    />
  );
}
