import type { FieldMessages } from '@evenkeel/core/failure';
import type * as z from 'zod';
import { isActive, type Kept, type Manager, useManages } from './active.tsx';
import { because } from './reads.ts';
import { type RecordsSpec, useRemove, useSave } from './records.ts';
import { type RecordForm, type RecordFormOptions, useRecordForm } from './useRecordForm.ts';

/** A record type that is made inactive instead of deleted: its calls, its form, and its labels. */
export interface KeptKind<One extends Kept, Form extends object, Body> {
  of: Omit<RecordsSpec<One, One, Body>, 'list'>;
  /** The singular, for example `Profit Center`. */
  label: string;
  nameOf: (one: One) => string;
  /** The key under which the device stores the draft. Defaults to the name of the record. */
  draft?: string;
  manager: Manager;
  /** The schema of the record in the API. */
  reply: z.ZodType<One>;
  schema: z.ZodType<Form>;
  formOf: (one: One | undefined) => Form;
  check: (form: Form) => FieldMessages;
  bodyOf: (form: Form) => Body;
  /** The request body that makes the record active and changes nothing else. */
  restoring: Body;
}

export interface KeptModalProps {
  /** The ID of the record. 0 for a new one. */
  id: number;
  onClose: () => void;
}

type More<One extends object, Form extends object> = Partial<Pick<RecordFormOptions<One, Form>, 'before' | 'onFaults'>>;

/** Returns the form for a record and the props for its dialog: `<RecordModal {...modal}>`. */
export function useKeptForm<One extends Kept, Form extends object, Body>(
  kind: KeptKind<One, Form, Body>,
  { id, saved, onClose }: KeptModalProps & { saved: One | undefined },
  more: More<One, NoInfer<Form>> = {},
) {
  const { of, label, nameOf, bodyOf, restoring } = kind;
  const save = useSave(of);
  const form: RecordForm<Form> = useRecordForm<One, Form>({
    name: kind.draft ?? of.words.one,
    id,
    saved,
    formOf: kind.formOf,
    schema: kind.schema,
    check: kind.check,
    reply: kind.reply,
    send: (typed, { place, reason }) => save(id, { ...bodyOf(typed), ...because(reason) }, place),
    remove: useRemove(of),
    restore: restoreOf(saved, { send: () => save(id, restoring), nameOf }),
    words: { saved: (one) => `${nameOf(one)} saved`, create: of.words.create, update: of.words.update },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: !useManages(kind.manager),
    ...more,
  });
  const name = saved === undefined ? undefined : nameOf(saved);
  const modal = { form, title: name ?? `Add ${label}`, question: name && `Delete ${name}?`, onClose };
  return { form, modal };
}

/** Returns the form's restore option for an inactive record. Undefined for an active or new record. */
export function restoreOf<Way>(saved: Kept | undefined, way: Way): Way | undefined {
  return saved === undefined || isActive(saved) ? undefined : way;
}
