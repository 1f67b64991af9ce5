import type { FieldMessages } from '@evenkeel/core/failure';
import type * as z from 'zod';
import { isActive, type Kept, type Manager, useManages } from './active.tsx';
import { because } from './reads.ts';
import { type RecordsSpec, useRemove, useSave } from './records.ts';
import { type RecordForm, type RecordFormOptions, useRecordForm } from './useRecordForm.ts';

/** A kind of record that is deactivated rather than lost: its calls, its form and its names. */
export interface KeptKind<One extends Kept, Form extends object, Body> {
  of: Omit<RecordsSpec<One, One, Body>, 'list'>;
  /** One of them, e.g. `Profit Center`. */
  label: string;
  nameOf: (one: One) => string;
  /** The name of its draft on the device; that of one record unless given. */
  draft?: string;
  manager: Manager;
  /** The record over the wire. */
  reply: z.ZodType<One>;
  schema: z.ZodType<Form>;
  formOf: (one: One | undefined) => Form;
  check: (form: Form) => FieldMessages;
  bodyOf: (form: Form) => Body;
  /** Restores one and changes nothing else. */
  restoring: Body;
}

export interface KeptModalProps {
  /** 0 is a new one. */
  id: number;
  onClose: () => void;
}

type More<One extends object, Form extends object> = Partial<Pick<RecordFormOptions<One, Form>, 'before' | 'onFaults'>>;

/** The form of a record of a kind, and what its dialog says of it: `<RecordModal {...modal}>`. */
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

/** The way back of an inactive record, as its form takes it; undefined for an active and for a new one. */
export function restoreOf<Way>(saved: Kept | undefined, way: Way): Way | undefined {
  return saved === undefined || isActive(saved) ? undefined : way;
}
