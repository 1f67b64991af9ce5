import { useState } from 'react';
import { useFormSave } from '../../records/formSave.ts';
import { ClosingReason } from '../../records/RecordModal.tsx';
import { useRemove } from '../../records/records.ts';
import { isAdministrator, useSession } from '../../client/session.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';

const NOTHING_WRONG = {};

export interface DeletionOptions {
  /** `invoice 10436`. */
  what: string;
  id: number;
  onDone: () => void;
}

/**
 * Delete in two steps from a panel, its refusal beside it; where the books are closed an administrator may say why, and
 * confirm once more.
 */
export function useDeletion(kind: Parameters<typeof useRemove>[0], { what, id, onDone }: DeletionOptions) {
  const alerts = useAlerts();
  const remove = useRemove(kind);
  const save = useFormSave(NOTHING_WRONG);
  const administers = isAdministrator(useSession());
  const [reason, setReason] = useState('');
  const run = async () => {
    if ((await save.attempt(() => remove(id, reason))) === undefined) return;
    alerts.success(`${what.charAt(0).toUpperCase()}${what.slice(1)} deleted`);
    onDone();
  };
  return {
    action: { question: `Delete ${what}?`, onConfirm: () => void run(), busy: save.busy },
    trouble: (
      <>
        {save.problems.map((message) => (
          <InlineAlert key={message} kind="Error">
            {message}
          </InlineAlert>
        ))}
        {save.isClosed && administers && <ClosingReason value={reason} onChange={setReason} />}
      </>
    ),
  };
}
