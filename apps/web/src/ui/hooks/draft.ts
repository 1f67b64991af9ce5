import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { keeper, localNames, readLocal, writeLocal } from './localState.ts';
import type * as z from 'zod';
import { isTabOpen, tabId } from './tab.ts';

/** A request without a response: its idempotency key and its contents. */
export interface Unanswered {
  key: string;
  /** The URL and body as sent. */
  request: string;
}

/** The place where a request without a response is stored until its response arrives. */
export interface SendPlace {
  read: () => Unanswered | undefined;
  write: (sent: Unanswered | undefined) => void;
  /**
   * Whether all requests stored here are for one record. If so, a changed request counts as the same request and keeps
   * its key.
   */
  isOneRecord: boolean;
  /**
   * Called instead of sending if the request is only rehearsed. `ask` returns the response, parsed with the given
   * schema.
   */
  rehearse?: (ask: <R>(reply: z.ZodType<R>) => Promise<R>) => Promise<void>;
}

interface Stored {
  version: number;
  savedAt: number;
  value: unknown;
  sent?: Unanswered | undefined;
}

export interface DraftOptions<Value> {
  /**
   * The name of the draft, for example `billing:0`. The owner is added to the name. If undefined, nothing is stored.
   */
  name: string | undefined;
  initial: Value;
  /** The version of the format. Increment it when the format changes, to discard older drafts. */
  version?: number;
  /** Validates a stored draft. Returning undefined discards the draft. */
  read: (stored: unknown) => Value | undefined;
  /** Whether the draft is for a new record. Each tab has its own draft, and finds the unsaved draft of a closed tab. */
  isNew?: boolean;
}

export interface Draft<Value> {
  value: Value;
  set: (next: Value | ((before: Value) => Value)) => void;
  /** True after the first change, and after a reload that restored a draft. */
  dirty: boolean;
  /** The minute when the draft was last saved on this device (epoch milliseconds). Undefined if there is none. */
  savedAt: number | undefined;
  /** Whether this value was restored from an earlier visit. */
  restored: boolean;
  /** Deletes the draft and the sent request after saving or discarding. */
  clear: (next?: Value) => void;
  /** The place where the sent request is stored with the draft until its response arrives, even after a reload. */
  sent: SendPlace;
}

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && 'version' in value && 'savedAt' in value && 'value' in value;
}

/** Reads a request stored by a SendPlace. Returns undefined for invalid data. */
export function readUnanswered(value: unknown): Unanswered | undefined {
  if (typeof value !== 'object' || value === null || !('key' in value) || !('request' in value)) return undefined;
  const { key, request } = value;
  return typeof key === 'string' && typeof request === 'string' ? { key, request } : undefined;
}

interface Loaded<Value> {
  value: Value;
  savedAt: number;
  sent: Unanswered | undefined;
}

function load<Value>(place: string | undefined, options: DraftOptions<Value>): Loaded<Value> | undefined {
  const text = place === undefined ? undefined : readLocal(place);
  if (text === undefined) return undefined;
  try {
    const stored: unknown = JSON.parse(text);
    if (!isStored(stored) || stored.version !== (options.version ?? 1)) return undefined;
    const value = options.read(stored.value);
    return value === undefined ? undefined : { value, savedAt: stored.savedAt, sent: readUnanswered(stored.sent) };
  } catch {
    return undefined;
  }
}

const TAB_MARK = '~';

function placeOf(name: string | undefined, isNew: boolean): string | undefined {
  if (name === undefined) return undefined;
  return isNew ? `draft:${name}${TAB_MARK}${tabId()}` : `draft:${name}`;
}

/** Returns the draft of this new record from a closed tab. If there are several, returns the latest. */
async function leftBehind(name: string): Promise<string | undefined> {
  const start = `draft:${name}${TAB_MARK}`;
  const places = localNames(start).filter((place) => place !== start + tabId());
  const open = await Promise.all(places.map((place) => isTabOpen(place.slice(start.length))));
  return places.findLast((_, index) => open[index] === false);
}

/** Holds a time that is shown in minutes, so that smaller changes don't render the form again. */
function useMinute(first: number | undefined) {
  const [time, setTime] = useState(first);
  const latest = useRef(first);
  const set = useCallback((next: number | undefined) => {
    if (latest.current !== undefined && next !== undefined && sameMinute(latest.current, next)) return;
    latest.current = next;
    setTime(next);
  }, []);
  return [time, set] as const;
}

/**
 * Keeps a form's state through a reload, a lost connection, and a sign-out. Every change is saved on the device, and
 * `clear` deletes it. To work on another record, use a different React `key`.
 */
export function useDraft<Value>(options: DraftOptions<Value>): Draft<Value> {
  const { name, version = 1, isNew = false } = options;
  const place = placeOf(name, isNew);
  const [first] = useState(() => load(place, options));
  const [value, setValue] = useState<Value>(first?.value ?? options.initial);
  const [savedAt, setSavedAt] = useMinute(first?.savedAt);
  const [dirty, setDirty] = useState(first !== undefined);
  const [restored, setRestored] = useState(first !== undefined);
  const pending = useRef(false);
  const sent = useRef(first?.sent);
  const latest = useRef(value);
  // Effects may run after another user has signed in, but typed values belong to the user who typed them.
  const [typist] = useState(keeper);

  const keep = useCallback(() => {
    if (place === undefined) return;
    const now = Date.now();
    writeLocal(place, JSON.stringify({ version, savedAt: now, value: latest.current, sent: sent.current }), typist);
    setSavedAt(now);
  }, [place, setSavedAt, typist, version]);
  useEffect(() => {
    latest.current = value;
    if (!pending.current) return;
    pending.current = false;
    keep();
  }, [keep, value]);

  const set = useCallback((next: Value | ((before: Value) => Value)) => {
    pending.current = true;
    setDirty(true);
    setValue(next);
  }, []);
  const clear = useCallback(
    (next?: Value) => {
      pending.current = false;
      sent.current = undefined;
      if (place !== undefined) writeLocal(place, undefined, typist);
      setDirty(false);
      setSavedAt(undefined);
      if (next !== undefined) setValue(next);
    },
    [place, setSavedAt, typist],
  );
  const sendPlace = useMemo<SendPlace>(
    () => ({
      read: () => sent.current,
      write: (next) => {
        if (next === undefined && sent.current === undefined) return;
        sent.current = next;
        keep();
      },
      isOneRecord: true,
    }),
    [keep],
  );

  const take = useRef((from: string) => {
    if (keeper() !== typist) return;
    const found = load(from, options);
    if (found === undefined || pending.current || readLocal(place ?? '') !== undefined) return;
    sent.current = found.sent;
    latest.current = found.value;
    // The draft is saved here before it is removed there, so that closing this tab can't lose it.
    keep();
    writeLocal(from, undefined);
    setDirty(true);
    setRestored(true);
    setValue(found.value);
  });
  useEffect(() => {
    if (!isNew || name === undefined || first !== undefined) return;
    let isOver = false;
    void leftBehind(name).then((from) => (from === undefined || isOver ? undefined : take.current(from)));
    return () => {
      isOver = true;
    };
  }, [first, isNew, name]);
  return { value, set, dirty, savedAt, restored, clear, sent: sendPlace };
}

const MINUTE = 60_000;
const sameMinute = (one: number, other: number): boolean => Math.floor(one / MINUTE) === Math.floor(other / MINUTE);

const CLOCK = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** Returns the label, for example "Draft saved on this device 9:41 AM". */
export function keptWords(savedAt: number | undefined): string | undefined {
  return savedAt === undefined ? undefined : `Draft saved on this device ${CLOCK.format(savedAt)}`;
}
