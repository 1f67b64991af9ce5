import { Button } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, type ReactNode, type Ref, useId } from 'react';
import { FieldError } from '../fields/field.tsx';
import { type LineColumn, type PlacedField, type TwoRows, wholeLineErrors } from './lineColumns.ts';
import { lastField } from './lineFocus.ts';
import type { LineViewProps, LineWork } from './useLineWork.ts';
import { isKey } from '../keys/keys.ts';

export interface WorkLineProps<Line> extends LineViewProps<Line> {
  twoRows: TwoRows<Line> | undefined;
  takesFocus: boolean;
  /** Omitted for a new line, which comes after all others. */
  index?: number;
  bodyRef?: Ref<HTMLTableSectionElement> | undefined;
}

const KEYS = 'Ctrl+Enter saves · Tab in the last cell adds a line · Esc cancels the line';

/** Returns whether a field has unreadable input, which the line's data doesn't include. */
const hasUnread = (work: Element): boolean => work.querySelector('[data-unread]') !== null;

/**
 * Handles the keys in the edited line: Escape leaves the line, Ctrl+Enter commits it (the modal then saves), and Tab in
 * the last field adds a line.
 */
function useWorkKeys<Line extends object>({ work, lines, lineId }: LineViewProps<Line>) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget } = event;
    const inWork = work.work;
    if (inWork === undefined) return;
    const inOpenList = target instanceof HTMLElement && target.dataset['mantineStopPropagation'] === 'true';
    if (isKey(event, 'close') && !inOpenList) {
      event.preventDefault();
      event.stopPropagation();
      work.cancel();
    }
    if (isKey(event, 'save') && !work.commit()) event.stopPropagation();
    if (!isKey(event, 'nextField') || event.shiftKey || target !== lastField(currentTarget)) return;
    const last = lines.at(-1);
    const isLast = inWork.isNew || (last !== undefined && lineId(inWork.line) === lineId(last));
    // Nothing was typed, so Tab moves on and keyboard users can leave the table.
    if (!isLast || (inWork.isNew && !inWork.isTouched && !hasUnread(currentTarget))) return;
    event.preventDefault();
    work.commit(true);
  };
}

/** The edited line as one row of fields, with its buttons below. */
export function WorkRow<Line extends object>(props: WorkLineProps<Line>) {
  const { columns, work } = props;
  const keysId = useId();
  const onKeyDown = useWorkKeys(props);
  const line = work.work?.line;
  if (line === undefined) return null;
  const first = columns.find((column) => column.edit !== undefined);
  return (
    <tbody ref={props.bodyRef} data-index={props.index} data-line-work="" onKeyDown={onKeyDown}>
      <tr className="ek-line-work" aria-describedby={keysId}>
        {columns.map((column) => (
          <td
            key={column.id}
            data-edit={column.edit === undefined ? undefined : ''}
            data-right={column.right === true ? '' : undefined}
          >
            {column.edit === undefined
              ? column.show(line, props.amountOf?.(line))
              : column.edit({
                  line,
                  set: work.set,
                  field: fieldOf(column, work, { inRow: true, isFirst: props.takesFocus && column === first }),
                })}
          </td>
        ))}
      </tr>
      <tr className="ek-line-strip">
        <td colSpan={columns.length}>
          <div className="ek-line-strip-in">
            <WholeLineErrors {...props} />
            <span id={keysId} className="ek-line-keys">
              {KEYS}
            </span>
            <WorkButtons {...props} />
          </div>
        </td>
      </tr>
    </tbody>
  );
}

/** The edited line in two rows of fields, each with its label. */
export function WorkForm<Line extends object>(props: WorkLineProps<Line>) {
  const { columns, twoRows, work } = props;
  const keysId = useId();
  const onKeyDown = useWorkKeys(props);
  if (work.work === undefined || twoRows === undefined) return null;
  const placed = (fields: readonly PlacedField[]) =>
    fields.flatMap(({ id, width }) => columns.flatMap((column) => (column.id === id ? [{ column, width }] : [])));
  const above = placed(twoRows.above);
  const first = above.find(({ column }) => column.edit !== undefined)?.column;
  return (
    <tbody ref={props.bodyRef} data-index={props.index} data-line-work="" onKeyDown={onKeyDown}>
      <tr className="ek-line-work" aria-describedby={keysId}>
        <td colSpan={twoRows.columns.length}>
          <FieldsRow {...props} shown={above} first={first} />
          <FieldsRow {...props} shown={placed(twoRows.below)} first={first}>
            <div className="ek-line-buttons">
              <WholeLineErrors {...props} />
              <WorkButtons {...props} />
            </div>
          </FieldsRow>
          <div id={keysId} className="ek-line-keys">
            {KEYS}
          </div>
        </td>
      </tr>
    </tbody>
  );
}

interface FieldsRowProps<Line> extends WorkLineProps<Line> {
  shown: readonly { column: LineColumn<Line>; width: number | undefined }[];
  first: LineColumn<Line> | undefined;
  children?: ReactNode;
}

function FieldsRow<Line extends object>({ shown, first, work, amountOf, takesFocus, children }: FieldsRowProps<Line>) {
  const line = work.work?.line;
  if (line === undefined) return null;
  return (
    <div className="ek-line-fields">
      {shown.map(({ column, width }) => (
        <div
          key={column.id}
          data-grows={width === undefined ? '' : undefined}
          data-right={column.right === true ? '' : undefined}
          // The field for an amount grows with its digits.
          style={column.right === true ? { minWidth: width } : { width }}
        >
          {column.edit === undefined ? (
            <>
              <div className="mantine-InputWrapper-label">{column.header}</div>
              <div className="ek-line-figure">{column.show(line, amountOf?.(line))}</div>
            </>
          ) : (
            column.edit({
              line,
              set: work.set,
              field: fieldOf(column, work, { inRow: false, isFirst: takesFocus && column === first }),
            })
          )}
        </div>
      ))}
      {children}
    </div>
  );
}

interface FieldPlace {
  inRow: boolean;
  isFirst: boolean;
}

function fieldOf<Line>(column: LineColumn<Line>, work: LineWork<Line>, { inRow, isFirst }: FieldPlace) {
  return { label: column.header, inRow, error: work.errors[column.id], autoFocus: isFirst };
}

function WholeLineErrors<Line>({ columns, work }: Pick<WorkLineProps<Line>, 'columns' | 'work'>) {
  return wholeLineErrors(columns, work.errors).map((message) => (
    <span key={message} className="ek-line-wrong" role="alert">
      <FieldError message={message} />
    </span>
  ));
}

/**
 * Pressing a button doesn't take the focus from a field. Otherwise, the field's message could appear and move the
 * button away from the pointer.
 */
const stay = (event: MouseEvent) => event.preventDefault();

function WorkButtons<Line>({ work, onRemove }: Pick<WorkLineProps<Line>, 'work' | 'onRemove'>) {
  return (
    <>
      {onRemove !== undefined && work.work?.isNew === false && (
        <Button variant="subtle" className="ek-btn-delete" onMouseDown={stay} onClick={work.remove}>
          Remove
        </Button>
      )}
      <Button variant="subtle" onMouseDown={stay} onClick={work.cancel}>
        Cancel
      </Button>
      <Button variant="default" onMouseDown={stay} onClick={() => work.commit()}>
        Commit
      </Button>
    </>
  );
}
