import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * The delay in ms after typing before the owner is notified, because the owner filters a list or sends a request to the
 * server.
 */
const TYPING_MS = 120;

interface TypedText {
  text: string;
  /** Called on each key press. The owner is notified when typing stops. */
  type: (text: string) => void;
  /** Immediately reports the given text to the owner. By default, reports the text typed so far. */
  tell: (text?: string) => void;
}

/**
 * Holds the text of a box whose owner may update late, as the URL does. The box shows its own text, and `value` is
 * updated later. A `value` that the box has not reported replaces the text.
 */
export function useTypedText(value: string, onChange: (text: string) => void): TypedText {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The reported text that the owner doesn't have yet. */
  const told = useRef<string[]>([]);
  const held = useRef(value);
  useLayoutEffect(() => {
    held.current = value;
    const at = told.current.indexOf(value);
    told.current = at < 0 ? [] : told.current.slice(at + 1);
    if (at >= 0) return;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (next = text) => {
    clearTimeout(timer.current);
    setText(next);
    if (next === (told.current.at(-1) ?? held.current)) return;
    told.current.push(next);
    onChange(next);
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => tell(next), TYPING_MS);
  };
  return { text, type, tell };
}
