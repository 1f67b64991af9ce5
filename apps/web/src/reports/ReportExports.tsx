import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { csvText, harmless } from '@evenkeel/core/csv';
import { toPlain } from '@evenkeel/core/money';
import { pageRows } from '@evenkeel/core/reports/page';
import { Button } from '@mantine/core';
import { IconFileTypeCsv, IconFileTypePdf, IconFileTypeXls, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { ask as asked, messageOf, useReadNow } from '../api.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { saveFile } from '../ui/hooks/saveFile.ts';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { type ReportAsk, requestOf } from './openReports.ts';

/** The shown report as a file under its name, or on the printer. */
export function ReportExports({ ask, report }: { ask: ReportAsk; report: ReportData }) {
  const readNow = useReadNow();
  const alerts = useAlerts();
  const [busy, setBusy] = useState<string>();
  const input = { params: { reportId: ask.reportId }, body: requestOf(ask) };
  const draw = (ending: 'pdf' | 'xlsx') => {
    const wanted = ending === 'pdf' ? asked(reportCalls.reportPdf, input) : asked(reportCalls.reportExcel, input);
    setBusy(ending);
    readNow<Uint8Array>(wanted)
      .then(
        (bytes) => saveFile(`${report.title}.${ending}`, [new Uint8Array(bytes)]),
        (error: unknown) => alerts.error(messageOf(error)),
      )
      .finally(() => setBusy(undefined));
  };
  const actions = [
    { label: 'PDF', icon: <IconFileTypePdf {...ICON_SMALL} />, id: 'pdf', run: () => draw('pdf') },
    { label: 'Excel', icon: <IconFileTypeXls {...ICON_SMALL} />, id: 'xlsx', run: () => draw('xlsx') },
    { label: 'CSV', icon: <IconFileTypeCsv {...ICON_SMALL} />, id: 'csv', run: () => saveCsv(report) },
    { label: 'Print', icon: <IconPrinter {...ICON_SMALL} />, id: 'print', run: () => window.print() },
  ];
  return (
    <div className="rp-exports" role="group" aria-label="Export">
      {actions.map(({ label, icon, id, run }) => (
        <Button
          key={id}
          variant="subtle"
          size="compact-sm"
          leftSection={icon}
          loading={busy === id}
          disabled={busy !== undefined}
          onClick={run}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

function saveCsv(report: ReportData): void {
  const rows = pageRows(report).map(({ cells }) =>
    cells.map((cell) => ('text' in cell ? harmless(cell.text) : cell.amount === null ? '' : toPlain(cell.amount))),
  );
  saveFile(`${report.title}.csv`, ['\ufeff', csvText(rows)]);
}
