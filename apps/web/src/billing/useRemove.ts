import type { DeleteAction } from '../ui/overlay/ConfirmDelete.tsx';
import { useState } from 'react';
import { isAdministrator, useSession } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { refusalOf } from './refusal.ts';

export interface RemoveOptions {
  question: string;
  /** Sends the delete; `reason` is an administrator's for closed books, empty without one. */
  send: (reason: string) => Promise<unknown>;
  busy: boolean;
  onDone: () => void;
}

export interface Remove {
  action: DeleteAction;
  /** What the last try said; it stays until the next. */
  error: string | undefined;
  /** True when an administrator's reason would let it pass. */
  asksReason: boolean;
  reason: string;
  setReason: (reason: string) => void;
}

/** Delete in two steps with its refusal beside it (Specification part 1 §4); closed books ask for a reason. */
export function useRemove({ question, send, busy, onDone }: RemoveOptions): Remove {
  const alerts = useAlerts();
  const session = useSession();
  const [error, setError] = useState<string>();
  const [asksReason, setAsks] = useState(false);
  const [reason, setReason] = useState('');
  const onConfirm = () => {
    setError(undefined);
    send(reason).then(onDone, (thrown: unknown) => {
      const refusal = refusalOf(thrown);
      setError(refusal.message);
      setAsks(refusal.isClosed && isAdministrator(session));
      alerts.error(refusal.message);
    });
  };
  return { action: { question, onConfirm, busy }, error, asksReason, reason, setReason };
}

/** The query of a delete call: the reason only when there is one. */
export function removeQuery(reason: string): { closingOverrideReason?: string } {
  return reason === '' ? {} : { closingOverrideReason: reason };
}
