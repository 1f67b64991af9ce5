import type { Cents } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { type Ref, useMemo, useRef } from 'react';
import { FieldError } from '../fields/field.tsx';
import { AppModal } from '../overlay/AppModal.tsx';
import { LineFields } from './LineFields.tsx';
import { type LineTableProps, wholeLineErrors } from './lineColumns.ts';
import { useDrawnLines } from './useDrawnLines.ts';
import type { LineViewProps } from './useLineWork.ts';

/** The height in px of a card with two lines of text. */
const CARD = 66;

/** Lines as cards. The edited line opens in a sheet on top of them. */
export function LineCards<Line extends object>(props: LineViewProps<Line>) {
  const { lines, lineId, label, work, readOnly, card, validate, below } = props;
  const list = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(list, { count: lines.length, height: CARD });
  return (
    <>
      {lines.length > 0 && (
        <ul className="ek-cards" aria-label={label} ref={list} onFocus={(event) => drawn.onFocus(event.target)}>
          {drawn.lines.map(({ index, gap }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const id = lineId(line);
            return (
              <CardItem<Line>
                key={id}
                {...{ line, id, index, gap, card, validate, below }}
                amount={props.amountOf?.(line)}
                open={readOnly === true ? undefined : work.open}
                itemRef={drawn.measure}
              />
            );
          })}
          {drawn.after > 0 && <li aria-hidden="true" style={{ height: drawn.after }} />}
        </ul>
      )}
      {work.work !== undefined && <LineSheet {...props} />}
    </>
  );
}

interface CardItemProps<Line> extends Pick<LineTableProps<Line>, 'card' | 'validate' | 'below'> {
  line: Line;
  id: string;
  index: number;
  /** The height in px of the preceding lines that are not rendered. */
  gap: number;
  amount: Cents | undefined;
  open: ((line: Line) => void) | undefined;
  itemRef: Ref<HTMLLIElement> | undefined;
}

/** A memoized card, so that React skips it until its props change. */
function CardItem<Line extends object>({ gap, ...props }: CardItemProps<Line>) {
  const { line, id, index, amount, card, validate, below, open, itemRef } = props;
  const item = useMemo(() => {
    const shown = card(line, amount);
    const wrong = Object.values(validate(line))[0];
    const words = (
      <>
        <span className="ek-list-title">{shown.title}</span>
        <span className="ek-list-amount ek-num">{shown.amount}</span>
        <span className="ek-list-detail">{shown.detail}</span>
        {wrong !== undefined && <FieldError message={wrong} />}
      </>
    );
    const look = { className: 'ek-line-card', 'data-wrong': wrong === undefined ? undefined : '' };
    return (
      <li ref={itemRef} data-index={index}>
        {open === undefined ? (
          <div className="ek-line-card">{words}</div>
        ) : (
          <button type="button" {...look} data-line={id} onClick={() => open(line)}>
            {words}
          </button>
        )}
        {below?.(line)}
      </li>
    );
  }, [line, id, index, amount, card, validate, below, open, itemRef]);
  return (
    <>
      {gap > 0 && <li aria-hidden="true" style={{ height: gap }} />}
      {item}
    </>
  );
}

function LineSheet<Line extends object>({ columns, work, addLabel, onRemove, amountOf }: LineViewProps<Line>) {
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
      <div className="ek-form" data-line-work="">
        <LineFields {...{ columns, amountOf }} line={state.line} set={work.set} errors={work.errors} />
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
