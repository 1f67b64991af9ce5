import { Button } from '@mantine/core';
import { useState } from 'react';
import { useDeleteSteps, useQuestion } from '../../ui/overlay/ConfirmDelete.tsx';

export interface ConfirmButtonProps {
  label: string;
  question: string;
  onConfirm: () => void;
}

/**
 * A button that is replaced by a confirmation question before the action runs. Cancel has the focus and restores the
 * button.
 */
export function ConfirmButton({ label, question, onConfirm }: ConfirmButtonProps) {
  const steps = useDeleteSteps();
  const [wasAsked, setWasAsked] = useState(false);
  const end = () => {
    setWasAsked(true);
    steps.cancel();
  };
  if (!steps.asking) {
    return (
      <Button variant="default" size="xs" autoFocus={wasAsked} onClick={steps.ask}>
        {label}
      </Button>
    );
  }
  const go = () => {
    end();
    onConfirm();
  };
  return <Question {...{ label, question }} onStay={end} onGo={go} />;
}

interface QuestionProps {
  label: string;
  question: string;
  onStay: () => void;
  onGo: () => void;
}

function Question({ label, question, onStay, onGo }: QuestionProps) {
  const { first, onKeyDown, confirm } = useQuestion(onStay, onGo);
  return (
    <span className="ac-ask" role="group" aria-label={question} onKeyDown={onKeyDown}>
      <span className="ek-second">{question}</span>
      <Button ref={first} variant="subtle" size="xs" onClick={onStay}>
        Cancel
      </Button>
      <Button size="xs" onClick={confirm}>
        {label}
      </Button>
    </span>
  );
}
