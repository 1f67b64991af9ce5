import type { Cents } from '@evenkeel/core/money';
import { type KeyboardEvent, type ReactNode, type Ref, useMemo, useRef, useState } from 'react';
import { useRoom } from '../table/useRoom.ts';
import { LineMore } from './LineMore.tsx';
import { type LineColumn, type LineTableProps, isTooNarrow, type TwoRows } from './lineColumns.ts';
import { LinesTable } from './LinesTable.tsx';
import { useDrawnLines } from './useDrawnLines.ts';
import type { LineViewProps } from './useLineWork.ts';
import { WorkForm, WorkRow } from './WorkLine.tsx';
import { isKey } from '../keys/keys.ts';

/** The row height in px, as in lines.css. */
const ROW = 42;
const TWO_ROWS = 58;

/**
 * Lines as a table, with the edited line in place. A line uses two rows if a single row has no space for the
 * description.
 */
export function LineRows<Line extends object>(props: LineViewProps<Line>) {
  const { lines, lineId, work } = props;
  const place = useRef<HTMLDivElement>(null);
  const room = useRoom(place);
  const widths = props.columns.flatMap(({ width }) => width ?? []);
  const twoRows = isTooNarrow(widths, room) ? props.twoRows : undefined;
  const columns = twoRows?.columns ?? props.columns;
  const takesFocus = useFirstFocus(work.work && lineId(work.work.line), {
    isTwo: twoRows !== undefined,
    room,
    isHeld: props.startsUnfocused === true,
  });
  const inWork = work.work === undefined || work.work.isNew ? undefined : lineId(work.work.line);
  const kept = inWork === undefined ? undefined : lines.findIndex((line) => lineId(line) === inWork);
  const drawn = useDrawnLines(place, { count: lines.length, height: twoRows === undefined ? ROW : TWO_ROWS, kept });
  const table = { columns, twoRows, below: props.below, open: props.readOnly === true ? undefined : work.open };
  const Work = twoRows === undefined ? WorkRow<Line> : WorkForm<Line>;
  const draw = (line: Line, index: number) => {
    const id = lineId(line);
    if (id === inWork) return <Work {...props} {...{ twoRows, takesFocus, index }} bodyRef={drawn.measure} />;
    const amount = props.amountOf?.(line);
    const about = { line, id, index, amount };
    return <CommittedLine<Line> {...table} {...about} bodyRef={drawn.measure} isCounted={drawn.isPart} />;
  };
  const hasTotals = columns.some((column) => column.total !== undefined);
  return (
    <LinesTable
      label={props.label}
      isTwo={twoRows !== undefined}
      {...{ columns, lines, drawn, place, draw }}
      keyOf={lineId}
      foot={hasTotals ? <Totals columns={columns} lines={lines} /> : undefined}
    >
      {work.work?.isNew === true && <Work key={lineId(work.work.line)} {...props} {...{ twoRows, takesFocus }} />}
    </LinesTable>
  );
}

/**
 * Moves the focus to the edited line's fields when they appear. Doesn't move the focus when the window only switches
 * between one and two rows, which renders the same line again. With `isHeld`, the first line doesn't take the focus.
 */
function useFirstFocus(
  id: string | undefined,
  { isTwo, room, isHeld }: { isTwo: boolean; room: number; isHeld: boolean },
): boolean {
  const [begun, setBegun] = useState({ id, isTwo, room, isRedrawn: isHeld });
  if (begun.id !== id) setBegun({ id, isTwo, room, isRedrawn: false });
  else if (begun.isTwo !== isTwo || (begun.room === 0 && room > 0)) {
    setBegun({ id, isTwo, room, isRedrawn: begun.isRedrawn || (begun.isTwo !== isTwo && begun.room > 0) });
  }
  return !begun.isRedrawn;
}

function Totals<Line>({ columns, lines }: Pick<LineTableProps<Line>, 'columns' | 'lines'>) {
  return columns.map((column) => (
    <td key={column.id} data-right={column.right === true ? '' : undefined}>
      {column.total?.(lines)}
    </td>
  ));
}

interface CommittedProps<Line> extends Pick<LineTableProps<Line>, 'columns' | 'below'> {
  twoRows: TwoRows<Line> | undefined;
  line: Line;
  id: string;
  index: number;
  amount: Cents | undefined;
  /** Opens a line. Undefined for read-only lines. */
  open: ((line: Line) => void) | undefined;
  bodyRef: Ref<HTMLTableSectionElement> | undefined;
  /** Whether each row includes its index. Required if some rows are not in the document. */
  isCounted: boolean;
}

/** A memoized line, so that React skips it until its props change. */
function CommittedLine<Line extends object>(props: CommittedProps<Line>) {
  const { columns, twoRows, below, line, id, index, amount, open, bodyRef, isCounted } = props;
  return useMemo(() => {
    const under = below?.(line);
    const hasUnder = under !== undefined && under !== null && under !== false;
    const cells = columns.map((column, at) => (
      <LineCell key={column.id} column={column} shown={column.show(line, amount)}>
        {at === 0 && twoRows !== undefined && <LineMore parts={twoRows.beneath(line)} />}
      </LineCell>
    ));
    return (
      <tbody ref={bodyRef} data-index={index}>
        <tr
          data-line={id}
          data-part={hasUnder ? '' : undefined}
          {...rowProps(line, open)}
          aria-rowindex={isCounted ? index + 2 : undefined}
        >
          {cells}
        </tr>
        {hasUnder && (
          <tr className="ek-line-below">
            <td colSpan={columns.length}>{under}</td>
          </tr>
        )}
      </tbody>
    );
  }, [columns, twoRows, below, line, id, index, amount, open, bodyRef, isCounted]);
}

/** Returns the props that open a line with a click or Enter. Empty for read-only lines. */
function rowProps<Line>(line: Line, open: ((line: Line) => void) | undefined) {
  if (open === undefined) return {};
  return {
    className: 'ek-line',
    tabIndex: 0,
    onClick: () => open(line),
    onKeyDown: (event: KeyboardEvent) => {
      if (!isKey(event, 'open') || event.target !== event.currentTarget) return;
      event.preventDefault();
      open(line);
    },
  };
}

interface LineCellProps<Line> {
  column: LineColumn<Line>;
  shown: ReactNode;
  children: ReactNode;
}

/** Truncates text with an ellipsis and shows all of it in the tooltip. Amounts are never truncated. */
function LineCell<Line>({ column, shown, children }: LineCellProps<Line>) {
  if (column.right === true) return <td data-right="">{shown}</td>;
  return (
    <td data-words="" style={{ maxWidth: column.width ?? 0 }}>
      <div
        className={column.isName === true ? 'ek-ellipsis ek-medium' : 'ek-ellipsis'}
        title={typeof shown === 'string' ? shown : undefined}
      >
        {shown}
      </div>
      {children}
    </td>
  );
}
