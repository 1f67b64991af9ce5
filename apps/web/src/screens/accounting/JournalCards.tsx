import { IconX } from '@tabler/icons-react';
import { Fragment, memo, type Ref, useRef } from 'react';
import { type Choice, labelOf } from '../../parts/choices/choice.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { useStable } from '../../ui/hooks/stable.ts';
import { useDrawnLines } from '../../ui/lines/useDrawnLines.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { type FormLine, totalsOf } from './journalForm.ts';

export interface JournalCardsProps {
  /** The lines with a debit or credit, and the lines with unreadable values. */
  lines: readonly FormLine[];
  /** The key of the current line. */
  at: number;
  accounts: readonly Choice[];
  onOpen: (key: number) => void;
  onRemove: (key: number) => void;
}

/** The entered lines with their totals, shown on a phone. Selecting a card makes its line the current one. */
export function JournalCards(props: JournalCardsProps) {
  if (props.lines.length === 0) {
    return <p className="ac-none ek-muted">No lines yet. Each line debits or credits one account.</p>;
  }
  return <Cards {...props} />;
}

/** The height of a card in px. */
const CARD = 66;

function Cards({ lines, at, accounts, onOpen, onRemove }: JournalCardsProps) {
  const totals = totalsOf(lines);
  const list = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(list, { count: lines.length, height: CARD });
  const open = useStable(onOpen);
  const take = useStable(onRemove);
  return (
    <div>
      <h3 className="ac-cards-head">Lines</h3>
      <ul className="ek-cards" aria-label="Lines" ref={list} onFocus={(event) => drawn.onFocus(event.target)}>
        {drawn.lines.map(({ index, gap }) => {
          const line = lines[index];
          return (
            line !== undefined && (
              <Fragment key={line.key}>
                {gap > 0 && <li aria-hidden="true" style={{ height: gap }} />}
                <Card
                  {...{ line, index, accounts }}
                  isOpen={at === line.key}
                  onOpen={open}
                  onRemove={take}
                  itemRef={drawn.measure}
                />
              </Fragment>
            )
          );
        })}
        {drawn.after > 0 && <li aria-hidden="true" style={{ height: drawn.after }} />}
      </ul>
      <p className="ac-card-totals ek-num">
        <span>Debit</span>
        <Amount value={totals.debit} />
        <span>Credit</span>
        <Amount value={totals.credit} />
      </p>
    </div>
  );
}

interface CardProps extends Pick<JournalCardsProps, 'accounts' | 'onOpen' | 'onRemove'> {
  line: FormLine;
  index: number;
  /** Whether the line is the current one. */
  isOpen: boolean;
  itemRef: Ref<HTMLLIElement> | undefined;
}

const Card = memo(function Card({ line, index, accounts, isOpen, onOpen, onRemove, itemRef }: CardProps) {
  return (
    <li ref={itemRef} data-index={index} className="ac-card" aria-current={isOpen ? 'true' : undefined}>
      <button type="button" className="ek-line-card" onClick={() => onOpen(line.key)}>
        <span className="ek-list-title">{labelOf(accounts, line.accountId)}</span>
        <span className="ek-list-amount ek-num">
          <Amount value={line.amount} />
        </span>
        <span className="ek-list-detail">{line.description}</span>
        <span className="ek-list-aside">{line.debit === null ? '' : line.debit ? 'Debit' : 'Credit'}</span>
        {line.told !== undefined && <FieldError message={line.told} />}
      </button>
      <button
        type="button"
        className="ek-icon-btn"
        aria-label={`Remove line ${index + 1}`}
        onClick={() => onRemove(line.key)}
      >
        <IconX {...ICON_SMALL} />
      </button>
    </li>
  );
});
