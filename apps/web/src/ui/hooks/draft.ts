import { useCallback, useEffect, useRef, useState } from 'react';
import { readLocal, writeLocal } from './localState.ts';

interface Stored {
  version: number;
  savedAt: number;
  value: unknown;
}

export interface DraftOptions<Value> {
  /** Of what, e.g. `billing:0`; whose it is, is not the caller's business. Undefined keeps nothing. */
  name: string | undefined;
  initial: Value;
  /** Raise when the shape changes: older drafts are then dropped. */
  version?: number;
  /** Checks what comes back from storage; undefined drops it. */
  read: (stored: unknown) => Value | undefined;
}

export interface Draft<Value> {
  value: Value;
  set: (next: Value | ((before: Value) => Value)) => void;
  /** True after the first change, also after a reload that brought a draft back. */
  dirty: boolean;
  /** When the draft was last kept on this device (epoch milliseconds); undefined when there is none. */
  savedAt: number | undefined;
  /** True when this value came back from an earlier visit. */
  restored: boolean;
  /** After saving or discarding: forgets the draft. */
  clear: (next?: Value) => void;
}

const placeOf = (name: string): string => `draft:${name}`;

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && 'version' in value && 'savedAt' in value && 'value' in value;
}

function load<Value>(options: DraftOptions<Value>): { value: Value; savedAt: number } | undefined {
  const text = options.name === undefined ? undefined : readLocal(placeOf(options.name));
  if (text === undefined) return undefined;
  try {
    const stored: unknown = JSON.parse(text);
    if (!isStored(stored) || stored.version !== (options.version ?? 1)) return undefined;
    const value = options.read(stored.value);
    return value === undefined ? undefined : { value, savedAt: stored.savedAt };
  } catch {
    return undefined;
  }
}

/**
 * A form's state that survives a reload, a dropped connection and a signed-out session: every change is kept in
 * local storage and forgotten by `clear`. Mount the form anew (React `key`) to work on another record.
 */
export function useDraft<Value>(options: DraftOptions<Value>): Draft<Value> {
  const [first] = useState(() => load(options));
  const [value, setValue] = useState<Value>(first?.value ?? options.initial);
  const [savedAt, setSavedAt] = useState<number | undefined>(first?.savedAt);
  const [dirty, setDirty] = useState(first !== undefined);
  const { name, version = 1 } = options;
  const pending = useRef(false);

  useEffect(() => {
    if (!pending.current || name === undefined) return;
    pending.current = false;
    const now = Date.now();
    writeLocal(placeOf(name), JSON.stringify({ version, savedAt: now, value }));
    setSavedAt(now);
  }, [name, value, version]);

  const set = useCallback((next: Value | ((before: Value) => Value)) => {
    pending.current = true;
    setDirty(true);
    setValue(next);
  }, []);
  const clear = useCallback(
    (next?: Value) => {
      pending.current = false;
      if (name !== undefined) writeLocal(placeOf(name), undefined);
      setDirty(false);
      setSavedAt(undefined);
      if (next !== undefined) setValue(next);
    },
    [name],
  );
  return { value, set, dirty, savedAt, restored: first !== undefined, clear };
}

const CLOCK = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** "Draft kept on this device 9:41 AM". */
export function keptWords(savedAt: number | undefined): string | undefined {
  return savedAt === undefined ? undefined : `Draft kept on this device ${CLOCK.format(savedAt)}`;
}
