import { createContext, use, useState } from 'react';

/**
 * Texts typed in the fields beneath, by label. They outlive a field that another layout draws anew when the window
 * crosses a width: an unreadable text is kept only here.
 */
export const TypedTexts = createContext<Map<string, string> | undefined>(undefined);

/** The text of a field while it is not the text of its value. */
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
