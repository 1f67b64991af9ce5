import { decode } from '@evenkeel/contract/wire';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useRef, useState } from 'react';
import type * as z from 'zod';
import { isAdministrator, useSession } from '../client/session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { type Draft, type SendPlace, useDraft } from '../ui/hooks/draft.ts';
import { useOnce } from '../ui/hooks/once.ts';
import { type FormSave, useFormSave } from './formSave.ts';

/** Tells whether something has the form of a form; a zod schema does. */
export interface Shape<Form> {
  safeParse: (value: unknown) => { success: true; data: Form } | { success: false };
}

export interface RecordFormOptions<One extends object, Form extends object> {
  /** The subject of the draft, e.g. `customer`. */
  name: string;
  /** 0 is a new one. */
  id: number;
  /** Undefined for a new one. */
  saved: One | undefined;
  formOf: (saved: One | undefined) => Form;
  /** The shape of a draft that comes back. */
  schema: Shape<Form>;
  /** Messages by the request's paths or the form's own. After a try without an answer the form `isTried`. */
  check: (form: Form, isTried: boolean) => FieldMessages;
  /** The request's paths as places of the form; the same unless given. */
  placed?: (fields: FieldMessages, form: Form) => FieldMessages;
  /** Sends the form; the key of a create lies at `place`, `reason` is that for changing closed books. */
  send: (form: Form, sending: Sending) => Promise<One>;
  /** The other way out: keeps the form on the server as it is, unfinished and unchecked. */
  keep?: (form: Form, sending: Sending) => Promise<One>;
  /**
   * Work before the form is sent, e.g. uploads; answers the form to send. `keep` changes the draft: finished work is
   * not repeated, whatever becomes of the save. `failed` is the alert of its failure.
   */
  before?: { run: (form: Form, keep: (change: (form: Form) => Form) => void) => Promise<Form>; failed: string };
  remove?: (id: number, reason: string) => Promise<unknown>;
  /**
   * Given for an inactive record, which is only read: sends the flag that makes it active, and no version. A change
   * that another has made meanwhile then neither refuses it nor is lost.
   */
  restore?: { send: () => Promise<One>; nameOf: (one: One) => string } | undefined;
  /** Mine, to be saved over theirs; with their version alone unless given. */
  over?: (mine: Form, theirs: One) => Form;
  /** The present record in the server's answer to a stale save. */
  reply?: z.ZodType<One>;
  words: {
    saved: (one: One) => string;
    /** The alerts of a failure. */
    create?: string | undefined;
    update?: string | undefined;
  };
  onSaved: (one: One) => void;
  onRemoved?: () => void;
  /** Called with the wrong places after a failed try, e.g. to open their tab; `show` may change what the form shows. */
  onFaults?: (fields: FieldMessages, show: (change: (form: Form) => Form) => void) => void;
  /** Messages of a try stand until the next change, not until it is mended: lines are typed one by one. */
  tellsOnce?: boolean;
  /** The alert of a failed save stays until it is dismissed. */
  staysTold?: boolean;
  isReadOnly?: boolean;
}

interface Sending {
  place: SendPlace;
  reason: string;
}

/** Properties that make a field a field of the form. */
export interface Bound<Value> {
  value: Value;
  onChange: (value: Value) => void;
  error: string | undefined;
  readOnly: boolean;
}

/** A record, or an item of one, of which fields are bound. */
export interface Binding<Values> {
  values: Values;
  onChange: (values: Values) => void;
  errorOf: (path: string) => string | undefined;
  isReadOnly: boolean;
}

/** The fields of an item: `const bind = binderOf({ values: address, … })`, then `<TextField {...bind("city")} … />`. */
export function binderOf<Values>({ values, onChange, errorOf, isReadOnly }: Binding<Values>) {
  return <Name extends keyof Values & string>(name: Name): Bound<Values[Name]> => ({
    value: values[name],
    onChange: (value) => onChange({ ...values, [name]: value }),
    error: errorOf(name),
    readOnly: isReadOnly,
  });
}

export interface RecordForm<Form> extends Binding<Form> {
  /** The subject of its draft, and the saved record; 0 is a new one. */
  subject: { name: string; id: number };
  bind: <Name extends keyof Form & string>(name: Name) => Bound<Form[Name]>;
  patch: (part: Partial<Form>) => void;
  /** A change that comes later than the moment it was asked for: it is made to what is in the form by then. */
  change: (change: (form: Form) => Form) => void;
  fields: FieldMessages;
  /** Messages without a field. */
  problems: string[];
  busy: boolean;
  dirty: boolean;
  /** A try got no answer: what is sent next is that record, which may be there already. */
  isTried: () => boolean;
  /** True when a draft of an earlier visit came back. */
  restored: boolean;
  /** When the draft was last kept on this device; undefined when there is none. */
  savedAt: number | undefined;
  save: () => void;
  /** Undefined where a form cannot be kept unfinished. */
  keep: (() => void) | undefined;
  /** True when the last try was to keep it. */
  isKeeping: boolean;
  /** Undefined where nothing can be deleted. */
  remove: (() => void) | undefined;
  isInactive: boolean;
  /** Brings an inactive record back, unchecked; it ends as a save does. Undefined for who may not. */
  restore: (() => void) | undefined;
  /** Someone else has saved it meanwhile: whose version stays? */
  stale: { theirs: () => void; mine: () => void } | undefined;
  /** The books are closed and this person may say why they are changed all the same. */
  closed: { reason: string; setReason: (reason: string) => void } | undefined;
  /** Forgets what was typed and what was said about it. */
  reset: () => void;
}

/** The form with the messages that none of the `shown` fields has among its problems; `words` names their place. */
export function telling<Form>(
  form: RecordForm<Form>,
  shown: readonly string[],
  words: (path: string, text: string) => string = (_, text) => text,
): RecordForm<Form> {
  const others = Object.entries(form.fields).filter(([path]) => !shown.includes(path));
  return { ...form, problems: [...form.problems, ...others.map(([path, text]) => words(path, text))] };
}

/**
 * The choices for a record that someone else has saved meanwhile (`current`, as it came over the wire): take
 * theirs, or keep mine, with the version that is now known, which is theirs. Undefined unless the save was stale.
 */
function staleChoice<One extends object, Form extends object>(
  { reply, formOf, over }: Pick<RecordFormOptions<One, Form>, 'reply' | 'formOf' | 'over'>,
  current: unknown,
  { values, take, keep }: { values: Form; take: (theirs: Form) => void; keep: (mine: Form) => void },
): RecordForm<Form>['stale'] {
  if (current === undefined) return undefined;
  const theirs = () => (reply === undefined ? undefined : decode(reply, current));
  return {
    theirs: () => take(formOf(theirs())),
    mine: () => {
      const now = theirs();
      const version = now !== undefined && 'rowVersion' in now ? { rowVersion: now.rowVersion } : {};
      keep((now === undefined ? undefined : over?.(values, now)) ?? { ...values, ...version });
    },
  };
}

/**
 * A draft that comes back, in the form as it is today: a field that the form has gained since has its value of `today`.
 * One that may be missing stays missing, which says something (a date that follows another). Undefined where it fits
 * no more.
 */
export function draftIn<Form extends object>(schema: Shape<Form>, stored: unknown, today: Form): Form | undefined {
  const read = (value: unknown): Form | undefined => {
    const tried = schema.safeParse(value);
    return tried.success ? tried.data : undefined;
  };
  const asStored = read(stored);
  if (asStored !== undefined || typeof stored !== 'object' || stored === null) return asStored;
  const fields = Object.entries(today);
  const lacking = fields.filter(([name]) => !(name in stored));
  if (lacking.length === fields.length) return undefined;
  const filled = (some: typeof lacking) => read({ ...Object.fromEntries(some), ...stored });
  return filled(lacking.filter((field) => filled(lacking.filter((other) => other !== field)) === undefined));
}

/** Sends Delete and forgets the draft; undefined where nothing can be deleted, as of a new record. */
function removal<One extends object, Form extends object>(
  { id, remove, onRemoved }: RecordFormOptions<One, Form>,
  save: FormSave,
  { reason, clear }: { reason: string; clear: () => void },
): (() => void) | undefined {
  if (remove === undefined || id === 0) return undefined;
  const run = async () => {
    if ((await save.attempt(async () => (await remove(id, reason), true))) !== true) return;
    clear();
    onRemoved?.();
  };
  return () => void run();
}

/** Sends Restore, which ends as a save does; undefined for an active record, and for who may not. */
function useRestore<One extends object, Form extends object>(
  { restore, isReadOnly = false, words, onSaved }: RecordFormOptions<One, Form>,
  save: FormSave,
): (() => void) | undefined {
  const alerts = useAlerts();
  if (restore === undefined || isReadOnly) return undefined;
  const run = async () => {
    // The fields are not sent, so their check has no say.
    const one = await save.attempt(restore.send, words.update, undefined, false);
    if (one === undefined) return;
    alerts.success(`${restore.nameOf(one)} restored`);
    onSaved(one);
  };
  return () => void run();
}

function useFormDraft<One extends object, Form extends object>(
  { name, id, formOf, saved, schema }: RecordFormOptions<One, Form>,
  isReadOnly: boolean,
): Draft<Form> {
  return useDraft<Form>({
    name: isReadOnly ? undefined : `${name}:${id}`,
    initial: formOf(saved),
    read: (stored) => draftIn(schema, stored, formOf(saved)),
    isNew: id === 0,
  });
}

interface SendingParts<Form> {
  save: FormSave;
  draft: Draft<Form>;
  onFaults: (wrong: FieldMessages) => void;
  reason: string;
}

/** Sends the form, or keeps it unfinished; several presses are one, and a new record is created once. */
function useSending<One extends object, Form extends object>(
  options: RecordFormOptions<One, Form>,
  { save, draft, onFaults, reason }: SendingParts<Form>,
) {
  const { id, formOf, words } = options;
  const alerts = useAlerts();
  const [isKeeping, setKeeping] = useState(false);
  const once = useOnce();
  /** A new record was created from this form: until the dialog is gone nothing more is sent from it. */
  const [isSpent, setSpent] = useState(false);
  const spent = useRef(false);
  const deliver = async (form: Form, isKept: boolean): Promise<One | undefined> => {
    if (spent.current) return undefined;
    setKeeping(isKept);
    const failed = id === 0 ? words.create : words.update;
    const { before } = options;
    const ready =
      before === undefined ? form : await save.attempt(() => before.run(form, draft.set), before.failed, onFaults);
    if (ready === undefined) return undefined;
    const way = isKept && options.keep !== undefined ? options.keep : options.send;
    const one = await save.attempt(() => way(ready, { place: draft.sent, reason }), failed, onFaults, !isKept);
    if (one === undefined) return undefined;
    spent.current = id === 0;
    setSpent(id === 0);
    draft.clear(formOf(one));
    save.forget();
    alerts.success(words.saved(one));
    options.onSaved(one);
    return one;
  };
  const send = (form: Form, isKept: boolean) => void once.run(() => deliver(form, isKept));
  return { send, isKeeping, isSpent, edited: once.renew };
}

/**
 * The form of a record: its draft on the device, what is wrong with it, save and delete, a stale or closed answer. The
 * values are the draft's own, typed by `Form`; docs/decisions.md says why @mantine/form is not beneath it.
 */
export function useRecordForm<One extends object, Form extends object>(
  options: RecordFormOptions<One, Form>,
): RecordForm<Form> {
  const { saved, formOf } = options;
  const isInactive = options.restore !== undefined;
  const isReadOnly = options.isReadOnly === true || isInactive;
  const administers = isAdministrator(useSession());
  const [reason, setReason] = useState('');
  const draft = useFormDraft(options, isReadOnly);
  const values = draft.value;
  const isTried = () => draft.sent.read() !== undefined;
  const save = useFormSave(options.check(values, isTried()), options.staysTold);
  const placed = (fields: FieldMessages) => options.placed?.(fields, values) ?? fields;
  const fields = placed(save.fields);
  const onFaults = (wrong: FieldMessages) => options.onFaults?.(placed(wrong), draft.set);
  const { send, isKeeping, isSpent, edited } = useSending(options, { save, draft, onFaults, reason });
  const onChange = (next: Form) => {
    edited();
    save.touched(options.tellsOnce);
    draft.set(next);
  };
  const errorOf = (path: string) => fields[path];
  const binding = { values, onChange, errorOf, isReadOnly };
  return {
    ...binding,
    subject: { name: options.name, id: options.id },
    bind: binderOf(binding),
    patch: (part) => onChange({ ...values, ...part }),
    change: (change) => {
      edited();
      save.touched(options.tellsOnce);
      draft.set(change);
    },
    fields,
    problems: save.problems,
    busy: save.busy || isSpent,
    dirty: draft.dirty && !isReadOnly,
    isTried,
    restored: draft.restored,
    savedAt: draft.savedAt,
    save: () => send(values, false),
    keep: options.keep === undefined ? undefined : () => send(values, true),
    isKeeping,
    remove: removal(options, save, { reason, clear: draft.clear }),
    isInactive,
    restore: useRestore(options, save),
    stale: staleChoice(options, save.current, {
      take: (theirs) => {
        draft.clear(theirs);
        save.forget();
      },
      keep: (mine) => {
        draft.set(mine);
        send(mine, isKeeping);
      },
      values,
    }),
    closed: save.isClosed && administers ? { reason, setReason } : undefined,
    reset: () => {
      draft.clear(formOf(saved));
      save.forget();
    },
  };
}
