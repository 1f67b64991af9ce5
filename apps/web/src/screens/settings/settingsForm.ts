import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { type Ask, asKey } from '../../client/api.ts';
import { type RecordForm, type RecordFormOptions, useRecordForm } from '../../records/useRecordForm.ts';
import { useSaveBar } from './SaveBar.tsx';

type Shared<One extends object, Form extends object> = Pick<
  RecordFormOptions<One, Form>,
  'name' | 'schema' | 'check' | 'placed' | 'reply' | 'words' | 'onFaults'
>;

interface SettingsFormOptions<One extends object, Form extends object> extends Shared<One, Form> {
  /** The read that returned the saved settings. */
  asked: Ask<One>;
  saved: One & { rowVersion: number };
  formOf: (saved: One) => Form;
  /** Returns the names of the settings that the user has changed. */
  changesOf: (typed: Form, stored: Form) => readonly string[];
  send: (form: Form) => Promise<One>;
}

/**
 * Manages settings that are edited on the page. Their changes are in the save bar. Without changes, the form shows the
 * saved settings.
 */
export function useSettingsForm<One extends object, Form extends object>({
  asked,
  saved,
  formOf,
  changesOf,
  send,
  ...options
}: SettingsFormOptions<One, Form>): RecordForm<Form> {
  const client = useQueryClient();
  const form = useRecordForm<One, Form>({
    ...options,
    id: 1,
    saved,
    formOf: (one) => formOf(one ?? saved),
    send: async (typed) => {
      const one = await send(typed);
      // Shows the saved settings until they have loaded again.
      client.setQueryData(asKey(asked), one);
      return one;
    },
    onSaved: () => undefined,
  });
  const changes = changesOf(form.values, formOf(saved));
  useSaveBar(form, changes);
  const isChanged = changes.length > 0;
  const follow = useEffectEvent(() => {
    if (!isChanged) form.reset();
  });
  useEffect(() => follow(), [saved.rowVersion]);
  return form;
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Returns the labels of the fields whose values differ. */
export function changedLabels<Form>(
  typed: Form,
  stored: Form,
  labels: readonly (readonly [keyof Form, string])[],
): string[] {
  return labels.filter(([name]) => !isSame(typed[name], stored[name])).map(([, label]) => label);
}
