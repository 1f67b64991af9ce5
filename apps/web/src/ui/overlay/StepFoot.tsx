import './overlay.css';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

export interface StepFootProps {
  /** The button on the left. Omitted if the step has none. */
  back?: { label: string; onClick: () => void; disabled?: boolean; isPlain?: boolean } | undefined;
  /** The sentence before the next button: the reason why it is disabled, or its effect. Phones don't show it. */
  note?: ReactNode;
  /** The button for the next step. */
  children?: ReactNode;
}

/** The footer of a step: Back, a sentence, and Next. */
export function StepFoot({ back, note, children }: StepFootProps) {
  return (
    <div className="ek-foot ek-step-foot">
      {back !== undefined && (
        <Button
          variant={back.isPlain === true ? 'subtle' : 'default'}
          disabled={back.disabled === true}
          onClick={back.onClick}
        >
          {back.label}
        </Button>
      )}
      <span className="ek-foot-space" />
      {note !== undefined && <span className="ek-step-why ek-muted ek-small">{note}</span>}
      {children}
    </div>
  );
}
