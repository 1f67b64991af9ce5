import './match.css';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Amount } from './Amount.tsx';
import { DateText } from './DateText.tsx';
import { Status } from './Status.tsx';

/** One of the two things that may be the same. */
export interface MatchSide {
  title: ReactNode;
  date: IsoDate;
  amount: Cents;
  detail?: ReactNode;
}

export interface MatchCardProps {
  bank: MatchSide;
  /** The proposal of the books; absent when nothing explains the line. */
  books?: MatchSide | undefined;
  /** The reason for the proposal, e.g. `Same amount, 2 days apart`. */
  reason?: string | undefined;
  isMatched: boolean;
  isBusy?: boolean | undefined;
  /** The sentence of a refused action. */
  error?: string | undefined;
  onAccept: () => void;
  onOther: () => void;
  onUndo: () => void;
}

/** On the left the bank's line, on the right what the books propose for it, the reason and the actions. */
export function MatchCard(props: MatchCardProps) {
  const { bank, books, reason, isMatched, isBusy = false, error, onOther, onUndo } = props;
  const id = useId();
  return (
    <article className="ek-match" aria-labelledby={id} aria-busy={isBusy} data-matched={isMatched ? '' : undefined}>
      <Side words="Bank" id={id} side={bank} />
      {books === undefined ? (
        <div className="ek-match-side ek-match-none">Nothing in the books explains this line.</div>
      ) : (
        <Side words="Books" side={books} />
      )}
      <div className="ek-match-foot">
        {isMatched && <Status look="done">Matched</Status>}
        {reason !== undefined && <span className="ek-match-reason">{reason}</span>}
        {error !== undefined && <span role="alert">{error}</span>}
        <div className="ek-match-actions">
          {isMatched ? (
            <Button variant="default" disabled={isBusy} onClick={onUndo}>
              Undo
            </Button>
          ) : (
            <>
              <Button variant="default" disabled={isBusy} onClick={onOther}>
                {books === undefined ? 'Find' : 'Find Another'}
              </Button>
              {books !== undefined && (
                <Button loading={isBusy} onClick={props.onAccept}>
                  Accept
                </Button>
              )}
            </>
          )}
        </div>
      </div>
    </article>
  );
}

function Side({ words, side, id }: { words: string; side: MatchSide; id?: string }) {
  return (
    <div className="ek-match-side">
      <span className="ek-match-words">{words}</span>
      <span className="ek-match-date">
        <DateText value={side.date} />
      </span>
      <span className="ek-match-title" id={id}>
        {side.title}
      </span>
      <span className="ek-match-amount">
        <Amount value={side.amount} />
      </span>
      {side.detail !== undefined && <span className="ek-match-detail">{side.detail}</span>}
    </div>
  );
}
