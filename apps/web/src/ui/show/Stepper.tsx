import './stepper.css';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useNarrow } from '../hooks/media.ts';
import { ICON_SMALL } from './icons.ts';
import { StepLine } from './StepLine.tsx';

export type StepState = 'done' | 'current' | 'next' | 'failed' | 'skipped';

export interface Step {
  id: string;
  label: string;
  /** A second line, for example the answer. Shown only in the vertical layout. */
  note?: string | undefined;
  state: StepState;
}

export interface StepperProps {
  /** The accessible name, for example `Import a statement`. */
  label: string;
  steps: readonly Step[];
  /** Called to return to a step. If provided, completed, failed, and skipped steps are buttons. */
  onGo?: ((id: string) => void) | undefined;
  /** Whether the steps are arranged vertically and connected by a line. */
  vertical?: boolean;
}

const WORDS: Record<StepState, string> = {
  done: 'Done',
  current: 'Current',
  next: 'Not started',
  failed: 'Failed',
  skipped: 'Skipped',
};

/**
 * The steps of a task. An icon and hidden text convey each state without color. On a phone, a row of steps is a single
 * line with a progress bar.
 */
export function Stepper({ label, steps, onGo, vertical = false }: StepperProps) {
  const isNarrow = useNarrow();
  if (isNarrow && !vertical) {
    const at = steps.findIndex(({ state }) => state === 'current');
    return <StepLine label={label} steps={steps.map((step) => step.label)} at={at} word="Step" />;
  }
  return (
    <ol className="ek-steps" aria-label={label} data-vertical={vertical ? '' : undefined}>
      {steps.map((step, at) => {
        const face = <StepFace step={step} number={at + 1} of={steps.length} />;
        const isWay = onGo !== undefined && step.state !== 'current' && step.state !== 'next';
        return (
          <li key={step.id} data-state={step.state} aria-current={step.state === 'current' ? 'step' : undefined}>
            {isWay ? (
              <button type="button" className="ek-step" onClick={() => onGo(step.id)}>
                {face}
              </button>
            ) : (
              <span className="ek-step">{face}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function StepFace({ step, number, of }: { step: Step; number: number; of: number }) {
  return (
    <>
      <span className="ek-step-glyph ek-num" aria-hidden="true">
        {step.state === 'done' && <IconCheck {...ICON_SMALL} />}
        {step.state === 'failed' && <IconAlertTriangle {...ICON_SMALL} />}
        {step.state !== 'done' && step.state !== 'failed' && number}
      </span>
      <span className="ek-vh">{`Step ${number} of ${of}, ${WORDS[step.state]}: `}</span>
      <span className="ek-step-label">
        {step.label}
        {step.note !== undefined && <small className="ek-step-note">{step.note}</small>}
      </span>
    </>
  );
}
