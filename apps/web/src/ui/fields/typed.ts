import { createContext, use, useState } from 'react';

/**
 * The text typed into the fields in this component, by label. It survives when another window width renders a field in
 * a different layout. Text that can't be parsed exists only in this map.
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
