import { Button } from '@mantine/core';
import { useState } from 'react';

export interface ConfirmButtonProps {
  label: string;
  question: string;
  onConfirm: () => void;
}

/** A button that asks in its place before it acts. */
export function ConfirmButton({ label, question, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  }
  return (
    <span className="ac-ask" role="group" aria-label={question}>
      <span className="ek-second">{question}</span>
      <Button variant="subtle" size="xs" onClick={() => setAsking(false)}>
        Cancel
      </Button>
      <Button
        size="xs"
        autoFocus
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {label}
      </Button>
    </span>
  );
}
