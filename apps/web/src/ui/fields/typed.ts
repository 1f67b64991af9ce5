import { createContext, use, useState } from 'react';

/**
 * The texts typed in the fields below, by label. They survive when a different layout renders the field again at
 * another window width. Only this map keeps an unreadable text.
 */
export const TypedTexts = createContext<Map<string, string> | undefined>(undefined);

/** Returns a field's typed text while it differs from the text of its value. */
export function useTyped(label: string): [string | undefined, (text: string | undefined) => void] {
  const kept = use(TypedTexts);
  const [typed, setTyped] = useState(() => kept?.get(label));
  const keep = (text: string | undefined) => {
    if (text === undefined) kept?.delete(label);
    else kept?.set(label, text);
    setTyped(text);
  };
  return [typed, keep];
}
