import { closingCalls } from '@evenkeel/contract/closing';
import { closingFaults } from '@evenkeel/core/books/closing';
import { addDays, endOfMonth, formatDate, type IsoDate, monthName, startOfMonth } from '@evenkeel/core/dates';
import { IconAlertCircle, IconLock, IconLockOpen } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useStale, useWrite } from '../../client/api.ts';
import { ApiError } from '../../client/transport.ts';
import { useFormSave } from '../../records/formSave.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { FormErrorSummary } from '../../ui/show/FormErrorSummary.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { type Check, closedWords, monthOnly } from './checklist.ts';

/** The maximum length of a note in the API. */
const MAX_NOTE = 500;

interface ClosingDialogProps {
  /** The last day of the month to close, or of the closed month to reopen. */
  date: IsoDate;
  closing: { closingDate: IsoDate | null; rowVersion: number };
  onClose: () => void;
}

/** Closes a month. Open checks are listed with links, and need a note. */
export function CloseDialog({ date, closing, open, onClose }: ClosingDialogProps & { open: readonly Check[] }) {
  const move = useMove({ to: date, openCount: open.length, closing, onClose });
  const { length: count } = open;
  return (
    <AppModal
      opened
      title={`Close ${date === endOfMonth(date) ? monthName(date) : closedWords(date)}`}
      onClose={onClose}
      dirty={move.note !== ''}
      footer={{
        total: <span className="ek-muted ek-small">{`Closing Date ${formatDate(date)}`}</span>,
        actions: [{ label: 'Cancel', quiet: true, onClick: onClose, disabled: move.busy }],
        primary: {
          label: `Close ${closedWords(date)}`,
          icon: <IconLock {...ICON_SMALL} />,
          onClick: move.save,
          busy: move.busy,
        },
      }}
      enterSaves
    >
      <div className="ek-stack">
        <FormErrorSummary problems={move.problems} />
        <p className="me-text">
          {`Changes dated on or before ${formatDate(date)} will need a reason. You can reopen the month later.`}
        </p>
        {count > 0 && (
          <section aria-labelledby="me-open-items">
            <h3 className="me-open-head" id="me-open-items">
              Open items
            </h3>
            <ul className="me-open">
              {open.map(({ key, title, openTitle = title, amount, link }) => (
                <li key={key}>
                  <IconAlertCircle {...ICON_SMALL} aria-hidden />
                  {link === undefined ? <span>{openTitle}</span> : <Link to={link.to}>{openTitle}</Link>}
                  {amount !== null && <Amount value={amount} />}
                </li>
              ))}
            </ul>
          </section>
        )}
        <TextField
          label="Note"
          hint={
            count === 0
              ? 'Optional. Kept with the closed month.'
              : `Required because ${count === 1 ? '1 item is' : `${count} items are`} open. Kept with the closed month.`
          }
          value={move.note}
          onChange={move.setNote}
          error={move.error}
          maxLength={MAX_NOTE}
          autoFocus
        />
      </div>
    </AppModal>
  );
}

/** Reopens a closed month and all later months. Requires a reason. */
export function ReopenDialog({
  date,
  closing,
  closed,
  onClose,
}: ClosingDialogProps & { closed: { closedBy: string; closedAt: string } | undefined }) {
  const move = useMove({ to: addDays(startOfMonth(date), -1), openCount: 0, closing, onClose });
  return (
    <AppModal
      opened
      title={`Reopen ${monthName(date)}`}
      onClose={onClose}
      dirty={move.note !== ''}
      footer={{
        total: closed && (
          <span className="ek-muted ek-small">
            Closed <MomentText value={closed.closedAt} isNarrow /> by {closed.closedBy}
          </span>
        ),
        actions: [{ label: 'Cancel', quiet: true, onClick: onClose, disabled: move.busy }],
        primary: {
          label: `Reopen ${monthOnly(date)}`,
          icon: <IconLockOpen {...ICON_SMALL} />,
          onClick: move.save,
          busy: move.busy,
        },
      }}
      enterSaves
    >
      <div className="ek-stack">
        <FormErrorSummary problems={move.problems} />
        <p className="me-text">
          {`${monthName(date)} and later months will be open. Reports that you already sent may change. `}
          If you close the month again, both notes are kept.
        </p>
        <TextField
          label="Reason"
          value={move.note}
          onChange={move.setNote}
          error={move.error}
          maxLength={MAX_NOTE}
          autoFocus
        />
      </div>
    </AppModal>
  );
}

interface Move {
  /** The new closing date. */
  to: IsoDate;
  openCount: number;
  closing: ClosingDialogProps['closing'];
  onClose: () => void;
}

/**
 * Saves the new closing date and its note. If another user has moved the date in the meantime, closes the dialog,
 * because the month may already be closed.
 */
function useMove({ to, openCount, closing, onClose }: Move) {
  const [note, setNote] = useState('');
  const alerts = useAlerts();
  const refresh = useStale();
  const write = useWrite(closingCalls.setClosingDate);
  // The version that the user saw when the dialog opened.
  const [{ closingDate: from, rowVersion }] = useState(closing);
  const save = useFormSave(closingFaults({ from, to, note, openCount }));
  const send = async () => {
    try {
      return await write.mutateAsync({ body: { closingDate: to, note, rowVersion } });
    } catch (error) {
      if (error instanceof ApiError && error.body.code === 'stale') {
        refresh();
        onClose();
      }
      throw error;
    }
  };
  const run = async () => {
    const saved = await save.attempt(send);
    if (saved === undefined) return;
    const through = saved.closingDate;
    alerts.success(through === null ? 'The books are open' : `The books are closed through ${formatDate(through)}`);
    onClose();
  };
  return {
    note,
    setNote: (text: string) => {
      setNote(text);
      save.touched();
    },
    error: save.fields['note'],
    problems: save.problems.map((message) => ({ message })),
    busy: save.busy,
    save: () => void run(),
  };
}
