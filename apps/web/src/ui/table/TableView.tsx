import { type ReactNode, useMemo, useRef } from 'react';
import { Cell } from './Cell.tsx';
import type { Column } from './columns.ts';
import { fitColumns } from './fitColumns.ts';
import { TableFrame } from './TableFrame.tsx';
import { TableFoot } from './TableFoot.tsx';
import { TableHead } from './TableHead.tsx';
import { CHECK_COLUMN, type RowSelection } from './rowSelection.ts';
import { useRowKeys } from './useRowKeys.ts';
import type { RowObject } from './rows.ts';
import type { Item, RowsResult } from './useRows.ts';
import { useRoom } from './useRoom.ts';
import type { ListOutput } from './useListOutput.ts';
import { useListWindow } from './useWindow.ts';

const HEIGHTS = { default: 36, compact: 30, relaxed: 52 } as const;
const HEAD = 34;
const FOOT = 40;

export interface TableViewProps<Row extends RowObject> {
  label: string;
  columns: readonly Column<Row>[];
  result: RowsResult<Row>;
  onOpen?: ((row: Row) => void) | undefined;
  onEscape?: (() => void) | undefined;
  selectedId?: string | undefined;
  density?: 'default' | 'compact' | 'relaxed';
  count?: (rows: number) => string;
  note?: ReactNode;
  isQuiet?: (row: Row) => boolean;
  output: ListOutput;
  selection?: RowSelection<Row> | undefined;
}

/** The table with its rows, which are virtualized if there are more than 200. */
export function TableView<Row extends RowObject>(props: TableViewProps<Row>) {
  const { result, density = 'default', onOpen, selection } = props;
  const { shown, sums, onView } = result;
  const container = useRef<HTMLDivElement>(null);
  const room = useRoom(container);
  const fitted = useMemo(() => fitColumns(props.columns, shown, room, sums), [props.columns, shown, sums, room]);
  const columns = useMemo(() => fitted.map(({ column }) => column), [fitted]);
  const hasFoot = props.count !== undefined || columns.some((column) => column.total !== undefined);
  const list = useListWindow({
    count: result.items.length,
    container,
    height: HEIGHTS[density],
    head: HEAD,
    foot: hasFoot ? FOOT : 0,
    onView,
  });
  const { reveal } = list;
  const { selectedId, onEscape } = props;
  const keys = useRowKeys({ items: result.items, container, reveal, selectedId, onOpen, onEscape });
  return (
    <TableFrame
      container={container}
      aria-label={props.label}
      aria-rowcount={list.virtual ? result.items.length + 1 : undefined}
      data-density={density}
      onKeyDownCapture={(event) => selection?.onKey(event, result)}
      data-opens={onOpen === undefined ? undefined : ''}
      data-virtual={list.virtual ? '' : undefined}
    >
      <TableHead columns={fitted} sort={result.sort} onSort={result.toggleSort} check={selection?.headCheck(result)} />
      <tbody onKeyDown={keys.onKeyDown}>
        {list.slices(keys.active).map(({ index, gap }) => (
          <TableItem
            key={onView === undefined ? (result.items[index]?.key ?? index) : index}
            {...props}
            columns={columns}
            index={index}
            gap={gap}
            item={result.items[index]}
            active={index === keys.active}
            onActive={keys.setActive}
            counted={list.virtual}
          />
        ))}
        {list.after > 0 && <Gap height={list.after} span={columns.length} />}
      </tbody>
      {hasFoot && <TableFoot {...props} columns={columns} />}
    </TableFrame>
  );
}

interface TableItemProps<Row extends RowObject> extends TableViewProps<Row> {
  item: Item<Row> | undefined;
  index: number;
  gap: number;
  active: boolean;
  onActive: (index: number) => void;
  /** Whether each row includes its index. Required if some rows are not in the document. */
  counted: boolean;
}

function TableItem<Row extends RowObject>(props: TableItemProps<Row>) {
  const { item, gap, columns } = props;
  return (
    <>
      {gap > 0 && <Gap height={gap} span={columns.length} />}
      {item?.kind === 'group' ? (
        <tr className="ek-group">
          <th colSpan={columns.length} scope="colgroup">
            {item.label}
          </th>
        </tr>
      ) : (
        <TableRow {...props} item={item} />
      )}
    </>
  );
}

interface TableRowProps<Row extends RowObject> extends TableItemProps<Row> {
  item: Extract<Item<Row>, { kind: 'row' }> | undefined;
}

const isData = (column: { id: string }) => column.id !== CHECK_COLUMN.id;

/** Returns whether a click was on a control in the row: a link, a button, or a field. */
function isOwnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a,button,input,select,label') !== null;
}

/** A row, shown gray while it loads. */
function TableRow<Row extends RowObject>(props: TableRowProps<Row>) {
  const { item, index, active, onActive, onOpen, columns, selection } = props;
  const row = item?.row;
  const isSelected = item !== undefined && selection?.has(item.key) === true;
  // Memoized, so that moving the focus or opening a record doesn't render the cells again.
  const cells = useMemo(
    () =>
      row === undefined ? (
        <td colSpan={columns.filter(isData).length}>
          <span className="ek-sk" aria-hidden="true" />
        </td>
      ) : (
        columns.filter(isData).map((column) => <Cell key={column.id} column={column} row={row} />)
      ),
    [columns, row],
  );
  return (
    <tr
      data-item={index}
      data-active-row={active ? '' : undefined}
      data-quiet={row !== undefined && props.isQuiet?.(row) === true ? '' : undefined}
      aria-busy={row === undefined ? true : undefined}
      tabIndex={active ? 0 : -1}
      aria-selected={selection && isSelected}
      aria-current={item !== undefined && props.selectedId === item.key ? 'true' : undefined}
      aria-rowindex={props.counted ? index + 2 : undefined}
      onFocus={() => onActive(index)}
      // Shift+click would otherwise select text.
      onMouseDown={(event) => selection !== undefined && event.shiftKey && event.preventDefault()}
      onClick={(event) => {
        const isCheck = event.target instanceof Element && event.target.closest('[data-check]') !== null;
        if (row === undefined || (isOwnControl(event.target) && !isCheck)) return;
        const isSelecting = isCheck || event.shiftKey || event.ctrlKey || event.metaKey || onOpen === undefined;
        if (selection === undefined || !isSelecting) return onOpen?.(row);
        selection.press(props.result, index, event.shiftKey);
        event.currentTarget.focus({ preventScroll: true });
      }}
    >
      {selection && <td data-check="">{selection.rowCheck(isSelected, row)}</td>}
      {cells}
    </tr>
  );
}

function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tr className="ek-gap" aria-hidden="true">
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}
