import type { BankLine, Candidate } from '@evenkeel/contract/statements';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { inAlert, useRead } from '../../../client/api.ts';
import { isAdministrator, useSession } from '../../../client/session.ts';
import type { Banks } from '../../../parts/banking/moves.ts';
import { FoldedHistory } from '../../../records/History.tsx';
import { ClosingReason } from '../../../records/RecordModal.tsx';
import { because } from '../../../records/reads.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { singly } from '../../../ui/hooks/once.ts';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { Facts } from '../../../ui/show/Facts.tsx';
import { MomentText } from '../../../ui/show/MomentText.tsx';
import { allStatements, candidatesFor } from '../statements/statements.ts';
import { AddEditor } from './AddEditor.tsx';
import { entryWords, FindEntry } from './FindEntry.tsx';
import { Receipts } from './Receipts.tsx';
import { TransferPick } from './TransferPick.tsx';
import type { Review } from './useReview.ts';
import { amountOf, type Names, sentence, titleOf, actionDescription } from './work.ts';

/** The reasons for a doubtful transaction. Only the fact is stored. */
const DOUBT = 'The bank used this ID before with different data, or another file has the same transaction';

/** The check number and the file that the bank transaction came from. */
export function BankWords({ line }: { line: BankLine }) {
  const statements = useRead(allStatements, { keep: true, ...inAlert('Error Loading Statements') });
  const statement = statements.value?.find(({ id }) => id === line.statementId);
  return (
    <div className="rv-open-bank">
      <Facts
        facts={[
          ...(line.checkNumber === '' ? [] : [{ label: 'Check Number', value: line.checkNumber }]),
          ...(statement === undefined
            ? []
            : [
                {
                  label: 'Source',
                  value: (
                    <>
                      {statement.fileName}, imported <MomentText value={statement.importedAt} />
                    </>
                  ),
                },
              ]),
          ...(line.doubtful ? [{ label: 'Doubtful', value: DOUBT }] : []),
        ]}
      />
    </div>
  );
}

export interface OpenLineProps {
  review: Review;
  line: BankLine;
  names: Names;
  banks: Banks;
  glAccountId: number;
  /** False for users with only view permission. */
  mayAct: boolean;
  /** Whether the user can post a payment for a document. */
  mayPay: boolean;
}

/** The right side of the open bank transaction: all suggested matches, or the editor. */
export function OpenLine(props: OpenLineProps) {
  const { review, line, names, banks, glAccountId } = props;
  const { way } = review;
  const isTyped = way !== undefined && props.mayAct && line.state === 'review';
  return (
    <div className="rv-open-books">
      {!isTyped && <Closed review={review} line={line} />}
      {isTyped && (way === 'add' || way === 'split') && (
        <AddEditor key={way} {...{ review, line, names, glAccountId }} isSplit={way === 'split'} />
      )}
      {isTyped && way === 'find' && <FindEntry review={review} line={line} mayPay={props.mayPay} />}
      {isTyped && way === 'transfer' && <TransferPick {...{ review, line, banks }} />}
      {!isTyped && line.state === 'review' && <Candidates {...props} />}
      {line.state !== 'review' && <Entries line={line} />}
      <Receipts review={review} line={line} mayAct={props.mayAct} />
      <FoldedHistory kind="bankline" id={line.id} />
    </div>
  );
}

/** Asks an administrator for a reason after an action is rejected because the books are closed. */
function Closed({ review, line }: Pick<OpenLineProps, 'review' | 'line'>) {
  const [reason, setReason] = useState('');
  const administers = isAdministrator(useSession());
  const { closed } = review.noteOf(line.id);
  if (closed === undefined || !administers) return null;
  return (
    <div className="rv-closed">
      <ClosingReason value={reason} onChange={setReason} />
      <Button disabled={reason.trim() === ''} onClick={() => review.act(line, { ...closed, ...because(reason) })}>
        Try Again
      </Button>
    </div>
  );
}

function Candidates({ review, line, names, mayAct }: OpenLineProps) {
  const read = useRead(candidatesFor(line.id), { keep: false });
  const first = line.candidate === null ? [] : [line.candidate];
  const candidates = read.value?.candidates ?? first;
  const picked = review.pickOf(line);
  if (read.error !== undefined) {
    return <ErrorState message={read.error} onRetry={read.retry} />;
  }
  if (candidates.length === 0) return null;
  return (
    <>
      {(candidates.length > 1 || picked === undefined) && (
        <div className="rv-candidates" role="radiogroup" aria-label="Candidates">
          {candidates.map((candidate, at) => (
            <OneCandidate
              key={candidate.key}
              {...{ line, names, candidate, at }}
              isPicked={picked?.key === candidate.key}
              onPick={mayAct ? () => review.pick(line, candidate) : undefined}
            />
          ))}
        </div>
      )}
      {picked !== undefined && (
        <div className="rv-does">
          <p className="ek-muted ek-small">{actionDescription(picked, line, names)}</p>
          {mayAct && (
            <span className="rv-other">
              <button type="button" className="ek-link ek-small" onClick={singly(() => review.refuse(line, picked))}>
                Not a Match
              </button>
              <button type="button" className="ek-link ek-small" onClick={() => review.setWay('find')}>
                Find Another Match
              </button>
            </span>
          )}
        </div>
      )}
    </>
  );
}

interface OneCandidateProps {
  line: BankLine;
  names: Names;
  candidate: Candidate;
  at: number;
  isPicked: boolean;
  onPick: (() => void) | undefined;
}

function OneCandidate({ line, names, candidate, at, isPicked, onPick }: OneCandidateProps) {
  return (
    <label className="rv-candidate" data-picked={isPicked ? '' : undefined}>
      <input
        type="radio"
        name={`candidate ${line.id}`}
        checked={isPicked}
        disabled={onPick === undefined}
        onChange={() => onPick?.()}
      />
      <span className="rv-candidate-words">
        <span>{titleOf(candidate, line, names)}</span>{' '}
        <span className="ek-muted ek-small">{sentence(candidate.reason)}</span>
      </span>
      <Amount value={amountOf(candidate, line)} />
      {at < 9 && (
        <kbd className="ek-key" aria-hidden="true">
          {at + 1}
        </kbd>
      )}
    </label>
  );
}

/** The entries matched to a bank transaction. A single entry is shown in the heading. */
function Entries({ line }: { line: BankLine }) {
  const entries = line.act?.entries ?? [];
  if (entries.length < 2) return null;
  return (
    <ul className="rv-entries" aria-label="Entries">
      {entries.map((entry) => (
        <li key={entry.glid}>
          <span>{entryWords(entry)}</span>
          <Amount value={entry.amount} />
        </li>
      ))}
    </ul>
  );
}
