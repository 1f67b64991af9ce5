import { createContext, use, useState } from 'react';

/**
 * The input typed into the fields inside the provider, by label. The input survives when a change in the window width
 * renders the field in a different layout. Unreadable input exists only in this map.
 */
export const TypedTexts = createContext<Map<string, string> | undefined>(undefined);

/** Returns a field's typed input while it differs from the formatted value. */
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
