import './overlay.css';
import { Button } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { singly } from '../hooks/once.ts';
import { isKey } from '../keys/keys.ts';

export interface DeleteAction {
  /** The label of the button. Defaults to `Delete`. */
  label?: string;
  /** The question, for example `Delete invoice 10436?` */
  question: string;
  onConfirm: () => void;
  busy?: boolean;
  disabled?: boolean;
}

export interface DeleteSteps {
  asking: boolean;
  ask: () => void;
  cancel: () => void;
}

export function useDeleteSteps(): DeleteSteps {
  const [asking, setAsking] = useState(false);
  return { asking, ask: () => setAsking(true), cancel: () => setAsking(false) };
}

export interface ConfirmDeleteProps {
  action: DeleteAction;
  onCancel: () => void;
}

/** The confirmation of Delete in place of the footer. Cancel Delete has the focus, and Escape selects it. */
export function ConfirmDelete({ action, onCancel }: ConfirmDeleteProps) {
  return (
    <FooterQuestion
      question={action.question}
      stay={{ label: 'Cancel Delete', onClick: onCancel }}
      go={{ label: 'Confirm Delete', onClick: action.onConfirm, busy: action.busy === true }}
    />
  );
}

export interface FooterQuestionProps {
  question: string;
  /** The safe answer, which has the focus. */
  stay: { label: string; onClick: () => void };
  go: { label: string; onClick: () => void; busy?: boolean };
}

/**
 * Focuses the safe answer. Afterward, the focus returns to the element that had it before, or otherwise to the same
 * dialog or panel, so that its keyboard shortcuts work.
 */
function useFocusWhileAsked(answer: RefObject<HTMLButtonElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const place = answer.current?.closest('[role="dialog"], aside');
    answer.current?.focus();
    return () => {
      if (document.activeElement !== document.body) return;
      const next = before?.isConnected === true && before !== document.body ? before : place;
      const target = next instanceof HTMLElement && next.tagName === 'ASIDE' ? next.querySelector('[tabindex]') : next;
      if (target instanceof HTMLElement) target.focus();
    };
  }, [answer]);
}

/**
 * Used for a question that replaces its button. The harmless answer has the focus, and Escape selects it. A
 * double-click opens the question without confirming it.
 */
export function useQuestion(onStay: () => void, onGo: () => void) {
  const first = useRef<HTMLButtonElement>(null);
  useFocusWhileAsked(first);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'close')) return;
    event.preventDefault();
    event.stopPropagation();
    onStay();
  };
  return { first, onKeyDown, confirm: singly(onGo) };
}

/** A footer that asks a question with two answers. */
export function FooterQuestion({ question, stay, go }: FooterQuestionProps) {
  const { first, onKeyDown, confirm } = useQuestion(stay.onClick, go.onClick);
  return (
    <div className="ek-foot" role="group" aria-label={question} onKeyDown={onKeyDown}>
      <span className="ek-foot-note" role="status">
        {question}
      </span>
      <div className="ek-foot-answers">
        <Button ref={first} variant="default" onClick={stay.onClick}>
          {stay.label}
        </Button>
        <Button className="ek-btn-danger" loading={go.busy === true} onClick={confirm}>
          {go.label}
        </Button>
      </div>
    </div>
  );
}
