import { useCallback, useEffect, useEffectEvent, useState } from 'react';

/**
 * The keys on this device that have no owner: the signed-in user (session.ts), the color scheme (ThemeProvider), and
 * the clock difference.
 */
const CLOCK = 'clock';
const OF_THE_DEVICE = ['user', 'theme', CLOCK];

/**
 * Returns the number of milliseconds by which the device's clock was last behind the server's, or 0 if the clock was
 * correct.
 */
export function readClockBehind(): number {
  try {
    const behind = Number(window.localStorage.getItem(CLOCK));
    return Number.isFinite(behind) ? behind : 0;
  } catch {
    return 0;
  }
}

/** Stores the difference, so that the next page shows the company's date even before its first response. */
export function writeClockBehind(behind: number): void {
  try {
    if (behind === 0) window.localStorage.removeItem(CLOCK);
    else window.localStorage.setItem(CLOCK, String(behind));
  } catch {
    return;
  }
}

let owner: string | undefined;

/** Returns the current owner, for values that are stored later than they were typed. */
export function keeper(): string | undefined {
  return owner;
}

/**
 * Sets the owner (a user in a company) of everything that is stored and read from now on. Without an owner, nothing is
 * stored.
 */
export function keepFor(next: string | undefined): void {
  owner = next;
}

/**
 * Returns the storage key for a name. Only this function creates keys, so that no other user or company finds the
 * value.
 */
function keyOf(name: string, whose = owner): string | undefined {
  return whose === undefined ? undefined : `${whose}:${name}`;
}

/** Removes values that earlier versions stored without an owner. Call this function once when the app starts. */
export function dropOwnerless(): void {
  try {
    for (const key of Object.keys(window.localStorage)) {
      if (!OF_THE_DEVICE.includes(key) && !/^\d+\.\d+(?:\.\d+)?:/.test(key)) window.localStorage.removeItem(key);
    }
  } catch {
    return;
  }
}

/** Returns the signed-in user's value for a name. Undefined if the value is missing or storage is blocked. */
export function readLocal(name: string): string | undefined {
  const key = keyOf(name);
  try {
    return key === undefined ? undefined : (window.localStorage.getItem(key) ?? undefined);
  } catch {
    return undefined;
  }
}

/**
 * Stores a value, or removes it if it is undefined. `whose` is the signed-in user unless another user typed the value.
 * If storage is blocked or full, the value isn't remembered, and no error is shown.
 */
export function writeLocal(name: string, text: string | undefined, whose = owner): void {
  const key = keyOf(name, whose);
  try {
    if (key === undefined) return;
    if (text === undefined) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, text);
  } catch {
    return;
  }
}

/** Returns the signed-in user's names that start with a prefix. */
export function localNames(start: string): string[] {
  const key = keyOf(start);
  try {
    const own = key === undefined ? [] : Object.keys(window.localStorage).filter((each) => each.startsWith(key));
    return own.map((each) => each.slice((owner ?? '').length + 1));
  } catch {
    return [];
  }
}

/** Calls `listener` when another tab has changed the signed-in user's value for a name. */
export function useKeptElsewhere(name: string, listener: () => void): void {
  const heard = useEffectEvent((event: StorageEvent) => {
    if (event.key !== null && event.key === keyOf(name)) listener();
  });
  useEffect(() => {
    const hear = (event: StorageEvent) => heard(event);
    window.addEventListener('storage', hear);
    return () => window.removeEventListener('storage', hear);
  }, []);
}

/**
 * Returns a choice from `allowed` and its setter. The choice, for example a tab or the state of a drawer, is remembered
 * on this device under `name`.
 */
export function useLocalChoice<Choice extends string>(
  name: string,
  allowed: readonly Choice[],
  first: Choice,
): [Choice, (next: Choice) => void] {
  const [choice, setChoice] = useState<Choice>(() => {
    const stored = readLocal(name);
    return allowed.find((one) => one === stored) ?? first;
  });
  const choose = useCallback(
    (next: Choice) => {
      setChoice(next);
      writeLocal(name, next);
    },
    [name],
  );
  return [choice, choose];
}
