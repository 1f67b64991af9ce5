import { chargeCalls, type FinanceCharge, type FinanceCharges as Charges } from '@evenkeel/contract/charges';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { formatUsd, sum } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { ask, messageOf, useRead, useStale, useWrite } from '../../../client/api.ts';
import { isAdministrator, useSession } from '../../../client/session.ts';
import { Waiting } from '../../../records/RecordModal.tsx';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { EmptyState, ErrorState } from '../../../ui/show/EmptyState.tsx';
import { counted } from '../../../ui/show/words.ts';
import { type Job, type RunOf, startRun, useRun } from '../workItems/processing.ts';
import { ProcessRun } from '../workItems/ProcessRun.tsx';
import { CUSTOMER_WORDS } from '../workItems/workItems.ts';
import { ChargeRows } from './ChargeRows.tsx';

const TITLE = 'Finance Charges';
const RUN: RunOf = { title: TITLE, dialog: 'charges', words: { one: 'invoice', many: 'invoices' }, head: 'Overdue' };

/**
 * The Finance Charges dialog. It shows each customer's charge through a date, runs the charges, and shows the results.
 */
export function FinanceCharges({ onClose }: { onClose: () => void }) {
  const run = useRun();
  return run === undefined ? <Choose onClose={onClose} /> : <ProcessRun run={run} onClose={onClose} />;
}

const jobOf = ({ id, customerDisplayName: name, lines, amount }: FinanceCharge, date: IsoDate): Job => ({
  id,
  name,
  count: new Set(lines.map(({ invoiceId }) => invoiceId)).size,
  amount,
  asked: ask(chargeCalls.makeFinanceCharges, { body: { id, date, amount } }),
});

function Choose({ onClose }: { onClose: () => void }) {
  const today = useToday();
  const [typed, setTyped] = useState<IsoDate | null>();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const stale = useStale();
  const leaveOut = useLeaveOut();
  const isGood = typed === undefined || (typed !== null && typed <= today);
  const date = isGood ? typed : undefined;
  const asked = ask(chargeCalls.listFinanceCharges, { query: date === undefined ? {} : { date } });
  const { value, error, retry } = useRead(asked, { isFresh: true, keep: true });
  const all = isGood ? (value?.charges ?? []) : [];
  const chosen = all.filter(({ id }) => !left.has(id));
  const charge = () => {
    // The date of the displayed charges. The date doesn't change until the charges for another date have loaded.
    const jobs = chosen.map((one) => jobOf(one, value?.date ?? today));
    void startRun(RUN, jobs, stale);
  };
  const primary = {
    label: `Charge ${counted(chosen.length, { one: 'Customer', many: 'Customers' })}`,
    disabled: chosen.length === 0 || (date !== undefined && value?.date !== date),
    onClick: charge,
  };
  const total = (
    <dl className="dc-sums">
      <div>
        <dt>
          {chosen.length.toLocaleString('en-US')} of {counted(all.length, CUSTOMER_WORDS)}
        </dt>
        <dd>{formatUsd(sum(chosen.map(({ amount }) => amount)))}</dd>
      </div>
    </dl>
  );
  const actions = [{ label: 'Cancel', quiet: true, onClick: onClose }];
  return (
    <AppModal
      opened
      title={TITLE}
      size="lg"
      grows
      onClose={onClose}
      footer={value?.isSet === true ? { primary, actions, total } : undefined}
    >
      {value === undefined ? (
        error === undefined ? (
          <Waiting />
        ) : (
          <ErrorState message={error} onRetry={() => void retry()} />
        )
      ) : !value.isSet ? (
        <NotSet />
      ) : (
        <>
          <div className="bl-process-head">
            <p>Creates one invoice per customer, with a line for each overdue invoice. No day is charged twice.</p>
            <DateField
              label="Charge Through"
              value={typed === undefined ? today : typed}
              onChange={setTyped}
              error={isGood ? undefined : 'Please enter a date that is today or earlier'}
              autoFocus
            />
          </div>
          {all.length === 0 ? (
            <Nothing charges={value} isGood={isGood} />
          ) : (
            <ChargeRows all={all} left={left} onLeft={setLeft} leaveOut={leaveOut} />
          )}
        </>
      )}
    </AppModal>
  );
}

/** Permanently excludes a customer from finance charges. The customer can be included again in Settings. */
function useLeaveOut() {
  const alerts = useAlerts();
  const write = useWrite(chargeCalls.leaveOutOfFinanceCharges);
  return ({ id, customerDisplayName }: FinanceCharge) => {
    write.mutate(
      { params: { customerId: id }, body: { leftOut: true } },
      {
        onSuccess: () => alerts.info(`${customerDisplayName} is now excluded from finance charges`),
        onError: (error) => alerts.error(messageOf(error)),
      },
    );
  };
}

function Nothing({ charges, isGood }: { charges: Charges; isGood: boolean }) {
  const hint =
    'Invoices on hold, customers whose credits cover their balance, and days already charged are not included.';
  if (!isGood) return null;
  return <EmptyState title={`There is nothing to charge through ${formatDate(charges.date)}`} hint={hint} />;
}

function NotSet() {
  const administers = isAdministrator(useSession());
  return (
    <EmptyState
      title="Finance charges are off"
      hint={
        administers
          ? 'Set a rate or an amount to turn them on.'
          : 'To turn them on, ask an administrator to set a rate or an amount in Settings.'
      }
      action={
        administers && (
          <Button component={Link} to="/settings?tab=reminders#charges" variant="default">
            Set Up Finance Charges
          </Button>
        )
      }
    />
  );
}
