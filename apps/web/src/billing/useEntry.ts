import { billingCalls, BillingInvoice } from '@evenkeel/contract/billing';
import { decode } from '@evenkeel/contract/wire';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { LineRequirements } from '@evenkeel/core/invoice';
import { type RefObject, useRef, useState } from 'react';
import { useWrite } from '../api.ts';
import { isAdministrator, useSession } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { type Draft, type SendPlace, useDraft } from '../ui/hooks/draft.ts';
import { useToday } from '../ui/hooks/today.tsx';
import type { LineTableHandle } from '../ui/lines/lineColumns.ts';
import { type Faults, standing } from './faults.ts';
import {
  blankEntry,
  entryFaults,
  type EntryForm,
  type EntryLine,
  entryInput,
  entryOf,
  overTheirs,
  readEntryDraft,
  settled,
  workOf,
} from './invoiceForm.ts';
import { useFiguresChanged } from './queries.ts';
import { lineOf, refusalOf, unplaced } from './refusal.ts';
import { useCreate } from './useCreate.ts';
import { useFocusOnTrouble } from './useFocusOnTrouble.ts';

const HEAD_FIELDS = ['customerId', 'invoiceDate', 'dueDate', 'arBillingStatus'];

interface Trouble {
  faults: Faults<EntryForm> | undefined;
  /** What the server said that no field shows. */
  said: string[];
  asksReason: boolean;
  theirs: BillingInvoice | undefined;
}

const NO_TROUBLE: Trouble = { faults: undefined, said: [], asksReason: false, theirs: undefined };

/** What of the form a message of the request's field depends on. */
function partsOf(field: string): readonly (keyof EntryForm)[] {
  if (field === 'lineItems') return ['lines', 'status'];
  if (field.startsWith('lineItems.')) return ['lines'];
  if (field === 'arBillingStatus') return ['status'];
  return field === 'customerId' || field === 'invoiceDate' || field === 'dueDate' ? [field] : [];
}

export interface EntryOptions {
  saved: BillingInvoice | undefined;
  customerId: number | undefined;
  required: LineRequirements;
  lines: RefObject<LineTableHandle | null>;
}

/** The state of one Billing Entry: the draft, what is wrong, saving. Nothing typed is lost by a failed save. */
export function useEntry({ saved, customerId, required, lines }: EntryOptions) {
  const today = useToday();
  const alerts = useAlerts();
  const name = `billing:${saved?.id ?? 0}`;
  const initial = saved === undefined ? blankEntry(today, customerId ?? null) : entryOf(saved);
  const draft = useDraft<EntryForm>({ name, initial, read: readEntryDraft, isNew: saved === undefined });
  const work = useLineInWork(draft);
  const wrong = useEntryTrouble();
  const [reason, setReason] = useState('');
  const sending = useEntryWrite(saved?.id ?? 0, draft.sent);

  /** Saves what is typed, the line in work included; undefined when it was not saved. */
  const save = async (): Promise<BillingInvoice | undefined> => {
    const working = work.current();
    const unfinished = working !== null && lines.current?.settle() === false;
    if (unfinished || sending.busy) return undefined;
    const form = settled({ ...draft.value, working });
    if (wrong.checked(form, entryFaults(form, required))) return undefined;
    try {
      const invoice = await sending.send(form, reason);
      draft.clear();
      alerts.success(`Invoice ${invoice.invoiceNumber} saved`);
      return invoice;
    } catch (thrown) {
      wrong.refused(form, thrown);
      return undefined;
    }
  };
  const takeTheirs = (theirs: BillingInvoice) => {
    draft.clear(entryOf(theirs));
    wrong.forget();
  };
  const keepMine = (theirs: BillingInvoice) => {
    draft.set((form) => overTheirs(form, theirs));
    wrong.forget();
  };
  const discard = () => draft.clear();
  const { theirs, asksReason } = wrong.trouble;
  const told = { ...wrong.shown(settled(draft.value)), theirs, asksReason, reason, setReason };
  const keeping = { isWorking: () => work.current() !== null, keepWork: work.keep };
  return { draft, ...told, ...keeping, save, discard, busy: sending.busy, takeTheirs, keepMine };
}
export type Entry = ReturnType<typeof useEntry>;

/** The line being typed, known at once: the draft's own copy of it may come a moment after the last key. */
function useLineInWork(draft: Draft<EntryForm>) {
  const work = useRef<EntryLine | null>(null);
  const keep = (line: EntryLine | undefined) => {
    const working = workOf(line, draft.value.lines);
    if (working === work.current) return;
    work.current = working;
    draft.set((before) => ({ ...before, working }));
  };
  return { current: () => work.current, keep };
}

/** What is wrong with an entry: its own faults, what the server said, closed books, a stale version. */
function useEntryTrouble() {
  const alerts = useAlerts();
  const session = useSession();
  const [trouble, setTrouble] = useState<Trouble>(NO_TROUBLE);
  const focusOnTrouble = useFocusOnTrouble();
  return {
    trouble,
    forget: () => setTrouble(NO_TROUBLE),
    /** Keeps the faults of a form that is to be sent; true when there are any. */
    checked: (about: EntryForm, messages: FieldMessages): boolean => {
      setTrouble((before) => ({ ...before, faults: { messages, about }, said: [] }));
      if (Object.keys(messages).length === 0) return false;
      focusOnTrouble();
      return true;
    },
    refused: (about: EntryForm, thrown: unknown) => {
      const refusal = refusalOf(thrown);
      const asksReason = refusal.isClosed && isAdministrator(session);
      const theirs = refusal.current === undefined ? undefined : decode(BillingInvoice, refusal.current);
      const said = theirs === undefined ? unplaced(refusal, HEAD_FIELDS) : [];
      const head = Object.entries(refusal.fields).filter(([name]) => HEAD_FIELDS.includes(name));
      setTrouble({ faults: { messages: Object.fromEntries(head), about }, said, asksReason, theirs });
      alerts.error(refusal.message);
      focusOnTrouble();
    },
    /** The messages that still hold for the form as it is now: at the head's fields, and the others in words. */
    shown: (form: EntryForm) => {
      const faults = standing(trouble.faults, form, partsOf);
      const others = Object.entries(faults).filter(([name]) => !HEAD_FIELDS.includes(name));
      return { faults, problems: [...trouble.said, ...others.map(([name, text]) => `${lineOf(name)}${text}`)] };
    },
  };
}

/** Creates or updates; the idempotency key of a create is kept until an answer comes. */
function useEntryWrite(id: number, place: SendPlace) {
  const create = useCreate(billingCalls.createInvoice, place);
  const update = useWrite(billingCalls.updateInvoice);
  const changed = useFiguresChanged();
  return {
    busy: create.busy || update.isPending,
    send: async (form: EntryForm, reason: string): Promise<BillingInvoice> => {
      const input = { body: entryInput(form, id, reason) };
      const invoice = await (id === 0 ? create.send(input) : update.mutateAsync(input));
      void changed();
      return invoice;
    },
  };
}
