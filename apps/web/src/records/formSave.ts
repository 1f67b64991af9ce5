import type { FieldMessages } from '@evenkeel/core/failure';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../client/api.ts';
import { ApiError } from '../client/transport.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';

/** The messages for a failed save. */
interface Refusal {
  message: string | undefined;
  fields: FieldMessages;
  /**
   * The version of the record that another user saved, as returned by the API. Undefined unless the edit was outdated.
   */
  current: unknown;
  /** Whether the date is in a closed period, so that an administrator can give a reason. */
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
  /**
   * Messages by field: the form's own messages after the first attempt to save, and the server's messages until a value
   * changes.
   */
  fields: FieldMessages;
  /** Messages that don't belong to a field, such as a lost connection or a rejection of the whole form. */
  problems: string[];
  /** The version of the record that another user saved, not decoded. Undefined unless the save was outdated. */
  current: unknown;
  isClosed: boolean;
  /**
   * Sends the form, unless it is invalid or is already being sent. Returns undefined if the form was not saved. `words`
   * contains the alerts that are shown before the error. `onRefused` gets the invalid fields, for example to open their
   * tab. If
   * `checked` is false, an unfinished form is sent.
   */
  attempt: <T>(
    send: () => Promise<T>,
    words?: string,
    onRefused?: OnRefused,
    checked?: boolean,
  ) => Promise<T | undefined>;
  /**
   * Runs a request about the form without saving it, for example a rehearsal. Shows errors as `attempt` does, but the
   * form isn't busy, so saving never has to wait.
   */
  consult: <T>(send: () => Promise<T>, onRefused?: OnRefused) => Promise<T | undefined>;
  /**
   * Called after an edit, which makes the server's messages outdated. With `all`, also clears the form's own messages.
   */
  touched: (all?: boolean) => void;
  /** Clears all messages, and forgets that the user tried to save. */
  forget: () => void;
}

/**
 * Saves a form: validates it first, shows errors at their fields, and keeps the form in every case. With `staysTold`,
 * an alert about a failure stays until the user dismisses it.
 */
export function useFormSave(check: FieldMessages, staysTold = false): FormSave {
  const alerts = useAlerts();
  const [refusal, setRefusal] = useState(NOTHING);
  const [tries, setTries] = useState(0);
  const [busy, setBusy] = useState(false);
  // The user can select the button again before React renders `busy`.
  const isSending = useRef(false);
  const wrongAt = useFocusOnTrouble();
  const fields = tries === 0 ? refusal.fields : { ...refusal.fields, ...check };
  /** Returns whether the form is valid. If not, shows its messages. */
  const isValid = (onRefused: OnRefused | undefined): boolean => {
    if (Object.keys(check).length === 0) return true;
    onRefused?.(check);
    wrongAt();
    return false;
  };
  const refuse = (error: unknown, words: string | undefined, onRefused: OnRefused | undefined): undefined => {
    const refused = refusalOf(error);
    setRefusal(refused);
    for (const text of alertsOf(words, messageOf(error))) alerts.error(text, { autoClose: !staysTold });
    onRefused?.(refused.fields);
    wrongAt();
  };
  return {
    busy,
    fields,
    problems: problemsOf(refusal),
    current: refusal.current,
    isClosed: refusal.isClosed,
    attempt: async (send, words, onRefused, checked = true) => {
      if (isSending.current) return undefined;
      setTries((count) => (checked ? count + 1 : 0));
      if (checked && !isValid(onRefused)) return undefined;
      setRefusal(NOTHING);
      setBusy(true);
      isSending.current = true;
      try {
        return await send();
      } catch (error) {
        return refuse(error, words, onRefused);
      } finally {
        setBusy(false);
        isSending.current = false;
      }
    },
    consult: async (send, onRefused) => {
      setTries((count) => count + 1);
      if (!isValid(onRefused)) return undefined;
      try {
        return await send();
      } catch (error) {
        return refuse(error, undefined, onRefused);
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

/**
 * Returns the alerts, for example "Failure Saving Customer" and the error. If `words` ends with a colon, the error
 * follows in the same alert.
 */
function alertsOf(words: string | undefined, error: string): string[] {
  if (words === undefined) return [error];
  return words.endsWith(':') ? [`${words} ${error}`] : [words, error];
}

function problemsOf({ message, fields, current }: Refusal): string[] {
  if (message === undefined || current !== undefined) return [];
  return Object.values(fields).includes(message) ? [] : [message];
}

/** After a failed attempt, moves the focus to the first invalid field. */
function useFocusOnTrouble(): () => void {
  const [at, setAt] = useState(0);
  useEffect(() => {
    if (at > 0) document.querySelector<HTMLElement>('.ek-modal [aria-invalid="true"]')?.focus();
  }, [at]);
  return () => setAt((count) => count + 1);
}
