import { dashboardCalls, type FirstStep, type FirstStepKey } from '@evenkeel/contract/dashboard';
import { ActionIcon } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ICON } from '../../ui/show/icons.ts';

interface StepWords {
  label: string;
  hint: string;
  /** The screen that must be there for it. */
  screen: string;
  /** The form within that screen. */
  form?: (id: number | null) => string;
}

const WORDS: Readonly<Record<FirstStepKey, StepWords>> = {
  companyInfo: {
    label: 'Address and logo',
    hint: 'They stand on every invoice',
    screen: '/settings',
    form: (id) => `company=${id ?? 0}`,
  },
  salesTax: {
    label: 'Sales tax',
    hint: 'The rates that you charge, if you do',
    screen: '/settings',
    form: (id) => `salestax=${id ?? 0}`,
  },
  openingBalances: {
    label: 'Opening balances',
    hint: 'What your last books closed with',
    screen: '/accounting',
    form: () => 'journal=o0',
  },
  bank: {
    label: 'Bank account',
    hint: 'Its number, so that statements find it',
    screen: '/banking',
    form: (id) => `tab=accounts&bankaccount=${id ?? 0}`,
  },
  invoice: {
    label: 'First invoice',
    hint: 'Add customer and prices as you go',
    screen: '/billing',
    form: () => 'edit=0',
  },
  colleagues: {
    label: 'Colleagues',
    hint: 'Whoever keeps the books with you',
    screen: '/users',
    form: () => 'user=0',
  },
};

export interface FirstStepsProps {
  /** Those that the person may take. */
  steps: readonly FirstStep[];
  /** Whether there is a screen at a path that the person may open. */
  opens: (path: string) => boolean;
}

/** The first steps of a new company, until all are done or the person dismisses them; each leads to its form. */
export function FirstSteps({ steps, opens }: FirstStepsProps) {
  const dismissal = useDismissal();
  const shown = steps.filter(({ key }) => opens(WORDS[key].screen));
  const left = shown.filter(({ done }) => !done).length;
  if (left === 0 || dismissal.isGone) return null;
  const dismiss = (
    <ActionIcon aria-label="Dismiss First Steps" onClick={dismissal.dismiss}>
      <IconX {...ICON} />
    </ActionIcon>
  );
  const count = <span className="ek-second ek-small">{`${shown.length - left} of ${shown.length} done`}</span>;
  return (
    <div className="db-first">
      <Card title="First Steps" beside={count} actions={dismiss}>
        <ol className="db-steps">
          {shown.map((step) => (
            <Step key={step.key} step={step} />
          ))}
        </ol>
      </Card>
    </div>
  );
}

function Step({ step: { key, done, id } }: { step: FirstStep }) {
  const { label, hint, screen, form } = WORDS[key];
  return (
    <li data-done={done ? '' : undefined}>
      {done ? <IconCircleCheck {...ICON} /> : <IconCircle {...ICON} />}
      <div>
        <Link to={form === undefined ? screen : `${screen}?${form(id)}`}>{label}</Link>
        {done && <span className="ek-muted"> (done)</span>}
        <p className="ek-second ek-small">{hint}</p>
      </div>
    </li>
  );
}

/** Takes the steps off at once; Undo brings them back, and so does a server that could not keep it. */
function useDismissal() {
  const alerts = useAlerts();
  const [isGone, setGone] = useState(false);
  const write = useWrite(dashboardCalls.dismissFirstSteps);
  const set = (dismissed: boolean) => {
    setGone(dismissed);
    write.mutate(
      { body: { dismissed } },
      {
        onSuccess: () => {
          const action = { label: 'Undo', run: () => set(false) };
          if (dismissed) alerts.info('First Steps dismissed', { action });
        },
        onError: (error) => {
          setGone(!dismissed);
          alerts.error(`First Steps could not be ${dismissed ? 'dismissed' : 'put back'}: ${messageOf(error)}`);
        },
      },
    );
  };
  return { isGone, dismiss: () => set(true) };
}
