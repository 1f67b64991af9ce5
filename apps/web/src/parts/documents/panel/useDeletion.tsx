import { capital } from '@evenkeel/core/documents/side';
import { useState } from 'react';
import { type Ask, send, useStale } from '../../../client/api.ts';
import { useFormSave } from '../../../records/formSave.ts';
import { ClosingReason } from '../../../records/RecordModal.tsx';
import { useRemove } from '../../../records/records.ts';
import { isAdministrator, useSession } from '../../../client/session.ts';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';

const NOTHING_WRONG = {};

/**
 * An act on the record of a panel, its refusal beside it; where the books are closed an administrator may say
 * why, and confirm once more. `done` is told behind its name, `deleted`.
 */
function usePanelAct(what: string, done: string, act: (reason: string) => Promise<unknown>) {
  const alerts = useAlerts();
  const save = useFormSave(NOTHING_WRONG);
  const administers = isAdministrator(useSession());
  const [reason, setReason] = useState('');
  return {
    busy: save.busy,
    /** Answers whether it came through. */
    run: async (): Promise<boolean> => {
      const answer = await save.attempt(() => act(reason));
      if (answer !== undefined) alerts.success(`${capital(what)} ${done}`);
      return answer !== undefined;
    },
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

export interface DeletionOptions {
  /** `invoice 10436`. */
  what: string;
  id: number;
  onDone: () => void;
}

/** Delete in two steps from a panel. */
export function useDeletion(kind: Parameters<typeof useRemove>[0], { what, id, onDone }: DeletionOptions) {
  const remove = useRemove(kind);
  const { run, busy, trouble } = usePanelAct(what, 'deleted', (reason) => remove(id, reason));
  const onConfirm = async () => {
    if (await run()) onDone();
  };
  return { action: { question: `Delete ${what}?`, onConfirm: () => void onConfirm(), busy }, trouble };
}

/** The request that saves a document as void. */
export type Voiding<One> = (one: One, reason: string) => Ask<unknown>;

/** Void in two steps from a panel: the document keeps its number and posts nothing. */
export function useVoiding<One>(voiding: Voiding<One> | undefined, what: string, one: One | undefined) {
  const stale = useStale();
  const { run, busy, trouble } = usePanelAct(what, 'is void', async (reason) => {
    if (voiding === undefined || one === undefined) return undefined;
    try {
      await send(voiding(one, reason));
    } finally {
      // Also without an answer: it may have been saved, and the panel then says so.
      stale();
    }
    return true;
  });
  const question = `Void ${what}? It keeps its number, and its postings are reversed.`;
  return { action: { label: 'Void', question, onClick: () => void run(), quiet: true, busy }, trouble };
}
