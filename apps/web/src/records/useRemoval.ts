import * as z from 'zod';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { type RecordForm, useRecordForm } from './useRecordForm.ts';

const NoFields = z.object({});

export interface RemovalOptions<One extends object> {
  /** The kind of the record, for example `tax payment`. */
  name: string;
  saved: One & { id: number };
  /** `reason` is for changing a closed period. Empty if there is none. */
  remove: (reason: string) => Promise<unknown>;
  words: { removed: string; failed: string };
  onRemoved: () => void;
}

/** Returns the form of a record without editable fields, which can only be deleted. */
export function useRemoval<One extends object>({
  name,
  saved,
  remove,
  words,
  onRemoved,
}: RemovalOptions<One>): RecordForm<object> {
  const alerts = useAlerts();
  return useRecordForm<One, object>({
    name,
    id: saved.id,
    saved,
    formOf: () => ({}),
    schema: NoFields,
    check: () => ({}),
    send: () => Promise.resolve(saved),
    remove: (_, reason) => remove(reason),
    words: { saved: () => '', update: words.failed },
    onSaved: onRemoved,
    onRemoved: () => {
      alerts.success(words.removed);
      onRemoved();
    },
    isReadOnly: true,
  });
}
