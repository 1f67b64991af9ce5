import { Fragment, type ReactNode, useRef } from 'react';
import { useDrawnLines } from './useDrawnLines.ts';

interface DrawnListProps<Row> {
  label: string;
  className: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The height of a typical row in px. */
  height: number;
  children: (row: Row, index: number) => ReactNode;
}

/**
 * A list in a scrolling dialog. Only the visible rows of a long list are rendered, so that a thousand rows open
 * immediately.
 */
export function DrawnList<Row>({ label, className, rows, keyOf, height, children }: DrawnListProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(list, { count: rows.length, height });
  return (
    <ul className={className} aria-label={label} ref={list} onFocus={(event) => drawn.onFocus(event.target)}>
      {drawn.lines.map(({ index, gap }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <Fragment key={keyOf(row)}>
            {gap > 0 && <li aria-hidden="true" style={{ height: gap }} />}
            <li ref={drawn.measure} data-index={index}>
              {children(row, index)}
            </li>
          </Fragment>
        );
      })}
      {drawn.after > 0 && <li aria-hidden="true" style={{ height: drawn.after }} />}
    </ul>
  );
}
