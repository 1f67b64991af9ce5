import type { FieldMessages } from '@evenkeel/core/failure';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../client/api.ts';
import { ApiError } from '../client/transport.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';

/** The messages of a failed save. */
interface Refusal {
  message: string | undefined;
  fields: FieldMessages;
  /** The record as someone else has saved it, as it came over the wire; undefined unless the edit was stale. */
  current: unknown;
  /** The books are closed on the date: an administrator may give a reason. */
  isClosed: boolean;
}

const NOTHING: Refusal = { message: undefined, fields: {}, current: undefined, isClosed: false };

function refusalOf(error: unknown): Refusal {
  const message = messageOf(error);
  if (!(error instanceof ApiError)) return { ...NOTHING, message };
  const { code, current } = error.body;
  return {
    message,
    fields: error.fields,
    current: code === 'stale' ? current : undefined,
    isClosed: code === 'closed',
  };
}

type OnRefused = (fields: FieldMessages) => void;

export interface FormSave {
  busy: boolean;
  /** Messages by field: the form's own once saving was tried, and the server's until something changes. */
  fields: FieldMessages;
  /** Messages without a field: a lost connection, a refusal of the whole. */
  problems: string[];
  /** The record that someone else has saved meanwhile, undecoded; undefined unless the save was stale. */
  current: unknown;
  isClosed: boolean;
  /**
   * Sends unless the form has something wrong or is being sent; undefined when it did not come through. `words` are
   * the alerts of a failure, told before the error itself; `onRefused` hears which fields are wrong, e.g. to open
   * their tab. A form that is not to be `checked` is sent unfinished.
   */
  attempt: <T>(
    send: () => Promise<T>,
    words?: string,
    onRefused?: OnRefused,
    checked?: boolean,
  ) => Promise<T | undefined>;
  /** Something was typed: the server's messages are out of date, and with `all` the form's own too. */
  touched: (all?: boolean) => void;
  /** Forgets everything, also that saving was tried. */
  forget: () => void;
}

/**
 * Saving a form: checks first, tells refusals at their fields, keeps the form whatever happens. `staysTold`: the alert
 * of a failure stays until it is dismissed.
 */
export function useFormSave(check: FieldMessages, staysTold = false): FormSave {
  const alerts = useAlerts();
  const [refusal, setRefusal] = useState(NOTHING);
  const [tries, setTries] = useState(0);
  const [busy, setBusy] = useState(false);
  // A second press may come before React has drawn the first one's `busy`.
  const isSending = useRef(false);
  const wrongAt = useFocusOnTrouble();
  const fields = tries === 0 ? refusal.fields : { ...refusal.fields, ...check };
  return {
    busy,
    fields,
    problems: problemsOf(refusal),
    current: refusal.current,
    isClosed: refusal.isClosed,
    attempt: async (send, words, onRefused, checked = true) => {
      if (isSending.current) return undefined;
      setTries((count) => (checked ? count + 1 : 0));
      if (checked && Object.keys(check).length > 0) {
        onRefused?.(check);
        wrongAt();
        return undefined;
      }
      setRefusal(NOTHING);
      setBusy(true);
      isSending.current = true;
      try {
        return await send();
      } catch (error) {
        const refused = refusalOf(error);
        setRefusal(refused);
        for (const text of alertsOf(words, messageOf(error))) alerts.error(text, { autoClose: !staysTold });
        onRefused?.(refused.fields);
        wrongAt();
        return undefined;
      } finally {
        setBusy(false);
        isSending.current = false;
      }
    },
    touched: (all = false) => {
      if (all) setTries(0);
      if (refusal.message !== undefined && refusal.current === undefined) setRefusal(NOTHING);
    },
    forget: () => {
      setRefusal(NOTHING);
      setTries(0);
    },
  };
}

/** "Failure Saving Customer" and the error; words with a colon at their end have the error behind it. */
function alertsOf(words: string | undefined, error: string): string[] {
  if (words === undefined) return [error];
  return words.endsWith(':') ? [`${words} ${error}`] : [words, error];
}

function problemsOf({ message, fields, current }: Refusal): string[] {
  if (message === undefined || current !== undefined) return [];
  return Object.values(fields).includes(message) ? [] : [message];
}

/** After a failed try the focus goes to the first field that is marked as wrong. */
function useFocusOnTrouble(): () => void {
  const [at, setAt] = useState(0);
  useEffect(() => {
    if (at > 0) document.querySelector<HTMLElement>('.ek-modal [aria-invalid="true"]')?.focus();
  }, [at]);
  return () => setAt((count) => count + 1);
}
