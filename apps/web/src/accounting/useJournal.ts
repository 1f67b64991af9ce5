import { ledgerCalls } from '@evenkeel/contract/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { useState } from 'react';
import { ApiError, messageOf, useWrite } from '../api.ts';
import { useDimensions } from '../choices/dimensions.ts';
import { useBooksChanged, useChart } from '../ledger/queries.ts';
import { isAdministrator, useSession } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { type SendPlace, useDraft } from '../ui/hooks/draft.ts';
import { accountTypes, inChartOrder } from './chart.ts';
import {
  chooseSide,
  currentLine,
  firstBadLine,
  type FormLine,
  type JournalForm,
  type KeptDraft,
  type LineProblems,
  linesToSend,
  nextLine,
  patchLine,
  postingRefusal,
  problemsOfLine,
  readForm,
  type Refusal,
  removeLine,
  requestOf,
} from './journalForm.ts';

export interface JournalStart {
  /** Where typing is kept on this device. */
  draftName: string;
  form: JournalForm;
  kept: KeptDraft;
}

const CLOSED = 'The books are closed';

/** The state of the Journal Entry modal: the form, what is wrong with it, and its two ways out. */
export function useJournal(start: JournalStart, onDone: () => void) {
  const draft = useDraft({
    name: start.draftName,
    initial: start.form,
    read: readForm,
    isNew: start.kept.transactionID === 0,
  });
  const [problems, setProblems] = useState<LineProblems>({});
  const [refusal, setRefusal] = useState<Refusal & { isStale?: boolean }>();
  const [reason, setReason] = useState('');
  const choices = useJournalChoices();
  const administers = isAdministrator(useSession());
  const form = draft.value;
  const change = (next: JournalForm) => {
    draft.set(next);
    setRefusal(undefined);
  };
  const goTo = (next: JournalForm) => {
    setProblems({});
    change(next);
  };
  const tell = (found: Refusal) => {
    setRefusal(found);
    const bad = firstBadLine(found.fields);
    if (bad === undefined) return;
    setProblems(problemsOfLine(found.fields, bad));
    const key = linesToSend(form)[bad]?.key;
    if (key !== undefined) draft.set({ ...form, at: key });
  };
  const save = useJournalSave(onDone, { forget: draft.clear, tell, sent: draft.sent });
  const [lastWasDraft, setLastWasDraft] = useState(true);
  const send = ({ isDraft, overTheirs }: { isDraft: boolean; overTheirs: boolean }) => {
    const found = isDraft ? undefined : postingRefusal(form, choices.rules, choices.accountType);
    if (found !== undefined) return tell(found);
    setLastWasDraft(isDraft);
    const body = requestOf(form, overTheirs ? { ...start.kept, rowVersion: undefined } : start.kept, isDraft);
    save.send(isDraft || reason.trim() === '' ? body : { ...body, closingOverrideReason: reason });
  };
  return {
    form,
    line: currentLine(form),
    problems,
    refusal,
    choices,
    dirty: draft.dirty,
    restored: draft.restored,
    forget: () => draft.clear(),
    reason,
    setReason,
    asksReason: refusal?.message.startsWith(CLOSED) === true && administers,
    setDate: (postingDate: IsoDate | null) => change({ ...form, postingDate }),
    patch: (patch: Partial<FormLine>) => {
      setProblems((before) => without(before, patch));
      change(patchLine(form, patch));
    },
    side: (debit: boolean) => {
      const chosen = chooseSide(form, debit, choices.rules);
      setProblems(chosen.problems);
      change(chosen.form);
    },
    next: () => goTo(nextLine(form)),
    open: (key: number) => goTo({ ...form, at: key }),
    remove: (key: number) => goTo(removeLine(form, key)),
    post: () => send({ isDraft: false, overTheirs: false }),
    keep: () => send({ isDraft: true, overTheirs: false }),
    /** After a stale save: the same once more, over what someone else has saved. */
    keepMine: () => send({ isDraft: lastWasDraft, overTheirs: true }),
    busy: save.busy,
  };
}
export type Journal = ReturnType<typeof useJournal>;

function without(problems: LineProblems, patch: Partial<FormLine>): LineProblems {
  return Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in patch)));
}

/** What a line picks from and which of it must be named. */
function useJournalChoices() {
  const { rows = [] } = useChart(false);
  const dimensions = useDimensions();
  return {
    isLoaded: rows.length > 0,
    accounts: inChartOrder(rows).map((row) => ({ id: row.customerAccountID, label: row.displayAccountLabel })),
    accountType: accountTypes(rows),
    dimensions,
    rules: dimensions.required,
  };
}

interface SaveEnds {
  forget: () => void;
  tell: (refusal: Refusal & { isStale?: boolean }) => void;
  sent: SendPlace;
}

function useJournalSave(onDone: () => void, { forget, tell, sent }: SaveEnds) {
  const alerts = useAlerts();
  const booksChanged = useBooksChanged();
  const write = useWrite(ledgerCalls.postTransaction, sent);
  return {
    busy: write.isPending ? (write.variables.body.draft === true ? 'save' : 'post') : undefined,
    send: (body: ReturnType<typeof requestOf>) =>
      write.mutate(
        { body },
        {
          onSuccess: (saved) => {
            forget();
            alerts.success(saved.draft ? 'Transaction saved, not posted' : 'Transaction posted');
            void booksChanged();
            onDone();
          },
          onError: (error) => {
            const isStale = error instanceof ApiError && error.body.code === 'stale';
            tell({ message: messageOf(error), fields: error instanceof ApiError ? error.fields : {}, isStale });
            if (isStale) void booksChanged();
            alerts.error(`Error Posting Transaction: ${messageOf(error)}`);
          },
        },
      ),
  } as const;
}
