import { ledgerCalls, type PostedTransaction } from '@evenkeel/contract/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { ask, send, useStale } from '../../client/api.ts';
import { useDimensions } from '../../parts/choices/dimensions.ts';
import { useChart } from '../../parts/ledger/queries.ts';
import { useRecordForm } from '../../records/useRecordForm.ts';
import type { SendPlace } from '../../ui/hooks/draft.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { accountTypes, inChartOrder } from '../../parts/ledger/chart.ts';
import {
  addLine,
  balanced,
  chooseSide,
  currentLine,
  firstBadLine,
  formOfDraft,
  type FormLine,
  journalFaults,
  type JournalForm,
  type LineProblems,
  linesToSend,
  levelling,
  nextLine,
  patchAt,
  patchLine,
  problemsOfLine,
  readForm,
  released,
  removeLine,
  requestOf,
  sidePatch,
} from './journalForm.ts';
import { isTable } from '../../ui/table/pasted.ts';
import { pasteRows } from './journalPaste.ts';

export interface JournalStart {
  /** The first part of the key under which this device stores the draft. The second part is the ID. */
  draftName: string;
  form: JournalForm;
  /** The ID of the saved draft that is being edited, or 0 for a new entry. */
  transactionID: number;
}

/** Reads the form stored on the device. */
const schema = {
  safeParse: (stored: unknown) => {
    const data = readForm(stored);
    return data === undefined ? ({ success: false } as const) : ({ success: true, data } as const);
  },
};

/** Manages the Journal Entry modal: the form, its Post and Save actions, and the current line. */
export function useJournal({ draftName, form: start, transactionID }: JournalStart, onDone: () => void) {
  const today = useToday();
  const stale = useStale();
  const choices = useJournalChoices();
  const [problems, setProblems] = useState<LineProblems>({});
  /** The number of failed attempts with an invalid line. After each attempt, that line takes the focus. */
  const [refusals, setRefusals] = useState(0);
  const deliver = async (form: JournalForm, place: SendPlace, more: { draft: boolean; reason: string }) => {
    const body = requestOf(form, { transactionID, rowVersion: form.rowVersion }, more.draft);
    const reason = more.draft || more.reason.trim() === '' ? {} : { closingOverrideReason: more.reason };
    const saved = await send(ask(ledgerCalls.postTransaction, { body: { ...body, ...reason } }), place);
    stale();
    return saved;
  };
  const form = useRecordForm<PostedTransaction, JournalForm>({
    name: draftName,
    id: transactionID,
    saved: undefined,
    formOf: (saved) => (saved === undefined ? start : formOfDraft(saved, today)),
    schema,
    check: (typed) => journalFaults(typed, choices.rules, choices.accountType),
    send: (typed, { place, reason }) => deliver(typed, place, { draft: false, reason }),
    keep: (typed, { place }) => deliver(typed, place, { draft: true, reason: '' }),
    reply: ledgerCalls.postTransaction.reply,
    tellsOnce: true,
    posts: true,
    onFaults: (fields, show) => {
      const bad = firstBadLine(fields);
      if (bad === undefined) return;
      setProblems(problemsOfLine(fields, bad));
      setRefusals((count) => count + 1);
      show((typed) => ({ ...typed, at: linesToSend(typed)[bad]?.key ?? typed.at }));
    },
    words: {
      saved: ({ draft }) => (draft ? 'Transaction saved as a draft' : 'Transaction posted'),
      create: 'Error Posting Transaction:',
      update: 'Error Posting Transaction:',
    },
    onSaved: onDone,
  });
  const { values } = form;
  const onChange = (next: JournalForm) => form.onChange(balanced(next));
  const goTo = (next: JournalForm) => {
    setProblems({});
    onChange(next);
  };
  /** Changes one line. Clears the messages about other lines. */
  const patchLineAt = (key: number, patch: Partial<FormLine>) => {
    setProblems((before) => (key === values.at ? without(before, patch) : {}));
    onChange(patchAt(typedInto(values, key, patch), key, patch));
  };
  return {
    form,
    refusals,
    ...gridActs(values, { choices, goTo, patchAt: patchLineAt }),
    setMemo: (memo: string) => form.patch({ memo }),
    line: currentLine(values),
    problems,
    choices,
    setDate: (postingDate: IsoDate | null) => form.patch({ postingDate }),
    patch: (patch: Partial<FormLine>) => {
      setProblems((before) => without(before, patch));
      onChange(patchLine(typedInto(values, values.at, patch), patch));
    },
    side: (debit: boolean) => {
      const chosen = chooseSide(typedInto(values, values.at, { debit }), debit, choices.rules);
      flushSync(() => {
        setProblems(chosen.problems);
        onChange(chosen.form);
      });
      if (!chosen.isFresh) document.querySelector<HTMLElement>(WRONG_FIELD)?.focus();
    },
    next: () => goTo(nextLine(values)),
    open: (key: number) => goTo({ ...values, at: key }),
    remove: (key: number) => goTo(removeLine(values, key)),
  };
}
/** Changes a line. If the user enters a side or amount in the balancing line, the line stops balancing the entry. */
function typedInto(form: JournalForm, key: number, patch: Partial<FormLine>): JournalForm {
  return key === form.balancing && ('debit' in patch || 'amount' in patch) ? released(form) : form;
}

interface GridWays {
  choices: ReturnType<typeof useJournalChoices>;
  goTo: (next: JournalForm) => void;
  patchAt: (key: number, patch: Partial<FormLine>) => void;
}

/** Returns the grid's actions for any line. */
function gridActs(values: JournalForm, { choices, goTo, patchAt }: GridWays) {
  return {
    patchAt,
    amountAt: (line: FormLine, debit: boolean, amount: Cents | null) =>
      patchAt(line.key, sidePatch(line, debit, amount)),
    level: (key: number) => {
      const patch = levelling(values.lines, key);
      if (patch !== undefined) patchAt(key, patch);
    },
    /** Renders immediately, so that the focus can move to the new fields. */
    add: () => flushSync(() => goTo(addLine(values))),
    /** Pastes rows from a spreadsheet. Returns false if only a single cell was copied. */
    paste: (key: number, text: string) => {
      if (!isTable(text) || !choices.isLoaded) return false;
      const { rows: accounts, dimensions } = choices;
      goTo(pasteRows(values, { key, text }, { accounts, ...dimensions }));
      return true;
    },
  };
}

export type Journal = ReturnType<typeof useJournal>;

function without(problems: LineProblems, patch: Partial<FormLine>): LineProblems {
  return Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in patch)));
}

/** The first invalid field in the current line. */
const WRONG_FIELD = '.ac-line [aria-invalid="true"]';

const NO_ACCOUNTS: NonNullable<ReturnType<typeof useChart>['value']> = [];

/** Loads the options for a line, and the dimensions that a line requires. */
function useJournalChoices() {
  const { value: rows = NO_ACCOUNTS, error } = useChart(false);
  const dimensions = useDimensions();
  const ofChart = useMemo(
    () => ({
      accounts: inChartOrder(rows).map((row) => ({ id: row.customerAccountID, label: row.displayAccountLabel })),
      accountType: accountTypes(rows),
    }),
    [rows],
  );
  return {
    rows,
    isLoaded: rows.length > 0,
    isLoading: rows.length === 0 && error === undefined,
    ...ofChart,
    dimensions,
    rules: dimensions.required,
  };
}
