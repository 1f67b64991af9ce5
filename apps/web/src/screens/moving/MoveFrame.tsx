import './moving.css';
import { moveSource, type MoveSystem } from '@evenkeel/core/moving/sources';
import type { ReactNode } from 'react';
import { useAddressText } from '../../records/openRecord.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Stepper } from '../../ui/show/Stepper.tsx';
import { counted } from '../../ui/show/words.ts';
import { STEP_LABELS, type StepId, STEPS } from './steps.ts';

export const FILES = { one: 'file', many: 'files' };
export const SETTINGS = { label: 'Back to Settings', to: '/settings?tab=movein' };

export interface MoveFrameProps {
  step: StepId;
  /** The old program, if it has been chosen. */
  system?: MoveSystem | undefined;
  files?: number;
  /** Whether completed steps can be opened. False while the server works. */
  canGo?: boolean;
  /** Content to the right of the title. */
  aside?: ReactNode;
  /** The step's footer (StepFoot). */
  foot?: ReactNode;
  children: ReactNode;
}

/** The page for a step: the list of steps in place of tabs, the step's content, and its footer. */
export function MoveFrame({ step, system, files = 0, canGo = true, aside, foot, children }: MoveFrameProps) {
  const [, open] = useAddressText('step');
  const isNarrow = useNarrow();
  const at = STEPS.indexOf(step);
  const meta =
    system === undefined || step === 'source'
      ? `Step ${at + 1} of ${STEPS.length}`
      : `${moveSource(system).label}${step === 'files' ? '' : `, ${counted(files, FILES)}`}`;
  return (
    <Page title="Move In" {...(isNarrow ? {} : { meta })} back={SETTINGS} aside={aside}>
      <nav className="mv-steps" aria-label="Steps">
        <Stepper
          label="Move in"
          steps={STEPS.map((id, index) => ({
            id,
            label: STEP_LABELS[id],
            state: index === at ? 'current' : index < at ? 'done' : 'next',
          }))}
          onGo={canGo ? open : undefined}
        />
      </nav>
      {children}
      {foot}
    </Page>
  );
}
