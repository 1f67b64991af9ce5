import {
  type BankLine,
  type BankLineInput,
  type Candidate,
  statementCalls as calls,
} from '@evenkeel/contract/statements';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { formatAmount } from '@evenkeel/core/money';
import { useMemo, useState } from 'react';
import { ask, isClearNo, messageOf, send, useReadNow, useStale } from '../../../client/api.ts';
import { ApiError } from '../../../client/transport.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import type { SendPlace } from '../../../ui/hooks/draft.ts';
import { doneWord, isChoice, nextOpen, shownLines, sizeOf, stepped, takenWords, type Way } from './work.ts';

type Reply = ReplyOf<typeof calls.actOnBankLine>;
export type RuleOffer = NonNullable<Reply['ruleOffer']>;

/** The state of a bank transaction on this screen, in addition to its data. */
export interface RowNote {
  isBusy?: boolean;
  /** The reason why the action failed. */
  problem?: string;
  /**
   * The current version of the bank transaction. The transaction stays in its place until the user dismisses it,
   * because no response arrived or another user handled it.
   */
  kept?: BankLine;
  /** The action that was rejected because the books are closed, but would be allowed with a reason. */
  closed?: BankLineInput;
}

const NO_NOTE: RowNote = {};
const UNDO = 'Undo';

/**
 * Returns whether another user handled the bank transaction while it was open. A transaction that this user is undoing
 * doesn't count.
 */
export const isTaken = ({ kept, closed, isBusy }: RowNote): boolean =>
  kept !== undefined && kept.state !== 'review' && closed === undefined && isBusy !== true;

/** The state of bank transactions, by ID. */
function useNotes() {
  const [notes, setNotes] = useState<ReadonlyMap<number, RowNote>>(new Map());
  const note = (id: number, next: RowNote | undefined) =>
    setNotes((before) => {
      const after = new Map(before);
      if (next === undefined) after.delete(id);
      else after.set(id, next);
      return after;
    });
  return { notes, note };
}

/** Loads and shows the bank transaction after an action on it is rejected. */
function useRefusals() {
  const readNow = useReadNow();
  return async (error: unknown, line: BankLine, body: BankLineInput): Promise<RowNote> => {
    const problem = messageOf(error);
    if (!(error instanceof ApiError) || !isClearNo(error)) return { problem, kept: line };
    if (error.body.code === 'closed') return { problem, closed: body, kept: line };
    if (error.status !== 409) return { problem };
    try {
      const now = await readNow(ask(calls.getBankLine, { params: { id: line.id } }));
      return now.state === 'review' ? { problem } : { problem: takenWords(now), kept: now };
    } catch {
      return { problem };
    }
  };
}

const askFor = ({ id, rowVersion }: BankLine, body: BankLineInput) =>
  ask(calls.actOnBankLine, { params: { id }, body: { ...body, rowVersion } });

interface Undoing {
  onUndone: (line: BankLine) => void;
  /** Called if the books are closed. The bank transaction then waits for a reason. */
  onClosed: (line: BankLine, note: RowNote) => void;
}

/** Undoes actions on bank transactions. */
function useUndoing({ onUndone, onClosed }: Undoing) {
  const alerts = useAlerts();
  const stale = useStale();
  return async (line: BankLine) => {
    try {
      await send(askFor(line, { action: 'undo' }));
      onUndone(line);
      alerts.success(`Undone: ${line.text}`);
    } catch (error) {
      alerts.error(messageOf(error));
      const isClosed = error instanceof ApiError && error.body.code === 'closed';
      if (isClosed) onClosed(line, { problem: messageOf(error), closed: { action: 'undo' }, kept: line });
    } finally {
      stale();
    }
  };
}

/** Manages this user's actions in progress, completed actions, and their results. */
function useActs(setOpen: (id: number | undefined) => void) {
  const alerts = useAlerts();
  const stale = useStale();
  const { notes, note } = useNotes();
  const noteOf = useRefusals();
  /** The row versions of the bank transactions that were handled, by ID. */
  const [done, setDone] = useState<ReadonlyMap<number, number>>(new Map());
  const [acted, setActed] = useState<readonly BankLine[]>([]);
  const [offer, setOffer] = useState<RuleOffer>();
  const forget = (line: BankLine) => setActed((before) => before.filter(({ id }) => id !== line.id));
  const undo = useUndoing({
    onUndone: (line) => {
      forget(line);
      setOpen(line.id);
    },
    onClosed: (line, told) => {
      note(line.id, told);
      setOpen(line.id);
    },
  });
  const settled = ({ line, others, ruleOffer }: Reply, body: BankLineInput) => {
    // After a receipt is attached, the bank transaction stays in its place.
    const touched = (body.action === 'attach' ? [] : [line, ...others]).filter(({ state }) => state !== 'review');
    setDone((before) => new Map([...before, ...touched.map((one) => [one.id, one.rowVersion] as const)]));
    if (body.action === 'attach') return alerts.success(`Attached: ${line.text}`);
    if (line.state === 'review') return forget(line);
    setActed((before) => [...before, line]);
    if (ruleOffer !== null) setOffer(ruleOffer);
    // Dismisses earlier alerts with an Undo button, so that only the last action can be undone.
    for (const { id, action } of alerts.state().shown) if (action?.label === UNDO) alerts.dismiss(id);
    const words = `${doneWord(body.action)}: ${line.text}, ${formatAmount(sizeOf(line.amount))}`;
    alerts.success(words, { action: { label: UNDO, run: () => void undo(line) } });
  };

  /** Sends an action, shows its result, and records a rejection, which is also thrown. */
  const deliver = async (line: BankLine, body: BankLineInput, place?: SendPlace): Promise<Reply> => {
    note(line.id, { isBusy: true, kept: line });
    try {
      const reply = await send(askFor(line, body), place);
      note(line.id, undefined);
      settled(reply, body);
      stale();
      return reply;
    } catch (error) {
      note(line.id, await noteOf(error, line, body));
      // If no response arrives, the action may have succeeded, so the screen keeps the request so that the user can
      // repeat it.
      if (isClearNo(error)) stale();
      throw error;
    }
  };
  const last = acted.at(-1);
  return {
    notes,
    done,
    offer,
    forgetOffer: () => setOffer(undefined),
    deliver,
    /** Sends an action. Errors appear next to the bank transaction. */
    run: (line: BankLine, body: BankLineInput) => void deliver(line, body).catch(() => undefined),
    undo: (line: BankLine) => void undo(line),
    /** Undoes the last action from this visit. */
    undoLast: last && (() => void undo(last)),
    /** Dismisses the message about a bank transaction. */
    seen: (id: number) => note(id, undefined),
  };
}

/** The suggested matches that the user selected. */
function usePicks() {
  const [picks, setPicks] = useState<ReadonlyMap<number, Candidate>>(new Map());
  return {
    /**
     * Returns the selected match for a bank transaction. By default, this is the best match, unless several are equally
     * good.
     */
    pickOf: (line: BankLine): Candidate | undefined =>
      picks.get(line.id) ?? (isChoice(line) ? undefined : (line.candidate ?? undefined)),
    pick: ({ id }: BankLine, candidate: Candidate) => setPicks((before) => new Map([...before, [id, candidate]])),
    unpick: ({ id }: BankLine) => setPicks((before) => new Map([...before].filter(([picked]) => picked !== id))),
  };
}

/** Manages the review: the open bank transaction, its editor, the selected match, and the actions. */
export function useReview(read: readonly BankLine[], first: number | undefined) {
  const [opened, setOpened] = useState<number | null | undefined>(first);
  const [way, setWay] = useState<Way>();
  const { unpick, ...picks } = usePicks();
  const setOpen = (id: number | undefined) => {
    setOpened(id ?? null);
    setWay(undefined);
  };
  const acts = useActs(setOpen);
  const lines = useMemo(() => {
    const kept = [...acts.notes.values()].flatMap((one) => one.kept ?? []);
    return shownLines(read, acts.done, kept);
  }, [read, acts.done, acts.notes]);
  const ids = lines.map(({ id }) => id);
  // Until the user opens a bank transaction, the first one is open. Null means that none is open.
  const openId = opened === null ? undefined : ids.includes(opened ?? 0) ? opened : ids[0];
  const noteOf = (id: number): RowNote => acts.notes.get(id) ?? NO_NOTE;
  const isFree = ({ id }: BankLine) => !isTaken(noteOf(id)) && noteOf(id).isBusy !== true;
  const goOn = (id: number) => setOpen(nextOpen(ids, id));
  return {
    ...acts,
    ...picks,
    lines,
    open: lines.find(({ id }) => id === openId),
    setOpen,
    way,
    setWay,
    noteOf,
    goOn,
    step: (by: 1 | -1) => setOpen(stepped(ids, openId, by)),
    /** Sends an action and opens the next bank transaction without waiting for the response. */
    act: (line: BankLine, body: BankLineInput) => {
      if (!isFree(line)) return;
      goOn(line.id);
      acts.run(line, body);
    },
    /** Stops suggesting this match for the bank transaction. */
    refuse: (line: BankLine, candidate: Candidate) => {
      unpick(line);
      acts.run(line, { action: 'refuse', candidate: candidate.key });
    },
  };
}
export type Review = ReturnType<typeof useReview>;
