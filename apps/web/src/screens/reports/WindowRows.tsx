import { Fragment, type ReactNode } from 'react';
import type { PageRow } from './reportRows.ts';
import type { ReportWindow } from './useReportWindow.ts';

interface WindowRowsProps {
  rows: readonly PageRow[];
  /** The number of columns that the empty space covers. */
  span: number;
  window: Pick<ReportWindow, 'slices' | 'after'>;
  draw: (row: PageRow, index: number) => ReactNode;
}

/** The rendered rows of a window, with empty space in place of the other rows. */
export function WindowRows({ rows, span, window: { slices, after }, draw }: WindowRowsProps) {
  return (
    <>
      {slices.map(({ index, gap }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <Fragment key={row.key}>
            {gap > 0 && <Gap height={gap} span={span} />}
            {draw(row, index)}
          </Fragment>
        );
      })}
      {after > 0 && <Gap height={after} span={span} />}
    </>
  );
}

function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tr className="rp-gap" aria-hidden="true">
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}

/** The message for a report without lines. */
export function EmptyRow({ rows, columns }: { rows: readonly PageRow[]; columns: number }) {
  if (rows.some((row) => row.look === 'line')) return null;
  return (
    <tr data-look="note">
      <td colSpan={columns}>No entries on these dates.</td>
    </tr>
  );
}
