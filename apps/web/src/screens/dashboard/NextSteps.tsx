import {
  dashboardCalls,
  type FirstStep,
  type FirstStepKey,
  type WaitingKey,
  type WaitingWork,
} from '@evenkeel/contract/dashboard';
import { ActionIcon } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCreditCard,
  IconFileCheck,
  IconInbox,
  IconMailX,
  IconX,
} from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { Link } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { counted } from '../../ui/show/words.ts';

interface StepWords {
  label: string;
  hint: string;
  /** The screen that the user must be able to open. */
  screen: string;
  /** Returns the URL that opens the form on that screen. */
  form?: (id: number | null) => string;
  /** The page for the step, if it is not in the menu. */
  page?: string;
}

const WORDS: Readonly<Record<FirstStepKey, StepWords>> = {
  companyInfo: {
    label: 'Address and logo',
    hint: 'Shown on every invoice',
    screen: '/settings',
    form: (id) => `company=${id ?? 0}`,
  },
  salesTax: {
    label: 'Sales tax',
    hint: 'Enter your rates if you charge sales tax',
    screen: '/settings',
    form: (id) => `salestax=${id ?? 0}`,
  },
  moveIn: {
    label: 'Move in',
    hint: 'Import your books from QuickBooks, Xero, or another program, with every balance verified',
    screen: '/settings',
    form: () => 'tab=movein',
  },
  openingBalances: {
    label: 'Opening balances',
    hint: 'Enter balances, open invoices, and unpaid bills from your previous books',
    screen: '/accounting',
    page: '/openingbalances',
  },
  bank: {
    label: 'Bank account',
    hint: 'Enter the account number, so that imported statements can be matched to the account',
    screen: '/banking',
    form: (id) => `tab=accounts&bankaccount=${id ?? 0}`,
  },
  invoice: {
    label: 'First invoice',
    hint: 'Add customers and prices as you go',
    screen: '/billing',
    form: () => 'edit=0',
  },
  colleagues: {
    label: 'Colleagues',
    hint: 'Invite the people who keep the books with you',
    screen: '/users',
    form: () => 'user=0',
  },
};

interface WaitingWords {
  Icon: ComponentType<typeof ICON>;
  label: (count: number) => string;
  hint: string;
  /** The screen where the problem can be solved. */
  screen: string;
  query?: string;
}

const WAITING_WORDS: Readonly<Record<WaitingKey, WaitingWords>> = {
  bankLines: {
    Icon: IconInbox,
    label: (count) => `${counted(count, { one: 'bank transaction', many: 'bank transactions' })} to review`,
    hint: 'Match or categorize them',
    screen: '/banking',
    query: '?tab=review',
  },
  onlineReviews: {
    Icon: IconCreditCard,
    label: (count) => `${counted(count, { one: 'online payment', many: 'online payments' })} to review`,
    hint: 'Payments, refunds, and disputes that need your decision',
    screen: '/onlinepayments',
  },
  acceptedEstimates: {
    Icon: IconFileCheck,
    label: (count) => `${counted(count, { one: 'estimate', many: 'estimates' })} accepted`,
    hint: 'Create invoices from them',
    screen: '/billing',
    query: '?tab=estimates',
  },
  documentEmails: {
    Icon: IconMailX,
    label: (count) => `${counted(count, { one: 'document', many: 'documents' })} not delivered by email`,
    hint: 'Check the email addresses and send again',
    screen: '/billing',
  },
  emails: {
    Icon: IconMailX,
    label: (count) => `${counted(count, { one: 'email', many: 'emails' })} not delivered`,
    hint: 'In the last 7 days. Check the email addresses and invite the users again.',
    screen: '/users',
  },
  jobs: {
    Icon: IconAlertTriangle,
    label: (count) => `${counted(count, { one: 'job', many: 'jobs' })} failed`,
    hint: 'In the last 7 days. Open Health to see which ones and why.',
    screen: '/health',
  },
};

export interface NextStepsProps {
  /** The steps that the user has permission to complete. */
  steps: readonly FirstStep[];
  waiting: readonly WaitingWork[];
  /** Returns whether the user can open the screen at a path. */
  opens: (path: string) => boolean;
}

/**
 * Pending work with links to its screens, and the first steps of a new company with links to their forms. The first
 * steps disappear when all are done or the user dismisses them.
 */
export function NextSteps({ steps, waiting, opens }: NextStepsProps) {
  const dismissal = useDismissal();
  const shown = steps.filter(({ key }) => opens(WORDS[key].screen));
  const left = shown.filter(({ done }) => !done).length;
  const hasFirst = left > 0 && !dismissal.isGone;
  const work = waiting.filter(({ key }) => opens(WAITING_WORDS[key].screen));
  if (!hasFirst && work.length === 0) return null;
  const dismiss = (
    <ActionIcon aria-label="Dismiss first steps" onClick={dismissal.dismiss}>
      <IconX {...ICON} />
    </ActionIcon>
  );
  const count = <span className="ek-second ek-small">{`${shown.length - left} of ${shown.length} done`}</span>;
  return (
    <div className="db-first" id="next-steps">
      <Card title="Next Steps" {...(hasFirst && { beside: count, actions: dismiss })}>
        {work.length > 0 && (
          <ul className="db-steps db-waiting">
            {work.map((one) => (
              <Waiting key={one.key} work={one} />
            ))}
          </ul>
        )}
        {hasFirst && (
          <ol className="db-steps">
            {shown.map((step) => (
              <Step key={step.key} step={step} />
            ))}
          </ol>
        )}
      </Card>
    </div>
  );
}

function Waiting({ work: { key, count } }: { work: WaitingWork }) {
  const { Icon, label, hint, screen, query = '' } = WAITING_WORDS[key];
  return (
    <li>
      <Icon {...ICON} />
      <div>
        <Link to={screen + query}>{label(count)}</Link>
        <p className="ek-second ek-small">{hint}</p>
      </div>
    </li>
  );
}

function Step({ step: { key, done, id } }: { step: FirstStep }) {
  const { label, hint, screen, form, page = screen } = WORDS[key];
  return (
    <li data-done={done ? '' : undefined}>
      {done ? <IconCircleCheck {...ICON} /> : <IconCircle {...ICON} />}
      <div>
        <Link to={form === undefined ? page : `${screen}?${form(id)}`}>{label}</Link>
        {done && <span className="ek-muted"> (done)</span>}
        <p className="ek-second ek-small">{hint}</p>
      </div>
    </li>
  );
}

/** Hides the steps immediately. They appear again after Undo or a failed save. */
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
          if (dismissed) alerts.info('First steps dismissed', { action });
        },
        onError: (error) => {
          setGone(!dismissed);
          alerts.error(`First steps could not be ${dismissed ? 'dismissed' : 'restored'}: ${messageOf(error)}`);
        },
      },
    );
  };
  return { isGone, dismiss: () => set(true) };
}
