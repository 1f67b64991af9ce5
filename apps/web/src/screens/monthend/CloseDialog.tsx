import { settingsCalls } from '@evenkeel/contract/settings';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { useState } from 'react';
import { messageOf, useWrite } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import type { Check } from './checklist.ts';

interface CloseDialogProps {
  /** The initial closing date. */
  date: IsoDate;
  /** The month's open checks. */
  open: readonly Check[];
  /** The stored closing date. Undefined if the books are open. */
  closedThrough: IsoDate | undefined;
  onClose: () => void;
}

/** Sets or removes the closing date. Open checks are listed, but they don't prevent closing. */
export function CloseDialog({ date: first, open, closedThrough, onClose }: CloseDialogProps) {
  const [date, setDate] = useState<IsoDate | null>(first);
  const alerts = useAlerts();
  const write = useWrite(settingsCalls.saveSettings);
  const save = async (closing: IsoDate | undefined) => {
    try {
      await write.mutateAsync({ body: [{ settingName: 'closingDate', settingValue: closing ?? '', changed: true }] });
      alerts.success(
        closing === undefined ? 'The books are open' : `The books are closed through ${formatDate(closing)}`,
      );
      onClose();
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
  return (
    <AppModal
      opened
      title="Close the Books"
      size="sm"
      onClose={onClose}
      footer={{
        primary: {
          label: date === null ? 'Close Books' : `Close Through ${formatDate(date)}`,
          onClick: () => (date === null ? undefined : void save(date)),
          busy: write.isPending,
          disabled: date === null,
        },
        ...(closedThrough === undefined
          ? {}
          : {
              actions: [
                {
                  label: 'Reopen All',
                  question: 'Reopen the books for all dates?',
                  onClick: () => void save(undefined),
                  disabled: write.isPending,
                },
              ],
            }),
      }}
    >
      <div className="ek-stack">
        <DateField
          label="Closing Date"
          hint="After you set this date, no one can post, edit, or delete anything dated on or before it"
          value={date}
          onChange={setDate}
          autoFocus
        />
        {open.length > 0 && (
          <section aria-label="Open Items">
            <h3 className="me-open-head">
              {open.length === 1 ? '1 check is outstanding' : `${open.length} checks are outstanding`}
            </h3>
            <ul className="me-open">
              {open.map(({ key, title, amount }) => (
                <li key={key}>
                  <span>{title}</span>
                  <Amount value={amount} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </AppModal>
  );
}
