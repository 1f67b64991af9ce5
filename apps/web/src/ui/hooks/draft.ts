import { useCallback, useEffect, useRef, useState } from 'react';
import { readLocal, writeLocal } from './localState.ts';

interface Stored {
  version: number;
  savedAt: number;
  value: unknown;
}

export interface DraftOptions<Value> {
  /** Local storage key, e.g. `draft:billing:0`. Undefined keeps nothing. */
  key: string | undefined;
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

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && 'version' in value && 'savedAt' in value && 'value' in value;
}

function load<Value>(options: DraftOptions<Value>): { value: Value; savedAt: number } | undefined {
  const text = options.key === undefined ? undefined : readLocal(options.key);
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
  const { key, version = 1 } = options;
  const pending = useRef(false);

  useEffect(() => {
    if (!pending.current || key === undefined) return;
    pending.current = false;
    const now = Date.now();
    writeLocal(key, JSON.stringify({ version, savedAt: now, value }));
    setSavedAt(now);
  }, [key, value, version]);

  const set = useCallback((next: Value | ((before: Value) => Value)) => {
    pending.current = true;
    setDirty(true);
    setValue(next);
  }, []);
  const clear = useCallback(
    (next?: Value) => {
      pending.current = false;
      if (key !== undefined) writeLocal(key, undefined);
      setDirty(false);
      setSavedAt(undefined);
      if (next !== undefined) setValue(next);
    },
    [key],
  );
  return { value, set, dirty, savedAt, restored: first !== undefined, clear };
}
