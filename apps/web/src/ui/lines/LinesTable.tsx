import type { Key, ReactNode, RefObject } from 'react';
import { PartTable } from '../table/PartTable.tsx';
import { Gap, Spaced } from './Spaced.tsx';
import type { DrawnLines } from './useDrawnLines.ts';

export interface LineHead {
  id: string;
  header: string;
  /** Shown in place of the header text, for example a checkbox that selects all rows. */
  cell?: ReactNode;
  /** Whether the header is only for screen readers, for example above buttons. */
  isHeaderHidden?: boolean;
  right?: boolean;
  /** The width in px. Columns without a width share the remaining space. */
  width?: number;
}

export interface LinesTableProps<Line> {
  label: string;
  className?: string;
  columns: readonly LineHead[];
  /** Whether lines use two rows. */
  isTwo?: boolean;
  /** All lines, whether rendered or not. */
  lines: readonly Line[];
  /** The lines to render, from `useDrawnLines(place, …)`. */
  drawn: DrawnLines;
  place: RefObject<HTMLDivElement | null>;
  keyOf: (line: Line) => Key;
  /** Returns a line's `tbody`. Give it `data-index`, and `drawn.measure` as its ref. */
  draw: (line: Line, index: number) => ReactNode;
  /** Shown after the last line, for example a new unfinished line. */
  children?: ReactNode;
  /** The cells of the total row. */
  foot?: ReactNode;
}

/** Lines as a table: headings, the visible lines of a long list, and a total row. */
export function LinesTable<Line>(props: LinesTableProps<Line>) {
  const { columns, lines, drawn, place, foot } = props;
  const span = columns.length;
  const rows = lines.length + (foot === undefined ? 1 : 2);
  return (
    <div ref={place} onFocus={(event) => drawn.onFocus(event.target)}>
      <PartTable
        className={props.className ?? 'ek-lines ek-heads'}
        label={props.label}
        rowCount={drawn.isPart ? rows : undefined}
        data-two={props.isTwo === true ? '' : undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} {...column} />
            ))}
          </tr>
        </thead>
        {drawn.lines.map(({ index, gap }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <Spaced key={props.keyOf(line)} gap={gap} span={span}>
              {props.draw(line, index)}
            </Spaced>
          );
        })}
        {drawn.after > 0 && <Gap height={drawn.after} span={span} />}
        {props.children}
        {foot !== undefined && (
          <tfoot>
            <tr>{foot}</tr>
          </tfoot>
        )}
      </PartTable>
    </div>
  );
}

function Head({ header, cell = header, isHeaderHidden, right, width }: LineHead) {
  return (
    <th scope="col" data-right={right === true ? '' : undefined} style={width === undefined ? {} : { width }}>
      {isHeaderHidden === true ? <span className="ek-vh">{header}</span> : cell}
    </th>
  );
}
