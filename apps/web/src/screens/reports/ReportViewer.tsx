import './reports.css';
import type { ReportData } from '@evenkeel/contract/reports';
import { columnCount, pageRows } from '@evenkeel/core/reports/page';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { useNarrow } from '../../ui/hooks/media.ts';
import { usePrinting } from '../../ui/hooks/printing.ts';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Lines } from '../../ui/show/Lines.tsx';
import { useRoom } from '../../ui/table/useRoom.ts';
import { denseColumns, WIDE } from './pageColumns.ts';
import { PageTable } from './PageTable.tsx';
import type { ChosenFigure } from './reportRows.ts';

export interface ReportViewerProps {
  report: ReportData | undefined;
  error: string | undefined;
  onRetry: () => void;
  /** Whether a new response is loading while the last one stays visible. */
  isBusy: boolean;
  chosen: string | undefined;
  /** Omitted to show plain amounts. */
  onFigure: ((figure: ChosenFigure) => void) | undefined;
}

/** A report as a printed page. */
export function ReportViewer(props: ReportViewerProps) {
  // Measured while the report is still loading, so that thousands of rows are laid out only once.
  const place = useRef<HTMLDivElement>(null);
  const room = useRoom(place);
  return (
    <>
      <div className="rp-room" ref={place} />
      <Viewed {...props} room={room} />
    </>
  );
}

/** The space in px on both sides of the page. */
const EDGES = 48;

/** The width of the page in px, or 0 if unknown. */
interface Room {
  room: number;
}

function Viewed({ room, ...props }: ReportViewerProps & Room) {
  const { report, error, onRetry, isBusy } = props;
  const isPlain = useNarrow();
  const isPrinting = usePrinting();
  const rows = useMemo(() => (report === undefined ? [] : pageRows(report)), [report]);
  const columns = useMemo(() => columnCount(rows), [rows]);
  const found = useMemo(() => denseColumns(rows, columns, room === 0 ? 0 : room + EDGES), [rows, columns, room]);
  const dense = isPlain || isPrinting ? undefined : found;
  if (error !== undefined) return <LoadError message={error} onRetry={onRetry} />;
  if (report === undefined) {
    return (
      <p className="rp-loading" role="status">
        Loading data...
      </p>
    );
  }
  return (
    <article
      className="rp-page"
      data-wide={dense === undefined && columns > WIDE ? '' : undefined}
      data-dense={dense === undefined ? undefined : ''}
      style={dense && { minWidth: dense.widths.reduce((all, width) => all + width, 0) }}
      aria-label={report.title}
      aria-busy={isBusy}
      data-busy={isBusy ? '' : undefined}
    >
      <PageHead report={report} isWhole={dense?.isWhole === true} />
      <PageTable report={report} room={room} dense={dense} chosen={props.chosen} onFigure={props.onFigure} />
    </article>
  );
}

function LoadError({ message, onRetry }: { message: string; onRetry: () => void }) {
  const retry = (
    <Button variant="default" leftSection={<IconRefresh {...ICON_SMALL} />} onClick={onRetry}>
      Retry
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState title="Error loading data..." hint={message} action={retry} />
    </div>
  );
}

/** The company and title on the left, and the other header lines on the right. */
function PageHead({ report, isWhole }: { report: ReportData; isWhole: boolean }) {
  const [company, title, ...rest] = report.reportHeaderItems.map((item) => item.headerText);
  return (
    <header className="rp-head">
      <div>
        <div className="ek-semi">{company}</div>
        <h2>{title ?? report.title}</h2>
      </div>
      <div className="rp-head-more">
        <Lines texts={isWhole ? [...rest, 'Whole dollars, rounded from cents'] : rest} />
      </div>
    </header>
  );
}
