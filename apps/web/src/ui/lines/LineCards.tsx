import { Button } from '@mantine/core';
import { FieldError } from '../fields/field.tsx';
import { AppModal } from '../overlay/AppModal.tsx';
import { type LineColumn, wholeLineErrors } from './lineColumns.ts';
import type { LineViewProps } from './LineRows.tsx';

/** Lines as cards; the one in work in a sheet over them. */
export function LineCards<Line extends object>(props: LineViewProps<Line>) {
  const { lines, lineId, label, work } = props;
  return (
    <>
      {lines.length > 0 && (
        <ul className="ek-cards" aria-label={label}>
          {lines.map((line) => (
            <li key={lineId(line)}>
              <LineCard {...props} line={line} />
            </li>
          ))}
        </ul>
      )}
      {work.work !== undefined && <LineSheet {...props} />}
    </>
  );
}

function LineCard<Line extends object>(props: LineViewProps<Line> & { line: Line }) {
  const { card, line, validate, below, work, readOnly } = props;
  const shown = card(line);
  const wrong = Object.values(validate(line))[0];
  const under = below?.(line);
  const words = (
    <>
      <span className="ek-list-title">{shown.title}</span>
      <span className="ek-list-amount ek-num">{shown.amount}</span>
      <span className="ek-list-detail">{shown.detail}</span>
      {wrong !== undefined && <FieldError message={wrong} />}
    </>
  );
  return (
    <>
      {readOnly === true ? (
        <div className="ek-line-card">{words}</div>
      ) : (
        <button
          type="button"
          className="ek-line-card"
          data-wrong={wrong === undefined ? undefined : ''}
          onClick={() => work.open(line)}
        >
          {words}
        </button>
      )}
      {under}
    </>
  );
}

function LineSheet<Line extends object>({ columns, work, addLabel, onRemove }: LineViewProps<Line>) {
  const state = work.work;
  if (state === undefined) return null;
  return (
    <AppModal
      opened
      onClose={work.cancel}
      title={state.isNew ? addLabel : 'Line item'}
      footer={{
        actions: [{ label: 'Cancel', onClick: work.cancel }],
        primary: { label: 'Commit', onClick: () => work.commit() },
      }}
    >
      <div className="ek-form">
        {columns.map((column) => (
          <div key={column.id} className={column.half === true ? 'ek-c6 ek-half' : undefined}>
            <SheetField column={column} line={state.line} work={work} />
          </div>
        ))}
        {wholeLineErrors(columns, work.errors).map((message) => (
          <div key={message} className="ek-line-wrong" role="alert">
            <FieldError message={message} />
          </div>
        ))}
        {onRemove !== undefined && !state.isNew && (
          <div>
            <Button variant="subtle" className="ek-btn-delete" onClick={work.remove}>
              Remove
            </Button>
          </div>
        )}
      </div>
    </AppModal>
  );
}

interface SheetFieldProps<Line extends object> extends Pick<LineViewProps<Line>, 'work'> {
  column: LineColumn<Line>;
  line: Line;
}

function SheetField<Line extends object>({ column, line, work }: SheetFieldProps<Line>) {
  if (column.edit !== undefined) {
    const field = { label: column.header, inRow: false, error: work.errors[column.id], autoFocus: false };
    return column.edit({ line, set: work.set, field });
  }
  return (
    <>
      <div className="mantine-InputWrapper-label">{column.header}</div>
      <div className="ek-sheet-value ek-num ek-medium">{column.show(line)}</div>
    </>
  );
}
