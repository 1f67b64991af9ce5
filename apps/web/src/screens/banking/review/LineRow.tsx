import type { BankLine, Candidate } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import {
  IconAdjustmentsHorizontal,
  IconArrowsExchange,
  IconCash,
  IconHelpCircle,
  IconLink,
  IconPlus,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Amount } from '../../../ui/show/Amount.tsx';
import { ICON } from '../../../ui/show/icons.ts';
import { Status } from '../../../ui/show/Status.tsx';
import { entryWords } from './FindEntry.tsx';
import { isTaken, type RowNote } from './useReview.ts';
import { actName, badgeOf, doneWord, headOf, isChoice, lineWord, type Names, sentence } from './work.ts';

export interface LineRowProps {
  line: BankLine;
  names: Names;
  note: RowNote;
  isOpen: boolean;
  /** Whether an editor is open in place of the suggested match. */
  isTyping: boolean;
  /** The selected suggested match, or undefined while the user must choose. */
  picked: Candidate | undefined;
  /** The button in the row. Undefined for users with only view permission. */
  act: { onClick: (click: { detail: number }) => void; isOff?: boolean; why?: string | undefined } | undefined;
  onOpen: () => void;
  /** The content below the open bank transaction, in a left and a right column. */
  children?: ReactNode;
}

/**
 * A bank transaction: its text and amount on the left, and the best suggested match, its reason, and one button on the
 * right.
 */
export function LineRow(props: LineRowProps) {
  const { line, names, note, isOpen, isTyping, onOpen, children } = props;
  return (
    <li className="rv-row" data-line={line.id} data-open={isOpen ? '' : undefined} aria-busy={note.isBusy === true}>
      <div className="rv-bank">
        <button type="button" className="rv-head" aria-expanded={isOpen} onClick={onOpen}>
          <span className="rv-text ek-ellipsis" title={line.text}>
            {line.text}
          </span>
          <span className="ek-muted ek-small ek-num">
            {`${formatDate(line.date)} · ${names.bank(line.bankAccountId)}`}
          </span>
        </button>
        <span className="rv-sum">
          <Amount value={line.amount} />
        </span>
      </div>
      {!isTyping && (line.state === 'review' ? <Offered {...props} /> : <Done {...props} />)}
      {children}
    </li>
  );
}

function Offered({ line, names, note, picked, isOpen, act }: LineRowProps) {
  const { title, reason } = headOf(line, names);
  const badge = badgeOf(line);
  const told = note.problem ?? reason;
  return (
    <div className="rv-books">
      <span className="rv-icon" data-kind={iconKind(line)}>
        <Icon line={line} />
      </span>
      <div className="rv-what">
        <div className="rv-title">
          <span className="ek-ellipsis ek-medium">{title}</span>
          {badge !== undefined && <Status look={badge.look}>{badge.text}</Status>}
        </div>
        {note.problem === undefined ? (
          <div className="rv-reason">{told}</div>
        ) : (
          <div className="rv-reason" role="alert" data-problem="">
            {told}
          </div>
        )}
      </div>
      {act !== undefined && (
        <Button
          className="rv-act"
          variant={isOpen ? 'filled' : 'default'}
          disabled={note.isBusy === true || act.isOff === true}
          title={act.why}
          aria-label={actName(line, picked, names)}
          onClick={act.onClick}
        >
          {lineWord(line, picked)}
        </Button>
      )}
    </div>
  );
}

/** The right side of a reviewed bank transaction: the action that was performed, and Undo. */
function Done({ line, note, act }: LineRowProps) {
  const done = line.act;
  const [entry] = done?.entries ?? [];
  const words = done === null ? '' : doneWord(done.action);
  const by = done === null ? '' : done.automatic ? 'by rule' : `by ${done.by}`;
  return (
    <div className="rv-books">
      <div className="rv-what">
        <div className="rv-title">
          <span className="ek-ellipsis ek-medium">{entry === undefined ? words : entryWords(entry)}</span>
          {line.reconciled && <Status look="done">Reconciled</Status>}
        </div>
        <div className="rv-reason" {...(note.problem === undefined ? {} : { role: 'alert', 'data-problem': '' })}>
          {note.problem ?? `${words} ${by}${done === null || done.reason === '' ? '' : ` · ${sentence(done.reason)}`}`}
        </div>
      </div>
      {act !== undefined && (
        <Button
          className="rv-act"
          variant="default"
          disabled={!isTaken(note) && (line.reconciled || note.isBusy === true)}
          aria-label={isTaken(note) ? undefined : `Undo ${line.text}`}
          title={line.reconciled ? 'This transaction is reconciled. Delete the reconciliation first.' : undefined}
          onClick={act.onClick}
        >
          {isTaken(note) ? 'OK' : 'Undo'}
        </Button>
      )}
    </div>
  );
}

function iconKind(line: BankLine): string {
  if (line.candidate === null) return 'new';
  return isChoice(line) ? 'choose' : line.candidate.kind === 'rule' ? 'rule' : 'plain';
}

const ICONS = {
  match: IconLink,
  pay: IconCash,
  deposit: IconCash,
  transfer: IconArrowsExchange,
  add: IconAdjustmentsHorizontal,
} as const;

function Icon({ line }: { line: BankLine }) {
  const { candidate } = line;
  const Shown = candidate === null ? IconPlus : isChoice(line) ? IconHelpCircle : ICONS[candidate.action];
  return <Shown {...ICON} />;
}
