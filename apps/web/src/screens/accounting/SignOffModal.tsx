import { type AccountSignOff, closingCalls } from '@evenkeel/contract/closing';
import { addDays, formatDate, type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import { formatAmount } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ask, messageOf, useRead, useStale, useWrite } from '../../client/api.ts';
import { isAdministrator, useSession } from '../../client/session.ts';
import { useChart } from '../../parts/ledger/queries.ts';
import { Posted } from '../../parts/ledger/Posted.tsx';
import { SettledDate } from '../../parts/ledger/SettledDate.tsx';
import { useFormSave } from '../../records/formSave.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { FormErrorSummary } from '../../ui/show/FormErrorSummary.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';

interface SignOffModalProps {
  accountId: number;
  /** The end date of the register. A date after today is ignored. */
  through: IsoDate | undefined;
  onClose: () => void;
  /** Opens a transaction on top of the screen. */
  onEntry: (transactionId: number) => void;
}

/** The maximum length of a note in the API. */
const MAX_NOTE = 500;

/**
 * An account's sign-offs, the changes since each sign-off, and the fields for signing off the balance through another
 * date.
 */
export function SignOffModal({ accountId, through, onClose, onEntry }: SignOffModalProps) {
  const today = useToday();
  const lastMonth = addDays(startOfMonth(today), -1);
  const [date, setDate] = useState(through === undefined || through > today ? lastMonth : through);
  const read = useRead(
    ask(closingCalls.accountSignOffs, { params: { customerAccountId: accountId }, query: { date } }),
    {
      keep: true,
      isFresh: true,
      alert: 'Error Loading Sign-Offs',
    },
  );
  const account = useChart(true).value?.find((row) => row.customerAccountID === accountId);
  const isSigner = isAdministrator(useSession());
  const list = read.value;
  const form = useSignOff({ accountId, date, balance: read.isStale ? undefined : list?.balance });
  return (
    <AppModal
      opened
      title={`Sign-Offs: ${account?.displayAccountLabel ?? 'Account'}`}
      onClose={onClose}
      dirty={form.note !== ''}
      grows
      footer={
        isSigner
          ? {
              actions: [{ label: 'Cancel', quiet: true, onClick: onClose, disabled: form.busy }],
              primary: { label: 'Sign Off', onClick: form.save, busy: form.busy, disabled: !form.isReady },
            }
          : undefined
      }
    >
      <div className="ek-stack">
        {isSigner && (
          <>
            <FormErrorSummary problems={form.problems} />
            <div className="ac-sign">
              <SettledDate
                label="Through"
                inRow={false}
                required
                value={date}
                onChange={(next) => setDate(next ?? date)}
              />
              <Figure note={`Balance on ${formatDate(date)}`}>
                {list === undefined || read.isStale ? (
                  <span className="ek-sk" aria-hidden="true" />
                ) : (
                  <Amount value={list.balance} sign />
                )}
              </Figure>
            </div>
            <TextField
              label="Note"
              hint="Optional. Kept with the sign-off."
              value={form.note}
              onChange={form.setNote}
              maxLength={MAX_NOTE}
            />
          </>
        )}
        {read.error !== undefined && list === undefined && <ErrorState message={read.error} onRetry={read.retry} />}
        {list?.signOffs.length === 0 && <p className="ek-muted">This account has not been signed off yet.</p>}
        <ul className="ac-signed">
          {list?.signOffs.map((one) => (
            <SignedOff key={one.id} of={one} isSigner={isSigner} onEntry={onEntry} />
          ))}
        </ul>
      </div>
    </AppModal>
  );
}

interface SignedOffProps {
  of: AccountSignOff;
  isSigner: boolean;
  onEntry: SignOffModalProps['onEntry'];
}

/** A sign-off with its balance, and the transactions that have changed the balance since then. */
function SignedOff({ of, isSigner, onEntry }: SignedOffProps) {
  const { id, accountId, date, from, basis, balance, change, since, note, signedBy, signedAt } = of;
  const alerts = useAlerts();
  const [isOpen, setOpen] = useState(false);
  const write = useWrite(closingCalls.withdrawSignOff);
  const withdraw = () =>
    write.mutate(
      { params: { id } },
      {
        onSuccess: () => alerts.success('Sign-off withdrawn'),
        onError: (error) => alerts.error(messageOf(error)),
      },
    );
  const source = { accountIds: [accountId], from, to: date, basis, profitCenterId: null, locationId: null, since };
  return (
    <li>
      <div className="ac-signed-head">
        <span className="ek-semi">{`Through ${formatDate(date)}`}</span>
        {change === 0 ? (
          <Status look="done">Unchanged</Status>
        ) : (
          <Status look="pending">{`Changed by ${formatAmount(change)}`}</Status>
        )}
        <span className="ek-grow" />
        <Amount value={balance} />
      </div>
      <div className="ac-signed-head ek-muted ek-small">
        <span>
          {`Signed off by ${signedBy}, `}
          <MomentText value={signedAt} />
        </span>
        <span className="ek-grow" />
        {isSigner && (
          <Button
            variant="subtle"
            size="xs"
            loading={write.isPending}
            onClick={withdraw}
            aria-label={`Withdraw the sign-off through ${formatDate(date)}`}
          >
            Withdraw
          </Button>
        )}
      </div>
      {note !== '' && <p>{note}</p>}
      {change !== 0 && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{`Transactions since then (balance now ${formatAmount(of.current)})`}</summary>
          {isOpen && <Posted source={source} shown={change} onOpen={onEntry} />}
        </details>
      )}
    </li>
  );
}

interface SignOffAsk {
  accountId: number;
  date: IsoDate;
  /** The balance that the user sees. Undefined while it loads. */
  balance: AccountSignOff['balance'] | undefined;
}

/**
 * Signs off the balance that the user sees. If the balance has changed in the meantime, the server rejects the
 * sign-off.
 */
function useSignOff({ accountId, date, balance }: SignOffAsk) {
  const [note, setNote] = useState('');
  const alerts = useAlerts();
  const write = useWrite(closingCalls.signOffAccount);
  const refresh = useStale();
  const save = useFormSave({});
  const run = async () => {
    if (balance === undefined) return;
    const saved = await save.attempt(() => write.mutateAsync({ body: { accountId, date, balance, note } }));
    // After a rejection, the dialog shows the current balance and sign-offs.
    if (saved === undefined) return refresh();
    alerts.success(`Signed off through ${formatDate(saved.date)}`);
    setNote('');
  };
  return {
    note,
    setNote: (text: string) => {
      setNote(text);
      save.touched();
    },
    problems: save.problems.map((message) => ({ message })),
    busy: save.busy,
    isReady: balance !== undefined,
    save: () => void run(),
  };
}
