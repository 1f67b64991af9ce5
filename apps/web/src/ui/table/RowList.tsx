import { type ReactNode, useRef } from 'react';
import type { Column } from './columns.ts';
import { columnTotal, ListMenu } from './TableFoot.tsx';
import type { RowSelection } from './rowSelection.ts';
import { useRowKeys } from './useRowKeys.ts';
import type { RowObject } from './rows.ts';
import type { Item, RowsResult } from './useRows.ts';
import type { ListOutput } from './useListOutput.ts';
import { useListWindow } from './useWindow.ts';

/** The two lines of text in a row on a phone. */
export interface PhoneRow {
  /** A 44 px button before the lines, for example Post Payment. */
  lead?: ReactNode;
  title: ReactNode;
  amount?: ReactNode;
  detail?: ReactNode;
  aside?: ReactNode;
}

export interface RowListProps<Row extends RowObject> {
  label: string;
  columns: readonly Column<Row>[];
  result: RowsResult<Row>;
  phoneRow: (row: Row) => PhoneRow;
  onOpen?: ((row: Row) => void) | undefined;
  onEscape?: (() => void) | undefined;
  selectedId?: string | undefined;
  count?: (rows: number) => string;
  note?: ReactNode;
  output: ListOutput;
  selection?: RowSelection<Row> | undefined;
}

/** Rows that open nothing can't take the focus, so the keyboard scrolls their list. */
const scrolled = (label: string) => ({ tabIndex: 0, role: 'region', 'aria-label': label });

/** The row height in px, which equals the CSS variable --row-touch. */
const ROW = 64;

/** The rows of a table as a list for narrow screens, with the same keyboard control as the table. */
export function RowList<Row extends RowObject>(props: RowListProps<Row>) {
  const { result, selectedId, onOpen, onEscape } = props;
  const container = useRef<HTMLDivElement>(null);
  const { onView } = result;
  const list = useListWindow({ count: result.items.length, container, height: ROW, head: 0, foot: 0, onView });
  const { reveal } = list;
  const keys = useRowKeys({ items: result.items, container, reveal, selectedId, onOpen, onEscape });
  return (
    <>
      {props.selection?.isMode === true && <SelectionEnd {...props} />}
      <div className="ek-tw" ref={container} {...(onOpen === undefined && scrolled(props.label))}>
        <ul
          className="ek-list"
          aria-label={props.label}
          onKeyDownCapture={(event) => props.selection?.onKey(event, result)}
          onKeyDown={keys.onKeyDown}
        >
          {list.slices(keys.active).map(({ index, gap }) => (
            <ListItem
              key={onView === undefined ? (result.items[index]?.key ?? index) : index}
              {...props}
              item={result.items[index]}
              index={index}
              gap={gap}
              active={index === keys.active}
              onActive={keys.setActive}
            />
          ))}
          {list.after > 0 && <li aria-hidden="true" style={{ height: list.after }} />}
        </ul>
        <ListEnd {...props} />
      </div>
    </>
  );
}

/** The button that ends the selection mode on a phone. */
function SelectionEnd<Row extends RowObject>({ selection }: RowListProps<Row>) {
  if (selection?.mode === undefined) return null;
  return (
    <div className="ek-list-head">
      <button type="button" className="ek-link ek-sel-mode" onClick={selection.mode.onClick}>
        {selection.mode.label}
      </button>
    </div>
  );
}

/** The count and the total below the rows. */
function ListEnd<Row extends RowObject>({ columns, result, count, note, output }: RowListProps<Row>) {
  // Two adjacent totals would not be distinguishable.
  const [totalled, another] = columns.filter((column) => column.total !== undefined);
  const sole = another === undefined ? totalled : undefined;
  return (
    <div className="ek-list-end ek-num">
      <span>
        {count?.(result.count)}
        {count !== undefined && sole !== undefined && ', '}
        {sole !== undefined && columnTotal(sole, result)}
      </span>
      {output.progress === undefined ? <span>{note}</span> : <span role="status">{output.progress}</span>}
      {output.isOwn && <ListMenu output={output} />}
    </div>
  );
}

interface ListItemProps<Row extends RowObject> extends RowListProps<Row> {
  item: Item<Row> | undefined;
  index: number;
  gap: number;
  active: boolean;
  onActive: (index: number) => void;
}

function ListItem<Row extends RowObject>(props: ListItemProps<Row>) {
  const { item, gap } = props;
  return (
    <>
      {gap > 0 && <li aria-hidden="true" style={{ height: gap }} />}
      {item?.kind === 'group' ? <li className="ek-list-group">{item.label}</li> : <ListRow {...props} item={item} />}
    </>
  );
}

/** Returns text as its own tooltip, because it may be truncated. */
const tipOf = (shown: ReactNode): string | undefined => (typeof shown === 'string' ? shown : undefined);

interface ListRowProps<Row extends RowObject> extends ListItemProps<Row> {
  item: Extract<Item<Row>, { kind: 'row' }> | undefined;
}

/** A row, shown gray while it loads. */
function ListRow<Row extends RowObject>({
  item,
  index,
  phoneRow,
  selectedId,
  active,
  onActive,
  onOpen,
  result,
  selection,
}: ListRowProps<Row>) {
  const isMode = selection?.isMode === true;
  const isSelected = item !== undefined && selection?.has(item.key) === true;
  const press = () => selection?.press(result, index, false);
  const shown: PhoneRow =
    item === undefined ? { title: <span className="ek-sk" aria-hidden="true" /> } : phoneRow(item.row);
  const main = (
    <>
      <span className="ek-list-title ek-ellipsis" title={tipOf(shown.title)}>
        {shown.title}
      </span>
      <span className="ek-list-amount ek-num">{shown.amount}</span>
      <span className="ek-list-detail ek-ellipsis" title={tipOf(shown.detail)}>
        {shown.detail}
      </span>
      <span className="ek-list-aside">{shown.aside}</span>
    </>
  );
  return (
    <li
      className="ek-list-row"
      data-item={index}
      data-selected={isSelected ? '' : undefined}
      aria-busy={item === undefined ? true : undefined}
      aria-current={item !== undefined && selectedId === item.key ? 'true' : undefined}
    >
      {isMode ? (
        <div className="ek-list-lead" aria-hidden="true" onClick={press}>
          {selection.rowCheck(isSelected, item?.row)}
        </div>
      ) : (
        shown.lead !== undefined && <div className="ek-list-lead">{shown.lead}</div>
      )}
      {onOpen === undefined && !isMode ? (
        <div className="ek-list-main">{main}</div>
      ) : (
        <button
          type="button"
          className="ek-list-main"
          data-active-row={active ? '' : undefined}
          tabIndex={active ? 0 : -1}
          onFocus={() => onActive(index)}
          role={isMode ? 'checkbox' : undefined}
          aria-checked={isMode ? isSelected : undefined}
          onClick={() => (isMode ? press() : item !== undefined && onOpen?.(item.row))}
        >
          {main}
        </button>
      )}
    </li>
  );
}
