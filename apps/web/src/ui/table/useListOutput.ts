import { useEffect, useRef, useState } from 'react';
import { useAlerts } from '../alerts/Alerts.tsx';
import { printPage } from '../hooks/printing.ts';
import type { MenuAction } from '../overlay/MenuBox.tsx';
import { usePageList } from '../page/pageLists.ts';
import type { Column } from './columns.ts';
import type { RowsResult } from './useRows.ts';
import { isKey } from '../keys/keys.ts';

/** The maximum number of rows to print. */
export const MOST_PRINTED = 20_000;

/** Saves or prints a list. */
export interface ListOutput {
  /** Export CSV and Print List, and Select on a phone. */
  actions: readonly MenuAction[];
  /** Whether the list shows its own actions. True if it isn't on a page with a ⋯ menu. */
  isOwn: boolean;
  /** The progress message, or undefined if nothing is running. */
  progress: string | undefined;
}

/**
 * Saves or prints a list with its filter and sort order. All rows of a long list are loaded first. Also handles the
 * browser's print shortcut (Ctrl+P), because the browser's own printing can't wait for the rows. `mode` is the action
 * that starts or ends selecting rows.
 */
export function useListOutput<Row extends object>(
  label: string,
  columns: readonly Column<Row>[],
  { all, count, isPart, hold }: RowsResult<Row>,
  mode?: MenuAction,
): ListOutput {
  const alerts = useAlerts();
  const [progress, setProgress] = useState<string>();
  const reading = useRef(false);
  const withAll = (use: (rows: readonly Row[]) => unknown, failed: string): void => {
    if (reading.current) return;
    reading.current = true;
    all((read) => setProgress(`Loading ${read.toLocaleString('en-US')} of ${count.toLocaleString('en-US')}…`))
      .then(use)
      .catch(() => alerts.error(`${failed} ${label}`))
      .finally(() => {
        reading.current = false;
        setProgress(undefined);
      });
  };
  // Includes hidden columns. The export code loads on demand.
  const save = () =>
    withAll(async (rows) => (await import('./saveCsv.ts')).saveCsv(label, columns, rows), 'Error Exporting');
  const print = () => {
    if (count > MOST_PRINTED) {
      alerts.error(`More than ${MOST_PRINTED.toLocaleString('en-US')} rows. Filter the list to print fewer.`);
      return;
    }
    withAll((rows) => hold(rows, printPage), 'Error Printing');
  };
  useEffect(() => {
    if (!isPart) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (!isKey(event, 'print') || event.shiftKey) return;
      event.preventDefault();
      print();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  const actions = [
    ...(mode === undefined ? [] : [mode]),
    { label: 'Export CSV', onClick: save },
    { label: 'Print List', onClick: print },
  ];
  const isOnPage = usePageList(label, count === 0 ? [] : actions);
  return { actions, progress, isOwn: !isOnPage };
}
