import { capital } from '@evenkeel/core/documents/side';
import { useState } from 'react';
import { type Ask, send, useStale } from '../../../client/api.ts';
import { type FormSave, useFormSave } from '../../../records/formSave.ts';
import { ClosingReason } from '../../../records/RecordModal.tsx';
import { useRemove } from '../../../records/records.ts';
import { isAdministrator, useSession } from '../../../client/session.ts';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';

const NOTHING_WRONG = {};

interface TroubleProps {
  save: FormSave;
  reason: string;
  onReason: (reason: string) => void;
}

/** The errors of an action in a panel. In a closed period, an administrator can enter a reason. */
export function Trouble({ save, reason, onReason }: TroubleProps) {
  const administers = isAdministrator(useSession());
  return (
    <>
      {save.problems.map((message) => (
        <InlineAlert key={message} kind="Error">
          {message}
        </InlineAlert>
      ))}
      {save.isClosed && administers && <ClosingReason value={reason} onChange={onReason} />}
    </>
  );
}

/**
 * Runs an action on a panel's record and shows its error. In a closed period, an administrator can enter a reason and
 * confirm again. The alert ends with `done`, for example `deleted`.
 */
function usePanelAct(what: string, done: string, act: (reason: string) => Promise<unknown>) {
  const alerts = useAlerts();
  const save = useFormSave(NOTHING_WRONG);
  const [reason, setReason] = useState('');
  return {
    busy: save.busy,
    /** Returns whether the action succeeded. */
    run: async (): Promise<boolean> => {
      const answer = await save.attempt(() => act(reason));
      if (answer !== undefined) alerts.success(`${capital(what)} ${done}`);
      return answer !== undefined;
    },
    trouble: <Trouble save={save} reason={reason} onReason={setReason} />,
  };
}

export interface DeletionOptions {
  /** The name of the record, for example `invoice 10436`. */
  what: string;
  id: number;
  /** The action's label and the words in its alert, if the record is not deleted but, for example, reversed. */
  as?: { label: string; done: string } | undefined;
  onDone: () => void;
}

/** Returns a panel's Delete action, which asks for confirmation. */
export function useDeletion(kind: Parameters<typeof useRemove>[0], { what, id, as, onDone }: DeletionOptions) {
  const { label, done } = as ?? { label: 'Delete', done: 'deleted' };
  const remove = useRemove(kind);
  const { run, busy, trouble } = usePanelAct(what, done, (reason) => remove(id, reason));
  const onConfirm = async () => {
    if (await run()) onDone();
  };
  return { action: { label, question: `${label} ${what}?`, onConfirm: () => void onConfirm(), busy }, trouble };
}

/** Returns the request that saves a document with a change, for example its status. */
export type Saving<One> = (one: One, reason: string) => Ask<unknown>;

export interface SavingOptions<One> {
  /** The name of the record, for example `invoice 10436`. */
  what: string;
  /** The last word of the alert, for example `posted`. */
  done: string;
  one: One | undefined;
}

/** Saves a change to a panel's document. `run` returns whether it was saved. */
export function useSaving<One>(saving: Saving<One> | undefined, { what, done, one }: SavingOptions<One>) {
  const stale = useStale();
  return usePanelAct(what, done, async (reason) => {
    if (saving === undefined || one === undefined) return undefined;
    try {
      await send(saving(one, reason));
    } finally {
      // The data is also loaded again if no response arrives, because the change may have been saved.
      stale();
    }
    return true;
  });
}

/** Returns a panel's Void action, which asks for confirmation. The document keeps its number and has no postings. */
export function useVoiding<One>(voiding: Saving<One> | undefined, what: string, one: One | undefined) {
  const { run, busy, trouble } = useSaving(voiding, { what, done: 'is void', one });
  const question = `Void ${what}? It keeps its number, and its postings are reversed.`;
  return { action: { label: 'Void', question, onClick: () => void run(), isRare: true, divided: true, busy }, trouble };
}
