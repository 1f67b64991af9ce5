import { decode } from '@evenkeel/contract/wire';
import type { Rehearsal } from '@evenkeel/contract/rehearsal';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useRef, useState } from 'react';
import type * as z from 'zod';
import { isAdministrator, useSession } from '../client/session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { type Draft, type SendPlace, useDraft } from '../ui/hooks/draft.ts';
import { useOnce } from '../ui/hooks/once.ts';
import { type FormSave, useFormSave } from './formSave.ts';
import { rehearsed } from './rehearsal.ts';

/** Checks whether a value is a valid form. A zod schema can be used. */
export interface Shape<Form> {
  safeParse: (value: unknown) => { success: true; data: Form } | { success: false };
}

export interface RecordFormOptions<One extends object, Form extends object> {
  /** The subject of the draft, for example `customer`. */
  name: string;
  /** The ID of the record. 0 for a new one. */
  id: number;
  /** Undefined for a new record. */
  saved: One | undefined;
  formOf: (saved: One | undefined) => Form;
  /** The schema of a restored draft. */
  schema: Shape<Form>;
  /** Returns messages by request path or form field. `isTried` is true after an attempt that got no response. */
  check: (form: Form, isTried: boolean) => FieldMessages;
  /** Maps the request's paths to form fields. By default, they are the same. */
  placed?: (fields: FieldMessages, form: Form) => FieldMessages;
  /** Sends the form. `place` stores the idempotency key of a new record. `reason` is for changing a closed period. */
  send: (form: Form, sending: Sending) => Promise<One>;
  /** Saves the unfinished form on the server without validation. */
  keep?: (form: Form, sending: Sending) => Promise<One>;
  /**
   * Runs before the form is sent, for example to upload files. Returns the form to send. `keep` changes the draft, so
   * that finished work isn't repeated if the save fails. `failed` is the alert for a failure.
   */
  before?: { run: (form: Form, keep: (change: (form: Form) => Form) => void) => Promise<Form>; failed: string };
  remove?: (id: number, reason: string) => Promise<unknown>;
  /**
   * Provided for an inactive record, which is read-only. Sends the flag that makes the record active, without a row
   * version, so that another user's change causes no conflict and isn't lost.
   */
  restore?: { send: () => Promise<One>; nameOf: (one: One) => string } | undefined;
  /**
   * Returns the user's form, ready to overwrite the other version. Unchanged fields already have the other user's
   * values. By default, only the row version changes.
   */
  over?: (mine: Form, theirs: One) => Form;
  /** The schema of the current record in the server's response to an outdated save. */
  reply?: z.ZodType<One>;
  words: {
    saved: (one: One) => string;
    /** The alert for a failure. */
    create?: string | undefined;
    update?: string | undefined;
  };
  onSaved: (one: One) => void;
  onRemoved?: () => void;
  /**
   * Called with the invalid places after a failed attempt, for example to open their tab. `show` can change the form.
   */
  onFaults?: (fields: FieldMessages, show: (change: (form: Form) => Form) => void) => void;
  /** Whether any change clears the messages from the last attempt. Used if lines are entered one by one. */
  tellsOnce?: boolean;
  /** Whether the alert about a failed save stays until it is dismissed. */
  staysTold?: boolean;
  isReadOnly?: boolean;
  /** Whether `send` posts to the journal, so that the form offers to show the effects first. */
  posts?: boolean;
}

/** The reason in a rehearsal, which saves nothing. Without a reason, the server rejects the request. */
const NO_REASON_YET = 'Preview';

interface Sending {
  place: SendPlace;
  reason: string;
}

/** The props that connect a field to the form. */
export interface Bound<Value> {
  value: Value;
  onChange: (value: Value) => void;
  error: string | undefined;
  readOnly: boolean;
}

/** A record or item whose fields are connected to inputs. */
export interface Binding<Values> {
  values: Values;
  onChange: (values: Values) => void;
  errorOf: (path: string) => string | undefined;
  isReadOnly: boolean;
}

/**
 * Returns a function that connects the fields of an item: `const bind = binderOf({ values: address, … })`, and then
 * `<TextField {...bind("city")} … />`.
 */
export function binderOf<Values>({ values, onChange, errorOf, isReadOnly }: Binding<Values>) {
  return <Name extends keyof Values & string>(name: Name): Bound<Values[Name]> => ({
    value: values[name],
    onChange: (value) => onChange({ ...values, [name]: value }),
    error: errorOf(name),
    readOnly: isReadOnly,
  });
}

/** A change in a closed period, for which the user enters a reason. */
export interface Closed {
  reason: string;
  setReason: (reason: string) => void;
  /** Returns the effects of saving, even before a reason is entered. Undefined for a form that doesn't post. */
  rehearse: (() => Promise<Rehearsal>) | undefined;
}

export interface RecordForm<Form> extends Binding<Form> {
  /** The subject of the draft, and the ID of the saved record (0 for a new one). */
  subject: { name: string; id: number };
  bind: <Name extends keyof Form & string>(name: Name) => Bound<Form[Name]>;
  patch: (part: Partial<Form>) => void;
  /** Applies a change to the form's current values, for example after an asynchronous operation. */
  change: (change: (form: Form) => Form) => void;
  fields: FieldMessages;
  /** Messages that don't belong to a field. */
  problems: string[];
  busy: boolean;
  dirty: boolean;
  /**
   * Returns whether an attempt got no response. If so, the next request is for the same record, which may already
   * exist.
   */
  isTried: () => boolean;
  /** Whether a draft from an earlier visit was restored. */
  restored: boolean;
  /** The time when the draft was last saved on this device. Undefined if there is none. */
  savedAt: number | undefined;
  save: () => void;
  /** Saves the unfinished form. Undefined if that isn't supported. */
  keep: (() => void) | undefined;
  /** Whether the last attempt was to save the unfinished form. */
  isKeeping: boolean;
  /**
   * Returns the effects of saving the form, without saving it. If the form is invalid, shows the messages and returns
   * undefined. Omitted for a form that doesn't post.
   */
  rehearse: (() => Promise<Rehearsal | undefined>) | undefined;
  /** Undefined if the record can't be deleted. */
  remove: (() => void) | undefined;
  isInactive: boolean;
  /**
   * Makes an inactive record active without validation. The form then behaves as after a save. Undefined for users
   * without permission.
   */
  restore: (() => void) | undefined;
  /** Set if another user has saved the record in the meantime. The user chooses which version to keep. */
  stale: { theirs: () => void; mine: () => void } | undefined;
  /** Set if the period is closed and this user may provide a reason for changing it. */
  closed: Closed | undefined;
  /** Discards the edits and the messages. */
  reset: () => void;
}

/**
 * Returns the messages about the whole form, plus the messages for all fields that are not in `shown`. `words` contains
 * the labels of those fields.
 */
export function telling<Form>(
  form: RecordForm<Form>,
  shown: readonly string[],
  words: (path: string, text: string) => string = (_, text) => text,
): RecordForm<Form> {
  const others = Object.entries(form.fields).filter(([path]) => !shown.includes(path));
  return { ...form, problems: [...form.problems, ...others.map(([path, text]) => words(path, text))] };
}

interface Edited<Form> {
  values: Form;
  /** The values before the user's changes. */
  opened: Form;
  take: (theirs: Form) => void;
  keep: (mine: Form) => void;
}

/**
 * Returns the choices for a record that another user has saved (`current`, not decoded): use that version, or keep the
 * user's changes on top of it. Undefined unless the save was outdated.
 */
function staleChoice<One extends object, Form extends object>(
  { reply, formOf, over }: Pick<RecordFormOptions<One, Form>, 'reply' | 'formOf' | 'over'>,
  current: unknown,
  { values, opened, take, keep }: Edited<Form>,
): RecordForm<Form>['stale'] {
  if (current === undefined) return undefined;
  const theirs = () => (reply === undefined ? undefined : decode(reply, current));
  return {
    theirs: () => take(formOf(theirs())),
    mine: () => {
      const now = theirs();
      if (now === undefined) return keep(values);
      // Lines have another name in the record. Without `over`, as for a journal entry, they are posted as shown.
      const hasLines = over !== undefined;
      // The values before the changes to a restored draft are unknown if the record has changed since.
      const isKnown = versionOf(values) === versionOf(opened);
      const mine = isKnown
        ? withTheirs({ values, opened }, formOf(now), (name) => name in now || (hasLines && name === 'lines'))
        : values;
      const version = 'rowVersion' in now ? { rowVersion: now.rowVersion } : {};
      keep(over?.(mine, now) ?? { ...mine, ...version });
    },
  };
}

const versionOf = (form: object): unknown => ('rowVersion' in form ? form.rowVersion : undefined);

/**
 * Returns the user's form with another user's values in the fields that only the other user has changed. A list, such
 * as the lines of an invoice, is one field. `isShared` returns whether a field belongs to the record.
 */
function withTheirs<Form extends object>(
  { values, opened }: Pick<Edited<Form>, 'values' | 'opened'>,
  theirs: Form,
  isShared: (name: string) => boolean,
): Form {
  const before = new Map<string, unknown>(Object.entries(opened));
  const own = new Map<string, unknown>(Object.entries(values));
  const isUnchanged = (name: string) => JSON.stringify(own.get(name)) === JSON.stringify(before.get(name));
  return {
    ...values,
    ...Object.fromEntries(Object.entries(theirs).filter(([name]) => isShared(name) && isUnchanged(name))),
  };
}

/**
 * Restores a draft into the current form. A field that was added after the draft was saved gets its value from `today`.
 * An optional field stays missing, because its absence has a meaning (for example, that a date is calculated from
 * another field). Returns undefined if the draft is no longer valid.
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

/**
 * Returns a function that deletes the record and its draft. Undefined if the record can't be deleted, for example
 * because it is new.
 */
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

/**
 * Returns a function that makes the record active and then behaves as after a save. Undefined for an active record, and
 * for users without permission.
 */
function useRestore<One extends object, Form extends object>(
  { restore, isReadOnly = false, words, onSaved }: RecordFormOptions<One, Form>,
  save: FormSave,
): (() => void) | undefined {
  const alerts = useAlerts();
  if (restore === undefined || isReadOnly) return undefined;
  const run = async () => {
    // The fields are not sent, so their validation doesn't apply.
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
): Draft<Form> & { opened: Form } {
  const [opened, setOpened] = useState(() => formOf(saved));
  const draft = useDraft<Form>({
    name: isReadOnly ? undefined : `${name}:${id}`,
    initial: formOf(saved),
    read: (stored) => draftIn(schema, stored, formOf(saved)),
    isNew: id === 0,
  });
  const clear = (next?: Form) => {
    if (next !== undefined) setOpened(next);
    draft.clear(next);
  };
  return { ...draft, opened, clear };
}

interface SendingParts<Form> {
  save: FormSave;
  draft: Draft<Form>;
  onFaults: (wrong: FieldMessages) => void;
  reason: string;
}

/** Sends the form, or saves it unfinished. Repeated clicks count as one, and a new record is created only once. */
function useSending<One extends object, Form extends object>(
  options: RecordFormOptions<One, Form>,
  { save, draft, onFaults, reason }: SendingParts<Form>,
) {
  const { id, formOf, words } = options;
  const alerts = useAlerts();
  const [isKeeping, setKeeping] = useState(false);
  const once = useOnce();
  /** Whether a record was created from this form. If so, nothing more is sent until the dialog closes. */
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
 * Manages a record's form: its draft on the device, its errors, saving and deleting, and the responses to outdated
 * versions and closed periods. The values are the draft's values, typed as `Form`. docs/decisions.md explains why this
 * is not based on @mantine/form.
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
  const effects = (because: string) => rehearsed((place) => options.send(values, { place, reason: because }));
  const rehearse = () => save.consult(() => effects(reason), onFaults);
  const isRehearsed = options.posts === true && !isReadOnly;
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
    rehearse: isRehearsed ? rehearse : undefined,
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
      opened: draft.opened,
    }),
    closed:
      save.isClosed && administers
        ? { reason, setReason, rehearse: isRehearsed ? () => effects(reason || NO_REASON_YET) : undefined }
        : undefined,
    reset: () => {
      draft.clear(formOf(saved));
      save.forget();
    },
  };
}
