import { reportCalls } from '@evenkeel/contract/reports';
import { reportKind } from '@evenkeel/core/reports/kinds';
import { ActionIcon, Button } from '@mantine/core';
import { IconChevronDown, IconDownload, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { reportSubject } from '../../parts/sending/subjects.ts';
import { useSending } from '../../parts/sending/useSending.tsx';
import { ask as asked, messageOf, useRead, useReadNow } from '../../client/api.ts';
import { saveReportCsv } from '../../parts/ledger/saveReportCsv.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { printPage } from '../../ui/hooks/printing.ts';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { ActionMenu } from '../../ui/overlay/ActionMenu.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { type ReportAsk, requestOf } from './openReports.ts';
import { useStars } from './useStars.ts';

export interface ReportExportsProps {
  ask: ReportAsk;
  /** Whether the button is only an icon, as on a phone. */
  isNarrow: boolean;
}

/** The star of the displayed report, and the menu that exports it to a named file, prints it, or emails it. */
export function ReportExports({ ask, isNarrow }: ReportExportsProps) {
  const readNow = useReadNow();
  const alerts = useAlerts();
  const [busy, setBusy] = useState(false);
  const input = { params: { reportId: ask.reportId }, body: requestOf(ask) };
  const { value: report } = useRead(asked(reportCalls.runReport, input));
  const title = report?.title ?? '';
  const { action, dialog } = useSending(
    ask.reportId,
    reportSubject(ask.reportId, input.body),
    'send',
    'Manage Reports',
  );
  const draw = (ending: 'pdf' | 'xlsx') => {
    const wanted = ending === 'pdf' ? asked(reportCalls.reportPdf, input) : asked(reportCalls.reportExcel, input);
    setBusy(true);
    readNow<Uint8Array>(wanted)
      .then(
        (bytes) => saveFile(`${title}.${ending}`, [new Uint8Array(bytes)]),
        (error: unknown) => alerts.error(messageOf(error)),
      )
      .finally(() => setBusy(false));
  };
  const isIdle = report === undefined || busy;
  const actions = [
    { label: 'PDF', onClick: () => draw('pdf') },
    { label: 'Excel', onClick: () => draw('xlsx') },
    { label: 'CSV', onClick: () => report && saveReportCsv(report) },
    { label: 'Print', onClick: printPage },
    ...(action === undefined ? [] : [action]),
  ];
  const button = isNarrow ? (
    <ActionIcon aria-label="Export" loading={busy} disabled={isIdle}>
      <IconDownload {...ICON} />
    </ActionIcon>
  ) : (
    <Button
      variant="default"
      leftSection={<IconDownload {...ICON_SMALL} />}
      rightSection={<IconChevronDown {...ICON_SMALL} />}
      loading={busy}
      disabled={isIdle}
    >
      Export
    </Button>
  );
  return (
    <div className="rp-exports">
      <Star reportId={ask.reportId} />
      <ActionMenu actions={actions} button={button} />
      {dialog}
    </div>
  );
}

/** Adds the displayed report to the favorites, or removes it. */
function Star({ reportId }: { reportId: number }) {
  const { starred, star } = useStars();
  const isStarred = starred.has(reportId);
  return (
    <ActionIcon
      className="rp-star"
      aria-label={`Favorite: ${reportKind(reportId)?.title ?? ''}`}
      aria-pressed={isStarred}
      onClick={() => star(reportId, !isStarred)}
    >
      {isStarred ? <IconStarFilled size={ICON.size} aria-hidden /> : <IconStar {...ICON} />}
    </ActionIcon>
  );
}
