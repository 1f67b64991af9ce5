import { Button } from '@mantine/core';
import { type KeyboardEvent, useId } from 'react';
import { FieldError } from '../fields/field.tsx';
import { type LineColumn, type LineTableProps, wholeLineErrors } from './lineColumns.ts';
import type { LineWork } from './useLineWork.ts';

export interface LineViewProps<Line> extends LineTableProps<Line> {
  work: LineWork<Line>;
}

/** Lines as a table, the one in work in its place. */
export function LineRows<Line extends object>(props: LineViewProps<Line>) {
  const { columns, lines, lineId, work } = props;
  const workId = work.work === undefined || work.work.isNew ? undefined : lineId(work.work.line);
  return (
    <table className="ek-lines" aria-label={props.label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              data-right={column.right === true ? '' : undefined}
              {...(column.width === undefined ? {} : { style: { width: column.width } })}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) =>
          lineId(line) === workId ? (
            <WorkRow key={lineId(line)} {...props} />
          ) : (
            <CommittedRow key={lineId(line)} {...props} line={line} />
          ),
        )}
        {work.work?.isNew === true && <WorkRow key={lineId(work.work.line)} {...props} />}
      </tbody>
      {columns.some((column) => column.total !== undefined) && <Foot {...props} />}
    </table>
  );
}

function Foot<Line extends object>({ columns, lines }: LineViewProps<Line>) {
  return (
    <tfoot>
      <tr>
        {columns.map((column) => (
          <td key={column.id} data-right={column.right === true ? '' : undefined}>
            {column.total?.(lines)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function CommittedRow<Line extends object>(props: LineViewProps<Line> & { line: Line }) {
  const { columns, line, below, work, readOnly } = props;
  const under = below?.(line);
  const hasUnder = under !== undefined && under !== null && under !== false;
  const open = () => (readOnly === true ? undefined : work.open(line));
  return (
    <>
      <tr
        className={readOnly === true ? undefined : 'ek-line'}
        data-part={hasUnder ? '' : undefined}
        {...(readOnly === true ? {} : { tabIndex: 0 })}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.target !== event.currentTarget) return;
          event.preventDefault();
          open();
        }}
      >
        {columns.map((column) => (
          <td key={column.id} data-right={column.right === true ? '' : undefined}>
            {column.show(line)}
          </td>
        ))}
      </tr>
      {hasUnder && (
        <tr className="ek-line-below">
          <td colSpan={columns.length}>{under}</td>
        </tr>
      )}
    </>
  );
}

/** Keys of the line in work: Escape leaves it, Ctrl+Enter commits (the modal then saves), Tab at its end adds one. */
function useWorkKeys<Line extends object>({ work, columns }: LineViewProps<Line>, isLast: boolean) {
  return (event: KeyboardEvent<HTMLTableRowElement>) => {
    const { target } = event;
    const inOpenList = target instanceof HTMLElement && target.dataset['mantineStopPropagation'] === 'true';
    if (event.key === 'Escape' && !inOpenList) {
      event.preventDefault();
      event.stopPropagation();
      work.cancel();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !work.commit()) event.stopPropagation();
    if (event.key !== 'Tab' || event.shiftKey || !isLast) return;
    const edited = columns.filter((column) => column.edit !== undefined);
    const last = edited.at(-1);
    if (!(target instanceof Element) || target.closest('td')?.dataset['column'] !== last?.id) return;
    event.preventDefault();
    work.commit(true);
  };
}

function WorkRow<Line extends object>(props: LineViewProps<Line>) {
  const { columns, lines, lineId, work } = props;
  const stripId = useId();
  const line = work.work?.line;
  const lastLine = lines.at(-1);
  const isLast =
    work.work?.isNew === true || (line !== undefined && lastLine !== undefined && lineId(line) === lineId(lastLine));
  const onKeyDown = useWorkKeys(props, isLast);
  if (line === undefined) return null;
  const first = columns.find((column) => column.edit !== undefined);
  return (
    <>
      <tr className="ek-line-work" onKeyDown={onKeyDown} aria-describedby={stripId}>
        {columns.map((column) => (
          <td
            key={column.id}
            data-column={column.id}
            data-edit={column.edit === undefined ? undefined : ''}
            data-right={column.right === true ? '' : undefined}
          >
            {column.edit === undefined
              ? column.show(line)
              : column.edit({ line, set: work.set, field: rowField(column, work, column === first) })}
          </td>
        ))}
      </tr>
      {Object.keys(work.errors).length > 0 && <ErrorRow {...props} />}
      <WorkStrip {...props} stripId={stripId} />
    </>
  );
}

function rowField<Line>(column: LineColumn<Line>, work: LineWork<Line>, autoFocus: boolean) {
  return { label: column.header, inRow: true, error: work.errors[column.id], autoFocus };
}

/** Each sentence under its column; the field itself carries it for screen readers. */
function ErrorRow<Line extends object>({ columns, work }: LineViewProps<Line>) {
  return (
    <tr className="ek-line-errors" aria-hidden="true">
      {columns.map((column) => {
        const message = work.errors[column.id];
        return <td key={column.id}>{message !== undefined && <FieldError message={message} />}</td>;
      })}
    </tr>
  );
}

function WorkStrip<Line extends object>(props: LineViewProps<Line> & { stripId: string }) {
  const { columns, work, onRemove, stripId } = props;
  return (
    <tr className="ek-line-strip">
      <td colSpan={columns.length}>
        <div className="ek-line-strip-in">
          {wholeLineErrors(columns, work.errors).map((message) => (
            <span key={message} className="ek-line-wrong" role="alert">
              <FieldError message={message} />
            </span>
          ))}
          <span id={stripId} className="ek-line-keys">
            Ctrl+Enter saves · Tab in the last cell adds a line · Esc leaves the line
          </span>
          {onRemove !== undefined && work.work?.isNew === false && (
            <Button variant="subtle" className="ek-btn-delete" onClick={work.remove}>
              Remove
            </Button>
          )}
          <Button variant="subtle" onClick={work.cancel}>
            Cancel
          </Button>
          <Button variant="default" onClick={() => work.commit()}>
            Commit
          </Button>
        </div>
      </td>
    </tr>
  );
}
