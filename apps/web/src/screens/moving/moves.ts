import { type Move, type MoveInput, type MoveItem, movingCalls } from '@evenkeel/contract/moving';
import type { MoveState } from '@evenkeel/core/moving/states';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type Ask, ask, asKey, messageOf, newKey, type Read, send, useRead, useStale } from '../../client/api.ts';
import { ApiError } from '../../client/transport.ts';
import { uploadTo } from '../../parts/attachments/uploadFile.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { watchMove } from './watch.ts';

/** Reads and writes for importing books. Every write returns the whole import, which replaces the cached one. */

export const MOVES = ask(movingCalls.listMoves, {});
const moveOf = (id: number): Ask<Move> => ask(movingCalls.getMove, { params: { id } });

const RUNNING: readonly MoveState[] = ['reading', 'previewing', 'importing', 'undoing'];
const ENDED: readonly MoveState[] = ['imported', 'undoing', 'undone'];

/** Returns whether an import is over. A company has at most one import that isn't over. */
export const isEnded = ({ status }: Pick<MoveItem, 'status'>): boolean => ENDED.includes(status);

/** Returns whether the server is working on an import in the background. */
export const isRunning = ({ status }: Pick<Move, 'status'>): boolean => RUNNING.includes(status);

/** The interval in ms between two reads of the progress. */
const LOOK_MS = 700;

/** Loads an import. While the server works on it, loads its progress, and the whole import at the end. */
export function useMove(id: number): Read<Move> & { isLost: boolean } {
  const read = useRead(moveOf(id));
  const stale = useStale();
  const runs = read.value !== undefined && isRunning(read.value);
  const look = useRead(ask(movingCalls.getMoveProgress, { params: { id } }), {
    enabled: runs,
    isFresh: true,
    everyMs: LOOK_MS,
  });
  const now = look.value;
  const hasEnded = runs && now !== undefined && now.status !== read.value?.status;
  const end = useEffectEvent(() => {
    void read.retry();
    if (now !== undefined && isEnded(now)) stale();
  });
  useEffect(() => {
    if (hasEnded) end();
  }, [hasEnded, now?.status, now?.rowVersion]);
  useEffect(() => {
    if (runs) watchMove(id);
  }, [runs, id]);
  const value = read.value && runs && now !== undefined ? { ...read.value, progress: now.progress } : read.value;
  return { ...read, value, isLost: runs && look.error !== undefined };
}

const CHOICES = ['accounts', 'parties', 'reconciled', 'lists'] as const;

/** The changes that are waiting to be saved, by key. */
type Choices = Pick<MoveInput, (typeof CHOICES)[number]>;
type Waiting = { [Name in keyof Choices]-?: NonNullable<Choices[Name]> };

const NO_CHOICES: Waiting = { accounts: [], parties: [], reconciled: [], lists: [] };

const OUTDATED =
  'Someone else changed this import at the same time. Your last change was not saved. Check the import and try again.';

/**
 * Returns the functions that change an import. An outdated change is never saved over a newer one: the newer import
 * appears with an alert.
 */
export function useMoveActions(id: number) {
  const client = useQueryClient();
  const alerts = useAlerts();
  const [busy, setBusy] = useState<string>();
  const keep = (move: Move): Move => {
    client.setQueryData(asKey(moveOf(move.id)), move);
    void client.invalidateQueries({ queryKey: asKey(MOVES) });
    // The customer and vendor names depend on the files and on the user's answers about them.
    void client.invalidateQueries({ queryKey: [movingCalls.listMoveParties.path] });
    return move;
  };
  const fail = (error: unknown): undefined => {
    const isStale = error instanceof ApiError && error.body.code === 'stale';
    alerts.error(isStale ? OUTDATED : messageOf(error), { autoClose: !isStale });
    if (id > 0) void client.invalidateQueries({ queryKey: asKey(moveOf(id)) });
  };
  /** Runs one write. `name` is busy until its response arrives. Returns undefined if it fails. */
  const run = async (name: string, write: () => Promise<Move>): Promise<Move | undefined> => {
    setBusy(name);
    try {
      return keep(await write());
    } catch (error) {
      return fail(error);
    } finally {
      setBusy(undefined);
    }
  };
  const params = { id };
  return {
    busy,
    keep,
    fail,
    create: (system: Move['system']) => run('next', () => send(ask(movingCalls.createMove, { body: { system } }))),
    update: (body: MoveInput) => run('update', () => send(ask(movingCalls.updateMove, { params, body }))),
    removeFile: (fileId: number) =>
      run('file', () => send(ask(movingCalls.deleteMoveFile, { params: { id, fileId } }))),
    preview: () => run('preview', () => send(ask(movingCalls.previewMove, { params }))),
    importAll: ({ rowVersion }: Pick<Move, 'rowVersion'>) =>
      run('import', () => send(ask(movingCalls.importMove, { params, body: { rowVersion } }))),
    cancel: () => run('cancel', () => send(ask(movingCalls.cancelMove, { params }))),
    undo: () => run('undo', () => send(ask(movingCalls.undoMove, { params }))),
  };
}

export type MoveActions = ReturnType<typeof useMoveActions>;

/** A file that is being uploaded. */
export interface Upload {
  key: string;
  name: string;
  size: number;
  /** The progress, from 0 to 1. */
  part: number;
}

/** Uploads files one after the other. If a file has already been added, an alert says so instead. */
export function useUploads(move: Move, { keep, fail, removeFile }: MoveActions) {
  const alerts = useAlerts();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const sending = useRef(new AbortController());
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    const { current } = sending;
    return () => current.abort();
  }, []);
  const one = async (file: File, key: string): Promise<void> => {
    const onProgress = (part: number) =>
      setUploads((all) => all.map((each) => (each.key === key ? { ...each, part } : each)));
    try {
      const input = { params: { id: move.id } };
      const { signal } = sending.current;
      keep(await uploadTo(movingCalls.uploadMoveFile, input, file, { key, onProgress, signal }));
    } catch (error) {
      // The import already has a file with the same content.
      if (error instanceof ApiError && error.body.code === 'conflict') alerts.info(error.message);
      else fail(error);
    } finally {
      setUploads((all) => all.filter((each) => each.key !== key));
    }
  };
  const add = async (files: readonly File[]): Promise<void> => {
    const keyed = files.map((file) => ({ file, key: newKey() }));
    setUploads((all) => [
      ...all,
      ...keyed.map(({ file, key }) => ({ key, name: file.name, size: file.size, part: 0 })),
    ]);
    for (const { file, key } of keyed) {
      turn.current = turn.current.then(() => one(file, key));
    }
    await turn.current;
  };
  return {
    uploads,
    add: (files: readonly File[]) => void add(files),
    /** Uploads a file in place of another one. */
    replace: async (fileId: number, files: readonly File[]) => {
      await removeFile(fileId);
      await add(files);
    },
  };
}

/**
 * Saves decisions about accounts and names in the order in which they are made, without making the user wait. Decisions
 * made while a request is under way are sent with the next one.
 */
export function useChoices(move: Move, { keep, fail }: Pick<MoveActions, 'keep' | 'fail'>) {
  const [waiting, setWaiting] = useState(NO_CHOICES);
  const latest = useRef({ rowVersion: move.rowVersion, waiting, isSending: false });
  useLayoutEffect(() => {
    if (!latest.current.isSending) latest.current.rowVersion = move.rowVersion;
  }, [move.rowVersion]);
  const set = (next: Waiting) => {
    latest.current.waiting = next;
    setWaiting(next);
  };
  const flush = async (): Promise<void> => {
    const now = latest.current;
    const sent = now.waiting;
    if (now.isSending || !isWaiting(sent)) return;
    now.isSending = true;
    try {
      const body = { rowVersion: now.rowVersion, ...sent };
      const after = await send(ask(movingCalls.updateMove, { params: { id: move.id }, body }));
      now.rowVersion = after.rowVersion;
      keep(after);
      set({
        accounts: without(now.waiting.accounts, sent.accounts),
        parties: without(now.waiting.parties, sent.parties),
        reconciled: without(now.waiting.reconciled, sent.reconciled),
        lists: without(now.waiting.lists, sent.lists),
      });
    } catch (error) {
      set(NO_CHOICES);
      fail(error);
    } finally {
      now.isSending = false;
    }
    await flush();
  };
  return {
    waiting,
    decide: (choices: Choices) => {
      const { accounts, parties, reconciled, lists } = latest.current.waiting;
      set({
        accounts: merged(accounts, choices.accounts),
        parties: merged(parties, choices.parties),
        reconciled: merged(reconciled, choices.reconciled),
        lists: merged(lists, choices.lists),
      });
      void flush();
    },
  };
}

/** Returns whether a decision is not saved yet. */
export const isWaiting = (waiting: Waiting): boolean => CHOICES.some((name) => waiting[name].length > 0);

type Keyed<T> = readonly T[] | null | undefined;

/** Returns all decisions. For each key, a newer decision replaces an older one. */
function merged<T extends { key: string }>(all: Keyed<T>, newer: Keyed<T>): T[] {
  const keys = new Set((newer ?? []).map(({ key }) => key));
  return [...(all ?? []).filter(({ key }) => !keys.has(key)), ...(newer ?? [])];
}

/** Returns the decisions that were made after a request was sent. */
const without = <T>(all: Keyed<T>, sent: Keyed<T>): T[] => (all ?? []).filter((one) => !(sent ?? []).includes(one));
