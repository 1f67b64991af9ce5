import type { AccountItem } from '@evenkeel/contract/ledger';
import { Button } from '@mantine/core';
import { type ComponentType, type FormEvent, useState } from 'react';
import { logout } from '../../client/transport.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { FooterQuestion } from '../../ui/overlay/ConfirmDelete.tsx';
import { StepFoot } from '../../ui/overlay/StepFoot.tsx';
import { Mark } from '../../ui/show/Mark.tsx';
import { StepLine } from '../../ui/show/StepLine.tsx';
import { type Step, Stepper } from '../../ui/show/Stepper.tsx';
import { isAnswered, noteOf, type SetupForm, STEP_FACTS, type StepId, STEPS } from './setupForm.ts';
import { StepBody } from './steps.tsx';
import { type Setup, useSetup } from './useSetup.ts';

const QUESTION = 'Are you sure you want to skip setup? This will auto-complete the first time setup process.';

interface WizardProps {
  initial: SetupForm;
  accounts: readonly AccountItem[];
  Companies: ComponentType<{ lead: string }> | undefined;
  onMoveIn: () => void;
}

/** Six steps on a separate page. The answers are stored on the device until the setup is completed or skipped. */
export function Wizard({ initial, accounts, Companies, onMoveIn }: WizardProps) {
  const setup = useSetup(initial);
  const [isAsking, setAsking] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isAsking) setup.forward();
  };
  return (
    <div className="su">
      <header className="su-head">
        <span className="su-brand">
          <Mark size={24} />
          Evenkeel
        </span>
        <span className="su-kept ek-muted ek-small">Saved as you type</span>
        <Button variant="subtle" color="gray" onClick={() => logout()}>
          Logout
        </Button>
        {setup.step !== 'welcome' && (
          <Button variant="subtle" color="gray" onClick={() => setAsking(true)}>
            Skip Setup
          </Button>
        )}
      </header>
      <StepsNav setup={setup} />
      <main>
        <form className="su-form" onSubmit={submit} noValidate>
          <div className="su-body">
            <StepBody key={setup.step} setup={setup} accounts={accounts} />
            {setup.step === 'welcome' && <MoveIn setup={setup} onMoveIn={onMoveIn} />}
            {setup.step === 'welcome' && Companies !== undefined && (
              <div className="su-in">
                <Companies lead="Or switch to another company and set this one up later:" />
              </div>
            )}
            {setup.problems.map((problem) => (
              <InlineAlert key={problem} kind="Error">
                {problem}
              </InlineAlert>
            ))}
          </div>
          {isAsking ? (
            <FooterQuestion
              question={QUESTION}
              stay={{ label: 'Continue Setup', onClick: () => setAsking(false) }}
              go={{ label: 'Skip Setup', onClick: setup.skip, busy: setup.busy }}
            />
          ) : (
            <Footer setup={setup} onSkip={() => setAsking(true)} />
          )}
        </form>
      </main>
    </div>
  );
}

/** Opens the import instead of the setup, for a company whose books are in another program. */
function MoveIn({ setup, onMoveIn }: { setup: Setup; onMoveIn: () => void }) {
  const go = () => {
    onMoveIn();
    setup.skip();
  };
  return (
    <div className="su-in">
      <p>
        Are your books in QuickBooks, Xero, or another program? Import them with all accounts, customers, vendors, and
        transactions.
      </p>
      <div>
        <Button variant="default" loading={setup.busy} onClick={go}>
          Move In From Another Program
        </Button>
      </div>
    </div>
  );
}

/** The steps with their answers on the left. On a phone, they are a single line with a progress bar. */
function StepsNav({ setup: { at, values, show } }: { setup: Setup }) {
  const steps = STEPS.map((id, index): Step => ({
    id,
    label: STEP_FACTS[id].label,
    note: index < at ? noteOf(id, values) : undefined,
    state: index === at ? 'current' : index > at ? 'next' : isAnswered(id, values) ? 'done' : 'skipped',
  }));
  const go = (id: string) => {
    const found = STEPS.find((each) => each === id);
    if (found !== undefined) show(found);
  };
  return (
    <nav className="su-nav" aria-label="Setup steps">
      <div className="su-steps">
        <Stepper label="First-time setup" steps={steps} onGo={go} vertical />
      </div>
      <div className="su-line">
        <StepLine label="Steps of the setup" steps={STEPS.map((id) => STEP_FACTS[id].label)} at={at} />
      </div>
    </nav>
  );
}

const FORWARD: Partial<Record<StepId, string>> = { welcome: 'Begin', products: 'Complete Setup' };

function Footer({ setup: { step, at, busy, back }, onSkip }: { setup: Setup; onSkip: () => void }) {
  const next = STEPS[at + 1];
  const way =
    step === 'welcome' ? { label: 'Skip Setup', onClick: onSkip } : { label: 'Back', disabled: busy, onClick: back };
  return (
    <StepFoot back={way} note={`Step ${at + 1} of ${STEPS.length}`}>
      <Button type="submit" data-main="" loading={busy} key={step} autoFocus={step === 'welcome'}>
        {FORWARD[step] ?? `Next: ${next === undefined ? '' : STEP_FACTS[next].label}`}
      </Button>
    </StepFoot>
  );
}
