import { useRef, useState } from 'react';
import { SAME_PRESS_MS } from '../ui/hooks/once.ts';
import type { RecordForm } from './useRecordForm.ts';

/** A warning before a save. */
export interface Warning<Form> {
  /** Returns false if the user must first see a warning. The next attempt then returns true. */
  ask: (form: Form) => Promise<boolean>;
  /** Returns the warning about the current values, or undefined if no warning is needed. */
  warningOf: (form: Form) => string | undefined;
}

/**
 * Warns once about a form. `keyOf` returns the values to warn about, or undefined if no warning is needed. `find`
 * returns the warning. The second click of a double-click doesn't count as a confirmation.
 */
export function useWarning<Form>(
  keyOf: (form: Form) => string | undefined,
  find: (form: Form) => Promise<string | undefined>,
): Warning<Form> {
  const [told, setTold] = useState<{ key: string; words: string }>();
  const pressedAt = useRef(0);
  return {
    ask: async (form) => {
      const key = keyOf(form);
      if (key === undefined) return true;
      if (told?.key === key) {
        const isRepeated = performance.now() - pressedAt.current < SAME_PRESS_MS;
        pressedAt.current = performance.now();
        return !isRepeated;
      }
      const words = await find(form);
      if (words === undefined) return true;
      setTold({ key, words });
      pressedAt.current = performance.now();
      return false;
    },
    warningOf: (form) => (told !== undefined && told.key === keyOf(form) ? told.words : undefined),
  };
}

/** Returns the save function for a form that asks first. Repeated clicks ask only once. */
export function useSaveAsked<Form>(
  form: Pick<RecordForm<Form>, 'isTried' | 'save' | 'values'>,
  ask: Warning<Form>['ask'] | undefined,
): () => Promise<void> {
  const isAsking = useRef(false);
  return async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    // After an attempt that got no response, a matching record may be the one that was sent. If the check gets no
    // response either, the save continues.
    const saves = form.isTried() || (await ask?.(form.values).catch(() => true));
    isAsking.current = false;
    if (saves !== false) form.save();
  };
}
