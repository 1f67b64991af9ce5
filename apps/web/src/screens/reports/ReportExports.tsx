import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { csvText, harmless } from '@evenkeel/core/csv';
import { toPlain } from '@evenkeel/core/money';
import { type PageCell, pageRows } from '@evenkeel/core/reports/page';
import { ActionIcon, Button } from '@mantine/core';
import { IconDots, IconFileTypeCsv, IconFileTypePdf, IconFileTypeXls, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { ask as asked, messageOf, useRead, useReadNow } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { printPage } from '../../ui/hooks/printing.ts';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { ActionMenu } from '../../ui/overlay/ActionMenu.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { type ReportAsk, requestOf } from './openReports.ts';

export interface ReportExportsProps {
  ask: ReportAsk;
  /** Whether CSV and Print are in a menu, as on a phone. */
  isNarrow: boolean;
}

/** Exports the displayed report to a named file or prints it. Disabled until the report has loaded. */
export function ReportExports({ ask, isNarrow }: ReportExportsProps) {
  const readNow = useReadNow();
  const alerts = useAlerts();
  const [busy, setBusy] = useState<string>();
  const input = { params: { reportId: ask.reportId }, body: requestOf(ask) };
  const { value: report } = useRead(asked(reportCalls.runReport, input));
  const title = report?.title ?? '';
  const draw = (ending: 'pdf' | 'xlsx') => {
    const wanted = ending === 'pdf' ? asked(reportCalls.reportPdf, input) : asked(reportCalls.reportExcel, input);
    setBusy(ending);
    readNow<Uint8Array>(wanted)
      .then(
        (bytes) => saveFile(`${title}.${ending}`, [new Uint8Array(bytes)]),
        (error: unknown) => alerts.error(messageOf(error)),
      )
      .finally(() => setBusy(undefined));
  };
  const actions: Action[] = [
    { label: 'PDF', Icon: IconFileTypePdf, id: 'pdf', run: () => draw('pdf') },
    { label: 'Excel', Icon: IconFileTypeXls, id: 'xlsx', run: () => draw('xlsx') },
    { label: 'CSV', Icon: IconFileTypeCsv, id: 'csv', run: () => report && saveCsv(report) },
    { label: 'Print', Icon: IconPrinter, id: 'print', run: printPage },
  ];
  const isIdle = report === undefined || busy !== undefined;
  const shown = isNarrow ? 2 : actions.length;
  return (
    <div className="rp-exports" role="group" aria-label="Export">
      {actions.slice(0, shown).map(({ label, Icon, id, run }) => (
        <Button
          key={id}
          variant="default"
          leftSection={isNarrow ? undefined : <Icon {...ICON_SMALL} />}
          loading={busy === id}
          disabled={isIdle}
          onClick={run}
        >
          {label}
        </Button>
      ))}
      {isNarrow && (
        <ActionMenu
          actions={actions.slice(shown).map(({ label, run: onClick }) => ({ label, onClick, disabled: isIdle }))}
          button={
            <ActionIcon aria-label="More exports">
              <IconDots {...ICON} />
            </ActionIcon>
          }
        />
      )}
    </div>
  );
}

interface Action {
  label: string;
  Icon: typeof IconPrinter;
  id: string;
  run: () => void;
}

function saveCsv(report: ReportData): void {
  const rows = pageRows(report).map(({ cells }) =>
    cells.map((cell) => ('text' in cell ? plainWords(cell) : cell.amount === null ? '' : toPlain(cell.amount))),
  );
  saveFile(`${report.title}.csv`, ['\ufeff', csvText(rows)]);
}

/** Numbers in a file use plain notation: "(12.5%)" becomes -12.5%. */
function plainWords({ text, isRight }: Extract<PageCell, { text: string }>): string {
  const less = isRight === true ? /^\(([\d.]+%)\)$/.exec(text)?.[1] : undefined;
  return less === undefined ? harmless(text) : `-${less}`;
}
