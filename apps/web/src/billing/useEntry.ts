import { billingCalls, BillingInvoice } from '@evenkeel/contract/billing';
import { decode } from '@evenkeel/contract/wire';
import type { LineRequirements } from '@evenkeel/core/invoice';
import { type RefObject, useRef, useState } from 'react';
import { useWrite } from '../api.ts';
import { isAdministrator, useSession } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { useDraft } from '../ui/hooks/draft.ts';
import { useToday } from '../ui/hooks/today.tsx';
import type { LineTableHandle } from '../ui/lines/lineColumns.ts';
import { draftKey } from './draftKey.ts';
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
  const session = useSession();
  const [key] = useState(() => draftKey(`billing:${saved?.id ?? 0}`));
  const initial = saved === undefined ? blankEntry(today, customerId ?? null) : entryOf(saved);
  const draft = useDraft<EntryForm>({ key, initial, read: readEntryDraft });
  const [trouble, setTrouble] = useState<Trouble>(NO_TROUBLE);
  const [reason, setReason] = useState('');
  const focusOnTrouble = useFocusOnTrouble();
  // Known at once: the draft's own copy may come a moment after the last key.
  const work = useRef<EntryLine | null>(null);
  const keepWork = (line: EntryLine | undefined) => {
    const working = workOf(line, draft.value.lines);
    if (working === work.current) return;
    work.current = working;
    draft.set((before) => ({ ...before, working }));
  };
  const sending = useEntryWrite(saved?.id ?? 0);

  const refused = (thrown: unknown) => {
    const refusal = refusalOf(thrown);
    const asksReason = refusal.isClosed && isAdministrator(session);
    const theirs = refusal.current === undefined ? undefined : decode(BillingInvoice, refusal.current);
    const said = theirs === undefined ? unplaced(refusal, HEAD_FIELDS) : [];
    const head = Object.entries(refusal.fields).filter(([name]) => HEAD_FIELDS.includes(name));
    setTrouble({ faults: { messages: Object.fromEntries(head), about: draft.value }, said, asksReason, theirs });
    alerts.error(refusal.message);
    focusOnTrouble();
  };
  /** Saves what is typed, the line in work included; undefined when it was not saved. */
  const save = async (): Promise<BillingInvoice | undefined> => {
    const working = work.current;
    const unfinished = working !== null && lines.current?.settle() === false;
    if (unfinished || sending.busy) return undefined;
    const form = settled({ ...draft.value, working });
    const messages = entryFaults(form, required);
    setTrouble((before) => ({ ...before, faults: { messages, about: draft.value }, said: [] }));
    if (Object.keys(messages).length > 0) {
      focusOnTrouble();
      return undefined;
    }
    try {
      const invoice = await sending.send(form, reason);
      draft.clear();
      alerts.success(`Invoice ${invoice.invoiceNumber} saved`);
      return invoice;
    } catch (thrown) {
      refused(thrown);
      return undefined;
    }
  };
  const takeTheirs = (theirs: BillingInvoice) => {
    draft.clear(entryOf(theirs));
    setTrouble(NO_TROUBLE);
  };
  const keepMine = (theirs: BillingInvoice) => {
    draft.set((form) => overTheirs(form, theirs));
    setTrouble(NO_TROUBLE);
  };
  const faults = standing(trouble.faults, draft.value, partsOf);
  const others = Object.entries(faults).filter(([name]) => !HEAD_FIELDS.includes(name));
  const problems = [...trouble.said, ...others.map(([name, text]) => `${lineOf(name)}${text}`)];
  return {
    draft,
    isWorking: () => work.current !== null,
    keepWork,
    faults,
    problems,
    trouble,
    reason,
    setReason,
    save,
    busy: sending.busy,
    takeTheirs,
    keepMine,
  };
}
export type Entry = ReturnType<typeof useEntry>;

/** Creates or updates; the idempotency key of a create is kept until an answer comes. */
function useEntryWrite(id: number) {
  const create = useWrite(billingCalls.createInvoice);
  const update = useWrite(billingCalls.updateInvoice);
  const changed = useFiguresChanged();
  const write = id === 0 ? create : update;
  return {
    busy: write.isPending,
    send: async (form: EntryForm, reason: string): Promise<BillingInvoice> => {
      const invoice = await write.mutateAsync({ body: entryInput(form, id, reason) });
      void changed();
      return invoice;
    },
  };
}
