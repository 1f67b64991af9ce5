import './stepper.css';
import { Bar } from './Bar.tsx';

export interface StepLineProps {
  /** The accessible name of the bar, for example `Steps of the setup`. */
  label: string;
  /** The names of all steps in order. */
  steps: readonly string[];
  /** The index of the current step. */
  at: number;
  /** The word before the number, for example `Step`. */
  word?: string;
}

/** The steps of a task on a phone: the current step, the next one, and a progress bar. */
export function StepLine({ label, steps, at, word }: StepLineProps) {
  const next = steps[at + 1];
  return (
    <div className="ek-step-line">
      <b>{`${word === undefined ? '' : `${word} `}${at + 1} of ${steps.length} · ${steps[at] ?? ''}`}</b>
      {next !== undefined && <span className="ek-muted ek-small">{`Next: ${next}`}</span>}
      <Bar label={label} value={at + 1} max={steps.length} />
    </div>
  );
}
