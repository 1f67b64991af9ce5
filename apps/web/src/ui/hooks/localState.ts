import { useCallback, useState } from 'react';

/** Reads a text from local storage; undefined where it is absent or storage is refused. */
export function readLocal(key: string): string | undefined {
  try {
    return window.localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Writes a text (undefined removes it). A refused or full storage is no error: the choice is just not remembered. */
export function writeLocal(key: string, text: string | undefined): void {
  try {
    if (text === undefined) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, text);
  } catch {
    return;
  }
}

/** A choice out of `allowed`, remembered in local storage under `key` (tabs, drawer state). */
export function useLocalChoice<Choice extends string>(
  key: string,
  allowed: readonly Choice[],
  first: Choice,
): [Choice, (next: Choice) => void] {
  const [choice, setChoice] = useState<Choice>(() => {
    const stored = readLocal(key);
    return allowed.find((one) => one === stored) ?? first;
  });
  const choose = useCallback(
    (next: Choice) => {
      setChoice(next);
      writeLocal(key, next);
    },
    [key],
  );
  return [choice, choose];
}
