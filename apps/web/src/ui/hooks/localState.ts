import { useCallback, useEffect, useEffectEvent, useState } from 'react';

/**
 * Keys of this device that belong to nobody: the signed-in user (session.ts), light or dark (ThemeProvider), its clock.
 */
const CLOCK = 'clock';
const OF_THE_DEVICE = ['user', 'theme', CLOCK];

/** Milliseconds by which this device's clock was last behind the server's; 0 where it was right. */
export function readClockBehind(): number {
  try {
    const behind = Number(window.localStorage.getItem(CLOCK));
    return Number.isFinite(behind) ? behind : 0;
  } catch {
    return 0;
  }
}

/** Remembers it for the next page: what that one draws before its first answer has the company's day too. */
export function writeClockBehind(behind: number): void {
  try {
    if (behind === 0) window.localStorage.removeItem(CLOCK);
    else window.localStorage.setItem(CLOCK, String(behind));
  } catch {
    return;
  }
}

let owner: string | undefined;

/** The owner of entries written now; for values that are written later than they were typed. */
export function keeper(): string | undefined {
  return owner;
}

/** From now on everything is kept for, and found by, this person in this company; nobody keeps nothing. */
export function keepFor(next: string | undefined): void {
  owner = next;
}

/** The one place that makes a key: what one person in one company keeps is never found by another. */
function keyOf(name: string, whose = owner): string | undefined {
  return whose === undefined ? undefined : `${whose}:${name}`;
}

/** Removes what earlier versions kept without an owner. Call once at the start. */
export function dropOwnerless(): void {
  try {
    for (const key of Object.keys(window.localStorage)) {
      if (!OF_THE_DEVICE.includes(key) && !/^\d+\.\d+(?:\.\d+)?:/.test(key)) window.localStorage.removeItem(key);
    }
  } catch {
    return;
  }
}

/** Reads what the signed-in person keeps under a name; undefined where it is absent or storage is refused. */
export function readLocal(name: string): string | undefined {
  const key = keyOf(name);
  try {
    return key === undefined ? undefined : (window.localStorage.getItem(key) ?? undefined);
  } catch {
    return undefined;
  }
}

/**
 * Writes a text (undefined removes it) for `whose`, who is the one that is signed in unless it was typed by another. A
 * refused or full storage is no error: the choice is just not remembered.
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

/** The names under which the signed-in person keeps something, of those that begin so. */
export function localNames(start: string): string[] {
  const key = keyOf(start);
  try {
    const own = key === undefined ? [] : Object.keys(window.localStorage).filter((each) => each.startsWith(key));
    return own.map((each) => each.slice((owner ?? '').length + 1));
  } catch {
    return [];
  }
}

/** Calls when another tab has changed what the signed-in person keeps under a name. */
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

/** A choice out of `allowed`, remembered on this device under `name` (tabs, drawer state). */
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
