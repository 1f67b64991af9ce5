import type { Key, ReactNode, RefObject } from 'react';
import { PartTable } from '../table/PartTable.tsx';
import { Gap, Spaced } from './Spaced.tsx';
import type { DrawnLines } from './useDrawnLines.ts';

export interface LineHead {
  id: string;
  header: string;
  /** In place of the header's words, e.g. a box that selects all. */
  cell?: ReactNode;
  /** The head is for screen readers alone, e.g. of buttons. */
  isHeaderHidden?: boolean;
  right?: boolean;
  /** px that it takes; a column without one shares what is left. */
  width?: number;
}

export interface LinesTableProps<Line> {
  label: string;
  className?: string;
  columns: readonly LineHead[];
  /** Lines take two rows. */
  isTwo?: boolean;
  /** All lines, drawn or not. */
  lines: readonly Line[];
  /** The lines to draw, by `useDrawnLines(place, …)`. */
  drawn: DrawnLines;
  place: RefObject<HTMLDivElement | null>;
  keyOf: (line: Line) => Key;
  /** A line's `tbody`: give it `data-index`, and `drawn.measure` as its ref. */
  draw: (line: Line, index: number) => ReactNode;
  /** Behind the last line, e.g. a new one in work. */
  children?: ReactNode;
  /** The cells of the total row. */
  foot?: ReactNode;
}

/** Lines as a table: heads, the lines in view of a long one, a total row. */
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
